"""Pixelation: too few pixels, shown large."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import COARSE, Losses, decide

TITLE = "Pixelation"
SUMMARY = "Shrinks the image and enlarges it again without smoothing."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"size": 0.6},
    2: {"size": 0.5},
    3: {"size": 0.4},
    4: {"size": 0.3},
    5: {"size": 0.25},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSSES: Losses = COARSE


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Sides of the share `size`, each new pixel the mean of what it covers."""
    height, width = image.shape[:2]
    size = SEVERITIES[severity]["size"]
    small = (max(1, int(width * size)), max(1, int(height * size)))
    shrunk = cv2.resize(image, small, interpolation=cv2.INTER_AREA)
    return finished(cv2.resize(shrunk, (width, height), interpolation=cv2.INTER_NEAREST_EXACT))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

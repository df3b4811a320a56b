"""Speckle noise: noise in proportion to the light, as of radar and ultrasound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._draws import normal
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import NOISE, Losses, decide

TITLE = "Speckle noise"
SUMMARY = "Multiplies every channel of every pixel by normal noise around 1."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"deviation": 0.15},
    2: {"deviation": 0.2},
    3: {"deviation": 0.35},
    4: {"deviation": 0.45},
    5: {"deviation": 0.6},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSSES: Losses = NOISE


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Noise of a standard deviation that is a share of each value."""
    gain = normal(rng, *image.shape, mean=1.0, deviation=SEVERITIES[severity]["deviation"])
    return finished(cv2.multiply(image, gain, dtype=cv2.CV_8U))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

"""Downscaling: a thumbnail. The result is smaller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import COARSE, Losses, decide
from snellen.placement import Placement

TITLE = "Downscaling"
SUMMARY = "Shrinks the image."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"size": 0.75},
    2: {"size": 0.5},
    3: {"size": 0.35},
    4: {"size": 0.25},
    5: {"size": 0.15},
}
SOURCE = ""
EXTRA = ""
MOVES_REGIONS = True  # boxes of the original no longer fit
LOSSES: Losses = COARSE


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Sides of the share `size`, at least one pixel, each new pixel the mean of what it covers."""
    height, width = image.shape[:2]
    small = placement(width, height, severity, rng).size
    return finished(cv2.resize(image, small, interpolation=cv2.INTER_AREA))


def placement(width: int, height: int, severity: int, rng: np.random.Generator, argument: str = "") -> Placement:
    """Both sides scaled, each by what rounding makes of it."""
    size = SEVERITIES[severity]["size"]
    small = (max(1, round(width * size)), max(1, round(height * size)))
    return Placement((small[0] / width, small[1] / height), (0, 0), small)


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

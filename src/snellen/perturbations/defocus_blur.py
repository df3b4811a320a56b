"""Defocus blur: every point becomes a disk, as through a lens that is not in focus."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels, finished, growth
from snellen.perturbations._truth import BLUR, Losses, decide

TITLE = "Defocus blur"
SUMMARY = "Blurs by a disk."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"radius_px": 3, "softness": 0.1},
    2: {"radius_px": 4, "softness": 0.5},
    3: {"radius_px": 6, "softness": 0.5},
    4: {"radius_px": 8, "softness": 0.5},
    5: {"radius_px": 10, "softness": 0.5},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSSES: Losses = BLUR


def _disk(radius: float, softness: float) -> NDArray[np.float32]:
    """A disk of unit sum whose rim is softened by a Gaussian."""
    reach = math.ceil(radius + 0.5)
    squares = np.arange(-reach, reach + 1, dtype=np.float32) ** 2
    distance = np.sqrt(squares[:, np.newaxis] + squares)
    disk = np.clip(radius + 0.5 - distance, 0, 1)
    softened = np.asarray(cv2.GaussianBlur(disk, (3, 3) if radius <= 8 else (5, 5), softness), np.float32)
    return np.asarray(softened / softened.sum(), np.float32)


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """A radius in pixels that grows with the image.

    From a radius of 4.5 on, a smaller copy is blurred and enlarged again: the disk has removed what it could not show.
    """
    level = SEVERITIES[severity]
    radius = level["radius_px"] * growth(image)
    height, width = image.shape[:2]
    step = math.ceil(radius / 4.5)
    source = image
    if step > 1:
        small = (max(1, round(width / step)), max(1, round(height / step)))
        source = finished(cv2.resize(image, small, interpolation=cv2.INTER_AREA))
    disk = _disk(radius / step, level["softness"])
    blurred = cv2.filter2D(source.astype(np.float32), -1, disk, borderType=cv2.BORDER_REPLICATE)
    if step > 1:
        blurred = cv2.resize(blurred, (width, height), interpolation=cv2.INTER_LINEAR)
    return finished(cv2.convertScaleAbs(blurred))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

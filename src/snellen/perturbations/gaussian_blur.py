"""Gaussian blur: out of focus, softly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels, finished, growth
from snellen.perturbations._truth import BLUR, Losses, decide

TITLE = "Gaussian blur"
SUMMARY = "Blurs by a normal distribution."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"sigma_px": 1},
    2: {"sigma_px": 2},
    3: {"sigma_px": 3},
    4: {"sigma_px": 4},
    5: {"sigma_px": 6},
}
SOURCE = "SHALE (arXiv 2508.09584), corruptions; levels of Hendrycks & Dietterich 2019, section 4"
EXTRA = ""
LOSSES: Losses = BLUR


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """A standard deviation in pixels that grows with the image."""
    sigma = SEVERITIES[severity]["sigma_px"] * growth(image)
    return finished(cv2.GaussianBlur(image, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

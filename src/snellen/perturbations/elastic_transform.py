"""Elastic transform: the picture is pushed about in small patches, as on rubber."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._draws import uniform16
from snellen.perturbations._pixels import Pixels, check_reach, finished, growth
from snellen.perturbations._truth import Losses, decide

TITLE = "Elastic transform"
SUMMARY = "Shifts every pixel along a smooth random field."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo",)
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"shift": 12.5},
    2: {"shift": 16.25},
    3: {"shift": 21.25},
    4: {"shift": 25},
    5: {"shift": 30},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSES_PLACES = True  # every part goes its own way
LOSSES: Losses = {
    "shape": "kuuuu",
    "expression": "kkuuu",
    "scene-text": "kkuuu",
    "other": "kkkuu",
}


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Uniform noise of 0.5 % of the height, smoothed over 1 % of each side, times `shift`; it grows with the image."""
    check_reach(image)
    height, width = image.shape[:2]
    smooth = (max(0.01 * height, 0.3), max(0.01 * width, 0.3))
    # A smoothed field needs no point at every pixel: it is made on a coarser grid and enlarged.
    step = max(1, int(min(smooth) / 1.5))
    small = (-(-height // step), -(-width // step))
    # Smoothing over sigma pixels divides the deviation by 2 sqrt(pi) sigma. One value for step x step pixels stands for
    # their mean, whose deviation is a step-th.
    reach = 0.005 * height * SEVERITIES[severity]["shift"] * growth(image) / step
    grid_y, grid_x = np.arange(height, dtype=np.float32), np.arange(width, dtype=np.float32)
    fields = []
    for _ in range(2):
        steps = uniform16(rng, *small).astype(np.float32) * np.float32(2 * reach / 65_535) - np.float32(reach)
        smoothed = cv2.GaussianBlur(
            steps, (0, 0), smooth[1] / step, sigmaY=smooth[0] / step, borderType=cv2.BORDER_REFLECT
        )
        fields.append(cv2.resize(smoothed, (width, height), interpolation=cv2.INTER_LINEAR))
    to_x, to_y = fields[0] + grid_x, fields[1] + grid_y[:, np.newaxis]
    return finished(cv2.remap(image, to_x, to_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

"""Zoom blur: the camera moved towards the scene while the shutter was open."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import BLUR, Losses, decide

TITLE = "Zoom blur"
SUMMARY = "Averages the image with ever larger copies of its middle."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"largest": 1.1, "step": 0.01},
    2: {"largest": 1.15, "step": 0.01},
    3: {"largest": 1.2, "step": 0.02},
    4: {"largest": 1.24, "step": 0.02},
    5: {"largest": 1.3, "step": 0.03},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSES_PLACES = True  # things are smeared outwards over a tenth of the image and more
LOSSES: Losses = BLUR


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """The mean of the image and its copies enlarged by 1, 1 + step, ... up to `largest`, cut to the same size."""
    level = SEVERITIES[severity]
    height, width = image.shape[:2]
    count = round((level["largest"] - 1) / level["step"]) + 1
    total = image.astype(np.float32) * 2  # itself, and its copy enlarged by 1
    for copy in range(1, count):
        factor = 1 + copy * level["step"]
        cut_height, cut_width = math.ceil(height / factor), math.ceil(width / factor)
        top, left = (height - cut_height) // 2, (width - cut_width) // 2
        middle = image[top : top + cut_height, left : left + cut_width]
        cv2.accumulate(cv2.resize(middle, (width, height), interpolation=cv2.INTER_LINEAR), total)
    return finished(cv2.convertScaleAbs(total, alpha=1 / (count + 1)))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

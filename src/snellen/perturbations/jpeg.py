"""JPEG compression, and what it leaves behind: blocks, ringing, flat colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.errors import ImageError
from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import Losses, decide

TITLE = "JPEG compression"
SUMMARY = "Writes the image as JPEG of low quality and reads it again."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"quality": 25},
    2: {"quality": 18},
    3: {"quality": 15},
    4: {"quality": 10},
    5: {"quality": 7},
}
SOURCE = "SHALE (arXiv 2508.09584), corruptions; levels of Hendrycks & Dietterich 2019, section 4"
EXTRA = ""
LOSSES: Losses = {"expression": "kkkku", "scene-text": "kkkku"}


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Quality as libjpeg counts it, with the colours at half the resolution.

    Raises:
        ImageError: a side is longer than the 65,500 pixels that JPEG files are written with.
    """
    height, width = image.shape[:2]
    if max(height, width) > 65_500:
        raise ImageError("too_large", f"an image of {width} x {height} pixels is too large for JPEG; make it smaller")
    options = [cv2.IMWRITE_JPEG_QUALITY, SEVERITIES[severity]["quality"]]
    _, written = cv2.imencode(".jpg", cv2.cvtColor(image, cv2.COLOR_RGB2BGR), options)
    return finished(cv2.imdecode(written, cv2.IMREAD_COLOR_RGB))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

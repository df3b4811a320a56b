"""Saturation: the colours fade (1, 2) or shout (3 to 5).

The published levels do not grow in distortion from 2 to 3: level 2 takes nearly all colour away, level 3 doubles it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import Losses, decide

TITLE = "Saturation"
SUMMARY = "Multiplies the saturation of hue, saturation and value, and adds to it."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"factor": 0.3, "added": 0.0},
    2: {"factor": 0.1, "added": 0.0},
    3: {"factor": 2, "added": 0.0},
    4: {"factor": 5, "added": 0.1},
    5: {"factor": 20, "added": 0.2},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSSES: Losses = {"color": "kukuu", "facts": "kkkuu", "other": "kukuu"}


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Hue and value stay.

    A grey pixel has no hue; as published it counts as red where saturation is added.
    """
    level = SEVERITIES[severity]
    red, green, blue = cv2.split(image)
    value = cv2.max(cv2.max(red, green), blue)
    spread = cv2.subtract(value, cv2.min(cv2.min(red, green), blue))
    # saturation s = spread / value; every channel's distance from the value grows by new s / s
    bound = cv2.divide(value, np.maximum(spread, 1), dtype=cv2.CV_32F)  # 1 / s; grey has no spread to multiply
    gain = cv2.min(cv2.add(cv2.multiply(bound, level["added"]), level["factor"]), bound)
    faded = [cv2.multiply(cv2.subtract(value, old), gain, dtype=cv2.CV_8U) for old in (red, green, blue)]
    result = [cv2.subtract(value, distance) for distance in faded]
    if level["added"]:
        kept = np.arange(256) * (1 - level["added"])
        reddened = cv2.LUT(value, np.rint(kept).astype(np.uint8)[np.newaxis])
        grey = np.equal(spread, 0).view(np.uint8)
        for channel in result[1:]:
            cv2.copyTo(reddened, grey, channel)
    return finished(cv2.merge(result))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

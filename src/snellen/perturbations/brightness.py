"""Brightness: overexposed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import Losses, decide

TITLE = "Brightness"
SUMMARY = "Adds to the value of hue, saturation and value."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"added": 0.1},
    2: {"added": 0.2},
    3: {"added": 0.3},
    4: {"added": 0.4},
    5: {"added": 0.5},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSSES: Losses = {"color": "kkuuu", "expression": "kkkku", "facts": "kkkuu", "other": "kkkuu"}


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Hue and saturation stay: every channel of a pixel is multiplied by what its largest one grows by."""
    added = 255 * SEVERITIES[severity]["added"]
    largest = np.arange(256, dtype=np.float32)
    gains = np.minimum(largest + added, 255) / np.maximum(largest, 1)
    lifted = np.where(largest == 0, added, 0)  # black has nothing to multiply
    red, green, blue = cv2.split(image)
    value = cv2.max(cv2.max(red, green), blue)
    gain = cv2.LUT(value, gains.astype(np.float32)[np.newaxis])
    lift = cv2.LUT(value, lifted.astype(np.float32)[np.newaxis])
    scaled = cv2.multiply(image, cv2.merge((gain, gain, gain)), dtype=cv2.CV_8U)
    return finished(cv2.add(scaled, cv2.merge((lift, lift, lift)), dtype=cv2.CV_8U))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

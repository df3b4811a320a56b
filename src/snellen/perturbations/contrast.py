"""Contrast: as through haze or on a faded print, each channel drawn towards its own mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.aspects import ASPECTS
from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import Losses, decide

TITLE = "Contrast"
SUMMARY = "Draws every channel towards its mean."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"kept": 0.4},
    2: {"kept": 0.3},
    3: {"kept": 0.2},
    4: {"kept": 0.1},
    5: {"kept": 0.05},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSSES: Losses = {
    **dict.fromkeys(ASPECTS, "kkkku"),
    "color": "kkuuu",
    "expression": "kkkuu",
    "scene-text": "kkkuu",
    "facts": "kkkuu",
    "other": "kkkuu",
}


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """The share `kept` of each value's distance from the mean of its channel."""
    kept = SEVERITIES[severity]["kept"]
    means = np.array(cv2.mean(image)[:3])
    levels = np.arange(256)[:, np.newaxis]
    table = np.rint((levels - means) * kept + means).astype(np.uint8)
    return finished(cv2.LUT(image, table[np.newaxis]))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES, hides=True)

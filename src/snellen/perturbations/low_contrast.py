"""Low contrast: a washed-out screen in the sun; black is no longer black."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import Losses, decide

TITLE = "Low contrast"
SUMMARY = "Squeezes the range towards a light grey."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"kept": 0.8},
    2: {"kept": 0.6},
    3: {"kept": 0.45},
    4: {"kept": 0.3},
    5: {"kept": 0.15},
}
SOURCE = ""
EXTRA = ""
LOSSES: Losses = {
    "color": "kkuuu",
    "expression": "kkkku",
    "scene-text": "kkkku",
    "facts": "kkkku",
    "other": "kkkuu",
}


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """The share `kept` of each value's distance from a light grey of 190."""
    table = np.rint(190 + (np.arange(256) - 190) * SEVERITIES[severity]["kept"]).astype(np.uint8)
    return finished(cv2.LUT(image, table[np.newaxis]))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

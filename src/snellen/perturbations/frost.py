"""Frost: ice flowers on the window that the picture was taken through.

The published levels do not grow in distortion from 3 to 4: as much ice over a darker image comes nearer to it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._ice import window
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import Losses, decide

TITLE = "Frost"
SUMMARY = "Lays ice crystals over the image and dims it."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo",)
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"image": 1, "ice": 0.4},
    2: {"image": 0.8, "ice": 0.6},
    3: {"image": 0.7, "ice": 0.7},
    4: {"image": 0.65, "ice": 0.7},
    5: {"image": 0.6, "ice": 0.75},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSSES: Losses = {
    "color": "kuuuu",
    "expression": "kkuuu",
    "scene-text": "kkuuu",
    "entity-type": "kkkku",
    "existence": "kkkku",
    "count": "kkkuu",
    "facts": "kkkuu",
    "other": "kkuuu",
    "caption": "uuuuu",
}


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """The shares `image` of the image and `ice` of a part of a drawn window of ice, added.

    The published code uses photographs. Here the windows are drawn (`_ice.py`), and a seed picks window, part and side.
    """
    level = SEVERITIES[severity]
    ice = window(rng, *image.shape[:2])
    return finished(cv2.addWeighted(image, level["image"], ice, level["ice"], 0.0))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(
        item,
        severity,
        LOSSES,
        hides=True,
        adds=r"\b(?:frost\w*|ic[ey]|frozen|snow\w*|window\w*|glass\w*|weather|cold|winter)\b|[霜冰雪窗]|玻璃|天气|冬",
    )

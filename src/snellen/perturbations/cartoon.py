"""Cartoon: flat surfaces, few levels of light, black outlines; hues stay.

The usual recipe of bilateral smoothing, quantisation and an adaptive threshold (H. Winnemoeller, S. C. Olsen and
B. Gooch, Real-time video abstraction, SIGGRAPH 2006). Only lightness is quantised, so that a red thing stays red.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._brush import radius, smoothed
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import Losses, decide

TITLE = "Cartoon"
SUMMARY = "Surfaces become flat, lightness takes few levels and outlines are drawn in black; hues stay."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo",)
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"passes": 1, "tolerance": 20, "levels": 20, "outline": 0.008, "contrast": 14},
    2: {"passes": 2, "tolerance": 30, "levels": 12, "outline": 0.010, "contrast": 11},
    3: {"passes": 3, "tolerance": 40, "levels": 8, "outline": 0.013, "contrast": 8},
    4: {"passes": 4, "tolerance": 55, "levels": 6, "outline": 0.017, "contrast": 6},
    5: {"passes": 6, "tolerance": 70, "levels": 4, "outline": 0.022, "contrast": 4},
}
SOURCE = "Winnemoeller et al. 2006, section 3 (without its temporal part); severities are Snellen's"
EXTRA = ""
LOSSES: Losses = {"color": "kkkku", "expression": "kkkuu", "scene-text": "kkkuu", "facts": "kkkku", "other": "kkuuu"}


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """The image as a cartoon; nothing is drawn by chance.

    Parameters of `SEVERITIES`: ``passes`` of smoothing at a ``tolerance`` (levels of 255); ``levels`` of lightness;
    the ``outline``'s neighbourhood as a share of the shorter side; ``contrast``: how much darker (levels of 255) than
    its neighbourhood a pixel must be to be ink.
    """
    chosen = SEVERITIES[severity]
    lab = cv2.cvtColor(smoothed(image, chosen["passes"], chosen["tolerance"]), cv2.COLOR_RGB2LAB)
    steps = chosen["levels"] - 1
    light = np.rint(np.rint(np.arange(256) * (steps / 255)) * (255 / steps)).astype(np.uint8)
    lab[..., 0] = light[lab[..., 0]]
    painted = cv2.cvtColor(lab, cv2.COLOR_LAB2RGB)

    gray = cv2.medianBlur(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), 3)
    neighbourhood = 2 * radius(image, chosen["outline"]) + 1
    ink = cv2.adaptiveThreshold(
        gray, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, neighbourhood, chosen["contrast"]
    )
    painted[ink == 0] = 0
    return finished(painted)


def truth(item: Item, severity: int) -> Truth:
    """Hues and things stay; what stands in fine strokes may be lost. By the table LOSSES."""
    return decide(item, severity, LOSSES)

"""Sketch: a pencil drawing, by dividing the image by a blurred copy of itself ("color dodge"); colors are gone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._brush import radius
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import Losses, decide

TITLE = "Pencil sketch"
SUMMARY = "A gray pencil drawing: shading fades with severity until only lines are left."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo",)
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"tone": 0.8, "pencil": 0.020},
    2: {"tone": 0.6, "pencil": 0.015},
    3: {"tone": 0.4, "pencil": 0.011},
    4: {"tone": 0.2, "pencil": 0.008},
    5: {"tone": 0.0, "pencil": 0.006},
}
SOURCE = "the dodge-and-burn pencil sketch of image editors; severities are Snellen's"
EXTRA = ""
LOSSES: Losses = {
    "color": "rrrrr",
    "expression": "kkkuu",
    "scene-text": "kkkuu",
    "facts": "uuuuu",
    "other": "uuuuu",
    "caption": "uuuuu",
}

_DARKER = 2.0  # exponent on the drawing: pencil lines of a plain dodge are pale


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """The image as a pencil sketch, three equal channels; nothing is drawn by chance.

    Parameters of `SEVERITIES`: ``tone``, the share of the gray image that is mixed in as shading; ``pencil``, the
    radius of each of two box blurs as a share of the shorter side: the narrower, the thinner the lines and the less is
    drawn.
    """
    chosen = SEVERITIES[severity]
    gray = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
    width = 2 * radius(image, chosen["pencil"]) + 1
    around = gray
    for _ in range(2):  # twice a box is nearly a bell; cv2.stackBlur depends on the number of threads
        around = cv2.blur(around, (width, width))
    lines = cv2.divide(gray, np.maximum(around, 1), scale=255)
    ink = np.rint(255 * (np.arange(256) / 255) ** _DARKER).astype(np.uint8)
    drawn = cv2.addWeighted(gray, chosen["tone"], ink[lines], 1 - chosen["tone"], 0)
    return finished(cv2.cvtColor(drawn, cv2.COLOR_GRAY2RGB))


def truth(item: Item, severity: int) -> Truth:
    """Colors are removed; things stay. By the table LOSSES."""
    return decide(item, severity, LOSSES)

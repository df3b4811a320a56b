"""Grayscale: a black-and-white print or copy. Ungraded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import Losses, decide

TITLE = "Grayscale"
SUMMARY = "Takes all colour away."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {},
}
SOURCE = ""
EXTRA = ""
LOSSES: Losses = {"color": "r", "facts": "u", "other": "u", "caption": "u"}


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Luma by Rec. 601 in all three channels."""
    return finished(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

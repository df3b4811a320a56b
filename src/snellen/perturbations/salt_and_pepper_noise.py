"""Salt-and-pepper noise: whole pixels turn black or white."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._draws import uniform16
from snellen.perturbations._impulses import impulses
from snellen.perturbations._pixels import Pixels
from snellen.perturbations._truth import NOISE, Losses, decide

TITLE = "Salt-and-pepper noise"
SUMMARY = "Sets a share of all pixels to black or white, half and half."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"share": 0.02},
    2: {"share": 0.05},
    3: {"share": 0.1},
    4: {"share": 0.2},
    5: {"share": 0.35},
}
SOURCE = "SHALE (arXiv 2508.09584), corruptions; levels are our own"
EXTRA = ""
LOSSES: Losses = NOISE


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """All channels of a pixel share its fate."""
    return impulses(image, uniform16(rng, *image.shape[:2]), SEVERITIES[severity]["share"])


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

"""Impulse noise: single values are lost to the ends of the range, as by bit errors; a pixel's channels fall apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._draws import uniform16
from snellen.perturbations._impulses import impulses
from snellen.perturbations._pixels import Pixels
from snellen.perturbations._truth import NOISE, Losses, decide

TITLE = "Impulse noise"
SUMMARY = "Sets a share of all channel values to 0 or 255, half and half."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"share": 0.03},
    2: {"share": 0.06},
    3: {"share": 0.09},
    4: {"share": 0.17},
    5: {"share": 0.27},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSSES: Losses = NOISE


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Each channel of each pixel meets its own fate."""
    return impulses(image, uniform16(rng, *image.shape), SEVERITIES[severity]["share"])


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

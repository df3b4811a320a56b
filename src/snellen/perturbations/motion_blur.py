"""Motion blur: the camera moved while the shutter was open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._motion import smeared
from snellen.perturbations._pixels import Pixels, growth
from snellen.perturbations._truth import BLUR, Losses, decide

TITLE = "Motion blur"
SUMMARY = "Smears along a seeded direction within 45 degrees of the horizontal, fading to one side."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"radius_px": 10, "sigma_px": 3},
    2: {"radius_px": 15, "sigma_px": 5},
    3: {"radius_px": 15, "sigma_px": 8},
    4: {"radius_px": 15, "sigma_px": 12},
    5: {"radius_px": 20, "sigma_px": 15},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSES_PLACES = True  # things are smeared to one side, small ones beyond their boxes
LOSSES: Losses = BLUR


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Half a normal distribution of sigma, cut off at twice the radius, along one direction."""
    level = SEVERITIES[severity]
    angle = rng.uniform(-45, 45)
    return smeared(image, level["radius_px"] * growth(image), level["sigma_px"] * growth(image), angle)


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

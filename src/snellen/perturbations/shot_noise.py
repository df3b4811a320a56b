"""Shot noise: light comes in single photons, and few of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from snellen.item import Item, Truth
from snellen.perturbations._draws import uniform16
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import NOISE, Losses, decide

TITLE = "Shot noise"
SUMMARY = "Replaces every value by a Poisson count of photons around it."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"photons": 60},
    2: {"photons": 25},
    3: {"photons": 12},
    4: {"photons": 5},
    5: {"photons": 3},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSSES: Losses = NOISE

_STEPS = 4096
"""Equally likely steps that a Poisson distribution is cut into: its rarest 1 in 8,192 on either side is cut off."""


@lru_cache(maxsize=5)
def _counts(photons: int) -> NDArray[np.uint8]:
    """The grey level for each of 256 levels before and 4,096 equally likely steps, flat.

    The quantile of the Poisson distribution in the middle of each step, by its cumulative sum.
    """
    steps = (np.arange(_STEPS) + 0.5) / _STEPS
    counts = np.arange(photons * 4 + 30)
    logs = np.concatenate(([0.0], np.cumsum(np.log(counts[1:]))))
    table = np.zeros((256, _STEPS), np.uint8)
    for level in range(1, 256):
        mean = photons * level / 255
        likely = np.cumsum(np.exp(counts * np.log(mean) - mean - logs))
        found = np.minimum(np.searchsorted(likely, steps), counts[-1])
        table[level] = np.minimum(np.rint(found * (255 / photons)), 255)
    table.setflags(write=False)
    return table.reshape(-1)


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Counts around `photons` for white, scaled back."""
    table = _counts(SEVERITIES[severity]["photons"])
    places = np.multiply(image, _STEPS, dtype=np.intp)
    places += uniform16(rng, *image.shape) >> 4
    return finished(np.take(table, places))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

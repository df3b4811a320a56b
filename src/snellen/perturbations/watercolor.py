"""Watercolor: pale washes with a darker rim, pigment that settles unevenly; hues stay.

A small part of A. Bousseau et al., Interactive watercolor rendering with temporal coherence and abstraction (NPAR
2006): abstraction by a median filter and smoothing, edge darkening, and turbulence as density of the pigment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from snellen.item import Item, Truth
from snellen.perturbations._brush import radius, smoothed
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import Losses, decide

TITLE = "Watercolor"
SUMMARY = "Details run together into pale washes with darker rims and uneven pigment; hues stay."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo",)
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"brush": 0.004, "passes": 1, "pale": 0.08, "pigment": 0.05, "rim": 0.2},
    2: {"brush": 0.007, "passes": 1, "pale": 0.14, "pigment": 0.08, "rim": 0.3},
    3: {"brush": 0.011, "passes": 2, "pale": 0.20, "pigment": 0.11, "rim": 0.4},
    4: {"brush": 0.016, "passes": 2, "pale": 0.27, "pigment": 0.14, "rim": 0.5},
    5: {"brush": 0.023, "passes": 3, "pale": 0.35, "pigment": 0.18, "rim": 0.6},
}
SOURCE = "Bousseau et al. 2006, sections 3 and 4 (simplified); severities are Snellen's"
EXTRA = ""
LOSSES: Losses = {"count": "kkkku", "expression": "kkuuu", "scene-text": "kkuuu", "facts": "kkkuu", "other": "kkuuu"}

_GRAINS = (6, 24, 96)  # cells of the turbulence along the shorter side, coarse to fine
_STRIPE = 256  # rows that are washed at a time: the sums are in floating point, four times the image's own size


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """The image as a watercolor; where the pigment settles is drawn from `rng`.

    Parameters of `SEVERITIES`: the ``brush``'s radius as a share of the shorter side; ``passes`` of smoothing; how
    ``pale`` the paint is (share of its distance to white that is lost); standard deviation of the ``pigment``'s
    density; strength of the dark ``rim`` of a wash.
    """
    chosen = SEVERITIES[severity]
    washes = cv2.medianBlur(image, min(255, 2 * radius(image, chosen["brush"]) + 1))
    washes = smoothed(finished(washes), chosen["passes"], 40.0)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    rims = cv2.morphologyEx(cv2.cvtColor(washes, cv2.COLOR_RGB2GRAY), cv2.MORPH_GRADIENT, kernel)
    settled = _turbulence(image.shape[0], image.shape[1], rng)
    painted = np.empty_like(image, order="C")
    for top in range(0, image.shape[0], _STRIPE):
        rows = slice(top, top + _STRIPE)
        density = (1 - chosen["pale"]) * (1 + chosen["pigment"] * settled[rows])
        density += chosen["rim"] * (rims[rows].astype(np.float32) / 255)
        painted[rows] = np.rint(np.clip(255 - (255.0 - washes[rows]) * density[..., None], 0, 255))
    return painted


def _turbulence(height: int, width: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Noise of several grains with a mean of about 0 and a standard deviation of about 1 where the grid is fine."""
    total = np.zeros((height, width), np.float32)
    shorter = min(height, width)
    for cells in _GRAINS:
        # No dimension over 4,096 cells: a strip a million pixels long and one high has no need of more.
        size = [min(4096, max(1, round(side * cells / shorter))) for side in (height, width)]
        grid = rng.standard_normal(size, dtype=np.float32)
        total += cv2.resize(grid, (width, height), interpolation=cv2.INTER_LINEAR)
    return total / np.float32(len(_GRAINS) ** 0.5)


def truth(item: Item, severity: int) -> Truth:
    """Hues and things stay; small ones may be lost. By the table LOSSES."""
    return decide(item, severity, LOSSES)

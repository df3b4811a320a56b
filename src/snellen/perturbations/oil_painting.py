"""Oil painting: each pixel takes the mean color of the commonest lightness under the brush.

The filter of G. J. Holzmann, Beyond Photography (1988), as in GIMP's Oilify, with a square brush. Box sums make its
time independent of the brush; it runs in stripes, so that its memory does not grow with the image's height.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._brush import radius
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import Losses, decide

TITLE = "Oil painting"
SUMMARY = "Every pixel takes the mean color of the commonest lightness under a brush that widens with severity."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo",)
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"brush": 0.004, "levels": 16},
    2: {"brush": 0.008, "levels": 12},
    3: {"brush": 0.012, "levels": 10},
    4: {"brush": 0.018, "levels": 8},
    5: {"brush": 0.026, "levels": 8},
}
SOURCE = "Holzmann 1988; severities are Snellen's"
EXTRA = ""
LOSSES: Losses = {"count": "kkkku", "expression": "kkuuu", "scene-text": "kkuuu", "facts": "kkkuu", "other": "kkuuu"}

_STRIPE = 256  # rows that are painted at a time


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """The image as an oil painting; nothing is drawn by chance.

    Parameters of `SEVERITIES`: the ``brush``'s radius as a share of the shorter side; ``levels`` of lightness among
    which the commonest is looked for.
    """
    chosen = SEVERITIES[severity]
    brush, height = radius(image, chosen["brush"]), image.shape[0]
    painted = np.empty_like(image, order="C")
    for top in range(0, height, _STRIPE):
        bottom = min(height, top + _STRIPE)
        first, last = max(0, top - brush), min(height, bottom + brush)  # what the brush reaches from the stripe
        stripe = _painted(np.ascontiguousarray(image[first:last]), brush, chosen["levels"])
        painted[top:bottom] = stripe[top - first : bottom - first]
    return painted


def _painted(image: Pixels, brush: int, levels: int) -> Pixels:
    size = (2 * brush + 1, 2 * brush + 1)
    level = (cv2.cvtColor(image, cv2.COLOR_RGB2GRAY).astype(np.uint16) * levels // 256).astype(np.uint8)
    most = np.zeros(image.shape[:2], np.float32)
    best = np.zeros(image.shape, np.float32)
    for number in range(levels):
        mask = cv2.inRange(level, number, number)  # 255 where the pixel is of this level
        if not mask.any():
            continue
        count = cv2.boxFilter(mask // 255, cv2.CV_32F, size, normalize=False)
        colors = cv2.boxFilter(cv2.bitwise_and(image, image, mask=mask), cv2.CV_32F, size, normalize=False)
        more = count > most
        most[more] = count[more]
        best[more] = colors[more]
    return finished(np.rint(best / most[..., None]))


def truth(item: Item, severity: int) -> Truth:
    """Colors and things stay; small ones may be lost. By the table LOSSES."""
    return decide(item, severity, LOSSES)

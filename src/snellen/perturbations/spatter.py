"""Spatter: drops on the lens, of water (1 to 3) or of mud (4, 5).

The published levels do not grow in distortion from 3 to 4: mud covers more than water does, but on a dark image it
shows less.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from snellen.item import Item, Truth
from snellen.perturbations._draws import normal
from snellen.perturbations._pixels import Pixels, finished, growth
from snellen.perturbations._truth import Losses, decide

TITLE = "Spatter"
SUMMARY = "Lays drops of water or mud over the image."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo",)
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"mean": 0.65, "deviation": 0.3, "sigma_px": 4, "least": 0.69, "strength": 0.6, "liquid": "water"},
    2: {"mean": 0.65, "deviation": 0.3, "sigma_px": 3, "least": 0.68, "strength": 0.6, "liquid": "water"},
    3: {"mean": 0.65, "deviation": 0.3, "sigma_px": 2, "least": 0.68, "strength": 0.5, "liquid": "water"},
    4: {"mean": 0.65, "deviation": 0.3, "sigma_px": 1, "least": 0.65, "strength": 1.5, "liquid": "mud"},
    5: {"mean": 0.67, "deviation": 0.4, "sigma_px": 1, "least": 0.65, "strength": 1.5, "liquid": "mud"},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSSES: Losses = {
    "color": "kkkuu",
    "expression": "kkuuu",
    "scene-text": "kkuuu",
    "entity-type": "kkkku",
    "existence": "kkkku",
    "count": "kkkuu",
    "facts": "kkkuu",
    "other": "kkuuu",
    "caption": "uuuuu",
}

_WATER = (175, 238, 238)
_MUD = (63, 42, 20)


def _tinted(grey: Pixels, color: tuple[int, int, int]) -> Pixels:
    """The colour, as bright as each pixel says."""
    table = np.rint(np.arange(256)[:, np.newaxis] * np.array(color) / 255).astype(np.uint8)
    return finished(cv2.LUT(cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB), table[np.newaxis]))


def _water(liquid: NDArray[np.float32], strength: float) -> NDArray[np.float32]:
    """How much light each drop throws: most at rims that face one corner, as published."""
    drops = finished(cv2.convertScaleAbs(liquid, alpha=255))
    distance = cv2.distanceTransform(cv2.bitwise_not(cv2.Canny(drops, 50, 150)), cv2.DIST_L2, 5)
    shallow = finished(cv2.blur(np.minimum(distance, np.float32(20)), (3, 3)))
    relief = cv2.filter2D(cv2.equalizeHist(shallow), cv2.CV_8U, np.array(((-2, -1, 0), (-1, 1, 1), (0, 1, 2))))
    light = cv2.multiply(drops, cv2.blur(relief, (3, 3)), dtype=cv2.CV_32F)
    brightest = float(light.max())
    return np.asarray(light * (strength / brightest) if brightest else light, np.float32)


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Liquid stands where smoothed normal noise exceeds `least`; drops grow with the image."""
    level = SEVERITIES[severity]
    height, width = image.shape[:2]
    scale = growth(image)
    # Made at the published scale and enlarged: smoothing further would leave nothing above the threshold.
    small = (max(1, round(height / scale)), max(1, round(width / scale)))
    noise = normal(rng, *small, mean=level["mean"], deviation=level["deviation"])
    liquid = cv2.GaussianBlur(noise, (0, 0), level["sigma_px"], borderType=cv2.BORDER_REPLICATE)
    _, liquid = cv2.threshold(liquid, level["least"], 0, cv2.THRESH_TOZERO)
    if level["liquid"] == "water":
        light = finished(cv2.convertScaleAbs(_water(np.asarray(liquid, np.float32), level["strength"]), alpha=255))
        light = finished(cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR))
        return finished(cv2.add(image, _tinted(light, _WATER)))
    _, mask = cv2.threshold(liquid, 0, 1, cv2.THRESH_BINARY)
    mask = cv2.GaussianBlur(mask, (0, 0), level["strength"], borderType=cv2.BORDER_REPLICATE)
    _, mask = cv2.threshold(mask, 0.8, 0, cv2.THRESH_TOZERO)
    cover = finished(cv2.convertScaleAbs(mask, alpha=255))
    cover = finished(cv2.resize(cover, (width, height), interpolation=cv2.INTER_LINEAR))
    clear = cv2.cvtColor(cv2.bitwise_not(cover), cv2.COLOR_GRAY2RGB)
    return finished(cv2.add(cv2.multiply(image, clear, scale=1 / 255), _tinted(cover, _MUD)))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(
        item,
        severity,
        LOSSES,
        hides=True,
        adds=r"\b(?:water|wet|drops?|droplets?|rain\w*|mud\w*|dirt\w*|stain\w*|splash\w*|weather)\b|[水湿雨泥污]|天气",
    )

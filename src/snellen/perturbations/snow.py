"""Snow: flakes driven by the wind before a whitened scene.

The published levels do not grow in distortion from 2 to 3: fewer and larger flakes replace many small ones.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._draws import normal
from snellen.perturbations._motion import smeared
from snellen.perturbations._pixels import Pixels, finished, growth
from snellen.perturbations._truth import Losses, decide

TITLE = "Snow"
SUMMARY = "Whitens the image and adds flakes that fall along a seeded direction."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo",)
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"mean": 0.1, "deviation": 0.3, "flake_px": 3, "least": 0.5, "radius_px": 10, "sigma_px": 4, "image": 0.8},
    2: {"mean": 0.2, "deviation": 0.3, "flake_px": 2, "least": 0.5, "radius_px": 12, "sigma_px": 4, "image": 0.7},
    3: {"mean": 0.55, "deviation": 0.3, "flake_px": 4, "least": 0.9, "radius_px": 12, "sigma_px": 8, "image": 0.7},
    4: {"mean": 0.55, "deviation": 0.3, "flake_px": 4.5, "least": 0.85, "radius_px": 12, "sigma_px": 8, "image": 0.65},
    5: {"mean": 0.55, "deviation": 0.3, "flake_px": 2.5, "least": 0.85, "radius_px": 12, "sigma_px": 12, "image": 0.55},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSSES: Losses = {
    "color": "kkuuu",
    "expression": "kkuuu",
    "scene-text": "kkuuu",
    "entity-type": "kkkku",
    "existence": "kkkku",
    "count": "kkkuu",
    "facts": "kkkuu",
    "other": "kkuuu",
    "caption": "uuuuu",
}


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Flakes are normal noise in cells of `flake_px` above `least`, smeared; the rest of the image is whitened."""
    level = SEVERITIES[severity]
    scale = growth(image)
    height, width = image.shape[:2]
    cell = level["flake_px"] * scale
    cells = (math.ceil(height / cell) + 1, math.ceil(width / cell) + 1)
    noise = normal(rng, *cells, mean=level["mean"], deviation=level["deviation"])
    wide, high = max(width, round(cells[1] * cell)), max(height, round(cells[0] * cell))
    flakes = cv2.resize(noise, (wide, high), interpolation=cv2.INTER_LINEAR)[:height, :width]
    _, flakes = cv2.threshold(flakes, level["least"], 0, cv2.THRESH_TOZERO)
    grey = finished(cv2.convertScaleAbs(flakes, alpha=255))
    grey = smeared(grey, level["radius_px"] * scale, level["sigma_px"] * scale, rng.uniform(-135, -45))
    layer = cv2.add(grey, cv2.rotate(grey, cv2.ROTATE_180))

    rest = 1 - level["image"]
    whitened = finished(
        cv2.convertScaleAbs(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), alpha=1.5 * rest, beta=127.5 * rest)
    )
    lighter = cv2.max(cv2.convertScaleAbs(image, alpha=rest), cv2.cvtColor(whitened, cv2.COLOR_GRAY2RGB))
    scene = cv2.addWeighted(image, level["image"], lighter, 1.0, 0.0)
    return finished(cv2.add(scene, cv2.cvtColor(layer, cv2.COLOR_GRAY2RGB)))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(
        item,
        severity,
        LOSSES,
        hides=True,
        adds=r"\b(?:snow\w*|rain\w*|sleet|hail|ice|weather|cold|winter)\b|[雪雨冰雹]|天气|冬",
    )

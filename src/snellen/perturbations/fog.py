"""Fog: a bright haze of uneven thickness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._plasma import plasma
from snellen.perturbations._truth import Losses, decide

TITLE = "Fog"
SUMMARY = "Adds a bright cloud and dims what lies behind it."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo",)
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"density": 1.5, "decay": 2.0},
    2: {"density": 2.0, "decay": 2.0},
    3: {"density": 2.5, "decay": 1.7},
    4: {"density": 2.5, "decay": 1.5},
    5: {"density": 3.0, "decay": 1.4},
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
    """A plasma fractal of weight `density`, whose detail fades by `decay` from one scale to the next."""
    level = SEVERITIES[severity]
    cloud = plasma(rng, *image.shape[:2], decay=level["decay"])
    brightest = float(image.max()) / 255
    share = brightest / (brightest + level["density"]) if brightest else 0.0
    grey = finished(cv2.convertScaleAbs(cloud, alpha=255 * level["density"] * share))
    return finished(cv2.addWeighted(image, share, cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB), 1.0, 0.0))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(
        item,
        severity,
        LOSSES,
        hides=True,
        adds=r"\b(?:fog\w*|mist\w*|haz[ey]|smok[ey]|smoke|cloud\w*|weather|steam)\b|[雾霾烟云]|天气",
    )

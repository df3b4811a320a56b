"""Moire: a screen photographed with a phone. Two grids beat: bands of false colour, scan lines, dim corners."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels, finished, growth
from snellen.perturbations._truth import Losses, decide

TITLE = "Moire"
SUMMARY = "Lays interference bands, a pixel grid and dim corners over the image."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"bands": 0.08, "grid": 0.06, "corners": 0.1},
    2: {"bands": 0.14, "grid": 0.1, "corners": 0.15},
    3: {"bands": 0.2, "grid": 0.15, "corners": 0.2},
    4: {"bands": 0.28, "grid": 0.2, "corners": 0.25},
    5: {"bands": 0.38, "grid": 0.26, "corners": 0.3},
}
SOURCE = ""
EXTRA = ""
LOSSES: Losses = {
    "color": "kkkuu",
    "expression": "kkkku",
    "scene-text": "kkkuu",
    "facts": "kkkku",
    "other": "kkkuu",
    "caption": "kkuuu",
}


def _waves(height: int, width: int, angle: float, period: float, bend: float, phase: float) -> NDArray[np.float32]:
    """A wave of this period across the image, its fronts slightly curved, between -1 and 1."""
    across = np.arange(width, dtype=np.float32) - width / 2
    down = (np.arange(height, dtype=np.float32) - height / 2)[:, np.newaxis]
    along = across * np.float32(math.cos(angle)) + down * np.float32(math.sin(angle))
    curve = (across**2 + down**2) * np.float32(bend / max(height, width))
    waves: NDArray[np.float32] = np.cos((along + curve) * np.float32(2 * math.pi / period) + np.float32(phase))
    return waves


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Gains around 1: bands by `bands` for each colour apart, lines two pixels wide by `grid`, corners by `corners`."""
    level = SEVERITIES[severity]
    height, width = image.shape[:2]
    scale = growth(image)
    angle, bend = rng.uniform(0, math.pi), rng.uniform(0.2, 0.5)
    period, phase = rng.uniform(9, 16) * scale, rng.uniform(0, 2 * math.pi)
    other = angle + rng.uniform(0.3, 1.2)

    across = np.linspace(-1, 1, width, dtype=np.float32) ** 2
    down = np.linspace(-1, 1, height, dtype=np.float32)[:, np.newaxis] ** 2
    shade = 1 - (across + down) * np.float32(level["corners"] / 2)
    lines = (np.arange(height) // max(1, round(scale)) % 2).astype(np.float32)[:, np.newaxis]
    shade *= 1 - lines * np.float32(level["grid"])
    coarse = _waves(height, width, other, period * 2.3, -bend, phase) * np.float32(level["bands"] / 2)
    gains = [
        (1 + coarse + np.float32(level["bands"]) * _waves(height, width, angle, period, bend, phase + turn)) * shade
        for turn in (0.0, 2.1, 4.2)
    ]
    return finished(cv2.multiply(image, cv2.merge(gains), dtype=cv2.CV_8U))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

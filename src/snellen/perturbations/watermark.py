"""Watermark: the pale word of a picture agency, over and over, aslant."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import ElementsReference, Item, Truth
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import Losses, decide

TITLE = "Watermark"
SUMMARY = "Writes PREVIEW across the image, again and again, half transparent."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"opacity": 0.15},
    2: {"opacity": 0.25},
    3: {"opacity": 0.35},
    4: {"opacity": 0.5},
    5: {"opacity": 0.65},
}
SOURCE = ""
EXTRA = ""
LOSSES: Losses = {"scene-text": "uuuuu", "expression": "kkkuu", "other": "kkuuu", "caption": "uuuuu"}

_HIGH = 40
"""Height of the letters on the tile, in pixels."""


@lru_cache(maxsize=1)
def _tile() -> Pixels:
    """What is laid side by side: (height, width, 2), the ink and what it covers."""
    height, width = 185, 330
    layers = []
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 30, 1.0)
    for thickness in (4, 9):
        word = np.zeros((height, width), np.uint8)
        place = (int(width / 2 - 130), int(height / 2 + _HIGH / 2))
        cv2.putText(word, "PREVIEW", place, cv2.FONT_HERSHEY_SIMPLEX, 1.9, 255, thickness, cv2.LINE_AA)
        word = finished(cv2.warpAffine(word, turn, (width, height), flags=cv2.INTER_LINEAR))
        # In every second row the word stands between two of the row above.
        layers.append(np.concatenate((word, np.roll(word, width // 2, axis=1))))
    return np.stack(layers, axis=-1)


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """White letters with a dark rim, as high as 6 % of the shorter side, of this opacity; the seed shifts them."""
    height, width = image.shape[:2]
    size = 0.06 * min(height, width) / _HIGH
    base = _tile()
    high, wide = max(1, round(base.shape[0] * size)), max(1, round(base.shape[1] * size))
    tile = np.asarray(cv2.resize(base, (wide, high), interpolation=cv2.INTER_AREA)).reshape(high, wide, 2)
    top, left = int(rng.integers(0, high)), int(rng.integers(0, wide))
    rows = np.arange(top, top + height) % high
    columns = np.arange(left, left + width) % wide
    ink, cover = (np.take(np.take(tile[..., layer], columns, axis=1), rows, axis=0) for layer in (0, 1))
    weight = cover * np.float32(SEVERITIES[severity]["opacity"] / 255)
    return finished(cv2.blendLinear(cv2.cvtColor(ink, cv2.COLOR_GRAY2RGB), image, weight, 1 - weight))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES; unknown for a list of all that is to be seen, which the letters are not in."""
    if isinstance(item.reference, ElementsReference):
        return "unknown"
    return decide(
        item,
        severity,
        LOSSES,
        adds=r"\b(?:watermark\w*|text|letters?|words?|writ(?:ten|ing)|preview|logo)\b|水印|文字|字母|标志",
    )

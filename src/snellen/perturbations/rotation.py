"""Rotation by a few degrees: a page on a scanner, a screen photographed by hand. The result is larger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels, check_reach, finished
from snellen.perturbations._truth import Losses, decide

TITLE = "Rotation"
SUMMARY = "Turns the image about its middle, to a side that the seed picks, and keeps all of it."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"degrees": 2},
    2: {"degrees": 4},
    3: {"degrees": 8},
    4: {"degrees": 12},
    5: {"degrees": 20},
}
SOURCE = ""
EXTRA = ""
MOVES_REGIONS = True  # boxes of the original no longer fit
LOSES_PLACES = True  # a turned box is no box, and one around it holds more than the target
LOSSES: Losses = {
    "orientation": "kkuuu",
    "spatial-relation": "kkkuu",
    "posture": "kkkku",
    "scene-text": "kkkku",
    "other": "kkkuu",
}


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """The canvas grows; its corners take the mean colour of the image's rim, which is white for most charts."""
    check_reach(image)
    height, width = image.shape[:2]
    degrees = SEVERITIES[severity]["degrees"] * (1 if rng.random() < 0.5 else -1)
    turn = np.asarray(cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1.0))
    cosine, sine = abs(turn[0, 0]), abs(turn[0, 1])
    wide = round(width * cosine + height * sine)
    high = round(width * sine + height * cosine)
    turn[:, 2] += (wide - width) / 2, (high - height) / 2
    rim = np.concatenate((image[0], image[-1], image[:, 0], image[:, -1])).mean(axis=0)
    return finished(
        cv2.warpAffine(
            image, turn, (wide, high), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=rim.tolist()
        )
    )


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

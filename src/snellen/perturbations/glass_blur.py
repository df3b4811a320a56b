"""Glass blur: seen through frosted glass, each point is found a little elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._draws import LEVELS, looked_up, uniform16
from snellen.perturbations._pixels import Pixels, check_reach, finished, growth
from snellen.perturbations._truth import BLUR, Losses, decide

TITLE = "Glass blur"
SUMMARY = "Blurs, shifts every pixel at random over a short distance, and blurs again."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"sigma_px": 0.7, "shift_px": 1, "rounds": 2},
    2: {"sigma_px": 0.9, "shift_px": 2, "rounds": 1},
    3: {"sigma_px": 1, "shift_px": 2, "rounds": 3},
    4: {"sigma_px": 1.1, "shift_px": 3, "rounds": 2},
    5: {"sigma_px": 1.5, "shift_px": 4, "rounds": 2},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSSES: Losses = BLUR


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Each pixel is taken from `rounds` random steps away.

    The published loop moves pixels one after the other. Its shifts spread like the sum of `rounds` uniform steps of
    -shift to shift - 1 (measured), which is what is drawn here at once; every second step is mirrored, so that the
    picture does not drift.
    """
    check_reach(image)
    level = SEVERITIES[severity]
    sigma = level["sigma_px"] * growth(image)
    shift = round(level["shift_px"] * growth(image))
    height, width = image.shape[:2]
    places = np.empty((height, width, 2), np.int16)
    places[..., 0] = np.arange(width, dtype=np.int16)
    places[..., 1] = np.arange(height, dtype=np.int16)[:, np.newaxis]
    # 65,536 draws to 2 x shift steps: the bias of the remainder is below 1 in 1,000
    steps = (np.arange(LEVELS) * 2 * shift // LEVELS - shift).astype(np.int16)[np.newaxis]
    for turn in range(level["rounds"]):
        places += looked_up(uniform16(rng, height, width, 2), steps if turn % 2 == 0 else -steps)
    blurred = cv2.GaussianBlur(image, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)
    none = np.empty(0, np.uint16)
    shifted = cv2.remap(blurred, places, none, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
    return finished(cv2.GaussianBlur(shifted, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

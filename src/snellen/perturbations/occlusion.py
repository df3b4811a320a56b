"""Occlusion: a hand, a post-it, a pop-up before what the question is about."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels
from snellen.perturbations._regions import boxes_within, regions_argument
from snellen.perturbations._truth import SUBJECTS, Losses, is_absent, subject_of

TITLE = "Occlusion"
SUMMARY = "Covers the item's regions, or a seeded rectangle where it has none, with grey."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"margin": 0.0, "area": 0.04},
    2: {"margin": 0.1, "area": 0.08},
    3: {"margin": 0.25, "area": 0.14},
    4: {"margin": 0.5, "area": 0.22},
    5: {"margin": 1.0, "area": 0.32},
}
SOURCE = ""
EXTRA = ""
LOSSES: Losses = dict.fromkeys(SUBJECTS, "uuuuu")

_GREY = 128


def argument(item: Item) -> str:
    """The item's regions."""
    return regions_argument(item)


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Regions are covered whole, with a `margin` of their size around them; without any, a share `area` of the image.

    Args:
        argument: boxes as JSON, or nothing.
    """
    height, width = image.shape[:2]
    level = SEVERITIES[severity]
    changed = image.copy()
    boxes = boxes_within(argument, width, height)
    for left, top, right, bottom in boxes:
        wide, high = round((right - left) * level["margin"] / 2), round((bottom - top) * level["margin"] / 2)
        changed[max(0, top - high) : bottom + high, max(0, left - wide) : right + wide] = _GREY
    if not boxes:
        stretch = math.sqrt(rng.uniform(0.5, 2.0))
        side = math.sqrt(level["area"])
        high = min(height, max(1, round(height * side * stretch)))
        wide = min(width, max(1, round(width * side / stretch)))
        top, left = round(rng.random() * (height - high)), round(rng.random() * (width - wide))
        changed[top : top + high, left : left + wide] = _GREY
    return changed


def truth(item: Item, severity: int) -> Truth:
    """Removed for an item whose regions are covered; unknown where a rectangle may or may not hide what it is about.

    What is absent stays absent. A caption may speak of what is left, so it is unknown.
    """
    if is_absent(item):
        return "kept"
    covered = len(item.images) == 1 and bool(item.regions) and subject_of(item) != "caption"
    return "removed" if covered else "unknown"

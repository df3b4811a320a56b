"""Cropped edges: a screenshot or photo that was cut. The result is smaller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels
from snellen.perturbations._regions import boxes_within, regions_argument
from snellen.perturbations._truth import SUBJECTS, Losses, is_absent, subject_of
from snellen.placement import Placement

TITLE = "Cropped edges"
SUMMARY = "Cuts a share of the width and of the height off, split between the two edges by the seed."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"share": 0.04},
    2: {"share": 0.08},
    3: {"share": 0.13},
    4: {"share": 0.2},
    5: {"share": 0.3},
}
SOURCE = ""
EXTRA = ""
MOVES_REGIONS = True  # boxes of the original no longer fit
LOSSES: Losses = dict.fromkeys(SUBJECTS, "uuuuu")


def argument(item: Item) -> str:
    """The item's regions, which are never cut."""
    return regions_argument(item)


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """At least one pixel stays. With regions the cuts stop at their edges.

    Args:
        argument: boxes as JSON, or nothing.
    """
    height, width = image.shape[:2]
    left, top, right, bottom = _rest(width, height, severity, rng, argument)
    return image[top:bottom, left:right].copy()


def placement(width: int, height: int, severity: int, rng: np.random.Generator, argument: str = "") -> Placement:
    """Shifted by what was cut off at the left and at the top."""
    left, top, right, bottom = _rest(width, height, severity, rng, argument)
    return Placement((1, 1), (-left, -top), (right - left, bottom - top))


def _rest(width: int, height: int, severity: int, rng: np.random.Generator, argument: str) -> tuple[int, int, int, int]:
    """What stays: left, top, right, bottom."""
    boxes = boxes_within(argument, width, height)
    share = SEVERITIES[severity]["share"]
    left, right = _cut(width, share, rng.random(), [(box[0], box[2]) for box in boxes])
    top, bottom = _cut(height, share, rng.random(), [(box[1], box[3]) for box in boxes])
    return left, top, right, bottom


def _cut(length: int, share: float, split: float, spans: list[tuple[int, int]]) -> tuple[int, int]:
    """First pixel that stays, and first that goes again."""
    cut = min(round(length * share), length - 1)
    first = round(cut * split)
    last = length - (cut - first)
    return min([first, *(start for start, _ in spans)]), max([last, *(end for _, end in spans)])


def truth(item: Item, severity: int) -> Truth:
    """Kept for an item whose regions are known, since they are not cut; unknown otherwise.

    A place in the frame can change, so a relation in space is kept only where both its things have a region, and a
    caption never is. What is absent stays absent.
    """
    subject = subject_of(item)
    regions = len(item.regions) if len(item.images) == 1 else 0
    inside = regions >= (2 if subject == "spatial-relation" else 1) and subject != "caption"
    return "kept" if inside or is_absent(item) else "unknown"

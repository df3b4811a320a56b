"""Where in a picture something can be put: off the regions, over a part of them, where there is little to see."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

Box = tuple[int, int, int, int]
Place = tuple[int, int]

_STEPS = 13
_BEST = 4
_ASKED = 50
"""Boxes beside which places are tried; of more, the grid alone looks after the rest."""


def _shares(boxes: list[Box], places: list[Place], size: tuple[int, int]) -> Iterator[NDArray[np.float64]]:
    """For each place, what share of each box lies behind what is put there."""
    corners = np.array(boxes, dtype=np.float64).reshape(-1, 4)
    areas = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    for left, top in places:
        across = np.minimum(corners[:, 2], left + size[0]) - np.maximum(corners[:, 0], left)
        down = np.minimum(corners[:, 3], top + size[1]) - np.maximum(corners[:, 1], top)
        yield np.maximum(across, 0) * np.maximum(down, 0) / areas


def _grid(size: tuple[int, int], within: tuple[int, int]) -> list[Place]:
    """Places over the whole picture, edges included; all that there are where there are few."""
    lefts = np.unique(np.linspace(0, within[0] - size[0], _STEPS).round().astype(int))
    tops = np.unique(np.linspace(0, within[1] - size[1], _STEPS).round().astype(int))
    return [(int(left), int(top)) for top in tops for left in lefts]


def _beside(box: Box, size: tuple[int, int], within: tuple[int, int], share: float) -> list[Place]:
    """Places below, above, right and left of a box, reaching into it by this share of its side; 0 touches it only."""
    across, down = int((box[2] - box[0]) * share), int((box[3] - box[1]) * share)
    middle = ((box[0] + box[2] - size[0]) // 2, (box[1] + box[3] - size[1]) // 2)
    left = min(max(0, middle[0]), within[0] - size[0])
    top = min(max(0, middle[1]), within[1] - size[1])
    places = [
        (left, box[3] - down),
        (left, box[1] + down - size[1]),
        (box[2] - across, top),
        (box[0] + across - size[0], top),
    ]
    return [(left, top) for left, top in places if 0 <= left <= within[0] - size[0] and 0 <= top <= within[1] - size[1]]


def free_places(boxes: list[Box], size: tuple[int, int], within: tuple[int, int]) -> list[Place]:
    """(left, top) at which something of this size (width, height) touches no box; empty where there is none.

    A grid over the picture, and the places that fit closely beside a box.
    """
    places = _grid(size, within) + [place for box in boxes[:_ASKED] for place in _beside(box, size, within, 0)]
    return [place for place, behind in zip(places, _shares(boxes, places, size), strict=True) if not behind.any()]


def covering(boxes: list[Box], size: tuple[int, int], within: tuple[int, int], share: float) -> list[Place]:
    """(left, top) at which something covers a part of at least one box and at most this share of each."""
    places = [place for box in boxes[:_ASKED] for place in _beside(box, size, within, share)] + _grid(size, within)
    shares = zip(places, _shares(boxes, places, size), strict=True)
    return list(islice((place for place, behind in shares if 0 < behind.max() <= share), _BEST))


def quietest(image: NDArray[np.uint8], places: list[Place], size: tuple[int, int]) -> list[Place]:
    """Of these places the few behind which the picture changes least from pixel to pixel."""
    gray = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
    detail = np.zeros_like(gray)
    detail[1:] = np.asarray(cv2.absdiff(gray[1:], gray[:-1]), np.uint8) >> 1
    detail[:, 1:] += np.asarray(cv2.absdiff(gray[:, 1:], gray[:, :-1]), np.uint8) >> 1
    total = cv2.integral(detail, sdepth=cv2.CV_64F)

    def seen(place: Place) -> float:
        left, top = place
        right, bottom = left + size[0], top + size[1]
        return float(total[bottom, right] - total[top, right] - total[bottom, left] + total[top, left])

    return sorted(places, key=lambda place: (seen(place), place))[:_BEST]

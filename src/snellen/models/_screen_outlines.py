"""Outlines on a screen: boxes of edges that touch each other, and of strokes that lie close together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from snellen.models._page import Line

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_STEP = 10  # levels between neighboring pixels, in any channel, that make an edge
_FILLED = 0.85  # share of its box within the outline of a rectangle, rounded ones included
_LINE = 0.9  # of the screen: what is wider and higher is the screen itself
_STROKES = 0.4  # of a text's height: strokes of one icon lie no further apart


def edges(page: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """1 where a channel changes, shape (height, width)."""
    import cv2
    import numpy as np

    step = cv2.morphologyEx(page, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8)).max(axis=2)
    return np.asarray(step >= _STEP, np.uint8)


def reach(lines: Sequence[Line]) -> int:
    """How far apart the strokes of one icon may lie, in pixels, an odd number: icons are as large as texts are high."""
    tall = sorted(line.bottom - line.top for line in lines)
    return round(min(max(_STROKES * tall[len(tall) // 2], 3), 15)) | 1 if tall else 5


def rectangles(edges: npt.NDArray[np.uint8]) -> list[Line]:
    """Boxes that the outline of connected edges fills; not the screen itself, rows of lists or cells of tables."""
    import cv2

    height, width = edges.shape
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for contour in contours:
        left, top, wide, high = cv2.boundingRect(contour)
        if wide < 6 or high < 6 or (wide > _LINE * width and high > _LINE * height):
            continue
        if cv2.contourArea(contour) >= _FILLED * (wide - 1) * (high - 1):
            found.append(Line("", left, top, left + wide, top + high))
    return _without_cells(found)


def _without_cells(boxes: Sequence[Line]) -> list[Line]:
    """Without rectangles that lie right over one another, of the same width: rows of a list, cells of a table."""

    def stacked(one: Line, other: Line) -> bool:
        touching = min(abs(one.bottom - other.top), abs(other.bottom - one.top)) <= 3
        return touching and abs(one.left - other.left) <= 3 and abs(one.right - other.right) <= 3

    return [one for one in boxes if not any(one is not other and stacked(one, other) for other in boxes)]


def strokes(edges: npt.NDArray[np.uint8], taken: Sequence[Line], largest: float, within: int) -> list[Line]:
    """Boxes of edges that are left beside what is taken, those that lie within a reach of each other together.

    Args:
        largest: side of an icon; what is larger ties icons to each other and is left out: rules, outlines of cards.
        within: the reach, in pixels.
    """
    import cv2
    import numpy as np

    left_over = edges.copy()
    for box in taken:
        left_over[max(0, int(box.top)) : int(box.bottom) + 2, max(0, int(box.left)) : int(box.right) + 2] = 0
    _, labels, stats, _ = cv2.connectedComponentsWithStats(left_over, connectivity=8)
    large = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]) > largest
    left_over[large[labels]] = 0
    mask = cv2.morphologyEx(left_over, cv2.MORPH_CLOSE, np.ones((within, within), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    boxes = [cv2.boundingRect(contour) for contour in contours]
    return [Line("", x, y, x + wide, y + high) for x, y, wide, high in boxes if wide >= 6 and high >= 6]


def share(part: Line, whole: Line) -> float:
    """The share of one box that lies in another."""
    width = min(part.right, whole.right) - max(part.left, whole.left)
    height = min(part.bottom, whole.bottom) - max(part.top, whole.top)
    return width * height / max(area(part), 1e-9) if width > 0 and height > 0 else 0.0


def area(box: Line) -> float:
    return (box.right - box.left) * (box.bottom - box.top)

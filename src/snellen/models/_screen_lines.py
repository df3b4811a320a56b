"""Lines of text as they stand on a screen: close around the letters, and apart from icons read along with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from snellen.models._page import Line

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_MARKS = "☆★▶►→←↑↓□×+＋…•·.。、,，:：<>〈〉|-—_ "  # what icons before a text are read as
_BOXES = "口曰日目田回国囗凸四百Q①②③④⑤⑥⑦⑧⑨⑩"  # likewise, where an icon was seen before the text
_GAP = 0.75  # of the letters' height: more lies between an icon and its text, less between words
_WITHIN = 0.05  # of the box's height: more lies between two lines of text, less between the strokes of a character
_INK = 0.3  # of its box: an outline covers less of it, letters more
_AIR = 0.2  # of the letters' height, above and below: what a box of text has around x and one


def separated(lines: Sequence[Line], edges: npt.NDArray[np.uint8]) -> tuple[list[Line], list[Line]]:
    """(texts, single characters): a single character that is no digit is most often an icon.

    Args:
        lines: as RapidOCR gives them, in boxes with some air around them.
        edges: 1 where there is an edge, shape (height, width).
    """
    written, signs = [], []
    for line in lines:
        close, apart = _drawn_close(line, edges)
        text = line.text.lstrip(_MARKS)
        if apart and len(text) > 2 and text[0] in _BOXES:
            text = text[1:].lstrip(_MARKS)
        if len(text) > 1 or text.isdigit():
            written.append(Line(text, close.left, close.top, close.right, close.bottom))
        else:
            signs.append(line)
    return written, signs


def _drawn_close(line: Line, edges: npt.NDArray[np.uint8]) -> tuple[Line, bool]:
    """The line in the box of its letters, and whether an icon before it was left out."""
    import numpy as np

    height, width = edges.shape
    left, right = max(0, int(line.left)), min(width, int(line.right) + 1)
    top, bottom = max(0, int(line.top)), min(height, int(line.bottom) + 1)
    part = edges[top:bottom, left:right]
    if part.size == 0 or not part.any():
        return line, False
    letters = _letters(part)
    rows = np.asarray(letters.any(axis=1))
    middle = (bottom - top) / 2
    runs = _runs(rows, max(1, _WITHIN * (bottom - top)))
    if not runs:
        return line, False
    first, last = min(runs, key=lambda run: abs((run[0] + run[1]) / 2 - middle) - (run[1] - run[0]) / 2)
    tall = last - first
    pieces = _runs(np.asarray(letters[first:last].any(axis=0)), max(2, _GAP * tall))
    apart = False
    while len(pieces) > 1 and pieces[0][1] - pieces[0][0] <= 1.6 * tall and len(line.text) > 2:
        pieces, apart = pieces[1:], True
    if not pieces:
        return line, False
    air = _AIR * tall
    return (
        Line(
            line.text,
            left + pieces[0][0],
            max(line.top, top + first - air),
            left + pieces[-1][1],
            min(line.bottom, top + last + air),
        ),
        apart,
    )


def _letters(part: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """The edges of letters: neither outlines of buttons nor rules, nor what reaches in from outside."""
    import cv2
    import numpy as np

    height, width = part.shape
    _, labels, stats, _ = cv2.connectedComponentsWithStats(part, connectivity=8)
    left, top, wide, high, ink = stats.T
    outline = (ink < _INK * wide * high) & ((wide > width / 2) | (high > height / 2))
    letters = ~outline & ~((high <= 3) & (wide > height))
    letters[0] = False  # the ground
    whole = letters & (left > 0) & (top > 0) & (left + wide < width) & (top + high < height)
    chosen = whole if 2 * ink[whole].sum() >= ink[letters].sum() else letters
    return np.asarray(chosen[labels], np.bool_)


def _runs(there: npt.NDArray[np.bool_], gap: float) -> list[tuple[int, int]]:
    """(start, end) of what is there; pieces up to `gap` apart are one."""
    runs: list[tuple[int, int]] = []
    for place in there.nonzero()[0].tolist():
        if runs and place - runs[-1][1] <= gap:
            runs[-1] = runs[-1][0], place + 1
        else:
            runs.append((place, place + 1))
    return runs

"""Signs: boards of several shapes with words, Latin by a font and Chinese by strokes written down here."""

from __future__ import annotations

from collections.abc import Mapping

from snellen.construction.scenes.pen import COLORS, INK, Pen, Points, ring

GLYPHS: Mapping[str, tuple[Points, ...]] = {
    "出": (
        ((5, 0.5), (5, 9.5)),
        ((2, 1.8), (2, 4.6), (8, 4.6), (8, 1.8)),
        ((1.2, 6), (1.2, 9.3), (8.8, 9.3), (8.8, 6)),
    ),
    "口": (((1.8, 1.8), (8.2, 1.8), (8.2, 8.6), (1.8, 8.6), (1.8, 1.8)),),
    "入": (((3.6, 0.9), (5.1, 1.4), (4.6, 4.5), (1, 9.2)), ((4.9, 3.2), (6.4, 6.6), (9.2, 9.2))),
    "大": (((1, 3.6), (9, 3.6)), ((5, 0.6), (4.8, 4.4), (3.4, 7.2), (1, 9.4)), ((5.1, 4.2), (6.6, 7.2), (9.2, 9.4))),
    "小": (((5, 0.6), (5, 9), (3.8, 8.2)), ((2.9, 3.4), (1, 7)), ((7.1, 3.4), (9, 7))),
    "山": (((5, 0.8), (5, 9)), ((1.4, 4), (1.4, 9), (8.6, 9), (8.6, 4))),
    "上": (((4.8, 0.8), (4.8, 9)), ((4.8, 4.2), (8.4, 4.2)), ((0.8, 9), (9.2, 9))),
    "下": (((0.8, 1.4), (9.2, 1.4)), ((4.8, 1.4), (4.8, 9.4)), ((5, 3.8), (7.8, 6))),
    "米": (
        ((0.8, 4.8), (9.2, 4.8)),
        ((5, 0.6), (5, 9.4)),
        ((2.2, 1.4), (3.6, 3.6)),
        ((7.8, 1.4), (6.4, 3.6)),
        ((4.6, 5.2), (3, 7.4), (0.9, 9.2)),
        ((5.4, 5.2), (7, 7.4), (9.1, 9.2)),
    ),
}
"""Chinese characters as strokes in a square of ten by ten."""

_BOARDS: Mapping[str, Points] = {
    "octagon": ring(0, 0, 1.08, 8, 22.5),
    "circle": ring(0, 0, 1.0, 72),
    "triangle": ring(0, 0.15, 1.15, 3),
    "square": ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
    "rectangle": ((-1.5, -0.6), (1.5, -0.6), (1.5, 0.6), (-1.5, 0.6)),
    "diamond": ring(0, 0, 1.1, 4),
    "hexagon": ring(0, 0, 1.05, 6),
}


def board(pen: Pen, shape: str, color: str, *, post: bool = True) -> None:
    """A board with a white rim, on a post unless it hangs."""
    if post:
        pen.rect(-0.07, 0.5, 0.07, 2.6, COLORS["gray"])
    pen.poly(_BOARDS[shape], color, "#ffffff", 0.1)
    pen.line([*_BOARDS[shape], _BOARDS[shape][0]], INK, 0.03)


def words(pen: Pen, text: str, color: str, height: float) -> None:
    """A text around the frame's origin, `height` units high; Chinese only of the characters in `GLYPHS`."""
    if text.isascii():
        pen.text(0, 0, text, height, color)
        return
    for place, char in enumerate(text):
        left = (place - len(text) / 2) * height * 1.1
        for stroke in GLYPHS[char]:
            points = [(left + x / 10 * height, (y / 10 - 0.5) * height) for x, y in stroke]
            pen.line(points, color, height * 0.1)

"""What is on a screen: texts from their lines, icons, buttons, inputs and pictures from their outlines.

Screens are flat: an element stands out from its ground by an edge. Edges that touch make one shape. A shape whose
outline fills its own box is a rectangle: with one text in it a button, or an input where the text leaves most of it
empty; without text an icon if it is small, a picture if it is large. Any other small shape that is no text is an icon.
What lies within a button, an input or an icon is a part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from snellen.models._page import Line
from snellen.models._screen_lines import separated
from snellen.models._screen_outlines import area, edges, reach, rectangles, share, strokes

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_ICON = 0.18  # of the screen's shorter side: the largest icon
_AROUND = 1.2  # icons are drawn in 20 of 24 units, as Material Design's keylines have it
_GLYPHS = {  # what RapidOCR takes an icon for -> what such an icon is for
    "☆★": ("star favorite", "收藏 星标"),
    "×✕xXＸ": ("close", "关闭"),
    "□口": ("maximize", "最大化"),
    "+＋十": ("add new", "添加 新建"),
    "QＱ": ("search", "搜索"),
    "←<〈＜": ("back previous", "返回 上一"),
    "→>〉＞": ("next", "下一"),
    "↓": ("download", "下载"),
    "…⋮⋯": ("more", "更多"),
    "▶►": ("play", "播放"),
}
_UNNAMED = ("icon", "图标"), ("picture", "图片"), ("input field", "输入框")


@dataclass(frozen=True)
class Shape(Line):
    """An element: what it says or is for, its upright box in pixels of the original, and its kind.

    Attributes:
        kind: ``icon``, ``text``, ``button``, ``image`` or ``input``.
        named: whether `text` stands on it or beside it; else it only says what it looks like.
    """

    kind: str = "text"
    named: bool = True


@dataclass(frozen=True)
class Screen:
    """What was found on one.

    Attributes:
        width, height: in pixels of the original.
        shapes: from top to bottom, then from the left.
    """

    width: int
    height: int
    shapes: tuple[Shape, ...]


def look(page: npt.NDArray[np.uint8], lines: Sequence[Line], size: tuple[int, int]) -> Screen:
    """The elements of a screen.

    Args:
        page: RGB, shape (height, width, 3).
        lines: texts on it, in its pixels.
        size: (width, height) of the original, of which `page` may be smaller.
    """
    height, width = page.shape[:2]
    outlines = edges(page)
    written, signs = separated(lines, outlines)
    chinese = _is_chinese(written)
    short = min(width, height)
    within = reach(written)
    found = _shapes(rectangles(outlines), True, written, short, within)
    rest = strokes(outlines, [*found, *written], _ICON * short, within)
    found += _shapes(rest, False, written, short, within)
    found = _outermost(found)
    inside = {line for line in written for shape in found if shape.kind != "image" and share(line, shape) > 0.7}
    free = [line for line in written if line not in inside]
    named = [_named(shape, free, signs, chinese) for shape in found]
    texts = [Shape(line.text, line.left, line.top, line.right, line.bottom) for line in free]
    scale = size[0] / width, size[1] / height
    shapes = sorted((_scaled(shape, *scale) for shape in (*named, *texts)), key=lambda s: (s.top, s.left, s.bottom))
    return Screen(*size, tuple(shapes))


def _is_chinese(lines: Sequence[Line]) -> bool:
    letters = [letter for line in lines for letter in line.text if letter.isalpha()]
    return 3 * sum("\u3400" <= letter <= "\u9fff" for letter in letters) > len(letters)


def _shapes(boxes: Sequence[Line], filled: bool, written: Sequence[Line], short: int, within: int) -> list[Shape]:
    """What outlines are, those of letters left out."""
    found = []
    for box in boxes:
        if not _is_lettering(box, filled, written):
            shape = _kind(box, filled, [line for line in written if share(line, box) > 0.7], short)
            # A small rectangle is a part of what an icon is drawn with.
            if shape is not None and not (filled and shape.kind == "icon" and box.bottom - box.top < 5 * within):
                found.append(shape)
    return found


def _is_lettering(box: Line, filled: bool, lines: Sequence[Line]) -> bool:
    """Whether an outline is made of letters, and is not a button close around them."""
    if filled and any(share(line, box) > 0.7 for line in lines):
        return False
    return sum(share(box, line) for line in lines) > 0.5


def _kind(box: Line, filled: bool, texts: Sequence[Line], short: int) -> Shape | None:
    """The element that an outline is, by its form and the texts in it; None where it is none."""
    wide, high = box.right - box.left, box.bottom - box.top
    small = max(wide, high) <= _ICON * short and 0.4 <= wide / high <= 2.5

    def shape(kind: str, text: str = "") -> Shape:
        return Shape(text, box.left, box.top, box.right, box.bottom, kind, bool(text))

    if not texts:
        if small and min(wide, high) >= 8:
            return shape("icon") if filled else _square(box)
        if filled and high < 0.1 * short and wide > 5 * high:
            return shape("input") if high > 16 else None
        return shape("image") if filled and min(wide, high) > 40 and wide / high < 6 else None
    first, last = texts[0], texts[-1]
    tall = first.bottom - first.top
    if not filled or high > 4.5 * tall or high < 1.15 * tall or wide > 0.97 * 2 * short:
        return None
    if any(abs(line.y - first.y) > tall / 2 for line in texts) or len(texts) > 2:
        return None
    text = " ".join(line.text for line in sorted(texts, key=lambda line: line.left))
    empty = box.right - max(first.right, last.right)
    leading = min(first.left, last.left) - box.left
    if wide > 5 * high and empty > 0.4 * wide and leading < 0.25 * wide:
        return shape("input", text)
    return shape("button", text)


def _square(box: Line) -> Shape:
    """The field that an icon is drawn in."""
    half = max(box.right - box.left, box.bottom - box.top) * _AROUND / 2
    return Shape("", max(0.0, box.x - half), max(0.0, box.y - half), box.x + half, box.y + half, "icon", False)


def _outermost(found: list[Shape]) -> list[Shape]:
    """Without what repeats another shape or lies within one."""
    kept: list[Shape] = []
    for shape in sorted(found, key=lambda s: (-area(s), s.left, s.top, s.kind)):
        over = [other for other in kept if share(shape, other) > 0.8]
        if not over:
            kept.append(shape)
    return kept


def _named(shape: Shape, free: Sequence[Line], signs: Sequence[Line], chinese: bool) -> Shape:
    """With a name: the sign that it was read as, or the text below an icon or right of it."""
    if shape.text:
        return shape
    text = ""
    for line in signs:
        if share(line, shape) > 0.4 or share(shape, line) > 0.4:
            text = text or next((names[chinese] for glyphs, names in _GLYPHS.items() if line.text in glyphs), "")
    label = caption(shape, free) if shape.kind == "icon" else None
    name = text or (label.text if label else "")
    unnamed = _UNNAMED[("icon", "image", "input").index(shape.kind)][chinese]
    return Shape(name or unnamed, shape.left, shape.top, shape.right, shape.bottom, shape.kind, bool(name))


def caption(icon: Line, lines: Sequence[Line]) -> Line | None:
    """The text that belongs to an icon: centred below it, or right of it on the same height."""
    wide, high = icon.right - icon.left, icon.bottom - icon.top
    best: tuple[float, Line] | None = None
    for line in lines:
        tall = line.bottom - line.top
        below, beside = line.top - icon.bottom, line.left - icon.right
        if -tall / 3 <= below < max(1.2 * tall, high / 2) and abs(line.x - icon.x) < max(wide / 4, tall):
            away = below
        elif -tall / 3 <= beside < 1.5 * max(high, tall) and abs(line.y - icon.y) < max(high, tall) / 2:
            away = beside
        else:
            continue
        if best is None or away < best[0]:
            best = away, line
    return best[1] if best else None


def _scaled(shape: Shape, x: float, y: float) -> Shape:
    return Shape(shape.text, shape.left * x, shape.top * y, shape.right * x, shape.bottom * y, shape.kind, shape.named)

"""What a model that reads says about a screen: the target whose text agrees best, that none does, or all elements."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from snellen.models._page import Line
from snellen.models._screen import Screen, Shape, caption
from snellen.models._screen_form import Form
from snellen.models._screen_words import THRESHOLD, agreement, covered


def respond(instruction: str, screen: Screen, form: Form) -> str:
    """The answer to an instruction on a screen, in the form that was asked for."""
    size = screen.width, screen.height
    if not form.target:
        return listed(screen, form)
    before = [listed(screen, form)] if form.listed else []
    best = target(instruction, screen)
    if form.reject and (best is None or best[1] < THRESHOLD):
        return form.ended(form.reject, before)
    if best is None:
        return "\n".join((*before, form.point(screen.width / 2, screen.height / 2, size)))
    box = best[0]
    numbers = form.box(box.left, box.top, box.right, box.bottom, size)
    return form.ended(json.dumps({"bbox_2d": numbers}), before)


def listed(screen: Screen, form: Form) -> str:
    """All elements as a JSON list, one a line."""
    size = screen.width, screen.height
    rows = [
        json.dumps(
            {
                "type": shape.kind,
                "description": shape.text,
                "bbox_2d": form.box(shape.left, shape.top, shape.right, shape.bottom, size),
            },
            ensure_ascii=False,
        )
        for shape in screen.shapes
    ]
    return "[" + ",\n".join(rows) + "]"


def given(text: str, form: Form) -> Screen:
    """The screen that a list of elements speaks of, in the unit of the form; what is no element of it is left out."""
    start, end = text.find("["), text.rfind("]")
    try:
        rows = json.loads(text[start : end + 1]) if start >= 0 else []
    except ValueError:
        rows = []
    shapes = []
    for row in rows:
        match row:
            case {"description": str(said), "bbox_2d": [*numbers]} if len(numbers) == 4 and all(
                map(_is_finite, numbers)
            ):
                shapes.append(Shape(said, *form.edges(numbers), str(row.get("type"))))
    side = form.full or round(max((max(shape.right, shape.bottom) for shape in shapes), default=1))
    return Screen(side, side, tuple(shapes))


def _is_finite(value: object) -> bool:
    return isinstance(value, float | int) and math.isfinite(value)


def target(instruction: str, screen: Screen) -> tuple[Line, float] | None:
    """The element that an instruction is about, and how well it agrees with it; None where nothing does.

    An icon with its text is one target. A button may say what to do and the text beside it with what ("Add" beside
    "Beef noodles"): then both count. Of equals a button comes before a text, then the upper one.
    """
    best: tuple[tuple[float, bool], Line, float] | None = None
    texts = [shape for shape in screen.shapes if shape.kind == "text"]
    for shape in screen.shapes:
        if not shape.named:
            continue
        alike = agreement(instruction, shape.text)
        if shape.kind == "button" and alike < 1 and covered(shape.text, instruction) == 1:
            others = [other for other in screen.shapes if other.text == shape.text and other.kind == "button"]
            beside = (line for line in texts if _nearest(line, others) is shape)
            alike = max([alike, *(agreement(instruction, f"{shape.text} {line.text}") for line in beside)])
        rank = round(alike, 6), shape.kind not in ("text", "image")
        if alike > 0 and (best is None or rank > best[0]):
            best = rank, _whole(shape, texts, screen.shapes), alike
    return (best[1], best[2]) if best else None


def _nearest(line: Line, shapes: Sequence[Shape]) -> Shape | None:
    """The one of several like elements that a text goes with: in its row or column, and not far."""
    tall = line.bottom - line.top

    def away(shape: Shape) -> float:
        across = max(line.left - shape.right, shape.left - line.right, 0.0)
        return abs(line.y - shape.y) + across / 8

    near = min(shapes, key=away)
    return near if abs(line.y - near.y) < 5 * max(tall, near.bottom - near.top) else None


def _whole(shape: Shape, texts: Sequence[Shape], shapes: Sequence[Shape]) -> Line:
    """An icon together with its text, from either of them; anything else as it is."""
    parts: list[Line] = [shape]
    if shape.kind == "text":
        icon = next((other for other in shapes if other.kind == "icon" and caption(other, texts) == shape), None)
        parts += [icon] if icon else []
    else:
        label = caption(shape, texts) if shape.kind == "icon" else None
        parts += [label] if label and label.text == shape.text else []
    return Line(
        shape.text,
        min(part.left for part in parts),
        min(part.top for part in parts),
        max(part.right for part in parts),
        max(part.bottom for part in parts),
    )

"""Rows of a judged run on screens for the tests of reports: answers as a model writes them, judged as they are."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from PIL import Image

from snellen.answer import Answer
from snellen.box import Box
from snellen.convention import DEFAULT, Convention
from snellen.item import Element, ElementsReference, ImageRef, Item, TargetReference
from snellen.judges import gui
from snellen.verdict import Verdict

WIDTH, HEIGHT = 1000, 2000
"""Of every screen here: larger than a report embeds."""

TARGET, DISTRACTOR = Box(100, 200, 300, 400), Box(600, 200, 800, 400)

ELEMENTS = (
    Element("icon", "opens the camera", Box(100, 100, 200, 200)),
    Element("text", "Settings", Box(300, 100, 700, 180)),
    Element("button", "Send", Box(100, 1000, 500, 1100)),
)

PLACES = {
    "hit": '{"bbox_2d": [110, 210, 310, 410]}',
    "distractor": '{"point_2d": [700, 300]}',
    "elsewhere": "I click at (500, 1500).",
    "false_rejection": "The target is not on the screen.",
    "format_error": '{"bbox_2d": [100, 200, 9000, 400]}',
    "unclear": "With pleasure!",
}
"""Outcome -> an answer about a target that is there."""


@lru_cache(8)
def picture(color: str = "navy") -> bytes:
    """A screen of one color."""
    buffer = io.BytesIO()
    Image.new("RGB", (WIDTH, HEIGHT), color).save(buffer, "PNG")
    return buffer.getvalue()


def listed(*elements: tuple[str, Sequence[float]]) -> str:
    """An answer that lists elements: (description, edges) of each."""
    return json.dumps([{"type": "icon", "description": said, "bbox_2d": list(box)} for said, box in elements])


def verdict_of(item: Item, text: str, convention: Convention = DEFAULT) -> Verdict:
    """As the judge ``gui`` has it."""
    return gui.read(item, Answer("answered", text=text), convention=convention, similarity="none")


def item_of(
    reference: TargetReference | ElementsReference, *, task: str = "", language: str = "en", **more: Any
) -> Item:
    """An item on a screen."""
    if not task:
        task = "parsing" if isinstance(reference, ElementsReference) else "confusion" if reference.box else "fabricated"
    image = ImageRef("1.png", sha256="0" * 64, width=WIDTH, height=HEIGHT)
    labels = {"task": task, "language": language}
    plain: dict[str, Any] = {"id": "s/1", "question": "Open it", "images": (image,), "reference": reference}
    return Item(**(plain | {"labels": labels, "language": language} | more))


def add(source: Any, item: Item, text: str | None, verdict: Verdict | None = None, color: str = "navy") -> Any:
    """A row of that item in a source of the tests, judged unless a verdict is given."""
    data = picture(color)
    digest = hashlib.sha256(data).hexdigest()
    source.images.setdefault(digest, data)
    size: Mapping[str, Any] = {"width": item.images[0].width, "height": item.images[0].height}
    more = {name: getattr(item, name) for name in ("question", "reference", "labels", "language")}
    own = {"id": f"{item.id}/{len(source.content)}", "images": (ImageRef("1.png", sha256=digest, **size),)}
    return source.add(text, verdict or verdict_of(item, text or ""), **more, **own)


def fill(source: Any) -> Any:
    """Every outcome on screens, in English and Chinese: 2 x (6 + 2 + 4) rows."""
    for language, color in (("en", "navy"), ("zh", "teal")):
        there = item_of(TargetReference(TARGET, (DISTRACTOR,)), language=language)
        for text in PLACES.values():
            add(source, there, text, color=color)
        absent = item_of(TargetReference(None, (DISTRACTOR,)), language=language)
        add(source, absent, "目标不存在。" if language == "zh" else "It is not on the screen.", color=color)
        add(source, absent, '{"bbox_2d": [600, 200, 800, 400]}', color=color)
        every = item_of(ElementsReference(ELEMENTS), language=language, question="List every element.")
        right = [
            (each.description, (each.box.left, each.box.top, each.box.right, each.box.bottom)) for each in ELEMENTS
        ]
        add(source, every, listed(*right), color=color)
        add(source, every, listed(*right[:2], ("a map", (0, 1500, 400, 1900))), color=color)
        add(source, every, "I see a screen.", color=color)
        add(source, every, listed(*right), Verdict(None, unscored="truncated"), color=color)
    return source

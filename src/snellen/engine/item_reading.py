"""What the readers take from one answer, and who reads it otherwise.

These are the readers that the rules judges use: yes or no, option, numbers, boxes, abstention. A model judge does not:
it reads the answer itself, and the readers set its flags alone.
"""

from __future__ import annotations

import string
from typing import Any

from snellen.answer import Answer
from snellen.convention import Convention, CoordinateError
from snellen.engine.judge import Judge
from snellen.engine.stated import Stated
from snellen.item import ElementsReference, Item, OptionReference, TargetReference, YesNoReference

_MOST = 40  # numbers or elements that are listed


def readings(item: Item, answer: Answer, convention: Convention, stated: Stated, whole: Answer) -> list[dict[str, Any]]:
    """Reader by reader what an answer says, each as ``reader`` and ``says`` and, where there is more, what it is.

    Args:
        item: as it was asked.
        answer: its text without thinking and confidence.
        convention: how the model writes coordinates.
        stated: of the run's prompt.
        whole: the answer as it came.
    """
    from snellen.readers import abstention, hedging, option, premise, yes_no

    text = answer.text
    found: list[dict[str, Any]] = []
    if isinstance(item.reference, YesNoReference):
        found.append({"reader": "yes or no", "says": yes_no.read(text)})
    elif isinstance(item.reference, OptionReference):
        letters = dict(item.options) or string.ascii_uppercase
        found.append({"reader": "option", "says": option.read(text, letters) or "unclear"})
    elif isinstance(item.reference, TargetReference):
        found.append(_place(item, answer, convention))
    elif isinstance(item.reference, ElementsReference):
        found.append(_elements(item, answer, convention))
    else:
        found.append(_numbers(text))
    stance = abstention.stance(text)
    parts = ("declines", "not_shown", "unrelated", "illegible", "answers")
    said = [part.replace("_", " ") for part in parts if getattr(stance, part)]
    found.append({"reader": "abstention", "says": "declines" if stance.abstains else "does not decline", "parts": said})
    if item.labels.get("relation") == "contradictory":
        corrects = premise.corrects(text, item.question)
        found.append({"reader": "premise", "says": "corrected" if corrects else "not corrected"})
    if item.labels.get("question_type") == "open-ended":
        found.append({"reader": "tone", "says": "tentative" if hedging.read(text) else "not tentative"})
    if stated.asked:
        confidence = stated.confidence(whole)
        found.append({"reader": "confidence", "says": "none" if confidence is None else f"{confidence:g}"})
    return found


def read_by(judge: Judge | None, item: Item, answer: Answer, asks: bool) -> str:
    """One sentence on how a judge comes from the answer to its verdict, where it is not by these readings.

    Args:
        judge: of a judging; None where nobody judged.
        item, answer: as the judge is shown them.
        asks: whether it asks a model about this answer.
    """
    if judge is None:
        return ""
    if judge.name == "recorded":
        return "recorded elsewhere: nothing was read here"
    if judge.embeds and isinstance(item.reference, ElementsReference):
        return "by these readings, and vectors of descriptions"
    if asks and judge.parity:
        return "a model read the answer, and its reply is read as the published script reads it"
    if asks:
        return "a model read the answer: these readings set the flags alone"
    if not judge.module.__name__.startswith("snellen.judges."):
        return "by a judge that is not Snellen's own: it may read otherwise"
    if judge.parity and isinstance(item.reference, YesNoReference | OptionReference):
        from snellen.judges._discriminative import published_reading

        return f"as the published script reads, which is not this reading: {published_reading(item, answer.text)}"
    return "by these readings"


def _numbers(text: str) -> dict[str, Any]:
    from snellen.readers import declared

    found = declared.mentions(text)
    numbers = [
        {
            "low": mention.quantity.low,
            "high": mention.quantity.high,
            "unit": mention.quantity.unit,
            "supporting": mention.supporting,
        }
        for mention in found[:_MOST]
    ]
    said = [_number(each) for each in numbers]
    more = f", and {len(found) - _MOST:,} more" if len(found) > _MOST else ""
    return {"reader": "numbers", "says": (", ".join(said) + more) or "none", "numbers": numbers, "count": len(found)}


def _number(each: dict[str, Any]) -> str:
    value = f"{each['low']:g}" if each["low"] == each["high"] else f"{each['low']:g} to {each['high']:g}"
    unit = f" {each['unit']}" if each["unit"] else ""
    return f"({value}{unit})" if each["supporting"] else value + unit


def _place(item: Item, answer: Answer, convention: Convention) -> dict[str, Any]:
    from snellen.judges.gui import frame_of
    from snellen.readers import boxes

    try:
        reading = boxes.read_target(answer.text, convention, frame_of(item, answer))
    except CoordinateError as error:
        return {"reader": "place", "says": f"cannot be read: {error}"}
    said: str = reading.kind
    if reading.box is not None:
        box = reading.box
        said += f": box [{box.left:g}, {box.top:g}, {box.right:g}, {box.bottom:g}]"
    elif reading.point is not None:
        said += f": point ({reading.point[0]:g}, {reading.point[1]:g})"
    if reading.box is not None or reading.point is not None:
        said += f" in pixels of the original, from {', '.join(reading.values)} as {convention.name}"
    return {"reader": "place", "says": said + (f" ({reading.problem})" if reading.problem else "")}


def _elements(item: Item, answer: Answer, convention: Convention) -> dict[str, Any]:
    from snellen.item import TargetReference as Target
    from snellen.judges.gui import frame_of
    from snellen.readers import boxes

    try:
        reading = boxes.read_elements(answer.text, convention, frame_of(item, answer))
    except CoordinateError as error:
        return {"reader": "elements", "says": f"cannot be read: {error}"}
    broken = f", {len(reading.problems):,} with a box that is none" if reading.problems else ""
    cut = ", and the list is cut" if reading.truncated else ""
    listed = [f"{each.kind} {each.description!r} {Target(each.box).text}" for each in reading.elements[:_MOST]]
    return {"reader": "elements", "says": f"{len(reading.elements):,} with a box{broken}{cut}", "elements": listed}

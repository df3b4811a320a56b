"""What the readers take from one answer, and who reads it otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.answer import Answer
from snellen.box import Box
from snellen.convention import DEFAULT
from snellen.engine.choice import judge_of
from snellen.engine.item_reading import read_by, readings
from snellen.engine.stated import Stated
from snellen.item import (
    Element,
    ElementsReference,
    ImageRef,
    Item,
    OptionReference,
    Reference,
    TargetReference,
    TextReference,
    YesNoReference,
)
from snellen.model_spec import ModelSpec

IMAGE = ImageRef("1.png", sha256="0" * 64, width=160, height=80)
BOX = Box(10, 20, 30, 40)
SENT = {"images": [{"width": 160, "height": 80}]}


def read(reference: Reference | None, text: str, prompt: str = "direct", **more: Any) -> dict[str, str]:
    item = Item("a/1", "Is it?", (IMAGE,), reference=reference, **more)
    answer = Answer("answered", text=text, sent=SENT)
    return {each["reader"]: each["says"] for each in readings(item, answer, DEFAULT, Stated.of(prompt), answer)}


@pytest.mark.parametrize(
    ("reference", "text", "reader", "says"),
    [
        (YesNoReference(True), "不是，图中是一只猫。", "yes or no", "no"),
        (YesNoReference(True), "It is a pan.", "yes or no", "unclear"),
        (OptionReference("B", "two"), "The answer is (B).", "option", "B"),
        (OptionReference("B", "two"), "Hm.", "option", "unclear"),
        (TextReference("5"), "It is 6 km, not 5.", "numbers", "6 km, (5)"),
        (TextReference("5"), "None.", "numbers", "none"),
        (TargetReference(BOX), "The target is not on the screen.", "place", "rejected"),
        (ElementsReference((Element("button", "OK", BOX),)), "[]", "elements", "0 with a box"),
        (None, "I cannot tell.", "abstention", "declines"),
    ],
)
def test_each_kind_of_truth_has_its_reader(reference: Reference | None, text: str, reader: str, says: str) -> None:
    assert read(reference, text)[reader] == says


def test_places_are_in_pixels_of_the_original() -> None:
    said = read(TargetReference(BOX), "[10, 20, 30, 40]")["place"]
    assert "box [10, 20, 30, 40] in pixels of the original, from 10, 20, 30, 40 as " in said


def test_premise_tone_and_confidence_are_read_where_they_matter() -> None:
    labels = {"relation": "contradictory", "question_type": "open-ended"}
    said = read(TextReference(""), "Perhaps it may be so.", "confidence", labels=labels)
    assert said["premise"] == "not corrected"
    assert said["tone"] == "tentative"
    assert said["confidence"] == "none"
    assert "premise" not in read(TextReference(""), "Perhaps.")


@pytest.mark.parametrize(
    ("rubric", "model", "asks", "expected"),
    [
        ("rules", None, False, "by these readings"),
        ("shale:scoring=parity", "judge", False, "as the published script reads, which is not this reading: yes"),
        ("shale", "judge", True, "a model read the answer: these readings set the flags alone"),
        ("charthal:scoring=parity", "judge", True, "its reply is read as the published script reads it"),
        ("recorded", None, False, "recorded elsewhere"),
    ],
)
def test_a_judge_that_reads_otherwise_is_told_of(rubric: str, model: str | None, asks: bool, expected: str) -> None:
    from snellen import discovery

    spec = ModelSpec(model, base_url="http://127.0.0.1:1/v1") if model else None
    judge = judge_of(discovery.load("benchmarks", "shale"), rubric, spec)
    item = Item("a/1", "Is it?", reference=YesNoReference(True))
    assert expected in read_by(judge, item, Answer("answered", text="My eyes say no."), asks)

"""What prompts ask for is read off the wording that Snellen's own prompts have; nothing else is taken for a screen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from snellen.benchmarks import charthal_demo
from snellen.box import Box
from snellen.convention import PRESETS, Frame, parse
from snellen.item import ElementsReference, ImageRef, Item, TargetReference
from snellen.models import blind, constant
from snellen.models._screen_form import Form, form
from snellen.prompting import abstain, abstain_fixed_phrase, direct, direct_no_reject, pgp, verify
from snellen.prompting._grounding import ABSENT
from snellen.readers import boxes
from snellen.request import Request

PNG = (charthal_demo.locate(None, Path("unused")) / "images" / "coffee-shops.png").read_bytes()
SIZE = (760, 500)
FRAME = Frame(SIZE, SIZE, SIZE)
PIXELS = PRESETS["pixels"]


def item(language: str = "en", *, parsing: bool = False, question: str = "Open Camera.") -> Item:
    truth = ElementsReference(()) if parsing else TargetReference(Box(1, 2, 3, 4))
    return Item("x", question, (ImageRef("s.png", sha256="ab"),), reference=truth, language=language)


def asked(prompt: object, one: Item, convention: str = "pixels") -> Request:
    return Request(prompt.messages(one, parse(convention)), "embedded")  # type: ignore[attr-defined]


def load(_: str) -> bytes:
    return PNG


def unused(_: str) -> bytes:
    raise AssertionError("it looked")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_each_prompt_asks_for(language: str) -> None:
    absent, chinese = ABSENT[language], language == "zh"
    final = "最终答案：" if chinese else "Final answer:"
    phrase = abstain_fixed_phrase.PHRASE[language]
    one = item(language)
    assert form(asked(direct, one)) == Form(True, reject=absent, chinese=chinese)
    assert form(asked(direct_no_reject, one)) == Form(True, chinese=chinese)
    assert form(asked(abstain, one)) == Form(True, reject=absent, chinese=chinese)
    assert form(asked(abstain_fixed_phrase, one)) == Form(True, reject=phrase, chinese=chinese)
    assert form(asked(pgp, one)) == Form(True, True, reject=absent, final=final, chinese=chinese)
    assert form(asked(verify, one)) == Form(True, reject=absent, final=final, chinese=chinese)
    assert form(asked(direct, item(language, parsing=True))) == Form(False, chinese=chinese)


@pytest.mark.parametrize("prompt", [direct, abstain, abstain_fixed_phrase, verify])
def test_a_question_about_a_chart_asks_for_no_place(prompt: object) -> None:
    assert form(asked(prompt, Item("x", 'Where is "bbox_2d": [x1, y1, x2, y2]?', language="en"))) is None


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "convention", ["pixels", "fraction", "percent", "thousand", "gemini", "sent:xywh", "fraction:cxcywh"]
)
def test_places_are_written_as_they_are_read(convention: str, language: str) -> None:
    wanted = form(asked(direct, item(language), convention))
    assert wanted is not None
    read = boxes.read_target(json.dumps({"bbox_2d": wanted.box(95, 50, 190, 150, SIZE)}), parse(convention), FRAME)
    assert read.box is not None
    assert read.box.iou(Box(95, 50, 190, 150)) > 0.97
    assert boxes.read_target(wanted.point(95, 50, SIZE), parse(convention), FRAME).point == pytest.approx(
        (95, 50), abs=1
    )


def test_a_box_over_the_edge_is_cut_off_there() -> None:
    assert Form(True).box(-3, 2, 770, 501, SIZE) == [0, 2, 760, 500]
    assert Form(True, full=1000).box(-3, 2, 770, 501, SIZE) == [0, 4, 1000, 1000]


# constant


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("argument", ["centre", "center"])
@pytest.mark.parametrize("convention", ["pixels", "gemini", "fraction"])
def test_constant_points_at_the_centre(argument: str, language: str, convention: str) -> None:
    for prompt in (direct, direct_no_reject, verify):
        answer = constant.answer(asked(prompt, item(language), convention), load, argument)
        assert boxes.read_target(answer, parse(convention), FRAME).point == pytest.approx((380, 250), abs=0.5)
    listed = constant.answer(asked(direct, item(language, parsing=True), convention), load, argument)
    (element,) = boxes.read_elements(listed, parse(convention), FRAME).elements
    assert element.box == Box(0, 0, *SIZE)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_constant_rejects_in_the_words_of_the_prompt(language: str) -> None:
    assert constant.answer(asked(direct, item(language)), unused, "reject") == ABSENT[language]
    assert boxes.read_target(ABSENT[language], PIXELS, FRAME).kind == "rejected"
    for prompt in (verify, pgp):
        said = constant.answer(asked(prompt, item(language)), unused, "reject")
        assert boxes.read_target(said, PIXELS, FRAME).kind == "rejected"
    assert constant.answer(asked(direct_no_reject, item(language)), unused, "reject") == "reject"
    assert constant.answer(asked(direct, item(language, parsing=True)), unused, "reject") == "[]"


def test_elsewhere_the_words_of_constant_are_texts() -> None:
    chart = Item("x", "How many?", language="en")
    assert constant.answer(asked(direct, chart), unused, "centre") == "centre"
    assert constant.answer(asked(direct, chart), unused, "reject") == "reject"
    assert constant.answer(asked(direct, item()), unused, "Nowhere.") == "Nowhere."
    assert constant.answer(asked(direct, item()), unused) == constant.DEFAULT


# blind


@pytest.mark.parametrize("language", ["en", "zh"])
def test_blind_guesses_places_without_looking(language: str) -> None:
    screen = Frame((720, 720), (720, 720), (720, 720))
    words = [f"Open {number}." for number in range(60)]
    requests = [asked(direct, item(language, question=each)) for each in words]
    answers = [blind.answer(request, unused) for request in requests]
    kinds = [boxes.read_target(answer, PIXELS, screen).kind for answer in answers]
    assert set(kinds) == {"point", "rejected"}
    assert 15 < kinds.count("rejected") < 45
    assert len(set(answers)) > 15
    assert answers == [blind.answer(request, unused) for request in requests]
    never = [blind.answer(asked(direct_no_reject, item(language, question=each)), unused) for each in words]
    assert {boxes.read_target(answer, PIXELS, screen).kind for answer in never} == {"point"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_blind_lists_what_many_screens_have(language: str) -> None:
    listed = blind.answer(asked(direct, item(language, parsing=True), "thousand"), unused)
    reading = boxes.read_elements(listed, PRESETS["thousand"], FRAME)
    assert len(reading.elements) == 4
    assert not reading.problems

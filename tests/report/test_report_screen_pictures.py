"""What is drawn over a screen is what was judged."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judged_screens import DISTRACTOR, ELEMENTS, HEIGHT, PLACES, TARGET, WIDTH, item_of, listed, verdict_of
from snellen.answer import Answer, Failure
from snellen.box import Box
from snellen.convention import PRESETS
from snellen.errors import UsageError
from snellen.item import Element, ElementsReference, Item, TargetReference, TextReference
from snellen.report.screen_pictures import BITS, EACH, OUTCOMES, WORDS, Mark, Reading, Screen, outcome_of, screen_of
from snellen.verdict import Verdict

PIXELS = Reading()


def drawn(item: Item, text: str, reading: Reading = PIXELS, **sent: Any) -> Screen:
    verdict = verdict_of(item, text, reading.convention)
    screen = screen_of(item, Answer("answered", text=text, sent=sent), text, verdict, reading)
    assert screen is not None
    return screen


def place(text: str, reading: Reading = PIXELS) -> dict[str, Mark]:
    """Marks of an answer about the target, by kind."""
    return {mark.kind: mark for mark in drawn(item_of(TargetReference(TARGET, (DISTRACTOR,))), text, reading).places}


def edges(mark: Mark) -> tuple[str, ...]:
    return mark.left, mark.top, mark.width, mark.height


@pytest.mark.parametrize(("outcome", "text"), PLACES.items())
def test_outcomes_of_places(outcome: str, text: str) -> None:
    assert drawn(item_of(TargetReference(TARGET, (DISTRACTOR,))), text).outcome == outcome


@pytest.mark.parametrize(
    ("reference", "text", "outcome"),
    [
        (TargetReference(None), "It is not on the screen.", "rejected"),
        (TargetReference(None), "(5, 5)", "pointed"),
        (ElementsReference(ELEMENTS), listed(("opens the camera", (100, 100, 200, 200))), "faithful"),
        (ElementsReference(ELEMENTS), listed(("a map", (0, 0, 20, 20))), "invented"),
        (ElementsReference(ELEMENTS), "A screen.", "format_error"),
        (ElementsReference(ELEMENTS), "", "format_error"),
    ],
)
def test_outcomes_of_the_rest(reference: Any, text: str, outcome: str) -> None:
    assert drawn(item_of(reference), text).outcome == outcome


def test_verdicts_without_measures_are_right_or_wrong() -> None:
    item = item_of(TargetReference(TARGET))
    assert [outcome_of(item, Verdict(value)) for value in (1, 0)] == ["right", "wrong"]
    assert outcome_of(item, Verdict(None, unscored="judge_error")) == "unscored"
    assert {"right", "wrong", "unscored"} < OUTCOMES.keys()


def test_truth_and_a_box_that_hits() -> None:
    marks = place(PLACES["hit"])
    assert list(marks) == ["distractor", "target", "hit"]
    assert edges(marks["target"]) == ("100", "200", "200", "200")
    assert edges(marks["distractor"]) == ("600", "200", "200", "200")
    assert edges(marks["hit"]) == ("110", "210", "200", "200")
    assert not marks["hit"].point


def test_a_point_that_misses() -> None:
    marks = place(PLACES["distractor"])
    assert edges(marks["miss"]) == ("700", "300", "0", "0")
    assert marks["miss"].point


@pytest.mark.parametrize("outcome", ["false_rejection", "format_error", "unclear"])
def test_without_a_place_there_is_truth_alone(outcome: str) -> None:
    assert list(place(PLACES[outcome])) == ["distractor", "target"]


def test_the_convention_of_the_judging_counts() -> None:
    reading = Reading.of({"judging": {"convention": "gemini"}, "plan": {"convention": "fraction"}})
    assert reading.convention is PRESETS["gemini"]
    assert edges(place('{"box_2d": [100, 100, 200, 300]}', reading)["hit"]) == ("100", "200", "200", "200")
    assert Reading.of({"plan": {"convention": "fraction"}}).convention is PRESETS["fraction"]
    assert Reading.of({}) == Reading.of({"judging": None, "plan": "x"}) == PIXELS
    assert Reading.of({"judging": {"options": {"matching": "greedy"}}}).matching == "greedy"
    with pytest.raises(UsageError, match="no convention"):
        Reading.of({"judging": {"convention": "furlongs"}})


def test_places_come_back_through_what_was_sent() -> None:
    sent = {"width": 500, "height": 1000, "source": {"width": WIDTH, "height": HEIGHT}}
    item, answer = item_of(TargetReference(TARGET)), Answer("answered", text="(100, 150)", sent={"images": [sent]})
    verdict = Verdict(1, measures={"rejected": (0, 1), "hit": (1, 1)})
    screen = screen_of(item, answer, answer.text, verdict, PIXELS)
    assert screen is not None
    assert edges(screen.places[-1]) == ("200", "300", "0", "0")


def test_what_was_not_read_is_not_drawn() -> None:
    item = item_of(TargetReference(TARGET))
    text = PLACES["hit"]
    failed = Answer("failed", failure=Failure("timeout", "x"))
    for answer, verdict in (
        (Answer("answered", text=text), Verdict(1)),
        (Answer("truncated", text=text), Verdict(None, unscored="truncated")),
        (failed, Verdict(None, unscored="model_error")),
        (None, Verdict(None, unscored="missing")),
    ):
        screen = screen_of(item, answer, text, verdict, PIXELS)
        assert screen is not None
        assert screen.unread
        assert [mark.kind for mark in screen.places] == ["target"]
    every = screen_of(item_of(ElementsReference(ELEMENTS)), failed, "", Verdict(None, unscored="model_error"), PIXELS)
    assert every is not None
    assert [(part.kind, part.total) for part in every.parts] == [("there", 3)]
    assert [line.true for line in every.parts[0].lines] == ["opens the camera", "Settings", "Send"]


def test_thinking_is_not_read() -> None:
    item = item_of(TargetReference(TARGET))
    answer = Answer("answered", text="<think>(5, 5)</think>(150, 250)")
    verdict = Verdict(1, measures={"rejected": (0, 1), "hit": (1, 1)})
    screen = screen_of(item, answer, "(150, 250)", verdict, PIXELS)
    assert screen is not None
    assert edges(screen.places[-1])[:2] == ("150", "250")


def test_other_items_have_no_screen_and_unknown_sizes_no_drawing() -> None:
    item = item_of(TargetReference(TARGET))
    assert screen_of(replace(item, reference=TextReference("x")), None, "", Verdict(0), PIXELS) is None
    for images in ((), (replace(item.images[0], width=0, height=0),)):
        screen = screen_of(replace(item, images=images), None, "", Verdict(0), PIXELS)
        assert screen == Screen("confusion", "wrong")


def test_boxes_that_are_none_are_left_out() -> None:
    odd = (Box(math.nan, 0, 1, 1), Box(0, 0, math.inf, 1), Box(5, 5, 1, 1))
    assert drawn(item_of(TargetReference(TARGET, odd)), "Hm.").kinds == ("target",)


def test_a_parse_is_matched_as_judged() -> None:
    text = listed(
        ("a map", (0, 1500, 400, 1900)),
        ("camera", (105, 105, 205, 205)),
        ("settings.", (300, 100, 700, 180)),
        ("outside", (0, 0, 5000, 10)),
    )
    invented, missed, matched = drawn(item_of(ElementsReference(ELEMENTS)), text).parts
    assert [(part.kind, part.sign, part.total) for part in (invented, missed, matched)] == [
        ("invented", "+", 2),
        ("missed", "−", 1),
        ("matched", "✓", 2),
    ]
    assert [(line.number, line.listed, line.mark is None) for line in invented.lines] == [
        (1, "a map", False),
        (2, "outside", True),
    ]
    assert "no box on the screen" in invented.lines[1].note
    assert [(line.number, line.type, line.true) for line in missed.lines] == [(3, "button", "Send")]
    camera, settings_ = matched.lines
    assert (camera.number, camera.true, camera.listed, camera.same) == (4, "opens the camera", "camera", False)
    assert (camera.note, settings_.same) == ("overlap 0.82", True)
    assert camera.mark is not None
    assert camera.theirs is not None
    assert edges(camera.mark) == ("100", "100", "100", "100")
    assert edges(camera.theirs) == ("105", "105", "100", "100")


def test_counts_agree_with_the_verdict() -> None:
    text = listed(("a", (100, 100, 200, 200)), ("b", (0, 0, 30, 30)), ("c", (0, 0, -3, 30)))
    item = item_of(ElementsReference(ELEMENTS))
    totals = {part.kind: part.total for part in drawn(item, text).parts}
    measures = verdict_of(item, text).measures
    assert measures["recall"] == (totals["matched"], totals["matched"] + totals["missed"])
    assert measures["precision"] == (totals["matched"], totals["matched"] + totals["invented"])


def test_numbers_are_distinct_and_fit_their_bits() -> None:
    true = tuple(
        Element("icon", f"e{n}", Box(n % 30 * 30, n // 30 * 30, n % 30 * 30 + 9, n // 30 * 30 + 9)) for n in range(320)
    )
    text = listed(
        *((each.description, (each.box.left, each.box.top, each.box.right, each.box.bottom)) for each in true[:160]),
        *((f"x{n}", (n, 1900, n + 1, 1901)) for n in range(200)),
    )
    parts = drawn(item_of(ElementsReference(true)), text).parts
    assert [(part.kind, part.total, len(part.lines)) for part in parts] == [
        ("invented", 200, EACH),
        ("missed", 160, EACH),
        ("matched", 160, EACH),
    ]
    numbers = [line.number for part in parts for line in part.lines]
    assert numbers == list(range(1, 3 * EACH + 1))
    for part in parts:
        for line in part.lines:
            assert sum(1 << int(bit.removeprefix("bit-")) for bit in line.bits.split()) == line.number < 2**BITS


def test_empty_lists() -> None:
    invented, missed, matched = drawn(item_of(ElementsReference(ELEMENTS)), "[]").parts
    assert (invented.total, missed.total, matched.total) == (0, 3, 0)
    assert [part.total for part in drawn(item_of(ElementsReference(())), listed(("a", (1, 1, 5, 5)))).parts] == [
        1,
        0,
        0,
    ]


def test_labels_stay_on_the_picture() -> None:
    corners = [Box(0, 0, 10, 10), Box(990, 0, 1000, 10), Box(0, 1990, 10, 2000), Box(990, 1990, 1000, 2000)]
    labels = [drawn(item_of(TargetReference(box)), "Hm.").places[0].label for box in corners]
    assert [label.anchor for label in labels] == ["start", "end", "start", "end"]
    assert [label.shift.startswith("-") for label in labels] == [False, False, True, True]


def test_words_on_the_picture_end_on_it() -> None:
    """A letter takes 0.7 of the font's height, which is 0.03 of the picture's longer side at the most."""
    for left in (0, 350, 480, 510, 650, 990):
        target = item_of(TargetReference(Box(left, 900, left + 10, 910)))
        for mark in drawn(target, json.dumps({"bbox_2d": [left, 300, left + 10, 310]})).places:
            long, start = 0.7 * 0.03 * HEIGHT * len(WORDS[mark.kind]), float(mark.label.x)
            first, last = (start, start + long) if mark.label.anchor == "start" else (start - long, start)
            assert -0.1 <= first < last <= WIDTH + 0.1, (mark.kind, left)
    every = item_of(ElementsReference((Element("icon", "x", Box(990, 900, 1000, 910)),)))
    (missed,) = (line.mark for part in drawn(every, "[]").parts for line in part.lines)
    assert missed is not None
    assert float(missed.corner) + 3 * 0.7 * 0.018 * HEIGHT <= WIDTH


@settings(deadline=None, max_examples=60)
@given(
    text=st.text(max_size=60)
    | st.lists(st.floats() | st.integers(), max_size=6).map(lambda v: json.dumps({"bbox_2d": v}))
)
def test_any_answer_can_be_drawn(text: str) -> None:
    for reference in (TargetReference(TARGET), TargetReference(None), ElementsReference(ELEMENTS)):
        screen = drawn(item_of(reference), text)
        marks = [*screen.places, *(line.mark for part in screen.parts for line in part.lines if line.mark)]
        assert all(0 <= float(edge) <= HEIGHT for mark in marks for edge in edges(mark))

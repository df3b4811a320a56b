"""The convention detective: it finds what was really written, and keeps still otherwise."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import binomtest

from snellen.answer import Answer
from snellen.box import Box
from snellen.convention import DEFAULT, PRESETS, Convention, Frame, parse
from snellen.engine.convention_detective import LONGEST, PARSES, Detective, meanings, sign_test
from snellen.item import Element, ElementsReference, ImageRef, Item, TargetReference

SCREEN = ImageRef("s.png", width=400, height=800)
FRAME = Frame.of(SCREEN)


def grounding(number: int, box: Box | None) -> Item:
    return Item(f"s/{number}", "?", (SCREEN,), reference=TargetReference(box), cluster=f"c/{number // 2}")


def looked(written: Convention, declared: Convention = DEFAULT, *, count: int = 40, model: str = "m") -> Detective:
    """A model that writes one convention and was declared to write another, and misses every fourth target."""
    detective, rng = Detective(declared, "optimal", model), np.random.default_rng(0)
    for number in range(count):
        left, top = float(rng.integers(0, 350)), float(rng.integers(0, 750))
        box = Box(left, top, left + 40, top + 40)
        away = Box(350 - left, 750 - top, 390 - left, 790 - top)
        numbers = written.written(away if number % 4 == 0 else box, FRAME)
        detective.look(grounding(number, box), Answer("answered", json.dumps({"bbox_2d": numbers})))
    return detective


@pytest.mark.parametrize("written", ["thousand", "fraction", "percent", "gemini"])
def test_it_finds_what_was_written(written: str) -> None:
    found = looked(PRESETS[written]).result()
    assert found.over == "targets"
    suspect = found.suspect
    assert suspect is not None
    assert written in suspect.names
    assert suspect.hits.value is not None
    assert suspect.hits.value >= 0.7
    assert suspect.difference >= 0.5
    assert suspect.low is not None
    assert suspect.low > 0.1
    assert suspect.chance < 0.01
    assert found.scores[0] is suspect
    assert found.declared.names[0] == "pixels"
    assert f'convention = "{suspect.names[0]}"' == found.line
    assert found.line in found.warning()
    assert f"--convention {suspect.names[0]}" in found.warning()


def test_a_runaway_answer_is_passed_over() -> None:
    detective, box = Detective(DEFAULT, "optimal", "m"), Box(1, 1, 20, 20)
    seen = []
    for text in ("[9, 9]" + " " * LONGEST, "[9, 9]"):
        detective.look(grounding(0, box), Answer("answered", text))
        seen.append(detective.targets)
    assert seen == [0, 1]


def test_it_keeps_still_where_the_declared_one_is_right() -> None:
    for name in ("pixels", "thousand", "gemini"):
        found = looked(PRESETS[name], PRESETS[name]).result()
        assert found.suspect is None
        assert found.scores[0].declared
        assert found.line == found.warning() == ""


def test_a_few_screens_prove_nothing() -> None:
    found = looked(PRESETS["thousand"], count=8).result()
    assert found.scores[0].difference >= 0.5
    assert found.suspect is None


def test_a_small_gain_is_no_suspicion() -> None:
    detective = Detective(DEFAULT, "optimal", "m")
    box = Box(150, 300, 250, 400)
    for number in range(400):  # every twentieth answer is in thousandths, the rest in pixels
        written = PRESETS["thousand"] if number % 20 == 0 else DEFAULT
        text = json.dumps({"bbox_2d": written.written(box, FRAME)})
        detective.look(grounding(2 * number, box), Answer("answered", text))
    assert detective.result().suspect is None


def test_rejections_and_absent_targets_tell_nothing() -> None:
    detective = Detective(DEFAULT, "optimal", "m")
    for number in range(30):
        detective.look(grounding(number, None), Answer("answered", "[10, 10]"))
    assert detective.targets == 0
    assert detective.result().over == ""
    assert detective.result().suspect is None
    for number in range(30):
        detective.look(grounding(number, Box(0, 0, 9, 9)), Answer("answered", "The target is not on the screen."))
    found = detective.result()
    assert {score.difference for score in found.scores} == {0}
    assert found.suspect is None


def test_a_name_of_the_models_own_family() -> None:
    found = looked(PRESETS["qwen3-vl"], model="org/Qwen3-VL-8B").result()
    assert found.line == 'convention = "qwen3-vl"'
    assert looked(PRESETS["qwen3-vl"], model="InternVL3.5").result().line == 'convention = "internvl"'
    assert looked(PRESETS["qwen3-vl"], model="unheard-of").result().line == 'convention = "thousand"'


def test_the_declared_one_may_be_no_preset() -> None:
    odd = parse("percent:xywh:yx")
    found = looked(odd, odd).result()
    assert found.scores[0].names == ("percent:xywh:yx",)
    assert found.suspect is None
    assert len(found.scores) == len(meanings(DEFAULT)) + 1


def test_every_meaning_once() -> None:
    found = meanings(DEFAULT)
    assert sorted(name for names, _ in found for name in names) == sorted(PRESETS)
    assert len({str(each) for _, each in found}) < len(PRESETS)


def test_parses_stand_in_where_no_target_is_there() -> None:
    true = (Element("icon", "a", Box(40, 80, 120, 160)), Element("text", "b", Box(200, 400, 300, 480)))
    detective = Detective(DEFAULT, "optimal", "m")
    rows = [{"type": e.kind, "description": "", "bbox": PRESETS["fraction"].written(e.box, FRAME)} for e in true]
    for number in range(PARSES + 5):
        item = Item(f"p/{number}", "?", (SCREEN,), reference=ElementsReference(true))
        detective.look(item, Answer("answered", json.dumps(rows)))
    found = detective.result()
    assert found.over == "elements"
    assert found.suspect is not None
    assert "fraction" in found.suspect.names
    assert found.suspect.found.value == 1
    assert found.suspect.found.n == PARSES
    assert "true elements are found" in found.warning()


def test_plain_values() -> None:
    plain = looked(PRESETS["thousand"]).result().to_json()
    json.dumps(plain)
    assert plain["scores"][0]["far_better"] is True
    assert plain["line"] == 'convention = "thousand"'


@pytest.mark.parametrize(("more", "less"), [(0, 0), (1, 0), (5, 0), (0, 5), (7, 3), (3, 3), (40, 12), (900, 850)])
def test_sign_test_as_scipy(more: int, less: int) -> None:
    expected = binomtest(more, more + less).pvalue if more + less else 1.0
    assert sign_test(more, less) == pytest.approx(expected)

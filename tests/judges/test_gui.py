"""The judge of screens, by hand: parses, places, rejections, conventions, what was sent."""

from __future__ import annotations

import difflib
import json
from typing import Any

import pytest

from snellen.answer import Answer
from snellen.box import Box
from snellen.convention import PRESETS
from snellen.errors import UnreadableReplyError, UsageError
from snellen.item import Element, ElementsReference, ImageRef, Item, TargetReference, TextReference
from snellen.judges import gui
from snellen.metrics import localization_accuracy, parsing_precision, parsing_recall, rejection_rate
from snellen.readers import embedding
from snellen.table import TableBuilder
from snellen.verdict import ABSTAINED, EMPTY, FORMAT_ERROR, UNCLEAR

SCREEN = ImageRef("s.png", width=400, height=800)
A = Element("icon", "search", Box(10, 10, 50, 50))
B = Element("button", "Log in", Box(100, 10, 300, 60))
C = Element("text", "Welcome", Box(100, 200, 300, 240))
TARGET, DISTRACTOR = Box(10, 10, 50, 50), Box(60, 10, 100, 50)


def parsing(*elements: Element, **changed: Any) -> Item:
    values = {"images": (SCREEN,), "reference": ElementsReference(elements), "labels": {"task": "parsing"}}
    return Item("s/p", "List every element.", **{**values, **changed})


def grounding(box: Box | None = TARGET, **changed: Any) -> Item:
    task = "confusion" if box is not None else "fabricated"
    reference = TargetReference(box, (DISTRACTOR,) if box is not None else ())
    return Item(
        "s/g", "Open search.", **{"images": (SCREEN,), "reference": reference, "labels": {"task": task}, **changed}
    )


def said(text: str, **sent: Any) -> Answer:
    return Answer("answered", text=text, sent=sent)


def listed(*elements: Element) -> Answer:
    rows = [
        {"type": e.kind, "description": e.description, "bbox_2d": [e.box.left, e.box.top, e.box.right, e.box.bottom]}
        for e in elements
    ]
    return said(json.dumps(rows))


def vector(*values: float) -> Answer:
    return Answer("answered", text=embedding.write(values))


@pytest.mark.parametrize("order", [(A, B, C), (C, A, B), (B, C, A)])
def test_a_perfect_parse_in_any_order(order: tuple[Element, ...]) -> None:
    verdict = gui.read(parsing(A, B, C), listed(*order))
    assert verdict.value == 1
    assert verdict.measures == {"recall": (3, 3), "precision": (3, 3), "label_agreement": (3, 3)}


def test_missed_and_invented() -> None:
    invented = Element("icon", "cart", Box(350, 700, 390, 740))
    verdict = gui.read(parsing(A, B, C), listed(A, invented))
    assert verdict.value == 0
    assert verdict.measures == {"recall": (1, 3), "precision": (1, 2), "label_agreement": (1, 1)}
    assert "1 of 3 elements found, 1 of 2 listed ones not there" in verdict.reason


def test_few_elements_are_no_invention() -> None:
    assert gui.read(parsing(A, B, C), listed(B)).value == 1


def test_an_element_twice_matches_once() -> None:
    assert gui.read(parsing(A), listed(A, A)).measures["precision"] == (1, 2)


def test_an_element_outside_the_screen_counts_as_listed() -> None:
    verdict = gui.read(parsing(A), listed(A, Element("icon", "far", Box(10, 10, 4000, 50))))
    assert verdict.value == 0
    assert verdict.measures["precision"] == (1, 2)


def test_the_same_words_aside_from_case_and_dots() -> None:
    other = Element("icon", "  SEARCH. ", A.box)
    assert gui.read(parsing(A), listed(other)).measures["label_agreement"] == (1, 1)
    assert gui.read(parsing(A), listed(Element("icon", "find", A.box))).measures["label_agreement"] == (0, 1)


@pytest.mark.parametrize(
    ("text", "flags"), [("", (EMPTY, FORMAT_ERROR)), ("I see nothing.", (FORMAT_ERROR,)), ("[]", ())]
)
def test_a_parse_that_lists_nothing(text: str, flags: tuple[str, ...]) -> None:
    verdict = gui.read(parsing(A, B), said(text))
    assert (verdict.value, verdict.flags) == (0, flags)
    assert verdict.measures == {"recall": (0, 2), "precision": (0, 0)}


def test_difflib_compares_characters() -> None:
    other = Element("icon", "sketch", A.box)
    verdict = gui.read(parsing(A, B), listed(other, B), similarity="difflib")
    ratio = difflib.SequenceMatcher(None, "sketch", "search").ratio()
    assert verdict.measures["function_similarity"] == pytest.approx((ratio + 1, 2))


def test_greedy_follows_the_truth() -> None:
    first, second = Box(0, 0, 100, 100), Box(0, 0, 100, 110)
    true = (Element("icon", "a", first), Element("icon", "b", second))
    # The first listed box overlaps the first true one best, and is the only one that reaches the second.
    answer = listed(Element("icon", "a", Box(0, 0, 100, 104)), Element("icon", "b", Box(0, 0, 100, 54)))
    assert gui.read(parsing(*true), answer).measures["recall"] == (2, 2)
    assert gui.read(parsing(*true), answer, matching="greedy").measures["recall"] == (1, 2)


def test_function_similarity_by_hand() -> None:
    item, answer = parsing(A, B), listed(A, B)
    assert [request[0].parts[0].text for request in gui.each(item, answer)] == [  # type: ignore[union-attr]
        "search",
        "search",
        "Log in",
        "Log in",
    ]
    # Ours and theirs of A, then of B: cosines 0.6 and 1; of the crossed pairs 0.8 and 0.
    replies = (vector(3, 4), vector(2, 0), vector(0, 5), vector(0, 1))
    measures = gui.read(item, answer, replies).measures
    assert measures["function_similarity"] == pytest.approx((1.6, 2))
    assert measures["function_similarity_by_chance"] == pytest.approx((0.8, 2))


def test_one_pair_has_no_level_of_chance() -> None:
    measures = gui.read(parsing(A), listed(A), (vector(1, 0), vector(0, 1))).measures
    assert measures["function_similarity"] == (0, 1)
    assert "function_similarity_by_chance" not in measures


def test_vectors_that_do_not_fit() -> None:
    with pytest.raises(UnreadableReplyError, match="1 vectors for 2"):
        gui.read(parsing(A), listed(A), (vector(1, 0),))
    with pytest.raises(UnreadableReplyError):
        gui.read(parsing(A), listed(A), (said("no vector"), vector(1, 0)))


def test_nothing_is_asked_without_need() -> None:
    assert gui.each(grounding(), said("[20, 20]")) == ()
    assert gui.each(parsing(A), said("nothing")) == ()
    assert gui.each(parsing(A), listed(A), similarity="difflib") == ()


@pytest.mark.parametrize(
    ("text", "value", "measures"),
    [
        ('{"point_2d": [30, 30]}', 1, {"hit": (1, 1), "hit_distractor": (0, 1), "hit_elsewhere": (0, 1)}),
        ('{"point_2d": [50, 50]}', 1, {"hit": (1, 1), "hit_distractor": (0, 1), "hit_elsewhere": (0, 1)}),
        ('{"point_2d": [70, 30]}', 0, {"hit": (0, 1), "hit_distractor": (1, 1), "hit_elsewhere": (0, 1)}),
        ('{"point_2d": [300, 700]}', 0, {"hit": (0, 1), "hit_distractor": (0, 1), "hit_elsewhere": (1, 1)}),
        (
            '{"bbox_2d": [10, 10, 50, 90]}',
            1,
            {"hit": (1, 1), "hit_distractor": (0, 1), "hit_elsewhere": (0, 1), "iou": (0.5, 1)},
        ),
        (
            '{"bbox_2d": [0, 0, 400, 800]}',
            0,
            {"hit": (0, 1), "hit_distractor": (0, 1), "hit_elsewhere": (1, 1), "iou": (1600 / 320000, 1)},
        ),
    ],
)
def test_places(text: str, value: int, measures: dict[str, tuple[float, float]]) -> None:
    verdict = gui.read(grounding(), said(text))
    assert (verdict.value, verdict.flags) == (value, ())
    assert verdict.measures == {"rejected": (0, 1), **measures}


@pytest.mark.parametrize(("box", "value"), [(None, 1), (TARGET, 0)])
@pytest.mark.parametrize("text", ["The target is not on the screen.", "目标不存在。"])
def test_rejections(box: Box | None, value: int, text: str) -> None:
    verdict = gui.read(grounding(box), said(text))
    assert (verdict.value, verdict.flags, verdict.measures) == (value, (ABSTAINED,), {"rejected": (1, 1)})


def test_measures_are_numbers_wherever_they_are_exported() -> None:
    for place in ("[20, 20]", "[70, 20]", "[300, 300]"):
        measures = gui.read(grounding(), said(place)).measures
        assert sum(measures[name][0] for name in ("hit", "hit_distractor", "hit_elsewhere")) == 1
        assert not any(isinstance(number, bool) for share in measures.values() for number in share)


def test_pointing_at_what_is_absent() -> None:
    verdict = gui.read(grounding(None), said("[20, 20]"))
    assert (verdict.value, verdict.flags) == (0, ())
    assert "absent" in verdict.reason


@pytest.mark.parametrize(("box", "value"), [(None, 0), (TARGET, 1)])
def test_a_rejection_that_gives_a_place_as_well(box: Box | None, value: int) -> None:
    verdict = gui.read(grounding(box), said('The target is not on the screen. {"point_2d": [30, 30]}'))
    assert verdict.measures["contradicted"] == (1, 1)
    assert verdict.measures["rejected"] == (0, 1)
    assert verdict.value == value
    assert ABSTAINED not in verdict.flags


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("", (EMPTY, FORMAT_ERROR)),
        ("I would click it.", (UNCLEAR,)),
        ('{"point_2d": [30, 3000]}', (FORMAT_ERROR,)),
        ('{"bbox_2d": [50, 50, 10, 10]}', (FORMAT_ERROR,)),
        ("[-1, -1]", (FORMAT_ERROR,)),
    ],
)
@pytest.mark.parametrize("box", [None, TARGET])
def test_no_place_and_no_rejection(text: str, flags: tuple[str, ...], box: Box | None) -> None:
    verdict = gui.read(grounding(box), said(text))
    assert (verdict.value, verdict.flags) == (0, flags)


def test_the_declared_convention_decides() -> None:
    text = '{"point_2d": [75, 37]}'  # in thousandths of 400 x 800: (30, 29.6)
    assert gui.read(grounding(), said(text), convention=PRESETS["thousand"]).value == 1
    assert gui.read(grounding(), said(text)).measures["hit_distractor"] == (1, 1)


def test_scaling_and_padding_of_what_was_sent() -> None:
    source = {"width": 400, "height": 800, "content": [200, 400]}
    sent = {"images": [{"width": 448, "height": 448, "source": source}]}
    assert gui.read(grounding(), said("[15, 15]", **sent)).value == 1
    assert gui.read(grounding(), said("[30, 30]", **sent)).measures["hit_distractor"] == (0, 1)
    assert gui.read(grounding(), said("[35, 15]", **sent)).measures["hit_distractor"] == (1, 1)
    assert gui.read(grounding(), said("[300, 15]", **sent)).flags == (FORMAT_ERROR,)  # in the padding
    half = [{"type": "icon", "description": "search", "bbox_2d": [5, 5, 25, 25]}]
    assert gui.read(parsing(A), said(json.dumps(half), **sent)).value == 1


@pytest.mark.parametrize("item", [grounding(images=(ImageRef("s.png"),)), parsing(A, images=(ImageRef("s.png"),))])
def test_a_screen_of_unknown_size_is_not_scored(item: Item) -> None:
    verdict = gui.read(item, listed(A))
    assert (verdict.value, verdict.unscored) == (None, "data_error")
    assert "size" in verdict.reason


def test_an_item_without_a_screen_is_not_scored() -> None:
    assert gui.read(grounding(images=()), said("[1, 2]")).unscored == "data_error"


def test_usage() -> None:
    with pytest.raises(UsageError, match="asks for something else"):
        gui.read(grounding(reference=TextReference("x")), said("x"))
    with pytest.raises(UsageError):
        gui.read(parsing(A), listed(A), matching="lucky")


def test_rejecting_everything() -> None:
    builder = TableBuilder()
    for position, item in enumerate((grounding(), grounding(None), grounding(), grounding(None))):
        builder.add(position, item, gui.read(item, said("The target is not on the screen.")))
    table = builder.build()
    assert rejection_rate.estimate(table).value == 1
    assert localization_accuracy.estimate(table).value == 0


def test_perfect_parses_give_ones() -> None:
    builder = TableBuilder()
    for position, order in enumerate(((A, B, C), (C, B, A))):
        builder.add(position, parsing(A, B, C), gui.read(parsing(A, B, C), listed(*order)))
    table = builder.build()
    assert parsing_recall.estimate(table).value == parsing_precision.estimate(table).value == 1

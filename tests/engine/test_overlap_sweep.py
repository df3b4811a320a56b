"""The sweep over overlaps, by hand."""

from __future__ import annotations

import json

import pytest

from snellen.answer import Answer
from snellen.box import Box
from snellen.convention import DEFAULT
from snellen.engine.overlap_sweep import THRESHOLDS, Sweeping
from snellen.engine.screen_answers import Parse, Ratios, parse_of
from snellen.item import Element, ElementsReference, ImageRef, Item
from snellen.readers.boxes import TargetReading

TRUE = (Element("icon", "a", Box(0, 0, 100, 100)), Element("icon", "b", Box(200, 0, 300, 100)))


def parse(*boxes: tuple[float, float, float, float]) -> Parse:
    item = Item("s/1", "?", (ImageRef("s.png", width=400, height=400),), reference=ElementsReference(TRUE))
    text = json.dumps([{"type": "icon", "description": "x", "bbox": box} for box in boxes])
    found = parse_of(item, TRUE, Answer("answered", text), DEFAULT)
    assert found is not None
    return found


def test_recall_and_precision_fall_as_overlap_must_rise() -> None:
    sweeping = Sweeping("optimal")
    # Overlaps of 0.75 and 0.4, and one element that is nowhere.
    sweeping.parse("one", parse((0, 0, 100, 75), (200, 0, 300, 40), (0, 300, 50, 350)))
    sweeping.parse("two", parse((0, 0, 100, 100), (200, 0, 300, 100)))
    sweep = sweeping.result()
    assert tuple(line.threshold for line in sweep.lines) == THRESHOLDS
    assert [line.recall.value for line in sweep.lines] == [1, 1, 0.75, 0.75, 0.75, 0.5, 0.5]
    assert [line.precision.value for line in sweep.lines] == [0.8, 0.8, 0.6, 0.6, 0.6, 0.4, 0.4]
    assert sweep.lines[0].recall.clusters == 2
    assert sweep.lines[0].localization.value is None


def test_located_by_the_overlap_of_the_predicted_box() -> None:
    sweeping, target = Sweeping("optimal"), Box(0, 0, 100, 100)
    box = Box(0, 0, 100, 65)
    sweeping.place("one", target, TargetReading("box", box, box.centre))
    sweeping.place("two", target, TargetReading("rejected"))
    sweeping.place("two", target, TargetReading("point", None, (50, 50)))
    sweep = sweeping.result()
    assert [line.localization.value for line in sweep.lines] == [0.5, 0.5, 0.5, 0.5, 0, 0, 0]
    assert sweep.points == 1
    assert sweep.lines[0].localization.n == 2
    plain = sweep.to_json()
    assert plain["points"] == 1
    assert plain["lines"][0]["threshold"] == 0.3
    assert plain["lines"][0]["localization"]["value"] == 0.5


def test_listed_boxes_off_the_screen_are_listed() -> None:
    found = parse((0, 0, 100, 100), (0, 0, 4000, 100))
    assert (len(found.listed), found.count) == (1, 2)


def test_a_screen_of_unknown_size_gives_no_parse() -> None:
    item = Item("s/1", "?", (ImageRef("s.png"),), reference=ElementsReference(TRUE))
    assert parse_of(item, TRUE, Answer("answered", "[]"), DEFAULT) is None


def test_ratios_are_over_clusters() -> None:
    ratios = Ratios("share", "other")
    for cluster, top, bottom in (("a", 1, 2), ("a", 0, 1), ("b", 2, 2)):
        ratios.add(cluster, "share", top, bottom)
    estimate = ratios.estimate("share")
    assert estimate.value == pytest.approx(0.6)
    assert (estimate.n, estimate.clusters) == (3, 2)
    assert ratios.estimate("other").value is None

"""Numbers under a truth that is a little wrong."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.box import Box
from snellen.engine.screen_answers import Parse
from snellen.engine.unsure_truth import CHANGES, Sensitivity, Unsettling, moved
from snellen.errors import UsageError
from snellen.item import Element
from snellen.judges._matching import edges, overlaps

GRID = tuple(
    Element("icon", f"{number}", Box(x * 20.0, y * 20.0, x * 20.0 + 10, y * 20.0 + 10))
    for number, (x, y) in enumerate((x, y) for x in range(10) for y in range(10))
)


def parse(listed: tuple[Element, ...], true: tuple[Element, ...] = GRID, extra: int = 0) -> Parse:
    return Parse(listed, len(listed) + extra, true, overlaps([e.box for e in listed], [e.box for e in true]))


def by_name(unsettling: Unsettling) -> dict[str, Sensitivity]:
    return {each.name: each for each in unsettling.results()}


def collected(draws: int = 5, seed: int = 0) -> Unsettling:
    unsettling = Unsettling("optimal", draws, seed)
    unsettling.parse("s/1", "en", parse(GRID[:80]), {(i, i): 0.5 for i in range(40)})
    for number in range(20):
        unsettling.place(f"s/g{number}", "en", Box(10, 10, 20, 20), (15, 15) if number < 15 else None)
        unsettling.absent(f"s/f{number}", "en", rejected=number < 5)
    return unsettling


def test_values_as_they_are() -> None:
    found = by_name(collected())
    assert {name: each.value for name, each in found.items()} == pytest.approx(
        {
            "parsing_recall": 0.8,
            "parsing_precision": 1.0,
            "function_similarity": 0.5,
            "label_agreement": 1.0,
            "localization_accuracy": 0.75,
            "hallucination_average": 0.5,
            "parsing_average": (0.8 + 1 + 0.5) / 3,
            "macro_hallucination_average": 0.5,
        }
    )
    assert [(r.change, r.amount) for r in found["parsing_recall"].ranges] == list(CHANGES)


def test_dropped_elements_make_listed_ones_invented() -> None:
    ranges = by_name(collected())["parsing_precision"].ranges
    lows = [r.low for r in ranges if r.change == "dropped"]
    assert lows == sorted(lows, reverse=True)
    assert all(r.low <= r.high < 1 for r in ranges if r.change == "dropped")
    # Of 80 listed ones each stays with its chance.
    assert ranges[2].low == pytest.approx(0.8, abs=0.15)
    recall = by_name(collected())["parsing_recall"].ranges[2]
    assert recall.low == pytest.approx(0.8, abs=0.15)


def test_moved_a_little_is_still_matched_and_hit() -> None:
    for name, each in by_name(collected()).items():
        assert {(r.low, r.high) for r in each.ranges if r.change == "moved"} == {(each.value, each.value)}, name


def test_a_hit_at_the_edge_does_not_stand_firm() -> None:
    unsettling = Unsettling("optimal")
    for number in range(40):
        unsettling.place(f"s/{number}", "en", Box(10, 10, 20, 20), (10.1, 15))
    found = by_name(unsettling)["localization_accuracy"]
    assert found.value == 1
    assert all(0.2 < r.low <= r.high < 0.9 for r in found.ranges if r.change == "moved")
    assert all((r.low, r.high) == (1, 1) for r in found.ranges if r.change == "dropped")


def test_the_same_seed_draws_the_same_in_any_order() -> None:
    here, there = Unsettling("optimal"), Unsettling("optimal")
    for number in range(30):
        here.parse(f"s/{number}", "en", parse(GRID[:50]), {})
        there.parse(f"s/{29 - number}", "en", parse(GRID[:50]), {})
    assert here.results() == there.results()
    assert collected(seed=1).results() != collected(seed=2).results()
    assert collected(seed=-1).results() == collected(seed=-1).results()


def test_more_draws_only_widen() -> None:
    few, many = by_name(collected(1)), by_name(collected(12))
    assert all(r.low == r.high for r in few["parsing_precision"].ranges)
    assert any(r.low < r.high for r in many["parsing_precision"].ranges)


def test_averages_weigh_languages_alike() -> None:
    unsettling = Unsettling("optimal")
    for number in range(8):
        unsettling.place(f"e/{number}", "en", Box(0, 0, 9, 9), (5, 5))
        unsettling.absent(f"e/f{number}", "en", rejected=True)
    unsettling.place("z/1", "zh", Box(0, 0, 9, 9), None)
    unsettling.absent("z/f1", "zh", rejected=True)
    found = by_name(unsettling)
    assert found["macro_hallucination_average"].value == pytest.approx((1 + 1 + 0 + 1) / 4)
    assert found["hallucination_average"].value == pytest.approx(17 / 18)
    assert "parsing_recall" not in found


def test_without_cosines_there_is_no_similarity() -> None:
    unsettling = Unsettling("optimal")
    unsettling.parse("s/1", "en", parse(GRID, extra=100), {})
    found = by_name(unsettling)
    assert found["parsing_precision"].value == 0.5
    assert "function_similarity" not in found
    assert "parsing_average" not in found


def test_moved_boxes_stay_within_what_is_said() -> None:
    rng = np.random.default_rng(0)
    boxes = edges([Box(100, 100, 200, 150)] * 500)
    found = moved(boxes, 0.1, rng)
    size = found[:, 2:] - found[:, :2]
    assert (size >= [89.9, 44.9]).all()
    assert (size <= [110.1, 55.1]).all()
    centre = (found[:, 2:] + found[:, :2]) / 2 - [150, 125]
    assert (np.abs(centre) <= [10, 5]).all()
    assert (np.abs(centre) > [8, 4]).any(0).all()
    assert not moved(edges([]), 0.1, rng).size


def test_nothing_and_no_draws() -> None:
    assert Unsettling("optimal").results() == ()
    with pytest.raises(UsageError, match="one draw or more"):
        Unsettling("optimal", 0)
    one = Unsettling("greedy", 1)
    one.place("s/1", "en", Box(0, 0, 9, 9), None)
    assert by_name(one)["localization_accuracy"].to_json()["value"] == 0

"""What a run's changed items came to: every number by hand, and no item lost between the counts."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from changed_items import Value, Version, changed, clean, table_of
from snellen.card import Card
from snellen.engine import provenance, resistance
from snellen.engine.resistance import Part, Resistance, measure
from snellen.engine.results import summarise
from snellen.table import TableBuilder
from snellen.verdict import Verdict

ASPECTS = ("color", "count", "posture")
LABELS = {"aspect": ASPECTS}
CARD = Card("shale", "SHALE", "Photos.", labels=LABELS, resistance=True)
Row = tuple[Mapping[str, str], Value, list[Version]]

ROWS: list[Row] = [
    ({"aspect": "color"}, 1, [("jpeg:1", 1), ("jpeg:3", 1), ("grayscale:1", 1, "removed")]),
    ({"aspect": "color"}, 1, [("jpeg:1", 1), ("jpeg:3", 0), ("grayscale:1", 0, "removed")]),
    ({"aspect": "color"}, 0, [("jpeg:1", 1), ("jpeg:3", 0)]),
    ({"aspect": "count"}, 1, [("jpeg:1", 0), ("jpeg:3", None), ("grayscale:1", 1)]),
    ({"aspect": "count"}, None, [("jpeg:1", 1), ("jpeg:3", 1), ("grayscale:1", 0)]),
    ({"aspect": "count"}, 1, [("jpeg:1", 1, "unknown"), ("jpeg:3", 1, "altered"), ("grayscale:1", 1)]),
]


@pytest.fixture(autouse=True)
def kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"jpeg": "image", "grayscale": "image", "typos": "instruction"}
    monkeypatch.setattr(resistance, "_kind", lambda name: known.get(name, "other"))


def measured(rows: list[Row], *conditions: str) -> Resistance:
    found = measure(table_of(rows), LABELS, conditions)
    assert found is not None
    return found


def numbers(part: Part) -> tuple[int, int, int | None, int | None, float | None, int, int]:
    return (
        part.pairs,
        part.unscored,
        part.clean.hits,
        part.changed.hits,
        None if part.resistance.value is None else round(part.resistance.value, 6),
        part.lost,
        part.gained,
    )


def test_by_hand() -> None:
    found = measured(ROWS)
    assert numbers(found.conditions["jpeg:1"]) == (5, 1, 3, 3, 0.666667, 1, 1)
    assert numbers(found.conditions["jpeg:3"]) == (5, 2, 2, 1, 0.5, 1, 0)
    assert numbers(found.conditions["grayscale:1"]) == (3, 1, 2, 2, 1.0, 0, 0)
    assert numbers(found.micro) == (13, 4, 7, 6, 0.714286, 2, 1)
    assert found.micro.clean.n == found.micro.changed.n == found.micro.resistance.n == 9
    assert numbers(found.labels["aspect"]["color"]) == (6, 0, 4, 4, 0.75, 1, 1)
    assert numbers(found.labels["aspect"]["count"]) == (7, 4, 3, 2, 0.666667, 1, 0)
    assert numbers(found.labels["aspect"]["posture"]) == (0, 0, 0, 0, None, 0, 0)
    assert numbers(found.perturbations["jpeg"]) == (10, 3, 5, 4, 0.6, 2, 1)
    assert list(found.perturbations) == ["jpeg"]
    cells = found.cells["aspect"]
    assert cells["jpeg:1", "color"].value == 1
    assert cells["jpeg:1", "count"].value == 0
    assert cells["jpeg:3", "color"].value == 0.5
    assert cells["jpeg:3", "count"].value is None
    assert cells["grayscale:1", "count"].value == 1
    # Cells with a right clean answer: jpeg:1 in two aspects, jpeg:3 in one, grayscale:1 in one.
    assert (found.macro.value, found.macro_cells, found.undefined_cells) == (2.5 / 4, 4, 1)
    assert found.macro_label == "aspect"


def test_what_is_left_out_is_counted_by_reason() -> None:
    found = measured(ROWS)
    assert found.conditions["grayscale:1"].left_out == {"altered": 0, "removed": 2, "unknown": 0, "not_applied": 1}
    assert found.conditions["jpeg:1"].left_out == {"altered": 0, "removed": 0, "unknown": 1, "not_applied": 0}
    assert found.micro.left_out == {"altered": 1, "removed": 2, "unknown": 1, "not_applied": 1}
    assert found.labels["aspect"]["color"].left_out["not_applied"] == 1
    for part in found.conditions.values():
        assert part.pairs + sum(part.left_out.values()) == len(ROWS)


def test_counterfactual_consistency_is_apart_by_truth() -> None:
    found = measured(ROWS)
    removed = found.conditions["grayscale:1"].consistency["removed"]
    altered = found.micro.consistency["altered"]
    assert (removed.value, removed.n) == (0.5, 2)
    assert (altered.value, altered.n) == (1, 1)
    assert found.conditions["jpeg:1"].consistency["altered"].n == 0


def test_conditions_stand_as_they_were_asked_for_and_idle_ones_are_told_of() -> None:
    found = measured(ROWS, "occlusion:3", "jpeg:3", "grayscale:1")
    assert list(found.conditions) == ["occlusion:3", "jpeg:3", "grayscale:1", "jpeg:1"]
    idle = found.conditions["occlusion:3"]
    assert numbers(idle) == (0, 0, 0, 0, None, 0, 0)
    assert idle.left_out["not_applied"] == len(ROWS)
    assert measure(table_of([({}, 1, [])]), LABELS) is None
    assert measure(table_of([]), LABELS) is None
    assert measured([({}, 1, [])], "jpeg:3").micro.left_out["not_applied"] == 1


def test_levels_are_told_apart_where_there_are_several() -> None:
    rows: list[Row] = [({}, 1, [("jpeg:3", 1), ("typos:3", 0), ("jpeg:3+typos:3", 0), ("jpeg:3+grayscale:1", 1)])] * 3
    found = measured(rows)
    assert {name: part.resistance.value for name, part in found.levels.items()} == {
        "image": 1,
        "instruction": 0,
        "combination": 0,
    }
    assert found.levels["image"].pairs == 6
    assert measured(ROWS).levels == {}
    assert list(measured([({}, 1, [("gone:3", 1), ("jpeg:3", 1)])]).levels) == ["other", "image"]


def test_without_labels_the_cells_are_the_conditions() -> None:
    found = measure(table_of(ROWS), {})
    assert found is not None
    assert (found.macro_label, found.macro_cells) == ("", 3)
    assert found.macro.value == pytest.approx((2 / 3 + 1 / 2 + 1) / 3)


def test_an_item_that_is_broken_itself_was_never_tried() -> None:
    builder = TableBuilder()
    builder.add(0, clean("i/0"), Verdict(None, unscored="data_error"))
    item = clean("i/1")
    builder.add(2, item, Verdict(1))
    builder.add(3, changed(item, "jpeg:3"), Verdict(1))
    found = measure(builder.build(), {})
    assert found is not None
    assert found.micro.left_out["not_applied"] == 0


def test_a_model_that_does_not_look_has_a_resistance_of_one() -> None:
    values = np.random.default_rng(0).integers(0, 2, 60).tolist()
    rows: list[Row] = [({"aspect": ASPECTS[n % 3]}, value, [("jpeg:3", value)]) for n, value in enumerate(values)]
    found = measured(rows)
    assert found.micro.resistance.value == found.macro.value == found.micro.resistance.high == 1
    assert len(found.flips) == 0


def test_plain_values() -> None:
    data = measured(ROWS).to_json()
    assert json.loads(json.dumps(data)) == data
    assert set(data) == set(Resistance.__slots__) - {"flips"}
    assert set(data["micro"]) == set(Part.__slots__)
    first = data["cells"][0]
    assert (first["label"], first["condition"], first["value"]) == ("aspect", "grayscale:1", "color")
    assert first["resistance"]["value"] is None


# The headline


def test_the_headline_is_over_the_clean_items() -> None:
    results = summarise(table_of(ROWS), CARD, len(table_of(ROWS)))
    only_clean = summarise(table_of([(about, value, []) for about, value, _ in ROWS]), CARD, len(ROWS))
    assert (results.planned, results.headline.hits, results.headline.n) == (6, 4, 5)
    assert results.resistance is not None
    assert only_clean.resistance is None
    with_none = results.to_json() | {"resistance": None}
    assert with_none == only_clean.to_json()


def test_missing_items_of_a_run_with_changes_are_missing() -> None:
    table = table_of(ROWS)
    results = summarise(table, CARD, len(table) + 4)
    assert (results.planned, results.unscored["missing"]) == (10, 4)


# Remarks

MANIFEST = {"plan": {"prompt": "direct"}, "judging": {"name": "x"}}


def remarks(rows: list[Row], card: Card = CARD, *conditions: str) -> str:
    table = table_of(rows)
    return " ".join(provenance.remarks(MANIFEST, card, summarise(table, card, len(table), conditions)))


def test_a_benchmark_of_resistance_says_where_it_was_not_measured() -> None:
    rows: list[Row] = [(about, value, []) for about, value, _ in ROWS]
    assert "Resistance to changes was not measured" in remarks(rows)
    assert "esistance" not in remarks(rows, Card("charthal", "ChartHal", "Charts.", labels=LABELS))
    assert "not measured" not in remarks(ROWS)


def test_undefined_cells_and_idle_conditions_are_told_of() -> None:
    assert "In 1 of 5 cells of aspect and condition no clean answer is right" in remarks(ROWS)
    assert "No item could be changed by occlusion:3:" in remarks(ROWS, CARD, "occlusion:3")
    grey: list[Row] = [({"aspect": "color"}, 1, [("jpeg:3", 1), ("grayscale:1", 0, "removed")])]
    said = remarks(grey, CARD, "occlusion:3")
    assert "No pair keeps its truth under grayscale:1:" in said
    assert "No item could be changed by occlusion:3:" in said
    fine: list[Row] = [({"aspect": "color"}, 1, [("jpeg:3", 1)])]
    assert "esistance" not in remarks(fine)


# Whatever the verdicts

values = st.sampled_from([0, 1, None])
truths = st.sampled_from(["kept", "kept", "altered", "removed", "unknown"])
versions = st.dictionaries(st.sampled_from(["jpeg:1", "jpeg:3", "typos:2"]), st.tuples(values, truths), max_size=3)
rows_drawn = st.lists(
    st.tuples(
        st.fixed_dictionaries({"aspect": st.sampled_from(ASPECTS), "cluster": st.sampled_from("abc")}),
        values,
        versions.map(lambda made: [(name, value, truth) for name, (value, truth) in made.items()]),
    ),
    min_size=1,
    max_size=12,
)


@given(rows_drawn)
@settings(deadline=None)
def test_counts_add_up_and_agree_with_plain_arithmetic(rows: list[Row]) -> None:
    found = measured(rows, "jpeg:1")
    for parts in (found.conditions, found.labels["aspect"]):
        for count in ("pairs", "unscored", "lost", "gained"):
            assert sum(getattr(part, count) for part in parts.values()) == getattr(found.micro, count)
        for reason, items in found.micro.left_out.items():
            assert sum(part.left_out[reason] for part in parts.values()) == items
    assert found.micro.pairs + sum(found.micro.left_out.values()) == len(rows) * len(found.conditions)
    both = [
        (clean, changed)
        for _, clean, made in rows
        for _, changed, *truth in made
        if truth == ["kept"] and clean is not None and changed is not None
    ]
    right = sum(clean for clean, _ in both)
    expected = sum(clean * changed for clean, changed in both) / right if right else None
    assert found.micro.resistance.value == expected
    assert found.micro.lost == sum(clean > changed for clean, changed in both)
    assert len(found.flips) == found.micro.lost + found.micro.gained

"""Tables apart: faithfulness and factuality, each with its rows, micro and macro averages, by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from snellen.card import Card
from snellen.engine.results import summarise
from snellen.engine.split import ACCURACY, CAPTIONS, SCORE, Split
from snellen.item import Item
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import Verdict

CARD = Card(
    "shale",
    "SHALE",
    "Pictures.",
    labels={
        "aspect": ("color", "count", "shape", "sports", "culture"),
        "task": ("yes-no", "caption"),
        "kind": ("faithfulness", "factuality"),
    },
    split="kind",
)
Row = tuple[str, str, str, int | None]

ROWS: list[Row] = [
    ("faithfulness", "color", "yes-no", 1),
    ("faithfulness", "color", "yes-no", 1),
    ("faithfulness", "color", "yes-no", 1),
    ("faithfulness", "color", "caption", 0),
    ("faithfulness", "count", "yes-no", 0),
    ("faithfulness", "count", "yes-no", None),
    ("factuality", "sports", "caption", 1),
    ("factuality", "sports", "caption", 0),
]
"""Right: color 3 of 4, count 0 of 1 scored, sports 1 of 2."""


def table_of(rows: Sequence[Row]) -> VerdictTable:
    builder = TableBuilder()
    for number, (kind, aspect, task, value) in enumerate(rows):
        labels = {"aspect": aspect, "task": task, **({"kind": kind} if kind else {})}
        verdict = Verdict(None, unscored="judge_error") if value is None else Verdict(value)
        builder.add(number, Item(f"i/{number}", "?", labels=labels, cluster=f"c/{number // 2}"), verdict)
    return builder.build()


def split_of(rows: Sequence[Row], card: Card = CARD, missing: int = 0) -> Split:
    found = summarise(table_of(rows), card, len(rows) + missing).split
    assert found is not None
    return found


def test_each_table_has_the_rows_that_occur_in_it() -> None:
    found = split_of(ROWS)
    assert (found.label, found.by) == ("aspect", "kind")
    assert {name: list(group.rows) for name, group in found.groups.items()} == {
        "faithfulness": ["color", "count"],
        "factuality": ["sports"],
    }
    assert set(found.groups["factuality"].cells) == {("sports", "yes-no"), ("sports", "caption")}
    assert found.groups["factuality"].cells["sports", "yes-no"].n == 0


def test_micro_weighs_items_and_macro_weighs_rows() -> None:
    found = split_of(ROWS)
    faithful = found.groups["faithfulness"]
    assert faithful.micro[SCORE].value == 3 / 5
    assert faithful.macro[SCORE].estimate.value == (3 / 4 + 0) / 2
    assert faithful.macro[ACCURACY].estimate.value == (3 / 3 + 0) / 2
    assert (faithful.macro[CAPTIONS].estimate.value, faithful.macro[CAPTIONS].rows) == (0, 1)
    assert found.whole.micro[SCORE].value == 4 / 7
    assert found.whole.macro[SCORE].estimate.value == pytest.approx((3 / 4 + 0 + 1 / 2) / 3)
    assert (found.whole.macro[SCORE].rows, found.whole.macro[SCORE].estimate.unscored) == (3, 1)
    assert found.groups["factuality"].micro[CAPTIONS].value == 1 / 2
    assert ACCURACY not in found.groups["factuality"].micro


def test_a_macro_average_has_an_interval_and_the_bounds_of_its_rows() -> None:
    mean = split_of(ROWS).groups["faithfulness"].macro[SCORE].estimate
    assert mean.low is not None
    assert mean.high is not None
    assert mean.value is not None
    assert 0 < mean.low < mean.value < mean.high < 1
    assert (mean.lower_bound, mean.upper_bound) == ((3 / 4 + 0 / 2) / 2, (3 / 4 + 1 / 2) / 2)
    allright = split_of([(kind, aspect, task, 1) for kind, aspect, task, _ in ROWS]).whole.macro[SCORE].estimate
    assert (allright.value, allright.high) == (1, 1)
    assert allright.low is not None
    assert allright.low < 1, "no interval collapses where everything is right"


def test_a_row_without_a_scored_item_leaves_no_macro_average_and_is_named() -> None:
    found = split_of([*ROWS, ("faithfulness", "shape", "yes-no", None)])
    mean = found.groups["faithfulness"].macro[SCORE]
    assert (mean.estimate.value, mean.estimate.low, mean.rows, mean.lacking) == (None, None, 3, ("shape",))
    assert found.whole.macro[SCORE].lacking == ("shape",)
    assert found.groups["factuality"].macro[SCORE].estimate.value == 1 / 2
    assert found.groups["faithfulness"].macro[CAPTIONS].estimate.value == 0, "shape has no caption at all"


def test_odd_labels_are_shown_and_never_lost() -> None:
    odd: list[Row] = [
        *ROWS, ("factuality", "color", "yes-no", 0), ("novel", "mood", "yes-no", 1), ("", "count", "yes-no", 1)
    ]  # fmt: skip
    found = split_of(odd)
    assert list(found.groups) == ["faithfulness", "factuality", "novel", ""]
    assert list(found.groups["factuality"].rows) == ["color", "sports"]
    assert sum(group.micro[SCORE].n for group in found.groups.values()) == found.whole.micro[SCORE].n == 10
    assert found.whole.macro[SCORE].rows == 4


def test_items_that_are_missing_count_as_unscored_over_all() -> None:
    whole = split_of(ROWS, missing=2).whole
    assert whole.micro[SCORE].unscored == whole.macro[SCORE].estimate.unscored == 3
    assert whole.macro[SCORE].estimate.lower_bound is None


def test_nothing_is_split_that_the_card_does_not_split() -> None:
    plain = Card("shale", "SHALE", "Pictures.", labels=CARD.labels)
    assert summarise(table_of(ROWS), plain, len(ROWS)).split is None
    assert summarise(table_of([]), CARD, 0).split is None
    assert summarise(table_of([]), CARD, 3).to_json()["split"] is None


def test_the_numbers_are_plain_values() -> None:
    plain = json.loads(json.dumps(summarise(table_of(ROWS), CARD, len(ROWS)).to_json()["split"]))
    assert plain["whole"]["macro"]["score"]["rows"] == 3
    assert plain["groups"]["faithfulness"]["rows"]["color"]["accuracy"]["value"] == 1
    assert plain["groups"]["factuality"]["cells"][1]["column"] == "caption"

"""A run summed up: the card's order, every count, and the recorded ChartHal run."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.card import Card, PublishedRow
from snellen.engine.results import Results, summarise
from snellen.errors import DataError
from snellen.item import Item
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import ABSTAINED, UNCLEAR, UNSCORED, Verdict

TYPES = ("descriptive", "reasoning", "open-ended")
RELATIONS = ("irrelevant", "inexistent", "contradictory", "normal")
CARD = Card(
    "charthal",
    "ChartHal",
    "Charts.",
    labels={"question_type": TYPES, "relation": RELATIONS},
    answerable={"relation": ("normal",)},
    published=(
        PublishedRow("Best", {"": 0.9, "relation=normal": 0.8}),
        PublishedRow("Half", {"": 0.5}, note="high effort"),
        PublishedRow("Half too", {"": 0.5}),
        PublishedRow("Unknown", {"relation=normal": 0.4}),
        PublishedRow("Worst", {"": 0.1}),
    ),
)
Row = tuple[str, str, str, str, Verdict]


def table_of(rows: list[Row]) -> VerdictTable:
    """A table of (question type, relation, cluster, language, verdict)."""
    builder = TableBuilder(CARD.answerable)
    for number, (kind, relation, cluster, language, verdict) in enumerate(rows):
        labels = {"question_type": kind, "relation": relation}
        builder.add(number, Item(f"i/{number}", "?", labels=labels, cluster=cluster, language=language), verdict)
    return builder.build()


def one_of_each(verdict: Verdict = Verdict(1)) -> list[Row]:  # noqa: B008
    return [(kind, relation, kind, "en", verdict) for kind in TYPES for relation in RELATIONS]


def test_order_and_empty_cells() -> None:
    rows = [row for row in one_of_each() if row[:2] != ("reasoning", "normal")]
    rows += [("novel", "normal", "x", "en", Verdict(0)), ("exotic", "normal", "x", "en", Verdict(0))]
    results = summarise(table_of(rows), CARD, len(rows))
    assert (results.rows, results.columns) == ("question_type", "relation")
    assert list(results.marginals) == ["question_type", "relation"]
    assert list(results.marginals["question_type"]) == [*TYPES, "exotic", "novel"]
    assert list(results.marginals["relation"]) == list(RELATIONS)
    assert list(results.cells) == [(kind, relation) for kind in (*TYPES, "exotic", "novel") for relation in RELATIONS]
    empty = results.cells["reasoning", "normal"]
    assert (empty.value, empty.n, empty.unscored) == (None, 0, 0)
    assert results.cells["novel", "normal"].value == 0
    assert results.marginals["relation"]["normal"].hits == 2


def test_languages_appear_when_there_are_two() -> None:
    rows = [(*row[:3], "zh" if number % 3 == 0 else "en", row[4]) for number, row in enumerate(one_of_each())]
    results = summarise(table_of(rows), CARD, len(rows))
    assert list(results.marginals) == ["question_type", "relation", "language"]
    assert {value: estimate.n for value, estimate in results.marginals["language"].items()} == {"en": 8, "zh": 4}


def test_headline_text() -> None:
    verdicts = [Verdict(1)] * 287 + [Verdict(0, flags=(UNCLEAR,))] * 4 + [Verdict(0)] * 768
    verdicts += [Verdict(None, unscored="model_error")] + [Verdict(None, unscored="judge_error")] * 2
    rows = [("descriptive", "normal", str(number), "en", verdict) for number, verdict in enumerate(verdicts)]
    text = summarise(table_of(rows), CARD, 1062).headline_text()
    assert text == (
        "27.1 % [24.5, 29.9], 287 of 1,059 scored of 1,062, unclear 4, model errors 1, judge errors 2; "
        "between 27.0 and 27.3 % whatever the unscored are"
    )


def test_headline_text_names_every_reason_that_occurs_and_no_bounds_without_need() -> None:
    rows = one_of_each()
    assert (
        summarise(table_of(rows), CARD, 12)
        .headline_text()
        .endswith("12 of 12 scored of 12, unclear 0, model errors 0, judge errors 0")
    )
    rows += [("descriptive", "normal", "x", "en", Verdict(None, unscored=reason)) for reason in UNSCORED]
    text = summarise(table_of(rows), CARD, 20).headline_text()
    assert (
        "12 of 12 scored of 20, unclear 0, model errors 1, judge errors 1, blocked 1, truncated 1, "
        "judge cannot tell 1, data errors 1, missing 2; between 60.0 and 100.0 %"
    ) in text


def test_missing_items_count() -> None:
    results = summarise(table_of(one_of_each()), CARD, 24)
    assert (results.planned, results.scored, results.unscored["missing"]) == (24, 12, 12)
    assert (results.headline.value, results.headline.lower_bound, results.headline.upper_bound) == (1, 0.5, 1)
    assert results.scored_rate.value == 0.5
    assert results.marginals["relation"]["normal"].unscored == 0
    nothing = summarise(table_of([]), CARD, 3)
    assert (nothing.headline.value, nothing.scored_rate.value, nothing.unscored["missing"]) == (None, 0, 3)
    assert len(nothing.cells) == 12
    assert nothing.headline_text().startswith("no value, 0 of 0 scored of 3")
    with pytest.raises(DataError, match="12 items of a plan of 11"):
        summarise(table_of(one_of_each()), CARD, 11)


def test_abstention_and_over_refusal() -> None:
    rows = one_of_each()
    rows[3] = (*rows[3][:4], Verdict(0, flags=(ABSTAINED,)))  # descriptive, normal
    rows[0] = (*rows[0][:4], Verdict(1, flags=(ABSTAINED,)))  # descriptive, irrelevant
    results = summarise(table_of(rows), CARD, 12)
    assert results.abstained == 2
    assert results.abstention.hits == 2
    assert (results.over_refusal.hits, results.over_refusal.n) == (1, 3)
    assert results.abstention_marginals["relation"]["irrelevant"].hits == 1
    assert results.over_refusal_marginals["question_type"]["descriptive"].value == 1
    assert results.over_refusal_marginals["relation"]["irrelevant"].n == 0


@pytest.mark.parametrize("labels", [{}, {"relation": RELATIONS}])
def test_cards_with_fewer_labels_have_no_cells(labels: dict[str, tuple[str, ...]]) -> None:
    results = summarise(table_of(one_of_each()), Card("x", "X", "x", labels=labels), 12)
    assert results.cells == {}
    assert (results.rows, results.columns) == ("", "")
    assert list(results.marginals) == list(labels)
    assert results.headline.n == 12


def test_a_label_of_the_card_that_no_item_has() -> None:
    card = Card("x", "X", "x", labels={"aspect": ("color", "count"), "relation": RELATIONS})
    results = summarise(table_of(one_of_each()), card, 12)
    assert results.marginals["aspect"]["color"].n == 0
    assert len(results.cells) == 8
    assert all(estimate.n == 0 for estimate in results.cells.values())


def test_to_json_is_plain() -> None:
    results = summarise(table_of(one_of_each()), CARD, 13)
    data = results.to_json()
    assert json.loads(json.dumps(data)) == data
    assert data["averaging"] == "micro"
    assert data["headline"]["hits"] == 12
    assert data["cells"][0]["row"] == "descriptive"
    assert len(data["cells"]) == 12
    assert set(data) == {*Results.__slots__, "averaging"}


verdicts = st.sampled_from(
    [Verdict(1), Verdict(0), Verdict(0, flags=(UNCLEAR,)), *(Verdict(None, unscored=reason) for reason in UNSCORED)]
)
rows_drawn = st.lists(
    st.tuples(
        st.sampled_from(TYPES),
        st.sampled_from(RELATIONS),
        st.sampled_from("abc"),
        st.sampled_from(["en", "zh"]),
        verdicts,
    ),
    max_size=25,
)


@given(rows_drawn, st.integers(0, 3))
def test_counts_add_up_everywhere(rows: list[Row], absent: int) -> None:
    results = summarise(table_of(rows), CARD, len(rows) + absent)
    assert results.scored + sum(results.unscored.values()) == results.planned == len(rows) + absent
    assert results.headline.n + results.headline.unscored == results.planned
    parts = [results.cells.values(), *(by_value.values() for by_value in results.marginals.values())]
    assert len(parts) in (3, 4)
    for part in parts:
        assert sum(estimate.n for estimate in part) == results.scored
        assert sum(estimate.hits or 0 for estimate in part) == results.headline.hits
        assert sum(estimate.unscored for estimate in part) == results.headline.unscored - absent


def test_the_recorded_charthal_run(charthal_data: Path) -> None:
    kinds = {"desc": TYPES[0], "reason": TYPES[1], "open": TYPES[2]}
    relations = dict(zip(("irrel", "inexist", "contra", "normal"), RELATIONS, strict=True))
    recorded = json.loads((charthal_data / "results" / "eval.json").read_text(encoding="utf-8"))
    plan = json.loads((charthal_data / "data" / "charthal.json").read_text(encoding="utf-8"))
    rows: list[Row] = [
        (kinds[row["q_type"]], relations[row["q_relation"]], str(row["figure_id"]), "en", Verdict(int(row["score"])))
        for row in recorded.values()
        if row.get("score") in (0, 1)
    ]
    results = summarise(table_of(rows), CARD, len(plan))
    assert (results.headline.hits, results.headline.n, results.headline.clusters) == (225, 717, 71)
    assert (results.planned, results.unscored["missing"]) == (1062, 345)
    found = {value: (e.hits, e.n) for by_value in results.marginals.values() for value, e in by_value.items()}
    assert found == {
        "descriptive": (105, 258),
        "reasoning": (69, 223),
        "open-ended": (51, 236),
        "irrelevant": (27, 180),
        "inexistent": (38, 232),
        "contradictory": (25, 141),
        "normal": (135, 164),
    }


def test_summing_up_a_hundred_charthals_is_quick() -> None:
    rng = np.random.default_rng(0)
    count = 106_200
    right, wrong, failed = Verdict(1), Verdict(0, flags=(ABSTAINED,)), Verdict(None, unscored="judge_error")
    builder = TableBuilder(CARD.answerable)
    shapes = [
        Item("i", "?", labels={"question_type": kind, "relation": relation}, cluster=f"c/{number}")
        for number, (kind, relation) in enumerate((k, r) for k in TYPES for r in RELATIONS)
    ]
    for position, draw in enumerate(rng.random(count)):
        verdict = right if draw < 0.3 else wrong if draw < 0.99 else failed
        builder.add(position, shapes[position % 12], verdict)
    table = builder.build()
    start = time.process_time()
    results = summarise(table, CARD, count)
    assert time.process_time() - start < 2  # 0.1 s on an idle machine
    assert results.headline.n + results.unscored["judge_error"] == count

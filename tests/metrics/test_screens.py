"""The numbers of GUI-HalluBench against values worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from snellen.box import Box
from snellen.item import Item, TargetReference
from snellen.metrics import (
    false_rejection_rate,
    format_error_rate,
    function_similarity,
    function_similarity_by_chance,
    hallucination_average,
    label_agreement,
    localization_accuracy,
    macro_hallucination_average,
    parsing_average,
    parsing_precision,
    parsing_recall,
    rejection_rate,
)
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import ABSTAINED, FORMAT_ERROR, Verdict

Row = tuple[str, str, str, Verdict]


def table(rows: list[Row]) -> VerdictTable:
    builder = TableBuilder()
    for number, (task, language, screen, verdict) in enumerate(rows):
        item = Item(
            f"g/{number}",
            "?",
            reference=TargetReference(Box(0, 0, 1, 1)),
            labels={"task": task, "language": language},
            cluster=screen,
            language=language,
        )
        builder.add(number, item, verdict)
    return builder.build()


def parse(**measures: tuple[float, float]) -> Verdict:
    return Verdict(0, measures=measures)


PARSES: list[Row] = [
    (
        "parsing",
        "en",
        "a",
        parse(recall=(3, 4), precision=(3, 6), function_similarity=(2.7, 3), label_agreement=(2, 3)),
    ),
    (
        "parsing",
        "en",
        "b",
        parse(recall=(1, 6), precision=(1, 2), function_similarity=(0.8, 1), label_agreement=(1, 1)),
    ),
    ("parsing", "en", "c", Verdict(0, flags=(FORMAT_ERROR,), measures={"recall": (0, 2), "precision": (0, 0)})),
    (
        "parsing",
        "zh",
        "a",
        parse(recall=(2, 4), precision=(2, 2), function_similarity=(1.6, 2), label_agreement=(0, 2)),
    ),
    ("parsing", "zh", "b", Verdict(None, unscored="model_error")),
]


def places() -> list[Row]:
    rows: list[Row] = []
    for language, hits, rejected in (("en", 3, 2), ("zh", 1, 4)):
        rows += [("confusion", language, f"{language}{i}", Verdict(int(i < hits))) for i in range(4)]
        rows += [("fabricated", language, f"{language}{i}", Verdict(int(i < rejected))) for i in range(6)]
    return rows


def test_recall_and_precision_are_sums_over_screens() -> None:
    recall = parsing_recall.estimate(table(PARSES))
    assert recall.value == pytest.approx((3 + 1 + 0 + 2) / (4 + 6 + 2 + 4))
    assert (recall.n, recall.clusters, recall.unscored) == (4, 3, 1)
    assert parsing_precision.estimate(table(PARSES)).value == pytest.approx(6 / 10)


def test_similarity_is_over_matched_pairs_and_a_screen_without_any_is_no_loss() -> None:
    similarity = function_similarity.estimate(table(PARSES))
    assert similarity.value == pytest.approx((2.7 + 0.8 + 1.6) / 6)
    assert (similarity.n, similarity.unscored) == (4, 1)
    assert label_agreement.estimate(table(PARSES)).value == pytest.approx(3 / 6)
    assert function_similarity_by_chance.estimate(table(PARSES)).value is None


def test_the_parsing_average_weighs_six_numbers_alike() -> None:
    english = (4 / 12, 4 / 8, 3.5 / 4)
    chinese = (2 / 4, 2 / 2, 1.6 / 2)
    often = [(task, language, f"{screen}{i}", v) for i in range(8) for task, language, screen, v in PARSES]
    average = parsing_average.estimate(table(often))
    assert average.value == pytest.approx(sum((*english, *chinese)) / 6)
    assert average.value is not None
    assert average.low is not None
    assert average.high is not None
    assert average.low <= average.value <= average.high
    without = [(task, language, screen, _without(v, "function_similarity")) for task, language, screen, v in PARSES]
    assert parsing_average.estimate(table(without)).value is None


def _without(verdict: Verdict, name: str) -> Verdict:
    measures: Mapping[str, tuple[float, float]] = {k: v for k, v in verdict.measures.items() if k != name}
    return Verdict(verdict.value, flags=verdict.flags, unscored=verdict.unscored, measures=measures)


def test_the_hallucination_averages_differ_by_their_weights() -> None:
    rows = table(places())
    assert localization_accuracy.estimate(rows).value == pytest.approx(4 / 8)
    assert rejection_rate.estimate(rows).value == pytest.approx(6 / 12)
    assert hallucination_average.estimate(rows).value == pytest.approx(10 / 20)
    macro = macro_hallucination_average.estimate(rows)
    assert macro.value == pytest.approx((3 / 4 + 2 / 6 + 1 / 4 + 4 / 6) / 4)
    assert (macro.n, macro.clusters) == (20, 12)


def test_rejecting_everything_rejects_the_absent_and_hits_nothing() -> None:
    rejected = (ABSTAINED,)
    rows = table(
        [("confusion", "en", "a", Verdict(0, flags=rejected)), ("fabricated", "en", "a", Verdict(1, flags=rejected))]
    )
    assert localization_accuracy.estimate(rows).value == 0
    assert rejection_rate.estimate(rows).value == 1
    assert false_rejection_rate.estimate(rows).value == 1


def test_presumed_absent_targets_stand_apart() -> None:
    rows = table([("grounding", "en", "a", Verdict(1)), ("presumed-absent", "en", "b", Verdict(0))])
    assert localization_accuracy.estimate(rows).value == 1
    assert rejection_rate.estimate(rows).value is None
    assert hallucination_average.estimate(rows).n == 1


def test_format_errors_count_in_every_task() -> None:
    assert format_error_rate.estimate(table(PARSES)).value == pytest.approx(1 / 4)


@pytest.mark.parametrize(
    "metric",
    [parsing_recall, parsing_average, function_similarity, localization_accuracy, macro_hallucination_average],
    ids=lambda module: module.__name__.rpartition(".")[2],
)
def test_a_table_of_other_tasks_has_no_value(metric: object) -> None:
    other = TableBuilder()
    other.add(0, Item("c/1", "?", labels={"relation": "normal"}), Verdict(1))
    for rows in (other.build(), TableBuilder().build()):
        assert metric.estimate(rows).value is None  # type: ignore[attr-defined]

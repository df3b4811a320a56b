"""Object-level CHAIR, its coverage, and accuracy as published: by hand-computed tables."""

from __future__ import annotations

import pytest

from snellen.estimate import Estimate
from snellen.item import Item, YesNoReference
from snellen.judges._discriminative import verdict_of
from snellen.judges._objects import measures_of
from snellen.metrics import chair_i, chair_s, object_coverage, published_accuracy
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import Verdict

METRICS = (chair_i, chair_s, object_coverage, published_accuracy)


def table_of(verdicts: list[Verdict]) -> VerdictTable:
    builder = TableBuilder()
    for number, verdict in enumerate(verdicts):
        builder.add(number, Item(f"i/{number}", "?"), verdict)
    return builder.build()


def captions() -> VerdictTable:
    """Five objects are mentioned, two of them not there; two captions of three hallucinate; others have no measure."""
    answers = [
        ("A cat and a dog.", ("cat", "tree")),
        ("A boat.", ("boat",)),
        ("A cat in a car.", ("cat", "chair")),
    ]
    items = [(text, Item("i/0", "Describe it.", objects=objects)) for text, objects in answers]
    verdicts = [Verdict(0, measures=measures_of(item, text)) for text, item in items]
    return table_of([*verdicts, Verdict(1), Verdict(None, unscored="judge_error")])


def test_by_hand() -> None:
    table = captions()
    found = [metric.estimate(table) for metric in (chair_i, chair_s, object_coverage)]
    assert [estimate.value for estimate in found] == [2 / 5, 2 / 3, 3 / 5]
    assert [estimate.n for estimate in found] == [3, 3, 3]
    assert [estimate.clusters for estimate in found] == [3, 3, 3]
    for estimate in found:
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.value is not None
        assert 0 < estimate.low < estimate.value < estimate.high < 1


def test_captions_that_name_nothing_have_no_share_of_mentions_and_count_as_captions() -> None:
    item = Item("i/0", "Describe it.", objects=("cat",))
    table = table_of([Verdict(0, measures=measures_of(item, "It is sunny."))])
    assert chair_i.estimate(table).value is None
    assert chair_s.estimate(table).value == 0.0
    assert object_coverage.estimate(table).value == 0.0


@pytest.mark.parametrize("metric", METRICS)
def test_what_was_not_measured_has_no_value(metric: object) -> None:
    for table in (table_of([]), table_of([Verdict(1), Verdict(0)])):
        assert metric.estimate(table) == Estimate(None, None, None, 0, 0)  # type: ignore[attr-defined]


def test_accuracy_as_published() -> None:
    item = Item("i/0", "Is it?", reference=YesNoReference(yes=False), labels={"kind": "faithfulness"})
    answers = ["No.", "I know: yes.", "It cannot be told.", "NO"]
    table = table_of([verdict_of(item, text) for text in answers] + [Verdict(1)])
    assert published_accuracy.estimate(table).value == 2 / 4  # "No" and "cannot"; "yes" is found first, "NO" is not
    assert published_accuracy.estimate(table).n == 4


def test_the_measures_are_those_of_the_judge() -> None:
    caption = Item("i/0", "Describe it.", objects=("cat",))
    assert {chair_i.MEASURE, chair_s.MEASURE, object_coverage.MEASURE} == measures_of(caption, "").keys()
    item = Item("i/0", "Is it?", reference=YesNoReference(yes=False), labels={"kind": "faithfulness"})
    assert published_accuracy.MEASURE in verdict_of(item, "No").measures

"""What every metric on verdicts keeps to, whatever the verdicts."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen import metrics
from snellen.estimate import Estimate
from snellen.item import Item
from snellen.metrics import abstention_rate, accuracy, non_hallucination_rate, over_refusal_rate, scored_rate
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import ABSTAINED, FLAGS, UNCLEAR, UNSCORED, Verdict

ALL = (non_hallucination_rate, accuracy, abstention_rate, over_refusal_rate, scored_rate)
RELATIONS = ("irrelevant", "inexistent", "contradictory", "normal")
Row = tuple[str, str, Verdict]


def table_of(rows: list[Row], order: list[int] | None = None) -> VerdictTable:
    """A table of (relation, cluster, verdict); `order` gives the positions."""
    builder = TableBuilder({"relation": ("normal",)})
    for number, (relation, cluster, verdict) in enumerate(rows):
        item = Item(f"i/{number}", "?", labels={"relation": relation}, cluster=cluster)
        builder.add(order[number] if order else number, item, verdict)
    return builder.build()


scored = st.builds(
    Verdict, st.sampled_from([0, 1]), flags=st.sets(st.sampled_from(FLAGS), max_size=3).map(lambda s: tuple(sorted(s)))
)
unscored = st.builds(Verdict, st.none(), unscored=st.sampled_from(UNSCORED))
rows = st.lists(
    st.tuples(st.sampled_from(RELATIONS), st.sampled_from("abcde"), st.one_of(scored, scored, unscored)), max_size=30
)


def test_every_metric_is_tested_here() -> None:
    found = {module.name for module in pkgutil.iter_modules(metrics.__path__) if not module.name.startswith("_")}
    assert found >= {module.__name__.rsplit(".", 1)[-1] for module in ALL}
    for name in found:
        module = importlib.import_module(f"snellen.metrics.{name}")
        assert isinstance(module.TITLE, str)
        assert module.TITLE
        assert module.HIGHER_IS_BETTER in (True, False, None)


@pytest.mark.parametrize("value", [0, 1])
def test_perfect_is_100_and_all_wrong_0(value: int) -> None:
    estimate = non_hallucination_rate.estimate(
        table_of([(r, "ab"[n % 2], Verdict(value)) for n, r in enumerate(RELATIONS)])
    )
    assert (estimate.value, estimate.hits, estimate.n) == (value, 4 * value, 4)
    assert (estimate.lower_bound, estimate.upper_bound) == (value, value)


def test_what_each_counts() -> None:
    table = table_of(
        [
            ("normal", "a", Verdict(1)),
            ("normal", "a", Verdict(0, flags=(ABSTAINED,))),
            ("normal", "b", Verdict(None, unscored="judge_error")),
            ("inexistent", "b", Verdict(1, flags=(ABSTAINED,))),
            ("inexistent", "c", Verdict(0, flags=(UNCLEAR,))),
            ("inexistent", "c", Verdict(None, flags=(ABSTAINED,), unscored="judge_cannot_tell")),
        ]
    )
    expected = {
        non_hallucination_rate: (2, 4, 2),
        accuracy: (2, 4, 2),
        abstention_rate: (2, 4, 2),
        over_refusal_rate: (1, 2, 1),
        scored_rate: (4, 6, 0),
    }
    for metric, (hits, n, open_) in expected.items():
        estimate = metric.estimate(table)
        assert (estimate.hits, estimate.n, estimate.unscored) == (hits, n, open_)
        assert estimate.value == hits / n
        assert estimate.lower_bound == hits / (n + open_)
        assert estimate.upper_bound == (hits + open_) / (n + open_)


def test_accuracy_is_of_the_discriminative_tasks() -> None:
    builder = TableBuilder()
    tasks = ("yes-no", "multiple-choice", "free-form", "caption", "caption")
    for number, task in enumerate(tasks):
        builder.add(number, Item(f"i/{number}", "?", labels={"task": task}), Verdict(int(task == "yes-no")))
    builder.add(5, Item("i/5", "?"), Verdict(1))
    estimate = accuracy.estimate(builder.build())
    assert (estimate.hits, estimate.n) == (1, 3)


def test_a_model_that_always_declines_gets_what_arithmetic_predicts() -> None:
    declined = [
        (relation, str(n), Verdict(int(relation != "normal"), flags=(ABSTAINED,)))
        for n in range(5)
        for relation in RELATIONS
    ]
    table = table_of(declined)
    assert non_hallucination_rate.estimate(table).value == 0.75
    assert abstention_rate.estimate(table).value == 1
    assert over_refusal_rate.estimate(table).value == 1


@pytest.mark.parametrize("metric", ALL)
def test_nothing_gives_no_value(metric: ModuleType) -> None:
    for table in (table_of([]), table_of([("normal", "a", Verdict(1))]).where(relation="contradictory")):
        estimate = metric.estimate(table)
        assert isinstance(estimate, Estimate)
        assert (estimate.value, estimate.n, estimate.unscored) == (None, 0, 0)


@pytest.mark.parametrize("metric", ALL)
@given(data=rows, draw=st.data())
def test_judge_failures_never_raise_a_lower_bound(metric: ModuleType, data: list[Row], draw: st.DataObject) -> None:
    failing = draw.draw(st.lists(st.booleans(), min_size=len(data), max_size=len(data)))
    worse = [
        (relation, cluster, Verdict(None, unscored="judge_error") if fails else verdict)
        for (relation, cluster, verdict), fails in zip(data, failing, strict=True)
    ]
    before, after = metric.estimate(table_of(data)), metric.estimate(table_of(worse))
    assert after.n + after.unscored == before.n + before.unscored
    if before.lower_bound is None:
        assert after.lower_bound is None
    else:
        assert after.lower_bound <= before.lower_bound
        if metric is not scored_rate:  # where a failure is itself what is counted
            assert after.upper_bound >= before.upper_bound


@pytest.mark.parametrize("metric", ALL)
@given(data=rows, random=st.randoms(use_true_random=False))
def test_permuting_rows_and_renaming_clusters_change_nothing(
    metric: ModuleType, data: list[Row], random: object
) -> None:
    order = list(range(len(data)))
    random.shuffle(order)  # type: ignore[attr-defined]
    renamed = [(relation, "zyxwv"["abcde".index(cluster)], verdict) for relation, cluster, verdict in data]
    assert metric.estimate(table_of(data)) == metric.estimate(table_of(renamed, order))


@pytest.mark.parametrize("metric", ALL)
@given(data=rows)
def test_splitting_by_a_label_and_adding_up_agrees(metric: ModuleType, data: list[Row]) -> None:
    table = table_of(data)
    whole = metric.estimate(table)
    parts = [metric.estimate(table.where(relation=relation)) for relation in RELATIONS]
    for count in ("hits", "n", "unscored"):
        assert sum(getattr(part, count) for part in parts) == getattr(whole, count)

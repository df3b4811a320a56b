"""What columns must hold, and the error that names column and row."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from snellen import statistics
from snellen.errors import DataError, UsageError

GOOD: dict[str, list[Any]] = {
    "run": ["a", "a", "b", "b"],
    "item": ["i", "j", "i", "j"],
    "pair": ["i", "i", "i", "i"],
    "change": [None, "jpeg:3", None, "jpeg:3"],
    "truth": [None, "kept", None, "kept"],
    "cluster": ["c", "c", "c", "c"],
    "value": [1, 0, 1, None],
    "people": [1, 0, None, 1],
    "confidence": [0.5, 0.6, None, 1.0],
    "abstained": [True, False, True, None],
    "answerable": [True, False, True, False],
    "top": [1.0, 2.0, 3.0, 4.0],
    "bottom": [1.0, 2.0, 3.0, 4.0],
}

Call = Callable[[pl.DataFrame], pl.DataFrame]

CALLS: dict[str, Call] = {
    "rate": statistics.rate,
    "ratio": lambda table: statistics.ratio(table, "top", "bottom"),
    "resistance_rate": statistics.resistance_rate,
    "counterfactual_consistency": statistics.counterfactual_consistency,
    "compare": lambda table: statistics.compare(table, "a"),
    "tiers": statistics.tiers,
    "pairwise": statistics.pairwise,
    "agreement": statistics.agreement,
    "adjusted_rate": statistics.adjusted_rate,
    "risk_coverage": statistics.risk_coverage,
    "risk_coverage_curve": statistics.risk_coverage_curve,
    "calibration_error": statistics.calibration_error,
    "reliability_diagram": statistics.reliability_diagram,
    "signal_detection": statistics.signal_detection,
    "power": lambda table: statistics.power(table, 0.1),
    "rank_correlation": lambda table: statistics.rank_correlation(table, ["top", "bottom"]),
}


def frame(**columns: Any) -> pl.DataFrame:
    return pl.DataFrame({**GOOD, **columns})


@pytest.mark.parametrize("name", CALLS)
def test_good_columns_pass_lazily_too(name: str) -> None:
    found = CALLS[name](frame())
    assert found.equals(CALLS[name](frame().lazy()))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "column", "values", "row"),
    [
        ("rate", "value", [1, 0, 2, 1], "row 2"),
        ("rate", "value", [1.0, float("nan"), 0.0, 1.0], r"fill_nan.*row 1"),
        ("rate", "value", [1.0, 0.0, 0.0, float("inf")], "row 3"),
        ("rate", "value", [0.5, 0.0, 0.0, None], "row 0"),
        ("rate", "value", ["1", "0", "0", None], "String"),
        ("rate", "value", [[1], [0], [0], [1]], "List"),
        ("rate", "cluster", ["c", None, "c", "c"], "row 1"),
        ("rate", "cluster", [1.0, 2.0, 3.0, 4.0], "Float64"),
        ("rate", "cluster", [None] * 4, "row 0"),
        ("ratio", "top", [1.0, 2.0, float("-inf"), 0.0], "row 2"),
        ("ratio", "bottom", [1.0, -2.0, 1.0, None], "row 1"),
        ("ratio", "bottom", [1.0, 1e308, 1e308, None], "1e\\+100 in size.*row 1"),
        ("resistance_rate", "pair", ["i", None, "i", "i"], "row 1"),
        ("resistance_rate", "change", [None, None, None, "jpeg:3"], "row 1"),
        ("resistance_rate", "truth", [None, "kept", None, "Kept"], "row 3"),
        ("counterfactual_consistency", "truth", [None, "gone", None, "kept"], "row 1"),
        ("compare", "run", ["a", "a", "b", None], "row 3"),
        ("compare", "item", ["i", "i", "i", "j"], "row 1"),
        ("tiers", "item", ["i", "j", "j", "j"], "row 3"),
        ("compare", "cluster", ["c", "c", "c", "d"], "row 3"),
        ("agreement", "people", [1, 0, 7, None], "row 2"),
        ("adjusted_rate", "people", [1, 0, -1, None], "row 2"),
        ("risk_coverage", "confidence", [0.1, float("nan"), 0.2, 0.3], "row 1"),
        ("calibration_error", "confidence", [0.1, 0.2, 80.0, None], "row 2"),
        ("reliability_diagram", "confidence", [-0.1, 0.2, 0.3, None], "row 0"),
        ("signal_detection", "answerable", [1, 0, 3, 1], "row 2"),
        ("power", "item", ["i", None, "i", "j"], "row 1"),
        ("rank_correlation", "top", [1.0, 2.0, float("inf"), 3.0], "row 2"),
        ("rank_correlation", "top", [1.0, 2.0, -1e200, 3.0], "row 2"),
    ],
)
def test_the_error_names_column_and_row(name: str, column: str, values: list[Any], row: str) -> None:
    with pytest.raises(DataError, match=row) as caught:
        CALLS[name](frame(**{column: values}))
    message = str(caught.value)
    assert re.search(rf"{column}", message)


@pytest.mark.parametrize("name", CALLS)
def test_a_column_that_is_not_there(name: str) -> None:
    with pytest.raises(UsageError, match=r"the frame has no column .*its columns are: only"):
        CALLS[name](pl.DataFrame({"only": [1]}))
    with pytest.raises(UsageError, match="not list"):
        CALLS[name]([1])  # type: ignore[arg-type]


@pytest.mark.parametrize("name", CALLS)
def test_no_rows(name: str) -> None:
    empty = frame().clear()
    if name in ("compare", "power"):
        with pytest.raises(UsageError, match=r"no run 'a'|no item to plan"):
            CALLS[name](empty)
        return
    found = CALLS[name](empty)
    assert not found["n"].sum() if "n" in found.columns else not len(found)


def test_groups_that_cannot_be() -> None:
    with pytest.raises(UsageError, match="column 'value' of its own"):
        statistics.rate(frame(), "abstained", by="value")
    with pytest.raises(DataError, match="grouped"):
        statistics.rate(frame(kind=[[1], [2], [1], [2]]), by="kind")
    with pytest.raises(UsageError, match="cannot be grouped by 'run'"):
        statistics.compare(frame(), "a", by="run")


def test_runs_that_are_not_there() -> None:
    with pytest.raises(UsageError, match="no run 'z'; the runs are: a, b"):
        statistics.difference(frame(), "a", "z")
    with pytest.raises(UsageError, match="needs a run beside 'a'"):
        statistics.difference(frame(), "a", "a")
    with pytest.raises(UsageError, match="needs a run beside"):
        statistics.compare(frame(run=["a"] * 4, item=list("ijkl")), "a")


def test_too_few_columns() -> None:
    with pytest.raises(UsageError, match="two columns"):
        statistics.rank_correlation(frame(), ["top"])
    with pytest.raises(UsageError, match="spearman or kendall"):
        statistics.rank_correlation(frame(), ["top", "bottom"], method="pearson")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="two raters"):
        statistics.reliability(frame(), ["people"])
    with pytest.raises(UsageError, match="what people said"):
        statistics.agreement(frame(), people=[])
    with pytest.raises(DataError, match="Float64"):
        statistics.reliability(frame(), ["people", "top"])


def test_types_that_do() -> None:
    for values in (
        pl.Series([True, False, True, None]),
        pl.Series([1, 0, 1, None], dtype=pl.UInt8),
        pl.Series([1.0, 0.0, 1.0, None], dtype=pl.Float32),
    ):
        assert statistics.rate(frame(value=values))["value"][0] == pytest.approx(2 / 3)
    for names in (
        pl.Series([1, 1, 2, 2], dtype=pl.UInt64) + 2**63,
        pl.Series(["x", "x", "y", "y"], dtype=pl.Categorical),
        pl.Series(["x", "x", "y", "y"], dtype=pl.Enum(["y", "x", "z"])),
        pl.Series([True, True, False, False]),
    ):
        assert statistics.rate(frame(cluster=names))["clusters"][0] == 2
    assert statistics.rate(frame(value=[None] * 4))["unscored"][0] == 4


def test_null_is_a_group_of_its_own_the_last_one() -> None:
    table = frame(kind=["y", None, "x", None])
    assert statistics.rate(table, by="kind").select("kind", "n", "unscored").rows() == [
        ("x", 1, 0),
        ("y", 1, 0),
        (None, 1, 1),
    ]


@pytest.mark.parametrize("resamples", [199, 0, -1])
def test_too_few_resamples_for_an_interval(resamples: int) -> None:
    with pytest.raises(UsageError, match=f"resamples is {resamples}: an interval needs 200"):
        statistics.agreement(frame(), resamples=resamples)
    with pytest.raises(UsageError, match="an interval needs 200"):
        statistics.reliability(frame(), ["value", "people"], resamples=resamples)

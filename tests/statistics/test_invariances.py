"""What must not matter: the order of rows, the names of clusters, items and runs; and what follows from the columns."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen import statistics

Call = Callable[[pl.DataFrame], pl.DataFrame]

CALLS: dict[str, Call] = {
    "rate": lambda table: statistics.rate(table, by="kind"),
    "ratio": lambda table: statistics.ratio(table, "top", "bottom", by=["kind", "run"]),
    "resistance_rate": lambda table: statistics.resistance_rate(table, by=["change", "kind"]),
    "counterfactual_consistency": lambda table: statistics.counterfactual_consistency(table, by=["truth"]),
    "compare": lambda table: statistics.compare(table, "run0", by="kind"),
    "tiers": statistics.tiers,
    "pairwise": statistics.pairwise,
    "agreement": lambda table: statistics.agreement(table, by="kind", resamples=200),
    "adjusted_rate": lambda table: statistics.adjusted_rate(table, by="kind"),
    "risk_coverage": lambda table: statistics.risk_coverage(table, by="run"),
    "risk_coverage_curve": statistics.risk_coverage_curve,
    "calibration_error": statistics.calibration_error,
    "reliability_diagram": lambda table: statistics.reliability_diagram(table, by="kind"),
    "signal_detection": lambda table: statistics.signal_detection(table, by="kind"),
    "power": lambda table: statistics.power(table, 0.1, by="kind"),
    "rank_correlation": lambda table: statistics.rank_correlation(table, ["top", "confidence"]),
}


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    """Three runs of the same items, clean and changed, in a few clusters, with gaps."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    items, runs = draw(st.integers(2, 12)), draw(st.integers(2, 3))
    gaps = draw(st.sampled_from((0.0, 0.2, 0.9)))
    groups = rng.integers(0, draw(st.integers(1, 5)), items)
    kinds = [("x", "y", None)[number] for number in rng.integers(0, 3, items)]
    rows: list[dict[str, Any]] = []
    for run in range(runs):
        for item in range(items):
            for change, truth in (
                (None, None),
                ("jpeg:3", "kept"),
                ("grayscale:1", rng.choice(["altered", "removed"])),
            ):
                rows.append(
                    {
                        "run": f"run{run}",
                        "item": f"i{item}@{change}",
                        "pair": f"i{item}",
                        "change": change,
                        "truth": None if truth is None else str(truth),
                        "cluster": int(groups[item]),
                        "kind": kinds[item],
                        "value": None if rng.random() < gaps else int(rng.integers(0, 2)),
                        "people": None if rng.random() < 0.5 else int(rng.integers(0, 2)),
                        "confidence": None if rng.random() < gaps else float(rng.integers(0, 11)) / 10,
                        "abstained": bool(rng.integers(0, 2)),
                        "answerable": bool(item % 2),
                        "top": float(rng.integers(0, 5)),
                        "bottom": float(rng.integers(1, 6)),
                    }
                )
    return pl.DataFrame(rows, infer_schema_length=None)


def assert_same(found: pl.DataFrame, wanted: pl.DataFrame) -> None:
    assert found.schema == wanted.schema
    assert len(found) == len(wanted)
    for one, other in zip(found.rows(), wanted.rows(), strict=True):
        for a, b in zip(one, other, strict=True):
            assert a == pytest.approx(b, abs=1e-9) if isinstance(a, float) and isinstance(b, float) else a == b


@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=8, deadline=None)
@given(table=tables(), seed=st.integers(0, 1000))
def test_the_order_of_rows_does_not_matter(name: str, table: pl.DataFrame, seed: int) -> None:
    assert_same(CALLS[name](table.sample(fraction=1, shuffle=True, seed=seed)), CALLS[name](table))


@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=8, deadline=None)
@given(table=tables())
def test_the_names_of_clusters_and_items_do_not_matter(name: str, table: pl.DataFrame) -> None:
    renamed = table.with_columns(
        cluster=pl.format("图-{}", 9 - pl.col("cluster")),
        item=pl.col("item").str.reverse(),
        pair=pl.format("z{}", pl.col("pair").str.reverse()),
    )
    assert_same(CALLS[name](renamed), CALLS[name](table))


@settings(max_examples=25, deadline=None)
@given(table=tables())
def test_estimates_hold_together(table: pl.DataFrame) -> None:
    for found in (statistics.rate(table, by="kind"), statistics.resistance_rate(table, by="kind")):
        for row in found.iter_rows(named=True):
            assert row["clusters"] <= row["n"]
            if row["value"] is not None:
                assert row["low"] <= row["value"] <= row["high"]
                assert row["lower_bound"] <= row["value"] + 1e-12
                assert row["value"] <= row["upper_bound"] + 1e-12
    parts, whole = statistics.rate(table, by="kind"), statistics.rate(table)
    assert sum(parts["n"]) + sum(parts["unscored"]) == len(table) == whole["n"][0] + whole["unscored"][0]
    forth = statistics.difference(table, "run0", "run1").row(0, named=True)
    back = statistics.difference(table, "run1", "run0").row(0, named=True)
    if forth["value"] is not None:
        assert forth["value"] == -back["value"]
        assert (forth["gained"], forth["lost"]) == (back["lost"], back["gained"])
        assert forth["p"] == back["p"]
    ranked = statistics.tiers(table)
    assert ranked["value"].to_list() == sorted(ranked["value"], reverse=True)
    assert len(statistics.pairwise(table)) == math.comb(len(ranked), 2)


@settings(max_examples=25, deadline=None)
@given(table=tables())
def test_what_is_grouped_is_what_is_filtered(table: pl.DataFrame) -> None:
    for name in ("rate", "agreement", "adjusted_rate", "signal_detection", "reliability_diagram"):
        function = getattr(statistics, name)
        options = {"resamples": 200} if name == "agreement" else {}
        whole = function(table, by="kind", **options)
        for kind in whole["kind"].unique():
            alone = function(table.filter(pl.col("kind").eq_missing(kind)), **options)
            assert_same(whole.filter(pl.col("kind").eq_missing(kind)).drop("kind"), alone)


def test_fractions_added_up_in_another_order_draw_the_same_clusters() -> None:
    """Sums that are equal but for their last digits have no order of their own: what else a cluster holds decides."""
    parts = (0.1, 0.2, 0.3)
    assert sum(parts) != sum(parts[::-1])
    rows = [
        (part, 1.0 + (7 * cluster % 23) * (place == 0), cluster)
        for cluster in range(23)
        for place, part in enumerate(parts[:: 1 if cluster % 2 else -1])
    ]
    table = pl.DataFrame(rows, schema=["top", "bottom", "cluster"], orient="row")
    assert_same(statistics.ratio(table.reverse(), "top", "bottom"), statistics.ratio(table, "top", "bottom"))

"""On made-up data, the numbers of the libraries that everybody knows."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from snellen import statistics

N = 400


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    rng = np.random.default_rng(5)
    people = rng.random(N) < 0.6
    judge = np.where(rng.random(N) < 0.8, people, ~people)
    sure = np.round(rng.random(N) * 0.5 + 0.5 * (judge * 0.8), 2)
    return pl.DataFrame(
        {
            "value": judge.astype(np.int8),
            "people": people.astype(np.int8),
            "third": np.where(rng.random(N) < 0.7, people, ~people).astype(np.int8),
            "confidence": sure,
            "cluster": rng.integers(0, 80, N),
            "kind": rng.choice(["x", "y"], N),
        }
    )


def value(found: pl.DataFrame, statistic: str) -> float:
    return float(found.filter(pl.col("statistic") == statistic)["value"][0])


def test_agreement(table: pl.DataFrame) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    krippendorff = pytest.importorskip("krippendorff", reason="krippendorff is not installed")
    for kind in ("x", "y"):
        own = table.filter(pl.col("kind") == kind)
        found = statistics.agreement(table, by="kind", resamples=200).filter(pl.col("kind") == kind)
        people, judge = own["people"].to_numpy(), own["value"].to_numpy()
        assert value(found, "accuracy") == pytest.approx(metrics.accuracy_score(people, judge), abs=1e-12)
        assert value(found, "kappa") == pytest.approx(metrics.cohen_kappa_score(people, judge), abs=1e-12)
        assert value(found, "sensitivity") == pytest.approx(metrics.recall_score(people, judge, pos_label=0), abs=1e-12)
        assert value(found, "specificity") == pytest.approx(metrics.recall_score(people, judge, pos_label=1), abs=1e-12)
        alpha = krippendorff.alpha(np.stack([people, judge]), level_of_measurement="nominal")
        assert value(found, "alpha") == pytest.approx(alpha, abs=1e-12)


def test_reliability_of_kinds_with_gaps(table: pl.DataFrame) -> None:
    krippendorff = pytest.importorskip("krippendorff", reason="krippendorff is not installed")
    rng = np.random.default_rng(1)
    ratings = rng.integers(0, 3, (4, 60))
    ratings[:, ::2] = ratings[0, ::2]
    gaps = rng.random(ratings.shape) < 0.3
    words = np.array(["red", "green", "blue"])[ratings]
    frame = pl.DataFrame(
        {
            f"rater {number}": [None if gap else str(word) for word, gap in zip(row, holes, strict=True)]
            for number, (row, holes) in enumerate(zip(words, gaps, strict=True))
        }
    )
    wanted = krippendorff.alpha(np.where(gaps, np.nan, ratings), level_of_measurement="nominal")
    found = statistics.reliability(frame, frame.columns, cluster=None)
    assert found["value"][0] == pytest.approx(wanted, abs=1e-12)
    assert found["n"][0] == int(((~gaps).sum(0) >= 2).sum())


def test_adjusted_rate_against_prediction_powered_inference(table: pl.DataFrame) -> None:
    ppi = pytest.importorskip("ppi_py", reason="ppi-python is not installed")
    audited = np.arange(N) < 120
    frame = table.with_columns(people=pl.when(pl.Series(audited)).then("people"))
    found = statistics.adjusted_rate(frame, cluster=None).row(0, named=True)
    y, f = (table[name].to_numpy().astype(float) for name in ("people", "value"))
    wanted = ppi.ppi_mean_pointestimate(y[audited], f[audited], f[~audited])
    assert found["value"] == pytest.approx(float(wanted[0]), abs=1e-9)
    assert (found["n"], found["unscored"]) == (120, N - 120)


def test_certainty(table: pl.DataFrame) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    y, p = table["value"].to_numpy(), table["confidence"].to_numpy()
    errors = statistics.calibration_error(table)
    assert value(errors, "brier") == pytest.approx(metrics.brier_score_loss(y, p), abs=1e-12)
    assert value(errors, "overconfidence") == pytest.approx(p.mean() - y.mean(), abs=1e-12)
    found = statistics.risk_coverage(table)
    assert value(found, "separation") == pytest.approx(metrics.roc_auc_score(y, p), abs=1e-12)
    # Without ties the area is the mean of the risks of the first k, for every k.
    rng = np.random.default_rng(0)
    distinct = rng.permutation(N) / N
    curve = statistics.risk_coverage(table.with_columns(confidence=pl.Series(distinct)))
    wrong = (y == 0)[np.argsort(-distinct)]
    assert value(curve, "aurc") == pytest.approx(float((np.cumsum(wrong) / np.arange(1, N + 1)).mean()), abs=1e-12)


def test_signal_detection(table: pl.DataFrame) -> None:
    stats = pytest.importorskip("scipy.stats")
    # With as many answerable questions as others, the correction is half a case for each count.
    even = pl.concat(table.filter(pl.col("people") == kind).head(100) for kind in (0, 1))
    frame = even.select("cluster", abstained="value", answerable="people")
    found = statistics.signal_detection(frame, value=None)
    said, asked = frame["abstained"].to_numpy() == 1, frame["answerable"].to_numpy() == 1
    hit = stats.norm.ppf((said[~asked].sum() + 0.5) / ((~asked).sum() + 1))
    alarm = stats.norm.ppf((said[asked].sum() + 0.5) / (asked.sum() + 1))
    assert value(found, "sensitivity") == pytest.approx(hit - alarm, abs=1e-12)
    assert value(found, "criterion") == pytest.approx(-(hit + alarm) / 2, abs=1e-12)


def test_rate_of_single_items_is_wilsons(table: pl.DataFrame) -> None:
    stats = pytest.importorskip("scipy.stats")
    found = statistics.rate(table, cluster=None).row(0, named=True)
    wanted = stats.binomtest(int(table["value"].sum()), N).proportion_ci(method="wilson")
    assert (found["low"], found["high"]) == (pytest.approx(wanted.low, abs=1e-9), pytest.approx(wanted.high, abs=1e-9))


def test_differences_of_single_items_are_mcnemars(table: pl.DataFrame) -> None:
    stats = pytest.importorskip("scipy.stats")
    runs = pl.concat(
        table.select(run=pl.lit(name), item=pl.int_range(N), value=name) for name in ("value", "people", "third")
    )
    found = statistics.compare(runs, "people", cluster=None)
    assert found["run"].to_list() == ["third", "value"]
    for row in found.iter_rows(named=True):
        d = (table[row["run"]] - table["people"]).to_numpy()
        assert (row["gained"], row["lost"]) == (int((d > 0).sum()), int((d < 0).sum()))
        wanted = stats.binomtest(int((d > 0).sum()), int((d != 0).sum())).pvalue
        assert row["p"] == pytest.approx(wanted, abs=1e-9)
    assert sorted(found["p_holm"]) == pytest.approx([min(found["p"]) * 2, max(max(found["p"]), min(found["p"]) * 2)])


@pytest.mark.parametrize("method", ["spearman", "kendall"])
def test_rank_correlation(method: Any) -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({name: rng.integers(0, 9, 14) / 8 for name in ("score", "resistance", "abstention")})
    reference = stats.spearmanr if method == "spearman" else stats.kendalltau
    found = statistics.rank_correlation(frame, frame.columns, method=method)
    assert len(found) == 3
    for row in found.iter_rows(named=True):
        wanted = reference(frame[row["first"]].to_numpy(), frame[row["second"]].to_numpy())
        assert row["value"] == pytest.approx(float(wanted.statistic), abs=1e-12)
        assert row["p"] == pytest.approx(float(wanted.pvalue), abs=1e-9)
        assert row["low"] <= row["value"] <= row["high"]


def test_power_by_simulation() -> None:
    """With as many clusters as are needed, the test of `compare` sees the difference about as often as it should."""
    items = pl.DataFrame({"item": range(2000), "cluster": [number // 8 for number in range(2000)]})
    plan = statistics.power(items, 0.06, value=None, run=None, discordance=0.2, correlation=0.0).row(0, named=True)
    assert plan["run_pairs"] == 0
    n = 8 * plan["clusters_needed"]
    rng = np.random.default_rng(3)
    seen = 0
    for _ in range(150):
        roll = rng.random(n)
        d = np.where(roll < 0.13, 1, np.where(roll < 0.2, -1, 0))
        base = np.where(d == 0, rng.integers(0, 2, n), d < 0)
        runs = pl.DataFrame(
            {
                "run": ["a"] * n + ["b"] * n,
                "item": [*range(n)] * 2,
                "value": np.concatenate([base, base + d]),
                "cluster": [number // 8 for number in range(n)] * 2,
            }
        )
        seen += statistics.difference(runs, "a", "b")["p"][0] < 0.05
    assert 0.7 < seen / 150 < 0.92

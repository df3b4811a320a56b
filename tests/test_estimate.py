"""Intervals and estimates: against hand-computed numbers, scipy, statsmodels, and the coverage they promise."""

from __future__ import annotations

import importlib.util
import math
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.estimate import BOOTSTRAP, NO_INTERVAL, WILSON, Estimate, rate, ratio
from snellen.intervals import bootstrap, bootstraps, cluster_sums, share_interval, t_quantile


@pytest.fixture(scope="module")
def coverage() -> ModuleType:
    path = Path(__file__).parent.parent / "perf" / "interval_coverage.py"
    spec = importlib.util.spec_from_file_location("interval_coverage", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("df", [1, 2, 3, 4, 7, 30, 59, 60, 61, 62, 105, 1061, 50_000])
@pytest.mark.parametrize("probability", [0.005, 0.1, 0.5, 0.9, 0.95, 0.975, 0.995])
def test_t_quantile_is_that_of_scipy(df: int, probability: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert t_quantile(probability, df) == pytest.approx(stats.t.ppf(probability, df), rel=5e-9, abs=1e-12)


@pytest.mark.parametrize(("probability", "df"), [(0, 5), (1, 5), (0.5, 0)])
def test_t_quantile_refuses_nonsense(probability: float, df: int) -> None:
    with pytest.raises(ValueError, match="t quantile"):
        t_quantile(probability, df)


@pytest.mark.parametrize(("hits", "n"), [(0, 114), (1, 54), (7, 20), (287, 1062), (20, 20), (1, 1), (0, 1)])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_one_item_a_cluster_is_wilsons_interval(hits: int, n: int, confidence: float) -> None:
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    low, high = proportion.proportion_confint(hits, n, 1 - confidence, method="wilson")
    estimate = rate([1] * hits + [0] * (n - hits), range(n), confidence=confidence)
    assert estimate.low == pytest.approx(low, abs=1e-12)
    assert estimate.high == pytest.approx(high, abs=1e-12)
    assert estimate.design_effect == pytest.approx(1)
    assert (estimate.n, estimate.clusters, estimate.hits, estimate.method) == (n, n, hits, WILSON)


def test_design_effect_by_hand() -> None:
    # Clusters (2 of 2), (0 of 2), (2 of 2), (0 of 2): p = 1/2, residuals +-1, v = 4/3 * 4 / 64 = 1/12, independent
    # 1/4 / 7 = 1/28, seen 7/3; prior 1 + 0.2 (16/8 - 1) = 1.2; drawn (4 * 7/3 + 3 * 1.2) / 7 = 1.847 < 7/3.
    estimate = rate([1, 1, 0, 0, 1, 1, 0, 0], [0, 0, 1, 1, 2, 2, 3, 3])
    assert estimate.design_effect == pytest.approx(7 / 3)
    c = 1.959963984540054 * 3.182446305284263 / 2.364624251592785  # z t(3) / t(7)
    effective = 8 / (7 / 3)
    half = c / (1 + c * c / effective) * math.sqrt(1 / (4 * effective) + c * c / (4 * effective**2))
    assert estimate.low == pytest.approx(0.5 - half, abs=1e-9)
    assert estimate.high == pytest.approx(0.5 + half, abs=1e-9)


def test_few_hits_draw_the_design_effect_upwards() -> None:
    # One hit in ten clusters of ten: seen just under 1; prior 1 + 0.2 * 9 = 2.8; drawn (seen + 3 * 2.8) / 4.
    estimate = rate([1] + [0] * 99, np.repeat(range(10), 10))
    residual = (1 - 0.1) ** 2 + 9 * 0.1**2
    seen = 10 / 9 * residual / 100**2 / (0.01 * 0.99 / 99)
    assert estimate.design_effect == pytest.approx((seen + 3 * 2.8) / 4)
    none = rate([0] * 100, np.repeat(range(10), 10))
    assert none.design_effect == pytest.approx((1 + 3 * 2.8) / 4)
    assert none.high is not None
    assert estimate.high is not None
    assert none.high < estimate.high


def test_variance_is_the_cluster_robust_one_of_statsmodels() -> None:
    api = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(5)
    sizes = rng.integers(1, 13, 40)
    clusters = np.repeat(np.arange(40), sizes)
    y = (rng.random(len(clusters)) < np.where(rng.random(40) < 0.4, 0.9, 0.1)[clusters]).astype(float)
    fit = api.OLS(y, np.ones(len(y))).fit(cov_type="cluster", cov_kwds={"groups": clusters})
    p, n = y.mean(), len(y)
    estimate = rate(y, clusters)
    assert estimate.design_effect == pytest.approx(float(fit.bse[0]) ** 2 / (p * (1 - p) / (n - 1)), rel=1e-9)
    assert estimate.design_effect is not None
    assert estimate.design_effect > 1 + 0.2 * 8  # above the prior, which therefore has no say


def test_nothing_or_everything_leaves_room() -> None:
    none, every = rate([0] * 114, range(114)), rate([1] * 114, range(114))
    assert (none.value, none.low) == (0, 0)
    assert none.high == pytest.approx(0.0326, abs=1e-4)
    assert (every.value, every.high) == (1, 1)
    assert every.low == pytest.approx(1 - 0.0326, abs=1e-4)


def test_no_item_scored_is_no_error() -> None:
    assert rate([], []) == Estimate(None, None, None, 0, 0, hits=0)
    unscored = rate([math.nan, math.nan], ["a", "b"])
    assert (unscored.value, unscored.low, unscored.n, unscored.unscored) == (None, None, 0, 2)
    assert (unscored.lower_bound, unscored.upper_bound) == (0, 1)
    assert unscored.method == NO_INTERVAL


def test_a_single_cluster_is_a_single_observation() -> None:
    many = rate([1, 1, 1, 0] * 10, ["x"] * 40)
    assert (many.clusters, many.design_effect) == (1, 40)
    assert many.low is not None
    assert many.high is not None
    assert many.low < 0.15
    assert many.high > 0.95
    all_hit = rate([1] * 40, ["x"] * 40)
    assert all_hit.low == pytest.approx(rate([1], ["x"]).low)


def test_two_clusters_are_hardly_more() -> None:
    estimate = rate([1] * 20 + [0] * 20, [0] * 20 + [1] * 20)
    assert estimate.low is not None
    assert estimate.low < 0.03


@pytest.mark.parametrize("size", [1, 2, 5, 10, 30])
@pytest.mark.parametrize("clusters", [2, 5, 20, 106])
def test_one_hit_has_a_higher_upper_end_than_none(size: int, clusters: int) -> None:
    names = np.repeat(range(clusters), size)
    none, one = rate(np.zeros(len(names)), names), rate(np.arange(len(names)) == 0, names)
    assert none.high is not None
    assert one.high is not None
    assert none.high < one.high


@pytest.mark.parametrize("odd", [2, -1, 0.5, math.inf])
def test_a_rate_takes_zeros_and_ones_only(odd: float) -> None:
    with pytest.raises(ValueError, match="zeros and ones"):
        rate([0, 1, odd], [0, 1, 2])
    assert rate([0, 1, odd], [0, 1, 2], scored=[True, True, False]).n == 2


def test_shapes_must_agree() -> None:
    with pytest.raises(ValueError, match="same length"):
        rate([0, 1], [0])
    with pytest.raises(ValueError, match="same length"):
        rate([0, 1], [0, 1], scored=[True])
    with pytest.raises(ValueError, match="confidence"):
        rate([0, 1], [0, 1], confidence=95)


rows = st.lists(st.tuples(st.sampled_from([0.0, 1.0, math.nan]), st.integers(0, 5)), max_size=40)


@given(rows, st.randoms(use_true_random=False))
def test_neither_order_nor_names_of_clusters_matter(data: list[tuple[float, int]], random: object) -> None:
    before = rate([y for y, _ in data], [c for _, c in data])
    shuffled = sorted(data, key=lambda _: random.random())  # type: ignore[attr-defined]
    after = rate([y for y, _ in shuffled], [f"chart {997 * (7 - c)}" for _, c in shuffled])
    assert before == after


@given(rows, st.data())
def test_failures_never_raise_a_lower_bound_nor_lower_an_upper_one(
    data: list[tuple[float, int]], draw: st.DataObject
) -> None:
    before = rate([y for y, _ in data], [c for _, c in data])
    fails = draw.draw(st.lists(st.booleans(), min_size=len(data), max_size=len(data)))
    after = rate([math.nan if f else y for (y, _), f in zip(data, fails, strict=True)], [c for _, c in data])
    if before.lower_bound is not None and before.upper_bound is not None:
        assert after.lower_bound is not None
        assert after.upper_bound is not None
        assert after.lower_bound <= before.lower_bound
        assert after.upper_bound >= before.upper_bound
    assert after.n + after.unscored == before.n + before.unscored == len(data)


@given(rows)
def test_ends_and_bounds_enclose_the_value(data: list[tuple[float, int]]) -> None:
    estimate = rate([y for y, _ in data], [c for _, c in data])
    if estimate.value is not None:
        assert estimate.low is not None
        assert estimate.high is not None
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
        assert estimate.low < 1
        assert estimate.high > 0
        assert estimate.lower_bound is not None
        assert estimate.upper_bound is not None
        assert estimate.lower_bound <= estimate.value <= estimate.upper_bound


def test_pieces() -> None:
    estimate = Estimate(287 / 1059, 0.2416, 0.3024, 1059, 106, 3, 287 / 1062, 290 / 1062, hits=287)
    assert str(estimate) == "27.1 % [24.2, 30.2], 287 of 1,059 scored of 1,062"
    assert f"{estimate}" == str(estimate)
    assert f"{estimate:value}" == "27.1 %"
    assert f"{estimate:interval}" == "[24.2, 30.2]"
    assert f"{estimate:counts}" == "287 of 1,059 scored of 1,062"
    assert f"{estimate:bounds}" == "between 27.0 and 27.3 % whatever the unscored are"
    assert str(rate([], [])) == "no value, 0 of 0 scored of 0"
    assert format(rate([1], [0]), "bounds") == ""
    assert format(ratio([1, math.nan], [2, 2], [0, 1], seed=0), "bounds") == "bounds unknown"
    with pytest.raises(ValueError, match="pieces"):
        format(estimate, ".2f")


def test_to_json_has_plain_values() -> None:
    import json

    data = rate([1, 0, 1], np.array([3, 3, 4], np.int32)).to_json()
    assert json.loads(json.dumps(data)) == data
    assert data["value"] == pytest.approx(2 / 3)


def test_a_share_is_as_good_as_a_rate() -> None:
    y, clusters = [1, 0, 1, 1, 0, 0], [0, 0, 1, 1, 2, 2]
    as_ratio, as_rate = ratio(y, [1] * 6, clusters, seed=0), rate(y, clusters)
    assert (as_ratio.value, as_ratio.low, as_ratio.high) == (as_rate.value, as_rate.low, as_rate.high)
    assert (as_ratio.method, as_ratio.design_effect) == (WILSON, as_rate.design_effect)
    none_kept = ratio([0, 0], [1, 1], [0, 1], seed=0)
    assert none_kept.high is not None
    assert none_kept.high > 0


def test_a_ratio_of_sums_weighs_items_by_their_denominators() -> None:
    estimate = ratio([0.5, 9.0], [1.0, 10.0], [0, 1], seed=1)
    assert estimate.value == pytest.approx(9.5 / 11)
    assert estimate.method == BOOTSTRAP
    assert estimate.design_effect is None
    assert (estimate.lower_bound, estimate.upper_bound) == (estimate.value, estimate.value)


def test_a_ratio_without_denominator_or_with_one_cluster() -> None:
    nothing = ratio([0, 0], [0, 0], [0, 1], seed=0)
    assert (nothing.value, nothing.low, nothing.n, nothing.method) == (None, None, 2, NO_INTERVAL)
    assert ratio([], [], [], seed=0).value is None
    one = ratio([0.5, 0.2], [1, 1], ["x", "x"], seed=0)
    assert one.value == pytest.approx(0.35)
    assert (one.low, one.high, one.method) == (None, None, NO_INTERVAL)


@pytest.mark.parametrize(("top", "bottom"), [(math.inf, 1), (1, math.inf), (1, -1)])
def test_a_ratio_refuses_what_has_no_sum(top: float, bottom: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        ratio([0, top], [1, bottom], [0, 1], seed=0)


def test_cluster_sums_by_name_number_and_none() -> None:
    assert cluster_sums([[1, 2, 3]], ["b", "a", "b"]).tolist() == [[2], [4]]
    assert cluster_sums([[1, 2, 3]], [7, 10**15, 7]).tolist() == [[4], [2]]
    assert cluster_sums([[1, 2, 3]], [-1, 4, -1]).tolist() == [[4], [2]]
    assert cluster_sums([[], []], []).shape == (0, 2)


def _skewed(seed: int, clusters: int = 60) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.stack([rng.gamma(0.5, size=clusters), rng.integers(1, 12, clusters)], 1)


def _over(totals: np.ndarray) -> np.ndarray:
    return np.asarray(totals[..., 0] / totals[..., 1])


def test_bootstrap_is_seeded_and_knows_no_order() -> None:
    sums = _skewed(0)
    first = bootstrap(sums, _over, seed=3)
    assert bootstrap(sums[::-1], _over, seed=3) == first
    assert bootstrap(sums, _over, seed=4) != first
    assert first.value == pytest.approx(sums[:, 0].sum() / sums[:, 1].sum())


def test_bootstrap_agrees_with_the_bca_interval_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    sums = _skewed(1, 400)

    def statistic(top: np.ndarray, bottom: np.ndarray, axis: int) -> np.ndarray:
        return np.asarray(top.sum(axis) / bottom.sum(axis))

    other = stats.bootstrap(
        (sums[:, 0], sums[:, 1]),
        statistic,
        paired=True,
        vectorized=True,
        n_resamples=9999,
        rng=np.random.default_rng(0),
        method="BCa",
    ).confidence_interval
    mine = bootstrap(sums, _over, seed=0, resamples=9999)
    assert mine.low is not None
    assert mine.high is not None
    width = other.high - other.low
    assert mine.low == pytest.approx(other.low, abs=0.04 * width)
    assert mine.high == pytest.approx(other.high, abs=0.04 * width)


def test_bootstrap_in_chunks_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    sums = _skewed(2)
    whole = bootstrap(sums, _over, seed=0)
    monkeypatch.setattr("snellen.intervals._CHUNK", 1000)
    assert bootstrap(sums, _over, seed=0) == whole


def test_several_statistics_of_the_same_resamples_are_as_each_alone() -> None:
    sums = np.random.default_rng(2).integers(0, 9, (25, 3)).astype(np.float64)
    statistics = [_over, lambda t: t[..., 2] / t[..., 1], lambda t: t[..., 0] * np.nan]
    alone = [bootstrap(sums, statistic, seed=1) for statistic in statistics]
    assert bootstraps(sums, statistics, seed=1) == alone
    assert alone[0] != alone[1]
    assert alone[2] == (None, None, None)


def test_bootstrap_where_the_statistic_is_undefined() -> None:
    assert bootstrap(np.zeros((5, 2)), _over, seed=0) == (None, None, None)
    assert bootstrap(np.zeros((0, 2)), _over, seed=0) == (None, None, None)
    # A denominator in one of three clusters: three resamples in ten are without it.
    assert bootstrap([[1, 2], [0, 0], [0, 0]], _over, seed=0) == (0.5, None, None)
    assert bootstrap([[1, 2], [2, 4]], _over, seed=0) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize(
    ("sums", "confidence", "resamples"), [([1, 2], 0.95, 1000), ([[1], [2]], 1, 1000), ([[1], [2]], 0.95, 10)]
)
def test_bootstrap_refuses_nonsense(sums: npt.ArrayLike, confidence: float, resamples: int) -> None:
    with pytest.raises(ValueError, match="bootstrap"):
        bootstrap(sums, lambda t: t[..., 0], seed=0, confidence=confidence, resamples=resamples)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.floats(-1e3, 1e3), st.integers(0, 3)), min_size=1, max_size=12), st.integers(0, 9))
def test_bootstrap_never_fails_on_odd_data(sums: list[tuple[float, int]], seed: int) -> None:
    interval = bootstrap(sums, _over, seed=seed, resamples=200)
    if interval.value is not None and interval.low is not None and interval.high is not None:
        assert interval.low <= interval.value <= interval.high


def test_share_interval_takes_many_samples_at_once() -> None:
    hits, sizes = np.array([[1, 0, 2], [0, 0, 0], [3, 1, 2]]), np.array([3, 1, 2])
    low, high, effect = share_interval(hits, sizes)
    for row in range(3):
        alone = share_interval(hits[row], sizes)
        assert (low[row], high[row], effect[row]) == tuple(map(float, alone))
    assert np.isnan(share_interval([0, 0], [0, 0])).all()
    padded = share_interval([1, 0, 2, 0], [3, 1, 2, 0])
    assert padded[0] == low[0]


@pytest.mark.parametrize(("rate_", "correlation"), [(0.05, 0.0), (0.05, 0.2), (0.3, 0.1), (0.9, 0.2), (0.5, 0.0)])
def test_rates_cover(coverage: ModuleType, rate_: float, correlation: float) -> None:
    # 2,000 replicates: a standard error of half a point.
    assert 0.925 <= coverage.rate_coverage("all 1,062", rate_, correlation, 2000, seed=11).holds <= 0.98


def test_cells_and_shares_and_the_bootstrap_cover(coverage: ModuleType) -> None:
    assert 0.925 <= coverage.rate_coverage("cell, 114", 0.3, 0.1, 2000, seed=11).holds <= 0.98
    assert 0.925 <= coverage.share_coverage(0.3, 0.95, 0.1, 2000, seed=11).holds <= 0.98
    for setting in coverage.BOOTSTRAPPED.values():
        assert 0.91 <= coverage.bootstrap_coverage(*setting, 400, seed=11).holds <= 0.985


@pytest.mark.parametrize(("hit", "kept", "correlation"), [(0.1, 0.3, 0.2), (0.3, 0.9, 0.0), (0.9, 0.5, 0.1)])
def test_resistance_and_pairs_cover(coverage: ModuleType, hit: float, kept: float, correlation: float) -> None:
    """On ChartHal's charts and on SHALE's images of two questions."""
    for shape in (coverage.CHARTS, coverage.IMAGES):
        items = coverage.sizes_of(shape).sum()
        assert coverage.promised(items * hit, kept, correlation)
        assert 0.925 <= coverage.share_coverage(hit, kept, correlation, 2000, 11, shape).holds <= 0.98
    assert 0.925 <= coverage.rate_coverage(coverage.IMAGES, hit, correlation, 2000, seed=11).holds <= 0.98
    assert not coverage.promised(100, 0.09, 0.0)
    assert not coverage.promised(100, 0.91, 0.0)
    assert not coverage.promised(100, 0.5, 0.4)


@pytest.mark.slow
def test_rates_cover_as_promised(coverage: ModuleType) -> None:
    found = {
        (rate_, correlation): coverage.rate_coverage("all 1,062", rate_, correlation, 10_000, seed=2).holds
        for rate_ in coverage.RATES
        for correlation in coverage.CORRELATIONS
    }
    assert len(found) == 28
    assert {setting: holds for setting, holds in found.items() if not 0.93 <= holds <= 0.97} == {}


def test_sizes_are_those_of_charthal(coverage: ModuleType) -> None:
    sizes = coverage.sizes_of("all 1,062")
    assert (sizes.sum(), len(sizes), sizes.min(), sizes.max()) == (1062, 106, 6, 12)
    for shape in coverage.SHAPES:
        assert f"{coverage.sizes_of(shape).sum():,}" == shape.split()[-1]

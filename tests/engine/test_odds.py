"""Odds ratios by hand, against statsmodels (GEE, Mantel-Haenszel), and areas against every pair counted."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
import statsmodels.api as sm
from sklearn.metrics import roc_auc_score
from statsmodels.stats.contingency_tables import StratifiedTable

from snellen.engine.odds import area, mantel_haenszel, odds_ratio
from snellen.intervals import t_quantile

Array = npt.NDArray[np.int64]


def cases(*cells: int) -> tuple[Array, Array]:
    """Exposed and bad of a, b, c, d cases."""
    return np.repeat([1, 1, 0, 0], cells), np.repeat([1, 0, 1, 0], cells)


def clustered(seed: int, groups: int = 40, size: int = 9) -> tuple[Array, Array, Array]:
    """Cases whose clusters share much of what is exposed and what is bad."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(groups), size)
    x = (rng.normal(size=groups)[group] + rng.normal(size=len(group)) > 0).astype(np.int64)
    y = (0.8 * x + 1.5 * rng.normal(size=groups)[group] + rng.logistic(size=len(group)) > 0).astype(np.int64)
    return x, y, group


def test_by_hand() -> None:
    found = odds_ratio(*cases(12, 5, 7, 20), range(44))
    assert (found.exposed_bad, found.exposed_good, found.other_bad, found.other_good) == (12, 5, 7, 20)
    assert found.value == pytest.approx(12 * 20 / (5 * 7))
    # With every case a cluster of its own the sandwich is Woolf's times G / (G - 1).
    error = math.sqrt((1 / 12 + 1 / 5 + 1 / 7 + 1 / 20) * 44 / 43)
    assert found.low == pytest.approx(math.exp(math.log(240 / 35) - t_quantile(0.975, 43) * error))
    assert found.high == pytest.approx(math.exp(math.log(240 / 35) + t_quantile(0.975, 43) * error))
    assert not found.corrected
    assert found.strata is None


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_clustered_error_is_that_of_a_gee(seed: int) -> None:
    x, y, group = clustered(seed)
    found = odds_ratio(x, y, group)
    fit = sm.GEE(y, sm.add_constant(x), groups=group, family=sm.families.Binomial()).fit()
    error = float(fit.bse[1]) * math.sqrt(40 / 39)
    woolf = math.sqrt(
        sum(1 / each for each in (found.exposed_bad, found.exposed_good, found.other_bad, found.other_good))
    )
    assert found.value == pytest.approx(math.exp(fit.params[1]), rel=1e-6)
    assert found.value is not None
    assert found.high is not None
    assert math.log(found.high / found.value) == pytest.approx(t_quantile(0.975, 39) * max(error, woolf), rel=1e-5)


def test_clusters_that_are_alike_widen_the_interval() -> None:
    x, y = cases(12, 5, 7, 20)
    once = odds_ratio(x, y, range(44))
    thrice = odds_ratio(np.tile(x, 3), np.tile(y, 3), np.tile(np.arange(44), 3))
    apart = odds_ratio(np.tile(x, 3), np.tile(y, 3), range(132))
    assert thrice.low == pytest.approx(once.low)
    assert apart.low is not None
    assert once.low is not None
    assert apart.low > once.low


def test_an_empty_cell_gets_half_a_case_by_hand() -> None:
    found = odds_ratio(*cases(6, 0, 3, 9), range(18))
    assert found.corrected
    assert found.value == pytest.approx(6.5 * 9.5 / (0.5 * 3.5))
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    # The sandwich knows nothing of an empty cell; Woolf's variance with the half cases does.
    error = math.sqrt(1 / 6.5 + 1 / 0.5 + 1 / 3.5 + 1 / 9.5)
    assert math.log(found.high / found.value) >= t_quantile(0.975, 17) * error * 0.999
    assert found.exposed_good == 0


@pytest.mark.parametrize("cells", [(5, 3, 0, 0), (0, 0, 4, 4), (5, 0, 4, 0), (0, 5, 0, 4), (0, 0, 0, 0)])
def test_a_margin_without_cases_has_no_odds(cells: tuple[int, int, int, int]) -> None:
    found = odds_ratio(*cases(*cells), range(sum(cells)))
    assert (found.value, found.low, found.high, found.p) == (None, None, None, None)
    assert found.n == sum(cells)


def test_one_cluster_has_a_value_and_no_interval() -> None:
    found = odds_ratio(*cases(2, 1, 1, 2), [0] * 6)
    assert found.value == pytest.approx(4)
    assert (found.low, found.high, found.p) == (None, None, None)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_mantel_haenszel_is_that_of_statsmodels(seed: int) -> None:
    x, y, group = clustered(seed, groups=300, size=1)
    strata = np.random.default_rng(seed).integers(0, 4, len(x))
    tables = []
    for k in range(4):
        own = strata == k
        tables.append(
            [[int((own & (x == i) & (y == j)).sum()) for j in (1, 0)] for i in (1, 0)],
        )
    theirs = StratifiedTable([np.array(table, float) for table in tables])
    found = mantel_haenszel(x, y, strata, group)
    assert found.strata == 4
    assert found.value == pytest.approx(float(theirs.oddsratio_pooled))
    assert found.value is not None
    assert found.high is not None
    error = math.log(found.high / found.value) / t_quantile(0.975, 299)
    # The linearised variance of independent cases is nearly that of Robins, Breslow & Greenland, and never below it.
    assert error >= float(theirs.logodds_pooled_se) * (1 - 1e-9)
    assert error == pytest.approx(float(theirs.logodds_pooled_se), rel=0.05)


def test_mantel_haenszel_by_hand() -> None:
    # Stratum 0: a 4, b 2, c 1, d 3 of 10; stratum 1: a 1, b 1, c 1, d 2 of 5; stratum 2 has nobody exposed.
    first, second, third = cases(4, 2, 1, 3), cases(1, 1, 1, 2), cases(0, 0, 3, 1)
    x, y = (np.concatenate([each[side] for each in (first, second, third)]) for side in (0, 1))
    found = mantel_haenszel(x, y, [0] * 10 + [1] * 5 + [2] * 4, range(19))
    assert found.value == pytest.approx((12 / 10 + 2 / 5) / (2 / 10 + 1 / 5))
    assert found.strata == 2
    assert found.n == 19


def test_within_strata_what_differs_between_them_is_gone() -> None:
    """Exposed cases lie on hard screens, and on each screen being exposed changes nothing."""
    easy, hard = cases(1, 9, 9, 81), cases(81, 9, 9, 1)
    x, y = (np.concatenate([easy[side], hard[side]]) for side in (0, 1))
    strata = [0] * 100 + [1] * 100
    crude, within = odds_ratio(x, y, range(200)), mantel_haenszel(x, y, strata, range(200))
    assert crude.value is not None
    assert crude.value > 10
    assert within.value == pytest.approx(1)
    assert within.p == pytest.approx(1)


def test_mantel_haenszel_without_both_sums_is_not_defined() -> None:
    found = mantel_haenszel(*cases(3, 0, 0, 3), [0] * 6, range(6))
    assert (found.value, found.low, found.strata) == (None, None, 1)


def test_the_order_of_cases_and_the_names_of_clusters_do_not_matter() -> None:
    x, y, group = clustered(4)
    order = np.random.default_rng(0).permutation(len(x))
    names = np.array([f"screen {number * 7 % 41}" for number in group])
    strata = group % 3
    for one, other in (
        (odds_ratio(x, y, group), odds_ratio(x[order], y[order], names[order])),
        (mantel_haenszel(x, y, strata, group), mantel_haenszel(x[order], y[order], strata[order], names[order])),
    ):
        assert one.low == pytest.approx(other.low, rel=1e-12)
        assert one.value == pytest.approx(other.value, rel=1e-12)


def test_area_counts_pairs() -> None:
    rng = np.random.default_rng(7)
    score, bad = rng.integers(0, 6, 80), rng.integers(0, 2, 80)
    found = area(score, bad, range(80))
    pairs = [(s > t) + 0.5 * (s == t) for s in score[bad == 1] for t in score[bad == 0]]
    assert found.value == pytest.approx(float(np.mean(pairs)))
    assert found.value == pytest.approx(roc_auc_score(bad, score))


def test_area_of_independent_cases_has_the_interval_of_delong() -> None:
    rng = np.random.default_rng(8)
    bad = rng.integers(0, 2, 200)
    score = bad + 2 * rng.normal(size=200)
    found = area(score, bad, range(200))
    above = np.array([np.mean(s > score[bad == 0]) for s in score[bad == 1]])
    below = np.array([np.mean(score[bad == 1] > t) for t in score[bad == 0]])
    error = math.sqrt(above.var(ddof=1) / len(above) + below.var(ddof=1) / len(below))
    assert found.value is not None
    assert found.high is not None
    assert (found.high - found.value) / t_quantile(0.975, 199) == pytest.approx(error, rel=0.02)


def test_area_widens_with_clusters_and_needs_both_kinds() -> None:
    rng = np.random.default_rng(9)
    bad, score = rng.integers(0, 2, 60), rng.normal(size=60)
    apart = area(np.tile(score, 4), np.tile(bad, 4), range(240))
    alike = area(np.tile(score, 4), np.tile(bad, 4), np.tile(np.arange(60), 4))
    assert apart.high is not None
    assert alike.high is not None
    assert alike.high > apart.high
    assert area([1, 2], [1, 1], [0, 1]).value is None
    assert area([1, 2], [1, 0], [0, 0]).low is None

"""Coefficients against scipy, p against all orders counted one by one, Holm against statsmodels."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from snellen.engine.multiplicity import holm
from snellen.engine.rank_correlation import (
    Method,
    approximate,
    coefficient,
    coefficients,
    p_value,
    scores,
    smallest_p,
)

METHODS: tuple[Method, ...] = ("spearman", "kendall")


def theirs(x: object, y: object, method: Method) -> tuple[float, float]:
    found = stats.spearmanr(x, y) if method == "spearman" else stats.kendalltau(x, y)
    return float(found.statistic), float(found.pvalue)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ties", [False, True])
def test_coefficients_are_those_of_scipy(method: Method, ties: bool) -> None:
    rng = np.random.default_rng(5)
    for n in (3, 5, 12, 40):
        values = rng.integers(0, 4, (n, 6)).astype(float) if ties else rng.normal(size=(n, 6))
        found = coefficients(scores(values, method))
        for i, j in itertools.product(range(6), repeat=2):
            if np.ptp(values[:, i]) and np.ptp(values[:, j]):
                assert found[i, j] == pytest.approx(theirs(values[:, i], values[:, j], method)[0], abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_many_at_once_are_what_each_is_alone(method: Method) -> None:
    values = np.random.default_rng(1).integers(0, 5, (7, 6, 3)).astype(float)
    whole = coefficients(scores(values, method))
    for number, each in enumerate(values):
        assert np.array_equal(whole[number], coefficients(scores(each, method)), equal_nan=True)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("x", "y"), [([3, 1, 4, 1, 5], [2, 7, 1, 8, 2]), ([1, 2, 3, 4, 6], [2, 1, 3, 5, 4])])
def test_p_counts_every_order(method: Method, x: list[int], y: list[int]) -> None:
    seen = abs(theirs(x, y, method)[0])
    orders = [abs(theirs(x, order, method)[0]) for order in itertools.permutations(y)]
    expected = sum(each >= seen - 1e-9 for each in orders) / math.factorial(5)
    assert p_value(x, y, method) == pytest.approx(expected, abs=1e-12)


def test_p_of_kendall_without_ties_is_the_exact_one_of_scipy() -> None:
    rng = np.random.default_rng(2)
    for n in (4, 6, 9):
        x, y = rng.permutation(n), rng.permutation(n)
        exact = stats.kendalltau(x, y, method="exact").pvalue
        assert p_value(x, y, "kendall") == pytest.approx(float(exact), abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_p_of_many_models_is_that_of_scipy(method: Method) -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=14)
    y = x + rng.normal(size=14)
    assert p_value(x, y, method) == pytest.approx(theirs(x, y, method)[1], rel=1e-9)
    assert (p_value(x, x, method) or 0) < 1e-9


def test_the_smallest_p_is_that_of_a_perfect_order() -> None:
    for n in (4, 5, 7):
        assert p_value(range(n), range(n)) == pytest.approx(smallest_p(n))


@pytest.mark.parametrize("method", METHODS)
def test_what_does_not_vary_has_no_coefficient(method: Method) -> None:
    assert coefficient([1, 1, 1, 1], [1, 2, 3, 4], method) is None
    assert p_value([1, 1, 1, 1], [1, 2, 3, 4], method) is None
    assert coefficient([math.nan, 2, 3, 4], [1, 2, 3, 4], method) is None


def test_values_that_differ_in_their_last_bit_are_tied() -> None:
    assert coefficient([0.1 + 0.2, 0.3, 0.5], [1, 2, 3]) == coefficient([0.3, 0.3, 0.5], [1, 2, 3])


def test_the_interval_of_bonett_and_wright() -> None:
    # atanh(0.5) = 0.5493, se = sqrt((1 + 0.125) / 17) = 0.25725
    low, high = approximate(0.5, 20)
    assert low == pytest.approx(math.tanh(0.549306 - 1.959964 * 0.257248), abs=1e-5)
    assert high == pytest.approx(math.tanh(0.549306 + 1.959964 * 0.257248), abs=1e-5)
    low, high = approximate(0.5, 20, "kendall")
    assert low == pytest.approx(math.tanh(0.549306 - 1.959964 * math.sqrt(0.437 / 16)), abs=1e-5)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("value", [1.0, -1.0])
def test_a_perfect_order_of_few_models_leaves_room(method: Method, value: float) -> None:
    low, high = approximate(value, 6, method)
    assert value in (low, high)
    assert 0.3 < high - low < 2
    assert approximate(value, 4, "kendall") == (-1, 1)


def test_holm_is_that_of_statsmodels() -> None:
    p = [0.04, 0.001, 0.03, 0.5, 0.011, 0.9]
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1].tolist())
    assert holm([None, 0.02, None]) == [None, 0.02, None]

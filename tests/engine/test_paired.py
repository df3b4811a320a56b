"""Paired differences: against hand-computed numbers, brute force, and the exact binomial test."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.engine.paired import corrected, difference, sign_flip_p
from snellen.engine.paired_interval import ADJUSTED, difference_interval
from snellen.intervals import t_quantile


@given(st.lists(st.integers(-4, 4), max_size=9))
def test_p_is_that_of_all_flips(sums: list[int]) -> None:
    observed = abs(sum(sums))
    flips = list(product((1, -1), repeat=len(sums)))
    beyond = sum(abs(sum(sign * s for sign, s in zip(flip, sums, strict=True))) >= observed for flip in flips)
    assert sign_flip_p(sums) == pytest.approx(beyond / len(flips), abs=1e-12)


@pytest.mark.parametrize(("gained", "lost"), [(5, 0), (12, 3), (40, 40), (700, 640)])
def test_with_single_items_it_is_mcnemars_exact_test(gained: int, lost: int) -> None:
    n, most = gained + lost, max(gained, lost)
    tail = sum(math.comb(n, k) for k in range(most, n + 1)) / 2**n
    assert sign_flip_p([1] * gained + [-1] * lost) == pytest.approx(min(1.0, 2 * tail), rel=1e-9)


def test_a_difference_by_hand() -> None:
    #  shared: 8; scored in both: 6; gained 2, lost 1
    base = [0, 0, 1, 1, 0, 1, -1, 1]
    other = [1, 1, 0, 1, 0, 1, 1, -1]
    clusters = [0, 0, 1, 1, 2, 2, 3, 3]
    found = difference(base, other, clusters)
    assert (found.n, found.gained, found.lost, found.unscored) == (6, 2, 1, 2)
    assert (found.base.hits, found.other.hits) == (3, 4)
    assert found.value == pytest.approx(1 / 6)
    # The clusters' sums are 2, -1, 0 and none: |1| or more comes of every flip.
    assert found.p == found.p_holm == pytest.approx(1.0)
    # The unscored: 1 - {1, 0} and {0, 1} - 1.
    assert found.lower_bound == pytest.approx((1 + 0 - 1) / 8)
    assert found.upper_bound == pytest.approx((1 + 1 + 0) / 8)
    # Three clusters of two: sums 2, -1, 0; v = 3/2 ((2 - 1/3)^2 + (4/3)^2 + (1/3)^2) / 36, over (1/2 - 1/36) / 6.
    seen = (1.5 * (25 + 16 + 1) / 9 / 36) / ((1 / 2 - 1 / 36) / 6)
    n = 6 / seen + 2
    centre = 1 / seen / n
    half = t_quantile(0.975, 2) * math.sqrt(((3 / seen + 1) / n - centre**2) / n)
    assert found.low == pytest.approx(max(-1, centre - half))
    assert found.high == pytest.approx(min(1, centre + half))
    assert found.method == ADJUSTED


def test_clusters_count_and_not_items() -> None:
    each = difference([0] * 12, [1] * 12, range(12))
    whole = difference([0] * 12, [1] * 12, [0] * 6 + [1] * 6)
    assert each.p == pytest.approx(2 / 2**12)
    assert whole.p == pytest.approx(0.5)


def test_where_no_item_differs_the_interval_is_not_of_no_width() -> None:
    found = difference([0, 1] * 20, [0, 1] * 20, range(40))
    assert found.value == 0
    assert found.p == 1
    assert found.low is not None
    assert found.high == -found.low > 0.05


def test_nothing_scored_in_both_is_no_value() -> None:
    found = difference([-1, 1], [1, -1], [0, 1])
    assert found.value is None
    assert found.p is None
    assert (found.lower_bound, found.upper_bound) == (-0.5, 0.5)
    nothing = difference([], [], [])
    assert (nothing.value, nothing.lower_bound, nothing.n) == (None, None, 0)


def test_other_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="zeros and ones"):
        difference([2], [0], [0])
    with pytest.raises(ValueError, match="one length"):
        difference([1, 0], [0], [0])


def test_holm_by_hand() -> None:
    ones = [difference([0] * n, [1] * n, range(n)) for n in (4, 8, 6)]
    ps = [2 / 2**4, 2 / 2**8, 2 / 2**6]
    assert [each.p for each in ones] == pytest.approx(ps)
    family = corrected([*ones, difference([], [], [])])
    assert [each.p_holm for each in family[:3]] == pytest.approx([ps[0], 3 * ps[1], 2 * ps[2]])
    assert family[3].p_holm is None
    assert [each.p for each in family[:3]] == [each.p for each in ones]


def test_holm_never_falls_and_never_passes_one() -> None:
    ones = [difference([0] * n + [1] * n, [1] * n + [0] * n, range(2 * n)) for n in (3, 4)]
    assert [each.p_holm for each in corrected(ones)] == [1.0, 1.0]
    alike = corrected([difference([0] * 6, [1] * 6, range(6))] * 3)
    assert [each.p_holm for each in alike] == pytest.approx([3 * 2 / 2**6] * 3)


def test_the_interval_of_single_items_is_agresti_and_mins() -> None:
    # Their formula: half an observation in each of the four cells, Wald, here with Student's quantile.
    gained, lost, n = 20, 8, 100
    sums = np.array([1] * gained + [-1] * lost + [0] * (n - gained - lost))
    low, high, effect = difference_interval(sums, np.abs(sums), np.ones(n))
    centre = (gained - lost) / (n + 2)
    half = t_quantile(0.975, n - 1) * math.sqrt((gained + lost + 1) / (n + 2) - centre**2) / math.sqrt(n + 2)
    assert effect == pytest.approx(100 / 99)  # G / (G - 1) of the linearised variance
    assert (float(low), float(high)) == pytest.approx((centre - half, centre + half), abs=2e-3)


def test_intervals_of_many_differences_at_once_are_those_of_each() -> None:
    rng = np.random.default_rng(0)
    sizes = rng.integers(1, 6, (5, 30))
    differing = rng.binomial(sizes, 0.3)
    sums = 2 * rng.binomial(differing, 0.6) - differing
    together = difference_interval(sums, differing, sizes)
    for row in range(5):
        alone = difference_interval(sums[row], differing[row], sizes[row])
        assert [float(each[row]) for each in together] == [float(each) for each in alone]


def test_the_interval_holds_the_difference_and_stays_within_one() -> None:
    for sums in ([1, 1, 1], [0, 0, -1], [1, -1, 0], [-2, -2, -2]):
        sizes = [2, 2, 2]
        low, high, _ = difference_interval(sums, np.abs(sums), sizes)
        assert -1 <= low <= sum(sums) / 6 <= high <= 1
    assert all(np.isnan(difference_interval([1], [1], [2])))
    with pytest.raises(ValueError, match="confidence"):
        difference_interval([1], [1], [2], confidence=1.5)

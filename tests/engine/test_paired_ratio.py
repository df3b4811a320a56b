"""Paired ratios: by hand, against all exchanges, and where there is nothing to say."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from snellen.engine.paired import sign_flip_p
from snellen.engine.paired_ratio import random_flip_p, ratio_difference
from snellen.estimate import BOOTSTRAP, NO_INTERVAL

NAN = float("nan")


def test_a_difference_by_hand() -> None:
    base = np.array([1.0, 2, 3, NAN, 1]), np.array([4.0, 4, 4, NAN, 2])
    other = np.array([3.0, 2, 4, 1, NAN]), np.array([4.0, 5, 4, 2, NAN])
    found = ratio_difference(base, other, [0, 1, 2, 3, 4])
    assert (found.n, found.unscored) == (3, 2)
    assert found.base.value == pytest.approx(6 / 12)
    assert found.other.value == pytest.approx(9 / 13)
    assert found.value == pytest.approx(9 / 13 - 6 / 12)
    # On the second item 2 of 5 is less than 2 of 4.
    assert (found.gained, found.lost) == (2, 1)
    assert (found.lower_bound, found.upper_bound) == (None, None)
    assert found.method == BOOTSTRAP
    assert found.low is not None
    assert found.high is not None
    assert found.value is not None
    assert found.low <= found.value <= found.high


def test_p_is_that_of_all_exchanges() -> None:
    rng = np.random.default_rng(3)
    tops, bottoms = rng.integers(0, 6, (2, 10)).astype(float), rng.integers(6, 12, (2, 10)).astype(float)
    found = ratio_difference((tops[0], bottoms[0]), (tops[1], bottoms[1]), range(10))
    pooled = tops.sum() / bottoms.sum()
    r = (tops[1] - pooled * bottoms[1]) - (tops[0] - pooled * bottoms[0])
    sums = np.array([abs(np.dot(signs, r)) for signs in product((1, -1), repeat=10)])
    assert found.p == pytest.approx((sums >= abs(r.sum()) - 1e-9).mean(), abs=0.012)


@pytest.mark.parametrize("values", [[1, 2, 3, 4, -1, 2], [1] * 12, [0, 0], [], [3, -3, 1, -1]])
def test_random_signs_come_to_the_exact_test(values: list[int]) -> None:
    assert random_flip_p(values) == pytest.approx(sign_flip_p(values), abs=0.012)
    assert random_flip_p(values) == random_flip_p(values[::-1])


def test_p_is_never_0() -> None:
    assert random_flip_p([1.5] * 60, flips=999) == pytest.approx(1 / 1000)


def test_no_width_is_no_interval_and_nothing_is_no_value() -> None:
    ones = np.ones(4)
    alike = ratio_difference((ones, ones), (ones, ones), range(4))
    assert (alike.value, alike.low, alike.high, alike.p, alike.method) == (0, None, None, 1, NO_INTERVAL)
    zeros = np.zeros(4)
    assert ratio_difference((zeros, zeros), (zeros, ones), range(4)).value is None
    assert ratio_difference((zeros[:0], zeros[:0]), (zeros[:0], zeros[:0]), []).value is None

"""The interval of what answers are worth: by hand, at its edges, and by how often it holds the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from snellen.engine.worth_interval import MOVER, worth
from snellen.intervals import share_interval


def test_by_hand() -> None:
    right, wrong = [1] * 6 + [0] * 6, [0] * 6 + [1] * 3 + [0] * 3
    found = worth(right, wrong, range(12), loss=2)
    ones = np.ones(12)
    (r_low, h_low), (r_high, h_high), _ = share_interval(np.array([right, wrong], float), ones)
    k = -math.sqrt(0.5 * 0.25 / (0.5 * 0.75))  # of single items: the multinomial one
    a, b = 0.5 - r_low, 2 * (h_high - 0.25)
    assert found.value == 0.0
    assert found.low == pytest.approx(-math.sqrt(a * a + b * b - 2 * k * a * b))
    a, b = r_high - 0.5, 2 * (0.25 - h_low)
    assert found.high == pytest.approx(math.sqrt(a * a + b * b - 2 * k * a * b))
    assert (found.n, found.clusters, found.method) == (12, 12, MOVER)
    assert (found.lower_bound, found.upper_bound) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("right", "wrong", "value"),
    [(0, 40, -3.0), (40, 0, 1.0), (0, 0, 0.0)],
    ids=["all hallucinate", "all are right", "all decline"],
)
def test_where_all_answers_are_alike_it_still_has_a_width(right: int, wrong: int, value: float) -> None:
    found = worth([1] * right + [0] * (40 - right), [1] * wrong + [0] * (40 - wrong), range(40), loss=3)
    assert found.value == value
    assert found.low is not None
    assert found.high is not None
    assert -3 <= found.low <= value <= found.high <= 1
    assert found.low < value or value == -3
    assert found.high > value or value == 1
    assert found.high - found.low > 0.1


def test_what_was_not_seen_may_still_cost() -> None:
    """Without a hallucination among 100 answers the cost moves the lower end, and the lower end alone."""
    right = [1] * 60 + [0] * 40
    cheap, dear = (worth(right, [0] * 100, range(100), loss=cost) for cost in (1, 20))
    assert cheap.value == dear.value == 0.6
    assert cheap.high == pytest.approx(dear.high)
    assert cheap.low is not None
    assert dear.low is not None
    assert dear.low < 0.6 - 20 * 0.03 < cheap.low


def test_a_cost_of_nothing_leaves_the_share_of_right_answers() -> None:
    right, wrong = [1] * 10 + [0] * 20, [0] * 10 + [1] * 20
    found = worth(right, wrong, range(30), loss=0)
    low, high, _ = share_interval(np.array(right, float), np.ones(30))
    assert [found.low, found.high] == pytest.approx([float(low), float(high)])
    nothing = worth([0, 0], [1, 1], range(2), loss=0)
    assert nothing.value == 0
    assert math.copysign(1, nothing.low or 0.0) == 1  # no -0.00 in a table


def test_unscored_and_no_items() -> None:
    found = worth([1, 0], [0, 1], range(2), loss=2, unscored=2)
    assert found.unscored == 2
    assert (found.lower_bound, found.upper_bound) == ((1 - 2 - 4) / 4, (1 - 2 + 2) / 4)
    empty = worth([], [], [], unscored=3)
    assert (empty.value, empty.low, empty.n, empty.unscored) == (None, None, 0, 3)


@pytest.mark.parametrize(("right", "wrong", "cost"), [(0.2, 0.3, 5.0), (0.9, 0.01, 10.0), (0.6, 0.02, 1.0)])
def test_it_holds_the_truth(right: float, wrong: float, cost: float) -> None:
    """Of 40 images with 8 questions each that are as hard as an intra-image correlation of 0.1 says."""
    rng = np.random.default_rng(0)
    clusters = np.repeat(np.arange(40), 8)
    held = 0
    for _ in range(400):
        share = rng.dirichlet(9 * np.array([right, wrong, 1 - right - wrong]), 40)[clusters]
        drawn = rng.random(320)
        ones = drawn < share[:, 0]
        found = worth(ones, ~ones & (drawn < share[:, 0] + share[:, 1]), clusters, loss=cost)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= right - cost * wrong <= found.high
    assert 0.92 <= held / 400 <= 0.99

"""Risk and coverage against every order counted."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.engine.risk_coverage import risk_coverage


def brute(confidences: list[int], wrong: list[bool]) -> tuple[float, float]:
    """AURC over all orders that confidence allows, and the least of any order."""
    every, allowed = [], []
    for order in itertools.permutations(range(len(wrong))):
        errors = np.cumsum([wrong[k] for k in order]) / np.arange(1, len(wrong) + 1)
        every.append(float(errors.mean()))
        if all(confidences[a] >= confidences[b] for a, b in itertools.pairwise(order)):
            allowed.append(every[-1])
    return float(np.mean(allowed)), min(every)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=6))
def test_ties_have_the_mean_of_their_orders(rows: list[tuple[int, bool]]) -> None:
    confidences, wrong = [row[0] for row in rows], [row[1] for row in rows]
    found = risk_coverage(confidences, wrong, range(len(rows)))
    area, best = brute(confidences, wrong)
    assert found.aurc.value == pytest.approx(area)
    assert found.excess.value == pytest.approx(area - best, abs=1e-12)


def test_the_curve_by_hand() -> None:
    found = risk_coverage([0.9, 0.9, 0.8, 0.2], [0, 1, 0, 1], ["a", "a", "b", "b"])
    points = [(point.threshold, point.coverage, point.risk) for point in found.curve]
    assert points == [(0.9, 0.5, 0.5), (0.8, 0.75, pytest.approx(1 / 3)), (0.2, 1.0, 0.5)]
    assert found.risk.value == 0.5
    assert found.risk.clusters == 2


def test_a_confidence_that_says_nothing_gives_about_the_risk_and_a_perfect_one_no_excess() -> None:
    rng = np.random.default_rng(1)
    wrong = rng.random(3000) < 0.3
    nothing = risk_coverage(rng.random(3000), wrong, np.arange(3000) // 10)
    assert nothing.aurc.value == pytest.approx(0.3, abs=0.03)
    assert nothing.separation.value == pytest.approx(0.5, abs=0.03)
    perfect = risk_coverage(~wrong, wrong, np.arange(3000) // 10)
    assert perfect.excess.value == pytest.approx(0, abs=1e-12)
    assert perfect.separation.value == 1.0


def test_many_levels_keep_their_value_and_few_points() -> None:
    rng = np.random.default_rng(1)
    confidence = rng.random(2000)
    wrong = rng.random(2000) > confidence
    found = risk_coverage(confidence, wrong, np.arange(2000) // 8)
    order = np.argsort(-confidence)
    assert found.aurc.value == pytest.approx(np.mean(np.cumsum(wrong[order]) / np.arange(1, 2001)))
    assert len(found.curve) <= 200
    assert found.curve[-1].coverage == 1.0
    for estimate in (found.aurc, found.excess):
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.value is not None
        assert 0 <= estimate.low < estimate.value < estimate.high < estimate.low + 0.06


def test_neither_order_nor_names_matter() -> None:
    rng = np.random.default_rng(2)
    confidence, wrong, clusters = rng.integers(0, 9, 300) / 8, rng.random(300) < 0.4, np.arange(300) // 5
    first = risk_coverage(confidence, wrong, clusters)
    order = rng.permutation(300)
    second = risk_coverage(confidence[order], wrong[order], 100 - clusters[order])
    assert (second.risk, second.aurc, second.excess, second.curve) == (
        first.risk,
        first.aurc,
        first.excess,
        first.curve,
    )
    assert second.separation.value == pytest.approx(first.separation.value)


def test_nothing_and_a_single_cluster() -> None:
    empty = risk_coverage([], [], [])
    assert empty.aurc.value is None
    assert empty.curve == ()
    one = risk_coverage([0.5, 0.4], [0, 1], [0, 0])
    assert one.aurc.value == 0.25
    assert one.aurc.low is None
    with pytest.raises(ValueError, match="finite"):
        risk_coverage([np.nan], [1], [0])

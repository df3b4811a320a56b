"""Calibration by hand and against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from snellen.engine.calibration import calibrate


def made(seed: int, *, over: float = 0.0, groups: int = 106) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Confidences, right answers and clusters; right less often by `over` than the confidence says."""
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(groups), rng.integers(6, 13, groups))
    confidence = rng.choice([0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95], len(clusters))
    return confidence, rng.random(len(clusters)) < np.clip(confidence - over, 0, 1), clusters


def test_against_scikit_learn() -> None:
    rng = np.random.default_rng(3)
    confidence = rng.random(500)
    right = rng.random(500) < confidence**2
    found = calibrate(confidence, right, np.arange(500) // 5)
    assert found.brier.value == pytest.approx(brier_score_loss(right, confidence))
    shares, means = calibration_curve(right, confidence, n_bins=10, strategy="quantile")
    assert [each.right.value for each in found.bins] == pytest.approx(shares.tolist())
    assert [each.confidence for each in found.bins] == pytest.approx(means.tolist())
    assert found.plain_error == pytest.approx(np.abs(shares - means).mean())
    assert [each.right.n for each in found.bins] == [50] * 10


def test_equal_confidences_stay_in_one_bin() -> None:
    confidence = np.repeat([0.2, 0.9, 0.95], [5, 80, 15])
    found = calibrate(confidence, np.ones(100), range(100))
    assert [(each.low, each.high, each.right.n) for each in found.bins] == [
        (0.2, 0.2, 5),
        (0.9, 0.9, 80),
        (0.95, 0.95, 15),
    ]


def test_overconfidence_has_its_sign_and_its_interval() -> None:
    confidence, right, clusters = made(0, over=0.2)
    found = calibrate(confidence, right, clusters).overconfidence
    assert found.value == pytest.approx(confidence.mean() - right.mean())
    assert found.low is not None
    assert found.high is not None
    assert 0.1 < found.low < 0.2 < found.high < 0.3
    modest = calibrate(np.full(len(right), 0.1), right, clusters).overconfidence
    assert modest.value is not None
    assert modest.value < 0


def test_debiasing_takes_off_what_chance_gives() -> None:
    """A calibrated model has an ECE of 0; the plain one is well above it, the debiased one nearer."""
    found = [calibrate(*made(seed)) for seed in range(40)]
    plain = np.mean([each.plain_error for each in found])
    debiased = np.mean([each.error.value for each in found])
    assert plain > 0.025
    assert debiased < 0.7 * plain
    assert np.mean([each.error.low == 0 for each in found]) >= 0.9
    for over in (0.1, 0.2):
        wrong = np.mean([calibrate(*made(seed, over=over)).error.value for seed in range(10)])
        assert wrong == pytest.approx(over, abs=0.012)


def test_the_interval_holds_the_truth() -> None:
    held = 0
    for seed in range(60):
        error = calibrate(*made(seed, over=0.1)).error
        assert error.low is not None
        assert error.high is not None
        held += error.low <= 0.1 <= error.high
    assert held >= 51


def test_nothing_one_cluster_and_wrong_numbers() -> None:
    empty = calibrate([], [], [])
    assert empty.brier.value is None
    assert empty.bins == ()
    one = calibrate([0.9, 0.8], [1, 0], [0, 0])
    assert one.error.low is None
    assert one.plain_error is not None
    with pytest.raises(ValueError, match="between 0 and 1"):
        calibrate([1.5], [1], [0])


def test_the_order_of_rows_does_not_matter() -> None:
    confidence, right, clusters = made(5, over=0.1)
    order = np.random.default_rng(0).permutation(len(right))
    first, second = calibrate(confidence, right, clusters), calibrate(confidence[order], right[order], clusters[order])
    assert second.error.value == pytest.approx(first.error.value)
    assert second.error.low == pytest.approx(first.error.low)
    assert second.brier.low == pytest.approx(first.brier.low)

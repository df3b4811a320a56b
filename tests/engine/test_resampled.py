"""Numbers that no resample moves: they stand without an interval rather than with one of no width."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.engine.calibration import calibrate
from snellen.engine.detection import detect
from snellen.engine.resampled import open_ended, resampled
from snellen.engine.risk_coverage import risk_coverage
from snellen.estimate import BOOTSTRAP, NO_INTERVAL, Estimate
from snellen.intervals import Interval


def test_an_interval_of_no_width_is_none() -> None:
    assert resampled(Interval(0.5, 0.4, 0.6), 9, 3) == Estimate(0.5, 0.4, 0.6, 9, 3, method=BOOTSTRAP)
    for found in (Interval(0.5, 0.5, 0.5), Interval(0.5, None, None), Interval(None, None, None)):
        estimate = resampled(found, 9, 3)
        assert (estimate.value, estimate.low, estimate.high) == (found.value, None, None)
        assert estimate.method == NO_INTERVAL
    wide = Estimate(0.5, 0.4, 0.6, 9, 3, method="other")
    assert open_ended(wide) is wide


@pytest.mark.parametrize("wrong", [0, 1])
def test_answers_that_are_all_alike(wrong: int) -> None:
    sure = np.linspace(0.1, 0.9, 12)
    curve = risk_coverage(sure, [wrong] * 12, range(12))
    for estimate in (curve.aurc, curve.excess):
        assert estimate.value == pytest.approx(wrong if estimate is curve.aurc else 0)
        assert (estimate.low, estimate.high) == (None, None)
    same = calibrate([1.0] * 12, [1 - wrong] * 12, range(12))
    for estimate in (same.error, same.overconfidence):
        assert estimate.value == wrong
        assert (estimate.low, estimate.high, estimate.method) == (None, None, NO_INTERVAL)


def test_images_that_are_all_alike() -> None:
    found = detect([1, 0, 0, 0] * 6, [1, 1, 0, 0] * 6, np.arange(24) // 4)
    assert found.sensitivity.method != NO_INTERVAL  # one rate is 0: both intervals are combined
    alike = detect([1, 0, 1, 0] * 6, [1, 1, 0, 0] * 6, np.arange(24) // 4)
    assert (alike.sensitivity.value, alike.sensitivity.low, alike.sensitivity.method) == (0.0, None, NO_INTERVAL)

"""Estimates from resampled clusters, without the certainty of an interval of no width.

Where every resample gives the same number, as the area under a risk-coverage curve does without a hallucination,
nothing was there to vary: how far the number lies from the truth is not known, and there is no interval.
"""

from __future__ import annotations

from dataclasses import replace

from snellen.estimate import BOOTSTRAP, NO_INTERVAL, Estimate
from snellen.intervals import Interval


def resampled(found: Interval, n: int, clusters: int) -> Estimate:
    """A statistic over `n` items of so many clusters, with its interval of the cluster bootstrap.

    >>> resampled(Interval(0.0, 0.0, 0.0), 5, 5).low is None
    True
    """
    return open_ended(Estimate(found.value, found.low, found.high, n, clusters, method=BOOTSTRAP))


def open_ended(estimate: Estimate) -> Estimate:
    """The same without an interval that is none or has no width."""
    if estimate.low is None or estimate.low == estimate.high:
        return replace(estimate, low=None, high=None, method=NO_INTERVAL)
    return estimate

"""The interval of what answers are worth: a share of answers times what one counts, less another share times another.

Effective reliability is R - C H, with R the share of right answers and H that of hallucinations, which cost C. What a
run did not show may still happen: after a hundred answers without one, hallucinations may be 4 % of the next, and at a
cost of 10 that is all that counts. A resampling of clusters cannot show it, and gives an interval of no width where all
answers are worth the same. So Wilson's intervals of both shares, with the effective sample size of the clusters, are
combined (MOVER; Zou & Donner 2008, Statistics in Medicine 27; with the correlation of both, Zou 2008, the same):

    low  = R - C H - sqrt(a^2 + b^2 - 2 k a b)    a, b: from R down to its lower end, C times from H up to its upper
    high = R - C H + sqrt(a^2 + b^2 - 2 k a b)    a, b: from R up to its upper end, C times from H down to its lower

k is the correlation of the clusters' linearised sums. Where a share is 0 or 1 it is that of a multinomial draw, with
half a case added to each of the three kinds: -sqrt(R H / ((1 - R) (1 - H))).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from snellen.estimate import NO_INTERVAL, Estimate
from snellen.intervals import FloatArray, cluster_sums, share_interval

MOVER = "Wilson intervals of both shares, combined (MOVER)"


def worth(
    gains: npt.ArrayLike,
    losses: npt.ArrayLike,
    clusters: npt.ArrayLike,
    *,
    gain: float = 1.0,
    loss: float = 1.0,
    unscored: int = 0,
) -> Estimate:
    """The mean of `gain` for some items, ``-loss`` for others and 0 for the rest.

    Args:
        gains, losses: shape (N,), booleans; no item is of both.
        clusters: shape (N,): the cluster of each item.
        gain, loss: what an item of either counts, 0 or more.
        unscored: items that belong here and are of neither yet: the bounds let them be all of one or of the other.

    >>> found = worth([1, 1, 1, 0], [0, 0, 0, 1], range(4), loss=2)
    >>> found.value, -2 < found.low < 0.25 < found.high <= 1
    (0.25, True)
    """
    plus, minus = np.asarray(gains, np.bool_), np.asarray(losses, np.bool_)
    n = len(plus)
    if not n:
        return Estimate(None, None, None, 0, 0, unscored, method=NO_INTERVAL)
    sums = cluster_sums([plus, minus, np.ones(n)], clusters)
    total = gain * float(plus.sum()) - loss * float(minus.sum())
    value = total / n
    low, high = _ends(sums, gain, loss)
    return Estimate(
        value,
        min(max(value - low, 0.0 - loss), value),
        max(min(value + high, gain), value),
        n,
        len(sums),
        unscored,
        (total - loss * unscored) / (n + unscored),
        (total + gain * unscored) / (n + unscored),
        method=MOVER,
    )


def _ends(sums: FloatArray, gain: float, loss: float) -> tuple[float, float]:
    """How far the interval reaches below and above, given sums of shape (G, 3): gains, losses, items."""
    ups, downs, sizes = sums.T
    n = float(sizes.sum())
    p, q = float(ups.sum()) / n, float(downs.sum()) / n
    (p_low, q_low), (p_high, q_high), _ = share_interval(np.stack([ups, downs]), sizes)
    k = _correlation(ups - p * sizes, downs - q * sizes, p, q, n)
    return (
        _combined(gain * (p - float(p_low)), loss * (float(q_high) - q), k),
        _combined(gain * (float(p_high) - p), loss * (q - float(q_low)), k),
    )


def _correlation(ups: FloatArray, downs: FloatArray, p: float, q: float, n: float) -> float:
    if 0 < p < 1 and 0 < q < 1 and len(ups) > 1:
        spread = math.sqrt(float(ups @ ups) * float(downs @ downs))
        if spread > 0:
            return min(1.0, max(-1.0, float(ups @ downs) / spread))
    p, q = (n * p + 0.5) / (n + 1.5), (n * q + 0.5) / (n + 1.5)
    return -math.sqrt(p * q / ((1 - p) * (1 - q)))


def _combined(a: float, b: float, k: float) -> float:
    return math.sqrt(max(a * a + b * b - 2 * k * a * b, 0.0))

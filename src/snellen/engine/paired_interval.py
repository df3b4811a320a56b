"""The interval of a paired difference: a formula instead of resampling, so that thousands of them cost nothing.

Agresti & Min 2005 (Simple improved confidence intervals for comparing matched proportions, Statistics in Medicine 24)
take Wald's interval after half an observation is added to each of the four cells of right and wrong in two runs. Here
the items are counted with the effective sample size of their clusters, as in `snellen.intervals.share_interval`, and
the quantile is Student's. How often it holds the truth: perf/paired_tests.py and docs/compare.md.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from snellen.intervals import FloatArray, share_interval, t_quantile

ADJUSTED = "adjusted Wald interval of a paired difference, effective sample size of the clusters"

# With few items that differ, the design effect cannot be seen in the data: it is drawn upwards as in
# `snellen.intervals`, but to half the correlation, since what two runs find hard on an image cancels.
_PRIOR_ITEMS = 3.0
_PRIOR_CORRELATION = 0.1


def difference_interval(
    sums: npt.ArrayLike, differing: npt.ArrayLike, sizes: npt.ArrayLike, *, confidence: float = 0.95
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Interval for sum(sums) / sum(sizes) over clusters, where an item's difference is -1, 0 or 1.

    With S = sum(sums), h = sum(differing), n = sum(sizes), m = S / n and G clusters (those of size 0 do not count):

    - linearised variance of the mean  v = G / (G - 1) * sum((sums - m * sizes)^2) / n^2,
    - design effect  d = v / ((h / n - m^2) / n), drawn upwards where few items differ and never below 1 (as for a
      share, with h in place of the rarer of hits and misses),
    - with n, S and h divided by d, the centre  c = S / (n + 2), the variance  (((h + 1) / (n + 2)) - c^2) / (n + 2),
      and t(G - 1) standard errors to either side, within -1 and 1.

    Where no item differs the ends are those of a share with no hit, to either side.

    Args:
        sums: shape (..., G): the items gained less those lost in each cluster.
        differing: shape (..., G): the items gained or lost.
        sizes: shape (..., G) or (G,): the items.
        confidence: in (0, 1).

    Returns:
        Low, high and design effect, each of shape (...); NaN where there are no two clusters.

    >>> low, high, _ = difference_interval([1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 1])
    >>> round(float(low), 3), round(float(high), 3)
    (-0.502, 1.0)
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, not at {confidence}")
    d, h, m = np.broadcast_arrays(*(np.asarray(each, np.float64) for each in (sums, differing, sizes)))
    total, moved, n, clusters = d.sum(-1), h.sum(-1), m.sum(-1), (m > 0).sum(-1)
    squares = (m * m).sum(-1)
    upper = 0.5 + confidence / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        residual = np.maximum((d * d).sum(-1) - 2 * mean * (d * m).sum(-1) + mean * mean * squares, 0)
        variance = clusters / (clusters - 1) * residual / n**2
        independent = (moved / n - mean * mean) / n
        seen = np.where(independent > 0, variance / independent, 1.0)
        prior = 1 + _PRIOR_CORRELATION * (squares / n - 1)
        drawn = (moved * seen + _PRIOR_ITEMS * prior) / (moved + _PRIOR_ITEMS)
        effect = np.maximum(np.maximum(seen, drawn), 1.0)
        effective = n / effect + 2
        centre = total / effect / effective
        spread = ((moved / effect + 1) / effective - centre**2) / effective
        half = _quantiles(clusters, upper) * np.sqrt(np.maximum(spread, 0))
        _, none, _ = share_interval(np.zeros_like(m), m, confidence=confidence)
        low = np.where(moved == 0, -none, np.minimum(np.maximum(centre - half, -1), mean))
        high = np.where(moved == 0, none, np.maximum(np.minimum(centre + half, 1), mean))
    few = clusters < 2
    return np.where(few, np.nan, low), np.where(few, np.nan, high), np.where(few, np.nan, effect)


def _quantiles(clusters: npt.NDArray[np.int_], upper: float) -> FloatArray:
    counts, places = np.unique(np.ravel(clusters), return_inverse=True)
    return np.array([_quantile(upper, int(count)) for count in counts])[places.ravel()].reshape(np.shape(clusters))


@lru_cache(maxsize=1024)
def _quantile(upper: float, clusters: int) -> float:
    return t_quantile(upper, clusters - 1) if clusters > 1 else np.nan

"""Intervals for sums over clusters: Wilson's with an effective sample size, and the bootstrap.

Which formula is used where was decided by simulated coverage: perf/interval_coverage.py and docs/statistics.md.

Sources:
    Wilson 1927, Probable inference, the law of succession, and statistical inference, JASA 22.
    Kish 1965, Survey Sampling: design effect and effective sample size.
    Korn & Graubard 1998, Confidence intervals for proportions with small expected number of positive counts estimated
    from survey data, Survey Methodology 24: the effective sample size in a binomial interval, with degrees of freedom.
    Cameron & Miller 2015, A practitioner's guide to cluster-robust inference, J. Human Resources 50: G / (G - 1).
    Efron 1987, Better bootstrap confidence intervals, JASA 82: BCa.
    Hesterberg 2015, What teachers should know about the bootstrap, Am. Statistician 69: expanded percentiles.
    Abramowitz & Stegun 1964, 26.7.3 to 26.7.5: Student's t.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
Statistic = Callable[[FloatArray], Any]

# With few hits the design effect cannot be seen in the data (one hit never shares a cluster with another). It is
# drawn upwards as if this many more hits had been seen in clusters of this intra-cluster correlation. Both were chosen
# by coverage at rates of 0.01 and 0.02; on the whole of ChartHal a hundred hits make them worth 3 % of width at most.
RESAMPLES = 4000
"""How often clusters are resampled for an interval."""

_PRIOR_HITS = 3.0
_PRIOR_CORRELATION = 0.2

_CHUNK = 1 << 21  # resampled cluster numbers held at a time: 16 MB, and as much again for their counts


class Interval(NamedTuple):
    """A statistic with its interval; None where it is not defined."""

    value: float | None
    low: float | None
    high: float | None


@lru_cache(maxsize=256)
def t_quantile(probability: float, df: int) -> float:
    """Quantile of Student's t for a whole number of degrees of freedom, to about 1e-9.

    Abramowitz & Stegun 26.7.3/4 (the distribution as a finite series) by bisection up to 60 degrees of freedom,
    26.7.5 (Cornish-Fisher expansion) above.

    Raises:
        ValueError: unless 0 < probability < 1 and df >= 1.

    >>> round(t_quantile(0.975, 5), 4)
    2.5706
    """
    if not 0 < probability < 1 or df < 1:
        raise ValueError(f"a t quantile needs 0 < probability < 1 and df >= 1, not {probability} and {df}")
    if probability < 0.5:
        return -t_quantile(1 - probability, df)
    if df > 60:
        x = NormalDist().inv_cdf(probability)
        terms = (
            (x**3 + x) / 4,
            (5 * x**5 + 16 * x**3 + 3 * x) / 96,
            (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
            (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
        )
        return x + sum((term / df**power for power, term in enumerate(terms, 1)), 0.0)
    low, high = 0.0, math.pi / 2  # of the angle atan(t / sqrt(df)), in which the distribution is tame
    for _ in range(60):
        middle = (low + high) / 2
        if _central_t(middle, df) < 2 * probability - 1:
            low = middle
        else:
            high = middle
    return math.sqrt(df) * math.tan((low + high) / 2)


def _central_t(angle: float, df: int) -> float:
    """P(|T| <= sqrt(df) tan(angle))."""
    sine, square = math.sin(angle), math.cos(angle) ** 2
    odd = df % 2 == 1
    term, total = (math.cos(angle) if odd else 1.0), 0.0
    for k in range(1 if odd else 0, df - 1, 2):  # k: the power of the cosine
        total += term
        term *= square * (k + 1) / (k + 2)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def share_interval(
    hits: npt.ArrayLike, sizes: npt.ArrayLike, *, confidence: float = 0.95, floor: float = 1.0
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Interval for sum(hits) / sum(sizes) over clusters: Wilson's, with the effective sample size of the clusters.

    With S = sum(hits), n = sum(sizes), p = S / n and G clusters (those of size 0 do not count):

    - linearised variance of the ratio  v = G / (G - 1) * sum((hits - p * sizes)^2) / n^2   (Cameron & Miller),
    - design effect  d = v / (p (1 - p) / (n - 1)),  drawn upwards where hits are few (see `_PRIOR_HITS`; the prior is
      1 + 0.2 (sum(sizes^2) / n - 1), Kish) and never below `floor`,
    - Wilson's interval with n / d in place of n, and the normal quantile z times t(G - 1) / t(n - 1) (Korn & Graubard).

    With one item in every cluster this is exactly Wilson's interval. No hit leaves an upper end above 0, all hits a
    lower end below 1. A single cluster counts as a single observation (d = n).

    Args:
        hits: shape (..., G): whole numbers, 0 <= hits <= sizes; of items that were asked several times, sums of their
            rates.
        sizes: shape (..., G) or (G,).
        confidence: in (0, 1).
        floor: least design effect; below 1 only where an item's rate is the mean of several verdicts.

    Returns:
        Low, high and design effect, each of shape (...); NaN where n is 0.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, not at {confidence}")
    y, m = np.broadcast_arrays(np.asarray(hits, np.float64), np.asarray(sizes, np.float64))
    # Sums of whole numbers are exact in any order, so that neither rows nor clusters have one.
    s, n, clusters = y.sum(-1), m.sum(-1), (m > 0).sum(-1)
    squares = (m * m).sum(-1)
    upper = 0.5 + confidence / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        p = s / n
        kish = squares / n
        residual = np.maximum((y * y).sum(-1) - 2 * p * (y * m).sum(-1) + p * p * squares, 0)
        variance = clusters / (clusters - 1) * residual / n**2
        independent = p * (1 - p) / (n - 1)
        seen = np.where((independent > 0) & (clusters > 1), variance / independent, 1.0)
        rarer = np.maximum(np.minimum(s, n - s), 1)  # none is treated as one: fewer hits never give a higher end
        prior = 1 + _PRIOR_CORRELATION * (kish - 1)
        drawn = (rarer * seen + _PRIOR_HITS * prior) / (rarer + _PRIOR_HITS)
        effect = np.where(clusters == 1, kish, np.maximum(np.maximum(seen, drawn), floor))
        effective = n / effect
        c = NormalDist().inv_cdf(upper) * _widening(clusters, n, upper)
        shrink = 1 + c * c / effective
        centre = (p + c * c / (2 * effective)) / shrink
        half = c / shrink * np.sqrt(p * (1 - p) / effective + c * c / (4 * effective**2))
        low = np.where(s == 0, 0.0 * n, np.maximum(centre - half, 0))
        high = np.where(s == n, 1 + 0.0 * n, np.minimum(centre + half, 1))
    nothing = n == 0
    return (
        np.where(nothing, np.nan, np.minimum(low, p)),
        np.where(nothing, np.nan, np.maximum(high, p)),
        np.where(nothing, np.nan, effect),
    )


def _widening(clusters: npt.NDArray[Any], n: npt.NDArray[Any], upper: float) -> FloatArray:
    """t(G - 1) / t(n - 1) for arrays of clusters and items; 1 where there is a single cluster."""
    if np.ndim(clusters) == 0:  # a single interval, which most are
        return np.asarray(_wider(float(clusters), float(n), upper))
    pairs, places = np.unique(np.stack([np.ravel(clusters), np.ravel(n)], 1), axis=0, return_inverse=True)
    factors = [_wider(g, items, upper) for g, items in pairs]
    return np.asarray(factors, np.float64)[places.ravel()].reshape(np.shape(clusters))


def _wider(clusters: float, n: float, upper: float) -> float:
    return t_quantile(upper, int(clusters) - 1) / t_quantile(upper, int(n) - 1) if 1 < clusters < n else 1.0


def bootstrap(
    sums: npt.ArrayLike, statistic: Statistic, *, seed: int, confidence: float = 0.95, resamples: int = RESAMPLES
) -> Interval:
    """Interval for a statistic of sums over clusters, by resampling whole clusters.

    Bias-corrected and accelerated (Efron 1987; acceleration by leaving out one cluster at a time), at percentiles
    expanded for few clusters: Phi(sqrt(G / (G - 1)) t(G - 1)) in place of alpha / 2 (Hesterberg 2015). The clusters
    are put into an order of their own first: neither their names nor the order of rows matters.

    Args:
        sums: shape (G, k): k sums in each of G clusters, as `cluster_sums` gives them.
        statistic: maps totals of shape (B, k) to values of shape (B,); NaN where it is undefined.
        seed: of the resampling: same seed, same interval.
        confidence: of the interval.
        resamples: at least 200. Memory does not grow with it times G.

    Returns:
        No value where the statistic is undefined on the whole; no interval with a single cluster, or where more than
        one resample in twenty is undefined. An interval of no width says that every resample gave the same value.

    Example: a paired difference of two rates, in points, per item:
        ``bootstrap(cluster_sums([y_a - y_b, ones], clusters), lambda t: t[..., 0] / t[..., 1], seed=0)``
    """
    return bootstraps(sums, [statistic], seed=seed, confidence=confidence, resamples=resamples)[0]


def bootstraps(
    sums: npt.ArrayLike,
    statistics: Sequence[Statistic],
    *,
    seed: int,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> list[Interval]:
    """As `bootstrap`, an interval for each of several statistics, all of the same resamples: they are drawn once.

    Arguments are those of `bootstrap`.
    """
    rows = np.asarray(sums, np.float64)
    if rows.ndim != 2 or not 0 < confidence < 1 or resamples < 200:
        raise ValueError("a bootstrap needs sums of shape (clusters, k), a confidence in (0, 1), and 200 resamples")
    rows = rows[in_order(rows)]
    resampled: Sequence[FloatArray] = ()
    intervals = []
    for statistic in statistics:
        with np.errstate(divide="ignore", invalid="ignore"):
            value = float(statistic(rows.sum(0)[None, :])[0]) if len(rows) else math.nan
        if math.isfinite(value) and len(rows) > 1:
            resampled = resampled or _resampled(rows, seed, resamples)
            intervals.append(_expanded_bca(rows, value, statistic, resampled, confidence))
        else:
            intervals.append(Interval(value if math.isfinite(value) else None, None, None))
    return intervals


def _expanded_bca(
    rows: FloatArray, value: float, statistic: Statistic, resampled: Sequence[FloatArray], confidence: float
) -> Interval:
    clusters, resamples = len(rows), sum(map(len, resampled))
    with np.errstate(divide="ignore", invalid="ignore"):
        replicates = np.concatenate([statistic(totals) for totals in resampled])
        left_out = np.asarray(statistic(rows.sum(0) - rows), np.float64)
    replicates = np.sort(replicates[np.isfinite(replicates)])
    if len(replicates) < 0.95 * resamples:
        return Interval(value, None, None)
    normal = NormalDist()
    close = 1e-12 * max(1.0, abs(value))  # the same number, whatever the order in which its parts were added up
    below = (np.sum(replicates < value - close) + np.sum(replicates <= value + close)) / (2 * len(replicates))
    bias = normal.inv_cdf(min(max(float(below), 0.5 / resamples), 1 - 0.5 / resamples))
    influence = left_out.mean() - left_out
    spread = float((influence**2).sum())
    scale = 6 * spread**1.5 if math.isfinite(spread) else 0.0  # underflows to 0 long before the spread does
    acceleration = float((influence**3).sum()) / scale if scale > 0 else 0.0
    expanded = math.sqrt(clusters / (clusters - 1)) * t_quantile(0.5 + confidence / 2, clusters - 1)
    ends = []
    for z in (-expanded, expanded):
        # Past the pole of the transformation (very skewed data, very few clusters) the percentile is the extreme one.
        stretch = 1 - acceleration * (bias + z)
        place = bias + (bias + z) / stretch if stretch > 0 else math.copysign(math.inf, z)
        ends.append(float(np.quantile(replicates, 0.5 * math.erfc(-place / math.sqrt(2)))))
    return Interval(value, min(ends[0], value), max(ends[1], value))


def _resampled(rows: FloatArray, seed: int, resamples: int) -> Sequence[FloatArray]:
    """Totals of shape (B, k) in chunks; einsum and not a matrix product, whose last digit depends on the threads."""
    rng = np.random.default_rng(seed)
    clusters = len(rows)
    columns = np.ascontiguousarray(rows.T)
    totals = []
    step = max(1, _CHUNK // clusters)
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        drawn = rng.integers(0, clusters, (size, clusters)) + clusters * np.arange(size)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=size * clusters).reshape(size, clusters).astype(np.float64)
        totals.append(np.einsum("bg,kg->bk", counts, columns))
    return totals


def in_order(sums: FloatArray) -> npt.NDArray[np.intp]:
    """An order of clusters by their sums of shape (G, k) alone, shape (G,).

    Sums of fractions differ in their last digits with the order in which they were added up; that must not change which
    cluster comes first, and with it which clusters are drawn.
    """
    scale = np.maximum(np.abs(sums).max(axis=0, initial=0.0), np.finfo(np.float64).tiny)
    with np.errstate(invalid="ignore"):  # of what is not finite there is no order, and no interval either
        return np.lexsort(np.round(sums / scale, 12).T[::-1])


def cluster_sums(columns: Sequence[npt.ArrayLike], clusters: npt.ArrayLike) -> FloatArray:
    """Sum of each column within each cluster, shape (G, k); G counts the clusters that occur.

    >>> cluster_sums([[1, 0, 1], [1, 1, 1]], ["a", "b", "a"]).tolist()
    [[2.0, 2.0], [0.0, 1.0]]
    """
    names: npt.NDArray[Any] = np.asarray(clusters)
    if names.dtype.kind not in "iu" or (len(names) and (names.min() < 0 or names.max() > 4 * len(names) + 1024)):
        names = np.unique(names, return_inverse=True)[1]
    count = np.bincount(names)
    sums = np.zeros((len(count), len(columns)))
    for place, column in enumerate(columns):
        sums[:, place] = np.bincount(names, weights=np.asarray(column, np.float64), minlength=len(count))
    return sums[count > 0]

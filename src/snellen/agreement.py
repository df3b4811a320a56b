"""Agreement of two or more who judged the same items: share that agree, Cohen's kappa, Krippendorff's alpha.

    kappa = (p_o - p_e) / (1 - p_e)     p_o: share of items on which both agree; p_e: the same by chance, sum over the
                                        kinds of the product of both margins
    alpha = 1 - D_o / D_e               D_o = (1 / n) sum over items of (ordered pairs that differ) / (raters - 1)
                                        D_e = (n^2 - sum n_k^2) / (n (n - 1)), with n_k ratings of kind k, n in all

Ratings are kinds without an order (nominal). For alpha an item counts with as many ratings as it has, if it has two or
more; nobody needs to have rated everything. Both are functions of sums over clusters, whose interval is the cluster
bootstrap. Where nobody disagrees there is nothing to resample: the lower end is then that of Wilson's interval for the
share that agree, put in place of p_o or of 1 - D_o. Where all resamples give one number, as kappa's 0 with somebody who
always says the same, nothing is known of its spread, and there is no interval.

Sources:
    Cohen 1960, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20.
    Krippendorff 2011, Computing Krippendorff's alpha-reliability: the coincidence matrix, with missing ratings.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from snellen.estimate import BOOTSTRAP, NO_INTERVAL, Estimate, rate
from snellen.intervals import FloatArray, bootstrap, cluster_sums, share_interval

Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.intp]
Sums = Callable[[FloatArray], FloatArray]

# With thousands of clusters a statistic hardly varies, and fewer resamples tell as much: so many clusters are drawn.
_DRAWS, _FEWEST_RESAMPLES = 2_000_000, 1000

AGREED = "Wilson interval of the share that agree, since nobody disagrees"


def agreeing_share(first: npt.ArrayLike, second: npt.ArrayLike, clusters: npt.ArrayLike) -> Estimate:
    """Share of the items that both rated on which they agree.

    Args:
        first, second: shape (N,): a kind from 0, or -1 where there is no rating.
        clusters: shape (N,): the cluster of each item.

    Raises:
        ValueError: shapes that differ.

    >>> agreeing_share([1, 0, 1, -1], [1, 1, 1, 0], range(4)).value
    0.6666666666666666
    """
    a, b, codes = _pair(first, second, clusters)
    return rate(a == b, codes, scored=(a >= 0) & (b >= 0))


def cohen_kappa(
    first: npt.ArrayLike, second: npt.ArrayLike, clusters: npt.ArrayLike, *, seed: int = 0, resamples: int = 4000
) -> Estimate:
    """Cohen's kappa over the items that both rated: 1 for perfect agreement, 0 for that of chance.

    Args:
        first, second, clusters: as for `agreeing_share`.
        seed, resamples: of the bootstrap; fewer, at least 1,000, with thousands of clusters.

    Returns:
        No value where it is not defined: nothing was rated by both, or both always said the same kind.

    Raises:
        ValueError: shapes that differ.

    >>> cohen_kappa([1, 1, 0, 0], [1, 0, 0, 0], range(4)).value
    0.5
    """
    a, b, codes = _pair(first, second, clusters)
    both = (a >= 0) & (b >= 0)
    a, b, codes, unrated = a[both], b[both], codes[both], int((~both).sum())
    kinds = int(max(a.max(initial=0), b.max(initial=0))) + 1
    cells = [(a == row) & (b == column) for row in range(kinds) for column in range(kinds)]

    def table(totals: FloatArray) -> FloatArray:
        return totals.reshape(*totals.shape[:-1], kinds, kinds)

    def differ(totals: FloatArray) -> FloatArray:
        return np.asarray(1 - np.trace(table(totals), axis1=-2, axis2=-1) / totals.sum(-1))

    def by_chance(totals: FloatArray) -> FloatArray:
        margins = table(totals).sum(-1) * table(totals).sum(-2)
        return np.asarray(1 - margins.sum(-1) / totals.sum(-1) ** 2)

    return _estimate(cluster_sums(cells, codes), differ, by_chance, a == b, codes, unrated, seed, resamples)


def krippendorff_alpha(
    ratings: npt.ArrayLike, clusters: npt.ArrayLike, *, seed: int = 0, resamples: int = 4000
) -> Estimate:
    """Krippendorff's alpha for kinds without an order, over the items that two or more rated.

    Args:
        ratings: shape (R, N): what each of R raters said of each item: a kind from 0, or -1 for nothing.
        clusters: shape (N,): the cluster of each item.
        seed, resamples: of the bootstrap; fewer, at least 1,000, with thousands of clusters.

    Returns:
        No value where it is not defined: no item was rated twice, or all ratings are of one kind.

    Raises:
        ValueError: shapes that differ.

    >>> round(krippendorff_alpha([[1, 1, 0, 0], [1, 0, 0, -1], [1, 1, 0, 0]], range(4)).value, 6)
    0.666667
    """
    given, codes = np.asarray(ratings, np.int64), np.asarray(clusters)
    if given.ndim != 2 or given.shape[1:] != codes.shape:
        raise ValueError(f"ratings of shape (raters, items) and clusters (items,), not {given.shape} and {codes.shape}")
    kinds = int(given.max(initial=0)) + 1
    counts = np.stack([(given == kind).sum(0) for kind in range(kinds)])
    raters = counts.sum(0)
    rated = raters >= 2
    counts, codes = counts[:, rated], codes[rated]
    raters = raters[rated]
    differing = (raters**2 - (counts**2).sum(0)) / np.maximum(raters - 1, 1)

    def differ(totals: FloatArray) -> FloatArray:
        return np.asarray(totals[..., 0] / totals[..., 1:].sum(-1))

    def by_chance(totals: FloatArray) -> FloatArray:
        n = totals[..., 1:].sum(-1)
        return np.asarray((n**2 - (totals[..., 1:] ** 2).sum(-1)) / (n * (n - 1)))

    sums = cluster_sums([differing, *counts], codes)
    return _estimate(sums, differ, by_chance, differing == 0, codes, int((~rated).sum()), seed, resamples)


def _pair(first: npt.ArrayLike, second: npt.ArrayLike, clusters: npt.ArrayLike) -> tuple[Ints, Ints, Codes]:
    a, b = np.asarray(first, np.int64), np.asarray(second, np.int64)
    codes = np.asarray(np.unique(np.asarray(clusters), return_inverse=True)[1], np.intp)
    if a.ndim != 1 or a.shape != b.shape or a.shape != codes.shape:
        raise ValueError(f"both raters and the clusters need one length, not {a.shape}, {b.shape} and {codes.shape}")
    return a, b, codes


def _estimate(
    sums: FloatArray,
    differ: Sums,
    by_chance: Sums,
    agree: npt.NDArray[np.bool_],
    clusters: Codes,
    unrated: int,
    seed: int,
    resamples: int,
) -> Estimate:
    """1 - differ / by_chance, both functions of totals."""

    def statistic(totals: FloatArray) -> FloatArray:
        chance = by_chance(totals)
        return np.asarray(1 - differ(totals) / np.where(chance > 0, chance, np.nan))

    fewer = max(_FEWEST_RESAMPLES, _DRAWS // max(len(sums), 1))
    found = bootstrap(sums, statistic, seed=seed, resamples=min(resamples, fewer))
    low, high, method = found.low, found.high, NO_INTERVAL if found.low is None else BOOTSTRAP
    if found.value is not None and agree.all() and len(sums) > 1:
        parts = cluster_sums([agree, np.ones(len(agree))], clusters)
        least = float(share_interval(parts[:, 0], parts[:, 1])[0])
        low, high, method = max(-1.0, 1 - (1 - least) / float(by_chance(sums.sum(0)))), 1.0, AGREED
    elif low == high:
        low, high, method = None, None, NO_INTERVAL
    return Estimate(found.value, low, high, len(agree), len(sums), unrated, method=method)

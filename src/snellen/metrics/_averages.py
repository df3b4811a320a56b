"""Means of several numbers of one run, with the interval of their mean: the clusters are shared, so they are resampled
together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from snellen.estimate import BOOTSTRAP, NO_INTERVAL, Estimate
from snellen.intervals import bootstrap, cluster_sums

_SEED = 0

Column = npt.NDArray[np.float64]


def mean_of_ratios(
    parts: Sequence[tuple[Column, Column]], clusters: npt.NDArray[np.int64], *, n: int, unscored: int
) -> Estimate:
    """The mean of sum(top) / sum(bottom) over the parts, each weighing the same.

    Args:
        parts: (tops, bottoms), each of shape (N,), 0 in rows that are not of the part.
        clusters: shape (N,).
        n, unscored: counts for the estimate.

    Returns:
        No value where one of the parts has none: a mean of fewer numbers is another number.
    """
    if not parts or not len(clusters):
        return Estimate(None, None, None, n, 0, unscored)
    sums = cluster_sums([column for part in parts for column in part], clusters)
    interval = bootstrap(sums, lambda t: np.mean(t[..., 0::2] / t[..., 1::2], axis=-1), seed=_SEED)
    return Estimate(
        interval.value,
        interval.low,
        interval.high,
        n,
        len(sums),
        unscored,
        lower_bound=None if unscored else interval.value,
        upper_bound=None if unscored else interval.value,
        method=NO_INTERVAL if interval.low is None else BOOTSTRAP,
    )

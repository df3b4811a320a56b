"""Paired ratios: what two runs match of the same screens, where an item is no yes or no but a count out of a count.

A ratio of sums (elements matched over elements that are there, or over elements listed) of each run, over the items
that have one in both. Everything works on sums within clusters, as in `snellen.engine.paired`:

- the interval of the difference is the cluster bootstrap of `snellen.intervals`,
- p is of a test by exchange: if the runs were alike, which of a cluster's two answers is whose would be a matter of
  chance. With P the ratio of both runs together, which an exchange leaves as it is, a cluster counts
  r = (top - P bottom of the other) - (the same of the base); an exchange turns its sign. p is the share of
  `FLIPS` random exchanges, seeded, whose sum of r is as far from 0 as what was seen, that one counted among them
  (Phipson & Smyth 2010, Permutation p-values should never be zero, Stat. Appl. Genet. Mol. Biol. 9).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.engine.paired import Difference
from snellen.estimate import BOOTSTRAP, NO_INTERVAL, ratio
from snellen.intervals import FloatArray, bootstrap, cluster_sums

FLIPS = 19_999
_SEED = 0
_AT_ONCE = 1 << 22

Ratio = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
"""Numerators and denominators, each of shape (N,); NaN where an item has none."""


def ratio_difference(base: Ratio, other: Ratio, clusters: npt.ArrayLike) -> Difference:
    """The difference of two ratios of sums over the same items.

    `Difference.gained` and `lost` count the items on which the other run's own ratio is higher, or lower.

    Args:
        base: of the first run.
        other: of the other run.
        clusters: shape (N,): the cluster of each item.

    Returns:
        No bounds where an item has no number in either run, since its denominator is not known.

    >>> found = ratio_difference(([1.0, 2.0], [2.0, 4.0]), ([2.0, 3.0], [2.0, 4.0]), [0, 1])
    >>> round(found.value, 3), found.gained, found.lost, found.n
    (0.333, 2, 0, 2)
    """
    columns: FloatArray = np.array([*base, *other], np.float64)
    codes = np.asarray(clusters)
    both = ~np.isnan(columns).any(0)
    unscored = int((~both).sum())
    columns, codes = columns[:, both], codes[both]
    rates = tuple(ratio(columns[at], columns[at + 1], codes, seed=_SEED) for at in (0, 2))
    empty = Difference(rates[0], rates[1], None, None, None, None, None, 0, 0, unscored, None, None)
    if rates[0].value is None or rates[1].value is None:
        return empty
    sums = cluster_sums(list(columns), codes)
    found = bootstrap(sums, _difference, seed=_SEED)
    pooled = (sums[:, 0].sum() + sums[:, 2].sum()) / (sums[:, 1].sum() + sums[:, 3].sum())
    p = random_flip_p((sums[:, 2] - pooled * sums[:, 3]) - (sums[:, 0] - pooled * sums[:, 1]))
    # Compared crosswise, so that an item on which a run lists nothing is no division by 0.
    lead = columns[2] * columns[1] - columns[0] * columns[3]
    value = rates[1].value - rates[0].value
    wide = found.low is not None and found.high is not None and found.high > found.low
    return Difference(
        rates[0],
        rates[1],
        value,
        found.low if wide else None,
        found.high if wide else None,
        p,
        p,
        int((lead > 0).sum()),
        int((lead < 0).sum()),
        unscored,
        None if unscored else value,
        None if unscored else value,
        BOOTSTRAP if wide else NO_INTERVAL,
    )


def _difference(totals: FloatArray) -> FloatArray:
    found: FloatArray = totals[..., 2] / totals[..., 3] - totals[..., 0] / totals[..., 1]
    return found


def random_flip_p(values: npt.ArrayLike, flips: int = FLIPS, seed: int = _SEED) -> float:
    """P(|sum of +-v| >= |sum of v|) with every sign as likely as the other, by seeded random signs.

    Args:
        values: shape (G,): any numbers; those that are 0 do not matter.
        flips: how many; p is at least 1 / (flips + 1).
        seed: of the signs.
    """
    v: FloatArray = np.asarray(values, np.float64)
    v = np.sort(v[np.abs(v) > 1e-12])
    if not len(v):
        return 1.0
    observed = abs(float(v.sum())) - 1e-9 * float(np.abs(v).sum())  # sums in another order differ in the last digits
    rng = np.random.default_rng(seed)
    beyond, step = 0, max(1, _AT_ONCE // len(v))
    for start in range(0, flips, step):
        rows = min(step, flips - start)
        positive = np.unpackbits(rng.integers(0, 256, (rows, -(-len(v) // 8)), np.uint8), axis=1)[:, : len(v)]
        sums = 2 * np.einsum("bg,g->b", positive, v) - v.sum()
        beyond += int((np.abs(sums) >= observed).sum())
    return (beyond + 1) / (flips + 1)

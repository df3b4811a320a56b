"""Paired: what two runs score on the same items, and whether the difference is more than chance.

Items are paired by id. With b and o the value of an item in the base and in the other run, everything rests on the
differences d = o - b, summed within each cluster (the image that items stem from):

- the difference is the mean of d over the items scored in both, with the interval of `paired_interval`,
- p is that of the sign-flip test on the clusters' sums: if the runs were alike, each sum would be as likely with the
  other sign (Fisher 1935, The Design of Experiments, section 21). The distribution is computed in full, by convolution,
  without a draw. With one item in every cluster this is the exact test of McNemar,
- where no item differs, the interval reaches as far as the share of differing items might (`share_interval` of no hit)
  on either side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.engine.multiplicity import holm
from snellen.engine.paired_interval import ADJUSTED, difference_interval
from snellen.estimate import NO_INTERVAL, WILSON, Estimate, rate
from snellen.intervals import FloatArray, cluster_sums

Mask = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Difference:
    """A rate of two runs over the same items.

    Attributes:
        base: of the first run, over the items scored in both.
        other: of the other run, over the same.
        value: the other's less the base's; None where nothing is scored in both.
        low, high: ends of its interval; None where there is none (a single cluster).
        p: of the sign-flip test; None without a value.
        p_holm: `p` corrected for as many tests as stand in its family (`holm`); `p` itself where there is one.
        gained: items that are 1 in the other run and 0 in the base.
        lost: items that are 0 in the other run and 1 in the base.
        unscored: shared items without a value in either run.
        lower_bound, upper_bound: the difference over all shared items, whatever the unscored ones are.
        method: of the interval, in words.
    """

    base: Estimate
    other: Estimate
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    gained: int
    lost: int
    unscored: int
    lower_bound: float | None
    upper_bound: float | None
    method: str = NO_INTERVAL

    @property
    def n(self) -> int:
        """Items scored in both."""
        return self.base.n

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names, estimates as `Estimate.to_json` gives them."""
        names = [name for name in self.__slots__ if name not in ("base", "other")]
        plain = {name: getattr(self, name) for name in names}
        return {"n": self.n, "base": self.base.to_json(), "other": self.other.to_json(), **plain}


def difference(base: npt.ArrayLike, other: npt.ArrayLike, clusters: npt.ArrayLike) -> Difference:
    """The difference of two rates over the same items.

    Args:
        base: shape (N,): 0 or 1 for each item, -1 where it is unscored.
        other: shape (N,), of the other run.
        clusters: shape (N,): the cluster of each item.

    Raises:
        ValueError: other numbers, or shapes that differ.

    >>> found = difference([0, 0, 0, 1], [1, 1, 1, 1], [0, 1, 2, 3])
    >>> found.value, found.gained, found.lost, round(found.p, 6)
    (0.75, 3, 0, 0.25)
    """
    b, o, codes = np.asarray(base, np.int64), np.asarray(other, np.int64), np.asarray(clusters)
    if b.ndim != 1 or b.shape != o.shape or b.shape != codes.shape:
        raise ValueError(f"both runs and the clusters need one length, not {b.shape}, {o.shape} and {codes.shape}")
    if not (np.isin(b, (-1, 0, 1)).all() and np.isin(o, (-1, 0, 1)).all()):
        raise ValueError("a paired difference is of zeros and ones, with -1 for unscored")
    both: Mask = (b >= 0) & (o >= 0)
    d, own = (o - b)[both], codes[both]
    rates = rate(b[both], own), rate(o[both], own)
    low, high = _bounds(b, o)
    empty = Difference(*rates, None, None, None, None, None, 0, 0, int((~both).sum()), low, high)
    if not len(d):
        return empty
    sums, moved, sizes = cluster_sums([d, np.abs(d), np.ones(len(d))], own).T
    p = sign_flip_p(np.rint(sums).astype(np.int64))
    ends = difference_interval(sums, moved, sizes) if len(sizes) > 1 else None
    return replace(
        empty,
        value=float(d.mean()),
        low=None if ends is None else float(ends[0]),
        high=None if ends is None else float(ends[1]),
        p=p,
        p_holm=p,
        gained=int((d > 0).sum()),
        lost=int((d < 0).sum()),
        method=NO_INTERVAL if ends is None else ADJUSTED if d.any() else WILSON,
    )


def _bounds(b: Ints, o: Ints) -> tuple[float | None, float | None]:
    """The least and the greatest mean difference that values for the unscored can give."""
    if not len(b):
        return None, None
    least = np.where(o < 0, 0, o) - np.where(b < 0, 1, b)
    most = np.where(o < 0, 1, o) - np.where(b < 0, 0, b)
    return float(least.mean()), float(most.mean())


def sign_flip_p(sums: npt.ArrayLike) -> float:
    """P(|sum of +-s| >= |sum of s|) with every sign as likely as the other, exactly.

    Args:
        sums: shape (G,): whole numbers; those that are 0 do not matter.

    >>> round(sign_flip_p([1, 1, 1, 1, 1, -1]), 6)
    0.21875
    """
    values = np.asarray(sums, np.int64)
    sizes, counts = np.unique(np.abs(values[values != 0]), return_counts=True)
    # The sum is 2 T - M, with T the part of M = sum |s| whose sign came out positive.
    chances: FloatArray = np.ones(1)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        spread = np.zeros(size * count + 1)
        spread[::size] = _fair_coins(count)
        chances = np.convolve(chances, spread)
    reach = np.abs(2 * np.arange(len(chances)) - (len(chances) - 1))
    return min(1.0, float(chances[reach >= abs(int(values.sum()))].sum()))


def _fair_coins(count: int) -> FloatArray:
    """The chances of 0 to `count` heads."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, count + 1)))])
    heads: FloatArray = np.exp(logs[-1] - logs - logs[::-1] - count * np.log(2.0))
    return heads


def corrected(differences: Sequence[Difference]) -> list[Difference]:
    """The differences with `p_holm` set: all of them are one family; those without a p are left out of it."""
    return [replace(each, p_holm=p) for each, p in zip(differences, holm([d.p for d in differences]), strict=True)]

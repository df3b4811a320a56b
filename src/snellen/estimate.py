"""Estimate: a number with its interval, its counts, and the bounds it would have whatever the unscored items are.

Every interval works on clusters (the images that items stem from), never on single items.

- `rate`: share of ones. Wilson's interval with the effective sample size of the clusters.
- `ratio`: a ratio of two sums over clusters. The same interval where it is a share, else the bootstrap.
- `snellen.intervals.bootstrap` serves any other statistic of sums over clusters: differences, correlations.

The formulas and their sources stand in `snellen.intervals`, the reasons for them in docs/statistics.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.intervals import FloatArray, Interval, bootstrap, cluster_sums, share_interval

WILSON = "Wilson interval, effective sample size of the clusters"
BOOTSTRAP = "cluster bootstrap, expanded BCa"
NO_INTERVAL = "no interval"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number in [0, 1] (for shares), its interval and what it rests on.

    Attributes:
        value: None where nothing was scored or the denominator is 0.
        low: lower end of the interval; None where there is none (no value, or one cluster in a bootstrap).
        high: upper end.
        n: items scored.
        clusters: distinct clusters among them.
        unscored: items that belong here and have no value.
        lower_bound: the value if all unscored were 0; None where that is not known (a ratio with unscored items, no
            items at all).
        upper_bound: the value if all unscored were 1.
        hits: number of ones among the scored; None where the number is not a count of items.
        method: of the interval, in words.
        design_effect: variance over that of as many independent items; None where it does not apply.
        confidence: of the interval.

    `format` takes the name of a piece: ``value``, ``interval``, ``counts``, ``bounds``; without one it gives the first
    three.

    >>> estimate = rate([1, 0, 0, 1], [0, 1, 2, 3])
    >>> str(estimate)
    '50.0 % [15.0, 85.0], 2 of 4 scored of 4'
    >>> f"{estimate:value}"
    '50.0 %'
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    clusters: int
    unscored: int = 0
    lower_bound: float | None = None
    upper_bound: float | None = None
    hits: int | None = None
    method: str = NO_INTERVAL
    design_effect: float | None = None
    confidence: float = 0.95

    def __str__(self) -> str:
        return format(self, "")

    def __format__(self, piece: str) -> str:
        match piece:
            case "":
                return f"{f'{self:value} {self:interval}'.rstrip()}, {self:counts}"
            case "value":
                return "no value" if self.value is None else f"{100 * self.value:.1f} %"
            case "interval":
                return "" if self.low is None or self.high is None else f"[{100 * self.low:.1f}, {100 * self.high:.1f}]"
            case "counts":
                hits = "" if self.hits is None else f"{self.hits:,} of "
                return f"{hits}{self.n:,} scored of {self.n + self.unscored:,}"
            case "bounds":
                if self.lower_bound is None or self.upper_bound is None:
                    return "bounds unknown" if self.unscored else ""
                low, high = f"{100 * self.lower_bound:.1f}", f"{100 * self.upper_bound:.1f}"
                return f"between {low} and {high} % whatever the unscored are" if self.unscored else ""
        raise ValueError(f"an estimate has the pieces value, interval, counts and bounds, not {piece!r}")

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {name: getattr(self, name) for name in self.__slots__}


def rate(
    values: npt.ArrayLike, clusters: npt.ArrayLike, *, scored: npt.ArrayLike | None = None, confidence: float = 0.95
) -> Estimate:
    """Share of ones among the scored, each item weighing the same, with `share_interval`.

    Args:
        values: shape (N,): 0 or 1 where scored; anything where not.
        clusters: shape (N,): the cluster of each item, whole numbers or names; which ones does not matter.
        scored: shape (N,): False leaves an item unscored, as does a NaN value. None: all are scored.
        confidence: of the interval, in (0, 1).

    Raises:
        ValueError: for a scored value other than 0 and 1, or shapes that differ.

    >>> estimate = rate([1, 1, 0, 0, float("nan")], [0, 0, 1, 1, 2])
    >>> estimate.value, estimate.n, estimate.clusters, estimate.unscored, estimate.lower_bound, estimate.upper_bound
    (0.5, 4, 2, 1, 0.4, 0.6)
    """
    (y,), codes, mask = _columns([values], clusters, scored)
    n, unscored = len(y), len(mask) - len(y)
    binary = (y == 0) | (y == 1)
    if not binary.all():
        odd = y[~binary][0]
        raise ValueError(f"a rate is a share of zeros and ones, not of {odd}: use ratio for other numbers")
    if not n:
        return Estimate(
            None,
            None,
            None,
            0,
            0,
            unscored,
            lower_bound=0.0 if unscored else None,
            upper_bound=1.0 if unscored else None,
            hits=0,
            confidence=confidence,
        )
    sums = cluster_sums([y, np.ones(n)], codes)
    low, high, effect = share_interval(sums[:, 0], sums[:, 1], confidence=confidence)
    hits = int(y.sum())
    return Estimate(
        hits / n,
        float(low),
        float(high),
        n,
        len(sums),
        unscored,
        lower_bound=hits / (n + unscored),
        upper_bound=(hits + unscored) / (n + unscored),
        hits=hits,
        method=WILSON,
        design_effect=float(effect),
        confidence=confidence,
    )


def ratio(
    numerators: npt.ArrayLike,
    denominators: npt.ArrayLike,
    clusters: npt.ArrayLike,
    *,
    seed: int,
    scored: npt.ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 4000,
) -> Estimate:
    """sum(numerators) / sum(denominators) over the scored items.

    A share (whole numbers, 0 <= numerator <= denominator everywhere) gets `share_interval`, which covers better than
    any bootstrap and does not collapse at 0 and 1; everything else gets `bootstrap`.

    Args:
        numerators: shape (N,), finite where scored.
        denominators: shape (N,), at least 0 where scored.
        clusters: shape (N,), as in `rate`.
        seed: of the bootstrap.
        scored: as in `rate`; a NaN on either side leaves the item unscored as well.
        confidence: of the interval.
        resamples: of the bootstrap.

    Returns:
        Value None where the denominators sum to 0. The bounds are known only when nothing is unscored, for an unscored
        item's denominator is not.

    Raises:
        ValueError: for an infinite number, a negative denominator, or shapes that differ.

    >>> ratio([1, 3], [2, 4], [0, 1], seed=0).value
    0.6666666666666666
    """
    (top, bottom), codes, mask = _columns([numerators, denominators], clusters, scored)
    if not (np.isfinite(top).all() and np.isfinite(bottom).all()) or (bottom < 0).any():
        raise ValueError("a ratio needs finite numerators and finite denominators of at least 0")
    n, unscored = len(top), len(mask) - len(top)
    sums = cluster_sums([top, bottom], codes)
    empty = Estimate(None, None, None, n, len(sums), unscored, confidence=confidence)
    if not bottom.sum():
        return empty
    whole = bool((np.rint(top) == top).all() and (np.rint(bottom) == bottom).all())
    share = whole and bool((top >= 0).all() and (top <= bottom).all())
    effect: float | None = None
    if share:
        value = float(top.sum() / bottom.sum())
        ends = share_interval(sums[:, 0], sums[:, 1], confidence=confidence)
        interval, effect = Interval(value, float(ends[0]), float(ends[1])), float(ends[2])
    else:
        interval = bootstrap(
            sums, lambda totals: totals[..., 0] / totals[..., 1], seed=seed, confidence=confidence, resamples=resamples
        )
    return replace(
        empty,
        value=interval.value,
        low=interval.low,
        high=interval.high,
        lower_bound=None if unscored else interval.value,
        upper_bound=None if unscored else interval.value,
        method=NO_INTERVAL if interval.low is None else WILSON if share else BOOTSTRAP,
        design_effect=effect,
    )


def _columns(
    columns: Sequence[npt.ArrayLike], clusters: npt.ArrayLike, scored: npt.ArrayLike | None
) -> tuple[list[FloatArray], npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """The scored rows of the columns, their clusters, and which rows are scored."""
    arrays = [np.asarray(column, np.float64) for column in columns]
    codes = np.asarray(clusters)
    mask = np.ones(codes.shape, np.bool_) if scored is None else np.asarray(scored, np.bool_).copy()
    if codes.ndim != 1 or any(array.shape != codes.shape for array in (*arrays, mask)):
        shapes = [array.shape for array in (*arrays, codes, mask)]
        raise ValueError(f"values, clusters and scored need one and the same length, not {shapes}")
    for array in arrays:
        mask &= ~np.isnan(array)
    return [array[mask] for array in arrays], codes[mask], mask

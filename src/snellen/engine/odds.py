"""Whether one thing goes with another, item by item: odds ratios and areas under curves, with clustered intervals.

With cases counted as a (exposed, bad), b (exposed, good), c (not exposed, bad), d (not exposed, good):

- the odds ratio is a d / (b c). The variance of its logarithm is the sandwich of a logistic regression, summed within
  clusters (Liang & Zeger 1986, Biometrika 73), times G / (G - 1). With a cell of 0, half a case is added to every cell
  (Haldane 1956, Annals of Human Genetics 20; Anscombe 1956),
- Mantel & Haenszel (1959, J. National Cancer Institute 22) over strata k: sum(a d / N) / sum(b c / N), the variance
  linearised within clusters; cases are compared with others of the same stratum alone,
- an area under the curve is the share of pairs, one bad and one good case, in which the bad one scores higher, ties
  counting half; its variance is that of placement values summed within clusters (Obuchowski 1997, Biometrics 53).

A variance never falls below the one that as many independent cases would have: 1/a + 1/b + 1/c + 1/d (Woolf 1955),
Robins, Breslow & Greenland (1986, Biometrics 42), DeLong et al. (1988, Biometrics 44). Quantiles are Student's with one
degree of freedom less than there are clusters.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.intervals import FloatArray, t_quantile

Mask = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Odds:
    """An odds ratio.

    Attributes:
        exposed_bad, exposed_good, other_bad, other_good: cases; over all strata where there are some.
        clusters: that they lie in.
        value: None where it is not defined: nobody exposed or nobody not, nothing bad or nothing good; over strata also
            where one of its two sums is 0.
        low, high: ends of the 95 % interval; None without a value, and with one cluster.
        p: two-sided, of the value 1; None where there is no interval.
        corrected: whether half a case was added to each cell.
        strata: with exposed and other, bad and good cases; None where nothing is stratified.
    """

    exposed_bad: int
    exposed_good: int
    other_bad: int
    other_good: int
    clusters: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    corrected: bool = False
    strata: int | None = None

    @property
    def n(self) -> int:
        """Cases."""
        return self.exposed_bad + self.exposed_good + self.other_bad + self.other_good

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Area:
    """An area under the curve.

    Attributes:
        bad, good: cases.
        clusters: that they lie in.
        value: in [0, 1], 0.5 where the score says nothing; None where one of the two kinds is missing.
        low, high: ends of the 95 % interval; None without a value, and with one cluster.
    """

    bad: int
    good: int
    clusters: int
    value: float | None = None
    low: float | None = None
    high: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return asdict(self)


def odds_ratio(exposed: npt.ArrayLike, bad: npt.ArrayLike, clusters: npt.ArrayLike) -> Odds:
    """The odds ratio of being bad, exposed ones to others.

    Args:
        exposed, bad: shape (N,), booleans.
        clusters: shape (N,), whole numbers or names.

    >>> found = odds_ratio([1, 1, 1, 0, 0, 0], [1, 1, 0, 1, 0, 0], range(6))
    >>> round(found.value, 6)
    4.0
    """
    x, y = np.asarray(exposed, np.bool_), np.asarray(bad, np.bool_)
    groups, count = _groups(clusters)
    cells = _cells(x, y)
    a, b, c, d = cells
    empty = Odds(int(a), int(b), int(c), int(d), count)
    if not (a + b and c + d and a + c and b + d):
        return empty
    corrected = not cells.all()
    a, b, c, d = cells + 0.5 if corrected else cells
    of_exposed, of_others = a / (a + b), c / (c + d)
    residual = np.where(x, (y - of_exposed) * (a + b) / (a * b), -(y - of_others) * (c + d) / (c * d))
    independent = 1 / a + 1 / b + 1 / c + 1 / d
    value = math.log(a * d / (b * c))
    return _with_interval(empty, value, _clustered(residual, groups, count), independent, corrected=corrected)


def mantel_haenszel(exposed: npt.ArrayLike, bad: npt.ArrayLike, strata: npt.ArrayLike, clusters: npt.ArrayLike) -> Odds:
    """The odds ratio within strata. Arguments as in `odds_ratio`; `strata`: shape (N,), whole numbers or names."""
    x, y = np.asarray(exposed, np.bool_), np.asarray(bad, np.bool_)
    groups, count = _groups(clusters)
    layers, layer_count = _groups(strata)
    each = np.stack([x & y, x & ~y, ~x & y, ~x & ~y]).astype(np.float64)  # shape (4, N)
    a, b, c, d = (np.bincount(layers, weights=cell, minlength=layer_count) for cell in each)
    n = np.maximum(a + b + c + d, 1)
    good, opposed = a * d / n, b * c / n
    informative = ((a + b) * (c + d) * (a + c) * (b + d)) > 0
    empty = Odds(int(a.sum()), int(b.sum()), int(c.sum()), int(d.sum()), count, strata=int(informative.sum()))
    for_, against = float(good.sum()), float(opposed.sum())
    if not for_ or not against:
        return empty
    # What a case adds to log(sum(a d / N)) - log(sum(b c / N)), to first order.
    own_a, own_b, own_c, own_d = each
    to_good = (own_a * d[layers] + own_d * a[layers] - good[layers]) / n[layers] / for_
    to_opposed = (own_b * c[layers] + own_c * b[layers] - opposed[layers]) / n[layers] / against
    p, q = (a + d) / n, (b + c) / n
    independent = float(
        (p * good).sum() / (2 * for_**2)
        + (p * opposed + q * good).sum() / (2 * for_ * against)
        + (q * opposed).sum() / (2 * against**2)
    )
    counted = len(np.unique(groups[informative[layers]]))
    variance = _clustered(to_good - to_opposed, groups, count, counted)
    return _with_interval(empty, math.log(for_ / against), variance, independent, counted=counted)


def area(score: npt.ArrayLike, bad: npt.ArrayLike, clusters: npt.ArrayLike) -> Area:
    """How well a score tells bad cases from good ones. Arguments: `score`, shape (N,); the others as in `odds_ratio`.

    >>> area([3, 1, 2, 0], [1, 1, 0, 0], range(4)).value
    0.75
    """
    s, y = np.asarray(score, np.float64), np.asarray(bad, np.bool_)
    groups, count = _groups(clusters)
    bads, goods = np.sort(s[y]), np.sort(s[~y])
    empty = Area(len(bads), len(goods), count)
    if not len(bads) or not len(goods):
        return empty
    below = (np.searchsorted(goods, s[y], "left") + np.searchsorted(goods, s[y], "right")) / (2 * len(goods))
    above = 1 - (np.searchsorted(bads, s[~y], "left") + np.searchsorted(bads, s[~y], "right")) / (2 * len(bads))
    value = float(below.mean())
    if count < 2:
        return Area(len(bads), len(goods), count, value)
    parts = np.zeros(len(s))
    parts[y], parts[~y] = (below - value) / len(bads), (above - value) / len(goods)
    independent = sum(float(each.var(ddof=1)) / len(each) for each in (below, above) if len(each) > 1)
    variance = max(_clustered(parts, groups, count) or 0.0, independent)
    half = t_quantile(0.975, count - 1) * math.sqrt(variance)
    return Area(len(bads), len(goods), count, value, max(0.0, value - half), min(1.0, value + half))


def _cells(x: Mask, y: Mask) -> FloatArray:
    return np.array([(x & y).sum(), (x & ~y).sum(), (~x & y).sum(), (~x & ~y).sum()], np.float64)


def _groups(names: npt.ArrayLike) -> tuple[Ints, int]:
    values, places = np.unique(np.asarray(names), return_inverse=True)
    return places.astype(np.int64), len(values)


def _clustered(parts: FloatArray, groups: Ints, count: int, counted: int | None = None) -> float | None:
    """Sum of the squares of the clusters' sums, times G / (G - 1); None with a single cluster."""
    g = count if counted is None else counted
    if g < 2:
        return None
    sums = np.bincount(groups, weights=parts, minlength=count)
    return g / (g - 1) * float((sums**2).sum())


def _with_interval(
    empty: Odds,
    logarithm: float,
    clustered: float | None,
    independent: float,
    *,
    corrected: bool = False,
    counted: int | None = None,
) -> Odds:
    plain = {name: getattr(empty, name) for name in Odds.__slots__}
    plain |= {"value": math.exp(logarithm), "corrected": corrected}
    if clustered is not None:
        from scipy.special import stdtr  # the distribution of Student's t

        df = (empty.clusters if counted is None else counted) - 1
        error = math.sqrt(max(clustered, independent))
        half = t_quantile(0.975, df) * error
        plain |= {
            "low": math.exp(max(logarithm - half, -700.0)),
            "high": math.exp(min(logarithm + half, 700.0)),
            "p": min(1.0, 2 * float(stdtr(df, -abs(logarithm) / error))),
        }
    return Odds(**plain)

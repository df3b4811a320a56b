"""Parts: how much better one and the same run does on some items than on others.

The difference of two shares over different items, often of the same images. With y, m and z, k the hits and items of a
cluster in either part, and p, q the two shares, a cluster counts u = (y - p m) / sum(m) - (z - q k) / sum(k):

- p is of Student's t with G - 1 degrees of freedom for (p - q) / sqrt(v), v = G / (G - 1) sum(u^2) the linearised
  variance (Cameron & Miller 2015). A share that is the same on all of its K images, as one of 0 or 1 is, shows no
  variance; it is then given that of K images with one hit and one miss more, (K + 1) / (K + 2)^3 (Agresti & Caffo 2000,
  The American Statistician 54). So are both where u is 0 throughout,
- the interval is t(G - 1) standard errors to either side, within -1 and 1. Where hits are rare it holds the truth more
  often than a cluster bootstrap does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from snellen.estimate import Estimate, rate
from snellen.intervals import FloatArray, cluster_sums, t_quantile

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PartsDifference:
    """A share less another, of one run.

    Attributes:
        higher, lower: the two shares.
        value: the first less the second; None where one has no scored item.
        low, high: its interval; None where there is none.
        p: None with a single cluster.
        p_holm: `p` by Holm's correction, of those that stand together.
    """

    higher: Estimate
    lower: Estimate
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names, estimates as `Estimate.to_json` gives them."""
        plain = {name: getattr(self, name) for name in self.__slots__ if name not in ("higher", "lower")}
        return {"higher": self.higher.to_json(), "lower": self.lower.to_json(), **plain}


def parts_difference(values: npt.ArrayLike, higher: Mask, lower: Mask, clusters: npt.ArrayLike) -> PartsDifference:
    """Share of ones among some items less that among others.

    Args:
        values: shape (N,): 1, 0, or -1 for unscored.
        higher, lower: shape (N,): which items; none is of both.
        clusters: shape (N,).

    >>> found = parts_difference([1, 1, 0, 1], np.array([1, 1, 0, 0], bool), np.array([0, 0, 1, 1], bool), [0, 1, 0, 1])
    >>> found.value
    0.5
    """
    y, codes = np.asarray(values), np.asarray(clusters)
    shares = [rate(y[part], codes[part], scored=y[part] >= 0) for part in (higher, lower)]
    found = PartsDifference(shares[0], shares[1], None, None, None, None, None)
    if shares[0].value is None or shares[1].value is None:
        return found
    kept = (y >= 0) & (higher | lower)
    ones, first = (y[kept] == 1), higher[kept]
    sums = cluster_sums([ones & first, first, ones & ~first, ~first], codes[kept])
    value = shares[0].value - shares[1].value
    if len(sums) < 2:
        return replace(found, value=value)
    error = sqrt(_variance(sums, shares[0].value, shares[1].value))
    half = t_quantile(0.975, len(sums) - 1) * error
    p = float(2 * stdtr(len(sums) - 1, -abs(value) / error))
    return replace(found, value=value, low=max(-1.0, value - half), high=min(1.0, value + half), p=p, p_holm=p)


def _variance(sums: FloatArray, first: float, second: float) -> float:
    g = len(sums)
    y, m, z, k = sums.T
    u = (y - first * m) / m.sum() - (z - second * k) / k.sum()
    unseen, nothing = 0.0, bool(np.abs(u).max() < 1e-12)
    for share, hits, sizes in ((first, y, m), (second, z, k)):
        if nothing or np.abs(hits - share * sizes).max() < 1e-9:
            images = int((sizes > 0).sum())
            unseen += (images + 1) / (images + 2) ** 3
    return g / (g - 1) * float((u * u).sum()) + unseen

"""Prediction-powered inference of a share: what people would have said of all items, from those they looked at.

A judge looked at every item, people at some. With Y the people's label, f the judge's verdict, L the audited items
and U the others,

    share = w mean(f over U) + mean(Y - w f over L)

is right on average whatever the judge is worth, if the audited items are a random sample. The better the judge, the
narrower the interval; with a judge that says nothing about people w becomes 0, and the audited items alone remain.

With n audited and m other items, n_g and m_g of them in cluster g, and Y_g, F_g, F'_g the sums there of Y over L, f
over L and f over U,

    w = cov(Y, f over L) / ((1 + n / m) var(f)), kept in [0, 1]
    a_g = (Y_g - mean(Y over L) n_g) / n
    b_g = (F_g - mean(f over L) n_g) / n - (F'_g - mean(f over U) m_g) / m
    variance = G / (G - 1) sum((a_g - w b_g)^2), G the clusters with an audited item

The weight is that of the source: it is best for single items, and right on average whatever clusters there are, where
one that is fitted to few clusters is not. The variance of single items is the source's, times n / (n - 1). The interval
is Wilson's: see `adjusted_share`.

Sources:
    Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023, Prediction-powered inference, Science 382.
    Angelopoulos, Duchi & Zrnic 2023, PPI++: Efficient prediction-powered inference, arXiv 2311.01453: the weight.
    Wilson 1927 and Korn & Graubard 1998, as in `snellen.intervals`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.estimate import NO_INTERVAL, Estimate, rate
from snellen.intervals import FloatArray, cluster_sums, t_quantile

PREDICTION_POWERED = "prediction-powered, Wilson interval with the effective sample size of the clusters"

# A judge that agrees with people on all audited items leaves no variance to see. It is drawn upwards as if one more
# audited item had been judged otherwise, in clusters of this correlation; chosen by coverage (perf/audit_coverage.py).
_PRIOR_ITEMS = 1.0
_PRIOR_CORRELATION = 0.2


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A share by people, estimated from those items that they looked at and the judge's verdicts on all.

    Attributes:
        estimate: the share; `n` audited items on so many `clusters`, `unscored` items that only the judge looked at.
        weight: w, of the judge's verdicts: 0 (left out) to 1.
        error: standard error by the formula above; None where it has none.
        raw: the judge's share over all items.
        audited: the people's share over the items that they looked at.
        judged: the judge's share over the same.
    """

    estimate: Estimate
    weight: float
    error: float | None
    raw: Estimate
    audited: Estimate
    judged: Estimate

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        estimates = {name: getattr(self, name).to_json() for name in ("estimate", "raw", "audited", "judged")}
        return {**estimates, "weight": self.weight, "error": self.error}


def adjusted_share(
    people: npt.ArrayLike,
    judge: npt.ArrayLike,
    clusters: npt.ArrayLike,
    *,
    weight: float | None = None,
    confidence: float = 0.95,
) -> Adjusted:
    """The share of ones that people would have given over all items.

    With v the variance, drawn upwards by what one more disagreement among the audited items would add, and p the
    share, drawn towards the middle by one audited item on either side, Wilson's interval is taken at p (1 - p) / v
    items, with Student's t for as many degrees of freedom as there are audited clusters, less one.

    Args:
        people: shape (N,): 0 or 1; -1 where nobody looked.
        judge: shape (N,): 0 or 1.
        clusters: shape (N,): the cluster of each item.
        weight: w; None for the best.
        confidence: of the interval.

    Returns:
        No value where nobody looked at anything, no interval where they looked at one cluster. Where they looked at
        everything it is the people's own share.

    Raises:
        ValueError: other numbers, or shapes that differ.

    >>> found = adjusted_share([1, 0, 1, -1, -1, -1], [1, 1, 1, 1, 0, 1], range(6), weight=1)
    >>> round(found.estimate.value, 6)  # 2 / 3 by the judge, less the third of audited items it passed in error
    0.333333
    """
    y, f, codes = np.asarray(people, np.int64), np.asarray(judge, np.int64), np.asarray(clusters)
    if y.ndim != 1 or y.shape != f.shape or y.shape != codes.shape:
        raise ValueError(f"people, judge and clusters need one length, not {y.shape}, {f.shape} and {codes.shape}")
    if not (np.isin(y, (-1, 0, 1)).all() and np.isin(f, (0, 1)).all()):
        raise ValueError("people say 0 or 1, or -1 for nothing; the judge says 0 or 1")
    seen = y >= 0
    shares = [
        rate(v, c, confidence=confidence) for v, c in ((f, codes), (y[seen], codes[seen]), (f[seen], codes[seen]))
    ]
    raw, audited, judged = shares
    empty = Estimate(None, None, None, audited.n, audited.clusters, int((~seen).sum()), confidence=confidence)
    if not seen.any() or seen.all():
        return Adjusted(audited, 0.0, None, raw, audited, judged)
    sums = cluster_sums([seen, y * seen, f * seen, ~seen, f * ~seen], codes)
    n, ones, passed, m, rest = sums.sum(0)
    a = (sums[:, 1] - ones / n * sums[:, 0]) / n
    b = (sums[:, 2] - passed / n * sums[:, 0]) / n - (sums[:, 4] - rest / m * sums[:, 3]) / m
    w = _best_weight(y[seen], f[seen], f) if weight is None else weight
    value = min(max(float(w * rest / m + (ones - w * passed) / n), 0.0), 1.0)
    groups = audited.clusters
    if groups < 2:
        return Adjusted(replace(empty, value=value, method=NO_INTERVAL), w, None, raw, audited, judged)
    variance = groups / (groups - 1) * float(((a - w * b) ** 2).sum())
    low, high = _interval(value, variance, sums[:, 0], confidence)
    estimate = replace(empty, value=value, low=low, high=high, method=PREDICTION_POWERED)
    return Adjusted(estimate, w, math.sqrt(variance), raw, audited, judged)


def _best_weight(people: npt.NDArray[np.int64], judge: npt.NDArray[np.int64], every: npt.NDArray[np.int64]) -> float:
    """PPI++'s: people and judge on the audited items, the judge on all."""
    if not every.any() or every.all():
        return 0.0
    shared = float((people * judge).mean() - people.mean() * judge.mean())
    n, whole = len(people), len(every)
    return min(max(shared / (whole / (whole - n) * float(every.var(ddof=1))), 0.0), 1.0)


def _interval(value: float, variance: float, sizes: FloatArray, confidence: float) -> tuple[float, float]:
    """Wilson's, for so many audited items in each cluster."""
    n, groups = float(sizes.sum()), int((sizes > 0).sum())
    prior = _PRIOR_ITEMS * (1 + _PRIOR_CORRELATION * (float(sizes @ sizes) / n - 1))
    drawn = variance + prior / n**2
    middle = (value * n + 1) / (n + 2)
    effective = middle * (1 - middle) / drawn
    c = t_quantile(0.5 + confidence / 2, groups - 1)
    centre = (value + c * c / (2 * effective)) / (1 + c * c / effective)
    half = c / (1 + c * c / effective) * math.sqrt(value * (1 - value) / effective + c * c / (4 * effective**2))
    return min(max(centre - half, 0.0), value), max(min(centre + half, 1.0), value)

"""Calibration: of the answers that a model is 80 % sure of, are 80 % right?

- Brier score: the mean of (confidence - right)^2 (Brier 1950, Monthly Weather Review 78). 0 is best; a confidence that
  is always the share of right answers p gives p (1 - p).
- Overconfidence: mean confidence less the share of right answers.
- Expected calibration error, ECE: with answers sorted by confidence into bins of equal mass, the mean over answers of
  |mean confidence - share right| of their bin (Naeini, Cooper & Hauskrecht 2015, AAAI 29). Answers of equal confidence
  stay in one bin.

The ECE of a perfectly calibrated model is above 0, for the share in a bin varies by chance. So it is debiased (Kumar,
Liang & Ma 2019, Verified uncertainty calibration, NeurIPS 32): of each bin's gap g with standard error s the expected
bias of |g|, taken from the normal distribution, is subtracted; never below 0 in sum:

    E|N(g, s)| = s sqrt(2 / pi) exp(-g^2 / (2 s^2)) + g (1 - 2 Phi(-g / s)).

s is clustered, and never below that of as many independent answers with the smoothed share (r + 1/2) / (m + 1). The
interval adds to the debiased value how far each of 2,000 resamples of clusters lies from their mean; it reaches down to
0 where the plain ECE is one that a calibrated model would have by chance in one of twenty runs or more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.engine.resampled import open_ended, resampled
from snellen.estimate import Estimate, rate, ratio
from snellen.intervals import FloatArray, bootstrap, cluster_sums, in_order

BINS = 10

_SEED = 0
_RESAMPLES = 2000
_CHUNK = 1 << 21
_ONE_SIDED = 1.645


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of like confidence.

    Attributes:
        low, high: least and greatest confidence.
        confidence: mean.
        right: share of right answers.
    """

    low: float
    high: float
    confidence: float
    right: Estimate

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        plain = {name: getattr(self, name) for name in ("low", "high", "confidence")}
        return plain | {"right": self.right.to_json()}


@dataclass(frozen=True, slots=True)
class Calibration:
    """What confidences are worth as numbers.

    Attributes:
        right: share of right answers.
        confidence: mean confidence.
        overconfidence: the mean confidence less the share of right answers; below 0 for too little confidence.
        brier: the Brier score.
        error: the debiased ECE.
        plain_error: the ECE as it is usually given.
        bins: the reliability diagram.
    """

    right: Estimate
    confidence: float | None
    overconfidence: Estimate
    brier: Estimate
    error: Estimate
    plain_error: float | None
    bins: tuple[Bin, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        plain = {name: getattr(self, name).to_json() for name in ("right", "overconfidence", "brier", "error")}
        plain |= {"confidence": self.confidence, "plain_error": self.plain_error}
        return plain | {"bins": [each.to_json() for each in self.bins]}


def calibrate(
    confidences: npt.ArrayLike, right: npt.ArrayLike, clusters: npt.ArrayLike, *, bins: int = BINS
) -> Calibration:
    """Calibration over answers.

    Args:
        confidences: shape (N,), in [0, 1].
        right: shape (N,), booleans.
        clusters: shape (N,), the cluster of each item.
        bins: how many at most.

    Raises:
        ValueError: a confidence outside [0, 1].

    >>> found = calibrate([0.9, 0.9, 0.5, 0.5], [1, 0, 1, 0], range(4), bins=2)
    >>> round(found.brier.value, 6), round(found.plain_error, 6), round(found.overconfidence.value, 6)
    (0.33, 0.2, 0.2)
    """
    p, y, codes = np.asarray(confidences, np.float64), np.asarray(right, np.float64), np.asarray(clusters)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("a confidence lies between 0 and 1")
    share = rate(y, codes)
    if not len(p):
        return Calibration(share, None, share, share, share, None, ())
    ones = np.ones(len(p))
    gap = bootstrap(cluster_sums([p - y, ones], codes), lambda t: t[..., 0] / t[..., 1], seed=_SEED)
    overconfidence = resampled(gap, share.n, share.clusters)
    brier = open_ended(ratio((p - y) ** 2, ones, codes, seed=_SEED))
    places = _bins(p, bins)
    error, plain = _error(p, y, codes, places, share)
    lines = []
    for number in range(int(places.max()) + 1):
        own = places == number
        mean, ends = float(p[own].mean()), (float(p[own].min()), float(p[own].max()))
        lines.append(Bin(*ends, mean, rate(y[own], codes[own])))
    return Calibration(share, float(p.mean()), overconfidence, brier, error, plain, tuple(lines))


def _bins(p: FloatArray, most: int) -> npt.NDArray[np.int64]:
    """The bin of each answer: equal confidences together, where the middle of their mass falls."""
    _, places = np.unique(p, return_inverse=True)
    sizes = np.bincount(places)
    middles = np.cumsum(sizes) - sizes / 2
    bins = np.minimum(np.floor(middles / len(p) * most), most - 1).astype(np.int64)
    return np.unique(bins[places], return_inverse=True)[1].astype(np.int64)


def _error(
    p: FloatArray, y: FloatArray, codes: npt.NDArray[Any], places: npt.NDArray[np.int64], share: Estimate
) -> tuple[Estimate, float]:
    """The debiased ECE with its interval, and the plain one."""
    count = int(places.max()) + 1
    own = np.unique(codes, return_inverse=True)[1]
    groups = int(own.max()) + 1
    both, cells = own * count + places, groups * count
    sizes = np.bincount(both, minlength=cells).reshape(groups, count).astype(np.float64)
    gaps = np.bincount(both, weights=p - y, minlength=cells).reshape(groups, count)
    n, gap = sizes.sum(0), gaps.sum(0) / sizes.sum(0)
    plain = float((n * np.abs(gap)).sum() / len(p))
    occupied = (sizes > 0).sum(0)
    residual = ((gaps - gap * sizes) ** 2).sum(0) / n**2
    clustered = np.where(occupied > 1, occupied / np.maximum(occupied - 1, 1) * residual, 0.0)
    smoothed = (np.bincount(places, weights=y, minlength=count) + 0.5) / (n + 1)
    spread = np.sqrt(np.maximum(clustered, smoothed * (1 - smoothed) / n))
    debiased = max(0.0, float((n * (2 * np.abs(gap) - _folded(gap, spread))).sum() / len(p)))
    estimate = Estimate(debiased, None, None, share.n, share.clusters)
    if groups < 2:
        return estimate, plain
    sums = np.concatenate([sizes, gaps], axis=1)
    replicates = np.sort(_replicates(sums[in_order(sums)], count))
    low, high = debiased + np.quantile(replicates, (0.025, 0.975)) - replicates.mean()
    weight = n / len(p)
    by_chance = math.sqrt(2 / math.pi) * float((weight * spread).sum())
    deviation = math.sqrt((1 - 2 / math.pi) * float(((weight * spread) ** 2).sum()))
    calibrated = plain <= by_chance + _ONE_SIDED * deviation
    ends = 0.0 if calibrated else max(0.0, min(float(low), debiased)), min(1.0, float(high))
    found = Estimate(debiased, *ends, share.n, share.clusters, method="cluster bootstrap, centred")
    return open_ended(found), plain


def _folded(gap: FloatArray, spread: FloatArray) -> FloatArray:
    """The mean of |x| for x normal around `gap`."""
    from scipy.special import ndtr  # the normal distribution

    folded: FloatArray = spread * math.sqrt(2 / math.pi) * np.exp(-(gap**2) / (2 * spread**2))
    folded += gap * (1 - 2 * ndtr(-gap / spread))
    return folded


def _replicates(sums: FloatArray, count: int) -> FloatArray:
    """The plain ECE, in the same bins, of each resample of clusters, given sums of shape (G, 2 bins)."""
    rng = np.random.default_rng(_SEED)
    groups = len(sums)
    step = max(1, _CHUNK // groups)
    found = []
    for start in range(0, _RESAMPLES, step):
        drawn = rng.multinomial(groups, np.full(groups, 1 / groups), min(step, _RESAMPLES - start))
        totals = np.einsum("bg,gk->bk", drawn.astype(np.float64), sums)
        found.append(np.abs(totals[:, count:]).sum(1) / totals[:, :count].sum(1))
    return np.concatenate(found)

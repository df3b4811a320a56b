"""Risk and coverage: how many hallucinations remain when only the answers that a model is surest of are given.

With answers sorted by falling confidence, the risk at coverage k / n is the share of hallucinations among the first k.

- AURC, the area under this curve, is the mean of the risks at k = 1, ..., n (Geifman & El-Yaniv 2017, Selective
  classification for deep neural networks, NeurIPS 30). A confidence that says nothing gives about the risk at full
  coverage.
- E-AURC, the excess, is AURC less that of a confidence that puts every hallucination last (Geifman, Uziel & El-Yaniv
  2019, Bias-reduced uncertainty estimation for deep neural classifiers, ICLR), here computed exactly.

Answers of equal confidence have no order. Every order of them is as likely as any other, and the risk is the expected
one: with a block of m answers, of which e hallucinate, after the first N answers with E hallucinations,

    sum of the risks in the block = e + (E - N e / m) (1 / (N + 1) + ... + 1 / (N + m)).

Intervals are the cluster bootstrap. It works on sums for each level of confidence; more than 100 levels are joined to
100 for it, and the interval is shifted to the exact value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.engine.odds import Area, area
from snellen.engine.resampled import resampled
from snellen.estimate import Estimate, rate
from snellen.intervals import FloatArray, Interval, bootstraps

_SEED = 0
_LEVELS = 100
_POINTS = 200


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the curve: the answers with at least this confidence, their share of all, and their risk."""

    threshold: float
    coverage: float
    risk: float


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """The curve of one run.

    Attributes:
        risk: share of hallucinations among all answers with a confidence: the curve's right end.
        aurc: the area.
        excess: E-AURC.
        separation: the area under the ROC curve: the share of pairs, one hallucination and one other answer, in which
            the hallucination has the lower confidence.
        curve: by falling threshold; at most 200 points.
    """

    risk: Estimate
    aurc: Estimate
    excess: Estimate
    separation: Area
    curve: tuple[Point, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        plain = {name: getattr(self, name).to_json() for name in ("risk", "aurc", "excess", "separation")}
        return plain | {"curve": [[each.threshold, each.coverage, each.risk] for each in self.curve]}


def risk_coverage(confidences: npt.ArrayLike, wrong: npt.ArrayLike, clusters: npt.ArrayLike) -> RiskCoverage:
    """The curve over answers.

    Args:
        confidences: shape (N,), finite; only their order matters.
        wrong: shape (N,), booleans: whether the answer hallucinates.
        clusters: shape (N,), the cluster of each item.

    >>> found = risk_coverage([0.9, 0.8, 0.7, 0.6], [0, 1, 0, 1], range(4))
    >>> round(found.aurc.value, 6), round(found.excess.value, 6), found.separation.value
    (0.333333, 0.125, 0.75)
    """
    score, bad, codes = np.asarray(confidences, np.float64), np.asarray(wrong, np.bool_), np.asarray(clusters)
    if not np.isfinite(score).all():
        raise ValueError("a confidence is a finite number")
    risk = rate(bad, codes)
    if not len(score):
        return RiskCoverage(risk, risk, risk, area(score, bad, codes), ())
    levels, places = np.unique(-score, return_inverse=True)  # by falling confidence
    sizes: FloatArray = np.bincount(places).astype(np.float64)
    errors: FloatArray = np.bincount(places, weights=bad).astype(np.float64)
    exact = np.concatenate([sizes, errors])[None, :]
    values = float(_aurc(exact)[0]), float(_excess(exact)[0])
    intervals = _intervals(places, sizes, bad, codes, values)
    aurc, excess = (resampled(each, risk.n, risk.clusters) for each in intervals)
    return RiskCoverage(risk, aurc, excess, area(-score, bad, codes), _curve(-levels, sizes, errors))


def _intervals(
    places: npt.NDArray[np.int64],
    sizes: FloatArray,
    bad: npt.NDArray[np.bool_],
    codes: npt.NDArray[Any],
    values: tuple[float, float],
) -> list[Interval]:
    if len(sizes) > _LEVELS:
        middles = np.cumsum(sizes) - sizes / 2
        places = np.floor(middles / sizes.sum() * _LEVELS).astype(np.int64)[places]
        places = np.unique(places, return_inverse=True)[1]
    count = int(places.max()) + 1
    own = np.unique(codes, return_inverse=True)[1]
    total = int(own.max()) + 1
    both = own * count + places
    sums = np.concatenate(
        [np.bincount(both, weights=w, minlength=total * count).reshape(total, count) for w in (None, bad)], axis=1
    )
    found = []
    for value, each in zip(values, bootstraps(sums, [_aurc, _excess], seed=_SEED), strict=True):
        if each.value is None or each.low is None or each.high is None:
            found.append(Interval(value, None, None))
        else:
            shift = value - each.value
            found.append(Interval(value, max(0.0, each.low + shift), min(1.0, each.high + shift)))
    return found


def _aurc(totals: FloatArray) -> FloatArray:
    """AURC of totals of shape (B, 2 L): answers, then hallucinations, at each level by falling confidence."""
    levels = totals.shape[-1] // 2
    sizes, errors = totals[..., :levels], totals[..., levels:]
    before = np.cumsum(sizes, -1) - sizes
    wrong_before = np.cumsum(errors, -1) - errors
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(sizes > 0, errors / sizes, 0.0)
        block = errors + (wrong_before - before * share) * (_harmonic(before + sizes) - _harmonic(before))
        area_: FloatArray = block.sum(-1) / sizes.sum(-1)
    return area_


def _excess(totals: FloatArray) -> FloatArray:
    levels = totals.shape[-1] // 2
    n, wrong = totals[..., :levels].sum(-1), totals[..., levels:].sum(-1)
    # With the n - e right answers first, as two blocks.
    with np.errstate(divide="ignore", invalid="ignore"):
        best = (wrong - (n - wrong) * (_harmonic(n) - _harmonic(n - wrong))) / n
    excess: FloatArray = _aurc(totals) - best
    return excess


def _harmonic(count: FloatArray) -> FloatArray:
    """1 + 1/2 + ... + 1/count."""
    most = int(count.max(initial=0))
    table = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, most + 1))])
    found: FloatArray = table[count.astype(np.int64)]
    return found


def _curve(levels: FloatArray, sizes: FloatArray, errors: FloatArray) -> tuple[Point, ...]:
    taken, wrong = np.cumsum(sizes), np.cumsum(errors)
    kept = np.arange(len(levels))
    if len(kept) > _POINTS:
        kept = np.unique(np.searchsorted(taken, np.linspace(taken[-1] / _POINTS, taken[-1], _POINTS)))
    return tuple(
        Point(float(levels[k]), float(taken[k] / taken[-1]), float(wrong[k] / taken[k])) for k in kept.tolist()
    )

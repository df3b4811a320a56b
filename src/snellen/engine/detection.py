"""Signal detection: does a model see that a question cannot be answered, or does it just like to decline?

A question that cannot be answered is the signal, declining the response. With H the share of these questions that is
declined and F the share of the answerable ones that is declined all the same,

- sensitivity      d' = z(H) - z(F): how well the two are told apart, 0 being not at all,
- criterion        c = -(z(H) + z(F)) / 2: above 0 the model leans towards answering, below 0 towards declining,

z being the normal quantile (Green & Swets 1966, Signal Detection Theory and Psychophysics; Macmillan & Creelman 2005,
Detection Theory). One case is always added to the declined questions and one to the others, so that 0 and 1 have a
quantile too (log-linear correction; Hautus 1995, Behavior Research Methods 27). Both are shared out as the questions
are: of S that cannot be answered and N that can,

    H = (hits + S / (S + N)) / (S + 2 S / (S + N)),     F = (false alarms + N / (S + N)) / (N + 2 N / (S + N)),

which is half a case each where S = N. Half a case for both, whatever S and N, would give a model that always declines
a d' that is not 0: 0.37 on ChartHal, where S is 823 and N is 239.

A model that declines more often, whatever it is asked, has another c and the same d'. The model is one of two normal
distributions of equal variance, which one point (H, F) cannot test.

Intervals are the cluster bootstrap of `snellen.intervals`. Where one of the two rates is 0 or 1, resampling has nothing
to vary in it: then the Wilson intervals of both rates, through z, are combined (MOVER; Zou & Donner 2008, Statistics in
Medicine 27), as if the rates were independent. An end at 0 or 1, whose quantile is infinite, is replaced by that of
Jeffreys' interval (Brown, Cai & DasGupta 2001, Statistical Science 16).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.engine.resampled import open_ended
from snellen.estimate import BOOTSTRAP, Estimate, rate
from snellen.intervals import FloatArray, Interval, bootstraps, cluster_sums, share_interval

MOVER = "Wilson intervals of both rates, combined (MOVER)"

_SEED = 0
_Z = NormalDist()


@dataclass(frozen=True, slots=True)
class Detection:
    """How well declining tells what cannot be answered.

    Attributes:
        hits: share of the unanswerable questions that is declined.
        false_alarms: share of the answerable ones that is declined: the over-refusal rate.
        sensitivity: d'; no value where one of the two kinds of questions is missing.
        criterion: c.
    """

    hits: Estimate
    false_alarms: Estimate
    sensitivity: Estimate
    criterion: Estimate

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names, estimates as `Estimate.to_json` gives them."""
        return {name: getattr(self, name).to_json() for name in self.__slots__}


def detect(declined: npt.ArrayLike, unanswerable: npt.ArrayLike, clusters: npt.ArrayLike) -> Detection:
    """Signal detection over scored answers.

    Args:
        declined: shape (N,), booleans: whether the answer declines.
        unanswerable: shape (N,), booleans: whether the question has no answer.
        clusters: shape (N,), the cluster of each item.

    >>> found = detect([1, 1, 1, 0, 0, 0, 0, 1], [1, 1, 1, 1, 0, 0, 0, 0], range(8))
    >>> found.hits.value, found.false_alarms.value, round(found.sensitivity.value, 6)
    (0.75, 0.25, 1.048801)
    """
    said, signal, codes = np.asarray(declined, np.bool_), np.asarray(unanswerable, np.bool_), np.asarray(clusters)
    hits, alarms = rate(said[signal], codes[signal]), rate(said[~signal], codes[~signal])
    sums = cluster_sums([said & signal, signal, said & ~signal, ~signal], codes) if len(said) else np.zeros((0, 4))
    n, count = len(said), len(sums)
    if not hits.n or not alarms.n:
        return Detection(hits, alarms, *(Estimate(None, None, None, n, count),) * 2)
    if hits.value in (0.0, 1.0) or alarms.value in (0.0, 1.0):
        intervals, method = _combined(sums), MOVER
    else:
        intervals, method = bootstraps(sums, [_sensitivity, _criterion], seed=_SEED), BOOTSTRAP
    estimates = [open_ended(Estimate(each.value, each.low, each.high, n, count, method=method)) for each in intervals]
    return Detection(hits, alarms, *estimates)


def _quantiles(totals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """z(H) and z(F), each of shape (B,); NaN where one kind of questions is missing."""
    from scipy.special import ndtri  # the quantile of the normal distribution

    hit, signal, alarm, other = (totals[..., place] for place in range(4))
    both = (signal > 0) & (other > 0)
    # Divided by S and N, what is added is the same for both: shares that are alike stay so.
    added = 1 / np.maximum(signal + other, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = [(said / of + added) / (1 + 2 * added) for said, of in ((hit, signal), (alarm, other))]
    return np.where(both, ndtri(shares[0]), np.nan), np.where(both, ndtri(shares[1]), np.nan)


def _sensitivity(totals: FloatArray) -> FloatArray:
    hit, alarm = _quantiles(totals)
    return hit - alarm


def _criterion(totals: FloatArray) -> FloatArray:
    hit, alarm = _quantiles(totals)
    return (-hit - alarm) / 2


def _combined(sums: FloatArray) -> list[Interval]:
    totals = sums.sum(0)[None, :]
    centres = [float(each[0]) for each in _quantiles(totals)]
    ends = []
    for place, centre in zip((0, 2), centres, strict=True):
        low, high, effect = share_interval(sums[:, place], sums[:, place + 1])
        edge = _edge(float(totals[0, place + 1] / effect))
        ends.append((min(_z(float(low), edge), centre), max(_z(float(high), edge), centre)))
    (hit, alarm), ((hit_low, hit_high), (alarm_low, alarm_high)) = centres, ends

    def around(value: float, below: tuple[float, float], above: tuple[float, float], scale: float) -> Interval:
        return Interval(value, value - scale * math.hypot(*below), value + scale * math.hypot(*above))

    sensitivity = around(hit - alarm, (hit - hit_low, alarm_high - alarm), (hit_high - hit, alarm - alarm_low), 1.0)
    criterion = around(
        (-hit - alarm) / 2, (hit_high - hit, alarm_high - alarm), (hit - hit_low, alarm - alarm_low), 0.5
    )
    return [sensitivity, criterion]


def _edge(cases: float) -> float:
    """How far from 0 a rate lies at least after so many cases without a hit: the lower end of Jeffreys' interval."""
    from scipy.special import betaincinv

    return float(betaincinv(0.5, cases + 0.5, 0.025))


def _z(share: float, edge: float) -> float:
    return _Z.inv_cdf(min(max(share, edge), 1 - edge))

"""Repeats: what asking and judging more than once says of a score, and of where its uncertainty comes from.

Every item has several answers, every answer one verdict or several, and any of them may be lacking. The pooled score
is the mean over items of an item's own rate, which is the mean over its answers of the mean of their verdicts. Its
interval is that of every rate (`snellen.intervals.share_interval`) with the item's rate in place of one verdict, so
that it holds what is due to the items and what is due to sampling and judging, and grows narrower with more repeats.

The variance of a single verdict is split by the nested random model ``y_ijk = mean + item_i + answer_ij + verdict_ijk``
with the estimators of the analysis of variance (method of moments; Searle, Casella & McCulloch 1992, Variance
Components, sections 3.2 and 5.2; for groups of unequal size). With n_ij verdicts on answer j of item i, b_i answers of
item i, and dots for sums, the expected sums of squares are

    E within answers   = (N - b.) v_judge
    E between answers  = (b. - a) v_judge + (N - k1) v_sampling
    E between items    = (a - 1) v_judge + (k1 - k2 / N) v_sampling + (N - k3 / N) v_items

with k1 = sum_i sum_j n_ij^2 / n_i., k2 = sum n_ij^2, k3 = sum n_i.^2. A component that comes out below 0 is given as 0
and marked. All of it are functions of sums over items, so that intervals come from resampling whole images.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.estimate import BOOTSTRAP, NO_INTERVAL, WILSON, Estimate, rate, ratio
from snellen.intervals import FloatArray, bootstraps, cluster_sums, share_interval

ITEMS, SAMPLING, JUDGE = "items", "sampling", "judge"
ITEMS_AND_SAMPLING, SAMPLING_AND_JUDGE = "items_and_sampling", "sampling_and_judge"

TITLES: Mapping[str, str] = {
    ITEMS: "items",
    SAMPLING: "sampling of the model",
    JUDGE: "judge",
    ITEMS_AND_SAMPLING: "items and sampling of the model",
    SAMPLING_AND_JUDGE: "sampling of the model and judge",
}
"""Component -> words for people."""


@dataclass(frozen=True, slots=True)
class Component:
    """A part of the variance of a single verdict.

    Attributes:
        name: of `TITLES`.
        variance: in squares of a share; its interval is the cluster bootstrap's.
        share: of the whole variance; no value where that is 0.
        clamped: whether the estimate came out below 0 and is given as 0.
    """

    name: str
    variance: Estimate
    share: Estimate
    clamped: bool = False

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "name": self.name,
            "variance": self.variance.to_json(),
            "share": self.share.to_json(),
            "clamped": self.clamped,
        }


@dataclass(frozen=True, slots=True)
class StandardError:
    """What the standard error of the score is, or would be.

    Attributes:
        repeats: answers of each item; None for as many as one likes.
        judgings: verdicts on each answer; None likewise.
        images: 1 for these, 2 for twice as many of their kind.
        value: in shares.
    """

    repeats: int | None
    judgings: int | None
    images: int
    value: float

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "repeats": self.repeats,
            "judgings": self.judgings,
            "images": self.images,
            "value": self.value,
        }


@dataclass(frozen=True, slots=True)
class Spread:
    """What repeats come to.

    Attributes:
        items: looked at, scored or not.
        clusters: the images that they stem from.
        repeats: answers of each item, as planned.
        judgings: verdicts on each answer, as planned.
        unscored: verdicts that are lacking, of items x repeats x judgings.
        pooled: the mean over items of an item's rate.
        scores: (repeat, judging) -> score of these verdicts alone.
        changed: share of the items with two verdicts or more whose verdicts are not all the same.
        rejudged: share of the answers with two verdicts or more whose verdicts are not all the same.
        components: of the variance, from items to judge; empty where no item has two verdicts.
        errors: standard errors now and at other numbers of repeats and images.
    """

    items: int
    clusters: int
    repeats: int
    judgings: int
    unscored: int
    pooled: Estimate
    scores: Mapping[tuple[int, int], Estimate]
    changed: Estimate
    rejudged: Estimate
    components: tuple[Component, ...]
    errors: tuple[StandardError, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names; scores as a list of objects with repeat and judging from 1."""
        return {
            "items": self.items,
            "clusters": self.clusters,
            "repeats": self.repeats,
            "judgings": self.judgings,
            "unscored": self.unscored,
            "pooled": self.pooled.to_json(),
            "scores": [
                {"repeat": r + 1, "judging": m + 1, "estimate": estimate.to_json()}
                for (r, m), estimate in self.scores.items()
            ],
            "changed": self.changed.to_json(),
            "rejudged": self.rejudged.to_json(),
            "components": [each.to_json() for each in self.components],
            "errors": [each.to_json() for each in self.errors],
        }


def spread(
    values: npt.ArrayLike,
    clusters: npt.ArrayLike,
    *,
    draws: bool = True,
    seed: int = 0,
    confidence: float = 0.95,
    resamples: int = 4000,
) -> Spread:
    """Sum up repeated verdicts.

    Args:
        values: shape (items, repeats, judgings): 0 or 1, NaN where there is no value.
        clusters: shape (items,): the image of each.
        draws: whether the judge could say otherwise when asked again; of one that cannot (rules) the share is 0.
        seed, resamples: of the bootstrap.
        confidence: of the intervals.

    Raises:
        ValueError: for another shape, or values other than 0, 1 and NaN.

    >>> found = spread([[[1], [1]], [[0], [1]], [[0], [0]]], [0, 1, 2], draws=False)
    >>> found.pooled.value, found.changed.hits, [each.name for each in found.components]
    (0.5, 1, ['items', 'sampling', 'judge'])
    """
    y, codes = np.asarray(values, np.float64), np.asarray(clusters)
    if y.ndim != 3 or codes.shape != y.shape[:1]:
        raise ValueError(
            "repeats need values of shape (items, repeats, judgings) and a cluster for each item, "
            f"not {y.shape} and {codes.shape}"
        )
    if not np.isin(y[~np.isnan(y)], (0.0, 1.0)).all():
        raise ValueError("repeated verdicts are zeros and ones")
    scored = ~np.isnan(y)
    counts, hits = scored.sum(2).astype(np.float64), np.where(scored, y, 0.0).sum(2)
    parts, errors = _split(y, counts, hits, codes, draws, seed=seed, confidence=confidence, resamples=resamples)
    differs, several = (hits > 0) & (hits < counts), counts > 1
    return Spread(
        items=len(y),
        clusters=len(np.unique(codes)),
        repeats=y.shape[1],
        judgings=y.shape[2],
        unscored=int(scored.size - scored.sum()),
        pooled=pooled(y, codes, confidence=confidence),
        scores={
            (r, m): rate(y[:, r, m], codes, scored=scored[:, r, m], confidence=confidence)
            for r in range(y.shape[1])
            for m in range(y.shape[2])
        },
        changed=rate(
            ((hits.sum(1) > 0) & (hits.sum(1) < counts.sum(1))).astype(np.float64),
            codes,
            scored=counts.sum(1) > 1,
            confidence=confidence,
        ),
        rejudged=ratio(differs.sum(1), several.sum(1), codes, seed=seed, confidence=confidence),
        components=parts,
        errors=errors,
    )


def pooled(values: npt.ArrayLike, clusters: npt.ArrayLike, *, confidence: float = 0.95) -> Estimate:
    """The mean over items of an item's rate, with the interval of a rate; for one verdict an item exactly `rate`.

    An item without any verdict is unscored. The bounds are what the value would be if every verdict that is lacking
    were 0, or 1. Arguments as of `spread`.
    """
    y, codes = np.asarray(values, np.float64), np.asarray(clusters)
    own = _item_rates(y)
    known = ~np.isnan(own)
    n, unscored = int(known.sum()), int((~known).sum())
    empty = Estimate(None, None, None, 0, 0, unscored, confidence=confidence)
    if len(y):
        ends = np.nan_to_num(y, nan=0.0).mean((1, 2)).mean(), np.nan_to_num(y, nan=1.0).mean((1, 2)).mean()
        empty = replace(empty, lower_bound=float(ends[0]), upper_bound=float(ends[1]))
    if not n:
        return empty
    sums = cluster_sums([own[known], np.ones(n)], codes[known])
    # One answer more is worth less than one item more, but something: the floor of 1 holds for single verdicts only.
    floor = 1.0 if (~np.isnan(y)).sum() == n else 0.0
    low, high, effect = share_interval(sums[:, 0], sums[:, 1], confidence=confidence, floor=floor)
    return replace(
        empty,
        value=float(own[known].mean()),
        low=float(low),
        high=float(high),
        n=n,
        clusters=len(sums),
        method=WILSON,
        design_effect=float(effect),
    )


def _item_rates(y: FloatArray) -> FloatArray:
    """Mean over answers of the mean of their verdicts, shape (items,); NaN without any."""
    scored = ~np.isnan(y)
    with np.errstate(invalid="ignore", divide="ignore"):
        answers = np.where(scored, y, 0.0).sum(2) / scored.sum(2)
        judged = ~np.isnan(answers)
        rates: FloatArray = np.where(judged, answers, 0.0).sum(1) / judged.sum(1)
    return rates


def _totals(y: FloatArray, counts: FloatArray, hits: FloatArray) -> list[FloatArray]:
    """What the analysis of variance sums up, for each item: a, b, N, Y, T_items, T_answers, T_0, k1, k2, k3."""
    n, total = counts.sum(1), hits.sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        by_answer = np.where(counts > 0, hits**2 / counts, 0.0).sum(1)
        by_item = np.where(n > 0, total**2 / n, 0.0)
        squares = (counts**2).sum(1)
        k1 = np.where(n > 0, squares / n, 0.0)
    return [
        (n > 0).astype(np.float64),
        (counts > 0).sum(1).astype(np.float64),
        n,
        total,
        by_item,
        by_answer,
        (np.nan_to_num(y, nan=0.0) ** 2).sum((1, 2)),
        k1,
        squares,
        n**2,
    ]


def components(totals: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Variances (items, sampling, judge) of totals of shape (..., 10), each of shape (...) and not clamped.

    Where no answer has two verdicts, the judge's is 0 and its part is in sampling; where no item has two answers,
    sampling is 0 and its part is in items.
    """
    a, b, n, y, by_item, by_answer, square, k1, k2, k3 = np.moveaxis(np.asarray(totals, np.float64), -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        judge = np.where(n > b, (square - by_answer) / (n - b), 0.0)
        left = n - k1
        sampling = np.where(b > a, (by_answer - by_item - (b - a) * judge) / np.where(b > a, left, 1.0), 0.0)
        between = by_item - y**2 / n
        items = (between - (a - 1) * judge - (k1 - k2 / n) * sampling) / (n - k3 / n)
    return items, sampling, judge


def _split(
    y: FloatArray,
    counts: FloatArray,
    hits: FloatArray,
    codes: npt.NDArray[Any],
    draws: bool,
    *,
    seed: int,
    confidence: float,
    resamples: int,
) -> tuple[tuple[Component, ...], tuple[StandardError, ...]]:
    known = counts.sum(1) > 0
    repeated, rejudged = bool(((counts > 0).sum(1) > 1).any()), bool((counts > 1).any())
    if known.sum() < 2 or not (repeated or rejudged):
        return (), ()
    rows = cluster_sums([column[known] for column in _totals(y, counts, hits)], codes[known])
    found = [float(each[0]) for each in components(rows.sum(0)[None, :])]
    names = [
        ITEMS if repeated else ITEMS_AND_SAMPLING,
        SAMPLING if rejudged or not draws else SAMPLING_AND_JUDGE,
        JUDGE,
    ]
    chosen = [0, *([1] if repeated else []), *([2] if rejudged or not draws else [])]

    def variance(place: int) -> Callable[[FloatArray], FloatArray]:
        return lambda totals: np.maximum(components(totals)[place], 0.0)

    def share(place: int) -> Callable[[FloatArray], FloatArray]:
        def of(totals: FloatArray) -> FloatArray:
            parts = np.maximum(np.stack(components(totals)), 0.0)
            return np.asarray(parts[place] / parts.sum(0))

        return of

    statistics = [*(variance(place) for place in chosen), *(share(place) for place in chosen)]
    intervals = bootstraps(rows, statistics, seed=seed, confidence=confidence, resamples=resamples)
    estimates = [
        Estimate(
            each.value,
            each.low,
            each.high,
            int(known.sum()),
            len(rows),
            int((~known).sum()),
            method=NO_INTERVAL if each.low is None else BOOTSTRAP,
            confidence=confidence,
        )
        for each in intervals
    ]
    half = len(chosen)
    parts = tuple(
        Component(names[place], estimates[at], estimates[half + at], clamped=found[place] < 0)
        for at, place in enumerate(chosen)
    )
    return parts, _errors(y, counts, codes, found, repeated=repeated, rejudged=rejudged)


def _errors(
    y: FloatArray,
    counts: FloatArray,
    codes: npt.NDArray[Any],
    found: Sequence[float],
    *,
    repeated: bool,
    rejudged: bool,
) -> tuple[StandardError, ...]:
    """From the variance of the pooled score: what is due to answers and verdicts taken out, and put in as often."""
    own = _item_rates(y)
    known = ~np.isnan(own)
    sums = cluster_sums([own[known], np.ones(int(known.sum()))], codes[known])
    clusters, n = len(sums), float(known.sum())
    if clusters < 2:
        return ()
    residual = sums[:, 0] - sums[:, 0].sum() / n * sums[:, 1]
    now = clusters / (clusters - 1) * float((residual**2).sum()) / n**2
    sampling, judge = max(0.0, found[1]), max(0.0, found[2])
    answers = (counts > 0).sum(1)[known]
    with np.errstate(divide="ignore"):
        verdicts = np.where(counts > 0, 1 / counts, 0.0).sum(1)[known]
    within = float((sampling / answers + judge * verdicts / answers**2).sum()) / n**2
    base = max(0.0, now - within)

    def at(repeats: int | None, judgings: int | None, images: int) -> StandardError:
        r, m = (math.inf if number is None else number for number in (repeats, judgings))
        more = sampling / r + judge / (r * m) if repeated else judge / m
        return StandardError(repeats, judgings, images, math.sqrt((base + more / n) / images))

    r, m = y.shape[1:]
    found_at = [at(1, 1, 1) if rejudged else at(1, m, 1)]
    found_at.append(StandardError(r, m, 1, math.sqrt(now)))
    found_at.append(at(None, m, 1) if repeated else at(r, None, 1))
    found_at.append(StandardError(r, m, 2, math.sqrt(now / 2)))
    found_at.append(at(1, 1, 2) if rejudged else at(1, m, 2))
    return tuple(found_at)

"""A threshold on confidence, below which answers are withheld, with a guarantee on the hallucinations that remain.

What is controlled is the risk: the share of hallucinations among the answers that are given. It need not fall as the
threshold rises, so conformal risk control (Angelopoulos, Bates, Fisch, Lei & Schuster 2022, arXiv 2208.02814), which
needs that, does not apply. Learn then test does (Angelopoulos, Bates, Candes, Jordan & Lei 2021, arXiv 2110.01052):

- For a threshold t, "the risk is above alpha" is the hypothesis E[h - alpha a] > 0, with a the answers given in a
  cluster (the image that questions stem from) and h the hallucinations among them.
- It is tested by betting (Waudby-Smith & Ramdas 2024, J. Royal Statistical Society B 86): clusters come in random
  order, and on each a part of the capital is bet against the hypothesis, by what was seen before it alone. If the
  hypothesis holds, the capital ever exceeds 1 / p with probability p at most (Ville 1939), so p = 1 / (greatest
  capital) is valid for any number of clusters of any kind. That costs power: a few hundred clusters are wanted.
- Or, approximately, by the score test of the sum of h - alpha a over clusters, with Student's quantiles and a variance
  that is never below alpha (1 - alpha) for each answer. It needs some fifty clusters to be valid, and finds more.
- Thresholds are tested in a fixed sequence towards more coverage, which ends at the first that cannot be rejected.
  There are three sequences, from a coverage of 1/4, 1/2 and 1, at a third of the level each.

Then, with probability 1 - delta over the clusters of the fit, the risk at the threshold is at most alpha, if the
clusters, and those that it will be used on, are independent draws from one population, none has more items than the
greatest one here, and model, prompt and judge stay what they are. A hallucination is what the judge calls one.

An answer without a confidence is withheld.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.intervals import FloatArray

_STARTS = (0.25, 0.5, 1.0)
_GRID = 20  # thresholds that are tested, evenly spaced in coverage
_BOLDEST = 0.9  # of the greatest bet that cannot lose everything

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Scored items of one run, as columns of length N.

    Attributes:
        confidence: NaN where there is none.
        given: whether the item is answered: not declined, not empty, not unclear.
        wrong: whether the answer hallucinates; never where none is given.
        clusters: numbers of the clusters.
    """

    confidence: FloatArray
    given: Mask
    wrong: Mask
    clusters: Ints

    def select(self, chosen: Mask) -> Answers:
        """Those rows."""
        return Answers(*(getattr(self, name)[chosen] for name in self.__slots__))

    def kept(self, threshold: float | None) -> Mask:
        """Which answers are given at a threshold; at None, where there is no threshold, none is."""
        if threshold is None:
            return np.zeros(len(self.given), np.bool_)
        kept: Mask = self.given & (self.confidence >= threshold)  # NaN is never above
        return kept


def fit(answers: Answers, *, risk: float, miss: float, largest: int, seed: int = 0, exact: bool = True) -> float | None:
    """The lowest threshold whose risk is at most `risk`, but for a chance of `miss`.

    Args:
        answers: to fit it on.
        risk: alpha, in (0, 1).
        miss: delta, in (0, 1).
        largest: the most items that any cluster has, here or where the threshold is used.
        seed: of the order of clusters.
        exact: test by betting, else by the score test.

    Returns:
        None where no threshold can be guaranteed: with so few answers, or at this risk, all must be withheld.

    Raises:
        ValueError: a risk or miss outside (0, 1).
    """
    if not (0 < risk < 1 and 0 < miss < 1):
        raise ValueError(f"risk and miss lie between 0 and 1, not at {risk} and {miss}")
    sure = answers.given & np.isfinite(answers.confidence)
    ranked = np.sort(answers.confidence[sure])[::-1]
    if not len(ranked):
        return None
    # The threshold at each coverage: equal confidences are all given or all withheld.
    coverages = np.arange(1, _GRID + 1) / _GRID
    grid = ranked[np.maximum(np.ceil(coverages * len(ranked)).astype(np.int64), 1) - 1]
    p = p_values(answers, grid, risk=risk, largest=largest, seed=seed, exact=exact)
    lowest: float | None = None
    for start in _STARTS:
        place = int(np.argmax(coverages >= start))
        while place < len(grid) and p[place] <= miss / len(_STARTS):
            lowest = float(grid[place]) if lowest is None else min(lowest, float(grid[place]))
            place += 1
    return lowest


def p_values(
    answers: Answers, thresholds: npt.ArrayLike, *, risk: float, largest: int, seed: int = 0, exact: bool = True
) -> FloatArray:
    """p of the hypothesis that the risk at each threshold is above `risk`, shape (T,). Arguments as in `fit`."""
    levels = np.asarray(thresholds, np.float64)
    own = np.unique(answers.clusters, return_inverse=True)[1]
    count = int(own.max(initial=-1)) + 1
    order = np.random.default_rng(seed).permutation(count)
    differences, answered = np.empty((len(levels), count)), np.empty(len(levels))
    for place, level in enumerate(levels.tolist()):
        kept = answers.kept(level)
        given = np.bincount(own, weights=kept, minlength=count)
        wrong = np.bincount(own, weights=kept & answers.wrong, minlength=count)
        differences[place], answered[place] = (wrong - risk * given)[order], given.sum()
    return _betting(differences / largest, risk, largest) if exact else _score(differences, answered, risk)


def _betting(d: FloatArray, risk: float, largest: int) -> FloatArray:
    """1 / (greatest capital) for rows of shape (T, G) in [-risk, 1 - risk], whose mean is above 0 by hypothesis."""
    before = np.arange(1, d.shape[1] + 1)  # with one made-up cluster of mean 0 in front
    mean = (np.cumsum(d, 1) - d) / before
    # As varied at first as the answer of a single item.
    variance = (risk * (1 - risk) / largest**2 + np.cumsum(d**2, 1) - d**2) / before - mean**2
    variance = np.maximum(variance, 1e-12)
    bets = np.clip(-mean / (variance + mean**2), 0.0, _BOLDEST / (1 - risk))
    capital = np.cumsum(np.log1p(-bets * d), 1)
    p: FloatArray = np.exp(-np.maximum(capital.max(1, initial=0.0), 0.0))
    return p


def _score(d: FloatArray, answered: FloatArray, risk: float) -> FloatArray:
    """One-sided p of the sums of rows of shape (T, G), 1 where there is a single cluster."""
    from scipy.special import stdtr  # the distribution of Student's t

    count = d.shape[1]
    if count < 2:
        return np.ones(len(d))
    clustered = count / (count - 1) * ((d - d.mean(1, keepdims=True)) ** 2).sum(1)
    deviation = np.sqrt(np.maximum(clustered, risk * (1 - risk) * answered))
    p: FloatArray = stdtr(count - 1, d.sum(1) / np.maximum(deviation, 1e-12))
    return p


def folds(clusters: npt.NDArray[Any], count: int, seed: int = 0) -> Ints:
    """The fold of each item, shape (N,): clusters are dealt out in random order, all items of one to the same fold."""
    own = np.unique(clusters, return_inverse=True)[1]
    total = int(own.max(initial=-1)) + 1
    dealt = np.random.default_rng(seed).permutation(total) % max(1, min(count, total))
    return dealt[own].astype(np.int64)


def cross_fitted(
    answers: Answers, *, risk: float, miss: float, largest: int, count: int = 5, seed: int = 0, exact: bool = True
) -> tuple[Mask, list[float | None]]:
    """Which answers are given when each cluster's threshold is fitted on the others, and the thresholds of the folds.

    So no cluster has a part in its own threshold, and what is measured on the rest is honest.
    """
    fold = folds(answers.clusters, count, seed)
    kept = np.zeros(len(fold), np.bool_)
    thresholds = []
    for number in range(int(fold.max(initial=-1)) + 1):
        held_out = fold == number
        threshold = fit(answers.select(~held_out), risk=risk, miss=miss, largest=largest, seed=seed, exact=exact)
        kept |= held_out & answers.kept(threshold)
        thresholds.append(threshold)
    return kept, thresholds


def largest_cluster(clusters: npt.NDArray[Any]) -> int:
    """The most items of a cluster; 1 where there are none."""
    return int(np.unique(clusters, return_counts=True)[1].max(initial=1))

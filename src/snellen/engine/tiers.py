"""Tiers: several runs put in order by their score on the same items, with letters for those that cannot be told apart.

- Items: those that all runs have. Scores and differences are over those scored in every run, so that any two scores
  differ by what is said of the pair.
- Every pair is tested (`snellen.engine.paired`), and all pairs are one family for Holm's correction: the chance that
  any two runs that are alike are told apart is at most 5 %.
- Letters: two runs share a letter if, and only if, they are not told apart (Piepho 2004, An algorithm for a
  letter-based representation of all-pairwise comparisons, J. Computational and Graphical Statistics 13). A tier is what
  shares a letter. Tiers overlap: a run may be like a better and like a worse one that differ from each other.
- Open against closed: where some runs are of models with open weights and some of models with closed, the mean score
  of the ones less that of the others. It holds for these models, and says nothing of others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from snellen.engine.paired import Difference, corrected, difference
from snellen.engine.paired_ratio import random_flip_p
from snellen.engine.run_traits import Traits, traits_of
from snellen.estimate import Estimate, rate
from snellen.intervals import cluster_sums, t_quantile
from snellen.model_spec import ModelSpec
from snellen.table import VerdictTable

LEVEL = 0.05


class Rankable(Protocol):
    """What a ranking needs of a judged run."""

    @property
    def name(self) -> str:
        """As the user names it."""

    @property
    def table(self) -> VerdictTable:
        """Its verdicts."""

    @property
    def manifest(self) -> Mapping[str, Any]:
        """How it came about."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A run in its place.

    Attributes:
        run: its name.
        title: as in a comparison.
        score: over the items that are scored in every run.
        letters: of its tiers: ``a``, ``ab``.
        traits: of its model.
    """

    run: str
    title: str
    score: Estimate
    letters: str
    traits: Traits

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "run": self.run,
            "title": self.title,
            "score": self.score.to_json(),
            "letters": self.letters,
            "traits": self.traits.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Versus:
    """Two runs of a ranking: the better one first; `difference` is its score less that of the other."""

    better: str
    worse: str
    difference: Difference

    @property
    def apart(self) -> bool:
        """Whether the two are told apart."""
        return self.difference.p_holm is not None and self.difference.p_holm < LEVEL

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "better": self.better,
            "worse": self.worse,
            "apart": self.apart,
            "difference": self.difference.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Contrast:
    """Mean score of runs of open models less that of runs of closed ones, over the items scored in all runs.

    Attributes:
        open, closed: names of the runs.
        value: the difference.
        low, high: its interval: linearised variance of the clusters, Student's t; None with a single cluster.
        p: of a test by exchange of the two groups within an image, as for paired ratios.
    """

    open: tuple[str, ...]
    closed: tuple[str, ...]
    value: float
    low: float | None
    high: float | None
    p: float

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {name: getattr(self, name) for name in self.__slots__} | {
            "open": list(self.open),
            "closed": list(self.closed),
        }


@dataclass(frozen=True, slots=True)
class Tiers:
    """A ranking.

    Attributes:
        ranked: the best first; those of one score by name.
        pairs: every two runs, in the order of `ranked`.
        shared: items that all runs have.
        scored: of these, items scored in every run.
        open_closed: None unless some models are declared as open and some as closed.
    """

    ranked: tuple[Ranked, ...]
    pairs: tuple[Versus, ...]
    shared: int
    scored: int
    open_closed: Contrast | None

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "ranked": [each.to_json() for each in self.ranked],
            "pairs": [each.to_json() for each in self.pairs],
            "shared": self.shared,
            "scored": self.scored,
            "open_closed": None if self.open_closed is None else self.open_closed.to_json(),
        }


def rank(
    runs: Sequence[Rankable], titles: Sequence[str] = (), models: Mapping[str, ModelSpec] | None = None
) -> Tiers | None:
    """Put runs in order.

    Args:
        runs: judged, of one benchmark; changed versions of their items take no part.
        titles: of the runs; their names if none.
        models: those declared in ``models.toml``, by name.

    Returns:
        None where no item is scored in every run.
    """
    values, clusters = _shared([run.table for run in runs])
    scored = (values >= 0).all(axis=0)
    if not scored.any():
        return None
    kept, own = values[:, scored], clusters[scored]
    scores = [rate(row, own) for row in kept]
    order = sorted(range(len(runs)), key=lambda at: (-float(kept[at].mean()), runs[at].name, at))
    places = [(i, j) for i in range(len(runs)) for j in range(i + 1, len(runs))]
    found = corrected([difference(kept[order[j]], kept[order[i]], own) for i, j in places])
    pairs = [Versus(runs[order[i]].name, runs[order[j]].name, each) for (i, j), each in zip(places, found, strict=True)]
    marks = letters(len(runs), [place for place, pair in zip(places, pairs, strict=True) if pair.apart])
    traits = [traits_of(run.manifest, models) for run in runs]
    ranked = [
        Ranked(runs[at].name, titles[at] if titles else runs[at].name, scores[at], marks[place], traits[at])
        for place, at in enumerate(order)
    ]
    return Tiers(
        tuple(ranked),
        tuple(pairs),
        values.shape[1],
        int(scored.sum()),
        _open_closed(runs, traits, kept, own),
    )


def _shared(tables: Sequence[VerdictTable]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int32]]:
    """Values of every run over the items that all have, shape (K, N), and these items' clusters."""
    clean = [table.select(table.clean) for table in tables]
    keys = reduce(np.intersect1d, [table.pair_keys for table in clean])
    rows = []
    for table in clean:
        # Of items that share an id, which a benchmark should not have, the first is taken.
        unique, first = np.unique(table.pair_keys, return_index=True)
        rows.append(first[np.searchsorted(unique, keys)])
    order = np.argsort(rows[0])
    values = np.array([table.values[at[order]] for table, at in zip(clean, rows, strict=True)], np.int8)
    return values.reshape(len(tables), len(keys)), clean[0].clusters[rows[0][order]]


def letters(count: int, apart: Sequence[tuple[int, int]]) -> list[str]:
    """The letters of so many runs, the best first: two share one if, and only if, they are not told apart.

    Insert and absorb (Piepho 2004): all runs begin under one letter; each pair that is told apart splits every letter
    that holds both, and a letter whose runs are all under another one goes.

    >>> letters(4, [(0, 2), (0, 3), (1, 3)])
    ['a', 'ab', 'bc', 'c']
    """
    columns = [frozenset(range(count))]
    for one, other in apart:
        split: list[frozenset[int]] = []
        for column in columns:
            split += [column - {one}, column - {other}] if {one, other} <= column else [column]
        distinct = list(dict.fromkeys(split))
        columns = [each for each in distinct if not any(each < more for more in distinct)]
    columns.sort(key=sorted)
    marks = [_letter(place) for place in range(len(columns))]
    return ["".join(m for m, column in zip(marks, columns, strict=True) if run in column) for run in range(count)]


def _letter(place: int) -> str:
    """a to z, then a1 to z1, and so on."""
    return chr(ord("a") + place % 26) + (str(place // 26) if place >= 26 else "")


def _open_closed(
    runs: Sequence[Rankable], traits: Sequence[Traits], values: npt.NDArray[np.int8], clusters: npt.NDArray[np.int32]
) -> Contrast | None:
    opened, closed = (np.array([each.weights == kind for each in traits]) for kind in ("open", "closed"))
    if not opened.any() or not closed.any():
        return None
    d = values[opened].mean(axis=0) - values[closed].mean(axis=0)
    sums, sizes = cluster_sums([d, np.ones(len(d))], clusters).T
    value, g = float(d.mean()), len(sizes)
    half = None
    if g > 1:
        variance = g / (g - 1) * float(((sums - value * sizes) ** 2).sum()) / len(d) ** 2
        half = t_quantile(0.975, g - 1) * float(np.sqrt(variance))
    return Contrast(
        tuple(run.name for run, mine in zip(runs, opened, strict=True) if mine),
        tuple(run.name for run, mine in zip(runs, closed, strict=True) if mine),
        value,
        None if half is None else max(-1.0, value - half),
        None if half is None else min(1.0, value + half),
        random_flip_p(sums),
    )

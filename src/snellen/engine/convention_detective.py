"""The convention detective: would a run's coordinates mean far more if they were read in another convention?

A convention is declared and never guessed, so a wrong declaration looks like a blind model. Every answer that gives a
place is read under each preset convention (those that mean the same once), and the hits are compared with those under
the declared one. Another convention is suspected where it hits at least 10 points more of the targets that are there,
and a sign test over the screens, with Bonferroni's correction for the number of conventions, leaves no doubt. Where no
target is there, elements found by the first parses stand in for hits.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.answer import Answer
from snellen.convention import PRESETS, Convention, Resizing
from snellen.engine.screen_answers import parse_of
from snellen.estimate import Estimate, ratio
from snellen.intervals import bootstrap, cluster_sums
from snellen.item import ElementsReference, Item, TargetReference
from snellen.judges import gui
from snellen.verdict import FORMAT_ERROR

LEAST = 0.1
"""How much more of the targets another convention must hit."""

DOUBT = 0.05
"""Chance, over all conventions together, of suspecting one that is no better."""

PARSES = 200
"""How many parses are read in every convention; they are long, and targets tell more."""

LONGEST = 50_000
"""Characters of an answer beyond which it is passed over: a runaway answer tells nothing, and costs seconds."""

_SEED = 0


@dataclass(frozen=True, slots=True)
class Score:
    """What answers come to under one convention.

    Attributes:
        names: presets that mean this, or the full spelling of the declared one.
        spelled: unit and orders.
        declared: whether answers were judged so.
        hits: present targets that are hit.
        unreadable: share of the answers about present targets that give a place which is none.
        found: true elements that the first `PARSES` parses list.
        difference: of hits (of found elements, where no target is there) to the declared convention.
        low, high: ends of its interval, a bootstrap over the screens; None where there is none.
        chance: of so lopsided a count of screens, if neither were better; corrected for the number of conventions.
    """

    names: tuple[str, ...]
    spelled: str
    declared: bool
    hits: Estimate
    unreadable: Estimate
    found: Estimate
    difference: float
    low: float | None
    high: float | None
    chance: float

    @property
    def far_better(self) -> bool:
        """Whether it is suspected to be what the model really writes."""
        return not self.declared and self.difference >= LEAST and self.chance <= DOUBT

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        plain = {
            name: getattr(self, name)
            for name in ("spelled", "declared", "difference", "low", "high", "chance", "far_better")
        }
        estimates = {name: getattr(self, name).to_json() for name in ("hits", "unreadable", "found")}
        return {"names": list(self.names), **plain, **estimates}


@dataclass(frozen=True, slots=True)
class Conventions:
    """A run under every convention.

    Attributes:
        scores: the best first, equal ones in the order of the presets, the declared one before its equals.
        over: what was compared: ``targets`` or ``elements``; empty where there was neither.
        model: name of the model.
    """

    scores: Sequence[Score]
    over: str
    model: str

    @property
    def declared(self) -> Score:
        """The convention under which the answers were judged."""
        return next(score for score in self.scores if score.declared)

    @property
    def suspect(self) -> Score | None:
        """The best of the conventions that do far better; None where none does."""
        return next((score for score in self.scores if score.far_better), None)

    @property
    def name(self) -> str:
        """A name of the suspect, that of the model's family where it has one; empty where nothing is suspected."""
        suspect = self.suspect
        if suspect is None:
            return ""
        own = [name for name in suspect.names if name.partition("-")[0] in self.model.lower()]
        return max(own, key=lambda name: (name in self.model.lower(), len(name)), default=suspect.names[0])

    @property
    def line(self) -> str:
        """What to put into the model's entry of models.toml; empty where nothing is suspected."""
        return f'convention = "{self.name}"' if self.suspect is not None else ""

    def warning(self) -> str:
        """A sentence for people; empty where nothing is suspected."""
        suspect = self.suspect
        if suspect is None:
            return ""
        better, now = self._share(suspect), self._share(self.declared)
        what = "targets that are there are hit" if self.over == "targets" else "true elements are found"
        return (
            f"coordinates may be declared wrong: read as {suspect.spelled}, {better:value} of the {what}; as declared "
            f"({self.declared.spelled}), {now:value}. If {self.model} writes so, put {self.line} into its entry of "
            f"models.toml; snellen judge RUN --judge rules --convention {self.name} shows the numbers under it"
        )

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names, with the suspect's line and the warning."""
        scores = [score.to_json() for score in self.scores]
        return {"over": self.over, "scores": scores, "line": self.line, "warning": self.warning()}

    def _share(self, score: Score) -> Estimate:
        return score.hits if self.over == "targets" else score.found


class Detective:
    """Reads answers under every convention, a row at a time.

    Args:
        declared: the convention under which the answers were judged.
        matching: as the judge's option.
        model: name of the model.
    """

    def __init__(self, declared: Convention, matching: str, model: str) -> None:
        self._matching, self._model, self._declared = matching, model, declared
        self.meanings = meanings(declared)
        self._targets, self._elements = _Columns(len(self.meanings)), _Columns(len(self.meanings))
        self._unreadable = _Columns(len(self.meanings))

    @property
    def targets(self) -> int:
        """How many answers about targets that are there were looked at."""
        return len(self._targets)

    def look(self, item: Item, answer: Answer) -> None:
        """One answer; what asks for an absent target tells nothing, nor does one that is longer than `LONGEST`."""
        reference = item.reference
        if len(answer.text) > LONGEST:
            return
        if isinstance(reference, TargetReference) and reference.box is not None:
            verdicts = [gui.read(item, answer, convention=each) for _, each in self.meanings]
            if all(verdict.value is not None for verdict in verdicts):
                self._targets.add(item.cluster, [int(verdict.value == 1) for verdict in verdicts], 1)
                self._unreadable.add(item.cluster, [int(FORMAT_ERROR in verdict.flags) for verdict in verdicts], 1)
        elif isinstance(reference, ElementsReference) and len(self._elements) < PARSES:
            parses = [parse_of(item, reference.elements, answer, each) for _, each in self.meanings]
            found = [len(parse.pairs(self._matching)) for parse in parses if parse is not None]
            if len(found) == len(parses):
                self._elements.add(item.cluster, found, len(reference.elements))

    def result(self) -> Conventions:
        """The conventions by what they hit."""
        over = "targets" if len(self._targets) else "elements" if len(self._elements) else ""
        compared = self._elements if over == "elements" else self._targets
        own = next(k for k, (_, each) in enumerate(self.meanings) if _meaning(each) == _meaning(self._declared))
        scores = [self._score(k, own, compared) for k in range(len(self.meanings))]
        order = sorted(range(len(scores)), key=lambda k: (-scores[k].difference, k != own, k))
        return Conventions(tuple(scores[k] for k in order), over, self._model)

    def _score(self, k: int, own: int, compared: _Columns) -> Score:
        names, convention = self.meanings[k]
        difference, low, high, chance = compared.against(k, own)
        return Score(
            names=names,
            spelled=str(convention),
            declared=k == own,
            hits=self._targets.estimate(k),
            unreadable=self._unreadable.estimate(k),
            found=self._elements.estimate(k),
            difference=difference,
            low=low,
            high=high,
            chance=min(1.0, chance * (len(self.meanings) - 1)),
        )


def meanings(declared: Convention) -> tuple[tuple[tuple[str, ...], Convention], ...]:
    """(names, convention) of every preset that means something of its own, and of the declared one."""
    found: dict[tuple[Any, ...], tuple[list[str], Convention]] = {}
    for each in PRESETS.values():
        found.setdefault(_meaning(each), ([], each))[0].append(each.name)
    found.setdefault(_meaning(declared), ([declared.name], declared))
    return tuple((tuple(names), convention) for names, convention in found.values())


def _meaning(convention: Convention) -> tuple[Any, ...]:
    resizing = (convention.resizing or Resizing()) if convention.unit == "resized" else None
    return convention.unit, convention.boxes, convention.points, resizing


class _Columns:
    """A count for each convention in each row, and what it is out of."""

    def __init__(self, width: int) -> None:
        self._width, self._codes = width, dict[str, int]()
        self._counts, self._whole, self._clusters = array("i"), array("i"), array("q")

    def __len__(self) -> int:
        return len(self._whole)

    def add(self, cluster: str, counts: Sequence[int], whole: int) -> None:
        """One row."""
        self._counts.extend(counts)
        self._whole.append(whole)
        self._clusters.append(self._codes.setdefault(cluster, len(self._codes)))

    def estimate(self, k: int) -> Estimate:
        """The share under one convention."""
        return ratio(self._column(k), np.array(self._whole, np.float64), self._rows(), seed=_SEED)

    def against(self, k: int, own: int) -> tuple[float, float | None, float | None, float]:
        """(difference, low, high, chance) of one convention to another."""
        if not len(self) or k == own:
            return 0.0, None, None, 1.0
        gained = self._column(k) - self._column(own)
        sums = cluster_sums([gained, np.array(self._whole, np.float64)], self._rows())
        interval = bootstrap(sums, lambda totals: totals[..., 0] / totals[..., 1], seed=_SEED)
        more, less = int((sums[:, 0] > 0).sum()), int((sums[:, 0] < 0).sum())
        return interval.value or 0.0, interval.low, interval.high, sign_test(more, less)

    def _column(self, k: int) -> npt.NDArray[np.float64]:
        return np.array(self._counts, np.float64).reshape(-1, self._width)[:, k]

    def _rows(self) -> npt.NDArray[np.int64]:
        return np.array(self._clusters, np.int64)


def sign_test(more: int, less: int) -> float:
    """Two-sided chance of so lopsided a count, or a more lopsided one, if both signs were as likely.

    The exact test of McNemar where every count is a pair.

    >>> sign_test(5, 0)
    0.0625
    """
    n, most = more + less, max(more, less)
    tail = term = comb(n, most)
    for k in range(most, n):
        term = term * (n - k) // (k + 1)
        tail += term
    return min(1.0, float(2 * tail / 2**n))

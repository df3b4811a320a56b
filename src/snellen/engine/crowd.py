"""What people said of the answers of one run, laid over the rows of its table: each person, and all by majority."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.agreement import krippendorff_alpha
from snellen.engine.human_labels import HumanLabels, Label
from snellen.engine.paired import Ints, Mask
from snellen.errors import DataError
from snellen.estimate import Estimate, rate
from snellen.table import VerdictTable

CANNOT_TELL = -1
"""Of a rating, beside 1 for right and 0 for wrong."""

UNSEEN = -2
"""Where a person has not looked."""


@dataclass(frozen=True, slots=True, eq=False)
class Crowd:
    """People on the answers of one run; columns are in the order of its table's rows.

    Attributes:
        raters: who they are.
        ratings: int, shape (R, N): 1, 0, `CANNOT_TELL` or `UNSEEN`.
        clusters: shape (N,): of the rows.
        problems: labels that could not be laid over a row.
    """

    raters: tuple[str, ...]
    ratings: Ints
    clusters: npt.NDArray[Any]
    problems: tuple[DataError, ...] = ()

    @property
    def looked_at(self) -> Mask:
        """Rows that somebody has labelled, be it as one that cannot be told."""
        seen: Mask = (self.ratings != UNSEEN).any(0)
        return seen

    @property
    def values(self) -> Ints:
        """Shape (N,): what most say of those who can tell: 1, 0, or -1 where nobody can, or as many say either."""
        ahead = (self.ratings == 1).sum(0) - (self.ratings == 0).sum(0)
        return np.where(ahead > 0, 1, np.where(ahead < 0, 0, -1)).astype(np.int64)

    @property
    def ties(self) -> int:
        """Rows of which as many say right as wrong."""
        right, wrong = (self.ratings == 1).sum(0), (self.ratings == 0).sum(0)
        return int(((right == wrong) & (right > 0)).sum())

    @property
    def undecided(self) -> int:
        """Rows of which nobody who looked can tell."""
        decided = (self.ratings >= 0).any(0)
        return int((self.looked_at & ~decided).sum())

    @property
    def several(self) -> int:
        """Rows on which two or more decided."""
        return int(((self.ratings >= 0).sum(0) >= 2).sum())

    def alpha(self) -> Estimate:
        """Krippendorff's, of the people who can tell."""
        return krippendorff_alpha(np.maximum(self.ratings, -1), self.clusters)

    def unanimous(self) -> Estimate:
        """Share of the rows on which two or more decided where all say the same."""
        right, wrong = (self.ratings == 1).sum(0), (self.ratings == 0).sum(0)
        chosen = right + wrong >= 2
        return rate(((right == 0) | (wrong == 0))[chosen], self.clusters[chosen])

    def to_json(self) -> dict[str, Any]:
        """Counts and agreement, without the single labels."""
        several = self.several
        return {
            "raters": [
                {"rater": name, "labels": int((row != UNSEEN).sum()), "cannot_tell": int((row == CANNOT_TELL).sum())}
                for name, row in zip(self.raters, self.ratings, strict=True)
            ],
            "items": int(self.looked_at.sum()),
            "several": several,
            "ties": self.ties,
            "cannot_tell": self.undecided,
            "alpha": self.alpha().to_json() if several else None,
            "unanimous": self.unanimous().to_json() if several else None,
        }


Places = Callable[[Iterable[str]], Mapping[str, int]]
"""Ids of items -> the positions in a run's plan of those that it has."""


def of_run(labels: HumanLabels, run: str, table: VerdictTable, places: Places) -> Crowd:
    """The labels that are of this run, or say of no run, over the rows of its table."""
    own = [label for label in labels.labels if label.run in ("", run)]
    known = places(dict.fromkeys(label.item for label in own))
    rows = {position: row for row, position in enumerate(table.positions.tolist())}
    problems: list[DataError] = []
    laid: list[tuple[Label, int]] = []
    for label in own:
        row = rows.get(known.get(label.item, -1))
        if row is None:
            problems.append(label.problem(f"{run} has no such item: `snellen export {run}` lists the ids that it has"))
        else:
            laid.append((label, row))
    raters = tuple(sorted({label.rater for label, _ in laid}))
    number = {name: place for place, name in enumerate(raters)}
    ratings = np.full((len(raters), len(table)), UNSEEN, np.int64)
    for label, row in laid:
        ratings[number[label.rater], row] = CANNOT_TELL if label.value is None else label.value
    return Crowd(raters, ratings, table.clusters, tuple(problems))


def of_no_run(labels: HumanLabels, runs: Sequence[str]) -> tuple[DataError, ...]:
    """Labels of answers of other runs than these, as problems."""
    return tuple(
        label.problem(f"the label is of {label.run}, which is not audited here: name that run too")
        for label in labels.labels
        if label.run not in ("", *runs)
    )

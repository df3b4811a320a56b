"""Audit: a judge's verdicts beside people's labels: how far they agree, where they do not, and what people would say.

A judge is there to find hallucinations, so in the words of diagnostic tests the condition is a hallucination:

- sensitivity: share of the answers that people call wrong which the judge calls wrong too;
- specificity: share of the answers that people call right which the judge lets pass;
- accuracy: share of those on which both decided where they agree, beside Cohen's kappa and Krippendorff's alpha, which
  take off the agreement by chance (`snellen.agreement`);
- leniency: the judge's share of right answers less the people's, with the sign-flip test of `snellen.engine.paired`.

All intervals are clustered by image. What either could not decide is in the confusion table and in none of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.agreement import agreeing_share, cohen_kappa, krippendorff_alpha
from snellen.card import Card
from snellen.engine.audit_sample import Chosen, compare_sample
from snellen.engine.crowd import Crowd
from snellen.engine.paired import Difference, Ints, Mask, difference
from snellen.errors import UsageError
from snellen.estimate import Estimate, rate
from snellen.prediction_powered import Adjusted, adjusted_share
from snellen.table import CHANGE, LANGUAGE, VerdictTable

WORST = 5
"""Cells and values of labels that are named as the worst."""

_FEWEST = 3  # items of a cell that can be among the worst
_RESAMPLES, _RESAMPLES_OF_PARTS = 4000, 1000

PEOPLE = ("right", "wrong", "cannot_tell")
JUDGE = ("right", "wrong", "unscored")
"""Rows and columns of the confusion table."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far a judge and people agree on some items.

    Attributes:
        labels: label -> value that all these items have; empty for all.
        accuracy, kappa, alpha, sensitivity, specificity: see the module; `n` items each.
        lenient: items that the judge lets pass and people call wrong.
        strict: the other way.
    """

    labels: Mapping[str, str]
    accuracy: Estimate
    kappa: Estimate
    alpha: Estimate
    sensitivity: Estimate
    specificity: Estimate
    lenient: int
    strict: int

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        names = ("accuracy", "kappa", "alpha", "sensitivity", "specificity")
        estimates = {name: getattr(self, name).to_json() for name in names}
        return {"labels": dict(self.labels), **estimates, "lenient": self.lenient, "strict": self.strict}


@dataclass(frozen=True, slots=True, eq=False)
class Audit:
    """One judging beside people.

    Attributes:
        name: of the judging.
        overall: over all items that people looked at, changed versions included.
        parts: for each value of each label that these items have.
        worst: of the cells of the card's first two labels (of the values of its only label) those that surely agree
            least: the lowest upper ends of the interval of their accuracy, cells without a disagreement left out.
        confusion: shape (3, 3): items, rows as `PEOPLE`, columns as `JUDGE`.
        leniency: the judge's share of right answers less the people's.
        adjusted: the share that people would have given over all clean items that the judge decided; None where they
            decided none of these.
        sample: whether what people looked at is like the rest, by the judge's verdict and each label's values.
        disagreements: positions in the plan, those that the judge lets pass first.
        values: of the judge at these positions.
    """

    name: str
    overall: Agreement
    parts: tuple[Agreement, ...]
    worst: tuple[Agreement, ...]
    confusion: Ints
    leniency: Difference
    adjusted: Adjusted | None
    sample: tuple[Chosen, ...]
    disagreements: Ints
    values: Ints

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names, without the disagreements, which need the ledger."""
        return {
            "judging": self.name,
            "overall": self.overall.to_json(),
            "parts": [each.to_json() for each in self.parts],
            "worst": [each.to_json() for each in self.worst],
            "confusion": {
                people: dict(zip(JUDGE, row, strict=True))
                for people, row in zip(PEOPLE, self.confusion.tolist(), strict=True)
            },
            "leniency": self.leniency.to_json(),
            "adjusted": None if self.adjusted is None else self.adjusted.to_json(),
            "sample": [each.to_json() for each in self.sample],
        }


def audit(name: str, card: Card, table: VerdictTable, crowd: Crowd) -> Audit:
    """Lay a judging's verdicts beside people's labels.

    Args:
        name: of the judging.
        card: of its benchmark.
        table: its verdicts, of shape (N,).
        crowd: people on the same rows.

    Raises:
        UsageError: the crowd is of other rows, or nobody labelled any of them.
    """
    if crowd.ratings.shape[1:] != (len(table),):
        raise UsageError(f"the labels are laid over {crowd.ratings.shape[1]:,} rows, and {name} has {len(table):,}")
    looked = crowd.looked_at
    if not looked.any():
        raise UsageError(f"nobody has labelled an answer of {name}: the ids must be those of its items")
    people = crowd.values
    judge = np.where(table.scored, table.values, -1).astype(np.int64)
    both = (people >= 0) & (judge >= 0)
    lenient, strict = both & (people == 0) & (judge == 1), both & (people == 1) & (judge == 0)
    found = np.concatenate([np.flatnonzero(lenient), np.flatnonzero(strict)])

    def over(labels: Mapping[str, str], resamples: int) -> Agreement:
        mask = both & table.mask(**labels)
        return _agreement(labels, people[mask], judge[mask], table.clusters[mask], resamples)

    parts = [over(labels, _RESAMPLES_OF_PARTS) for labels in _values(card, table, both)]
    return Audit(
        name,
        over({}, _RESAMPLES),
        tuple(parts),
        _worst(card, table, people, judge, both),
        _confusion(people[looked], judge[looked]),
        difference(people[both], judge[both], table.clusters[both]),
        *_adjusted(card, table, people, judge),
        table.positions[found],
        judge[found],
    )


def _agreement(
    labels: Mapping[str, str], people: Ints, judge: Ints, clusters: npt.NDArray[Any], resamples: int
) -> Agreement:
    right, wrong = people == 1, people == 0
    return Agreement(
        labels,
        agreeing_share(people, judge, clusters),
        cohen_kappa(people, judge, clusters, resamples=resamples),
        krippendorff_alpha(np.stack([people, judge]), clusters, resamples=resamples),
        rate(judge[wrong] == 0, clusters[wrong]),
        rate(judge[right] == 1, clusters[right]),
        int((judge[wrong] == 1).sum()),
        int((judge[right] == 0).sum()),
    )


def _values(card: Card, table: VerdictTable, chosen: Mask) -> Iterator[dict[str, str]]:
    """Label and value, in the card's order, that some of the chosen rows have."""
    for name in label_names(card, table):
        codes = set(table.codes[name][chosen].tolist())
        found = [value for code, value in enumerate(table.label_values(name)) if code in codes]
        known = [value for value in card.labels.get(name, ()) if value in found]
        yield from ({name: value} for value in known + [value for value in found if value not in known])


def label_names(card: Card, table: VerdictTable) -> list[str]:
    """The card's labels that items have, and language and condition where there are several."""
    extra = [name for name in (LANGUAGE, CHANGE) if name in table.label_names and name not in card.labels]
    several = [name for name in extra if name == CHANGE or len(table.label_values(name)) > 1]
    return [*(name for name in card.labels if name in table.label_names), *several]


def _worst(card: Card, table: VerdictTable, people: Ints, judge: Ints, both: Mask) -> tuple[Agreement, ...]:
    names = [name for name in card.labels if name in table.label_names][:2]
    if not names:
        return ()
    cells = np.stack([table.codes[name] for name in names], axis=1).astype(np.int64)
    chosen = both & (cells >= 0).all(1)
    candidates = []
    for cell in np.unique(cells[chosen], axis=0).tolist():
        mask = chosen & (cells == cell).all(1)
        agree = agreeing_share(people[mask], judge[mask], table.clusters[mask])
        if agree.n >= _FEWEST and agree.value is not None and agree.value < 1 and agree.high is not None:
            labels = {name: table.label_values(name)[code] for name, code in zip(names, cell, strict=True)}
            candidates.append((agree.high, tuple(cell), labels, mask))
    candidates.sort(key=lambda each: each[:2])
    return tuple(
        _agreement(labels, people[mask], judge[mask], table.clusters[mask], _RESAMPLES_OF_PARTS)
        for _, _, labels, mask in candidates[:WORST]
    )


def _confusion(people: Ints, judge: Ints) -> Ints:
    places = {1: 0, 0: 1, -1: 2}
    counts = np.zeros((3, 3), np.int64)
    for value, row in places.items():
        for verdict, column in places.items():
            counts[row, column] = int(((people == value) & (judge == verdict)).sum())
    return counts


def _adjusted(card: Card, table: VerdictTable, people: Ints, judge: Ints) -> tuple[Adjusted | None, tuple[Chosen, ...]]:
    """Over the clean items that the judge decided; what it left open has no verdict to correct."""
    chosen = table.clean & (judge >= 0)
    if not (people[chosen] >= 0).any():
        return None, ()
    decided = table.select(chosen)
    adjusted = adjusted_share(people[chosen], judge[chosen], decided.clusters)
    return adjusted, compare_sample(card, decided, people[chosen] >= 0)

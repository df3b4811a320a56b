"""Comparison: runs beside a first one on the items that they share, with what was lost beside what was gained.

A prompt that makes a model decline more often wins on questions that have no answer and loses on those that have one,
so the score never stands alone: over-refusal and abstention of both runs stand beside it, on screens also localization
accuracy, rejection rate, false rejections and what was parsed. Items are matched by id, changed versions of items take
no part (`snellen.engine.under` makes them the items), and what only one run has is counted and left out. More than two
runs are put in order, with tiers (`snellen.engine.tiers`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from snellen.card import Card
from snellen.engine.comparability import compared, warnings
from snellen.engine.paired import Difference, Ints, Mask, corrected, difference
from snellen.engine.paired_ratio import Ratio, ratio_difference
from snellen.engine.tiers import Tiers, rank
from snellen.errors import UsageError
from snellen.metrics._screens import ABSENT, PARSING, PRESENT, TASK
from snellen.model_spec import ModelSpec
from snellen.table import VerdictTable
from snellen.verdict import ABSTAINED

if TYPE_CHECKING:
    from snellen.ledger import Ledger, RunRow

MEASURES: Mapping[str, str] = {
    "score": "score",
    "over_refusal": "over-refusal",
    "abstention": "declined",
    "localization_accuracy": "localization accuracy",
    "rejection_rate": "rejection rate",
    "false_rejections": "false rejections",
    "hit_distractor": "hit a distractor",
    "hit_elsewhere": "hit elsewhere",
    "parsing_recall": "parsing recall",
    "parsing_precision": "parsing precision",
    "function_similarity": "function similarity",
}
"""What is compared, with words for it; from localization accuracy on on screens alone. Hits on a distractor and
elsewhere are shares of the targets there, the last three ratios of sums over the parses."""

_PARSED: Mapping[str, str] = {
    "parsing_recall": "recall",
    "parsing_precision": "precision",
    "function_similarity": "function_similarity",
}


class Comparable(Protocol):
    """What a comparison needs of a judged run."""

    @property
    def name(self) -> str:
        """As the user names it."""

    @property
    def card(self) -> Card:
        """Of its benchmark."""

    @property
    def table(self) -> VerdictTable:
        """Its verdicts."""

    @property
    def manifest(self) -> Mapping[str, Any]:
        """How it came about."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """The rows of two tables that are of the same items.

    Attributes:
        base, other: the rows that are shared, in the same order.
        only_base, only_other: items that one alone has.
    """

    base: VerdictTable
    other: VerdictTable
    only_base: int
    only_other: int

    @classmethod
    def of(cls, base: VerdictTable, other: VerdictTable) -> Pairing:
        """Of two tables, by the ids of their clean items."""
        base, other = base.select(base.clean), other.select(other.clean)
        # Of items that share an id, which a benchmark should not have, the first is taken.
        _, left, right = np.intersect1d(base.pair_keys, other.pair_keys, return_indices=True)
        order = np.argsort(left)
        shared = _taken(base, left[order]), _taken(other, right[order])
        return cls(*shared, len(base) - len(left), len(other) - len(right))

    def differences(self, chosen: Mask) -> dict[str, Difference]:
        """Every measure over the chosen items, shape (N,); those that no item belongs to are left out."""
        found = {}
        for name, of, value in self._measures():
            mask = chosen & of
            if mask.any() or name in ("score", "abstention", "over_refusal"):
                b, o = value(self.base)[mask], value(self.other)[mask]
                found[name] = difference(b, o, self.base.clusters[mask])
        return found | self._parsed(chosen)

    def _parsed(self, chosen: Mask) -> dict[str, Difference]:
        if TASK not in self.base.label_names:
            return {}
        mask = chosen & self.base.mask(**{TASK: PARSING})
        base, other, clusters = self.base, self.other, self.base.clusters[mask]
        return {
            name: ratio_difference(_ratio(base, measure, mask), _ratio(other, measure, mask), clusters)
            for name, measure in _PARSED.items()
            if mask.any() and measure in base.measures and measure in other.measures
        }

    def moved(self, *, gained: bool) -> tuple[Ints, Ints]:
        """Positions, in the base and in the other run, of the items that were gained, or else lost."""
        b, o = self.base.values, self.other.values
        mask = (b == 0) & (o == 1) if gained else (b == 1) & (o == 0)
        return self.base.positions[mask], self.other.positions[mask]

    def _measures(self) -> Iterator[tuple[str, Mask, Callable[[VerdictTable], npt.NDArray[Any]]]]:
        every = np.ones(len(self.base), np.bool_)
        yield "score", every, lambda table: table.values
        yield "over_refusal", self.base.answerable, _declined
        yield "abstention", every, _declined
        if TASK in self.base.label_names:
            there, absent = self.base.mask(task=PRESENT), self.base.mask(task=ABSENT)
            yield "localization_accuracy", there, lambda table: table.values
            yield "rejection_rate", absent, lambda table: table.values
            yield "false_rejections", there, _declined
            for name in ("hit_distractor", "hit_elsewhere"):
                if name in self.base.measures and name in self.other.measures:
                    yield name, there, partial(_measured, name)


def _declined(table: VerdictTable) -> npt.NDArray[np.int8]:
    return np.where(table.scored, table.flag(ABSTAINED), -1).astype(np.int8)


def _measured(name: str, table: VerdictTable) -> npt.NDArray[np.int8]:
    """1 where a scored verdict has a measure that is not 0."""
    return np.where(table.scored, np.nan_to_num(table.measure(name)[0]) > 0, -1).astype(np.int8)


def _ratio(table: VerdictTable, measure: str, mask: Mask) -> Ratio:
    """A measure of the scored verdicts among these rows, NaN for the others."""
    top, bottom = table.measure(measure)
    scored = table.scored[mask]
    return np.where(scored, top[mask], np.nan), np.where(scored, bottom[mask], np.nan)


def _taken(table: VerdictTable, places: npt.NDArray[np.intp]) -> VerdictTable:
    """The rows at these places, in their order."""
    return replace(
        table,
        **{
            name: getattr(table, name)[places]
            for name in ("positions", "values", "reasons", "bits", "clusters", "pair_keys", "answerable")
        },
        codes={name: codes[places] for name, codes in table.codes.items()},
        measures={name: (top[places], bottom[places]) for name, (top, bottom) in table.measures.items()},
    )


@dataclass(frozen=True, slots=True)
class Line:
    """One run beside the base, over all shared items or those with one value of a label.

    Attributes:
        run: the other run's name.
        title: the prompt's or the condition's name where runs are told apart by it alone, else the run's without the
            benchmark.
        label, value: which items; both empty for all.
        shared: items that both have.
        differences: name in `MEASURES` -> what it came to.
    """

    run: str
    title: str
    label: str
    value: str
    shared: int
    differences: Mapping[str, Difference]

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        plain = {name: getattr(self, name) for name in ("run", "title", "label", "value", "shared")}
        return plain | {"differences": {name: each.to_json() for name, each in self.differences.items()}}


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """A run beside the base.

    Attributes:
        run: its name.
        title: as in `Line`.
        pairing: its rows and the base's.
        compared: what differs on purpose: ``prompt: direct, pgp``.
        warnings: what else differs, in sentences.
    """

    run: str
    title: str
    pairing: Pairing
    compared: tuple[str, ...]
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "run": self.run,
            "title": self.title,
            "shared": len(self.pairing.base),
            "only_base": self.pairing.only_base,
            "only_other": self.pairing.only_other,
            "compared": list(self.compared),
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Runs beside a first one.

    Attributes:
        base: the first run's name.
        title: of the first run, as in `Line`.
        card: of the benchmark.
        others: the other runs, in the order in which they were named.
        lines: those over all items, then those of each label; runs in order within each.
        tiers: all runs in order; None for two runs, or where no item is scored in all.
    """

    base: str
    title: str
    card: Card
    others: tuple[Beside, ...]
    lines: tuple[Line, ...]
    tiers: Tiers | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "base": self.base,
            "title": self.title,
            "others": [each.to_json() for each in self.others],
            "lines": [line.to_json() for line in self.lines],
            "tiers": None if self.tiers is None else self.tiers.to_json(),
        }


def compare(
    runs: Sequence[Comparable], by: Sequence[str] = (), models: Mapping[str, ModelSpec] | None = None
) -> Comparison:
    """Compare runs with the first of them.

    Holm's correction is over families: for each measure, the lines over all items are one, and those of each label are
    another.

    Args:
        runs: two or more, judged.
        by: names of labels; each of their values gets a line for each run.
        models: those declared in ``models.toml``, for what is known of them beside what their runs recorded.

    Raises:
        UsageError: there are fewer than two runs, one is named twice, a run shares no item with the first, or no item
            has such a label.
    """
    if len(runs) < 2:
        raise UsageError("a comparison needs two runs or more: the first is what the others are compared with")
    names = [run.name for run in runs]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise UsageError(f"{twice} is named twice: it differs from itself in nothing")
    base = runs[0]
    others = []
    titles = _titles(runs)
    for run, title in zip(runs[1:], titles[1:], strict=True):
        pairing = Pairing.of(base.table, run.table)
        if not len(pairing.base):
            raise UsageError(f"{run.name} and {base.name} share no item: they are not of the same benchmark or data")
        others.append(
            Beside(
                run.name,
                title,
                pairing,
                tuple(compared(base.manifest, run.manifest)),
                tuple(warnings(base.manifest, run.manifest)),
            )
        )
    lines = _family([_line(each, "", "") for each in others])
    for label in by:
        parts = [
            _line(each, label, value)
            for value in _values(base.table, base.card, label)
            for each in others
            if each.pairing.base.mask(**{label: value}).any()
        ]
        lines += _family(parts)
    tiers = rank(runs, titles, models) if len(runs) > 2 else None
    return Comparison(base.name, titles[0], base.card, tuple(others), tuple(lines), tiers)


def _titles(runs: Sequence[Comparable]) -> list[str]:
    models = {run.manifest.get("plan", {}).get("model") for run in runs}
    if len(models) == 1:
        for what in ("prompt", "condition"):
            told = [run.manifest.get("plan", {}).get(what) for run in runs]
            if len(set(told)) == len(runs) and all(told):
                return [str(each) for each in told]
    return [run.name.removeprefix(f"{run.card.name}/") for run in runs]


def _line(each: Beside, label: str, value: str) -> Line:
    base = each.pairing.base
    chosen = base.mask(**{label: value}) if label else np.ones(len(base), np.bool_)
    return Line(each.run, each.title, label, value, int(chosen.sum()), each.pairing.differences(chosen))


def _values(table: VerdictTable, card: Card, label: str) -> list[str]:
    """A label's values: the card's order, then the others."""
    found = table.label_values(label)
    known = [value for value in card.labels.get(label, ()) if value in found]
    return known + [value for value in found if value not in known]


def _family(lines: Sequence[Line]) -> list[Line]:
    found: list[dict[str, Difference]] = [{} for _ in lines]
    for name in MEASURES:
        places = [place for place, line in enumerate(lines) if name in line.differences]
        for place, each in zip(places, corrected([lines[place].differences[name] for place in places]), strict=True):
            found[place][name] = each
    return [replace(line, differences=each) for line, each in zip(lines, found, strict=True)]


def moved_ids(ledger: Ledger, run: RunRow, positions: npt.NDArray[np.int64]) -> Iterator[str]:
    """Ids of the items at these positions of a run, in their order."""
    for start in range(0, len(positions), 500):
        for row in ledger.at(run.id, None, positions[start : start + 500].tolist()):
            yield row.item.id

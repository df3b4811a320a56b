"""Resistance: what the changed versions of a run's items came to, beside the clean ones.

Scores and resistance are over the pairs whose truth is kept; those whose truth was altered or removed give the
counterfactual consistency. Whatever stands in no rate is counted by reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen import discovery
from snellen.engine.flips import Flips
from snellen.errors import UsageError
from snellen.estimate import Estimate, rate
from snellen.item import Truth
from snellen.metrics import counterfactual_consistency, resistance_rate
from snellen.pairs import PairTable
from snellen.table import CHANGE, Mask, VerdictTable
from snellen.verdict import UNSCORED

COUNTERFACTUAL: tuple[Truth, ...] = ("altered", "removed")

NOT_APPLIED = "not_applied"

LEFT_OUT_WORDS: Mapping[str, str] = {
    "altered": "truth altered",
    "removed": "truth removed",
    "unknown": "truth unknown",
    NOT_APPLIED: "did not apply",
}
"""Why an item stands in no resistance rate, in words for people."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some of a run's pairs, summed up.

    Attributes:
        pairs: those whose truth is kept.
        unscored: of these, pairs with a member that has no value.
        left_out: reason of `LEFT_OUT_WORDS` -> items that are none of these pairs.
        clean: score of the clean members, over the pairs with a value on both sides.
        changed: score of the changed members, over the same pairs.
        resistance: share of the right clean answers that stay right.
        lost: pairs right when clean and wrong when changed.
        gained: pairs wrong when clean and right when changed.
        consistency: ``altered`` and ``removed`` -> share of such changed items that are answered as is true of them.
    """

    pairs: int
    unscored: int
    left_out: Mapping[str, int]
    clean: Estimate
    changed: Estimate
    resistance: Estimate
    lost: int
    gained: int
    consistency: Mapping[str, Estimate]

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "pairs": self.pairs,
            "unscored": self.unscored,
            "left_out": dict(self.left_out),
            "clean": self.clean.to_json(),
            "changed": self.changed.to_json(),
            "resistance": self.resistance.to_json(),
            "lost": self.lost,
            "gained": self.gained,
            "consistency": {truth: estimate.to_json() for truth, estimate in self.consistency.items()},
        }


@dataclass(frozen=True, slots=True)
class Resistance:
    """What a run's changed items came to.

    Attributes:
        micro: over all pairs, each weighing the same.
        macro: mean resistance of the cells of condition and value of the first label, each cell weighing the same.
        macro_label: that label; empty where the items have none, and the cells are the conditions.
        macro_cells: cells that `macro` is over.
        undefined_cells: cells with pairs of kept truth and no right clean answer among those scored.
        conditions: ``jpeg:3`` -> part, in the order in which they were asked for.
        perturbations: ``jpeg`` -> part over its severities, where one has several.
        levels: ``image``, ``instruction``, ``combination`` -> part, where there are several.
        labels: label -> value -> part over all conditions; labels and values in the order of the run's results.
        cells: label -> (condition, value) -> resistance.
        flips: the pairs whose two answers were judged differently.
    """

    micro: Part
    macro: Estimate
    macro_label: str
    macro_cells: int
    undefined_cells: int
    conditions: Mapping[str, Part]
    perturbations: Mapping[str, Part]
    levels: Mapping[str, Part]
    labels: Mapping[str, Mapping[str, Part]]
    cells: Mapping[str, Mapping[tuple[str, str], Estimate]]
    flips: Flips = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names; cells as a list of objects, flips counted in the parts alone."""
        return {
            "micro": self.micro.to_json(),
            "macro": self.macro.to_json(),
            "macro_label": self.macro_label,
            "macro_cells": self.macro_cells,
            "undefined_cells": self.undefined_cells,
            "conditions": _plain(self.conditions),
            "perturbations": _plain(self.perturbations),
            "levels": _plain(self.levels),
            "labels": {label: _plain(parts) for label, parts in self.labels.items()},
            "cells": [
                {"label": label, "condition": condition, "value": value, "resistance": estimate.to_json()}
                for label, cells in self.cells.items()
                for (condition, value), estimate in cells.items()
            ],
        }


def measure(
    table: VerdictTable, labels: Mapping[str, Sequence[str]], conditions: Sequence[str] = ()
) -> Resistance | None:
    """Sum up a run's changed items; None where it has none and none were asked for.

    Args:
        table: clean and changed verdicts.
        labels: label -> values by which to split, in this order; the first gives the cells of the macro average.
        conditions: those that were asked for, in order; what the table holds beside them follows.
    """
    pairs = PairTable.of(table)
    columns = _Columns.of(pairs, table, conditions)
    if not columns.names:
        return None
    split = {label: tuple(values) for label, values in labels.items() if values}
    by_label = {label: {value: columns.labelled(label, value) for value in split[label]} for label in split}
    by_name, by_level = _grouped(columns.names, _perturbation), _grouped(columns.names, _level)
    main = next(iter(split), "")
    macro, cells, undefined = columns.macro(main, split.get(main, ()))

    def under(groups: Mapping[str, tuple[str, ...]]) -> dict[str, Part]:
        return {name: columns.part(columns.under(members), many=len(members)) for name, members in groups.items()}

    return Resistance(
        micro=columns.part(columns.everything),
        macro=macro,
        macro_label=main,
        macro_cells=cells,
        undefined_cells=undefined,
        conditions=under({name: (name,) for name in columns.names}),
        perturbations=under({name: members for name, members in by_name.items() if len(members) > 1}),
        levels=under(by_level) if len(by_level) > 1 else {},
        labels={
            label: {value: columns.part(chosen) for value, chosen in values.items()}
            for label, values in by_label.items()
        },
        cells={label: columns.cells(values) for label, values in by_label.items()},
        flips=columns.flips(pairs),
    )


def _plain(parts: Mapping[str, Part]) -> dict[str, Any]:
    return {name: part.to_json() for name, part in parts.items()}


@dataclass(frozen=True, slots=True)
class _Rows:
    """Which pairs, and which clean items they could be of."""

    pairs: Mask
    clean: Mask


@dataclass(frozen=True, slots=True)
class _Columns:
    """The pairs of a run as plain columns, so that each of a thousand parts costs no more than a few masks."""

    names: tuple[str, ...]
    table: VerdictTable
    rows: VerdictTable
    clean: npt.NDArray[np.int8]
    condition: npt.NDArray[np.int64]
    kept: Mask
    counterfactual: Mapping[Truth, Mask]
    unknown: Mask
    applied: Mask
    usable: Mask

    @classmethod
    def of(cls, pairs: PairTable, table: VerdictTable, asked: Sequence[str]) -> _Columns:
        rows = pairs.rows
        codes = rows.codes.get(CHANGE, np.zeros(0, np.int16))
        present = np.bincount(codes, minlength=len(pairs.conditions)) > 0
        names = tuple(dict.fromkeys((*asked, *(pairs.conditions[code] for code in np.flatnonzero(present)))))
        place = {name: number for number, name in enumerate(names)}
        number = np.array([place.get(name, -1) for name in pairs.conditions], np.int64)
        # An item that is broken itself was never tried: the headline counts it.
        usable = table.clean & (table.reasons != UNSCORED.index("data_error"))
        return cls(
            names,
            table,
            rows,
            pairs.clean,
            number[codes] if len(codes) else np.zeros(0, np.int64),
            pairs.truth("kept"),
            {truth: pairs.truth(truth) for truth in COUNTERFACTUAL},
            pairs.truth("unknown"),
            np.isin(pairs.clean_positions, table.positions[usable]),
            usable,
        )

    @property
    def everything(self) -> _Rows:
        return _Rows(np.ones(len(self.rows), np.bool_), self.usable)

    def under(self, conditions: Sequence[str]) -> _Rows:
        return _Rows(np.isin(self.condition, [self.names.index(name) for name in conditions]), self.usable)

    def labelled(self, label: str, value: str) -> _Rows:
        if label not in self.rows.label_names:
            return _Rows(np.zeros(len(self.rows), np.bool_), np.zeros(len(self.table), np.bool_))
        return _Rows(self.rows.mask(**{label: value}), self.usable & self.table.mask(**{label: value}))

    def part(self, chosen: _Rows, many: int | None = None) -> Part:
        """The part of these pairs, which are of so many conditions (all of them if None)."""
        kept = np.flatnonzero(chosen.pairs & self.kept)
        clean, changed, clusters = self.clean[kept], self.rows.values[kept], self.rows.clusters[kept]
        scored = (clean >= 0) & (changed >= 0)
        tried = int(chosen.clean.sum()) * (len(self.names) if many is None else many)
        left_out: dict[str, int] = {}
        consistency: dict[str, Estimate] = {}
        for truth, mask in self.counterfactual.items():
            places = np.flatnonzero(chosen.pairs & mask)
            left_out[truth] = len(places)
            values, groups = self.rows.values[places], self.rows.clusters[places]
            consistency[truth] = counterfactual_consistency.of_values(values, groups)
        left_out["unknown"] = int((chosen.pairs & self.unknown).sum())
        left_out[NOT_APPLIED] = max(0, tried - int((chosen.pairs & self.applied).sum()))
        return Part(
            pairs=len(kept),
            unscored=int((~scored).sum()),
            left_out=left_out,
            clean=rate(clean, clusters, scored=scored),
            changed=rate(changed, clusters, scored=scored),
            resistance=resistance_rate.of_values(clean, changed, clusters),
            lost=int(((clean == 1) & (changed == 0)).sum()),
            gained=int(((clean == 0) & (changed == 1)).sum()),
            consistency=consistency,
        )

    def cells(self, by_value: Mapping[str, _Rows]) -> dict[tuple[str, str], Estimate]:
        found = {}
        for number, name in enumerate(self.names):
            mine = np.flatnonzero(self.kept & (self.condition == number))
            for value, chosen in by_value.items():
                places = mine[chosen.pairs[mine]]
                clusters = self.rows.clusters[places]
                found[name, value] = resistance_rate.of_values(self.clean[places], self.rows.values[places], clusters)
        return found

    def macro(self, label: str, values: Sequence[str]) -> tuple[Estimate, int, int]:
        """Macro average, cells that it is over, and cells that have pairs and no resistance."""
        place = {value: number for number, value in enumerate(values)}
        cells = self.condition
        if label in self.rows.label_names:
            known = np.array([*(place.get(word, -1) for word in self.rows.label_values(label)), -1], np.int64)
            number = known[self.rows.codes[label]]
            cells = np.where(number < 0, -1, self.condition * len(values) + number)
        mine = np.flatnonzero(self.kept)
        clean, changed, clusters = self.clean[mine], self.rows.values[mine], self.rows.clusters[mine]
        estimate, over = resistance_rate.macro(clean, changed, clusters, cells[mine])
        return estimate, over, len(np.unique(cells[mine][cells[mine] >= 0])) - over

    def flips(self, pairs: PairTable) -> Flips:
        places = np.flatnonzero(self.kept & pairs.scored & (self.clean != self.rows.values))
        return Flips(
            pairs.clean_positions[places],
            self.rows.positions[places],
            self.clean[places] == 1,
            self.condition[places].astype(np.int16),
        )


def _grouped(names: Sequence[str], key: Callable[[str], str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name in names:
        found[key(name)] = (*found.get(key(name), ()), name)
    return found


def _perturbation(condition: str) -> str:
    """``jpeg:3+typos:2`` -> ``jpeg+typos``."""
    return "+".join(step.partition(":")[0] for step in condition.split("+"))


def _level(condition: str) -> str:
    """What is changed: the image, the instruction, or both."""
    kinds = {_kind(name) for name in _perturbation(condition).split("+")}
    return kinds.pop() if len(kinds) == 1 else "combination"


@cache
def _kind(perturbation: str) -> str:
    try:
        return str(discovery.load("perturbations", perturbation).KIND)
    except UsageError:  # a third party's that is not installed here: its answers are in the ledger all the same
        return "other"

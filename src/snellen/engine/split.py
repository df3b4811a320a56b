"""Split: the tables of a benchmark that scores two things apart, as SHALE does faithfulness and factuality.

The card's `split` names the label whose values are the tables. Each has the rows that occur in it, with the numbers
that the paper gives (accuracy of the discriminative tasks, captions free of hallucination) beside the score of all
its items; below them the micro average, in which every item weighs the same, and the macro average, in which every row
does.

The interval of a macro average is that of `snellen.metrics.resistance_rate.macro` over the rows: Wilson's with the
effective sample size of rows and clusters, which in simulation covers as well as the bootstrap over clusters and does
not collapse where everything is right, or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.card import Card
from snellen.estimate import Estimate
from snellen.metrics import accuracy, non_hallucination_rate, resistance_rate
from snellen.metrics.accuracy import DISCRIMINATIVE, TASK
from snellen.table import Mask, VerdictTable

SCORE, ACCURACY, CAPTIONS = "score", "accuracy", "non_hallucination_rate"

TITLES: Mapping[str, str] = {
    SCORE: "All items",
    ACCURACY: accuracy.TITLE,
    CAPTIONS: "Captions free of hallucination",
}
"""Name of a number -> words for people."""

_CAPTION = "caption"

Numbers = Mapping[str, Estimate]
"""Name of a number of `TITLES` -> what it is."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A macro average.

    Attributes:
        estimate: the mean of the rows' shares, each row weighing the same; no value while a row has no scored item, for
            a mean over fewer rows is another number.
        rows: those that have items.
        lacking: of these, those without a scored item.
    """

    estimate: Estimate
    rows: int
    lacking: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {"estimate": self.estimate.to_json(), "rows": self.rows, "lacking": list(self.lacking)}


@dataclass(frozen=True, slots=True)
class Group:
    """One table, or all of them together.

    Attributes:
        rows: value of the card's first label -> its numbers; in the card's order, only what has items here.
        cells: (value of the first label, value of the second) -> score; of these rows.
        micro: every item weighing the same.
        macro: every row weighing the same.
    """

    rows: Mapping[str, Numbers]
    cells: Mapping[tuple[str, str], Estimate]
    micro: Numbers
    macro: Mapping[str, Mean]

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names; cells as a list of objects with row, column and estimate."""
        return {
            "rows": {row: _plain(numbers) for row, numbers in self.rows.items()},
            "cells": [
                {"row": row, "column": column, "estimate": estimate.to_json()}
                for (row, column), estimate in self.cells.items()
            ],
            "micro": _plain(self.micro),
            "macro": {name: mean.to_json() for name, mean in self.macro.items()},
        }


@dataclass(frozen=True, slots=True)
class Split:
    """What a run came to, table by table.

    Attributes:
        label: the card's first label, whose values are the rows.
        by: the label whose values are the tables.
        whole: all items.
        groups: value of `by` -> table, in the card's order; ``""`` holds the items without such a label. Only what has
            items.
    """

    label: str
    by: str
    whole: Group
    groups: Mapping[str, Group]

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "label": self.label,
            "by": self.by,
            "whole": self.whole.to_json(),
            "groups": {value: group.to_json() for value, group in self.groups.items()},
        }


def measure(table: VerdictTable, card: Card, values: Mapping[str, Sequence[str]], absent: int = 0) -> Split | None:
    """Sum a run up table by table; None where the card splits nothing, or no item has its first label.

    Args:
        table: verdicts on clean items.
        card: of the benchmark.
        values: label -> its values in the order in which they are shown; of the card's first two labels and its split.
        absent: items of the plan that the table does not hold: of no row, unscored in what is over all items.
    """
    label = next(iter(card.labels), "")
    if not card.split or label not in table.label_names:
        return None
    column = list(card.labels)[1] if len(card.labels) > 1 else ""
    groups = {value: table.select(mask) for value, mask in _masks(table, card.split, values[card.split]) if mask.any()}
    rows, columns = values[label], values.get(column, ())
    whole = _group(table, label, rows, column, columns, absent)
    return Split(
        label,
        card.split,
        whole,
        {value: _group(part, label, rows, column, columns) for value, part in groups.items()},
    )


def _masks(table: VerdictTable, label: str, values: Sequence[str]) -> list[tuple[str, Mask]]:
    if label not in table.label_names:
        return [("", np.ones(len(table), np.bool_))]
    return [*((value, table.mask(**{label: value})) for value in values), ("", table.codes[label] < 0)]


def _group(
    table: VerdictTable, label: str, rows: Sequence[str], column: str, columns: Sequence[str], absent: int = 0
) -> Group:
    parts = {row: part for row in rows if len(part := table.where(**{label: row}))}
    cells = {}
    for row, part in parts.items():
        for value in columns:
            cell = (
                part.where(**{column: value}) if column in part.label_names else part.select(np.zeros(len(part), bool))
            )
            cells[row, value] = non_hallucination_rate.estimate(cell)
    kinds = _kinds(table)
    return Group(
        rows={row: _numbers(part, kinds) for row, part in parts.items()},
        cells=cells,
        micro=_numbers(table.padded(len(table) + absent), kinds),
        macro={
            name: _mean(table, mask, label, list(parts), absent if name == SCORE else 0) for name, mask in kinds.items()
        },
    )


def _kinds(table: VerdictTable) -> dict[str, Mask]:
    """Which items stand in each number; without the two of the paper where no item has such a task."""
    every = np.ones(len(table), np.bool_)
    if TASK not in table.label_names:
        return {SCORE: every}
    kinds = {SCORE: every, ACCURACY: table.mask(task=DISCRIMINATIVE), CAPTIONS: table.mask(task=_CAPTION)}
    return {name: mask for name, mask in kinds.items() if mask.any()}


def _numbers(table: VerdictTable, kinds: Mapping[str, Mask]) -> dict[str, Estimate]:
    found = {SCORE: non_hallucination_rate.estimate(table)}
    if ACCURACY in kinds:
        found[ACCURACY] = accuracy.estimate(table)
    if CAPTIONS in kinds:
        found[CAPTIONS] = non_hallucination_rate.estimate(table.where(task=_CAPTION))
    return found


def _mean(table: VerdictTable, mask: Mask, label: str, rows: Sequence[str], absent: int) -> Mean:
    place = {row: number for number, row in enumerate(rows)}
    words = [*(place.get(word, -1) for word in table.label_values(label)), -1]
    cells: npt.NDArray[np.int64] = np.where(mask, np.array(words, np.int64)[table.codes[label]], -1)
    counted = np.bincount(cells[cells >= 0], minlength=len(rows))
    scored = np.bincount(cells[(cells >= 0) & table.scored], minlength=len(rows))
    lacking = tuple(row for row, count, known in zip(rows, counted, scored, strict=True) if count and not known)
    hits = np.bincount(cells[(cells >= 0) & (table.values == 1)], minlength=len(rows))
    # A scored item is to its row what a pair that was right when clean is to its cell.
    estimate, _ = resistance_rate.macro(np.where(table.scored, 1, -1), table.values, table.clusters, cells)
    least, most = hits[counted > 0], (hits + counted - scored)[counted > 0]
    bounded = not absent and len(least) and not lacking
    estimate = replace(
        estimate,
        unscored=estimate.unscored + absent,
        lower_bound=float((least / counted[counted > 0]).mean()) if bounded else None,
        upper_bound=float((most / counted[counted > 0]).mean()) if bounded else None,
    )
    if lacking:
        estimate = Estimate(None, None, None, estimate.n, estimate.clusters, estimate.unscored)
    return Mean(estimate, int((counted > 0).sum()), lacking)


def _plain(numbers: Numbers) -> dict[str, Any]:
    return {name: estimate.to_json() for name, estimate in numbers.items()}

"""Results: a run's table of verdicts, summed up in the order of its benchmark's card.

Every average is a micro average: each item weighs the same, as in the published tables. The macro averages of a
benchmark whose tables are split stand in `Results.split`. Changed versions of items stand in `Results.resistance` and
nowhere else: what a run scores is what it scores on its clean items.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from snellen.card import Card
from snellen.engine.beside import CaptionParts, Published, caption_parts, published
from snellen.engine.claim_numbers import ClaimNumbers, claim_numbers
from snellen.engine.resistance import Resistance, measure
from snellen.engine.split import Split
from snellen.engine.split import measure as measure_split
from snellen.errors import DataError
from snellen.estimate import Estimate
from snellen.metrics import abstention_rate, non_hallucination_rate, over_refusal_rate, scored_rate
from snellen.table import LANGUAGE, VerdictTable
from snellen.verdict import ABSTAINED, UNCLEAR, UNSCORED

if TYPE_CHECKING:
    from snellen.engine.screens import Screens

AVERAGING = "micro"

Marginals = Mapping[str, Mapping[str, Estimate]]

UNSCORED_WORDS: Mapping[str, str] = {
    "model_error": "model errors",
    "blocked": "blocked",
    "truncated": "truncated",
    "judge_error": "judge errors",
    "judge_cannot_tell": "judge cannot tell",
    "data_error": "data errors",
    "missing": "missing",
}
"""`verdict.UNSCORED` in words for people."""

_ALWAYS_SHOWN = ("model_error", "judge_error")


@dataclass(frozen=True, slots=True)
class Results:
    """What a run came to.

    Attributes:
        headline: share free of hallucination over all items of the plan, as everything here but `resistance` without
            their changed versions.
        planned: items in the plan; `scored` plus all of `unscored`.
        scored: items with a value.
        unclear: scored items whose answer commits to nothing (they count as 0).
        abstained: scored items whose answer declines.
        unscored: reason -> items, every reason of `verdict.UNSCORED` in its order.
        rows: name of the label whose values are the rows of `cells`; empty where the card has fewer than two labels.
        columns: name of the label whose values are their columns.
        marginals: label -> value -> share free of hallucination. Labels and values in the card's order, then what the
            card does not name, sorted; and the language where there is more than one.
        cells: (row, column) -> share free of hallucination; empty cells are there, with n = 0.
        abstention: over all items.
        abstention_marginals: as `marginals`.
        over_refusal: over all answerable items.
        over_refusal_marginals: as `marginals`; n = 0 where no item is answerable.
        scored_rate: share of the plan that has a value.
        resistance: what the changed versions came to; None where there are none.
        captions: object-level CHAIR beside the judge's rate, of captions whose items name the objects in their
            pictures; empty where there are none.
        published: accuracy as SHALE's published script reads answers; None where nothing was read so.
        screens: the numbers of items on screens; None where there are none.
        split: the tables apart, with micro and macro averages, where the card splits them; else None.
        claims: what a judge of atomic claims found in the answers; None where none was asked.
    """

    headline: Estimate
    planned: int
    scored: int
    unclear: int
    abstained: int
    unscored: Mapping[str, int]
    rows: str
    columns: str
    marginals: Marginals
    cells: Mapping[tuple[str, str], Estimate]
    abstention: Estimate
    abstention_marginals: Marginals
    over_refusal: Estimate
    over_refusal_marginals: Marginals
    scored_rate: Estimate
    resistance: Resistance | None = None
    captions: CaptionParts = field(default_factory=dict)
    published: Published | None = None
    screens: Screens | None = None
    split: Split | None = None
    claims: ClaimNumbers | None = None

    def headline_text(self) -> str:
        """The headline with its counts, and the bounds where something is unscored.

        ``27.1 % [24.2, 30.2], 287 of 1,059 scored of 1,062, unclear 4, model errors 1, judge errors 2; between 27.0 and
        27.3 % whatever the unscored are``. Reasons other than these two are named where they occur.
        """
        counts = [str(self.headline), f"unclear {self.unclear:,}"]
        counts += [
            f"{UNSCORED_WORDS[reason]} {self.unscored[reason]:,}"
            for reason in sorted(UNSCORED, key=lambda reason: reason not in _ALWAYS_SHOWN)
            if self.unscored[reason] or reason in _ALWAYS_SHOWN
        ]
        bounds = format(self.headline, "bounds")
        return ", ".join(counts) + (f"; {bounds}" if bounds else "")

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names; cells as a list of objects with row, column and estimate."""
        return {
            "averaging": AVERAGING,
            "headline": self.headline.to_json(),
            "planned": self.planned,
            "scored": self.scored,
            "unclear": self.unclear,
            "abstained": self.abstained,
            "unscored": dict(self.unscored),
            "rows": self.rows,
            "columns": self.columns,
            "marginals": _plain(self.marginals),
            "cells": [
                {"row": row, "column": column, "estimate": estimate.to_json()}
                for (row, column), estimate in self.cells.items()
            ],
            "abstention": self.abstention.to_json(),
            "abstention_marginals": _plain(self.abstention_marginals),
            "over_refusal": self.over_refusal.to_json(),
            "over_refusal_marginals": _plain(self.over_refusal_marginals),
            "scored_rate": self.scored_rate.to_json(),
            "resistance": None if self.resistance is None else self.resistance.to_json(),
            "captions": [
                {"label": label, "value": value, **part.to_json()} for (label, value), part in self.captions.items()
            ],
            "published": None if self.published is None else self.published.to_json(),
            "screens": None if self.screens is None else self.screens.to_json(),
            "split": None if self.split is None else self.split.to_json(),
            "claims": None if self.claims is None else self.claims.to_json(),
        }


def summarise(table: VerdictTable, card: Card, planned: int, conditions: Sequence[str] = ()) -> Results:
    """Sum a run up.

    Args:
        table: its verdicts, unscored ones included.
        card: of its benchmark.
        planned: items in the plan, changed versions among them. Items that the table does not hold count as
            ``missing`` and clean in everything that is over all items; in no marginal or cell, since their labels are
            not known here.
        conditions: changes that were asked for, in order: ``jpeg:3``. One that applied to no item is told of too.

    Raises:
        DataError: if the table holds more items than were planned.
    """
    if planned < len(table):
        raise DataError(
            f"there are verdicts on {len(table):,} items of a plan of {planned:,}: it is not this plan's table"
        )
    absent, every = planned - len(table), table
    if not table.clean.all():
        table = table.select(table.clean)
    whole = table.padded(len(table) + absent)
    values = {name: _values(table, name, card.labels.get(name, ())) for name in _label_names(table, card)}
    parts = {name: {value: _part(table, {name: value}) for value in values[name]} for name in values}
    rows, columns = list(card.labels)[:2] if len(card.labels) > 1 else ("", "")
    cells = {
        (row, column): non_hallucination_rate.estimate(_part(parts[rows][row], {columns: column}))
        for row in values.get(rows, ())
        for column in values.get(columns, ())
    }

    def marginals(metric: Callable[[VerdictTable], Estimate]) -> Marginals:
        return {name: {value: metric(part) for value, part in by_value.items()} for name, by_value in parts.items()}

    return Results(
        headline=non_hallucination_rate.estimate(whole),
        planned=len(whole),
        scored=int(whole.scored.sum()),
        unclear=int((whole.flag(UNCLEAR) & whole.scored).sum()),
        abstained=int((whole.flag(ABSTAINED) & whole.scored).sum()),
        unscored=whole.unscored_counts(),
        rows=rows,
        columns=columns,
        marginals=marginals(non_hallucination_rate.estimate),
        cells=cells,
        abstention=abstention_rate.estimate(whole),
        abstention_marginals=marginals(abstention_rate.estimate),
        over_refusal=over_refusal_rate.estimate(whole),
        over_refusal_marginals=marginals(over_refusal_rate.estimate),
        scored_rate=scored_rate.estimate(whole),
        resistance=measure(every, values, conditions),
        captions=caption_parts(table, values),
        published=published(every),
        screens=_screens(table, card),
        split=measure_split(table, card, values, absent),
        claims=claim_numbers(table),
    )


def _screens(table: VerdictTable, card: Card) -> Screens | None:
    if "task" not in table.label_names:
        return None
    from snellen.engine.screens import measure  # with formulas that most runs do without

    return measure(table, card)


def _label_names(table: VerdictTable, card: Card) -> tuple[str, ...]:
    """The card's labels, and the language where the items have more than one."""
    several = LANGUAGE in table.label_names and len(table.label_values(LANGUAGE)) > 1
    return (*card.labels, *((LANGUAGE,) if several and LANGUAGE not in card.labels else ()))


def _values(table: VerdictTable, name: str, declared: tuple[str, ...]) -> tuple[str, ...]:
    """Values of a label in the card's order, then those that occur and are not on the card."""
    found = table.label_values(name) if name in table.label_names else ()
    return (*declared, *(value for value in found if value not in declared))


def _part(table: VerdictTable, labels: Mapping[str, str]) -> VerdictTable:
    """The rows with these labels; none where no item has such a label."""
    if any(name not in table.label_names for name in labels):
        return table.select(np.zeros(len(table), np.bool_))
    return table.where(**labels)


def _plain(marginals: Marginals) -> dict[str, dict[str, Any]]:
    return {
        name: {value: estimate.to_json() for value, estimate in by_value.items()}
        for name, by_value in marginals.items()
    }

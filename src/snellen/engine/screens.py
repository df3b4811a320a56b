"""Screens: what a run on screens came to, by language, by label, and from one language to the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from snellen.card import Card, PublishedRow
from snellen.engine.language_gap import LanguageGap, language_gap
from snellen.engine.screen_numbers import NUMBERS, TASKS, estimate
from snellen.estimate import Estimate
from snellen.metrics._screens import TASK
from snellen.table import LANGUAGE, VerdictTable

BREAKDOWNS = ("platform", "app", "source", "element", "size", "density")
"""Labels by which every number is broken down, where items have them."""

Estimates = Mapping[str, Estimate]
"""Name of a number -> what it is; numbers of tasks that are not there are left out."""

Breakdowns = Mapping[str, Mapping[str, Estimates]]
"""Label -> value -> numbers."""


@dataclass(frozen=True, slots=True)
class Screens:
    """What a run on screens came to, its clean items alone.

    Attributes:
        numbers: over all items, both languages together.
        languages: language -> numbers over its items. An average of one language is over its own numbers.
        breakdowns: label -> value -> numbers over its items; intervals of what is no share are linearised.
        language_breakdowns: language -> the same over its items; empty where there is only one.
        gap: English less Chinese; None where one of them is not there.
        published: rows of the card that give averages.
    """

    numbers: Estimates
    languages: Mapping[str, Estimates]
    breakdowns: Breakdowns
    language_breakdowns: Mapping[str, Breakdowns]
    gap: LanguageGap | None
    published: tuple[PublishedRow, ...]

    @property
    def parsed(self) -> bool:
        """Whether descriptions of matched elements could have been compared: some parse was scored."""
        return bool((found := self.numbers.get("parsing_recall")) and found.value is not None)

    @property
    def compared(self) -> bool:
        """Whether descriptions were compared."""
        return bool((found := self.numbers.get("function_similarity")) and found.value is not None)

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "numbers": _plain(self.numbers),
            "languages": {language: _plain(numbers) for language, numbers in self.languages.items()},
            "breakdowns": _plain_parts(self.breakdowns),
            "language_breakdowns": {
                language: _plain_parts(parts) for language, parts in self.language_breakdowns.items()
            },
            "gap": None if self.gap is None else self.gap.to_json(),
            "published": [
                {"model": row.model, "note": row.note, "metrics": dict(row.metrics)} for row in self.published
            ],
        }


def measure(table: VerdictTable, card: Card) -> Screens | None:
    """Sum up a run on screens; None where no item has one of the tasks on screens.

    Args:
        table: verdicts on clean items.
        card: of the benchmark.
    """
    if TASK not in table.label_names or not (of_screens := table.mask(**{TASK: TASKS})).any():
        return None
    if not of_screens.all():
        table = table.select(of_screens)
    languages = _parts(table, LANGUAGE, card)
    return Screens(
        _estimates(table),
        {language: _estimates(part) for language, part in languages.items()},
        _breakdowns(table, card),
        {language: _breakdowns(part, card) for language, part in languages.items() if len(languages) > 1},
        language_gap(table),
        tuple(row for row in card.published if row.metrics),
    )


def _breakdowns(table: VerdictTable, card: Card) -> Breakdowns:
    found = {label: _parts(table, label, card) for label in BREAKDOWNS}
    return {
        label: {value: _estimates(part, quick=True) for value, part in parts.items()}
        for label, parts in found.items()
        if parts
    }


def _parts(table: VerdictTable, label: str, card: Card) -> dict[str, VerdictTable]:
    """Value -> rows, in the card's order, then in that of benchmarks of screens, then sorted."""
    if label not in table.label_names:
        return {}
    order = {value: place for place, value in enumerate((*card.labels.get(label, ()), *_ORDER.get(label, ())))}
    values = sorted(table.label_values(label), key=lambda value: (order.get(value, len(order)), value))
    return {value: part for value in values if len(part := table.where(**{label: value}))}


_ORDER: Mapping[str, tuple[str, ...]] = {
    "platform": ("mobile", "web", "desktop"),
    "element": ("icon", "text", "button", "image", "input"),
    "size": ("small", "medium", "large"),
    "density": ("sparse", "medium", "dense"),
}


def _estimates(table: VerdictTable, *, quick: bool = False) -> dict[str, Estimate]:
    """The numbers of a part, those of tasks that it has."""
    there = {task for task in TASKS if table.mask(**{TASK: task}).any()}
    return {
        name: estimate(table, name, quick=quick) for name, number in NUMBERS.items() if there.intersection(number.tasks)
    }


def _plain(numbers: Estimates) -> dict[str, Any]:
    return {name: found.to_json() for name, found in numbers.items()}


def _plain_parts(breakdowns: Breakdowns) -> dict[str, Any]:
    return {
        label: {value: _plain(numbers) for value, numbers in values.items()} for label, values in breakdowns.items()
    }

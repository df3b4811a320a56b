"""The averages of a run on screens among the published ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.card import Card
from snellen.engine.screen_numbers import NUMBERS
from snellen.report import view
from snellen.report.figures import Dot, dots
from snellen.report.source import ReportSource
from snellen.report.text import one_line

AVERAGES: Mapping[str, str] = {
    "parsing_average": "parsing_average",
    "hallucination_average": "macro_hallucination_average",
}
"""Name of an average in a published row -> name of the number that stands beside it."""


def published(card: Card, sources: Sequence[ReportSource], anchor: str) -> dict[str, Any] | None:
    """Published averages with the runs among them, best hallucination average first; None where there are none."""
    measured = [source for source in sources if source.results.screens is not None]
    if not measured or not any(row.metrics for row in card.published):
        return None
    lines = averages(card, measured)
    figures = ""
    for place, (name, number) in enumerate(AVERAGES.items()):
        drawn = [
            Dot(line.title, line.values[place], line.lows[place], line.highs[place], "run" if line.run else "published")
            for line in sorted(lines, key=lambda line: -_or_last(line.values[place]))
            if line.values[place] is not None
        ]
        title = NUMBERS[number].title
        if drawn:
            figures += dots(drawn, key=f"{anchor}-{name}", title=f"{title} of {card.title}", axis=title.lower())
    return {
        "anchor": anchor,
        "title": card.title,
        "paper": card.paper,
        "models": sum(not line.run for line in lines),
        "runs": "the run" if len(measured) == 1 else f"the {len(measured)} runs",
        "figure": figures,
        "columns": [NUMBERS[number].title for number in AVERAGES.values()],
        "lines": [
            {
                "title": line.title,
                "note": line.note,
                "run": line.run,
                "rates": ["" if value is None else view.percent(value) for value in line.values],
            }
            for line in lines
        ],
    }


@dataclass(frozen=True, slots=True)
class Average:
    """A published row or a run: values and ends of intervals in the order of `AVERAGES`."""

    title: str
    note: str
    run: bool
    values: tuple[float | None, ...]
    lows: tuple[float | None, ...]
    highs: tuple[float | None, ...]


def averages(card: Card, sources: Sequence[ReportSource]) -> list[Average]:
    """Published rows that give averages and the runs, best hallucination average first; what has none comes last."""
    nothing = (None,) * len(AVERAGES)
    lines = [
        Average(one_line(row.model, 80), row.note, False, tuple(map(row.metrics.get, AVERAGES)), nothing, nothing)
        for row in card.published
        if row.metrics
    ]
    for name, source in zip(view.short_names(sources), sources, strict=True):
        found = source.results.screens
        numbers = [found.numbers.get(number) if found is not None else None for number in AVERAGES.values()]
        values, lows, highs = (
            tuple(None if each is None else getattr(each, end) for each in numbers) for end in ("value", "low", "high")
        )
        lines.append(Average(name, "", True, values, lows, highs))
    last = list(AVERAGES).index("hallucination_average")
    return sorted(lines, key=lambda line: -_or_last(line.values[last]))


def _or_last(value: float | None) -> float:
    return -1.0 if value is None else value

"""The tables of a run on screens, for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snellen.engine.screen_numbers import NUMBERS
from snellen.estimate import Estimate
from snellen.report import screen_averages, screens
from snellen.report.drawing import table, text
from snellen.report.source import ReportSource
from snellen.report.view import percent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from snellen.card import Card
    from snellen.engine.screens import Screens

_VALUES = 20  # of a label: longer ones stand in the report and the export


def show(source: ReportSource, console: Console) -> None:
    """Prints the numbers, the gap between languages, the published averages and the breakdowns; else nothing."""
    found = source.results.screens
    if found is None:
        return
    console.print(_numbers(found, source.card, console.width))
    if said := screens.embedder_text(source):
        console.print(text(said))
    if found.gap is not None:
        console.print(_gap(found, source.card))
    if found.published:
        console.print(_published(source))
    if (breakdowns := _breakdowns(found, source.card)) is not None:
        console.print(breakdowns)
        console.print(text("Intervals of these, and the other numbers, are in the report and in --json."))


def _numbers(found: Screens, card: Card, width: int) -> Table:
    groups = list(screens.groups(found))
    cells = [_cell(estimate) for group in groups for line in group.lines for estimate in line.estimates]
    longest = max((len(cell) for cell in cells), default=0)
    # At 80 columns the names give way, never the numbers.
    least = longest if width >= 80 else None
    drawn = table("screens, %", *screens.columns(found, card), first=10, least=least, tight=True)
    for group in groups:
        drawn.add_section()
        drawn.add_row(text(group.title, "dim"), *(text(count, "dim") for count in group.counts))
        for line in group.lines:
            drawn.add_row(text(line.title), *map(_cell, line.estimates))
    return drawn


def _cell(estimate: Estimate | None) -> Text:
    from rich.text import Text

    if estimate is None or estimate.value is None:
        return text("" if estimate is None else "-", "dim")
    return Text.assemble((percent(estimate.value), "bold"), f" {estimate:interval}".rstrip())


def _gap(found: Screens, card: Card) -> Table:
    first, second = screens.gap_languages(found, card)
    drawn = table(f"{first} less {second}", first, second, "points", "95 % interval", "screens", first=14, tight=True)
    for line in screens.gap_lines(found):
        drawn.add_row(
            text(line.title), *map(text, line.values), text(line.points, "bold"), text(line.interval), text(line.over)
        )
    return drawn


def _published(source: ReportSource) -> Table:
    drawn = table("published averages", *(NUMBERS[name].title for name in screen_averages.AVERAGES.values()), first=20)
    for line in screen_averages.averages(source.card, [source]):
        style = "bold" if line.run else ""
        values = ("-" if value is None else percent(value) for value in line.values)
        drawn.add_row(text(line.title, style), *(text(value, style) for value in values))
    return drawn


def _breakdowns(found: Screens, card: Card) -> Table | None:
    """None where no label has two values."""
    names = tuple(name for name in found.numbers if name in screens.SHORT)
    groups = list(screens.breakdowns(found, card, names, _VALUES))
    if not groups:
        return None
    drawn = table("by label, %", *(screens.SHORT[name] for name in names), "items", first=14, tight=True)
    for group in groups:
        drawn.add_section()
        drawn.add_row(text(group.title, "dim"))
        for line, items in zip(group.lines, group.counts, strict=True):
            drawn.add_row(text(line.title), *map(_value, line.estimates), text(items))
    return drawn


def _value(estimate: Estimate | None) -> Text:
    if estimate is None:
        return text("")
    return text("-" if estimate.value is None else percent(estimate.value))

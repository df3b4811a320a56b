"""The tables of a run on screens that was read again, for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snellen.engine.rereading import Rereading
from snellen.report import rereading
from snellen.report.drawing import table, text
from snellen.report.view import Share

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text


def show(found: Rereading, console: Console) -> None:
    """Prints the sweep, the ranges, the lists in answers and the conventions, as far as there are some."""
    said = rereading.of(found)
    console.print(text(found.run, "bold"))
    console.print(text(f"{found.answers:,} answers read again, nothing asked"))
    if said.sweep:
        console.print(_sweep(said))
        _note(said.sweep_note, console)
    if said.sensitivity:
        for change in ("dropped", "moved"):  # side by side they would be wider than a terminal
            console.print(_sensitivity(said, change))
        _note(said.sensitivity_note, console)
    if said.listed:
        drawn = table("lists in answers", "%", "95 % interval", first=16, tight=True)
        for title, share in said.listed:
            drawn.add_row(text(title), text(share.value or "-", "bold"), text(share.interval))
        console.print(drawn)
    _note(said.listed_note, console)
    if said.conventions_note:
        console.print(_conventions(said))
        _note(said.conventions_note, console)


def _note(note: str, console: Console) -> None:
    if note:
        console.print(text(note))


def _sweep(said: rereading.Section) -> Table:
    drawn = table("overlap, %", *said.sweep_columns, first=8, tight=True)
    for row in said.sweep:
        drawn.add_row(text(row.threshold), *map(_share, row.shares))
    return drawn


def _sensitivity(said: rereading.Section, change: str) -> Table:
    chosen = [place for place, title in enumerate(said.changes) if title.endswith(change)]
    headings = (said.changes[place].removesuffix(f" {change}") for place in chosen)
    drawn = table(f"true boxes {change}, %", "none", *headings, first=20, tight=True)
    for row in said.sensitivity:
        drawn.add_row(text(row.title), text(row.value, "bold"), *(text(row.ranges[place]) for place in chosen))
    return drawn


def _conventions(said: rereading.Section) -> Table:
    drawn = table("convention", *said.convention_columns, first=20, tight=True)
    for row in said.conventions:
        mark = " (declared)" if row.declared else " (suspected)" if row.suspect else ""
        style = "bold" if mark else ""
        cells = (row.hits, row.points, row.interval, row.found, row.unreadable)
        drawn.add_row(text(f"{row.spelled}{mark}: {row.names}", style), *map(text, cells))
    return drawn


def _share(share: Share) -> Text:
    from rich.text import Text

    if not share.value:
        return text("-", "dim")
    return Text.assemble((share.value, "bold"), f" {share.interval}".rstrip())

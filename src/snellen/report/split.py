"""What is shown of a benchmark whose tables are split, as SHALE's by faithfulness and factuality: on the page, in the
terminal, in flat records, and in tables for papers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from snellen.card import Card
from snellen.engine.split import ACCURACY, CAPTIONS, SCORE, TITLES, Group, Mean, Split
from snellen.estimate import Estimate
from snellen.report import view
from snellen.report.drawing import table, text
from snellen.report.source import ReportSource

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

MICRO, MACRO = "micro", "macro"

_AVERAGES = {ACCURACY: "Accuracy", CAPTIONS: "Captions", SCORE: "Micro", MACRO: "Macro"}
_ORDER = (ACCURACY, CAPTIONS, SCORE)


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: its title, and a share for each number; `kind` is ``micro`` or ``macro`` below the rows."""

    title: str
    shares: tuple[view.Share, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One of the tables: its numbers by row, then the averages, and its heat map."""

    title: str
    headings: tuple[str, ...]
    lines: tuple[Line, ...]
    grid: view.Grid
    cut: bool


@dataclass(frozen=True, slots=True)
class Section:
    """All that the template shows; `whole` has the averages over all tables and no rows."""

    whole: Part
    macro: str
    why: tuple[str, ...]
    parts: tuple[Part, ...]


def section(source: ReportSource) -> Section | None:
    """The section of a run; None where its tables are not split."""
    found = source.results.split
    if found is None:
        return None
    return Section(
        _part(source, found, "Both" if len(found.groups) == 2 else "All", found.whole, rows=False),
        macro_text(found, source.card),
        tuple(reasons(found, source.card)),
        tuple(
            _part(source, found, part_title(found, source.card, value), group) for value, group in found.groups.items()
        ),
    )


def part_title(found: Split, card: Card, value: str) -> str:
    """Words for one of the tables."""
    return view.title_of(card, found.by, value) if value else f"Without {view.title_of(card, found.by).lower()}"


def macro_text(found: Split, card: Card) -> str:
    """``61.2 % [57.0, 65.3], the mean of 18 rows by aspect or domain; faithfulness ...``, each table after all."""
    said = [_macro_text(found.whole.macro[SCORE], found, card)]
    if len(found.groups) > 1:
        said += [
            f"{part_title(found, card, value).lower()} {_macro_text(group.macro[SCORE], found, card)}"
            for value, group in found.groups.items()
        ]
    return "; ".join(said)


def _macro_text(mean: Mean, found: Split, card: Card) -> str:
    value = f"{mean.estimate:value} {mean.estimate:interval}".rstrip()
    rows = "1 row" if mean.rows == 1 else f"{mean.rows:,} rows"
    return f"{value}, the mean of {rows} by {view.title_of(card, found.label).lower()}"


def reasons(found: Split, card: Card) -> Iterator[str]:
    """A sentence for each table whose macro average has no value."""
    for value, group in found.groups.items():
        for name, mean in group.macro.items():
            if mean.lacking:
                names = ", ".join(view.title_of(card, found.label, row) for row in mean.lacking[: view.VALUES])
                of = f" of {names}" if len(mean.lacking) < mean.rows else ""
                where = f"{part_title(found, card, value)}, {TITLES[name].lower()}"
                yield f"{where}: there is no macro average, for no item is scored{of}."


def _part(source: ReportSource, found: Split, title: str, group: Group, *, rows: bool = True) -> Part:
    card, names = source.card, _names(found)
    lines = [
        Line(view.title_of(card, found.label, row), tuple(_share(numbers.get(name)) for name in names))
        for row, numbers in list(group.rows.items())[: view.VALUES if rows else 0]
    ]
    lines.append(Line("Micro: every item alike", tuple(_share(group.micro.get(name)) for name in names), MICRO))
    means = {name: mean.estimate for name, mean in group.macro.items()}
    lines.append(Line("Macro: every row alike", tuple(_share(means.get(name)) for name in names), MACRO))
    grid = heat_map(source, group) if rows else view.Grid("", "", (), (), "", cut=False)
    return Part(title, tuple(TITLES[name] for name in names), tuple(lines), grid, len(group.rows) > view.VALUES)


def heat_map(source: ReportSource, group: Group) -> view.Grid:
    """The heat map of one of the tables: only what has items in it."""
    return view.heat_map(source.card, source.results.rows, source.results.columns, group.cells)


def _names(found: Split) -> tuple[str, ...]:
    return tuple(name for name in _ORDER if name in found.whole.micro)


def _share(estimate: Estimate | None) -> view.Share:
    return view.Share.of(Estimate(None, None, None, 0, 0) if estimate is None else estimate)


# The terminal


def show(source: ReportSource, console: Console) -> None:
    """Prints the macro averages, and the numbers of each table; nothing where tables are not split."""
    found = source.results.split
    if found is None:
        return
    console.print(text(f"Macro: {macro_text(found, source.card)}"))
    for said in reasons(found, source.card):
        console.print(text(said))
    console.print()
    console.print(_numbers(found, source.card))


def _numbers(found: Split, card: Card) -> Table:
    names = _names(found)
    headings = (f"{TITLES[name].lower().replace(' free of hallucination', '')}, %" for name in names)
    drawn = table(card.score, *headings, first=14, tight=True)

    def add(title: str, numbers: Mapping[str, Estimate], style: str = "") -> None:
        drawn.add_row(text(title, style), *(_cell(numbers.get(name)) for name in names))

    for value, group in found.groups.items():
        drawn.add_section()
        drawn.add_row(text(part_title(found, card, value), "bold"))
        for row, numbers in group.rows.items():
            add(f"  {view.title_of(card, found.label, row)}", numbers)
        add("  micro", group.micro)
        add("  macro", {name: mean.estimate for name, mean in group.macro.items()})
    drawn.add_section()
    add("All, micro", found.whole.micro)
    add("All, macro", {name: mean.estimate for name, mean in found.whole.macro.items()})
    return drawn


def _cell(estimate: Estimate | None) -> Text:
    from rich.text import Text

    if estimate is None or (estimate.value is None and not estimate.unscored):
        return text("")
    if estimate.value is None:
        return text("-", "dim")
    return Text.assemble((view.percent(estimate.value), "bold"), f" {estimate:interval}".rstrip())


# Flat records and tables for papers


def flat(source: ReportSource) -> Iterator[tuple[str, str, str, Estimate]]:
    """(scope, label, value, estimate): ``score``, ``accuracy`` and ``non_hallucination_rate`` of each row of each table
    (label and value joined by ``*``), the two last of each table and of all; then ``macro`` and its likes."""
    found = source.results.split
    if found is None:
        return
    for part, group in (("", found.whole), *found.groups.items()):
        whole = group is found.whole
        label = "" if whole else found.by
        for name, estimate in group.micro.items():
            if name != SCORE:
                yield name, label, part, estimate
        for name, mean in group.macro.items():
            yield MACRO if name == SCORE else f"{MACRO}_{name}", label, part, mean.estimate
        for row, numbers in group.rows.items() if not whole else ():
            for name, estimate in numbers.items():
                yield name, f"{found.by}*{found.label}", f"{part}*{row}", estimate


def paper_parts(sources: Sequence[ReportSource]) -> dict[str | None, dict[str, None]]:
    """Table -> its rows, over all runs, in order; the key None, with no rows, is of all tables together. Empty where no
    run's tables are split."""
    parts: dict[str | None, dict[str, None]] = {}
    for source in sources:
        if source.results.split is not None:
            for value, group in source.results.split.groups.items():
                parts.setdefault(value, {}).update(dict.fromkeys(group.rows))
    return {**parts, None: {}} if parts else {}


def averages(sources: Sequence[ReportSource]) -> dict[str, str]:
    """Name of an average -> its heading, of those that a run has."""
    found = [source.results.split for source in sources if source.results.split is not None]
    return {name: title for name, title in _AVERAGES.items() if name == MACRO or any(name in _names(f) for f in found)}


def paper_value(source: ReportSource, part: str | None, row: str, average: str) -> Estimate | None:
    """What a run has in a column: of a row its score, else an average."""
    found = source.results.split
    group = None if found is None else found.whole if part is None else found.groups.get(part)
    if group is None:
        return None
    if row:
        return group.rows.get(row, {}).get(SCORE)
    if average == MACRO:
        return group.macro[SCORE].estimate
    return group.micro.get(average)

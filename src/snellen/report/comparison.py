"""A comparison in words: a cell for each run and measure, on the terminal and on the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from snellen.engine.comparison import MEASURES, Comparable, Comparison, Line, compare
from snellen.engine.paired import Difference
from snellen.errors import UsageError
from snellen.report import tiers
from snellen.report.text import ends, one_line
from snellen.report.view import percent, title_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

_TABLES = (
    ("score", "over_refusal", "abstention"),
    ("localization_accuracy", "rejection_rate", "false_rejections"),
    ("hit_distractor", "hit_elsewhere"),
    ("parsing_recall", "parsing_precision", "function_similarity"),
)
"""What stands in one table of the terminal: together they would be wider than it."""

NOTE = (
    "Per cent of the first run to per cent of the other, over the items scored in both; the difference in points with "
    "its 95 % interval; p of the sign-flip test over images, by Holm's correction; + items gained, - items lost (of a "
    "parse: higher, lower)."
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A difference in words; empty where nothing is scored in both."""

    rates: str = ""
    change: str = ""
    interval: str = ""
    chance: str = ""
    moved: str = ""
    bounds: str = ""

    @classmethod
    def of(cls, found: Difference | None) -> Cell:
        """``41.0 to 47.2``, ``+6.2``, ``[+1.0, +11.3]``, ``p 0.021``, ``+18 -5``; bounds where some are unscored."""
        if found is None:
            return cls()
        bounds = ""
        if found.unscored and found.lower_bound is not None and found.upper_bound is not None:
            bounds = f"{found.unscored:,} unscored: {points(found.lower_bound)} to {points(found.upper_bound)}"
        if found.value is None or found.base.value is None or found.other.value is None:
            return cls(bounds=bounds)
        interval = ""
        if found.low is not None and found.high is not None:
            interval = f"[{points(found.low)}, {points(found.high)}]"
        return cls(
            f"{percent(found.base.value)} to {percent(found.other.value)}",
            points(found.value),
            interval,
            chance(found.p_holm),
            f"+{found.gained:,} -{found.lost:,}",
            bounds,
        )

    @property
    def lines(self) -> tuple[str, ...]:
        """What there is to say, a line each."""
        change = ", ".join(filter(None, (self.change, self.chance)))
        return tuple(filter(None, (self.rates, change, self.interval, self.moved, self.bounds)))


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the page's table."""

    title: str
    part: str
    shared: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A comparison as the page's template sees it."""

    base: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]
    legend: str = NOTE
    ranking: tuple[tiers.Place, ...] = ()
    ranking_notes: tuple[str, ...] = ()


def points(share: float) -> str:
    """A difference in points with its sign: ``+6.2``, ``-0.4``, ``0.0``."""
    text = f"{100 * share:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text


def chance(p: float | None) -> str:
    """``p 0.021``, ``p < 0.001``; empty where there is none."""
    return "" if p is None else "p < 0.001" if p < 0.001 else f"p {p:.3f}"


def paired(runs: Sequence[Comparable]) -> Section | None:
    """Runs of one benchmark beside the first; None where one shares no item with it."""
    try:
        return section(compare(runs))
    except UsageError:
        return None


def section(comparison: Comparison) -> Section:
    """The whole comparison for the page."""
    names = _present(comparison, tuple(MEASURES))
    return Section(
        _title(comparison.title),
        tuple(MEASURES[name] for name in names),
        tuple(
            Row(
                _title(line.title),
                _part(comparison, line),
                f"{line.shared:,}",
                tuple(Cell.of(line.differences.get(name)) for name in names),
            )
            for line in comparison.lines
        ),
        tuple(notes(comparison)),
        ranking=() if comparison.tiers is None else tiers.places(comparison.tiers),
        ranking_notes=() if comparison.tiers is None else tuple(tiers.notes(comparison.tiers)),
    )


def notes(comparison: Comparison) -> Iterator[str]:
    """Of each run: what is compared, what else differs, what only one run has."""
    for each in comparison.others:
        name = _title(each.title)
        if each.compared:
            yield one_line(f"{name}: compared in {'; '.join(each.compared)}.", 400)
        else:
            yield one_line(f"{name}: made like the first run.", 400)
        if each.pairing.only_base or each.pairing.only_other:
            yield one_line(
                f"{name}: {each.pairing.only_base:,} items of the first run are not in it, and "
                f"{each.pairing.only_other:,} of its own are not in the first; they are left out.",
                400,
            )
        for warning in each.warnings:
            yield one_line(f"{name}: {warning}", 600)


def show(comparison: Comparison, console: Console) -> None:
    """Prints a comparison: tables that fit a terminal, then the notes."""
    if not console.options.ascii_only:
        _print(comparison, console)
        return
    with console.capture() as captured:  # as in `snellen.report.tables.summary`
        _print(comparison, console)
    console.file.write(captured.get().encode("ascii", "backslashreplace").decode("ascii"))


def _print(comparison: Comparison, console: Console) -> None:
    if comparison.tiers is not None:
        console.print(tiers.table(comparison.tiers))
        for note in tiers.notes(comparison.tiers):
            console.print(_text(note))
        console.print()
    told = f" ({comparison.title})" if not comparison.base.endswith(comparison.title) else ""
    console.print(_text(f"compared with {comparison.base}{told}", "bold"))
    for names in _TABLES:
        shown = _present(comparison, names)
        if shown:
            console.print()
            console.print(_table(comparison, shown))
    console.print(_text(NOTE))
    console.print()
    for note in notes(comparison):
        console.print(_text(f"- {note}"))


def _table(comparison: Comparison, names: Sequence[str]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="")
    table.add_column(_text("run"), overflow="fold", min_width=12)
    table.add_column(_text("items"), justify="right", overflow="fold")
    for name in names:
        table.add_column(_text(MEASURES[name]), justify="right", overflow="fold")
    before = None
    for line in comparison.lines:
        if line.label != before:
            table.add_section()
        before = line.label
        title = _title(line.title)
        if line.label:
            title = f"{_part(comparison, line)}: {title}" if len(comparison.others) > 1 else _part(comparison, line)
        cells = (Cell.of(line.differences.get(name)) for name in names)
        table.add_row(_text(title), _text(f"{line.shared:,}"), *(_lines(cell) for cell in cells))
    return table


def _lines(cell: Cell) -> Text:
    from rich.text import Text

    return Text("\n".join(cell.lines) + "\n" if cell.lines else "-\n")


def _present(comparison: Comparison, names: Sequence[str]) -> list[str]:
    return [name for name in names if any(name in line.differences for line in comparison.lines)]


def _part(comparison: Comparison, line: Line) -> str:
    return title_of(comparison.card, line.label, line.value) if line.label else ""


def _title(title: str) -> str:
    return ends(title, 80)


def _text(text: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(one_line(text), style=style, overflow="fold")

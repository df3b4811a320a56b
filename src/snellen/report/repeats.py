"""The section of a report on repeats: what is pooled and what is not, in words for the page and the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from snellen.report import view
from snellen.report.drawing import table, text
from snellen.report.source import ReportSource
from snellen.report.text import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from snellen.engine.repeated import Repeated
    from snellen.engine.repeats import Component, StandardError


@dataclass(frozen=True, slots=True)
class RunLine:
    """One repeat: its name, and the score by each judging of it; empty where it was not judged so often."""

    name: str
    shares: tuple[view.Share | None, ...]


@dataclass(frozen=True, slots=True)
class PartLine:
    """A part of the variance."""

    title: str
    variance: str
    share: view.Share
    note: str


@dataclass(frozen=True, slots=True)
class ErrorLine:
    """A standard error in points."""

    title: str
    points: str
    here: bool


@dataclass(frozen=True, slots=True)
class Section:
    """All that is shown."""

    headline: str
    pooled: view.Share
    note: str
    columns: tuple[str, ...]
    runs: tuple[RunLine, ...]
    changed: tuple[str, ...]
    parts: tuple[PartLine, ...]
    errors: tuple[ErrorLine, ...]


def section(source: ReportSource) -> Section | None:
    """The section of a run; None where it is not the first of several repeats."""
    found: Repeated | None = source.repeats
    return None if found is None else of(found)


def of(found: Repeated) -> Section:
    """What repeats come to, in words."""
    spread, card = found.spread, len(found.family.runs[0].name.partition("/")[0]) + 1
    columns = tuple(f"judging {number}" for number in range(1, spread.judgings + 1)) if spread.judgings > 1 else ("%",)
    lacking = spread.unscored
    verdicts = spread.items * spread.repeats * spread.judgings
    return Section(
        headline=f"pooled over {how_often(spread.repeats, spread.judgings)}: {spread.pooled}",
        pooled=view.Share.of(spread.pooled),
        note=f"The mean over {_count(spread.items, 'item', 'items')} of an item's own rate, intervals over "
        f"{_count(spread.clusters, 'image', 'images')}: it holds what is due to sampling and to the judge. "
        + (
            f"Of {verdicts:,} verdicts {lacking:,} are lacking." if lacking else f"All {verdicts:,} verdicts are there."
        ),
        columns=columns,
        runs=tuple(
            RunLine(
                one_line(run.name[card:], 80),
                tuple(
                    view.Share.of(spread.scores[place, judging]) if (place, judging) in found.family.judgings else None
                    for judging in range(spread.judgings)
                ),
            )
            for place, run in enumerate(found.family.runs)
        ),
        changed=tuple(_changed(found)),
        parts=tuple(map(_part, spread.components)),
        errors=tuple(_error(each, spread.repeats, spread.judgings) for each in spread.errors),
    )


def how_often(repeats: int | None, judgings: int | None) -> str:
    """``3 answers of each item, each judged 2 times``."""
    answers = "any number of answers" if repeats is None else _count(repeats, "answer", "answers")
    judged = "any number of times" if judgings is None else "once" if judgings == 1 else f"{judgings} times"
    return f"{answers} of each item, {'each ' if repeats != 1 else ''}judged {judged}"


def show(source: ReportSource, console: Console) -> None:
    """Prints the section, if there is one."""
    said = section(source)
    if said is None:
        return
    console.print(text(f"Repeats, {said.headline}", "bold"))
    console.print(text(said.note))
    drawn = table(f"{source.card.score}, %", *said.columns, first=20)
    for line in said.runs:
        drawn.add_row(text(line.name), *map(_share, line.shares))
    drawn.add_row(text("pooled", "bold"), _share(said.pooled))
    console.print(drawn)
    for sentence in said.changed:
        console.print(text(sentence))
    if said.parts:
        drawn = table("variance of a single verdict", "variance", "share, %", "95 % interval", first=20)
        for part in said.parts:
            title = f"{part.title} ({part.note})" if part.note else part.title
            drawn.add_row(text(title), text(part.variance), text(part.share.value or "-"), text(part.share.interval))
        console.print(drawn)
    if said.errors:
        drawn = table("standard error of the score", "points", first=40)
        for error in said.errors:
            style = "bold" if error.here else ""
            drawn.add_row(text(error.title, style), text(error.points, style))
        console.print(drawn)


def _share(share: view.Share | None) -> Text:
    from rich.text import Text

    if share is None or not share.value:
        return text("-", "dim")
    return Text.assemble((share.value, "bold"), f" {share.interval}".rstrip())


def _changed(found: Repeated) -> list[str]:
    spread = found.spread
    said = []
    if spread.changed.value is not None:
        value, interval = format(spread.changed, "value"), format(spread.changed, "interval")
        said.append(f"Of the items, {value} {interval} have verdicts that are not all the same.")
    if spread.judgings > 1 and spread.rejudged.value is not None:
        value, interval = format(spread.rejudged, "value"), format(spread.rejudged, "interval")
        said.append(f"Of the answers, {value} {interval} were judged otherwise when they were judged again.")
    return said


def _part(component: Component) -> PartLine:
    from snellen.engine.repeats import TITLES

    value = component.variance.value
    return PartLine(
        TITLES[component.name],
        "" if value is None else f"{value:.4f}",
        view.Share.of(component.share),
        "came out below 0, given as 0" if component.clamped else "",
    )


def _error(error: StandardError, repeats: int, judgings: int) -> ErrorLine:
    here = (error.repeats, error.judgings, error.images) == (repeats, judgings, 1)
    title = how_often(error.repeats, error.judgings)
    if error.images > 1:
        title = f"twice the images, {title}"
    return ErrorLine(f"{title} (as here)" if here else title, f"{100 * error.value:.2f}", here)


def _count(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"

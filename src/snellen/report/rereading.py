"""The section of a report on what is found by reading a run on screens again: words for the page and the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from snellen.engine.convention_detective import Conventions, Score
from snellen.engine.listed_first import Listed
from snellen.engine.overlap_sweep import Sweep
from snellen.engine.rereading import Rereading
from snellen.engine.unsure_truth import CHANGES, Sensitivity
from snellen.estimate import Estimate
from snellen.report import view
from snellen.report.source import ReportSource
from snellen.report.text import one_line

SWEEP_COLUMNS = ("recall", "precision", "located")
LISTED_TITLES = ("Recall", "Precision", "Label agreement")
CONVENTION_COLUMNS = ("hit", "points", "95 % interval", "found", "unreadable")


@dataclass(frozen=True, slots=True)
class SweepRow:
    """A threshold in words."""

    threshold: str
    shares: tuple[view.Share, ...]


@dataclass(frozen=True, slots=True)
class RangeRow:
    """A number in words: as it is, and its range under each change."""

    title: str
    value: str
    ranges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConventionRow:
    """A convention in words."""

    names: str
    spelled: str
    declared: bool
    suspect: bool
    hits: str
    points: str
    interval: str
    found: str
    unreadable: str


@dataclass(frozen=True, slots=True)
class Section:
    """All that the page shows."""

    sweep: tuple[SweepRow, ...]
    sweep_note: str
    changes: tuple[str, ...]
    sensitivity: tuple[RangeRow, ...]
    sensitivity_note: str
    listed: tuple[tuple[str, view.Share], ...]
    listed_note: str
    conventions: tuple[ConventionRow, ...]
    conventions_note: str
    sweep_columns: Sequence[str] = SWEEP_COLUMNS
    convention_columns: Sequence[str] = CONVENTION_COLUMNS


def section(source: ReportSource) -> Section | None:
    """The section of a run; None where it is not on screens or nothing is answered."""
    found: Rereading | None = source.rereading
    return None if found is None else of(found)


def of(found: Rereading) -> Section:
    """What was found, in words."""
    return Section(
        sweep=sweep_rows(found.sweep),
        sweep_note=sweep_note(found.sweep),
        changes=changes(),
        sensitivity=tuple(map(_range_row, found.sensitivity)),
        sensitivity_note=f"Lowest and highest of {found.draws:,} draws of each change, seed {found.seed}.",
        listed=listed_rows(found.listed),
        listed_note=listed_note(found.listed),
        conventions=tuple(_convention_row(score, found.conventions) for score in found.conventions.scores),
        conventions_note=conventions_note(found.conventions),
    )


def sweep_rows(sweep: Sweep) -> tuple[SweepRow, ...]:
    """A row for each threshold; none where there is nothing to sweep over."""
    rows = [(line.threshold, (line.recall, line.precision, line.localization)) for line in sweep.lines]
    if all(estimate.value is None for _, estimates in rows for estimate in estimates):
        return ()
    return tuple(SweepRow(f"{threshold:.1f}", tuple(map(view.Share.of, each))) for threshold, each in rows)


def sweep_note(sweep: Sweep) -> str:
    """What the sweep leaves out."""
    if not sweep.points:
        return ""
    return f"{_count(sweep.points, 'target was', 'targets were')} answered with a point, which has no overlap."


def changes() -> tuple[str, ...]:
    """``5 % dropped``, ``2 % moved`` and so on, in the order of the ranges."""
    return tuple(f"{100 * amount:g} % {change}" for change, amount in CHANGES)


def listed_rows(listed: Listed | None) -> tuple[tuple[str, view.Share], ...]:
    """Titles and numbers of the lists in answers."""
    if listed is None or not listed.answers:
        return ()
    estimates: tuple[Estimate, ...] = (listed.recall, listed.precision, listed.label_agreement)
    return tuple(zip(LISTED_TITLES, map(view.Share.of, estimates), strict=True))


def listed_note(listed: Listed | None) -> str:
    """How many lists there are, and against which parsing items they were held; empty where there are none."""
    if listed is None:
        return ""
    compared = _count(listed.answers, "answer", "answers")
    parts = [f"{compared} compared with the parsing items of {one_line(listed.source, 120)}"]
    if listed.empty:
        parts.append(f"{listed.empty:,} of them list nothing")
    if listed.unknown:
        parts.append(f"{_count(listed.unknown, 'answer is', 'answers are')} on a screen without a parsing item")
    return "; ".join(parts) + "."


def conventions_note(conventions: Conventions) -> str:
    """What the detective says: its warning, or that it suspects nothing."""
    if warning := conventions.warning():
        return one_line(f"{warning[:1].upper()}{warning[1:]}.", 600)
    return "No other convention does far better than the declared one." if conventions.over else ""


def _range_row(each: Sensitivity) -> RangeRow:
    by_change = {(r.change, r.amount): f"{view.percent(r.low)} to {view.percent(r.high)}" for r in each.ranges}
    return RangeRow(each.title, view.percent(each.value), tuple(by_change.get(change, "") for change in CHANGES))


def _convention_row(score: Score, conventions: Conventions) -> ConventionRow:
    interval = ""
    if score.low is not None and score.high is not None:
        interval = f"[{100 * score.low:+.1f}, {100 * score.high:+.1f}]"
    return ConventionRow(
        names=one_line(", ".join(score.names), 120),
        spelled=score.spelled,
        declared=score.declared,
        suspect=score is conventions.suspect,
        hits=_value(score.hits),
        points="" if score.declared else f"{100 * score.difference:+.1f}",
        interval=interval,
        found=_value(score.found),
        unreadable=_value(score.unreadable),
    )


def _value(estimate: Estimate) -> str:
    return "" if estimate.value is None else view.percent(estimate.value)


def _count(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"

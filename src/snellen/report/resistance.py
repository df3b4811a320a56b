"""The section of a report on changed items: scores clean and changed, resistance, what flipped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from snellen.card import Card
from snellen.engine.flips import Flip, flipped
from snellen.engine.resistance import LEFT_OUT_WORDS, Part, Resistance
from snellen.estimate import Estimate
from snellen.report import view
from snellen.report.source import ReportSource, Row, rows_at
from snellen.report.text import one_line

if TYPE_CHECKING:
    from snellen.report.examples import Example
    from snellen.report.pictures import Album

_LEVELS = {"image": "Changed image", "instruction": "Changed instruction", "combination": "Both changed"}
_VALUES = 60  # of conditions, or of a label, that are shown
_FLIPS = 24


@dataclass(frozen=True, slots=True)
class Line:
    """A part in words; texts are empty where there is nothing to say."""

    title: str
    resistance: view.Share
    clean: view.Share
    changed: view.Share
    bounds: str
    lost: str
    gained: str
    scored: str
    left_out: str


@dataclass(frozen=True, slots=True)
class Group:
    """Lines under a heading."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Consistency:
    """Counterfactual consistency under a condition."""

    title: str
    altered: view.Share
    removed: view.Share


@dataclass(frozen=True, slots=True)
class Pair:
    """A flip as the page shows it: the same question clean and changed."""

    title: str
    clean: Example
    changed: Example


@dataclass(frozen=True, slots=True)
class FlipGroup:
    """Flips of one direction, and how many there are in the run."""

    title: str
    total: int
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """All that the template shows."""

    overall: Line
    macro: view.Share
    macro_over: str
    groups: tuple[Group, ...]
    grid: view.Grid
    consistency: tuple[Consistency, ...]
    flips: tuple[FlipGroup, ...]


def section(
    source: ReportSource, album: Album, *, seed: int, sample: int, title: Callable[[str, str], str]
) -> Section | None:
    """The section of a run; None where no item was changed. Pictures of flips go into the album.

    Args:
        seed: of the flips shown.
        sample: flips shown, at the most; never more than 24.
        title: (label, value) -> words for people.
    """
    found = source.results.resistance
    if found is None:
        return None
    return Section(
        overall=_line("All changes", found.micro),
        macro=view.Share.of(found.macro),
        macro_over=over_cells(found, source.card),
        groups=tuple(_groups(found, source.card)),
        grid=_grid(found, source.card),
        consistency=tuple(
            Consistency(one_line(name, 80), *(view.Share.of(part.consistency[truth]) for truth in part.consistency))
            for name, part in [("All changes", found.micro), *list(found.conditions.items())[:_VALUES]]
            if any(estimate.n + estimate.unscored for estimate in part.consistency.values())
        ),
        flips=_flips(source, found, album, seed=seed, sample=sample, title=title),
    )


def over_cells(found: Resistance, card: Card) -> str:
    """What the macro average is over: ``216 cells of aspect and condition``."""
    label = view.title_of(card, found.macro_label).lower() if found.macro_label else ""
    cells = "cell" if found.macro_cells == 1 else "cells"
    return f"{found.macro_cells:,} {cells} of {f'{label} and condition' if label else 'condition'}"


def left_out(part: Part) -> str:
    """Reasons with their counts, zeros left out: ``truth altered 12, did not apply 30``."""
    return ", ".join(f"{LEFT_OUT_WORDS[reason]} {count:,}" for reason, count in part.left_out.items() if count)


def scored(part: Part) -> str:
    """Pairs with a value on both sides, of how many where some have none: ``23 of 24``."""
    return f"{part.pairs - part.unscored:,} of {part.pairs:,}" if part.unscored else f"{part.pairs:,}"


def sections(found: Resistance, card: Card) -> Iterator[tuple[str, Mapping[str, Part]]]:
    """Heading and parts by title, in the order in which they are shown; of labels only what has pairs."""
    yield "Condition", found.conditions
    if found.perturbations:
        yield "All severities of a perturbation", found.perturbations
    if found.levels:
        yield "What is changed", {_LEVELS.get(name, "Other"): part for name, part in found.levels.items()}
    for label, parts in found.labels.items():
        met = {value: part for value, part in parts.items() if part.pairs or sum(part.left_out.values())}
        if met:
            yield view.title_of(card, label), {view.title_of(card, label, value): part for value, part in met.items()}


def _groups(found: Resistance, card: Card) -> Iterator[Group]:
    for title, parts in sections(found, card):
        of_how_many = f" (the first {_VALUES} of {len(parts):,})" if len(parts) > _VALUES else ""
        yield Group(title + of_how_many, tuple(_line(name, part) for name, part in list(parts.items())[:_VALUES]))


def _line(title: str, part: Part) -> Line:
    return Line(
        one_line(title, 80),
        view.Share.of(part.resistance),
        view.Share.of(part.clean),
        view.Share.of(part.changed),
        view.Share.of(part.resistance).bounds if part.unscored else "",
        f"{part.lost:,}",
        f"{part.gained:,}",
        scored(part),
        left_out(part),
    )


def _grid(found: Resistance, card: Card) -> view.Grid:
    label = found.macro_label
    cells: Mapping[tuple[str, str], Estimate] = found.cells.get(label, {})
    conditions, values = list(found.conditions), list(found.labels.get(label, {}))
    shown, columns = values[: view.VALUES], conditions[: view.VALUES]
    if len(values) < 2:
        return view.Grid("", "", (), (), "", False)
    return view.Grid(
        view.title_of(card, label).lower(),
        "condition",
        tuple(one_line(name, 60) for name in columns),
        tuple(
            view.GridRow(
                view.title_of(card, label, value), tuple(view.cell(cells[condition, value]) for condition in columns)
            )
            for value in shown
        ),
        view.scale(),
        len(shown) * len(columns) < len(cells),
    )


def _flips(
    source: ReportSource,
    found: Resistance,
    album: Album,
    *,
    seed: int,
    sample: int,
    title: Callable[[str, str], str],
) -> tuple[FlipGroup, ...]:
    most = min(_FLIPS, sample)
    lost = found.flips.sample(most, lost=True, seed=seed)
    gained = found.flips.sample(max(most - len(lost), most // 3), lost=False, seed=seed)
    lost = found.flips.sample(most - len(gained), lost=True, seed=seed)
    groups = []
    for heading, chosen, total in (
        ("Right when clean, wrong when changed", lost, found.micro.lost),
        ("Wrong when clean, right when changed", gained, found.micro.gained),
    ):
        if total:
            picked = rows_at(source, {*chosen.clean.tolist(), *chosen.changed.tolist()})
            flips = list(flipped(picked, chosen)) if len(chosen) else []
            pairs = tuple(_pair(flip, source, album, title) for flip in flips)
            groups.append(FlipGroup(heading, total, pairs))
    return tuple(groups)


def _pair(flip: Flip[Row], source: ReportSource, album: Album, title: Callable[[str, str], str]) -> Pair:
    from snellen.report.examples import example  # with the drawing of pictures, which a table does without

    return Pair(
        one_line(flip.changed.item.id, 120),
        example(flip.clean, source, album, title),
        example(flip.changed, source, album, title),
    )

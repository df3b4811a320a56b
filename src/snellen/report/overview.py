"""What a report draws of runs beside each other, and of one run beyond its first two labels.

Baselines are the embedded models that see nothing (``blind``, ``constant``) or read words alone (``ocr``): what they
reach, nobody needs eyes for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from snellen.card import Card
from snellen.engine.resistance import Part
from snellen.engine.split import SCORE
from snellen.estimate import Estimate
from snellen.metrics import non_hallucination_rate
from snellen.report import charts, screen_averages, view
from snellen.report.source import ReportSource
from snellen.report.text import one_line
from snellen.table import VerdictTable

_BASELINES = ("blind", "constant", "ocr")
_SLOPES = 24  # lines of a figure
_PAIRS = 5  # heat maps of a run beside the first
_VALUES = 14  # of a label in a heat map
_LABELS = 5
_NOTHING = Estimate(None, None, None, 0, 0)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure with its heading and what is to be read with it."""

    title: str
    lead: str
    figure: str


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A heat map with its heading."""

    title: str
    grid: view.Grid


def baseline(source: ReportSource) -> str:
    """The name of the baseline that a run is of: ``blind``; empty for a model."""
    plan = source.manifest.get("plan")
    name = str(plan.get("model", "")) if isinstance(plan, Mapping) else ""
    return name if name.partition(":")[0] in _BASELINES else ""


def references(sources: Sequence[ReportSource]) -> list[tuple[str, float]]:
    """Names and scores of the baselines among runs, lowest first; none where there are only baselines."""
    found = [
        (baseline(source), source.results.headline.value)
        for source in sources
        if baseline(source) and source.results.headline.value is not None
    ]
    if len(found) == len(sources):
        return []
    return sorted(((one_line(name, 40), share) for name, share in found), key=lambda each: each[1])


def beside(card: Card, sources: Sequence[ReportSource], anchor: str) -> Iterator[Drawing]:
    """Figures of several runs of one benchmark."""
    names = view.short_names(sources)
    paths = [
        path
        for name, source in zip(names, sources, strict=True)
        if source.results.resistance is not None
        for path in _slope(name, source.results.resistance.micro)
    ]
    if len(paths) > 1:
        yield Drawing(
            "Clean and changed",
            "Scores of each run over the pairs whose truth is kept: left of the clean items, right of the same items "
            "changed, all changes together.",
            charts.slopes(paths, key=f"{anchor}-slopes", title=f"Clean and changed, {card.title}", axis=card.score),
        )
    yield from _parse_and_hallucination(card, sources, anchor)


def run_maps(card: Card, sources: Sequence[ReportSource]) -> Iterator[HeatMap]:
    """A heat map of runs and values for each label, of several runs of one benchmark."""
    names = view.short_names(sources)
    shown = [view.shown(source.results.marginals) for source in sources]
    for label in dict.fromkeys(label for marginals in shown for label in marginals):
        heading = view.title_of(card, label)
        for part, of_part in _by_part(card, sources, label, [marginals.get(label, {}) for marginals in shown]):
            values = list(dict.fromkeys(value for estimates in of_part for value in estimates))[:_VALUES]
            if len(values) < 2:
                continue
            rows = tuple(
                view.GridRow(name, tuple(_cell(estimates.get(value)) for value in values))
                for name, estimates in zip(names[: view.VALUES], of_part, strict=False)
            )
            titles = tuple(view.title_of(card, label, value) for value in values)
            grid = view.Grid("run", heading.lower(), titles, rows, view.scale(), cut=False)
            yield HeatMap(f"{heading}, {part}" if part else heading, grid)


def _by_part(
    card: Card, sources: Sequence[ReportSource], label: str, whole: Sequence[Mapping[str, Estimate]]
) -> Iterator[tuple[str, Sequence[Mapping[str, Estimate]]]]:
    """What each run has for a label, table by table where the card splits the values of that label."""
    splits = [source.results.split for source in sources]
    found = [split for split in splits if split is not None]
    if not found or found[0].label != label:
        yield "", whole
        return
    for value in dict.fromkeys(value for split in found for value in split.groups):
        groups = [None if split is None else split.groups.get(value) for split in splits]
        yield (
            view.title_of(card, found[0].by, value).lower() if value else "",
            [{} if group is None else {row: each[SCORE] for row, each in group.rows.items()} for group in groups],
        )


def label_maps(source: ReportSource) -> Iterator[HeatMap]:
    """Heat maps of pairs of the card's labels beyond the first two, which have one already."""
    table, card, results = source.table, source.card, source.results
    if not table.clean.all():
        table = table.select(table.clean)
    values = {
        label: [value for value, each in by_value.items() if each.n + each.unscored]
        for label, by_value in view.shown(results.marginals).items()
        if label in card.labels
    }
    labels = [label for label, each in values.items() if 2 <= len(each) <= _VALUES][:_LABELS]
    pairs = [pair for pair in combinations(labels, 2) if pair != (results.rows, results.columns)]
    for row_label, column_label in pairs[:_PAIRS]:
        rows = tuple(
            view.GridRow(
                view.title_of(card, row_label, row),
                tuple(_cell(_share(table, {row_label: row, column_label: column})) for column in values[column_label]),
            )
            for row in values[row_label]
        )
        titles = tuple(view.title_of(card, column_label, column) for column in values[column_label])
        one, other = view.title_of(card, row_label), view.title_of(card, column_label).lower()
        yield HeatMap(f"{one} and {other}", view.Grid(one.lower(), other, titles, rows, view.scale(), cut=False))


def changed(source: ReportSource, anchor: str) -> Iterator[Drawing]:
    """Figures of one run's changed items: slopes by condition, and resistance by severity."""
    found = source.results.resistance
    if found is None:
        return
    paths = [path for name, part in found.conditions.items() for path in _slope(name, part)]
    if len(paths) > 1:
        cut = f" The first {_SLOPES} of {len(paths)} are drawn." if len(paths) > _SLOPES else ""
        yield Drawing(
            "Clean and changed, by condition",
            f"Left the score of the clean items, right that of the same items changed; lines that fall are full.{cut}",
            charts.slopes(
                paths[:_SLOPES],
                key=f"{anchor}-slopes",
                title=f"Clean and changed, {source.name}",
                axis=source.card.score,
            ),
        )
    graded = list(_graded(found.conditions))
    if graded:
        cut = f" The first {_SLOPES} of {len(graded)} are drawn." if len(graded) > _SLOPES else ""
        yield Drawing(
            "Resistance by severity",
            f"Share of the right clean answers that stay right, with its 95 % interval.{cut}",
            charts.severities(
                graded[:_SLOPES],
                key=f"{anchor}-severity",
                title=f"Resistance by severity, {source.name}",
                axis="resistance",
            ),
        )


def _slope(name: str, part: Part) -> Iterator[charts.Path]:
    clean, after = part.clean.value, part.changed.value
    if clean is not None and after is not None:
        yield charts.Path(name, (charts.Place(0, clean), charts.Place(1, after)))


def _graded(conditions: Mapping[str, Part]) -> Iterator[charts.Path]:
    """Perturbations that were asked for at several severities."""
    by_name: dict[str, list[charts.Place]] = {}
    for condition, part in conditions.items():
        name, _, severity = condition.partition(":")
        found = part.resistance
        if severity.isdecimal() and "+" not in condition and found.value is not None:
            by_name.setdefault(name, []).append(charts.Place(int(severity), found.value, found.low, found.high))
    for name, places in by_name.items():
        if len(places) > 1:
            yield charts.Path(name, tuple(sorted(places, key=lambda place: place.x)))


def _parse_and_hallucination(card: Card, sources: Sequence[ReportSource], anchor: str) -> Iterator[Drawing]:
    """Parsing average against hallucination average, the published models among the runs."""
    if not any(source.results.screens is not None for source in sources):
        return
    points = [
        charts.Point(
            line.title,
            line.values[0],
            line.values[1],
            _interval(line, 0),
            _interval(line, 1),
            published=not line.run,
        )
        for line in screen_averages.averages(card, sources)
        if line.values[0] is not None and line.values[1] is not None
    ]
    if len(points) < 2 or all(point.published for point in points):
        return
    yield Drawing(
        "Parsing and hallucination",
        "Each point is a model: how well it lists what is on a screen, and how rarely it hallucinates there. Hollow: "
        "published, without intervals.",
        charts.scatter(
            points,
            key=f"{anchor}-scatter",
            title=f"Parsing and hallucination, {card.title}",
            across="parsing average",
            along="hallucination average",
        ),
    )


def _interval(line: screen_averages.Average, place: int) -> tuple[float, float] | None:
    low, high = line.lows[place], line.highs[place]
    return None if low is None or high is None else (low, high)


def _share(table: VerdictTable, labels: Mapping[str, str]) -> Estimate:
    return non_hallucination_rate.estimate(table.select(table.mask(**labels)))


def _cell(estimate: Estimate | None) -> view.Cell:
    return view.cell(_NOTHING if estimate is None else estimate)

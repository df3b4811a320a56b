"""Correlations and the association item by item, in words: on the terminal, on a page, as a figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from snellen.card import Card
from snellen.engine.correlation import FEWEST, Correlation, Pair, PublishedPair
from snellen.engine.odds import Area, Odds
from snellen.engine.parse_association import LEFT_OUT, Association
from snellen.engine.rank_correlation import EXACT_UP_TO
from snellen.engine.screen_numbers import NUMBERS
from snellen.report import heat_map
from snellen.report.comparison import chance
from snellen.report.drawing import table, text
from snellen.report.heat_map import Heat, number
from snellen.report.text import one_line
from snellen.report.view import title_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_COEFFICIENT = {"spearman": "Spearman's rho", "kendall": "Kendall's tau-b"}
_NAMES = {
    "abstention": "Abstention",
    "over_refusal": "Over-refusal",
    "resistance": "Resistance",
}
_LINK_TITLES = {
    "missed": "Target not parsed",
    "missed_in_part": "Target not parsed in full",
    "missed_pointed": "The same, answers that point",
    "invented": "Much invented, absent target",
}
_WITHIN = ("run", "screen", "run and screen", "element")
_AREAS = {"invented": "number of invented elements", "imprecision": "share of invented elements"}
_LEADING = ("parsing_average", "macro_hallucination_average")

_LISTED = 20  # pairs on the terminal
_IN_FULL = 3  # runs, all together counted, whose strata are on the terminal
_NAME, _COLUMN = 28, 6  # width of the matrix of coefficients: a number's name, and each column
_BESIDE = 100  # columns from which the two numbers of a pair stand side by side


@dataclass(frozen=True, slots=True)
class PairLine:
    """A pair in words; `p` is corrected, or says why there is none."""

    first: str
    second: str
    value: str
    interval: str
    p: str
    models: str


@dataclass(frozen=True, slots=True)
class LinkLine:
    """An association in words; `within` in the order of the section's strata."""

    title: str
    exposed: str
    other: str
    odds: str
    p: str
    within: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LinkGroup:
    """The associations of one run, or of all together (`pooled`)."""

    title: str
    pooled: bool
    strata: tuple[str, ...]
    lines: tuple[LinkLine, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """All that the page's template shows."""

    lead: str
    figure: str
    pairs: tuple[PairLine, ...]
    published: tuple[str, ...]
    groups: tuple[LinkGroup, ...]
    legend: str
    warnings: tuple[str, ...]


LEGEND = (
    "Odds ratio of a bad answer where the parse failed to where it did not, with its 95 % interval clustered by "
    "screen, and within strata (Mantel-Haenszel); over 1: failing to parse and hallucinating go together. p by Holm's "
    "correction over the runs. * half a case added to each cell, one being empty. - not defined."
)


def title(key: str, card: Card) -> str:
    """A number in words: ``Parsing recall, English``; ``Relation: Normal``."""
    name, _, language = key.partition(":")
    if name in NUMBERS:
        words = NUMBERS[name].title
        return f"{words}, {title_of(card, 'language', language)}" if language else words
    if key == "score":
        return one_line(card.score[:1].upper() + card.score[1:], 60)
    if key in _NAMES:
        return _NAMES[key]
    label, _, value = key.partition("=")
    return f"{title_of(card, label)}: {title_of(card, label, value)}"


def section(found: Correlation, associations: Sequence[Association], key: str = "correlation") -> Section:
    """Both for the page."""
    drawn = ""
    if len(found.runs) >= FEWEST and any(pair.value is not None for pair in found.pairs):
        words = f"{_COEFFICIENT[found.method]} of {len(found.numbers)} numbers over {_models(len(found.runs))}"
        drawn = heat_map.page(_titles(found), _cells(found), key=key, title=words)
    return Section(
        _lead(found),
        drawn,
        tuple(_pair_line(pair, found.card) for pair in _sorted(found)),
        tuple(_published(each) for each in found.published),
        tuple(_groups(associations)),
        LEGEND if associations else "",
        tuple(one_line(warning, 600) for warning in found.warnings),
    )


def write_figure(found: Correlation, path: Path) -> Path:
    """Write the heat map to a PNG or SVG file, and return it."""
    return heat_map.write(_titles(found), _cells(found), path)


def show(found: Correlation, associations: Sequence[Association], console: Console) -> None:
    """Prints both: tables, then what to know of them."""
    if not console.options.ascii_only:
        _print(found, associations, console)
        return
    with console.capture() as captured:  # as in `snellen.report.tables.summary`
        _print(found, associations, console)
    console.file.write(captured.get().encode("ascii", "backslashreplace").decode("ascii"))


def _print(found: Correlation, associations: Sequence[Association], console: Console) -> None:
    console.print(text(_lead(found), "bold"))
    if concluded := len(found.runs) >= FEWEST and any(pair.value is not None for pair in found.pairs):
        console.print()
        if console.width >= _NAME + _COLUMN * len(found.numbers):
            console.print(_matrix(found))
        console.print(_pair_table(found, console.width))
    if concluded and len(found.pairs) > _LISTED:
        console.print(text(f"The other {len(found.pairs) - _LISTED:,} pairs are in --json and in the report."))
    for each in found.published:
        console.print(text(_published(each)))
    several = len(associations) > _IN_FULL
    for group in _groups(associations):
        single = several and not group.pooled
        console.print()
        console.print(text(group.title, "bold"))
        console.print(_link_table(group, strata=not single))
        for note in () if single else group.notes:
            console.print(text(note))
    if associations:
        more = " What the strata of single runs say is in --json and in the report." if several else ""
        console.print(text(LEGEND + more))
    if found.warnings:
        console.print()
    for warning in found.warnings:
        console.print(text(f"- {one_line(warning, 600)}"))


def _lead(found: Correlation) -> str:
    models = len(found.runs)
    said = f"{_COEFFICIENT[found.method]} on {found.card.title} over {_models(models)}"
    if models < FEWEST:
        return f"{said}."
    any_, every = found.images
    shared = "all shared" if any_ == every else f"{every:,} of them in every run"
    exact = "exact" if models <= EXACT_UP_TO else "approximate"
    return (
        f"{said}; 95 % intervals from {found.resamples:,} draws of models and, with them, of {any_:,} images "
        f"({shared}); {exact} p by Holm's correction over {found.tests:,} pairs."
    )


def _models(count: int) -> str:
    return "1 model" if count == 1 else f"{count:,} models"


def _titles(found: Correlation) -> list[str]:
    return [title(key, found.card) for key in found.numbers]


def _cells(found: Correlation) -> list[list[Heat]]:
    heat = {(pair.first, pair.second): Heat(pair.value, _stands(pair), pair.part) for pair in found.pairs}
    keys = found.numbers
    return [[heat[keys[x], keys[y]] for x in range(y)] for y in range(1, len(keys))]


def _stands(pair: Pair) -> bool:
    return pair.p_holm is not None and pair.p_holm < 0.05


def _sorted(found: Correlation) -> list[Pair]:
    """The two averages first, then by p, then by the size of the coefficient; a part and its whole come last."""

    def place(pair: Pair) -> tuple[bool, bool, float, float]:
        size = -1.0 if pair.value is None else abs(pair.value)
        return ((pair.first, pair.second) != _LEADING, pair.part, 2.0 if pair.p is None else pair.p, -size)

    return sorted(found.pairs, key=place)


def _pair_line(pair: Pair, card: Card) -> PairLine:
    ends = "" if pair.low is None or pair.high is None else f"[{number(pair.low)}, {number(pair.high)}]"
    return PairLine(
        title(pair.first, card),
        title(pair.second, card),
        "" if pair.value is None else number(pair.value),
        ends,
        "part of it" if pair.part else chance(pair.p_holm),
        f"{pair.models:,}",
    )


def _matrix(found: Correlation) -> Table:
    places = range(1, len(found.numbers))
    drawn = table("", *map(str, places), first=_NAME, tight=True)
    drawn.add_row(text(f"1 {title(found.numbers[0], found.card)}"))
    for number_, row in enumerate(_cells(found), 2):
        cells = (
            text(
                "-" if each.value is None else number(each.value), "bold" if each.strong else "dim" if each.part else ""
            )
            for each in row
        )
        drawn.add_row(text(f"{number_} {title(found.numbers[number_ - 1], found.card)}"), *cells)
    return drawn


def _style(cell: Heat) -> str:
    return "bold" if cell.strong else "dim" if cell.part else ""


def _pair_table(found: Correlation, width: int) -> Table:
    beside = width >= _BESIDE
    figures = ("", "95 % interval", "p", "models")
    drawn = table("pair", *(("and",) if beside else ()), *figures, first=18, least=1)
    if beside:
        drawn.columns[1].justify = "left"
    for pair in _sorted(found)[:_LISTED]:
        line = _pair_line(pair, found.card)
        first, second = text(line.first), text(line.second)
        drawn.add_row(
            *((first, second) if beside else (first.append("\n").append(second),)),
            text(line.value or "-", "bold" if _stands(pair) else ""),
            text(line.interval),
            text(line.p.removeprefix("p ")),
            text(line.models),
        )
    return drawn


def _published(each: PublishedPair) -> str:
    rows = "published rows" if each.rows == "all" else "of these, models as they came"
    words = f"Parsing average and hallucination average, {each.models:,} {rows}: "
    if each.value is None:
        return f"{words}too few to correlate."
    ends = "" if each.low is None or each.high is None else f" [{number(each.low)}, {number(each.high)}]"
    p = f", {chance(each.p)}" if each.p is not None else ""
    stated = f". The paper states {each.stated:.2f} over its models" if each.stated and each.rows == "all" else ""
    return f"{words}{number(each.value)}{ends}{p}{stated}."


def _groups(associations: Sequence[Association]) -> Iterator[LinkGroup]:
    for each in associations:
        strata = tuple(name for name in _WITHIN if any(name in link.within for link in each.links))
        lines = tuple(
            LinkLine(
                _LINK_TITLES[link.name],
                _share(link.crude.exposed_bad, link.crude.exposed_good),
                _share(link.crude.other_bad, link.crude.other_good),
                _odds(link.crude),
                chance(link.p_holm),
                tuple(_odds(link.within[name]) if name in link.within else "" for name in strata),
            )
            for link in each.links
        )
        heading = one_line(each.run.partition("/")[2], 80) or f"All {len(associations) - 1} runs"
        yield LinkGroup(heading, not each.run, tuple(f"within {name}" for name in strata), lines, tuple(_notes(each)))


def _notes(each: Association) -> Iterator[str]:
    for name, area in each.areas.items():
        if area.value is not None:
            yield f"The {_AREAS[name]} tells absent targets that are pointed at from rejected ones: {_area(area)}."
    for reason, count in each.left_out.items():
        yield f"{count:,} places left out: {LEFT_OUT[reason]}."


def _area(area: Area) -> str:
    assert area.value is not None
    ends = "" if area.low is None or area.high is None else f" [{number(area.low)}, {number(area.high)}]"
    return f"area under the curve {number(area.value)}{ends}, 0.50 being chance"


def _share(bad: int, good: int) -> str:
    return f"{bad:,} of {bad + good:,}"


def _odds(odds: Odds) -> str:
    if odds.value is None:
        return "-"
    ends = "" if odds.low is None or odds.high is None else f" [{_ratio(odds.low)}, {_ratio(odds.high)}]"
    return f"{_ratio(odds.value)}{'*' if odds.corrected else ''}{ends}"


def _ratio(value: float) -> str:
    """Three digits: ``0.048``, ``1.70``, ``26.3``, ``1,280``; ``> 99,999`` and ``< 0.001`` beyond."""
    if value >= 99_999.5:
        return "> 99,999"
    if value >= 99.95:
        return f"{value:,.0f}"
    if value >= 9.995:
        return f"{value:.1f}"
    return f"{value:.2f}" if value >= 0.1 else f"{value:.3f}" if value >= 0.001 else "< 0.001"


def _link_table(group: LinkGroup, *, strata: bool) -> Table:
    drawn = table("", "bad if so", "bad if not", "odds ratio", "p", first=14, tight=True)
    for line in group.lines:
        drawn.add_row(
            text(line.title),
            text(line.exposed),
            text(line.other),
            text(line.odds, "bold"),
            text(line.p.removeprefix("p ")),
        )
        for name, odds in zip(group.strata, line.within, strict=True):
            if strata and odds not in ("", "-"):
                drawn.add_row(text(f"- {name}"), "", "", text(odds), "")
    return drawn

"""What the page's template is given: numbers as words, colours of the heat map, the manifest as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from snellen.card import Card
from snellen.engine.results import UNSCORED_WORDS, Marginals
from snellen.engine.split import SCORE
from snellen.estimate import Estimate
from snellen.report.source import ReportSource
from snellen.report.text import Passage, ends, one_line, redact

_LIGHT = ((0xF1, 0xF4, 0xF8), (0x7D, 0xAE, 0xDB), (0x0B, 0x45, 0x87))
_DARK = ((0x22, 0x29, 0x33), (0x2F, 0x6F, 0xB0), (0xB5, 0xDA, 0xFF))
_TEXT = ((0, 0, 0), (0xFF, 0xFF, 0xFF))  # one of the two always stands out by 4.5 and more

_NAME = 80  # characters of a run's name

_LANGUAGES = {"language=en": "English", "language=zh": "Chinese"}

_NAMED_BY_OTHERS = frozenset(("parameters", "server_models", "image_conversions"))  # what stands in these
_MANIFEST_LINES = 400
_MOMENTS = ("started", "created", "ended")
_MANIFEST_DEPTH = 8
VALUES = 40  # of a label that are shown: a hostile file may bring thousands


def title_of(card: Card, label: str, value: str = "") -> str:
    """Words for a label or for one of its values: the card's, else its name with spaces and a capital."""
    key = f"{label}={value}" if value else label
    words = card.label_titles.get(key) or _LANGUAGES.get(key) or (value or label).replace("_", " ")
    return one_line(words[:1].upper() + words[1:], 60)


def percent(share: float) -> str:
    """A share in per cent with one decimal, without the sign: ``27.1``."""
    return f"{100 * share:.1f}"


def short_names(sources: Sequence[ReportSource]) -> list[str]:
    """Names without the benchmark in front (``qwen2.5-vl-7b-3f2a@rules``) where that leaves them distinct."""
    short = [ends(source.name.removeprefix(f"{source.card.name}/"), _NAME) for source in sources]
    if len(set(short)) == len(short):
        return short
    return [one_line(source.name, 200) for source in sources]


@dataclass(frozen=True, slots=True)
class Share:
    """An estimate in words; texts are empty where there is nothing to say."""

    value: str
    interval: str
    scored: str
    total: str
    bounds: str

    @classmethod
    def of(cls, estimate: Estimate) -> Share:
        """``27.1``, ``[24.2, 30.2]``, ``1,059``, ``1,062``, ``27.0 / 27.3``."""
        low, high = estimate.lower_bound, estimate.upper_bound
        return cls(
            value="" if estimate.value is None else percent(estimate.value),
            interval=format(estimate, "interval"),
            scored=f"{estimate.n:,}",
            total=f"{estimate.n + estimate.unscored:,}",
            bounds=f"{percent(low)} / {percent(high)}" if low is not None and high is not None else "",
        )


@dataclass(frozen=True, slots=True)
class Line:
    """A titled estimate."""

    title: str
    share: Share


@dataclass(frozen=True, slots=True)
class Part:
    """The values of one label."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One of the four outcomes: right, wrong, unclear, not scored."""

    kind: str
    title: str
    count: int
    width: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the heat map."""

    share: Share
    colours: str


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row of the heat map."""

    title: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """The heat map of the card's first two labels; empty where a card has fewer. `cut`: not all of it is shown."""

    row_title: str
    column_title: str
    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]
    scale: str
    cut: bool


@dataclass(frozen=True, slots=True)
class ManifestLine:
    """One entry of the manifest; `value` is None for the heading of nested entries, `foreign` a name by others."""

    depth: int
    name: str
    value: Passage | None
    foreign: bool = False


def _mix(stops: Sequence[tuple[int, int, int]], share: float) -> tuple[int, int, int]:
    place = min(max(share, 0.0), 1.0) * (len(stops) - 1)
    index = min(int(place), len(stops) - 2)
    red, green, blue = (
        round(a + (b - a) * (place - index)) for a, b in zip(stops[index], stops[index + 1], strict=True)
    )
    return red, green, blue


def luminance(colour: tuple[int, int, int]) -> float:
    """Relative luminance of an sRGB colour (WCAG 2.2)."""
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def heat_colours(share: float) -> dict[str, tuple[int, int, int]]:
    """Background and text for a share in [0, 1]: ``l`` and ``lt`` on light paper, ``d`` and ``dt`` on dark.

    One hue, from pale to deep (on dark paper from dim to bright), so that it reads without colour vision and in grey;
    the text is black or white, whichever stands out more.
    """
    light, dark = _mix(_LIGHT, share), _mix(_DARK, share)
    return {
        "l": light,
        "lt": max(_TEXT, key=lambda text: contrast(light, text)),
        "d": dark,
        "dt": max(_TEXT, key=lambda text: contrast(dark, text)),
    }


def _css(colours: Mapping[str, tuple[int, int, int]]) -> str:
    return "; ".join(f"--{name}: rgb({r}, {g}, {b})" for name, (r, g, b) in colours.items())


def scale() -> str:
    """The colours of a heat map's scale, from 0 to 100 %."""
    steps = [heat_colours(step / 10) for step in range(11)]
    return "; ".join(f"--{name}: {', '.join('rgb({}, {}, {})'.format(*step[name]) for step in steps)}" for name in "ld")


def grid(source: ReportSource) -> Grid:
    """The heat map of a run."""
    return heat_map(source.card, source.results.rows, source.results.columns, source.results.cells)


def heat_map(card: Card, row_label: str, column_label: str, cells: Mapping[tuple[str, str], Estimate]) -> Grid:
    """The heat map of cells by (row, column); empty where there are none."""
    if not cells:
        return Grid("", "", (), (), "", False)
    rows = list(dict.fromkeys(row for row, _ in cells))[:VALUES]
    columns = list(dict.fromkeys(column for _, column in cells))[:VALUES]
    return Grid(
        title_of(card, row_label).lower(),
        title_of(card, column_label).lower(),
        tuple(title_of(card, column_label, column) for column in columns),
        tuple(
            GridRow(
                title_of(card, row_label, row),
                tuple(cell(cells[row, column]) for column in columns if (row, column) in cells),
            )
            for row in rows
        ),
        scale(),
        len(rows) * len(columns) < len(cells),
    )


def cell(estimate: Estimate) -> Cell:
    """An estimate as a cell of a heat map."""
    return Cell(Share.of(estimate), "" if estimate.value is None else _css(heat_colours(estimate.value)))


def marginals(source: ReportSource) -> tuple[Part, ...]:
    """Estimates by label, in the card's order; what has no items at all is left out."""
    return tuple(
        Part(
            title,
            tuple(Line(title_of(source.card, label, value), Share.of(estimate)) for value, estimate in values.items()),
        )
        for title, label, values in _titled(source)
    )


def _titled(source: ReportSource) -> Iterator[tuple[str, str, Mapping[str, Estimate]]]:
    """Heading, label and estimates of what is shown of the marginals; of split tables each apart."""
    card, split = source.card, source.results.split
    for label, values in shown(source.results.marginals).items():
        title = title_of(card, label)
        if split is None or label != split.label:
            yield title + _of_how_many(source.results.marginals[label]), label, values
            continue
        for part, group in split.groups.items():
            rows = {row: numbers[SCORE] for row, numbers in group.rows.items()}
            where = f", {title_of(card, split.by, part).lower()}" if part else ""
            yield f"{title}{where}{_of_how_many(rows)}", label, dict(list(rows.items())[:VALUES])


def _of_how_many(values: Mapping[str, Estimate]) -> str:
    return f" (the first {VALUES} of {len(values):,} values)" if len(values) > VALUES else ""


def shown(marginals: Marginals) -> Marginals:
    """The marginals that a reader can take in: labels that have items, and of each the first 40 values."""
    return {
        label: dict(list(values.items())[:VALUES])
        for label, values in marginals.items()
        if any(estimate.n or estimate.unscored for estimate in values.values())
    }


def marginals_figure(source: ReportSource, key: str) -> str:
    """Dots and whiskers of the marginals, with the overall share as a dashed line."""
    overall = source.results.headline
    from snellen.report.figures import Dot, dots  # tables do without

    lines = [Dot("Overall", overall.value, overall.low, overall.high)]
    for heading, label, values in _titled(source):
        lines.append(Dot(heading, style="heading"))
        lines += [
            Dot(title_of(source.card, label, value), estimate.value, estimate.low, estimate.high)
            for value, estimate in values.items()
        ]
    title = f"{source.name}: share {source.card.score} by label"
    return dots(lines, key=key, title=title, axis=f"share {source.card.score}", mark=overall.value)


def declining(source: ReportSource) -> tuple[Line, ...]:
    """Rates of declining, overall and by the label that says where an answer exists, and of over-refusal."""
    results, card = source.results, source.card
    lines = [Line("Declined, of all answers", Share.of(results.abstention))]
    for label in card.answerable:
        for value, estimate in results.abstention_marginals.get(label, {}).items():
            if card.answerable != {label: (value,)}:  # that line is the over-refusal itself
                lines.append(Line(f"Declined, {title_of(card, label, value).lower()}", Share.of(estimate)))
    if card.answerable:
        lines.append(Line("Over-refusal: declined although an answer exists", Share.of(results.over_refusal)))
    return tuple(lines[:VALUES])


def outcomes(source: ReportSource) -> tuple[Outcome, ...]:
    """Right, wrong, unclear, not scored, in this order; they sum to the items planned."""
    results = source.results
    headline, unclear = results.headline, results.unclear
    right = headline.hits if headline.hits is not None else round((headline.value or 0) * headline.n)
    reasons = [(UNSCORED_WORDS[reason], count) for reason, count in results.unscored.items()]
    total = headline.n + headline.unscored

    def one(kind: str, title: str, count: int, detail: str = "") -> Outcome:
        return Outcome(kind, title, count, f"{100 * count / total:.3f}" if total else "0", detail)

    return (
        one("right", "Right", right),
        one("wrong", "Wrong", headline.n - right - unclear),
        one("unclear", "Unclear", unclear),
        one(
            "unscored",
            "Not scored",
            headline.unscored,
            ", ".join(f"{words} {count:,}" for words, count in reasons if count),
        ),
    )


def manifest_lines(manifest: Mapping[str, Any]) -> tuple[ManifestLine, ...]:
    """A nested manifest as lines with a depth; keys and passwords are hidden, endless ones cut with a note."""
    lines: list[ManifestLine] = []
    for line in _nested("", manifest, 0):
        if len(lines) == _MANIFEST_LINES:
            lines.append(ManifestLine(0, "…", Passage.of(f"cut after {_MANIFEST_LINES} entries")))
            break
        lines.append(line)
    return tuple(lines)


def _nested(name: str, value: Any, depth: int, foreign: bool = False) -> Iterator[ManifestLine]:
    entries: list[tuple[str, Any]] | None = None
    if value and redact(name, "?") == "(hidden)":
        value = "?"
    elif isinstance(value, Mapping):
        entries = [(str(key), entry) for key, entry in value.items()]
    elif isinstance(value, (list, tuple)) and any(isinstance(entry, (Mapping, list, tuple)) for entry in value):
        entries = [(str(index), entry) for index, entry in enumerate(value, 1)]
    if entries and depth <= _MANIFEST_DEPTH:
        if name:
            yield ManifestLine(depth - 1, one_line(name, 80), None, foreign)
        for key, entry in entries:
            yield from _nested(key, entry, depth + 1, name in _NAMED_BY_OTHERS)
        return
    text = _moment(value) if name in _MOMENTS and isinstance(value, float) else _plain(value)
    yield ManifestLine(max(depth - 1, 0), one_line(name, 80), Passage.of(redact(name, text)), foreign)


def _moment(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):  # not seconds since 1970, or not in the range of the calendar
        return repr(seconds)


def _plain(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:,.3f}".rstrip("0").rstrip(".") if 0.001 <= abs(value) < 1e9 else repr(value)
        case bytes():
            return value.hex()
        case list() | tuple():
            return ", ".join(_plain(entry) for entry in value) or "none"
        case Mapping():
            return "…" if value else "none"
    return str(value)

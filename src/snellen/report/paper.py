"""Tables for papers: a row for each run, a column for each value of a label, in Markdown, LaTeX or as plain records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from snellen.card import PublishedRow
from snellen.engine.split import SCORE
from snellen.errors import UsageError
from snellen.estimate import Estimate
from snellen.report import screen_averages, screens, split
from snellen.report.escaping import Style, escape
from snellen.report.source import ReportSource
from snellen.report.view import percent, title_of

_VALUES = 8  # of a label: longer ones (kinds of chart) are columns only where they are asked for


@dataclass(frozen=True, slots=True)
class Column:
    """A column: a label's value (overall without a label), or a number of a run on screens.

    Attributes:
        title: its heading.
        group: what stands above the headings of several columns: the label's words; empty where nothing does.
        label, value: of the column.
        number: name of the number; `value` is its language then, or its row where tables are split.
        name: its name in a record, where tables are split; `part` is the table then, None for all of them.
    """

    title: str
    group: str = ""
    label: str = ""
    value: str = ""
    number: str = ""
    name: str = ""
    part: str | None = None

    @property
    def key(self) -> str:
        """Its name in a record: ``relation=normal``, ``parsing_recall[en]``, ``overall``."""
        if self.name:
            return self.name
        if self.number:
            return f"{self.number}[{self.value}]" if self.value else self.number
        return f"{self.label}={self.value}" if self.label else "overall"

    def published(self, row: PublishedRow) -> float | None:
        """What a published row has there."""
        if self.name:
            return row.rates.get(self.name)
        if self.number:
            names = [
                name for name, number in screen_averages.AVERAGES.items() if number == self.number and not self.value
            ]
            return row.metrics.get(names[0]) if names else None
        return row.rates.get(f"{self.label}={self.value}" if self.label else "")

    def measured(self, source: ReportSource) -> Estimate | None:
        """What a run has there."""
        if self.name:
            return split.paper_value(source, self.part, self.value, self.number)
        if self.number:
            return screens.paper_value(source, self.value, self.number)
        if not self.label:
            return source.results.headline
        return source.results.marginals.get(self.label, {}).get(self.value)


def paper_table(
    sources: Sequence[ReportSource],
    style: Literal["markdown", "latex"] = "markdown",
    *,
    published: bool = False,
    labels: Sequence[str] = (),
    intervals: bool = True,
) -> str:
    """A table for a paper: one row per run, one column per label value in the card's order, then overall.

    Cells read ``27.0 [24.2, 30.2]``, in per cent. On screens the columns are the published numbers of each language and
    the averages, unless labels are named; where the card splits its tables, there is one for each of them, then one of
    all. LaTeX is for the package ``booktabs``; a comment above the table says so.

    Args:
        sources: judged runs of one benchmark, in the order of the rows.
        style: ``markdown`` or ``latex``.
        published: whether the card's published rows stand before the runs.
        labels: whose values are the columns; all with up to eight values if none is named.
        intervals: whether cells have them.

    Raises:
        UsageError: the runs are of different benchmarks, there is none, a label is unknown, or the style is.
    """
    if style not in ("markdown", "latex"):
        raise UsageError(f"a table for a paper is written as markdown or latex, not as {style}")
    columns = columns_of(sources, labels)
    if any(column.name for column in columns):
        made = [
            (group, _written(sources, tuple(members), style, published, intervals))
            for group, members in groupby(columns, key=lambda column: column.part)
        ]
        by = sources[0].card.split
        titles = [
            "Overall" if part is None else title_of(sources[0].card, by, part) if part else "Other" for part, _ in made
        ]
        heads = [f"% {title}" if style == "latex" else f"**{escape(title, style)}**\n" for title in titles]
        return "\n".join(f"{head}\n{text}" for head, (_, text) in zip(heads, made, strict=True))
    return _written(sources, columns, style, published, intervals)


def _written(
    sources: Sequence[ReportSource], columns: Sequence[Column], style: Style, published: bool, intervals: bool
) -> str:
    body: list[list[str]] = []
    if published:
        rows = sources[0].card.published
        body += [[escape(row.model, style), *(_share(column.published(row)) for column in columns)] for row in rows]
    before = len(body)
    body += [
        [escape(source.name, style), *(_cell(column.measured(source), style, intervals) for column in columns)]
        for source in sources
    ]
    return (_latex if style == "latex" else _markdown)(columns, body, before)


def paper_rows(
    sources: Sequence[ReportSource], *, published: bool = False, labels: Sequence[str] = ()
) -> list[dict[str, str | float | None]]:
    """The same table as records, for CSV or Parquet; shares in [0, 1].

    Keys: ``run``, ``benchmark``, then for each column its name (``overall``, ``relation=normal``), and this with
    ``:low`` and ``:high`` for the interval and ``:scored`` for the number of items. Arguments and errors as of
    `paper_table`.
    """
    columns = columns_of(sources, labels)
    found: list[dict[str, str | float | None]] = []
    for row in sources[0].card.published if published else ():
        shares = {column.key: column.published(row) for column in columns}
        found.append({**_of(row.model, sources), **_record(columns, shares, {})})
    for source in sources:
        estimates = {column.key: estimate for column in columns if (estimate := column.measured(source)) is not None}
        shares = {key: estimate.value for key, estimate in estimates.items()}
        found.append({**_of(source.name, sources), **_record(columns, shares, estimates)})
    return found


def columns_of(sources: Sequence[ReportSource], labels: Sequence[str] = ()) -> list[Column]:
    """The columns of a table of these runs; arguments and errors as of `paper_table`."""
    if len({source.card.name for source in sources}) != 1:
        raise UsageError("a table for a paper needs one or more runs of one and the same benchmark")
    card = sources[0].card
    if not labels and any(source.results.screens is not None for source in sources):
        return [
            Column(title, number=number, value=language)
            for title, language, number in screens.paper_columns(sources, card)
        ]
    parts = {} if labels else split.paper_parts(sources)
    known: dict[str, dict[str, None]] = {}
    for source in sources:
        for label, values in source.results.marginals.items():
            known.setdefault(label, {}).update(dict.fromkeys(values))
    for label in labels:
        if label not in known:
            raise UsageError(f"no run here has the label {label!r}; there are: {', '.join(known) or 'none'}")
    chosen = labels or [label for label, values in known.items() if len(values) <= _VALUES]
    columns = [
        Column(title_of(card, label, value), title_of(card, label), label, value)
        for label in chosen
        for value in known[label]
    ]
    if not parts:
        return [*columns, Column("overall")]
    columns = [column for column in columns if column.label not in (card.split, next(iter(card.labels)))]
    apart = [column for part, rows in parts.items() for column in _apart(sources, part, rows)]
    whole = [column for column in apart if column.part is None]
    return [*(column for column in apart if column.part is not None), *columns, *whole]


def _apart(sources: Sequence[ReportSource], part: str | None, rows: Mapping[str, None]) -> Iterator[Column]:
    """The columns of one of the tables into which the card splits its own, or of all together (`part` None)."""
    card = sources[0].card
    label = next(iter(card.labels))
    title = "Overall" if part is None else title_of(card, card.split, part) if part else "Other"
    table = "" if part is None else f"{card.split}={part}"
    for row in rows:
        yield Column(title_of(card, label, row), title, value=row, name=f"{table}*{label}={row}", part=part)
    for number, heading in split.averages(sources).items():
        name = "overall" if number == SCORE else number
        name = name if part is None else table if number == SCORE else f"{table}*{number}"
        yield Column(heading, title, number=number, name=name, part=part)


def _of(name: str, sources: Sequence[ReportSource]) -> dict[str, str | float | None]:
    return {"run": name, "benchmark": sources[0].card.name}


def _record(
    columns: Sequence[Column], shares: Mapping[str, float | None], estimates: Mapping[str, Estimate]
) -> dict[str, str | float | None]:
    record: dict[str, str | float | None] = {}
    for column in columns:
        key, estimate = column.key, estimates.get(column.key)
        record |= {
            key: shares.get(key),
            f"{key}:low": None if estimate is None else estimate.low,
            f"{key}:high": None if estimate is None else estimate.high,
            f"{key}:scored": None if estimate is None else estimate.n,
        }
    return record


def _markdown(columns: Sequence[Column], body: Sequence[Sequence[str]], before: int) -> str:
    heads = [escape(head, "markdown") for head in ("model", *(column.title for column in columns))]
    rule = ["---", *["---:"] * len(columns)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (heads, rule, *body)) + "\n"


def _latex(columns: Sequence[Column], body: Sequence[Sequence[str]], before: int) -> str:
    groups = [(group, len(list(members))) for group, members in groupby(column.group for column in columns)]
    lines = [r"% needs \usepackage{booktabs}", rf"\begin{{tabular}}{{l{'r' * len(columns)}}}", r"\toprule"]
    if any(group for group, _ in groups):
        cells, rules, place = [], [], 2
        for group, width in groups:
            cells.append(rf"\multicolumn{{{width}}}{{c}}{{{escape(group, 'latex')}}}" if group else "")
            rules.append(rf"\cmidrule(lr){{{place}-{place + width - 1}}}" if group else "")
            place += width
        lines += [_row(["", *cells]), " ".join(filter(None, rules))]
    lines += [_row(["model", *(escape(column.title, "latex") for column in columns)]), r"\midrule"]
    lines += map(_row, body[:before])
    lines += [r"\midrule"] if before and len(body) > before else []
    return "\n".join([*lines, *map(_row, body[before:]), r"\bottomrule", r"\end{tabular}", ""])


def _row(cells: Sequence[str]) -> str:
    row = " & ".join(cells) + r" \\"
    return f"{{}}{row}" if row[0] in "[*" else row  # or the end of the row before would take it for its argument


def _share(share: float | None) -> str:
    return "-" if share is None else percent(share)


def _cell(estimate: Estimate | None, style: Style, intervals: bool) -> str:
    if estimate is None or estimate.value is None:
        return "-"
    interval = format(estimate, "interval") if intervals else ""
    if style == "latex" and interval:
        interval = rf"{{\scriptsize {interval}}}"
    return f"{percent(estimate.value)} {interval}".rstrip()

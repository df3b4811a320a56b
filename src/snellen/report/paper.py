"""Tables for papers, in Markdown or LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from snellen.card import Card, PublishedRow
from snellen.errors import UsageError
from snellen.estimate import Estimate
from snellen.report import screen_averages, screens
from snellen.report.source import ReportSource
from snellen.report.text import one_line
from snellen.report.view import percent, title_of

_VALUES = 8  # of a label: longer ones (kinds of chart) stand in the report and the export only

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


def _escape(text: str, style: str) -> str:
    if style == "latex":
        return "".join(_LATEX.get(character, character) for character in one_line(text))
    return "".join(f"\\{character}" if character in r"\`*_{}[]<>|#~$" else character for character in one_line(text))


def paper_table(
    sources: Sequence[ReportSource], style: Literal["markdown", "latex"] = "markdown", *, published: bool = False
) -> str:
    """A table for a paper: one row per run, one column per label value in the card's order, then overall.

    Cells read ``27.0 [24.2, 30.2]``, in per cent. Labels of more than eight values are left out. On screens the columns
    are the published numbers of each language and the averages. With `published`, the card's published rows stand
    before the runs.

    Raises:
        UsageError: the runs are of different benchmarks, there is none, or the style is unknown.
    """
    if style not in ("markdown", "latex"):
        raise UsageError(f"a table for a paper is written as markdown or latex, not as {style}")
    if len({source.card.name for source in sources}) != 1:
        raise UsageError("a table for a paper needs one or more runs of one and the same benchmark")
    card = sources[0].card
    on_screens = any(source.results.screens is not None for source in sources)
    columns = _of_screens(sources, card) if on_screens else _of_labels(sources, card)
    body: list[list[str]] = []
    if published:
        body += [[row.model, *(column.published(row) for column in columns)] for row in card.published]
    body += [[source.name, *(_cell(column.measured(source)) for column in columns)] for source in sources]
    heads = ["model", *(column.title for column in columns)]
    rows = [[_escape(cell, style) for cell in row] for row in [heads, *body]]
    if style == "markdown":
        rule = ["---", *["---:"] * (len(heads) - 1)]
        # Brackets of an interval need no escape: no address follows them.
        return (
            "\n".join(
                "| " + " | ".join(row).replace("\\[", "[").replace("\\]", "]") + " |"
                for row in [rows[0], rule, *rows[1:]]
            )
            + "\n"
        )
    lines = [" & ".join(row) + r" \\" for row in rows]
    begin = rf"\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}"
    return "\n".join([begin, r"\hline", lines[0], r"\hline", *lines[1:], r"\hline", r"\end{tabular}", ""])


@dataclass(frozen=True, slots=True)
class _Column:
    """A column: a label's value (overall without a label), or a number of a run on screens.

    Attributes:
        title: its heading.
        label, value: of the column.
        number: name of the number; `value` is its language then.
    """

    title: str
    label: str = ""
    value: str = ""
    number: str = ""

    def published(self, row: PublishedRow) -> str:
        """What a published row has there."""
        if self.number:
            names = [
                name for name, number in screen_averages.AVERAGES.items() if number == self.number and not self.value
            ]
            share = row.metrics.get(names[0]) if names else None
        else:
            share = row.rates.get(f"{self.label}={self.value}" if self.label else "")
        return "-" if share is None else percent(share)

    def measured(self, source: ReportSource) -> Estimate | None:
        """What a run has there."""
        if self.number:
            return screens.paper_value(source, self.value, self.number)
        if not self.label:
            return source.results.headline
        return source.results.marginals.get(self.label, {}).get(self.value)


def _of_labels(sources: Sequence[ReportSource], card: Card) -> list[_Column]:
    named = dict.fromkeys(
        (label, value)
        for source in sources
        for label, values in source.results.marginals.items()
        if len(values) <= _VALUES
        for value in values
    )
    return [*(_Column(title_of(card, label, value), label, value) for label, value in named), _Column("overall")]


def _of_screens(sources: Sequence[ReportSource], card: Card) -> list[_Column]:
    return [
        _Column(title, "language", language, number) for title, language, number in screens.paper_columns(sources, card)
    ]


def _cell(estimate: Estimate | None) -> str:
    if estimate is None or estimate.value is None:
        return "-"
    return f"{percent(estimate.value)} {format(estimate, 'interval')}".rstrip()

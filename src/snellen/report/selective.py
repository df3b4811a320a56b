"""Selective behaviour in words: tables and figures for the page, tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from snellen.engine.odds import Area
from snellen.engine.risk_coverage import Point
from snellen.engine.selective import ANSWERABLE, UNANSWERABLE, Detected, Selective, Worth
from snellen.engine.withholding import Withholding
from snellen.estimate import Estimate
from snellen.report.certainty_figures import reliability, risk_curve
from snellen.report.comparison import Cell
from snellen.report.drawing import table, text
from snellen.report.text import one_line
from snellen.report.view import percent, title_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

WORTH_LEGEND = (
    "Right: answers that are right. Declined: right by the rubric, and not. Wrong: those that hallucinate. Worth is "
    "the mean of +1 for a right answer, 0 for none and -{cost} for one that hallucinates: to decline always gives 0. "
    "Credited gives +1 for declining where that is right, too. Break-even: right answers for each hallucination; where "
    "one costs more, silence is worth more."
)
DETECTION_LEGEND = (
    "Whether declining tells the questions that have no answer from those that have one. d' is 0 where it does not, "
    "whatever the model likes to do; c is above 0 where it leans towards answering, below 0 where it leans towards "
    "declining."
)
SOURCES = {"words": "as the answers state it", "tokens": "mean token probability"}
NO_CONFIDENCE = (
    "No answer has a confidence. Ask for one (--prompt confidence), or declare logprobs = true among the model's "
    "parameters where its server returns them."
)
_NAME = 20  # columns for the names of lines, where they need so many
_DIFFERENCES = {"score": "score", "over_refusal": "over-refusal", "abstention": "declined"}


@dataclass(frozen=True, slots=True)
class Row:
    """A titled line of words."""

    title: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One run."""

    name: str
    worth: tuple[Row, ...]
    worth_legend: str
    detection: tuple[Row, ...]
    confidence: tuple[Row, ...]
    note: str
    risk_figure: str
    reliability_figure: str
    withholding: tuple[Row, ...]
    promise: str
    change: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """All that the page shows."""

    parts: tuple[Part, ...]
    worth_headings: tuple[str, ...] = ("", "right", "declined", "wrong", "worth", "credited", "break-even")
    detection_headings: tuple[str, ...] = ("", "declined of unanswerable", "of answerable", "d'", "c")
    detection_legend: str = DETECTION_LEGEND
    withholding_headings: tuple[str, ...] = ("", "answered", "hallucinate of these", "worth")
    change_headings: tuple[str, ...] = ("", "from, to", "points", "interval", "p", "items")


def section(found: Sequence[Selective]) -> Section:
    """The runs, for the page."""
    return Section(tuple(_part(each, f"selective-{number}") for number, each in enumerate(found, 1)))


def show(found: Sequence[Selective], console: Console) -> None:
    """The runs, on the terminal."""
    shown = section(found)
    for part in shown.parts:
        console.print(text(part.name, "bold"))
        console.print(text(part.worth_legend, "dim"))
        _print(console, shown.worth_headings, part.worth)
        if part.detection:
            console.print(text(shown.detection_legend, "dim"))
            _print(console, shown.detection_headings, part.detection)
        for row in part.confidence:
            console.print(text(f"{row.title}: {row.cells[0]}"))
        if part.note:
            console.print(text(part.note))
        if part.withholding:
            console.print(text(f"\n{part.promise}"))
            _print(console, shown.withholding_headings, part.withholding)
            _print(console, shown.change_headings, part.change)
        console.print()


def _print(console: Console, headings: tuple[str, ...], rows: Sequence[Row]) -> None:
    drawn = table(*headings, first=min(_NAME, max([12, *(len(row.title) for row in rows)])), tight=True)
    for row in rows:
        drawn.add_row(text(row.title), *map(_stacked, row.cells))
    console.print(drawn)


def _stacked(cell: str) -> Text:
    """A cell with its interval below it, since side by side they are wider than a terminal."""
    value, bracket, interval = cell.partition(" [")
    return text(value).append(f"\n[{interval}", "dim") if bracket else text(cell)


def _part(found: Selective, key: str) -> Part:
    held, risk, calibration = found.withholding, found.risk, found.calibration
    name = one_line(found.run, 200)
    given = None
    if held is not None and held.after.risk.value is not None and held.withheld and found.confident:
        kept = held.after.risk.n and _answered(held.after.coverage) / found.confident
        given = Point(0.0, min(1.0, kept), held.after.risk.value)
    return Part(
        name,
        tuple(Row(_worth_title(each, found), _worth_cells(each)) for each in found.worth),
        WORTH_LEGEND.format(cost=f"{found.cost:g}"),
        tuple(Row(_title(each.label, each.value, found), _detection_cells(each)) for each in found.detection),
        tuple(_confidence(found)),
        NO_CONFIDENCE if found.source is None else "",
        ""
        if risk is None
        else risk_curve(risk.curve, key=f"{key}-risk", title=f"Risk over coverage, {name}", given=given),
        ""
        if calibration is None
        else reliability(calibration.bins, key=f"{key}-reliability", title=f"Reliability diagram, {name}"),
        () if held is None else tuple(_given(held)),
        "" if held is None else promise(held),
        () if held is None else tuple(_change(held)),
    )


def _answered(coverage: Estimate) -> int:
    return coverage.hits or 0


def _worth_title(each: Worth, found: Selective) -> str:
    if each.label or not each.value:
        return _title(each.label, each.value, found)
    return {ANSWERABLE: "Answerable", UNANSWERABLE: "Unanswerable"}[each.value]


def _title(label: str, value: str, found: Selective) -> str:
    return title_of(found.card, label, value) if label else "All"


def _worth_cells(each: Worth) -> tuple[str, ...]:
    return (
        f"{each.right:,}",
        f"{each.declined_right:,} + {each.silent:,}",
        f"{each.hallucinated:,}",
        number(each.reliability),
        number(each.credited),
        number(each.break_even),
    )


def _detection_cells(each: Detected) -> tuple[str, ...]:
    found = each.found
    return (
        f"{share(found.hits)} of {found.hits.n:,}",
        f"{share(found.false_alarms)} of {found.false_alarms.n:,}",
        number(found.sensitivity),
        number(found.criterion),
    )


def number(estimate: Estimate) -> str:
    """``+0.35 [+0.21, +0.48]``, ``-`` without a value."""
    if estimate.value is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return _signed(estimate.value)
    return f"{_signed(estimate.value)} [{_signed(estimate.low)}, {_signed(estimate.high)}]"


def share(estimate: Estimate) -> str:
    """``12.3 % [8.1, 17.0]``, ``-`` without a value."""
    return "-" if estimate.value is None else f"{estimate:value} {estimate:interval}".strip()


def _signed(value: float) -> str:
    words = f"{value:.2f}"
    return "0.00" if words == "-0.00" else words


def _confidence(found: Selective) -> Iterator[Row]:
    risk, calibration = found.risk, found.calibration
    if found.source is None or risk is None or calibration is None:
        return
    of = f"{found.confident:,} of {found.answers:,} answers that claim something"
    yield Row("Confidence", (f"{SOURCES[found.source]}; {of} have one",))
    yield Row("Hallucinations among these", (share(risk.risk),))
    yield Row(
        "Area under risk over coverage (AURC)", (f"{share(risk.aurc)}; above the best order {share(risk.excess)}",)
    )
    yield Row("A hallucination has the lower confidence", (_area(risk.separation),))
    mean = "-" if calibration.confidence is None else f"{percent(calibration.confidence)} %"
    over = calibration.overconfidence
    yield Row("Mean confidence", (f"{mean}; right {share(calibration.right)}; overconfidence {share(over)}",))
    plain = "" if calibration.plain_error is None else f"; not debiased {percent(calibration.plain_error)} %"
    yield Row("Calibration error (ECE)", (f"{share(calibration.error)}{plain}",))
    yield Row("Brier score", (number(calibration.brier),))


def _area(area: Area) -> str:
    if area.value is None:
        return "-"
    ends = "" if area.low is None or area.high is None else f" [{percent(area.low)}, {percent(area.high)}]"
    return f"{percent(area.value)} %{ends} of pairs, 50 being chance"


def promise(held: Withholding) -> str:
    """What the threshold guarantees, in a sentence."""
    terms = held.guarantee
    most = f"at most {_plain(terms.risk)} % of the answers given hallucinate"
    if held.threshold is None:
        more = "ask about more images, or allow more risk" + (", or take --approximate" if terms.exact else "")
        return f"No threshold guarantees that {most}: all answers would be withheld; {more}."
    sure = f"with {_plain(1 - terms.miss)} % certainty"
    how = "" if terms.exact else ", approximately, for many images"
    at = f"{held.threshold:.4g}"
    return (
        f"Giving only answers with a confidence of {at} or more, {most} on other images of this kind, {sure}{how}. "
        "Measured below with each image's threshold fitted on the others, and plain refusals in place of the rest."
    )


def _plain(value: float) -> str:
    return f"{100 * value:.4g}"


def _given(held: Withholding) -> Iterator[Row]:
    for title, each in (("As it is", held.before), ("With answers withheld", held.after)):
        yield Row(title, (share(each.coverage), share(each.risk), number(each.reliability)))
    yield Row("Difference", ("", "", number(held.gain)))


def _change(held: Withholding) -> Iterator[Row]:
    for name, title in _DIFFERENCES.items():
        cell = Cell.of(held.differences[name])
        yield Row(title, (cell.rates, cell.change, cell.interval, cell.chance, cell.moved))

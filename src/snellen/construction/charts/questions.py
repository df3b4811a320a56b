"""A chart to be drawn, the questions about it, and how a reference is written from its truth."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from snellen.construction.charts.truth import Expression, Table, evaluate

QuestionType = Literal["descriptive", "reasoning", "open-ended"]
Relation = Literal["irrelevant", "inexistent", "contradictory", "normal"]
Kind = Literal[
    "bar",
    "horizontal-bar",
    "grouped-bar",
    "stacked-bar",
    "line",
    "area",
    "scatter",
    "pie",
    "histogram",
    "heat-map",
    "box",
]

BOX_SERIES = ("low", "q1", "median", "q3", "high")
"""The series of a box chart: ends of the whiskers, quartiles and median of each category."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question and what makes its reference true.

    Attributes:
        question_type, relation: its cell.
        text: as asked.
        reference: as written, with ``{name}`` for each of `values`; empty for open-ended normal questions.
        values: name -> (expression, tolerance, unit). A number with a tolerance above 0 is written with its acceptable
            range, a number without one exactly, a text as it is. The unit (``%`` or empty) follows every number.
        premise: an expression that is false where the relation is contradictory, and true where it is normal.
        absent: words of the question that must stand nowhere on the chart (irrelevant and inexistent).
    """

    question_type: QuestionType
    relation: Relation
    text: str
    reference: str = ""
    values: Mapping[str, tuple[Expression, float, str]] = field(default_factory=dict)
    premise: Expression | None = None
    absent: tuple[str, ...] = ()

    def written_reference(self, table: Table) -> str:
        """The reference with its values and acceptable ranges filled in from the drawn data.

        Raises:
            KeyError: the reference names a value that is not declared.
        """
        texts = {
            name: _written(evaluate(expression, table), tolerance, unit)
            for name, (expression, tolerance, unit) in self.values.items()
        }
        return re.sub(r"\{(\w+)\}", lambda match: texts[match[1]], self.reference)

    def truth(self, table: Table) -> dict[str, Any]:
        """Plain values for the shipped file: what a reader needs to check the reference against the drawn data."""
        truth: dict[str, Any] = {}
        if self.values:
            truth["values"] = [
                {"is": e, "value": evaluate(e, table), "tolerance": tolerance}
                for e, tolerance, _ in self.values.values()
            ]
        if self.premise is not None:
            truth["premise"] = {"is": self.premise, "value": evaluate(self.premise, table)}
        if self.absent:
            truth["absent"] = list(self.absent)
        return truth


@dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn.

    Attributes:
        figure: its name in ids and file names: lower case with hyphens.
        kind: how it is drawn.
        title, x_label, y_label: texts on it. A heat map's `y_label` names its color bar, a pie has neither.
        categories: along the axis. Of a histogram, the bins as ``0-10``; of a scatter chart, the names of the points.
        series: name -> one number for each category. A scatter chart has two, its x and y; a box chart those of
            `BOX_SERIES`. A heat map's series are its rows.
        labelled: whether the values are printed on it.
        suffix: ``png`` or ``jpg``.
        size: of the image in pixels.
    """

    figure: str
    kind: Kind
    title: str
    x_label: str
    y_label: str
    categories: tuple[str, ...]
    series: Mapping[str, tuple[float, ...]]
    questions: tuple[Question, ...]
    language: Literal["en", "zh"] = "en"
    labelled: bool = False
    suffix: Literal["png", "jpg"] = "png"
    size: tuple[int, int] = (760, 500)

    @property
    def table(self) -> Table:
        """The drawn data."""
        return Table(self.categories, self.series)

    @property
    def image(self) -> str:
        """Name of the image, relative to the benchmark's folder."""
        return f"images/{self.figure}.{self.suffix}"

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text on the chart, numbers on axes and data labels apart."""
        shown: tuple[str, ...] = (self.title, self.x_label, self.y_label)
        if self.kind != "histogram":  # its bins show as ticks
            shown += self.categories
        if self.kind not in ("scatter", "box") and (len(self.series) > 1 or self.kind == "heat-map"):
            shown += tuple(self.series)
        return tuple(text for text in shown if text)


def _written(value: float | str, tolerance: float, unit: str) -> str:
    if isinstance(value, str):
        return value
    if not tolerance:
        return f"{_digits(value)}{unit}"
    # no thousands separators: "[7,000, 7,200]" could be read as four numbers
    low, high = (f"{_digits(bound)}{unit}" for bound in (value - tolerance, value + tolerance))
    return f"{_digits(value)}{unit} (Answers in the range [{low}, {high}] are ACCEPTABLE)"


def _digits(value: float) -> str:
    return f"{round(value, 2):g}" if abs(value) < 1e5 else f"{value:.0f}"

"""What is true of a drawn chart, as expressions over the table that was drawn.

An expression is a number, a text, or a tuple whose first member names an operation::

    ("-", ("at", "Sales", "Q3"), ("at", "Sales", "Q1"))
    (">", ("max", "Oslo"), 10)
    ("=", ("argmax", "Sales"), "Airport")

Since expressions are plain values they are shipped beside the questions, so that anybody can check a reference
against the drawn data without this module.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Any

Value = float | str | bool
Expression = float | str | Sequence[Any]

_FOLDS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {">": operator.gt, "<": operator.lt, "=": operator.eq}


@dataclass(frozen=True, slots=True)
class Table:
    """The data of one chart: `series` maps a name to one number for each of `categories`."""

    categories: tuple[str, ...]
    series: Mapping[str, tuple[float, ...]]

    def __post_init__(self) -> None:
        for name, values in self.series.items():
            if len(values) != len(self.categories):
                raise ValueError(f"series {name!r} has {len(values)} values for {len(self.categories)} categories")


def evaluate(expression: Expression, table: Table) -> Value:
    """The value of an expression.

    Operations: ``at SERIES CATEGORY``; ``max``, ``min``, ``sum``, ``mean``, ``first``, ``last``, ``argmax``,
    ``argmin``, ``rising``, ``falling`` of a SERIES; ``above SERIES LIMIT`` (how many values exceed it);
    ``total CATEGORY`` (over all series); ``count`` (of categories); ``count-series``; ``+ - * /`` and ``> < =`` of
    expressions.

    Raises:
        ValueError: the operation is unknown.
        KeyError: there is no such series or category.

    >>> evaluate(("-", ("at", "Sales", "Q2"), ("at", "Sales", "Q1")), Table(("Q1", "Q2"), {"Sales": (3.0, 5.0)}))
    2.0
    """
    if isinstance(expression, int | float | str):
        return expression
    name, arguments = expression[0], expression[1:]
    if name in _FOLDS:
        return float(reduce(_FOLDS[name], (evaluate(argument, table) for argument in arguments)))
    if name in _COMPARISONS:
        return _COMPARISONS[name](*(evaluate(argument, table) for argument in arguments))
    if name == "count":
        return len(table.categories)
    if name == "count-series":
        return len(table.series)
    if name == "total":
        return float(sum(values[_position(table, arguments[0])] for values in table.series.values()))
    values = table.series[arguments[0]]
    if name == "at":
        return values[_position(table, arguments[1])]
    if name == "above":
        return sum(value > float(arguments[1]) for value in values)
    if name not in _OF_SERIES:
        raise ValueError(f"unknown operation {name!r}")
    return _OF_SERIES[name](values, table.categories)


def _position(table: Table, category: str) -> int:
    if category not in table.categories:
        raise KeyError(category)
    return table.categories.index(category)


_OF_SERIES: Mapping[str, Callable[[tuple[float, ...], tuple[str, ...]], Value]] = {
    "max": lambda values, _: max(values),
    "min": lambda values, _: min(values),
    "sum": lambda values, _: float(sum(values)),
    "mean": lambda values, _: sum(values) / len(values),
    "first": lambda values, _: values[0],
    "last": lambda values, _: values[-1],
    "argmax": lambda values, categories: categories[values.index(max(values))],
    "argmin": lambda values, categories: categories[values.index(min(values))],
    "rising": lambda values, _: all(a < b for a, b in pairwise(values)),
    "falling": lambda values, _: all(a > b for a, b in pairwise(values)),
}

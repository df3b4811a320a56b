"""Rank correlation of numbers over models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from snellen.engine import rank_correlation as ranks
from snellen.engine.correlation import FEWEST
from snellen.engine.multiplicity import holm
from snellen.engine.rank_correlation import Method
from snellen.errors import UsageError
from snellen.statistics.columns import Floats, Ints, names_of, numbers, read
from snellen.statistics.groups import NUMBERS, Groups

if TYPE_CHECKING:
    import polars as pl

    from snellen.statistics.columns import Frame

BONETT_WRIGHT = "Bonett & Wright"


def rank_correlation(
    frame: Frame, columns: Sequence[str], *, method: Method = "spearman", by: str | Sequence[str] = ()
) -> pl.DataFrame:
    """How far numbers put the same models into the same order: each two of the columns.

    Spearman's rho or Kendall's tau-b with ties; p exact up to nine models, corrected by Holm over all rows of the
    result; the interval of Bonett & Wright (of Fieller for Kendall) on the scale of atanh
    (`snellen.engine.rank_correlation`). It is over the models alone: `snellen correlate`, which has their items,
    widens it by how uncertain each number is.

    Args:
        frame: a row for each model.
        columns: of numbers, two or more; a model without one of two numbers is left out of that pair.
        method: ``spearman`` or ``kendall``.
        by: columns whose values get rows of their own.

    Returns:
        The columns of `by`, ``first`` and ``second``, the usual ones (`n` models; no bounds, as no cluster), ``p`` and
        ``p_holm``. No value below 3 models or without variation, no interval nor p below 4.

    >>> import polars as pl
    >>> table = pl.DataFrame({"score": [1, 2, 3, 4], "resistance": [1, 2, 4, 3]})
    >>> rank_correlation(table, ["score", "resistance"]).select("value", "n", "p").row(0)
    (0.8, 4, 0.3333333333333333)
    """
    names, wanted = names_of(by), names_of(columns)
    if len(wanted) < 2:
        raise UsageError("a correlation is of two columns or more")
    if method not in ("spearman", "kendall"):
        raise UsageError(f"the method is spearman or kendall, not {method!r}")
    table = read(frame, *wanted, *names)
    values = {name: numbers(table, name) for name in wanted}
    groups = Groups.of(table, names)
    found = [
        (number, first, second, _one(values[first][rows], values[second][rows], method))
        for number, rows in enumerate(groups.rows)
        for first, second in combinations(wanted, 2)
    ]
    corrected = holm([each.p for *_, each in found])

    def lines() -> Iterator[tuple[int, dict[str, Any]]]:
        for (number, first, second, each), p_holm in zip(found, corrected, strict=True):
            own = {name: getattr(each, name) for name in ("value", "low", "high", "n", "unscored", "p", "method")}
            yield number, {"first": first, "second": second, **own, "p_holm": p_holm}

    return groups.collect(lines(), {"first": str, "second": str, **NUMBERS, "p": float, "p_holm": float})


@dataclass(frozen=True, slots=True)
class _Found:
    n: int
    unscored: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    method: str = "no interval"


def _one(x: Floats, y: Floats, method: Method) -> _Found:
    both: Ints = np.flatnonzero(~np.isnan(x) & ~np.isnan(y))
    n, unscored = len(both), len(x) - len(both)
    value = ranks.coefficient(x[both], y[both], method) if n >= FEWEST - 1 else None
    if value is None or n < FEWEST:
        return _Found(n, unscored, value)
    low, high = ranks.approximate(value, n, method)
    return _Found(n, unscored, value, low, high, ranks.p_value(x[both], y[both], method), BONETT_WRIGHT)

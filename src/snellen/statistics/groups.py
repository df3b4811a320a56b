"""Groups of a frame's rows, and what was found for each as a frame again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from snellen.errors import DataError, UsageError
from snellen.estimate import Estimate
from snellen.statistics.columns import Ints

if TYPE_CHECKING:
    import polars as pl

NUMBERS: Mapping[str, type] = {
    "value": float,
    "low": float,
    "high": float,
    "n": int,
    "clusters": int,
    "unscored": int,
    "lower_bound": float,
    "upper_bound": float,
    "method": str,
}
"""The columns that every estimate has, and what they hold."""

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Rows that agree in some columns.

    Attributes:
        keys: a row for each group, sorted; no column where nothing is grouped.
        rows: of each group, rising.
    """

    keys: pl.DataFrame
    rows: tuple[Ints, ...]

    @classmethod
    def of(cls, table: pl.DataFrame, by: Sequence[str], rows: Ints | None = None) -> Groups:
        """The groups of a table, null being a value like others, the last one.

        Args:
            table: with the columns of `by`.
            by: names; none for one group of all rows, which is there even if there are no rows.
            rows: only these, rising; None for all.

        Raises:
            DataError: a column holds lists or the like.
        """
        import polars as pl

        chosen = np.arange(len(table)) if rows is None else rows
        if not by:
            return cls(pl.DataFrame(), (chosen,))
        for name in by:
            if table.schema[name].is_nested():
                raise DataError(f"column {name!r} is of type {table.schema[name]}: rows cannot be grouped by it")
        place = "row"
        while place in by:
            place += "_"
        keys = table.select(by)[chosen].with_columns(pl.Series(place, chosen), pl.col(pl.Null).cast(pl.String))
        found = keys.group_by(list(by)).agg(pl.col(place)).sort(list(by), nulls_last=True)
        return cls(found.select(by), tuple(np.sort(each.to_numpy()) for each in found.get_column(place)))

    def collect(self, found: Iterable[tuple[int, Line]], columns: Mapping[str, type]) -> pl.DataFrame:
        """A frame of the groups' keys and these columns.

        Args:
            found: number of a group, and a row for it.
            columns: what rows hold, in order.

        Raises:
            UsageError: a column of the result is called like one of the keys.
        """
        import polars as pl

        if taken := [name for name in self.keys.columns if name in columns]:
            raise UsageError(f"the result has a column {taken[0]!r} of its own: rename that by which you group")
        lines = list(found)
        types = {float: pl.Float64, int: pl.Int64, str: pl.String, bool: pl.Boolean}
        whole = pl.DataFrame(
            {name: [line.get(name) for _, line in lines] for name in columns},
            schema={name: types[kind] for name, kind in columns.items()},
        )
        if not self.keys.columns:
            return whole
        return self.keys[[number for number, _ in lines]].hstack(whole)


def plain(estimate: Estimate) -> dict[str, Any]:
    """An estimate under the names of `NUMBERS`."""
    return {name: getattr(estimate, name) for name in NUMBERS}


def estimates(table: pl.DataFrame, by: Sequence[str], of: Callable[[Ints], Estimate]) -> pl.DataFrame:
    """One estimate for each group, of its rows."""
    groups = Groups.of(table, by)
    return groups.collect(((number, plain(of(rows))) for number, rows in enumerate(groups.rows)), NUMBERS)


def several(
    table: pl.DataFrame, by: Sequence[str], of: Callable[[Ints], Mapping[str, Estimate]], rows: Ints | None = None
) -> pl.DataFrame:
    """Several estimates for each group, named in the column ``statistic``."""
    groups = Groups.of(table, by, rows)
    found = (
        (number, {"statistic": name, **plain(each)})
        for number, own in enumerate(groups.rows)
        for name, each in of(own).items()
    )
    return groups.collect(found, {"statistic": str, **NUMBERS})

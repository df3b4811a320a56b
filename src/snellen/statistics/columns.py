"""Columns of a data frame as arrays of numbers, or an error that names column and row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, Union

import numpy as np
import numpy.typing as npt

from snellen.errors import DataError, UsageError

if TYPE_CHECKING:
    import polars as pl

    Frame: TypeAlias = Union[pl.DataFrame, pl.LazyFrame]  # noqa: UP007 (a string in the other form at run time)

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Values = npt.NDArray[np.int8]

_LARGEST = 1e100


def need_polars() -> None:
    """See that the library is there.

    Raises:
        UsageError: it is not installed.
    """
    try:
        import polars  # noqa: F401 (only whether it can be imported)
    except ImportError as error:
        raise UsageError("data frames need Polars, which is not installed: pip install 'snellen[polars]'") from error


def names_of(by: str | Iterable[str]) -> tuple[str, ...]:
    """One name, or several, each once."""
    return (by,) if isinstance(by, str) else tuple(dict.fromkeys(by))


def read(frame: Frame, *names: str | None) -> pl.DataFrame:
    """Those columns of a frame; a name that is None is none.

    Raises:
        UsageError: this is no Polars frame, or it has no such column.
    """
    need_polars()
    import polars as pl

    if not isinstance(frame, (pl.DataFrame, pl.LazyFrame)):
        raise UsageError(
            f"a Polars frame is wanted, not {type(frame).__name__}: pl.DataFrame(...), pl.from_pandas(...)"
        )
    lazy = frame.lazy()
    known = lazy.collect_schema().names()
    wanted = [name for name in dict.fromkeys(names) if name is not None]
    for name in wanted:
        if name not in known:
            raise UsageError(f"the frame has no column {name!r}; its columns are: {', '.join(known) or 'none'}")
    return lazy.select(wanted).collect() if wanted else lazy.collect()


def binary(table: pl.DataFrame, name: str) -> Values:
    """A column of zeros, ones and nulls, shape (N,): -1 stands for null.

    Raises:
        DataError: another type, or another number.
    """
    import polars as pl

    column = table.get_column(name)
    if column.dtype == pl.Null:
        return np.full(len(column), -1, np.int8)
    if column.dtype == pl.Boolean:
        column = column.cast(pl.Int8)
    elif not column.dtype.is_numeric():
        raise _wrong_type(column, "0, 1 and null")
    missing = column.is_null().to_numpy()
    numbers = column.cast(pl.Float64).fill_null(-1.0).to_numpy()
    odd = ~missing & ~np.isin(numbers, (0.0, 1.0))
    if odd.any():
        _refuse(column, odd, "where 0, 1 and null can stand")
    found: Values = numbers.astype(np.int8)
    return found


def numbers(table: pl.DataFrame, name: str, *, low: float = -np.inf, high: float = np.inf) -> Floats:
    """A column of finite numbers, shape (N,): NaN stands for null.

    Numbers beyond 1e100 are refused: their squares could not be told.

    Args:
        table: with the column.
        name: of the column.
        low, high: the least and the greatest that can be.

    Raises:
        DataError: another type, a number that is not finite, or one out of range.
    """
    import polars as pl

    column = table.get_column(name)
    if column.dtype == pl.Null:
        return np.full(len(column), np.nan)
    if not column.dtype.is_numeric() and column.dtype != pl.Boolean:
        raise _wrong_type(column, "numbers and null")
    missing = column.is_null().to_numpy()
    found: Floats = column.cast(pl.Float64).fill_null(0.0).to_numpy().copy()
    if (odd := ~np.isfinite(found)).any():
        _refuse(column, odd, "where a finite number or null can stand")
    if (odd := np.abs(found) > _LARGEST).any():
        _refuse(column, odd, f"where a number of at most {_LARGEST:g} in size can stand")
    if (odd := (found < low) | (found > high)).any():
        span = f"from {low:g} to {high:g}" if np.isfinite(high) else f"of at least {low:g}"
        _refuse(column, odd & ~missing, f"where a number {span} can stand")
    found[missing] = np.nan
    return found


def clusters(table: pl.DataFrame, name: str | None) -> Ints:
    """Number of the cluster of each row, shape (N,); without a column every row is a cluster of its own.

    Raises:
        DataError: a null, or a column that names nothing: fractions, lists.
    """
    if name is None:
        return np.arange(len(table))
    found = codes(table, name, "every row belongs to a cluster")
    # Numbered as they first occur, as in a table of verdicts: sums of fractions then agree to the last digit.
    _, first = np.unique(found, return_index=True)
    number = np.empty(len(first), np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    return number[found]


def codes(table: pl.DataFrame, name: str, why: str = "") -> Ints:
    """A number from 0 for each distinct value of a column of names, in their order; -1 for null.

    Args:
        table: with the column.
        name: of the column.
        why: a null is an error, for this reason; empty where nulls can be.

    Raises:
        DataError: a null that cannot be, or a column that names nothing: fractions, lists.
    """
    import polars as pl

    column = table.get_column(name)
    kind = column.dtype
    if kind in (pl.Categorical, pl.Enum):
        column = column.cast(pl.String)
    elif not (kind.is_integer() or kind in (pl.String, pl.Boolean, pl.Null)):
        raise _wrong_type(column, "texts or whole numbers")
    missing = column.is_null().to_numpy()
    if why and missing.any():
        raise DataError(f"column {name!r} is null, and {why}", row=_row(missing))
    found = np.full(len(column), -1, np.int64)
    if not missing.all():
        found[~missing] = np.unique(_dense(column.drop_nulls()), return_inverse=True)[1]
    return found


def _dense(column: pl.Series) -> npt.NDArray[Any]:
    """Numbers in the order of the values."""
    import polars as pl

    if column.dtype.is_integer():
        return np.asarray(column.to_numpy())
    return np.asarray(column.cast(pl.String).rank("dense").to_numpy())


def texts(table: pl.DataFrame, name: str) -> pl.Series:
    """A column of texts.

    Raises:
        DataError: it is of something else.
    """
    import polars as pl

    column = table.get_column(name)
    if column.dtype not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
        raise _wrong_type(column, "texts")
    return column.cast(pl.String)


def among(table: pl.DataFrame, name: str, known: Sequence[str]) -> Ints:
    """A column of such words and nulls, shape (N,): the place of each among them, -1 for null.

    Raises:
        DataError: another word, or no texts.
    """
    column = texts(table, name)
    found = np.full(len(column), -1, np.int64)
    for place, word in enumerate(known):
        found[(column == word).fill_null(False).to_numpy()] = place
    if (odd := (found < 0) & ~column.is_null().to_numpy()).any():
        _refuse(column, odd, f"where {', '.join(known)} and null can stand")
    return found


def distinct(keys: Sequence[Ints], what: str) -> None:
    """See that no two rows agree in all keys.

    Args:
        keys: each of shape (N,).
        what: should be there once: ``an item of a run``.

    Raises:
        DataError: two do.
    """
    joined = combined(keys)
    order = np.argsort(joined, kind="stable")
    twice = joined[order][1:] == joined[order][:-1]
    if twice.any():
        first = int(np.flatnonzero(twice)[0])
        raise DataError(
            f"{what} stands twice, first in row {order[first]}: leave one of them out, or name the column that tells "
            "them apart",
            row=str(order[first + 1]),
        )


def combined(keys: Sequence[Ints]) -> Ints:
    """One number for each combination of numbers of several columns, shape (N,)."""
    found = keys[0]
    for each in keys[1:]:
        found = np.unique(found, return_inverse=True)[1] * (int(each.max(initial=-1)) + 2) + each + 1
    return found.astype(np.int64)


def _wrong_type(column: pl.Series, wanted: str) -> DataError:
    return DataError(f"column {column.name!r} is of type {column.dtype}, and should hold {wanted}: cast it first")


def _row(bad: npt.NDArray[np.bool_]) -> str:
    return str(int(np.flatnonzero(bad)[0]))


def _refuse(column: pl.Series, bad: npt.NDArray[np.bool_], wanted: str) -> None:
    row = _row(bad)
    held = column[int(row)]
    hint = "; make it null with fill_nan(None)" if isinstance(held, float) and np.isnan(held) else ""
    raise DataError(f"column {column.name!r} holds {held!r}, {wanted}{hint}", row=row)

"""Records written as JSON Lines, CSV or Parquet, a row at a time: memory does not grow with a run."""

from __future__ import annotations

import csv
import importlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import orjson

from snellen.errors import UsageError

Row = Mapping[str, Any]
Columns = Mapping[str, type]

_GROUP = 10_000  # rows of a Parquet row group


def write_text(rows: Iterable[Row], columns: Columns, file: TextIO, form: str) -> None:
    """Write rows as JSON Lines, with what each has, or as CSV, with every column.

    Args:
        rows: plain values; a mapping in CSV is written as JSON, and a missing value is an empty field.
        columns: name -> ``str``, ``int`` or ``float``.
        file: where to.
        form: ``jsonl`` or ``csv``.
    """
    if form == "jsonl":
        for row in rows:
            file.write(orjson.dumps(row).decode() + "\n")
        return
    writer = csv.DictWriter(file, list(columns), extrasaction="ignore", restval="")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _flat(value) for name, value in row.items()})


def write_parquet(rows: Iterable[Row], columns: Columns, path: Path) -> None:
    """Write rows as Parquet (zstd), with every column; a mapping is written as JSON.

    Raises:
        UsageError: pyarrow is not installed.
        OSError: the file cannot be written.
    """
    try:
        arrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise UsageError("Parquet needs pyarrow, which is not installed: pip install 'snellen[parquet]'") from error
    types = {str: arrow.string(), int: arrow.int64(), float: arrow.float64()}
    schema = arrow.schema([(name, types[kind]) for name, kind in columns.items()])
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for group in _groups(iter(rows)):
            whole = [{name: _flat(row.get(name)) for name in columns} for row in group]
            writer.write_table(arrow.Table.from_pylist(whole, schema=schema))


def _groups(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while group := list(islice(rows, _GROUP)):
        yield group


def _flat(value: Any) -> Any:
    return orjson.dumps(value).decode() if isinstance(value, Mapping) else value

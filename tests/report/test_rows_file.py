"""Records as JSON Lines, CSV and Parquet: what goes in comes out."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from snellen.errors import UsageError
from snellen.report import rows_file

COLUMNS: dict[str, type] = {"id": str, "text": str, "value": int, "share": float, "measures": str}
HARD = ["", "None", 'a\r\nb,"c"', "=cmd()", "是的\u2028。", "\x00\x1b"]


def rows() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"id": str(n), "text": text, "value": n % 2, "share": n / 7} for n, text in enumerate(HARD)
    ]
    return [*found, {"id": "x", "text": None, "value": None, "measures": {"iou": [0.5, 1]}, "other": "left out of CSV"}]


def test_json_lines_keep_what_each_row_has() -> None:
    file = io.StringIO()
    rows_file.write_text(rows(), COLUMNS, file, "jsonl")
    assert [json.loads(line) for line in file.getvalue().split("\n") if line] == rows()


def test_csv_has_every_column(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows_file.write_text(rows(), COLUMNS, file, "csv")
    with path.open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    assert list(read[0]) == list(COLUMNS)
    assert [row["text"] for row in read[:-1]] == HARD
    assert json.loads(read[-1]["measures"]) == {"iou": [0.5, 1]}
    assert (read[-1]["value"], read[-1]["text"]) == ("", "")


def test_a_csv_without_rows_has_a_head() -> None:
    file = io.StringIO()
    rows_file.write_text([], COLUMNS, file, "csv")
    assert file.getvalue().strip() == ",".join(COLUMNS)


def test_parquet_keeps_types_and_gaps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(rows_file, "_GROUP", 3)
    path = tmp_path / "rows.parquet"
    rows_file.write_parquet(rows(), COLUMNS, path)
    table = parquet.read_table(path)
    assert [str(kind) for kind in table.schema.types] == ["string", "string", "int64", "double", "string"]
    assert parquet.ParquetFile(path).num_row_groups == 3
    read = table.to_pylist()
    assert [row["text"] for row in read] == [*HARD, None]
    assert [row["share"] for row in read] == [*(n / 7 for n in range(len(HARD))), None]
    assert json.loads(read[-1]["measures"]) == {"iou": [0.5, 1]}


def test_parquet_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(rows_file, "_GROUP", 10)
    ahead, most = 0, 0

    def counted() -> Iterator[dict[str, Any]]:
        nonlocal ahead, most
        for number in range(100):
            ahead += 1
            most = max(most, ahead)
            yield {"id": str(number)}

    groups = rows_file._groups(counted())
    for group in groups:
        ahead -= len(group)
    assert most <= 10


def test_without_pyarrow_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"pip install 'snellen\[parquet\]'"):
        rows_file.write_parquet(rows(), COLUMNS, tmp_path / "x.parquet")

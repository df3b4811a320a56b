"""Recorded answers: every layout that a file may have gives its rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from snellen.models import replay

ROWS = [{"id": "a/1", "response": "It is 4."}, {"id": "a/2", "response": "There is none."}]


def texts(path: Path) -> dict[str, str | None]:
    recording = replay.read(path, lambda key: key)
    assert not recording.problems
    return {name: recording.text(name, judging=False) for name in ("a/1", "a/2")}


@pytest.mark.parametrize("rows", [ROWS, ROWS[:1]], ids=["two rows", "one row"])
@pytest.mark.parametrize("layout", ["lines", "list", "object"])
def test_rows_as_lines_as_a_list_or_as_an_object(tmp_path: Path, layout: str, rows: list[dict[str, str]]) -> None:
    bodies = {
        "lines": "\n".join(map(json.dumps, rows)),
        "list": json.dumps(rows),
        "object": json.dumps({row["id"]: {"response": row["response"]} for row in rows}),
    }
    file = tmp_path / ("answers.jsonl" if layout == "lines" else "answers.json")
    file.write_text(bodies[layout], encoding="utf-8")
    assert texts(file) == {"a/1": "It is 4.", "a/2": "There is none." if len(rows) == 2 else None}

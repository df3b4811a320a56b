"""What came of asking alone: counted as the table of verdicts counts it, told without it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from snellen import library
from snellen.engine.asked import asked
from snellen.engine.judged import Judged
from snellen.engine.workspace import Workspace

TRUNCATE = "UPDATE answer SET status = 'truncated' WHERE id IN (1, 2)"
BLOCK = "UPDATE answer SET status = 'blocked' WHERE id = 3"
FAIL = "INSERT INTO failure (key, kind, message, created) VALUES (?, 'timeout', 'no answer', 0)"
REFUSE = "UPDATE run_item SET key = NULL, error = ? WHERE position = ?"


@pytest.fixture
def run(tmp_path: Path) -> library.Run:
    with Workspace(tmp_path) as workspace:
        return library.run("charthal-demo", model="blind", judge="", workspace=workspace, sample=4)


def test_answers_are_counted_as_the_table_counts_them(tmp_path: Path, run: library.Run) -> None:
    places = sorted(run.outcome.positions)[-4:]
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as ledger, ledger:
        ledger.execute(TRUNCATE)
        ledger.execute(BLOCK)
        ledger.execute(REFUSE, ("data_error: no such file", places[0]))
        ledger.execute(REFUSE, ("missing: no recorded answer: at all", places[1]))
        for place in places[2:]:  # neither has an answer, and one of them a failure
            [(key,)] = ledger.execute("SELECT key FROM run_item WHERE position = ?", (place,)).fetchall()
            ledger.execute("DELETE FROM answer WHERE key = ?", (key,))
        ledger.execute(FAIL, (key,))
    with Workspace(tmp_path) as workspace:
        found = asked(workspace.ledger, run.row, None)
        table = Judged(workspace, run.row, None, None).table.unscored_counts()
        for reason in ("truncated", "blocked", "model_error", "data_error"):
            assert found.counts[reason] == table[reason] > 0, reason
        assert found.counts["missing"] + found.counts["answered"] == table["missing"]
        assert found.counts["missing"] == 2
        assert found.counts_text() == (
            f"{found.counts['answered']} of {sum(found.counts.values())} answered,"
            f" truncated {found.counts['truncated']}, blocked 1, model errors 1, data errors 1, missing 2"
        )


def test_only_the_view_is_counted(tmp_path: Path, run: library.Run) -> None:
    with Workspace(tmp_path) as workspace:
        assert asked(workspace.ledger, run.row, set(sorted(run.outcome.positions)[:3])).counts_text() == (
            "3 of 3 answered, truncated 0, blocked 0, model errors 0"
        )


def test_remarks_are_those_of_the_table_but_for_what_hangs_on_verdicts(tmp_path: Path, run: library.Run) -> None:
    with Workspace(tmp_path) as workspace:
        found = asked(workspace.ledger, run.row, None)
        judged = Judged(workspace, run.row, None, None)
        assert found.remarks
        assert [*found.remarks] == [said for said in judged.remarks if said != "Nothing is judged yet."]

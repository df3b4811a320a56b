"""Sums of a large run: kept once all answers are there, and made anew whenever what they hang on is another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from snellen import library
from snellen.answer import Answer, Failure
from snellen.engine import provenance
from snellen.engine.workspace import Workspace
from snellen.ledger import Ledger, sums


class Counted:
    """Sums that say how often they were made."""

    def __init__(self, requests: int) -> None:
        self.requests, self.made = requests, 0

    def __call__(self) -> dict[str, Any]:
        self.made += 1
        return {"requests": self.requests, "made": self.made}


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.setattr(sums, "LEAST", 10)
    with Workspace(tmp_path) as opened:
        yield opened


@pytest.fixture
def run(workspace: Workspace) -> library.Run:
    return library.run("charthal-demo", model="blind", workspace=workspace)


def distinct(ledger: Ledger, number: int) -> int:
    with ledger._database.read() as connection:
        row = connection.execute("SELECT count(DISTINCT key) FROM run_item WHERE run_id = ?", (number,)).fetchone()
        return int(row[0])


def look(ledger: Ledger, number: int, how: Counted, source: str = "s") -> Any:
    return sums.kept(ledger, number, judging=False, source=source, sum_up=how)["made"]


def change(ledger: Ledger, statement: str, *values: Any) -> None:
    with ledger._database.write() as connection:
        connection.execute(statement, values)


def test_they_are_summed_up_once(workspace: Workspace, run: library.Run) -> None:
    ledger, number = workspace.ledger, run.row.id
    how = Counted(distinct(ledger, number))
    assert [look(ledger, number, how) for _ in range(3)] == [1, 1, 1]
    assert how.made == 1
    assert look(ledger, number, how, source="another") == 2
    assert look(ledger, number, how, source="another") == 2


def test_a_run_that_asks_otherwise_is_summed_up_anew(workspace: Workspace, run: library.Run) -> None:
    ledger, number = workspace.ledger, run.row.id
    how = Counted(distinct(ledger, number))
    look(ledger, number, how)
    change(
        ledger,
        "UPDATE run_item SET key = x'00112233445566778899aabbccddeeff' WHERE run_id = ? AND position = 5",
        number,
    )
    assert look(ledger, number, how) == 2
    change(ledger, "DELETE FROM run_item WHERE run_id = ? AND position = 6", number)
    assert look(ledger, number, how) == 3


def test_where_an_answer_came_meanwhile_nothing_is_kept(workspace: Workspace, run: library.Run) -> None:
    ledger, number = workspace.ledger, run.row.id
    how = Counted(distinct(ledger, number) - 1)
    assert [look(ledger, number, how) for _ in range(2)] == [1, 2]


def test_with_few_requests_open_they_hold_until_one_is_answered(
    workspace: Workspace, run: library.Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, number = workspace.ledger, run.row.id
    how = Counted(distinct(ledger, number) - 2)
    with ledger._database.read() as connection:
        rows = connection.execute("SELECT position, key FROM run_item WHERE run_id = ? LIMIT 2", (number,)).fetchall()
    for position, key in rows:
        change(ledger, "UPDATE run_item SET key = ? WHERE run_id = ? AND position = ?", key[::-1], number, position)
    with monkeypatch.context() as patch:
        patch.setattr(sums, "MOST_OPEN", 1)
        assert [look(ledger, number, how) for _ in range(2)] == [1, 2]
    assert [look(ledger, number, how) for _ in range(2)] == [3, 3]
    ledger.store([(rows[1][1][::-1], Answer("failed", failure=Failure("timeout", "slow")))])
    assert look(ledger, number, how) == 3
    ledger.store([(rows[1][1][::-1], Answer("answered", "yes"))])
    assert look(ledger, number, how) == 4


def test_small_runs_are_not_worth_it(workspace: Workspace, run: library.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "LEAST", 1_000)
    how = Counted(distinct(workspace.ledger, run.row.id))
    assert [look(workspace.ledger, run.row.id, how) for _ in range(2)] == [1, 2]


def test_they_go_with_their_run(workspace: Workspace, run: library.Run) -> None:
    ledger, number = workspace.ledger, run.row.id
    look(ledger, number, Counted(distinct(ledger, number)))
    ledger.delete_run(number)
    with ledger._database.read() as connection:
        assert not connection.execute("SELECT 1 FROM meta WHERE name LIKE 'asked:%'").fetchall()


def test_a_manifest_is_the_same_from_what_is_kept(
    workspace: Workspace, run: library.Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = provenance.manifest(workspace.ledger, run.row, run.judging)
    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "asked", lambda *_, **__: pytest.fail("it is summed up again"))
        assert provenance.manifest(workspace.ledger, run.row, None)["asked"] == first["asked"]
    monkeypatch.setattr(sums, "LEAST", 1_000_000)
    assert provenance.manifest(workspace.ledger, run.row, run.judging) == first


def test_what_an_older_version_left_of_a_run_is_not_another_runs(workspace: Workspace, run: library.Run) -> None:
    ledger, number = workspace.ledger, run.row.id
    how = Counted(distinct(ledger, number))
    assert look(ledger, number, how) == 1
    # It deletes the run and leaves the sums; the same run, asked again, gets the same number and the same keys.
    change(ledger, "UPDATE run SET created = created + 1 WHERE id = ?", number)
    assert look(ledger, number, how) == 2

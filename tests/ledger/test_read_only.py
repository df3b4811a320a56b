"""A ledger that can only be read: read all the same, and nothing is written in silence."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from snellen.answer import Answer
from snellen.errors import LedgerError
from snellen.item import Item
from snellen.ledger import Ledger, PlannedRow, read_only

KEY = b"k" * 16


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A ledger with one answer, closed."""
    folder = tmp_path / "a ?b %20 c"
    ledger = Ledger(folder)
    fill(ledger)
    ledger.close()
    return folder


def fill(ledger: Ledger) -> None:
    run = ledger.add_run("b/m-1", b"p" * 16, {"benchmark": "b"})
    ledger.plan_items(run.id, [PlannedRow(0, Item("b/1", "what?"), KEY)])
    ledger.store([(KEY, Answer("answered", "yes"))])


def forbid(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a read-only disk, where SQLite cannot make files either: permissions do not bind an administrator."""
    monkeypatch.setattr("snellen.ledger.database.may_write", lambda path: False)

    def look(address: str) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr(read_only, "_look", look)


def test_what_may_be_written_is_known(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_only.may_write(workspace / "ledger.sqlite")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != workspace)
    assert not read_only.may_write(workspace / "ledger.sqlite")


def test_a_closed_ledger_is_read_and_not_touched(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forbid(monkeypatch)
    before = {path.name: path.stat().st_mtime_ns for path in workspace.iterdir()}
    ledger = Ledger(workspace)
    assert ledger.read_only
    row = ledger.results(ledger.find_run("b/m-1").id, None)[0]
    assert row.answer is not None
    assert row.answer.text == "yes"
    assert ledger.usage(1, judging=False)["requests"] == 1
    ledger.close()
    assert {path.name: path.stat().st_mtime_ns for path in workspace.iterdir()} == before


def test_a_log_without_its_index_is_read_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = Ledger(tmp_path / "writer")
    fill(writer)  # all of it is in the log still
    killed = tmp_path / "killed"
    shutil.copytree(writer.path.parent, killed, ignore=shutil.ignore_patterns("*-shm"))
    writer.close()
    assert (killed / "ledger.sqlite-wal").stat().st_size
    forbid(monkeypatch)
    before = {path.name: path.stat().st_mtime_ns for path in killed.iterdir()}
    ledger = Ledger(killed)
    copy = ledger._database._opened
    assert copy is not None
    assert copy.copy is not None
    assert ledger.final(KEY) is not None
    with pytest.raises(LedgerError, match="can only be read"):
        ledger.release([KEY])
    ledger.close()
    assert not Path(copy.copy.name).exists()
    assert {path.name: path.stat().st_mtime_ns for path in killed.iterdir()} == before


def test_a_ledger_at_work_elsewhere_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = Ledger(tmp_path)
    fill(writer)
    monkeypatch.setattr("snellen.ledger.database.may_write", lambda path: False)
    reader = Ledger(tmp_path)
    assert reader.final(KEY) is not None
    writer.store([(b"2" * 16, Answer("answered", "later"))])
    assert reader.final(b"2" * 16) is not None
    reader.close()
    writer.close()


def test_whatever_writes_is_refused(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forbid(monkeypatch)
    ledger = Ledger(workspace)
    for write in (
        lambda: ledger.claim([KEY]),
        lambda: ledger.store([(KEY, Answer("answered", "no"))]),
        lambda: ledger.add_run("x", b"x" * 16, {}),
        lambda: ledger.delete_run(1),
    ):
        with pytest.raises(LedgerError, match="can only be read: mend its permissions, copy it"):
            write()
    with pytest.raises(LedgerError, match=r"read anew, but the workspace .* can only be read"):
        ledger.clear_verdicts(1)
    ledger.close()


def test_an_empty_file_that_cannot_be_written_is_no_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ledger.sqlite").touch()
    forbid(monkeypatch)
    with pytest.raises(LedgerError, match="can only be read"):
        Ledger(tmp_path)


def test_a_damaged_file_that_cannot_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ledger.sqlite").write_bytes(b"no database at all" * 100)
    monkeypatch.setattr("snellen.ledger.database.may_write", lambda path: False)
    with pytest.raises(LedgerError, match="not a ledger"):
        Ledger(tmp_path)

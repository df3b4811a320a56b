"""The database under the ledger: files of earlier releases, transactions, threads, and what its errors say."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from snellen.answer import Answer, Failure, Usage
from snellen.errors import LedgerError
from snellen.item import ImageRef, Item, TextReference
from snellen.ledger import Ledger, PlannedRow, planned, schema
from snellen.ledger.batches import Batches
from snellen.verdict import Verdict

DUMP = Path(__file__).with_name("version_2.sql")
"""A ledger that Snellen 0.3.0 made, as SQL."""


def key(number: int) -> bytes:
    return bytes([number]) * 16


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    opened = Ledger(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """A workspace with the ledger of an earlier release."""
    folder = tmp_path / "earlier"
    folder.mkdir()
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as connection:
        connection.executescript(DUMP.read_text("utf-8"))
    return folder


def made_by(path: Path) -> dict[str, str]:
    """Name -> statement of all tables and indexes, without what is only spelling."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master").fetchall()
    return {name: re.sub(r'[\s"]', "", sql or "") for name, sql in rows}


def test_the_schema_is_that_of_its_version(ledger: Ledger, earlier: Path) -> None:
    assert schema.SCHEMA_VERSION == 2
    assert made_by(ledger.path) == made_by(earlier / "ledger.sqlite")
    with closing(sqlite3.connect(ledger.path)) as connection:
        pragmas = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_size", "journal_mode")]
    assert pragmas == [2048, "wal"]


def test_a_ledger_of_an_earlier_release_is_read(earlier: Path) -> None:
    ledger = Ledger(earlier)
    run, judging = ledger.runs()
    assert (run.name, run.plan, run.spec) == ("b/m-1", b"p" * 16, {"benchmark": "b"})
    assert run.manifest == {"versions": {"snellen": "0.3.0"}}
    assert (judging.name, judging.parent) == ("b/m-1@judge", run.id)
    rows = ledger.results(run.id, judging.id)
    image = ImageRef("images/1.png", sha256="ab" * 32)
    assert [(row.item.question, row.item.images, row.item.reference) for row in rows] == [
        (question, (image,), TextReference("truth")) for question in ("what?", "什么？", "where?", "when?")
    ]
    sent = {"parameters": {"temperature": 0}}
    answer = Answer("answered", "yes, it's", "hm", "stop", Usage(10, 5, 2, 1), 1.5, sent, "served")
    assert [row.answer for row in rows] == [answer, None, None, None]
    assert [row.failure for row in rows] == [None, Failure("server", "HTTP 500"), None, None]
    assert [row.error for row in rows] == ["", "", "", "no image"]
    assert rows[0].verdict == Verdict(1, "it is", ("abstained",), measures={"objects": (1.0, 2.0)})
    assert rows[3].verdict == Verdict(None, "", unscored="model_error")
    assert [row.position for row in ledger.unanswered(run.id, -1, 9)] == [1, 2]
    assert ledger.replies(judging.id, 0) == [
        (0, Answer("answered", "1"), None),
        (1, None, Failure("timeout", "slow")),
    ]
    assert planned.images_of(ledger, run.id) == {"ab" * 32}
    seal = planned.seal(ledger, run.id)
    assert seal is not None
    assert seal.sources == "sources"
    assert [(row.token, row.state, row.requests) for row in Batches(ledger).all()] == [("token", "written", 1)]
    ledger.close()


def test_work_goes_on_in_a_ledger_of_an_earlier_release(earlier: Path) -> None:
    ledger = Ledger(earlier)
    assert isinstance(ledger.claim([key(0)])[key(0)], Answer)
    assert ledger.claim([key(1)]) == {key(1): "granted"}
    assert ledger._owner.number() == 2  # the first one stood for another process
    ledger.store([(key(1), Answer("answered", "no"))])
    assert [row.token for row in Batches(ledger).adopt("m", "http://localhost/v1")] == ["token"]
    assert [row.position for row in ledger.unanswered(1, -1, 9)] == [2]
    ledger.delete_run(1)
    assert ledger.runs() == []
    assert ledger.last_answer() == 0
    assert planned.seal(ledger, 1) is None
    ledger.close()


CHANGES = [(key(1), ""), (key(2), ""), (None, "no image"), (None, "odd"), (key(1), "odd")]


@pytest.mark.parametrize("after", CHANGES)
@pytest.mark.parametrize("before", CHANGES)
def test_only_what_changed_of_a_plan_is_written(
    ledger: Ledger, before: tuple[bytes | None, str], after: tuple[bytes | None, str]
) -> None:
    run = ledger.add_run("b/m-1", b"p" * 16, {})
    item = Item("b/1", "what?")
    ledger.plan_items(run.id, [PlannedRow(0, item, *before)])
    ledger.plan_items(run.id, [PlannedRow(0, item, *after)])
    assert planned.standing(ledger, run.id, 0, 0) == {0: (item.snapshot()[0], *after)}
    with ledger._database.bare() as connection:
        written = connection.total_changes
    ledger.plan_items(run.id, [PlannedRow(0, item, *after)])
    with ledger._database.bare() as connection:
        assert connection.total_changes == written


def test_a_database_that_another_holds_says_so(ledger: Ledger) -> None:
    with ledger._database.bare() as connection:
        connection.execute("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(ledger.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError, match="locked: another program holds the database; wait for it to end"):
            ledger.store([(key(1), Answer("answered", "yes"))])
        assert ledger.final(key(1)) is None  # reading waits for nobody
    ledger.store([(key(1), Answer("answered", "yes"))])
    assert ledger.final(key(1)) == Answer("answered", "yes")


def test_a_database_that_became_read_only_says_so(ledger: Ledger) -> None:
    with ledger._database.bare() as connection:
        connection.execute("PRAGMA query_only = 1")
    with pytest.raises(LedgerError, match="cannot be written; choose another with --workspace"):
        ledger.store([(key(1), Answer("answered", "yes"))])


def test_pages_that_were_overwritten_are_refused(tmp_path: Path) -> None:
    Ledger(tmp_path).close()
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(path.read_bytes()[: schema.PAGE_BYTES].ljust(path.stat().st_size, b"\xff"))
    with pytest.raises(LedgerError, match=r"malformed: .* is damaged or not a ledger"):
        Ledger(tmp_path)


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        (sqlite3.SQLITE_FULL, "the disk is full; make room and run the same command again"),
        (sqlite3.SQLITE_READONLY_DBMOVED, "cannot be written; choose another with --workspace"),
        (sqlite3.SQLITE_CANTOPEN_ISDIR, "cannot be written; choose another with --workspace"),
        (sqlite3.SQLITE_CORRUPT_INDEX, "is damaged or not a ledger"),
        (sqlite3.SQLITE_NOTADB, "is damaged or not a ledger"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "another program holds the database"),
        (sqlite3.SQLITE_IOERR_WRITE, "look at the disk, its space and the quota under"),
        (sqlite3.SQLITE_CONSTRAINT_UNIQUE, "look at the disk, its space and the quota under"),
        (None, "look at the disk, its space and the quota under"),
    ],
)
def test_what_to_do_follows_from_the_code(ledger: Ledger, code: int | None, advice: str) -> None:
    error = sqlite3.OperationalError("in SQLite's words")
    if code is not None:
        error.sqlite_errorcode = code
    with pytest.raises(LedgerError, match=f"^in SQLite's words: .*{advice}"), ledger._database.errors():
        raise error


def test_after_a_full_disk_nothing_of_the_transaction_is_kept(ledger: Ledger) -> None:
    ledger.claim([key(9)])  # registers
    with closing(sqlite3.connect(ledger.path)) as other:
        pages = other.execute("PRAGMA page_count").fetchone()[0]

    def hides() -> None:
        with ledger.together():
            ledger.store([(key(1), Answer("answered", "first"))])
            with pytest.raises(LedgerError, match="the disk is full"):
                ledger.store([(key(2), Answer("answered", "x" * 1_000_000))])
            ledger.store([(key(3), Answer("answered", "last"))])

    with ledger._database.bare() as connection:
        connection.execute(f"PRAGMA max_page_count = {pages + 5}")
    with pytest.raises(LedgerError, match="a part of a transaction failed"):
        hides()
    assert ledger.answered([key(1), key(2), key(3)]) == set()


def test_an_interrupted_transaction_holds_nobody_up(ledger: Ledger, tmp_path: Path) -> None:
    def interrupted() -> None:
        with ledger.together():
            ledger.store([(key(1), Answer("answered", "yes"))])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    other = Ledger(tmp_path)
    with other._database.bare() as connection:
        connection.execute("PRAGMA busy_timeout = 0")
    other.store([(key(2), Answer("answered", "no"))])
    assert ledger.answered([key(1), key(2)]) == {key(2)}
    other.close()


def in_thread(call: Callable[[], object]) -> object:
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(call()))
    thread.start()
    thread.join()
    return found[0]


def test_a_thread_sees_what_is_committed_and_not_what_another_is_writing(ledger: Ledger) -> None:
    with ledger.together():
        ledger.store([(key(1), Answer("answered", "yes"))])
        assert ledger.answered([key(1)]) == {key(1)}
        assert in_thread(lambda: ledger.answered([key(1)])) == set()
    assert in_thread(lambda: ledger.answered([key(1)])) == {key(1)}


def test_a_connection_at_work_is_closed_when_it_is_done(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    with ledger._database.read() as connection:
        ledger.close()
        assert connection.execute("SELECT count(*) FROM run").fetchone() == (0,)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")

"""Batches in the ledger: whose they are, what they owe, and who takes them up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from snellen.answer import Answer, Failure
from snellen.errors import LedgerError
from snellen.ledger import Ledger
from snellen.ledger.batches import STATES, Batches

KEYS = [bytes([number]) * 16 for number in range(250)]
REQUESTS = [(key, '{"parameters":{}}') for key in KEYS]
HERE = ("vlm", "http://localhost/v1")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    opened = Ledger(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Ledger]:
    opened = Ledger(tmp_path)
    yield opened
    opened.close()


def test_a_batch_from_the_first_step_to_the_last(ledger: Ledger) -> None:
    batches = Batches(ledger)
    row = batches.add("a", *HERE, REQUESTS)
    assert (row.token, row.model, row.base_url, row.state, row.requests) == ("a", *HERE, "written", 250)
    assert row.state == STATES[0]
    row = batches.update(row.id, state="created", file_id="file-1", batch_id="batch-1")
    assert (row.state, row.file_id, row.batch_id, row.output_file_id) == ("created", "file-1", "batch-1", "")
    assert batches.all() == [row]
    assert batches.holding([*KEYS[:2], b"\xff" * 16]) == {KEYS[0]: row.id, KEYS[1]: row.id}
    assert batches.awaited(row.id, KEYS[:1]) == dict(REQUESTS[:1])
    assert batches.awaited(row.id + 1, KEYS[:1]) == {}
    failure = Answer(status="failed", failure=Failure("server", "no"))
    batches.keep(row.id, [(KEYS[0], Answer(status="answered", text="yes")), (KEYS[1], failure)])
    assert ledger.answered(KEYS[:2]) == {KEYS[0]}
    assert batches.holding(KEYS[:3]) == {KEYS[2]: row.id}
    assert batches.left(row.id, 3) == KEYS[2:5]
    batches.keep(row.id, [(key, failure) for key in KEYS[2:]])
    batches.finish(row.id)
    assert batches.left(row.id, 3) == []
    assert [row.state for row in batches.all()] == ["done"]


def test_a_request_is_in_one_open_batch_and_a_token_is_used_once(ledger: Ledger) -> None:
    batches = Batches(ledger)
    batches.add("a", *HERE, REQUESTS[:2])
    with pytest.raises(LedgerError):
        batches.add("b", *HERE, REQUESTS[1:3])
    with pytest.raises(LedgerError):
        batches.add("a", *HERE, REQUESTS[3:4])
    assert len(batches.all()) == 1
    assert batches.holding(KEYS[:4]).keys() == set(KEYS[:2])


def test_answers_and_what_is_owed_are_kept_together(ledger: Ledger) -> None:
    batches = Batches(ledger)
    row = batches.add("a", *HERE, REQUESTS[:2])
    with ledger._database.write() as connection:
        connection.execute(
            "CREATE TRIGGER owed BEFORE DELETE ON batch_request BEGIN SELECT RAISE(ABORT, 'not this one'); END"
        )
    with pytest.raises(LedgerError, match="not this one"):
        batches.keep(row.id, [(KEYS[0], Answer(status="answered", text="yes"))])
    assert ledger.answered(KEYS[:2]) == set()


def test_only_what_nobody_waits_for_is_adopted(ledger: Ledger, other: Ledger) -> None:
    mine, theirs = Batches(ledger), Batches(other)
    row = mine.add("a", *HERE, REQUESTS)
    ledger.claim(KEYS)
    assert theirs.adopt(*HERE) == []
    assert mine.adopt(*HERE) == []
    assert other.claim(KEYS[:1]) == {KEYS[0]: "elsewhere"}
    mine.leave([row.id])
    assert theirs.adopt("another", HERE[1]) == []
    assert theirs.adopt(HERE[0], "http://elsewhere/v1") == []
    assert [stray.id for stray in theirs.strays(HERE[0], "http://elsewhere/v1")] == [row.id]
    assert theirs.strays(*HERE) == []
    assert theirs.adopt(*HERE) == [row]
    assert ledger.claim(KEYS[249:]) == {KEYS[249]: "elsewhere"}
    assert mine.adopt(*HERE) == []


def test_what_a_process_leaves_behind_is_adopted(ledger: Ledger, tmp_path: Path) -> None:
    gone = Ledger(tmp_path)
    row = Batches(gone).add("a", *HERE, REQUESTS[:3])
    gone.claim(KEYS[:3])
    batches = Batches(ledger)
    assert len(batches.living_owners()) == 2
    assert batches.owner_token() in batches.living_owners()
    gone.close()
    assert batches.living_owners() == {batches.owner_token()}
    assert batches.adopt(*HERE) == [row]


def test_a_batch_that_is_forgotten_frees_its_requests(ledger: Ledger, other: Ledger) -> None:
    batches = Batches(ledger)
    row = batches.add("a", *HERE, REQUESTS)
    ledger.claim(KEYS)
    batches.forget(row.id)
    assert batches.all() == []
    assert batches.holding(KEYS) == {}
    assert set(other.claim(KEYS).values()) == {"granted"}

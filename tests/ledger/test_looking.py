"""Looking one item up: in every run, by its exact id, with what was asked about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from snellen.answer import Answer, Failure
from snellen.item import Item
from snellen.ledger import Ledger, PlannedRow, looking

IDS = ("a/1", "a/%1", "a/_1", "A/1", 'a/"1', "a/1\\", "图/1")


@pytest.mark.parametrize("wanted", IDS)
def test_an_item_is_found_by_its_exact_id_in_every_run(tmp_path: Path, wanted: str) -> None:
    ledger = Ledger(tmp_path)
    runs = [ledger.add_run(f"r{number}", bytes([number]) * 16, {}) for number in range(2)]
    items = [Item(each, "?", labels={"id": "a/1"}) for each in IDS]
    for shift, run in enumerate(runs):
        ledger.plan_items(run.id, [PlannedRow(n + shift, item, bytes([n]) * 16) for n, item in enumerate(items)])
    place = IDS.index(wanted)
    assert looking.places_of(ledger, wanted) == [(runs[0].id, place), (runs[1].id, place + 1)]
    assert list(looking.ids_of(ledger, runs[0].id)) == list(IDS)
    assert looking.places_of(ledger, "a/2") == []
    assert looking.places_of(ledger, "\ud800") == []
    ledger.close()


def test_attempts_that_failed_are_kept_until_one_succeeds(tmp_path: Path) -> None:
    ledger, key = Ledger(tmp_path), b"k" * 16
    run = ledger.add_run("r", b"r" * 16, {})
    ledger.put_replies(run.id, [(3, 0, key), (3, 1, b"l" * 16), (4, 0, b"m" * 16)])
    for message in ("no byte in 60 s", "no route"):
        ledger.claim([key])
        ledger.store([(key, Answer("failed", failure=Failure("timeout", message)))])
    assert [(each["kind"], each["message"]) for each in looking.failures_of(ledger, key)] == [
        ("timeout", "no byte in 60 s"),
        ("timeout", "no route"),
    ]
    assert looking.reply_keys(ledger, run.id, 3) == {0: key, 1: b"l" * 16}
    ledger.claim([key])
    ledger.store([(key, Answer("answered", text="yes"))])
    assert looking.failures_of(ledger, key) == []
    ledger.close()

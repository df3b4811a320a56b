"""Batches that come to nothing: files that are gone, statuses that nobody knows, caps, and what is said beforehand."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import batch_driver
import small_charthal
import snellen
from batch_driver import Told, answers, asking, go
from fake_batch_server import FakeBatchServer, plain, refusal
from fake_server import FakeServer, completion
from snellen.engine.batch import BatchAsker
from snellen.engine.batch_notes import open_batch_notes
from snellen.engine.courier import UNKNOWN_TRIES
from snellen.engine.limits import Limits
from snellen.errors import ModelError
from snellen.item import Item
from snellen.ledger import Ledger, PlannedRow
from snellen.ledger.batches import Batches
from snellen.model_spec import Price
from snellen.request import Request


def texts(folder: Path, requests: Sequence[Request]) -> list[str]:
    return [answer.text if answer is not None else "(none)" for answer in answers(folder, requests)]


def expected(count: int) -> list[str]:
    return [f"answer to question {number}" for number in range(count)]


@pytest.mark.parametrize("status", [404, 410])
def test_an_output_that_is_gone_is_asked_again_and_said(tmp_path: Path, status: int) -> None:
    def trouble(operation: str, n: int) -> Any:
        return (status, refusal("No such File object")) if operation == "GET content" and n < 3 else None

    requests = asking(3)
    with FakeBatchServer(trouble=trouble) as server:
        told = go(tmp_path, server.url, requests)
        assert server.files == {}
    assert texts(tmp_path, requests) == expected(3)
    assert set(server.executed.values()) == {2}
    [warning] = told.warnings
    assert "is gone at" in warning
    assert "3 requests in it have no answer, and are asked and paid again" in warning


def test_the_other_file_is_used(tmp_path: Path) -> None:
    tries: Counter[str] = Counter()

    def execute(body: dict[str, Any], n: int) -> Any:
        text = body["messages"][-1]["content"]
        tries[text] += 1
        return (400, refusal("too long")) if text == "question 1" else plain(body, n)

    def trouble(operation: str, n: int) -> Any:  # the output comes first, then the errors
        return (404, refusal("gone")) if operation == "GET content" and n < 3 else None

    requests = asking(3)
    with FakeBatchServer(execute, trouble=trouble) as server:
        told = go(tmp_path, server.url, requests)
    assert texts(tmp_path, requests) == ["answer to question 0", "(none)", "answer to question 2"]
    assert tries == {"question 0": 2, "question 1": 1, "question 2": 2}
    assert any("2 requests in it have no answer" in text for text in told.warnings)


def test_an_output_that_is_there_late_is_waited_for(tmp_path: Path) -> None:
    def trouble(operation: str, n: int) -> Any:
        return (404, refusal("not yet")) if (operation, n) == ("GET content", 0) else None

    with FakeBatchServer(trouble=trouble) as server:
        told = go(tmp_path, server.url, asking(3))
    assert set(server.executed.values()) == {1}
    assert told.warnings == []


def test_the_folder_may_go_while_it_is_waited_for(tmp_path: Path) -> None:
    requests = asking(3)
    with FakeBatchServer() as server:
        go(tmp_path, server.url, requests, on_sleep=lambda _s: shutil.rmtree(tmp_path / "batches", ignore_errors=True))
    assert texts(tmp_path, requests) == expected(3)
    assert set(server.executed.values()) == {1}


def test_the_folder_may_go_while_it_is_written(tmp_path: Path) -> None:
    async def work(asker: BatchAsker, requests: Sequence[Request]) -> None:
        for request in requests:
            await asker.obtain(request, request.key)
        shutil.rmtree(tmp_path / "batches")
        assert await asker.settle() == 0
        await batch_driver.rounds(asker, requests)

    requests = asking(3)
    with FakeBatchServer() as server:
        told = go(tmp_path, server.url, requests, work=work)
    assert texts(tmp_path, requests) == expected(3)
    assert told.warnings == ["the input file of a batch of 3 requests is gone: they are asked again"]
    assert told.budget.reserved == 0


def test_what_was_fetched_is_used_where_the_provider_has_forgotten_the_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise ModelError("server", "dying here")

    requests = asking(3)
    with FakeBatchServer() as server:
        with monkeypatch.context() as patched:
            patched.setattr("snellen.engine.batch_replies.Replies.store", broken)
            with pytest.raises(ModelError, match="dying here"):
                go(tmp_path, server.url, requests)
        server.batches.clear()
        go(tmp_path, server.url, requests)
    assert texts(tmp_path, requests) == expected(3)
    assert set(server.executed.values()) == {1}


def test_a_capped_round_is_the_last_one(tmp_path: Path) -> None:
    told = Told()
    told.budget.max_cost = 0.004
    with FakeBatchServer() as server:  # 0.001 expected by batch, and half of that in truth
        go(tmp_path, server.url, asking(20), told, price=Price(5.0, 50.0), cost=0.002)
    assert len(server.batches) == 1
    assert told.stop.reason == "the cap on cost (0.004) is reached: 0.0020 spent"


def test_a_run_that_was_capped_is_judged_and_stops(tmp_path: Path) -> None:
    data = small_charthal.write(tmp_path / "data")
    with FakeBatchServer() as server, FakeServer(lambda body, n: completion("Score: 1")) as judge:
        run = snellen.run(
            "charthal",
            model=snellen.ModelSpec("vlm", base_url=server.url, price=Price(100.0, 1000.0)),
            judge=snellen.ModelSpec("judge", base_url=judge.url, price=Price(0.0, 0.0)),
            data=data,
            workspace=tmp_path / "workspace",
            limits=Limits(batch=True, max_cost=0.5),
        )
        asked = sum(server.executed.values())
        assert 0 < asked < 36
        assert len(server.batches) == 1
        assert len(judge.requests) == asked
    assert run.outcome.stopped.startswith("the cap on cost (0.5) is reached")


def test_a_cap_that_is_enough_stops_nothing(tmp_path: Path) -> None:
    told = Told()
    told.budget.max_cost = 0.0041
    with FakeBatchServer() as server:
        go(tmp_path, server.url, asking(4), told, price=Price(5.0, 50.0), cost=0.002)
    assert told.stop.reason == ""


def test_a_status_that_nobody_knows_ends_the_session_and_leaves_the_batch(tmp_path: Path) -> None:
    told = Told()
    requests = asking(3)
    with FakeBatchServer(fate=lambda number: "Exploded\x1b[31m") as server:
        with pytest.raises(ModelError, match=r"says 'exploded\?\?31m' of the batch batch-\d+, 20 times in a row"):
            go(tmp_path, server.url, requests, told)
        assert told.waits[-1].status == "exploded??31m"
        assert len(told.waits) >= UNKNOWN_TRIES - 1
        assert any("stay in batches" in text for text in told.warnings)
        server.batches["batch-2"]["status"] = "completed"
        go(tmp_path, server.url, requests)
    assert texts(tmp_path, requests) == expected(3)
    assert set(server.executed.values()) == {1}


def test_what_is_said_of_requests_in_open_batches(tmp_path: Path) -> None:
    ledger, other = Ledger(tmp_path), Ledger(tmp_path)
    run = ledger.add_run("a-run", b"plan", {})
    keys = [request.key for request in asking(3)]
    ledger.plan_items(run.id, [PlannedRow(n, Item(f"x/{n}", "question"), key) for n, key in enumerate(keys)])
    assert open_batch_notes(ledger, run.id, range(3), batch=False) == []
    other.claim(keys[:2])
    row = Batches(other).add("a" * 32, "vlm", "http://localhost/v1", [(key, "{}") for key in keys[:2]])
    live = "2 of these requests are in a batch that another session waits for: "
    assert open_batch_notes(ledger, run.id, range(3), batch=True) == [f"{live}they are not asked here"]
    [note] = open_batch_notes(ledger, run.id, range(3), batch=False)
    assert note == f"{live}that is waited for, and they are not asked here"
    Batches(other).leave([row.id])
    [note] = open_batch_notes(ledger, run.id, range(1, 3), batch=False)
    assert note.startswith("1 of these requests are in a batch that is open, and will be asked and paid a second time")
    [note] = open_batch_notes(ledger, run.id, range(3), batch=True)
    assert note == "2 of these requests are in a batch that is open: they are fetched, and not paid again"
    assert open_batch_notes(ledger, run.id, {2}, batch=True) == []
    other.close()
    ledger.close()

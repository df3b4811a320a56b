"""Asking by batch: everything is executed once, what fails is asked again, whatever is open is found again."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import batch_driver
from batch_driver import STEPS, Told, answers, asking, go, rounds, seeing
from fake_batch_server import FakeBatchServer, plain, refusal
from fake_server import completion
from snellen.answer import Answer, Usage
from snellen.engine.batch import BatchAsker
from snellen.engine.batch_terms import Terms, halved
from snellen.errors import ModelError, UsageError
from snellen.item import Item
from snellen.ledger import Ledger, PlannedRow
from snellen.ledger.batches import Batches, open_requests
from snellen.model_spec import Price
from snellen.request import Request


def texts(folder: Path, requests: Sequence[Request]) -> list[str]:
    return [answer.text if answer is not None else "(none)" for answer in answers(folder, requests)]


def expected(count: int) -> list[str]:
    return [f"answer to question {number}" for number in range(count)]


def question(body: dict[str, Any]) -> int:
    return int(body["messages"][-1]["content"].split()[-1])


def count(folder: Path, table: str) -> int:
    ledger = Ledger(folder)
    try:
        with ledger._database.read() as connection:
            return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    finally:
        ledger.close()


def failures(folder: Path) -> list[tuple[str, str]]:
    """(kind, message) of all that were taken down."""
    ledger = Ledger(folder)
    try:
        with ledger._database.read() as connection:
            return connection.execute("SELECT kind, message FROM failure ORDER BY id").fetchall()
    finally:
        ledger.close()


def assert_nothing_is_left(folder: Path, server: FakeBatchServer) -> None:
    assert count(folder, "batch_request") == 0
    assert count(folder, "claim") == 0
    ledger = Ledger(folder)
    assert {row.state for row in Batches(ledger).all()} <= {"done"}
    ledger.close()
    assert list((folder / "batches").iterdir()) == []
    assert server.files == {}


def test_everything_is_answered_by_batches_of_the_allowed_size(tmp_path: Path) -> None:
    requests = asking(10)
    with FakeBatchServer() as server:
        told = go(tmp_path, server.url, requests)
    assert texts(tmp_path, requests) == expected(10)
    assert [batch["request_counts"]["total"] for batch in server.batches.values()] == [4, 4, 2]
    assert set(server.executed.values()) == {1}
    assert (told.tally.asked, told.tally.failed, told.tally.retries) == (10, 0, 0)
    assert told.warnings == []
    assert told.waits[0].batches == 3
    assert told.waits[0].requests == 10
    assert_nothing_is_left(tmp_path, server)


def test_what_is_sent_and_what_is_recorded(tmp_path: Path) -> None:
    with FakeBatchServer(lambda body, n: completion("three")) as server:
        go(tmp_path, server.url, [seeing()], server_name="served")
    [body] = server.bodies
    assert body == {
        "model": "served",
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
                    {"type": "text", "text": "question 0"},
                ],
            }
        ],
    }
    [batch] = server.batches.values()
    assert batch["completion_window"] == "24h"
    assert batch["endpoint"] == "/v1/chat/completions"
    [answer] = answers(tmp_path, [seeing()])
    assert answer is not None
    assert answer.sent == {"parameters": {}, "images": [{"width": 1}], "batch": batch["id"]}
    assert (answer.text, answer.usage, answer.server_model) == ("three", Usage(100, 10), "served-model")


def test_a_second_session_asks_nothing(tmp_path: Path) -> None:
    requests = asking(3)
    with FakeBatchServer() as server:
        go(tmp_path, server.url, requests)
        told = go(tmp_path, server.url, requests)
        assert server.log.count("POST batches") == 1
    assert told.tally.asked == 0
    assert told.tally.to_ask == -3  # what was expected to be asked is lowered by each answer that was found


def test_equal_requests_are_put_in_once(tmp_path: Path) -> None:
    requests = asking(3) * 2

    async def all_at_once(asker: BatchAsker, requests: Sequence[Request]) -> None:
        await asyncio.gather(*(asker.obtain(request, request.key) for request in requests))
        assert await asker.settle() == 3

    with FakeBatchServer() as server:
        go(tmp_path, server.url, requests, work=all_at_once)
    assert set(server.executed.values()) == {1}
    assert_nothing_is_left(tmp_path, server)


# Failures of single requests


def test_partial_failures_are_asked_again(tmp_path: Path) -> None:
    seen: Counter[int] = Counter()

    def execute(body: dict[str, Any], n: int) -> Any:
        number = question(body)
        seen[number] += 1
        if number == 0 and seen[number] == 1:
            return 500, refusal("overloaded")
        if number == 1 and seen[number] < 3:
            return 429, refusal("slow down")
        if number == 2 and seen[number] == 1:
            return "batch_expired"
        if number == 3 and seen[number] == 1:
            return None
        if number == 4 and seen[number] == 1:
            return {"choices": []}
        return plain(body, n)

    requests = asking(7)
    with FakeBatchServer(execute) as server:
        told = go(tmp_path, server.url, requests)
    assert texts(tmp_path, requests) == expected(7)
    assert seen == {0: 2, 1: 3, 2: 2, 3: 2, 4: 2, 5: 1, 6: 1}
    assert (told.tally.asked, told.tally.failed, told.tally.retries) == (7, 0, 6)
    assert_nothing_is_left(tmp_path, server)


def test_what_fails_in_every_round_stays_failed(tmp_path: Path) -> None:
    requests = asking(3)
    with FakeBatchServer(lambda body, n: (500, refusal("broken")) if question(body) == 1 else plain(body, n)) as server:
        told = go(tmp_path, server.url, requests)
        assert server.log.count("POST batches") == 3
        assert (told.tally.asked, told.tally.failed) == (3, 1)
        assert told.tally.last_error == "server: HTTP 500: broken"
        server.execute = plain
        go(tmp_path, server.url, requests)
    assert texts(tmp_path, requests) == expected(3)


def test_what_is_refused_for_good_is_asked_once(tmp_path: Path) -> None:
    requests = asking(2)
    with FakeBatchServer(lambda body, n: (400, refusal("the prompt is too long"))) as server:
        told = go(tmp_path, server.url, requests)
    assert server.log.count("POST batches") == 1
    assert told.tally.failed == 2
    assert failures(tmp_path) == [("bad_request", "HTTP 400: the prompt is too long")] * 2


def test_a_filter_blocks_and_a_refused_parameter_is_left_out(tmp_path: Path) -> None:
    def execute(body: dict[str, Any], n: int) -> Any:
        if question(body) == 0:
            return 400, refusal("filtered", code="content_filter")
        if "temperature" in body:
            return 400, refusal("Unsupported parameter: 'temperature'", param="temperature")
        return plain(body, n)

    requests = asking(2)
    with FakeBatchServer(execute) as server:
        go(tmp_path, server.url, requests)
    blocked, answered = answers(tmp_path, requests)
    assert blocked is not None
    assert (blocked.status, blocked.finish_reason) == ("blocked", "content_filter")
    assert answered is not None
    assert answered.text == "answer to question 1"
    assert answered.sent["parameters"] == {}


def test_an_empty_answer_is_asked_for_three_times_and_then_believed(tmp_path: Path) -> None:
    requests = asking(1)
    with FakeBatchServer(lambda body, n: completion("")) as server:
        told = go(tmp_path, server.url, requests)
    assert set(server.executed.values()) == {3}
    assert texts(tmp_path, requests) == [""]
    assert (told.tally.asked, told.tally.failed) == (1, 0)


def test_a_request_that_fits_no_file_fails_and_says_so(tmp_path: Path) -> None:
    requests = [*asking(2), seeing(7)]
    terms = Terms(first_pause=0, longest_pause=0, max_bytes=230)
    with FakeBatchServer(max_bytes=230) as server:
        told = go(tmp_path, server.url, requests, terms=terms)
    assert len(server.batches) == 2  # a file each
    assert texts(tmp_path, requests) == [*expected(2), "(none)"]
    [(kind, message)] = failures(tmp_path)
    assert kind == "too_large"
    assert "with 1 images of" in message
    assert "image_limits" in message
    assert told.tally.failed == 1


def test_replies_that_answer_nothing_of_ours_are_passed_over(tmp_path: Path) -> None:
    requests = asking(3)
    with FakeBatchServer() as server:
        put = server._put

        def disturbed(data: bytes, filename: str, purpose: str) -> str:
            if purpose == "batch_output":
                first = json.loads(data.splitlines()[0])
                twice = {**first, "response": {"status_code": 200, "body": completion("another answer")}}
                stranger = {**first, "custom_id": "00" * 16}
                noise = [b"", b"no JSON", b"[1]", b'{"custom_id": 7}', b'{"custom_id": "xyz"}', b"\xff\xfe"]
                more = [json.dumps(value).encode() for value in (twice, stranger)]
                data = b"\n".join([*noise, *data.splitlines(), *more])  # and no newline at the end
            return put(data, filename, purpose)

        server._put = disturbed  # type: ignore[method-assign]
        told = go(tmp_path, server.url, requests)
    assert told.tally.asked == 3
    assert texts(tmp_path, requests) == expected(3)
    assert count(tmp_path, "answer") == 3
    assert_nothing_is_left(tmp_path, server)


# Failures of whole batches


@pytest.mark.parametrize("fate", ["expired", "cancelled"])
def test_what_an_ended_batch_has_put_out_is_kept(tmp_path: Path, fate: str) -> None:
    def execute(body: dict[str, Any], n: int) -> Any:
        return f"batch_{fate}" if n < 4 and question(body) in (1, 2) else plain(body, n)

    requests = asking(4)
    with FakeBatchServer(execute, fate=lambda number: fate if number == 0 else "completed") as server:
        told = go(tmp_path, server.url, requests)
        if fate == "cancelled":  # it is not asked again against the will of whoever cancelled it, but by the next run
            assert told.tally.failed == 2
            assert len(server.batches) == 1
            go(tmp_path, server.url, requests)
    assert texts(tmp_path, requests) == expected(4)
    assert len(server.batches) == 2
    assert set(server.executed.values()) == {1}


def test_a_batch_that_fails_as_a_whole_ends_the_session_and_says_why(tmp_path: Path) -> None:
    errors = [{"code": "model_not_found", "message": "The provided model 'vlm' is not supported by the Batch API."}]
    with FakeBatchServer(fate=lambda number: errors) as server, pytest.raises(UsageError) as caught:
        go(tmp_path, server.url, asking(6))
    assert "not supported by the Batch API" in str(caught.value)
    assert len(server.batches) == 2
    assert set(server.executed) == set()


def test_lines_that_a_provider_refuses_fail_and_the_others_are_asked_again(tmp_path: Path) -> None:
    requests = asking(4)
    errors = [{"code": "invalid_request", "message": "bad image", "line": 3, "param": None}]
    with FakeBatchServer(fate=lambda number: errors if number == 0 else "completed") as server:
        go(tmp_path, server.url, requests)
    assert texts(tmp_path, requests) == [*expected(2), "(none)", "answer to question 3"]
    assert ("bad_request", "invalid_request: bad image") in failures(tmp_path)
    assert len(server.batches) == 2


def test_a_full_queue_is_waited_for(tmp_path: Path) -> None:
    busy = [{"code": "token_limit_exceeded", "message": "Enqueued token limit reached", "line": None}]
    requests = asking(6)
    with FakeBatchServer(fate=lambda number: busy if number == 1 else "completed") as server:
        go(tmp_path, server.url, requests)
    assert texts(tmp_path, requests) == expected(6)
    assert set(server.executed.values()) == {1}


@pytest.mark.parametrize("absent", ["POST files", "POST batches"])
def test_a_server_without_batches_is_told_from_one_that_is_down(tmp_path: Path, absent: str) -> None:
    told = Told()
    with FakeBatchServer(absent=[absent]) as server:
        with pytest.raises(UsageError, match=r"has no batch endpoint.*leave --batch out"):
            go(tmp_path, server.url, asking(2), told, cost=1.0)
        assert told.warnings == []
        assert told.budget.reserved == 0
        assert_nothing_is_left(tmp_path, server)
    assert count(tmp_path, "batch") == 0


def test_a_file_that_is_too_large_for_the_server(tmp_path: Path) -> None:
    with FakeBatchServer(max_bytes=10) as server:
        with pytest.raises(UsageError, match=r"refuses the batch: .*the limit is 10 bytes"):
            go(tmp_path, server.url, asking(2))
        assert_nothing_is_left(tmp_path, server)


# Rude servers


def test_troubles_on_the_way_are_overcome_and_nothing_is_made_twice(tmp_path: Path) -> None:
    def trouble(operation: str, n: int) -> Any:
        return {
            ("POST files", 0): "lost",
            ("POST files", 1): (503, b"<html>busy</html>", {}),
            ("GET files", 0): (429, refusal("slow down"), {"retry-after": "7"}),
            ("POST batches", 0): "lost",
            ("POST batches", 1): "reset",
            ("GET batch", 1): (500, refusal("no"), {}),
            ("GET batch", 2): "reset",
            ("GET batch", 4): (429, refusal("slow down"), {"retry-after": "33"}),
            ("GET content", 0): "half",
            ("GET content", 1): (502, b"", {}),
            ("DELETE file", 0): (500, refusal("no"), {}),
        }.get((operation, n))

    requests = asking(10)
    with FakeBatchServer(trouble=trouble) as server:
        told = go(tmp_path, server.url, requests)
    assert texts(tmp_path, requests) == expected(10)
    assert len(server.batches) == 3
    assert set(server.executed.values()) == {1}
    assert {7.0, 33.0} <= set(told.pauses)
    assert len(server.files) == 1  # the one whose deletion failed
    assert server.log.count("POST files") == 4


def test_files_that_lie_elsewhere_are_fetched_without_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "secret")
    requests = asking(2)
    with FakeBatchServer(moved=True) as server:
        go(tmp_path, server.url, requests, key_variable="A_KEY", headers={"api-key": "secret too"})
    assert texts(tmp_path, requests) == expected(2)
    for operation, headers in zip(server.log, server.headers, strict=True):
        elsewhere = operation == "GET elsewhere"
        assert ("secret" in str(headers)) != elsewhere


def test_a_server_that_stays_down_leaves_the_batch_open(tmp_path: Path) -> None:
    requests = asking(2)
    with FakeBatchServer(trouble=lambda operation, n: (500, b"", {}) if operation == "GET batch" else None) as server:
        with pytest.raises(ModelError, match="500"):
            go(tmp_path, server.url, requests)
        assert server.log.count("GET batch") == 60
        server.trouble = lambda operation, n: None
        go(tmp_path, server.url, requests)
    assert texts(tmp_path, requests) == expected(2)
    assert set(server.executed.values()) == {1}


# Stopping and going on


def test_pauses_grow(tmp_path: Path) -> None:
    with FakeBatchServer() as server:
        told = go(tmp_path, server.url, asking(1), terms=Terms(first_pause=1, longest_pause=2))
    assert told.pauses == [1, 1.5]


def test_a_stop_while_waiting_leaves_the_batch_with_the_provider(tmp_path: Path) -> None:
    requests = asking(3)
    told = Told()
    with FakeBatchServer() as server:
        go(tmp_path, server.url, requests, told, on_sleep=lambda seconds: told.stop.now("interrupted"))
        [name] = server.batches
        [warning] = told.warnings
        assert f"3 requests stay in batches at {server.url} ({name})" in warning
        assert count(tmp_path, "batch_request") == 3
        assert count(tmp_path, "claim") == 0
        go(tmp_path, server.url, requests)
    assert texts(tmp_path, requests) == expected(3)
    assert set(server.executed.values()) == {1}
    assert_nothing_is_left(tmp_path, server)


def test_a_stop_while_collecting_hands_nothing_over(tmp_path: Path) -> None:
    async def stopped(asker: BatchAsker, requests: Sequence[Request]) -> None:
        for request in requests:
            await asker.obtain(request, request.key)
        asker.stop.now("interrupted")
        assert await asker.settle() == 0

    with FakeBatchServer() as server:
        told = go(tmp_path, server.url, asking(6), work=stopped)
        assert server.log == []
        assert told.budget.reserved == 0
        assert_nothing_is_left(tmp_path, server)


def test_the_same_process_goes_on_with_what_it_left(tmp_path: Path) -> None:
    requests = asking(3)
    ledger = Ledger(tmp_path)
    with FakeBatchServer() as server:
        told = Told()
        asyncio.run(
            batch_driver.session(ledger, server.url, requests, told, on_sleep=lambda _s: told.stop.now("interrupted"))
        )
        asyncio.run(batch_driver.session(ledger, server.url, requests, Told()))
    ledger.close()
    assert texts(tmp_path, requests) == expected(3)
    assert set(server.executed.values()) == {1}


def test_two_sessions_at_once_ask_everything_once(tmp_path: Path) -> None:
    requests = asking(6)
    collected, ended = asyncio.Event(), asyncio.Event()

    async def first(asker: BatchAsker, requests: Sequence[Request]) -> None:
        for request in requests[:5]:
            await asker.obtain(request, request.key)
        collected.set()
        await ended.wait()  # files that are being written are nobody else's to clear up
        assert await asker.settle() == 5

    async def second(asker: BatchAsker, requests: Sequence[Request]) -> None:
        await collected.wait()
        await rounds(asker, requests)
        ended.set()

    async def two(url: str, one: Ledger, other: Ledger, told: Told) -> None:
        await asyncio.gather(
            batch_driver.session(one, url, requests, Told(), work=first),
            batch_driver.session(other, url, requests, told, work=second),
        )

    one, other, told = Ledger(tmp_path), Ledger(tmp_path), Told()
    with FakeBatchServer() as server:
        asyncio.run(two(server.url, one, other, told))
    one.close()
    other.close()
    assert texts(tmp_path, requests) == expected(6)
    assert set(server.executed.values()) == {1}
    assert told.warnings == ["5 requests are in other batches or another process is asking them: run again later"]


def test_what_is_in_a_batch_elsewhere_is_not_asked_here_until_it_is_forgotten(tmp_path: Path) -> None:
    requests = asking(3)
    told = Told()
    with FakeBatchServer() as one, FakeBatchServer() as other:
        go(tmp_path, one.url, requests, told, on_sleep=lambda _s: told.stop.now("interrupted"))
        here = go(tmp_path, other.url, requests)
        assert other.batches == {}
        assert any(f"in a batch at {one.url}" in text for text in here.warnings)
        [path] = (tmp_path / "batches").iterdir()
        path.unlink()
        go(tmp_path, other.url, requests)
        assert set(other.executed.values()) == {1}
    assert texts(tmp_path, requests) == expected(3)


def test_a_batch_that_the_provider_does_not_know_is_asked_again_only_on_request(tmp_path: Path) -> None:
    requests = asking(3)
    told = Told()
    with FakeBatchServer() as server:
        go(tmp_path, server.url, requests, told, on_sleep=lambda _s: told.stop.now("interrupted"))
        server.batches.clear()
        with pytest.raises(ModelError, match=r"may be of another account; if the batch is gone, delete .*\.jsonl"):
            go(tmp_path, server.url, requests)
        assert server.batches == {}
        [path] = (tmp_path / "batches").iterdir()
        path.unlink()
        go(tmp_path, server.url, requests)
    assert texts(tmp_path, requests) == expected(3)


def test_open_requests_of_a_run_are_counted(tmp_path: Path) -> None:
    requests = asking(3)
    ledger = Ledger(tmp_path)
    run = ledger.add_run("a-run", b"plan", {})
    rows = [PlannedRow(n, Item(f"x/{n}", f"question {n}"), request.key) for n, request in enumerate(requests[:2])]
    ledger.plan_items(run.id, rows)
    assert open_requests(ledger, run.id) == (0, 0)
    told = Told()
    with FakeBatchServer() as server:
        asyncio.run(
            batch_driver.session(ledger, server.url, requests, told, on_sleep=lambda _s: told.stop.now("interrupted"))
        )
        assert open_requests(ledger, run.id) == (2, 0)
        assert open_requests(ledger, run.id, {0, 2}) == (1, 0)
        ledger.store([(requests[0].key, Answer(status="answered", text="from elsewhere"))])
        assert open_requests(ledger, run.id) == (1, 0)
        assert open_requests(ledger, run.id, judging=True) == (0, 0)
        ledger.put_replies(run.id, [(0, 0, requests[2].key)])
        assert open_requests(ledger, run.id, judging=True) == (1, 0)
    ledger.close()


# Money


def test_half_the_price_is_counted(tmp_path: Path) -> None:
    price = Price(10.0, 100.0, 1.0)
    assert halved(price) == Price(5.0, 50.0, 0.5)
    assert halved(Price(2.0, 4.0)) == Price(1.0, 2.0)
    assert halved(None) is None
    with FakeBatchServer() as server:
        told = go(tmp_path, server.url, asking(4), price=price, cost=0.002)
    assert told.tally.cost == pytest.approx(4 * (100 * 5.0 + 10 * 50.0) / 1e6)
    assert told.budget.spent == told.tally.cost
    assert told.budget.reserved == 0


def test_a_cap_on_cost_holds_before_anything_is_handed_over(tmp_path: Path) -> None:
    told = Told()
    told.budget.max_cost = 0.0035
    with FakeBatchServer() as server:
        go(tmp_path, server.url, asking(10), told, price=Price(10.0, 100.0), cost=0.002)  # 0.001 each by batch
    assert sum(server.executed.values()) == 3
    assert told.stop.reason.startswith("the cap on cost (0.0035) is reached")
    assert told.budget.spent == pytest.approx(0.003)
    assert count(tmp_path, "claim") == 0


# Dying

QUICK = ("file written", "upload accepted", "batch accepted", "some stored")


def params() -> list[Any]:
    cases = []
    for step in STEPS:
        for nth in (1, 2):
            marks = () if step in QUICK and nth == 1 else (pytest.mark.slow,)
            cases.append(pytest.param(step, nth, marks=marks, id=f"{step}-{nth}"))
    return cases


@pytest.mark.parametrize(("step", "nth"), params())
def test_a_kill_at_any_step_loses_nothing_and_pays_nothing_twice(tmp_path: Path, step: str, nth: int) -> None:
    requests = asking(10)
    folder = tmp_path / "workspace"
    with FakeBatchServer() as server:
        program = [sys.executable, batch_driver.__file__, str(folder), server.url, "10", step, str(nth)]
        done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == -9, done.stderr
        go(folder, server.url, requests)
    assert texts(folder, requests) == expected(10)
    assert count(folder, "answer") == 10
    assert len(server.executed) == 10
    assert set(server.executed.values()) == {1}
    assert {batch["status"] for batch in server.batches.values()} == {"completed"}
    assert len(server.batches) == server.log.count("POST batches") == server.log.count("POST files")
    assert_nothing_is_left(folder, server)


def test_a_batch_is_found_again_where_no_metadata_are_kept(tmp_path: Path) -> None:
    with FakeBatchServer(
        keeps_metadata=False, trouble=lambda operation, n: "lost" if "POST" in operation else None
    ) as s:
        go(tmp_path, s.url, asking(3))
    assert texts(tmp_path, asking(3)) == expected(3)
    assert (len(s.batches), s.log.count("POST files")) == (1, 1)


def test_a_server_that_lists_nothing_is_not_trusted_with_a_second_batch(tmp_path: Path) -> None:
    def trouble(operation: str, n: int) -> Any:
        return "lost" if (operation, n) == ("POST batches", 0) else None

    requests = asking(3)
    with FakeBatchServer(absent=["GET batches", "GET files"], trouble=trouble) as server:
        with pytest.raises(ModelError, match=r"lists no batches.*then delete .*\.jsonl and run again"):
            go(tmp_path, server.url, requests)
        assert len(server.batches) == 1
        [path] = (tmp_path / "batches").iterdir()
        path.unlink()
        go(tmp_path, server.url, requests)
        assert len(server.batches) == 2  # the file that is there already was used
        assert server.log.count("POST files") == 1
    assert texts(tmp_path, requests) == expected(3)


def test_requests_whose_file_was_deleted_are_asked_again(tmp_path: Path) -> None:
    program = [sys.executable, batch_driver.__file__, str(tmp_path)]
    with FakeBatchServer() as server:
        subprocess.run([*program, server.url, "3", "file sealed", "1"], check=False, timeout=60)
        stray = tmp_path / "batches" / "notes.txt"
        stray.write_text("not ours", encoding="utf-8")
        [path] = (tmp_path / "batches").glob("*.jsonl")
        path.unlink()
        told = go(tmp_path, server.url, asking(3))
    assert told.warnings == ["the input file of a batch of 3 requests is gone: they are asked again"]
    assert texts(tmp_path, asking(3)) == expected(3)
    assert stray.exists()

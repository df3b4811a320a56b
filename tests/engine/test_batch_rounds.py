"""Batches under the engine's own loops: a run is asked and judged in rounds."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import batch_driver
from batch_driver import Told, asking
from fake_batch_server import FakeBatchServer, plain
from fake_server import completion
from snellen.answer import Answer
from snellen.engine.ask import AskAll
from snellen.engine.batch import BatchAsker
from snellen.engine.judge import Judge
from snellen.engine.judging import Judging
from snellen.errors import UnreadableReplyError
from snellen.item import Item
from snellen.ledger import Ledger, PlannedRow
from snellen.model_spec import ModelSpec
from snellen.request import Message, Request, TextPart
from snellen.verdict import Verdict

COUNT = 10


def judge_module() -> ModuleType:
    def ask(item: Item, answer: Answer) -> tuple[Message, ...]:
        return (Message("user", (TextPart(f"judge {answer.text}"),)),)

    def read(item: Item, answer: Answer, replies: Sequence[Answer]) -> Verdict:
        if replies[0].text != "right":
            raise UnreadableReplyError("no verdict")
        return Verdict(1, replies[0].text)

    module = ModuleType("a_judge")
    module.__dict__.update(ask=ask, read=read, OPTIONS={})
    return module


def request_of(row: PlannedRow) -> Request:
    return asking(COUNT)[row.position]


async def collect(asker: BatchAsker, ledger: Ledger, run: int, judging: int | None) -> None:
    """Both loops over what the ledger holds, once; one asker stands for model and judge."""
    answered: deque[int] = deque()
    news = asyncio.Event()
    await AskAll(ledger, run, request_of, lambda position: True, asker, answered, news).work()
    if judging is not None:
        judge = Judge("a-judge", judge_module(), {}, ModelSpec("vlm", base_url="http://localhost/v1"))
        work = Judging(ledger, asker.store, run, judging, judge, asker)
        await work.work(answered, news, lambda: False, lambda position: True)


@pytest.fixture
def run(tmp_path: Path) -> Any:
    ledger = Ledger(tmp_path)
    row = ledger.add_run("a-run", b"plan", {})
    child = ledger.add_run("a-run@a-judge", b"judging", {}, row.id)
    rows = [PlannedRow(n, Item(f"x/{n}", f"question {n}"), request.key) for n, request in enumerate(asking(COUNT))]
    rows.append(PlannedRow(COUNT, Item("x/again", "question 0"), rows[0].key))  # the same request once more
    ledger.plan_items(row.id, rows)
    yield ledger, row.id, child.id
    ledger.close()


def test_a_run_is_asked_and_judged_in_rounds(run: Any) -> None:
    ledger, run_id, judging_id = run
    tries: Counter[str] = Counter()

    def execute(body: dict[str, Any], n: int) -> Any:
        text = body["messages"][-1]["content"]
        tries[text] += 1
        if not text.startswith("judge"):
            return plain(body, n) if tries[text] > 1 or text != "question 3" else "batch_expired"
        unreadable = text.endswith(" 5") and tries[text] == 1
        return completion("mumbling" if unreadable else "right")

    rounds = 0

    async def work(asker: BatchAsker, requests: Sequence[Request]) -> None:
        nonlocal rounds
        await asker.resume()
        while True:
            await collect(asker, ledger, run_id, judging_id)
            if not asker.collected:
                return
            rounds += 1
            await asker.settle()

    told = Told()
    with FakeBatchServer(execute) as server:
        asyncio.run(batch_driver.session(ledger, server.url, [], told, work=work))
    assert ledger.judged(judging_id) == set(range(COUNT + 1))
    assert all(row.verdict is not None and row.verdict.value == 1 for row in ledger.results(run_id, judging_id))
    # Questions; judging the others while one question is asked again; judging that and one judgement again.
    assert rounds == 3
    assert sum(server.executed.values()) == 2 * COUNT + 1
    assert set(server.executed.values()) == {1}
    assert told.tally.failed == 0


def test_many_requests_are_collected_by_few_tasks(run: Any) -> None:
    ledger, run_id, _ = run
    most = 0

    async def work(asker: BatchAsker, requests: Sequence[Request]) -> None:
        nonlocal most
        body = asker._lines.body

        async def counted(request: Request, **how: Any) -> Any:
            nonlocal most
            most = max(most, len(asyncio.all_tasks()))
            await asyncio.sleep(0)
            return await body(request, **how)

        asker._lines.body = counted  # type: ignore[method-assign]
        asker.throttle.slots.most = 1
        assert asker.window == 2
        await collect(asker, ledger, run_id, None)
        assert asker.collected == COUNT
        assert await asker.settle() == COUNT

    with FakeBatchServer() as server:
        asyncio.run(batch_driver.session(ledger, server.url, [], Told(), work=work))
    assert 0 < most <= 2 + 4


def test_a_cancelled_session_leaves_its_batch_to_the_next(run: Any) -> None:
    ledger, run_id, _ = run
    told = Told()

    async def work(asker: BatchAsker, requests: Sequence[Request]) -> None:
        await collect(asker, ledger, run_id, None)
        task = asyncio.current_task()
        assert task is not None
        asker._sleep = lambda seconds: asyncio.sleep(60)
        asyncio.get_running_loop().call_later(0.3, task.cancel)
        await asker.settle()

    async def again(asker: BatchAsker, requests: Sequence[Request]) -> None:
        assert await asker.resume() == COUNT

    with FakeBatchServer() as server:
        with pytest.raises(asyncio.CancelledError):
            asyncio.run(batch_driver.session(ledger, server.url, [], told, work=work))
        assert any(f"{COUNT} requests stay in batches" in text for text in told.warnings)
        asyncio.run(batch_driver.session(ledger, server.url, [], Told(), work=again))
    assert set(server.executed.values()) == {1}
    assert len(server.executed) == COUNT

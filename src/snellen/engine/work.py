"""Work: asking what a session found lacking, and judging what is answered, at the same time."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from concurrent.futures import ThreadPoolExecutor

from snellen.engine.ask import AskAll, Asker, Stop
from snellen.engine.budget import Budget, Tally
from snellen.engine.clients import open_client
from snellen.engine.judge import Judge
from snellen.engine.judging import Judging
from snellen.engine.limits import Limits
from snellen.engine.pace import Client
from snellen.engine.plan import Plan
from snellen.engine.rate import Rate
from snellen.engine.store import Store
from snellen.engine.throttle import Slots, Throttle
from snellen.engine.watch import Outcome, Watch
from snellen.engine.workspace import Workspace
from snellen.ledger import RunRow
from snellen.model_spec import ModelSpec

_TICK = 0.5


class Work:
    """The part of a session that waits on models.

    Args:
        workspace, plan, run, judge, judging, limits, watch: as of the session.
        store: the ledger.
        executor: prepares images.
        outcome: with the session's expectations and positions; its tallies are kept up to date.
        stop: ends it early.
    """

    def __init__(
        self,
        workspace: Workspace,
        store: Store,
        executor: ThreadPoolExecutor,
        plan: Plan | None,
        run: RunRow,
        judge: Judge | None,
        judging: RunRow | None,
        limits: Limits,
        watch: Watch,
        outcome: Outcome,
        stop: Stop,
    ) -> None:
        self._workspace, self._store, self._executor = workspace, store, executor
        self._plan, self._run, self._judge, self._judging = plan, run, judge, judging
        self._limits, self._watch, self._outcome, self._stop = limits, watch, outcome, stop
        self._ledger = workspace.ledger
        self._budget = Budget(limits.max_cost, limits.max_failures, spent=limits.spent, failures=limits.failed)
        self._pool = Slots(limits.concurrency) if limits.shared_pool else None
        self._rates: dict[tuple[str, str], Rate] = {}  # a model that judges too has one limit for both
        self._expected = {expectation.role: expectation for expectation in outcome.expectations}

    async def fill_in(self) -> None:
        """Ask and judge until nothing is lacking, or a stop comes."""
        async with contextlib.AsyncExitStack() as opened:
            asker = judge_asker = None
            if self._plan is not None:
                asker = await self._asker("model", self._plan.model, self._outcome.model, opened)
            if self._judge is not None and self._judge.model is not None:
                judge_asker = await self._asker("judge", self._judge.model, self._outcome.judge, opened)
            ticker = asyncio.create_task(self._tick())
            try:
                await self._rounds(asker, judge_asker)
            except ExceptionGroup as group:
                # One cause is enough to act on: the others stand in the group's own report. With `except*` it would
                # come in a group again, before Python 3.11.4.
                raise _first(group) from group
            finally:
                ticker.cancel()
                self._watch.on_progress(self._outcome.model, self._outcome.judge)

    async def _rounds(self, asker: Asker | None, judge_asker: Asker | None) -> None:
        """One round, unless something is asked by batch: then what a round collected is settled before the next."""
        if not self._limits.batch and not self._limits.judge_batch:
            await self._both(asker, judge_asker)
            return
        from snellen.engine.batch import BatchAsker  # with what it needs, which most sessions never do

        batchers = [each for each in (asker, judge_asker) if isinstance(each, BatchAsker)]
        for batcher in batchers:
            await batcher.resume()
        while not self._stop:
            await self._both(asker, judge_asker)
            if not any(batcher.collected for batcher in batchers):
                if reason := next((batcher.capped for batcher in batchers if batcher.capped), ""):
                    self._stop.now(reason)
                return
            async with asyncio.TaskGroup() as group:
                for batcher in batchers:
                    group.create_task(batcher.settle())

    async def _both(self, asker: Asker | None, judge_asker: Asker | None) -> None:
        answered: deque[int] = deque()
        news = asyncio.Event()
        asking = asker is not None
        positions = self._outcome.positions

        async def ask() -> None:
            nonlocal asking
            try:
                if asker is not None and self._plan is not None:
                    plan = self._plan
                    asking_all = AskAll(
                        self._ledger,
                        self._run.id,
                        lambda row: plan.request(row.item),
                        positions.__contains__,
                        asker,
                        answered,
                        news,
                    )
                    await asking_all.work()
            finally:
                asking = False
                news.set()

        async def wake() -> None:
            await self._stop.event.wait()
            news.set()

        waker = asyncio.create_task(wake())
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(ask())
                if self._judge is not None and self._judging is not None:
                    judging = Judging(
                        self._ledger, self._store, self._run.id, self._judging.id, self._judge, judge_asker
                    )
                    group.create_task(judging.work(answered, news, lambda: asking, positions.__contains__))
        finally:
            waker.cancel()

    async def _asker(self, role: str, spec: ModelSpec, tally: Tally, opened: contextlib.AsyncExitStack) -> Asker:
        limits, expected, judging = self._limits, self._expected[role], role == "judge"
        most = limits.judge_concurrency if judging and self._pool is None else limits.concurrency
        client = self._open(spec, most, judging=judging)
        opened.push_async_callback(client.close)
        address = (spec.base_url, spec.server_name or spec.name)
        rate = self._rates.setdefault(
            address, Rate(spec.requests_per_minute, spec.tokens_per_minute, expected.tokens_each)
        )
        throttle = Throttle(Slots(most), rate, self._stop.sleep, self._stop.__bool__, self._pool)
        where = role, client, self._store, throttle, self._budget, tally
        if not (limits.judge_batch if judging else limits.batch):
            await self._warn_of_batches(judging)
            return Asker(*where, spec.price, expected.cost_single, self._stop)
        from snellen.engine.batch import BatchAsker
        from snellen.models._batch_api import BatchApi

        api = BatchApi(spec)
        opened.push_async_callback(api.close)
        asker = BatchAsker(
            *where,
            spec.price,
            expected.cost_single,
            self._stop,
            spec=spec,
            api=api,
            ledger=self._ledger,
            folder=self._workspace.folder / "batches",
            on_wait=lambda waiting: self._watch.on_wait(role, waiting),
            on_warning=self._watch.on_warning,
        )
        opened.push_async_callback(asker.close)
        return asker

    async def _warn_of_batches(self, judging: bool) -> None:
        from snellen.engine.batch_notes import open_batch_notes

        of, view = self._judging if judging else self._run, self._outcome.positions
        if of is not None:
            number = of.id
            for text in await self._store.call(
                lambda: open_batch_notes(self._ledger, number, view, batch=False, judging=judging)
            ):
                self._watch.on_warning(text)

    def _open(self, spec: ModelSpec, concurrency: int, *, judging: bool) -> Client:
        owner = self._judge if judging else self._plan
        return open_client(
            spec,
            images=self._workspace.images,
            executor=self._executor,
            concurrency=concurrency,
            recording=owner.recording if owner is not None else None,
            judging=judging,
        )

    async def _tick(self) -> None:
        while True:
            self._watch.on_progress(self._outcome.model, self._outcome.judge)
            await asyncio.sleep(_TICK)


def _first(group: BaseExceptionGroup[Exception]) -> Exception:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error if isinstance(error, Exception) else RuntimeError(str(error))

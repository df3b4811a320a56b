"""Session: one sitting at a run. It plans, says what to expect, asks and judges, and can be stopped at any moment."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from snellen.answer import Answer
from snellen.engine.ask import AskAll, Asker, Stop
from snellen.engine.budget import Budget, Tally
from snellen.engine.clients import open_client
from snellen.engine.expect import Expectation, expect
from snellen.engine.judging import Judge, Judging
from snellen.engine.limits import Limits
from snellen.engine.pace import Client
from snellen.engine.plan import Plan, View
from snellen.engine.rate import Rate
from snellen.engine.store import Store
from snellen.engine.throttle import Slots, Throttle
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.ledger import RunRow
from snellen.model_spec import EMBEDDED, ModelSpec

_CHUNK = 500
_TICK = 0.5


@dataclass(slots=True)
class Watch:
    """What a session tells while it works; set the callbacks to be told.

    Attributes:
        on_plan: number of items planned so far.
        on_expect: expectations, before the first request.
        on_progress: tallies of model and judge, about twice a second and at the end.
        on_warning: one sentence.
    """

    on_plan: Callable[[int], None] = lambda count: None
    on_expect: Callable[[Sequence[Expectation]], None] = lambda expectations: None
    on_progress: Callable[[Tally, Tally], None] = lambda model, judge: None
    on_warning: Callable[[str], None] = lambda text: None


@dataclass(slots=True)
class Outcome:
    """How a session ended.

    Attributes:
        stopped: why it ended early: ``interrupted``, or the cap that was reached; empty when it did not.
        interrupted: by Ctrl-C or a termination signal.
        model, judge: tallies.
        positions: of the view, in the benchmark.
        expectations: as they were told.
    """

    stopped: str = ""
    interrupted: bool = False
    model: Tally = field(default_factory=Tally)
    judge: Tally = field(default_factory=Tally)
    positions: frozenset[int] = frozenset()
    expectations: tuple[Expectation, ...] = ()


@dataclass(slots=True)
class _Planned:
    positions: set[int] = field(default_factory=set)
    askable: int = 0
    unanswered: int = 0
    unanswered_keys: set[bytes] = field(default_factory=set)
    characters: float = 0.0
    images: int = 0
    seen: int = 0


class Session:
    """A sitting.

    Args:
        workspace: where everything is kept.
        plan: what is asked; None to judge only what a run holds already.
        run: the run's row.
        judge: who judges; None to ask only.
        judging: the judging's row.
        view: which items.
        limits, watch: see there.
        dry: stop before the first request.
    """

    def __init__(
        self,
        workspace: Workspace,
        plan: Plan | None,
        run: RunRow,
        judge: Judge | None,
        judging: RunRow | None,
        view: View,
        limits: Limits,
        watch: Watch,
        *,
        dry: bool = False,
    ) -> None:
        self._workspace, self._plan, self._run = workspace, plan, run
        self._judge, self._judging, self._view = judge, judging, view
        self._limits, self._watch, self._dry = limits, watch, dry
        self._ledger = workspace.ledger
        self._outcome = Outcome()
        self._budget = Budget(limits.max_cost, limits.max_failures)
        self._pool = Slots(limits.concurrency) if limits.shared_pool else None
        self._rates: dict[tuple[str, str], Rate] = {}  # a model that judges too has one limit for both

    async def work(self) -> Outcome:
        """Go as far as there is something to do."""
        stop = Stop()
        with ThreadPoolExecutor(2, thread_name_prefix="snellen-images") as executor, self._signals(stop):
            async with Store(self._ledger) as store:
                self._store, self._executor = store, executor
                await self._refresh_verdicts()
                planned = await self._take_down(stop)
                self._outcome.positions = frozenset(planned.positions)
                expectations = await self._expect(planned)
                self._outcome.expectations = tuple(expectations)
                self._watch.on_expect(expectations)
                if not self._dry and not stop:
                    await self._fill(stop, expectations)
        self._outcome.stopped = stop.reason
        return self._outcome

    # -- before the first request ------------------------------------------------------------------------------------

    async def _refresh_verdicts(self) -> None:
        if self._judge is None or self._judging is None:
            return
        source = self._judge.source()
        if self._judging.spec.get("source") != source:
            await self._store.call(self._ledger.clear_verdicts, self._judging.id)
            await self._store.call(self._ledger.respecify, self._judging.id, {**self._judging.spec, "source": source})

    async def _take_down(self, stop: Stop) -> _Planned:
        planned = _Planned()
        if self._plan is None:
            after = -1
            while rows := await self._store.call(self._ledger.results, self._run.id, None, after):
                after = rows[-1].position
                planned.positions.update(row.position for row in rows)
                planned.askable += sum(row.answer is not None for row in rows)
            return planned
        rows_ahead = self._plan.rows(self._workspace.images, self._view)
        while not stop:
            chunk = await asyncio.to_thread(lambda: list(itertools.islice(rows_ahead, _CHUNK)))
            if not chunk:
                break
            await self._store.call(self._ledger.plan_items, self._run.id, chunk)
            keys = [row.key for row in chunk if row.key is not None]
            missing = set(keys) - await self._store.call(self._ledger.answered, keys)
            planned.positions.update(row.position for row in chunk)
            planned.askable += len(keys)
            planned.unanswered += sum(key in missing for key in keys)
            planned.unanswered_keys |= missing
            if planned.seen < 200:
                sample = [row.item for row in chunk[: 200 - planned.seen] if row.key is not None]
                planned.seen += len(sample)
                planned.characters += sum(len(self._plan.request(item).text()) for item in sample)
                planned.images += sum(len(item.images) for item in sample)
            self._watch.on_plan(len(planned.positions))
        for problem in self._plan.problems[:20]:
            self._watch.on_warning(str(problem))
        if len(self._plan.problems) > 20:
            self._watch.on_warning(f"and {len(self._plan.problems) - 20} more rows or images like these")
        if not planned.positions and not stop:
            raise UsageError(f"no item of {self._plan.name} is left: {self._view or 'its data hold none'}")
        return planned

    async def _expect(self, planned: _Planned) -> list[Expectation]:
        expectations = []
        each = max(1, planned.seen)
        if self._plan is not None:
            requests = len(planned.unanswered_keys)
            self._outcome.model = Tally(planned=planned.askable, to_ask=requests)
            spec = self._plan.model
            usage = await self._store.call(self._usage, self._run.id, False)
            expectations.append(
                expect(
                    "model",
                    spec,
                    requests=requests,
                    stored=planned.askable - planned.unanswered,
                    concurrency=self._limits.concurrency,
                    seen=usage,
                    prompt_characters=planned.characters / each,
                    images=planned.images / each,
                    free=not self._plan.served,
                )
            )
        if self._judge is not None and self._judging is not None:
            await self._store.call(self._try_rules)
            judged = await self._store.call(self._ledger.judged, self._judging.id)
            left = max(0, planned.askable - len(judged & planned.positions))
            self._outcome.judge = Tally(planned=planned.askable, to_ask=left if self._judge.asks else 0)
            if self._judge.model is not None:
                usage = await self._store.call(self._usage, self._judging.id, True)
                free = self._judge.recording is not None or self._judge.model.kind in EMBEDDED
                expectations.append(
                    expect(
                        "judge",
                        self._judge.model,
                        requests=left,
                        stored=planned.askable - left,
                        concurrency=self._limits.judge_concurrency,
                        seen=usage,
                        prompt_characters=await self._store.call(self._judge_characters),
                        images=0.0,
                        free=free,
                    )
                )
        for expectation in expectations:
            if self._limits.max_cost is not None and expectation.cost is None:
                raise UsageError(
                    f"a cap on cost needs a price for the {expectation.role} {expectation.name!r}: declare"
                    " price = {input = …, output = …} per million tokens in models.toml"
                )
        return expectations

    def _usage(self, run_id: int, judging: bool) -> dict[str, float]:
        return self._ledger.usage(run_id, judging=judging)

    def _try_rules(self) -> None:
        """Raises UsageError where a rule judge does not fit the benchmark: better said now than of every item."""
        if self._judge is None or self._judge.asks:
            return
        for row in self._ledger.results(self._run.id, None, limit=1):
            if row.key is not None:
                try:
                    self._judge.read(row.item, Answer(status="answered", text="x"), ())
                except UsageError:
                    raise
                except Exception:  # a judge's mistake on one item is that item's: see `Judging`
                    return

    def _judge_characters(self) -> float:
        """Of a typical request to the judge: its rubric on the run's first items, with answers of common length.

        Raises:
            UsageError: the judge does not fit the benchmark: better said now than of every item.
        """
        if self._judge is None:
            return 0.0
        items = [row.item for row in self._ledger.results(self._run.id, None, limit=50) if row.key is not None]
        requests = [self._judge.request(item, Answer(status="answered", text="x" * 800), 0) for item in items]
        lengths = [len(request.text()) for request in requests if request is not None]
        return sum(lengths) / max(1, len(lengths))

    # -- asking and judging ------------------------------------------------------------------------------------------

    async def _fill(self, stop: Stop, expectations: Sequence[Expectation]) -> None:
        async with contextlib.AsyncExitStack() as opened:
            by_role = {expectation.role: expectation for expectation in expectations}
            asker = judge_asker = None
            if self._plan is not None:
                client = self._open(self._plan.model, self._limits.concurrency, judging=False)
                opened.push_async_callback(client.close)
                asker = self._asker("model", client, self._plan.model, by_role["model"], self._outcome.model, stop)
            if self._judge is not None and self._judge.model is not None:
                client = self._open(self._judge.model, self._limits.judge_concurrency, judging=True)
                opened.push_async_callback(client.close)
                judge_asker = self._asker(
                    "judge", client, self._judge.model, by_role["judge"], self._outcome.judge, stop
                )
            ticker = asyncio.create_task(self._tick())
            try:
                await self._both(stop, asker, judge_asker)
            except* Exception as group:
                # One cause is enough to act on: the others stand in the group's own report.
                raise _first(group) from group
            finally:
                ticker.cancel()
                self._watch.on_progress(self._outcome.model, self._outcome.judge)

    async def _both(self, stop: Stop, asker: Asker | None, judge_asker: Asker | None) -> None:
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
            await stop.event.wait()
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

    def _asker(
        self, role: str, client: Client, spec: ModelSpec, expectation: Expectation, tally: Tally, stop: Stop
    ) -> Asker:
        most = self._limits.concurrency if role == "model" or self._pool is not None else self._limits.judge_concurrency
        address = (spec.base_url, spec.server_name or spec.name)
        rate = self._rates.setdefault(
            address, Rate(spec.requests_per_minute, spec.tokens_per_minute, expectation.tokens_each)
        )
        throttle = Throttle(Slots(most), rate, stop.sleep, stop.__bool__, self._pool)
        return Asker(role, client, self._store, throttle, self._budget, tally, spec.price, expectation.cost_each, stop)

    async def _tick(self) -> None:
        while True:
            self._watch.on_progress(self._outcome.model, self._outcome.judge)
            await asyncio.sleep(_TICK)

    @contextlib.contextmanager
    def _signals(self, stop: Stop) -> Iterator[None]:
        """Ctrl-C ends the session after the requests in flight; a second one drops them."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        if threading.current_thread() is not threading.main_thread() or task is None:
            yield
            return

        def interrupt() -> None:
            if self._outcome.interrupted:
                task.cancel()
                return
            self._outcome.interrupted = True
            in_flight = self._outcome.model.in_flight + self._outcome.judge.in_flight
            if in_flight:
                self._watch.on_warning(f"stopping after the {in_flight} requests in flight; again to drop them")
            stop.now("interrupted")

        names = (signal.SIGINT, signal.SIGTERM)
        try:
            for name in names:
                loop.add_signal_handler(name, interrupt)
        except NotImplementedError:  # no such handlers on this system: Ctrl-C raises, and what is committed stays
            yield
            return
        try:
            yield
        finally:
            for name in names:
                loop.remove_signal_handler(name)


def _first(group: BaseExceptionGroup[Exception]) -> Exception:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error if isinstance(error, Exception) else RuntimeError(str(error))

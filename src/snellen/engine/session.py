"""Session: one sitting at a run. It plans, says what to expect, asks and judges, and can be stopped at any moment."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from snellen.answer import Answer
from snellen.engine.ask import Stop
from snellen.engine.budget import Tally
from snellen.engine.clients import load_ahead
from snellen.engine.expect import Expectation, expect
from snellen.engine.judge import Judge
from snellen.engine.limits import Limits
from snellen.engine.plan import Plan, View
from snellen.engine.planning import Planned, take_down
from snellen.engine.store import Store
from snellen.engine.watch import Outcome, Watch
from snellen.engine.work import Work
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.ledger import RunRow
from snellen.ledger.planned import judged_count
from snellen.model_spec import EMBEDDED


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

    async def work(self) -> Outcome:
        """Go as far as there is something to do.

        Raises:
            UsageError: what is asked for does not fit together, or nothing is left to ask.
        """
        self._check_batches()
        stop = Stop()
        with ThreadPoolExecutor(2, thread_name_prefix="snellen-images") as executor, self._signals(stop):
            async with Store(self._ledger) as store:
                self._store = store
                if not self._dry:
                    owners = [each for each in (self._plan, self._judge) if each is not None]
                    executor.submit(load_ahead, *(each.model for each in owners))
                await self._refresh_verdicts()
                planned = await take_down(
                    self._plan,
                    self._run.id,
                    self._view,
                    store,
                    self._ledger,
                    self._workspace.images,
                    self._watch.on_plan,
                    self._watch.on_warning,
                    stop,
                )
                self._outcome.positions = planned.positions
                expectations = await self._expect(planned)
                self._outcome.expectations = tuple(expectations)
                self._watch.on_expect(expectations)
                if self._dry:
                    await self._tell_of_batches(planned)
                elif not stop:
                    work = Work(
                        self._workspace,
                        store,
                        executor,
                        self._plan,
                        self._run,
                        self._judge,
                        self._judging,
                        self._limits,
                        self._watch,
                        self._outcome,
                        stop,
                    )
                    await work.fill_in()
        self._outcome.stopped = stop.reason
        return self._outcome

    async def _tell_of_batches(self, planned: Planned) -> None:
        """Before a dry run's end: what of it is in open batches already. A real one tells when it opens its askers."""
        from snellen.engine.batch_notes import open_batch_notes

        limits, judging = self._limits, self._judging
        roles = [(self._run.id, limits.batch, False)]
        roles += [(judging.id, limits.judge_batch, True)] if judging is not None else []
        for number, batch, of_judge in roles:
            notes = partial(open_batch_notes, self._ledger, number, planned.positions, batch=batch, judging=of_judge)
            for text in await self._store.call(notes):
                self._watch.on_warning(text)

    def _check_batches(self) -> None:
        if self._limits.batch and (self._plan is None or not self._plan.served):
            raise UsageError("only a served model can be asked by batch: leave --batch out")
        judge = self._judge.model if self._judge is not None and self._judge.recording is None else None
        if self._limits.judge_batch and (judge is None or judge.kind in EMBEDDED or judge.embeds):
            raise UsageError("only a served model can judge by batch: leave --judge-batch out")

    async def _refresh_verdicts(self) -> None:
        if self._judge is None or self._judging is None:
            return
        source = self._judge.source()
        if self._judging.spec.get("source") != source:
            await self._store.call(self._ledger.clear_verdicts, self._judging.id)
            await self._store.call(self._ledger.respecify, self._judging.id, {**self._judging.spec, "source": source})

    async def _expect(self, planned: Planned) -> list[Expectation]:
        expectations = []
        if self._plan is not None:
            self._outcome.model = Tally(planned=planned.askable, to_ask=planned.requests)
            spec = self._plan.model
            usage = await self._store.call(self._usage, self._run.id, False)
            expectations.append(
                expect(
                    "model",
                    spec,
                    requests=planned.requests,
                    stored=planned.askable - planned.unanswered,
                    concurrency=self._limits.concurrency,
                    seen=usage,
                    prompt_characters=planned.prompt_characters,
                    images=planned.images,
                    free=not self._plan.served,
                    batch=self._limits.batch,
                )
            )
        if self._judge is not None and self._judging is not None:
            await self._store.call(self._try_rules)
            judged = await self._store.call(judged_count, self._ledger, self._judging.id, planned.positions)
            left = max(0, planned.askable - judged)
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
                        batch=self._limits.judge_batch,
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
        """Raises UsageError where a judge that reads by rules, with vectors or without, does not fit the benchmark."""
        if self._judge is None or (self._judge.asks and not self._judge.embeds):
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

"""The one loop that waits on models: it fills in the ledger what a plan lacks."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from snellen.answer import Answer
from snellen.engine.budget import Budget, Tally
from snellen.engine.pace import Client, ask_patiently
from snellen.engine.store import Store
from snellen.ledger import Ledger, PlannedRow
from snellen.model_spec import Price
from snellen.request import Request

_PAGE = 256
_LOOK_AGAIN = 0.5  # seconds between looks at what another process is asking


@dataclass(slots=True)
class Stop:
    """Says that no new request is to be made; what is in flight is waited for."""

    event: asyncio.Event = field(default_factory=asyncio.Event)
    reason: str = ""

    def now(self, reason: str) -> None:
        """Stop, for that reason."""
        if not self.event.is_set():
            self.reason = reason
            self.event.set()

    def __bool__(self) -> bool:
        return self.event.is_set()

    async def sleep(self, seconds: float) -> None:
        """Sleep, but not beyond a stop."""
        try:
            await asyncio.wait_for(self.event.wait(), seconds)
        except TimeoutError:
            return


class Asker:
    """Obtains answers from one model: from the ledger, from another process's asking, or by asking.

    Args:
        role: ``model`` or ``judge``, for counting.
        client: whom to ask.
        store: where answers are kept.
        slots: requests in flight at once.
        budget, tally: what is booked.
        price: of the model's tokens, if declared.
        expected_cost: of one request, for the cap on cost.
        stop: says when to make no more requests.
    """

    def __init__(
        self,
        role: str,
        client: Client,
        store: Store,
        slots: int,
        budget: Budget,
        tally: Tally,
        price: Price | None,
        expected_cost: float,
        stop: Stop,
    ) -> None:
        self.role, self.client, self.store, self.budget, self.tally = role, client, store, budget, tally
        self.price, self.expected_cost, self.stop = price, expected_cost, stop
        self.slots = slots
        self._semaphore = asyncio.Semaphore(slots)
        self._coming: dict[bytes, asyncio.Future[Answer | None]] = {}

    async def obtain(self, request: Request, key: bytes) -> Answer | None:
        """The answer, final or failed; None where a stop came first. Equal requests at once are asked once."""
        coming = self._coming.get(key)
        if coming is not None:
            return await asyncio.shield(coming)
        future: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        self._coming[key] = future
        try:
            answer = await self._obtain(request, key)
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError):
                future.cancel()
            else:
                future.set_exception(error)
                future.exception()  # whoever waits gets it; nobody waiting is no mistake
            raise
        else:
            future.set_result(answer)
            return answer
        finally:
            del self._coming[key]

    async def _obtain(self, request: Request, key: bytes) -> Answer | None:
        while not self.stop:
            # The slot is held until the answer is committed: a ledger that cannot be written stops the asking too.
            async with self._semaphore:
                claim = await self.store.claim(key)
                if isinstance(claim, Answer):
                    self.tally.to_ask -= 1
                    return claim
                if claim == "granted":
                    return await self._ask(request, key)
            await self.stop.sleep(_LOOK_AGAIN)
        return None

    async def _ask(self, request: Request, key: bytes) -> Answer | None:
        if not await self._affordable():
            await self.store.release(key)
            return None
        self.tally.in_flight += 1
        try:
            answer = await ask_patiently(
                self.client, request, self.stop.sleep, lambda error: self.budget.note_retry(self.tally, error)
            )
        finally:
            self.tally.in_flight -= 1
        self.budget.settle(self.role, self.expected_cost, answer, self.tally, self.price)
        if self.budget.stopped:
            self.stop.now(self.budget.stopped)
        await self.store.answer(key, answer)
        return answer

    async def _affordable(self) -> bool:
        while not self.stop:
            if self.budget.reserve(self.expected_cost):
                return True
            if self.budget.stopped:
                self.stop.now(self.budget.stopped)
            else:
                await self.stop.sleep(0.05)  # what is in flight may turn out cheaper than it was expected to be
        return False


async def ask_all(
    ledger: Ledger,
    run_id: int,
    request: Callable[[PlannedRow], Request],
    wanted: Callable[[int], bool],
    asker: Asker,
    answered: deque[int],
    news: asyncio.Event,
) -> None:
    """Ask whatever a run lacks, a page of the ledger at a time.

    Args:
        ledger: where the run is.
        run_id: which run.
        request: gives the request of a planned row.
        wanted: whether a position is in the view.
        asker: obtains the answers.
        answered: receives positions as their answers arrive.
        news: is set whenever something was put there.
    """
    window = asyncio.Semaphore(asker.slots * 2 + 16)  # more than are in flight: committing is no reason to idle

    async def one(row: PlannedRow, key: bytes) -> None:
        try:
            answer = await asker.obtain(request(row), key)
            if answer is not None and answer.failure is None:
                answered.append(row.position)
                news.set()
        finally:
            window.release()

    after = -1
    async with asyncio.TaskGroup() as group:
        while not asker.stop:
            rows = await asker.store.call(ledger.unanswered, run_id, after, _PAGE)
            if not rows:
                return
            after = rows[-1].position
            for row in rows:
                if row.key is None or not wanted(row.position):
                    continue
                await window.acquire()
                if asker.stop:
                    return
                group.create_task(one(row, row.key))

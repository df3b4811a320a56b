"""The one loop that waits on models: it fills in the ledger what a plan lacks."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from snellen.answer import Answer
from snellen.engine.budget import Budget, Tally
from snellen.engine.pace import Client, ask_patiently
from snellen.engine.store import Store
from snellen.engine.throttle import Throttle
from snellen.ledger import Claim, Ledger, PlannedRow
from snellen.model_spec import Price
from snellen.request import Request

_PAGE = 256

LOOK_AGAIN = 0.5
"""Seconds between looks at what another process is asking."""

Coming = Answer | Literal["elsewhere"] | None
"""What comes of a request that is being asked: None where a stop came first."""


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
        throttle: how many are asked at once, and how fast.
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
        throttle: Throttle,
        budget: Budget,
        tally: Tally,
        price: Price | None,
        expected_cost: float,
        stop: Stop,
    ) -> None:
        self.role, self.client, self.store, self.budget, self.tally = role, client, store, budget, tally
        self.price, self.expected_cost, self.stop = price, expected_cost, stop
        self.throttle = throttle
        self._coming: dict[bytes, asyncio.Future[Coming]] = {}

    @property
    def window(self) -> int:
        """How many requests are at hand: some more than are in flight, since claiming is no reason to idle; few, since
        nobody else can ask what is claimed here."""
        most = self.throttle.slots.most
        return most + self.ahead

    @property
    def ahead(self) -> int:
        """How many requests are claimed before there is a slot for them."""
        return max(1, self.throttle.slots.most // 4)

    async def obtain(self, request: Request, key: bytes) -> Answer | None:
        """The answer, final or failed; None where a stop came first. Equal requests at once are asked once."""
        while not self.stop:
            claim = (await self.claim([key]))[key]
            if isinstance(claim, Answer):
                return claim
            if claim == "granted":
                return await self.ask(request, key)
            if claim == "coming":
                answer = await self.follow(key)
                if answer != "elsewhere":
                    return answer
            await self.stop.sleep(LOOK_AGAIN)
        return None

    async def claim(self, keys: Sequence[bytes]) -> dict[bytes, Claim | Literal["coming"]]:
        """For each key: its answer; ``granted``, and then it must be asked; ``coming``: it is being asked here, and can
        be followed; or ``elsewhere``: another process is asking it."""
        claims: dict[bytes, Claim | Literal["coming"]] = {}
        futures: dict[bytes, asyncio.Future[Coming]] = {}
        loop = asyncio.get_running_loop()
        for key in keys:
            if key in self._coming:
                claims[key] = "coming"
            else:
                self._coming[key] = futures[key] = loop.create_future()
        if not futures:
            return claims
        try:
            found = await self.store.claim(list(futures))
        except BaseException as error:
            for key in futures:
                self._arrived(key, error)
            raise
        for key, claim in found.items():
            claims[key] = claim
            if claim != "granted":
                self._arrived(key, claim)
            self.tally.to_ask -= isinstance(claim, Answer)
        return claims

    async def follow(self, key: bytes) -> Coming:
        """What comes of a request that is ``coming``."""
        coming = self._coming.get(key)
        return await asyncio.shield(coming) if coming is not None else "elsewhere"

    async def ask(self, request: Request, key: bytes) -> Answer | None:
        """Ask what was granted; None where a stop came first."""
        try:
            answer = await self._ask(request, key)
        except BaseException as error:
            self._arrived(key, error)
            raise
        self._arrived(key, answer)
        return answer

    async def _ask(self, request: Request, key: bytes) -> Answer | None:
        # The place is held until the answer is committed: a ledger that cannot be written stops the asking too.
        with self.throttle.place() as place:
            if not self.stop:
                await place.enter()
            if not await self._affordable():
                await self.store.release(key)
                return None
            self.tally.in_flight += 1
            self.budget.live += 1
            try:
                answer = await ask_patiently(
                    self.client,
                    request,
                    place,
                    self.stop.sleep,
                    lambda error: self.budget.note_retry(self.tally, error),
                )
            finally:
                self.tally.in_flight -= 1
                self.budget.live -= 1
            self.budget.settle(self.role, self.expected_cost, answer, self.tally, self.price)
            if self.budget.stopped:
                self.stop.now(self.budget.stopped)
            await self.store.answer(key, answer)
            return answer

    def _arrived(self, key: bytes, what: Coming | BaseException) -> None:
        future = self._coming.pop(key)
        if future.done():
            return
        if isinstance(what, asyncio.CancelledError):
            future.cancel()
        elif isinstance(what, BaseException):
            future.set_exception(what)
            future.exception()  # whoever waits gets it; nobody waiting is no mistake
        else:
            future.set_result(what)

    async def _affordable(self) -> bool:
        while not self.stop:
            if self.budget.reserve(self.expected_cost):
                return True
            if self.budget.stopped:
                self.stop.now(self.budget.stopped)
            elif not self.budget.live:
                return False  # what is left is reserved for batches: the next round tries again
            else:
                await self.stop.sleep(0.05)  # what is in flight may turn out cheaper than it was expected to be
        return False


class AskAll:
    """Asks whatever a run lacks, a page of the ledger at a time.

    Args:
        ledger: where the run is.
        run_id: which run.
        request: gives the request of a planned row.
        wanted: whether a position is in the view.
        asker: obtains the answers.
        answered: receives positions as their answers arrive.
        news: is set whenever something was put there.
    """

    def __init__(
        self,
        ledger: Ledger,
        run_id: int,
        request: Callable[[PlannedRow], Request],
        wanted: Callable[[int], bool],
        asker: Asker,
        answered: deque[int],
        news: asyncio.Event,
    ) -> None:
        self._ledger, self._run_id, self._request, self._wanted = ledger, run_id, request, wanted
        self._asker, self._answered, self._news = asker, answered, news
        self._free = asker.window
        self._room = asyncio.Event()
        self._aside: set[int] = set()

    async def work(self) -> None:
        """Ask; what another process is asking is looked at again at the end, until it has an answer."""
        wanted = self._wanted
        while not self._asker.stop:
            await self._pass_over(wanted)
            self._asker.tally.elsewhere = len(self._aside)
            if not self._aside:
                return
            await self._asker.stop.sleep(LOOK_AGAIN)
            self._asker.tally.to_ask -= len(self._aside)
            wanted, self._aside = frozenset(self._aside).__contains__, set()

    async def _pass_over(self, wanted: Callable[[int], bool]) -> None:
        again = wanted is not self._wanted
        after = -1
        async with asyncio.TaskGroup() as group:
            while not self._asker.stop:
                page = await self._asker.store.call(self._ledger.unanswered, self._run_id, after, _PAGE)
                if not page:
                    return
                after = page[-1].position
                rows = [row for row in page if row.key is not None and wanted(row.position)]
                self._asker.tally.to_ask += len(rows) if again else 0
                while rows and not self._asker.stop:
                    room = await self._wait_for_room()
                    await self._start(group, rows[:room])
                    del rows[:room]

    async def _wait_for_room(self) -> int:
        """Until a good part of the window is free: claims in bulk cost a fraction of single ones."""
        while self._free < self._asker.ahead:
            self._room.clear()
            await self._room.wait()
        return self._free

    async def _start(self, group: asyncio.TaskGroup, rows: Sequence[PlannedRow]) -> None:
        self._free -= len(rows)
        claims = await self._asker.claim([row.key for row in rows if row.key is not None])
        for row in rows:
            assert row.key is not None  # `_pass_over` keeps no other
            claim = claims[row.key]
            if isinstance(claim, Answer):
                self._has_answer(row.position)
                self._leave()
            elif claim == "elsewhere":
                self._aside.add(row.position)
                self._leave()
            else:
                group.create_task(self._one(row, row.key, first=claim == "granted"))
                claims[row.key] = "coming"  # for the next row with the same request

    async def _one(self, row: PlannedRow, key: bytes, *, first: bool) -> None:
        try:
            answer = await (self._asker.ask(self._request(row), key) if first else self._asker.follow(key))
            if isinstance(answer, Answer) and answer.failure is None:
                self._has_answer(row.position)
            elif answer == "elsewhere":
                self._aside.add(row.position)
        finally:
            self._leave()

    def _has_answer(self, position: int) -> None:
        self._answered.append(position)
        self._news.set()

    def _leave(self) -> None:
        self._free += 1
        self._room.set()

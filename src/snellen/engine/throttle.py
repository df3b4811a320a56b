"""Throttle: how many requests to a model are in flight, and how fast they follow each other.

A server may limit both, and may tell neither. A refusal (429) of more requests in flight than it was seen to bear
lowers the bound of the *slots*, one of fewer lowers the *rate*; both rise again while nothing is refused. What is known
to be refused by chance lowers neither.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from math import log
from types import TracebackType
from typing import Self

from snellen.answer import Usage
from snellen.engine.rate import Pass, Rate

_MOST_PATIENCE = 16.0
_REMEMBERED = 64
_HARDLY = 0.001  # probability of a row of refusals that is not put down to chance any more


class Slots:
    """Requests in flight at once: at most `most`, fewer while the server refuses more.

    Attributes:
        most: as the user allows.
        limit: at present.
        busy: taken.
    """

    def __init__(self, most: int) -> None:
        self.most = self.limit = most
        self.busy = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._borne: deque[int] = deque(maxlen=_REMEMBERED)  # how many were in flight when a request was let in
        self._patience = 1.0  # seconds between two raises
        self._changed_at = 0.0
        self._raised = False
        self._in_a_row = 0  # refusals of more in flight than were borne, with none let in between

    async def take(self) -> None:
        """Wait for a slot; first come, first served."""
        if not self._waiting and self.busy < self.limit:
            self.busy += 1
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        try:
            await future  # whoever gives a slot back has counted us in
        except asyncio.CancelledError:
            if future.cancelled():
                with suppress(ValueError):  # who gave a slot back meanwhile has passed it over
                    self._waiting.remove(future)
            else:
                self.give_back()
            raise

    def give_back(self) -> None:
        """The request has ended."""
        self.busy -= 1
        self._wake()

    def bear(self, in_flight: int) -> None:
        """The server let a request in while so many were in flight, itself included."""
        if in_flight > max(self._borne, default=0):
            self._in_a_row = 0
        self._borne.append(in_flight)
        if self._raised and in_flight >= self.limit:
            self._patience, self._raised = 1.0, False
        if in_flight > self.limit:  # what was refused beside it was refused by chance
            self.limit = in_flight
            self._wake()

    def refuse(self, in_flight: int, now: float, by_chance: float = 0.0) -> bool:
        """The server refused the last of so many in flight; whether it can be their number that is too high.

        Args:
            by_chance: the share of all requests that it refuses whatever their number.
        """
        if in_flight <= max(self._borne, default=0):
            return False
        if by_chance:
            self._in_a_row += 1
            if self._in_a_row < log(_HARDLY) / log(by_chance):
                return False
            self._in_a_row = 0
        if in_flight <= self.limit:
            if self._raised:  # a raise in vain: wait longer before the next
                self._patience, self._raised = min(_MOST_PATIENCE, self._patience * 2), False
            self.limit = max(1, in_flight - 1)
            self._changed_at = now
        return True

    def rise(self, now: float) -> None:
        """Some slots more, if they are all taken and nothing was refused for a while."""
        if self.limit < self.most and self._waiting and now - self._changed_at >= self._patience:
            self.limit = min(self.most, self.limit + max(1, self.limit // (2 if self._patience == 1.0 else 8)))
            self._changed_at, self._raised = now, True
            self._wake()

    def _wake(self) -> None:
        while self._waiting and self.busy < self.limit:
            future = self._waiting.popleft()
            if not future.done():
                self.busy += 1
                future.set_result(None)


class Throttle:
    """What stands before one model: its slots, its rate, and the pool that it may share with another.

    Args:
        slots, rate: of this model.
        sleep: waits the given seconds; may be cut short.
        stopped: whether nobody shall wait for a turn any longer.
        pool: slots that model and judge share; None where each has its own.
    """

    def __init__(
        self,
        slots: Slots,
        rate: Rate,
        sleep: Callable[[float], Awaitable[None]],
        stopped: Callable[[], bool],
        pool: Slots | None = None,
    ) -> None:
        self.slots, self.rate = slots, rate
        self.stopped = stopped
        self._sleep, self._pool = sleep, pool
        self._turnstile = asyncio.Lock()
        self._undecided: deque[Pass] = deque()  # not refused so far
        self._time_to_refuse = 0.05  # seconds from a request to its refusal

    def place(self) -> Place:
        """A place among the requests in flight, not taken yet."""
        return Place(self)

    async def enter(self) -> Pass:
        """Wait until one more request may leave."""
        loop = asyncio.get_running_loop()
        if not self.rate.limited(loop.time()):
            await self.slots.take()
            if not self.rate.limited(loop.time()):
                return await self._pass(loop)
            self.slots.give_back()
        # Whoever waits for the pace is alone in it, and behind everyone who waits for a slot: so what is booked leaves.
        async with self._turnstile:
            await self.slots.take()
            try:
                while not self.stopped():
                    self._decide(loop.time())
                    self.rate.rise(loop.time())
                    pause = self.rate.pause(loop.time())
                    if pause <= 0:
                        break
                    await self._sleep(min(pause, 0.25))  # the rate may change meanwhile
            except BaseException:
                self.slots.give_back()
                raise
            return await self._pass(loop)

    async def _pass(self, loop: asyncio.AbstractEventLoop) -> Pass:
        if self._pool is not None:
            try:
                await self._pool.take()
            except BaseException:
                self.slots.give_back()
                raise
        now = loop.time()
        passing = Pass(now, self.slots.busy, self.rate.book(now))
        self._decide(now)
        self._undecided.append(passing)
        return passing

    def answered(self, passing: Pass, usage: Usage) -> None:
        """The server answered the request."""
        now = asyncio.get_running_loop().time()
        self.rate.accept(passing, usage)
        self._decide(now)
        self.slots.rise(now)

    def refused(self, passing: Pass, retry_after: float | None) -> None:
        """The server said 429, and perhaps when it is to be asked again."""
        now = asyncio.get_running_loop().time()
        passing.refused = True
        self._time_to_refuse += (now - passing.at - self._time_to_refuse) * 0.2
        self._decide(now)
        self.rate.give_back(passing)
        if retry_after:
            self.rate.close(now + retry_after, now)
        if self.rate.chance.share or not self.slots.refuse(passing.in_flight, now):
            self.rate.slow_down(passing, self._undecided_for, now)

    def leave(self) -> None:
        """One request less in flight."""
        if self._pool is not None:
            self._pool.give_back()
        self.slots.give_back()

    @property
    def _undecided_for(self) -> float:
        return 3 * self._time_to_refuse + 0.05

    def _decide(self, now: float) -> None:
        """What was not refused for some time was let in, though its answer may take long."""
        until = now - self._undecided_for
        while self._undecided and self._undecided[0].at <= until:
            passing = self._undecided.popleft()
            self.rate.note(passing, now)
            if not passing.refused:
                self.slots.bear(passing.in_flight)
                self.rate.bear(passing.at, now)
            elif share := self.rate.chance.share:  # one by one with what was let in, or rows would seem longer
                self.slots.refuse(passing.in_flight, now, share)


class Place:
    """A place among the requests in flight. As a context manager it is left at the end, if it is held then.

    A place is held from the moment before a request leaves until its answer is committed, and not while a refused
    request waits to be made again.
    """

    __slots__ = ("_pass", "throttle")

    def __init__(self, throttle: Throttle) -> None:
        self.throttle = throttle
        self._pass: Pass | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    @property
    def held(self) -> bool:
        """Whether it is taken."""
        return self._pass is not None

    async def enter(self) -> None:
        """Wait until a request may leave."""
        self._pass = await self.throttle.enter()

    def answered(self, usage: Usage) -> None:
        """The server answered; the place stays held."""
        if self._pass is not None:
            self.throttle.answered(self._pass, usage)

    def refused(self, retry_after: float | None) -> None:
        """The server said that it is too much."""
        if self._pass is not None:
            self.throttle.refused(self._pass, retry_after)

    def leave(self) -> None:
        """Leave the place, if it is held."""
        if self._pass is not None:
            self._pass = None
            self.throttle.leave()

"""Throttle: how many requests to a model are in flight, and how fast they follow each other.

A server may limit both, and may tell neither. A refusal (429) of more requests in flight than it was seen to bear
lowers the bound of the *slots*, one of fewer lowers the *rate*; both rise again while nothing is refused. The rate is
kept by even spacing, by the limits that the user declares and by the one that is learnt, which keeps to a limit however
the server counts it: by fixed or sliding windows, or by a bucket (generic cell rate algorithm, ITU-T I.371).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

from snellen.answer import Usage

MARGIN = 0.98
"""Of a limit that is used: clocks differ, and requests do not arrive as evenly as they leave."""

LONGEST_GATE = 120.0
"""Seconds for which a Retry-After closes the turnstile at most."""

_BURST = 0.05  # seconds of spacing that may be caught up with after a late wake-up
_TOLERATED = 0.08  # share of refusals: servers also refuse for reasons of their own, which slowing down does not help
_PROBES = 1.0  # requests a second: how often a server that refuses everything is tried
_SLOWEST = 0.05  # requests a second
_MOST_PATIENCE = 16.0
_REMEMBERED = 64


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
        self._borne.append(in_flight)
        if self._raised and in_flight >= self.limit:
            self._patience, self._raised = 1.0, False
        if in_flight > self.limit:  # what was refused beside it was refused by chance
            self.limit = in_flight
            self._wake()

    def refuse(self, in_flight: int, now: float) -> bool:
        """The server refused the last of so many in flight; whether it can be their number that is too high."""
        if in_flight <= max(self._borne, default=0):
            return False
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


class _Spacing:
    """Units (requests or tokens) that may pass evenly over time."""

    def __init__(self, per_second: float) -> None:
        self.per_second = per_second
        self._next = 0.0

    def pause(self, now: float) -> float:
        """Seconds until the next may pass."""
        return self._next - now

    def book(self, units: float, now: float) -> None:
        """So many pass now."""
        self._next = max(self._next, now - _BURST) + units / self.per_second

    def correct(self, units: float) -> None:
        """So many more (or fewer, if negative) passed than were booked."""
        self._next += units / self.per_second


class Pass:
    """A request that was let through: when, as which of so many in flight, and with how many tokens it was booked."""

    __slots__ = ("at", "in_flight", "refused", "tokens")

    def __init__(self, at: float, in_flight: int, tokens: float) -> None:
        self.at, self.in_flight, self.tokens, self.refused = at, in_flight, tokens, False


class Rate:
    """The pace of one model's requests. All times are the event loop's, in seconds.

    Args:
        requests: declared limit a minute; None for none.
        tokens: declared limit a minute, prompt and completion together; None for none.
        tokens_each: expected of one request, until answers tell.

    Attributes:
        accepted: answers so far.
    """

    def __init__(self, requests: float | None = None, tokens: float | None = None, tokens_each: float = 0.0) -> None:
        self._requests = _Spacing(requests * MARGIN / 60) if requests else None
        self._tokens = _Spacing(tokens * MARGIN / 60) if tokens else None
        self._learnt: _Spacing | None = None
        self._tokens_each = tokens_each
        self._gate = 0.0
        self._plateau = 0.0  # the rate that the server was last seen to bear
        self._changed_at = self._reduced_at = 0.0
        self._borne: deque[float] = deque(maxlen=_REMEMBERED)  # when requests left that the server let in
        self._closed = False  # everything is refused
        self._let_in = self._refused = 0  # since the last reduction
        self._first_refused_at = 0.0  # likewise
        self.accepted = 0

    @property
    def learnt(self) -> float | None:
        """Requests a second that were learnt; None while nothing was refused for coming too fast."""
        return self._learnt.per_second if self._learnt is not None else None

    def limited(self, now: float) -> bool:
        """Whether requests have to wait for their turn at all."""
        declared = self._requests is not None or self._tokens is not None
        return declared or self._learnt is not None or now < self._gate

    def pause(self, now: float) -> float:
        """Seconds until the next request may pass, at most 0 if it may now."""
        spacings = (self._requests, self._tokens, self._learnt)
        return max(self._gate - now, *(spacing.pause(now) if spacing is not None else 0.0 for spacing in spacings))

    def book(self, now: float) -> float:
        """A request passes; returns the tokens that it was booked with."""
        tokens = self._tokens_each
        for spacing, units in ((self._requests, 1.0), (self._tokens, tokens), (self._learnt, 1.0)):
            if spacing is not None:
                spacing.book(units, now)
        return tokens

    def bear(self, at: float, now: float) -> None:
        """The server let a request in that left then."""
        self._borne.append(at)
        self._let_in += 1
        if self._closed and self._learnt is not None and at > self._reduced_at:
            self._closed = False
            if self._plateau < float("inf"):
                self._learnt.per_second = max(self._learnt.per_second, self._plateau)
            self._changed_at = now

    def rise(self, now: float) -> None:
        """Once a second: quickly up to what the server bore before, then slowly, and faster the longer it bears it."""
        if self._learnt is None or self._closed or now - self._changed_at < 1.0:
            return
        self._changed_at = now
        if self._learnt.per_second < 0.9 * self._plateau:
            self._learnt.per_second = min(2 * self._learnt.per_second, self._plateau)
        else:
            self._learnt.per_second *= 1 + min(0.2, 0.002 * (now - self._reduced_at))

    def accept(self, passing: Pass, usage: Usage) -> None:
        """The request that passed then was answered, with this usage."""
        self.accepted += 1
        used = (usage.prompt or 0) + (usage.completion or 0)
        if used:
            self._tokens_each += (used - self._tokens_each) * 0.1
            if self._tokens is not None:
                self._tokens.correct(used - passing.tokens)

    def give_back(self, passing: Pass) -> None:
        """The request was refused: its tokens were not used."""
        if self._tokens is not None:
            self._tokens.correct(-passing.tokens)

    def close(self, until: float, now: float) -> None:
        """Nothing may pass before that time, as the server asked."""
        self._gate = max(self._gate, min(until, now + LONGEST_GATE))

    def slow_down(self, passing: Pass, undecided: float, now: float) -> None:
        """The server refused that request for coming too soon; of those of the last seconds it is not known yet."""
        # What left before the last reduction says nothing about the rate since.
        if self._learnt is not None and (passing.at <= self._reduced_at or now - self._reduced_at < 0.5):
            return
        self._refused += 1
        if self._refused == 1:
            self._first_refused_at = now
        # Some of those that left with the first refused one may have been let in, which is known a little later.
        if now - self._first_refused_at < undecided or self._refused <= _TOLERATED * (self._refused + self._let_in):
            return
        seen = self._seen(now)
        if seen is None:
            self._plateau = float("inf")
            self._closed, self._learnt = True, self._learnt or _Spacing(_PROBES)
        elif self._learnt is None:
            self._plateau = seen
            self._learnt = _Spacing(seen)
        elif self._let_in:
            held = self._learnt.per_second
            self._plateau = min(held, max(seen, held / 2))
            self._learnt.per_second = max(_SLOWEST, self._plateau * MARGIN)
        else:
            self._closed = True
            self._learnt.per_second = min(_PROBES, self._learnt.per_second)
        self._changed_at = self._reduced_at = now
        self._let_in = self._refused = 0

    def _seen(self, now: float) -> float | None:
        """Requests a second that the server let in: of the last 5 s, or further back where those are few."""
        recent = [at for at in self._borne if now - at <= 5.0]
        if len(recent) == self._borne.maxlen:
            return len(recent) / max(0.25, now - recent[0])
        if len(recent) >= 20:
            return len(recent) / 5.0
        older = [at for at in self._borne if now - at <= 60.0]
        return len(older) / max(0.25, now - older[0]) if older else None


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
        if not self.slots.refuse(passing.in_flight, now):
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
            if not passing.refused:
                self.slots.bear(passing.in_flight)
                self.rate.bear(passing.at, now)


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

"""The throttle against simulated servers, in simulated time: ten minutes pass in a moment, and always alike."""

from __future__ import annotations

import asyncio
import random
import selectors
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from snellen.answer import Answer, Usage
from snellen.engine import pace
from snellen.engine.rate import MARGIN, Rate
from snellen.engine.throttle import Slots, Throttle
from snellen.errors import ModelError
from snellen.request import Message, Request, TextPart

REQUEST = Request((Message("user", (TextPart("?"),)),), "m")


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer instead of waiting for it."""

    def __init__(self) -> None:
        selector = selectors.SelectSelector()
        super().__init__(selector)
        self._now = 1000.0
        really = selector.select

        def select(timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
            assert timeout is not None, "everyone waits, and nothing will come"
            self._now += max(0.0, timeout)
            return really(0)

        selector.select = select  # type: ignore[method-assign]

    def time(self) -> float:
        return self._now


@pytest.fixture
def simulate(monkeypatch: pytest.MonkeyPatch) -> Callable[[Coroutine[Any, Any, None]], None]:
    def run(work: Coroutine[Any, Any, None]) -> None:
        random.seed(7)
        with asyncio.Runner(loop_factory=SkippingLoop) as runner:
            monkeypatch.setattr("snellen.engine.patience.time.monotonic", runner.get_loop().time)
            runner.run(work)

    return run


class Server:
    """Answers after a latency, if its limit allows it; refusals come at once."""

    def __init__(self, limit: Callable[[float, float], float | None], latency: float, tokens: int = 300) -> None:
        self._limit, self._latency, self._tokens = limit, latency, tokens
        self.in_flight = self.refused = 0
        self.accepted: list[float] = []

    async def ask(self, request: Request) -> Answer:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(0.002)
        tokens = random.randint(self._tokens // 2, self._tokens * 3 // 2)
        wish = self._limit(loop.time(), tokens)
        if wish is not None:
            self.refused += 1
            raise ModelError("rate_limit", "too many", retry=True, retry_after=wish or None, status=429)
        self.accepted.append(loop.time())
        self.in_flight += 1
        await asyncio.sleep(self._latency * random.uniform(0.7, 1.3))
        self.in_flight -= 1
        return Answer(status="answered", text="x", usage=Usage(tokens - 10, 10))

    async def close(self) -> None:
        pass


def bucket(per_minute: float, burst: float, *, tokens: bool = False) -> Callable[[float, float], float | None]:
    """As most hosts count: a bucket that fills evenly."""
    level, since = burst, 1000.0

    def limit(now: float, used: float) -> float | None:
        nonlocal level, since
        level = min(burst, level + (now - since) * per_minute / 60)
        since = now
        units = used if tokens else 1.0
        if level < units:
            return 0.0
        level -= units
        return None

    return limit


def fixed_window(per_minute: int, *, says: bool) -> Callable[[float, float], float | None]:
    """So many in each minute of the clock; says when the next begins, or not."""
    window, count = 0, 0

    def limit(now: float, used: float) -> float | None:
        nonlocal window, count
        if int(now // 60) != window:
            window, count = int(now // 60), 0
        if count >= per_minute:
            return 60 - now % 60 if says else 0.0
        count += 1
        return None

    return limit


def sliding_window(per_minute: int) -> Callable[[float, float], float | None]:
    """So many in any 60 seconds."""
    seen: deque[float] = deque()

    def limit(now: float, used: float) -> float | None:
        while seen and now - seen[0] >= 60:
            seen.popleft()
        if len(seen) >= per_minute:
            return 0.0
        seen.append(now)
        return None

    return limit


async def _busy(server: Server, throttle: Throttle, seconds: float) -> None:
    """As a session is: a few more requests at hand than may be in flight, for so long."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    failed = 0

    async def one() -> None:
        nonlocal failed
        while loop.time() < end:
            with throttle.place() as place:
                answer = await pace.ask_patiently(server, REQUEST, place, asyncio.sleep, lambda error: None)
                failed += answer.failure is not None

    async with asyncio.TaskGroup() as group:
        for _ in range(throttle.slots.most * 2 + 16):
            group.create_task(one())
    assert not failed
    assert throttle.slots.busy == 0


def _throttle(concurrency: int = 64, requests: float | None = None, tokens: float | None = None) -> Throttle:
    return Throttle(Slots(concurrency), Rate(requests, tokens, 300.0), asyncio.sleep, lambda: False)


def _per_minute(server: Server, start: float, end: float) -> float:
    return sum(1000 + start <= at < 1000 + end for at in server.accepted) / (end - start) * 60


UNTOLD = {
    "bucket": lambda: bucket(600, 600),
    "small bucket": lambda: bucket(600, 20),
    "fixed window": lambda: fixed_window(600, says=False),
    "fixed window, Retry-After": lambda: fixed_window(600, says=True),
    "sliding window": lambda: sliding_window(600),
}


@pytest.mark.parametrize("latency", [0.3, 5.0])
@pytest.mark.parametrize("kind", UNTOLD)
def test_a_rate_that_nobody_tells_is_used_to_95_percent(
    kind: str, latency: float, simulate: Callable[[Coroutine[Any, Any, None]], None]
) -> None:
    server = Server(UNTOLD[kind](), latency)
    simulate(_busy(server, _throttle(), 600))
    used = _per_minute(server, 120, 600)
    print(kind, latency, used, server.refused)
    assert used >= 0.95 * 600
    assert server.refused < 0.35 * len(server.accepted)


def test_a_limit_on_tokens_that_nobody_tells(simulate: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    server = Server(bucket(200_000, 200_000, tokens=True), 1.0, tokens=1000)
    simulate(_busy(server, _throttle(), 600))
    print(_per_minute(server, 120, 600), server.refused)
    assert _per_minute(server, 120, 600) >= 0.95 * 200
    assert server.refused < 0.35 * len(server.accepted)


def test_a_server_that_bears_only_so_many_at_once(simulate: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    server = Server(lambda now, used: 0.0 if server.in_flight >= 8 else None, 1.0)
    simulate(_busy(server, _throttle(), 300))
    print(_per_minute(server, 60, 300), server.refused, len(server.accepted))
    assert _per_minute(server, 60, 300) >= 0.9 * 8 * 60
    assert server.refused < 0.25 * len(server.accepted)


TOLD = {
    "bucket": lambda: bucket(600, 10),
    "fixed window": lambda: fixed_window(600, says=False),
    "sliding window": lambda: sliding_window(600),
}


@pytest.mark.parametrize("latency", [0.3, 5.0])
@pytest.mark.parametrize("kind", TOLD)
def test_a_rate_that_is_told_is_never_refused(
    kind: str, latency: float, simulate: Callable[[Coroutine[Any, Any, None]], None]
) -> None:
    server = Server(TOLD[kind](), latency)
    simulate(_busy(server, _throttle(requests=600), 300))
    assert server.refused == 0
    assert _per_minute(server, 60, 240) == pytest.approx(600 * MARGIN, rel=0.01)


@pytest.mark.parametrize("burst", [200_000, 20_000])
def test_a_limit_on_tokens_that_is_told_is_never_refused(
    burst: int, simulate: Callable[[Coroutine[Any, Any, None]], None]
) -> None:
    server = Server(bucket(200_000, burst, tokens=True), 1.0, tokens=1000)
    simulate(_busy(server, _throttle(tokens=200_000), 600))
    print(_per_minute(server, 120, 540), server.refused)
    assert server.refused == 0
    assert 0.95 * 200 <= _per_minute(server, 120, 540) <= 200


@pytest.mark.parametrize(("share", "concurrency"), [(0.3, 4), (0.3, 16), (0.6, 16), (0.9, 4), (0.9, 16)])
def test_refusals_by_chance_do_not_slow_down(
    share: float, concurrency: int, simulate: Callable[[Coroutine[Any, Any, None]], None]
) -> None:
    server = Server(lambda now, used: 0.0 if random.random() < share else None, 1.0)
    throttle = _throttle(concurrency)
    simulate(_busy(server, throttle, 120))
    print(_per_minute(server, 60, 120), server.refused, len(server.accepted))
    assert _per_minute(server, 60, 120) >= 0.75 * concurrency * 60
    if concurrency > 4:
        assert throttle.rate.chance.share == pytest.approx(share, abs=0.15)


def test_a_rate_that_nobody_tells_is_found_among_refusals_by_chance(
    simulate: Callable[[Coroutine[Any, Any, None]], None],
) -> None:
    allowed = bucket(600, 600)
    server = Server(lambda now, used: 0.0 if random.random() < 0.3 else allowed(now, used), 0.5)
    simulate(_busy(server, _throttle(32), 420))
    print(_per_minute(server, 120, 420), server.refused, len(server.accepted))
    assert _per_minute(server, 120, 420) >= 0.9 * 600
    assert server.refused < 1.5 * len(server.accepted)


def test_how_many_are_borne_at_once_is_found_among_refusals_by_chance(
    simulate: Callable[[Coroutine[Any, Any, None]], None],
) -> None:
    server = Server(lambda now, used: 0.0 if server.in_flight >= 8 or random.random() < 0.3 else None, 1.0)
    simulate(_busy(server, _throttle(32), 300))
    print(_per_minute(server, 60, 300), server.refused, len(server.accepted))
    assert _per_minute(server, 60, 300) >= 0.8 * 8 * 60


def test_what_is_refused_by_chance_is_found_anew_when_it_changes(
    simulate: Callable[[Coroutine[Any, Any, None]], None],
) -> None:
    def limit(now: float, used: float) -> float | None:
        return 0.0 if random.random() < (0.8 if 1060 <= now < 1180 else 0.0) else None

    server, throttle = Server(limit, 1.0), _throttle(8)
    simulate(_busy(server, throttle, 300))
    print([_per_minute(server, start, start + 60) for start in range(0, 300, 60)])
    assert _per_minute(server, 0, 60) >= 0.95 * 8 * 60
    assert _per_minute(server, 120, 180) >= 0.75 * 8 * 60
    assert _per_minute(server, 200, 300) >= 0.95 * 8 * 60
    assert throttle.rate.chance.share < 0.1


def test_many_who_wait_for_a_slot_may_give_up_at_once(simulate: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    async def work() -> None:
        slots = Slots(1)
        await slots.take()
        waiting = [asyncio.create_task(slots.take()) for _ in range(3)]
        await asyncio.sleep(0)
        for task in waiting[:2]:
            task.cancel()
        slots.give_back()  # before those two know that they have given up
        assert [type(done) for done in await asyncio.gather(*waiting, return_exceptions=True)] == [
            asyncio.CancelledError,
            asyncio.CancelledError,
            type(None),
        ]
        assert slots.busy == 1

    simulate(work())

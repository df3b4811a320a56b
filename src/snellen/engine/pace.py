"""Patience: asking again by kind of failure, with the server's own wish and a jittered, growing pause between."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Protocol

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_exponential_jitter

from snellen.answer import Answer, Failure
from snellen.engine.throttle import Place
from snellen.errors import ModelError
from snellen.request import Request

TRIES = 6
"""Requests at most for one answer, the first included; refusals for being too many (429) are counted apart."""

IN_VAIN = 90.0
"""Seconds for which a server may refuse everything (429) before a request is given up, after `TRIES` of them."""

LONGEST_REFUSED_PAUSE = 4.0
"""Seconds between two tries of a request that was refused without a Retry-After: the throttle does the rest."""

MAX_PAUSE = 120.0
"""Seconds; a longer Retry-After is a failure now, and a later run asks again."""

EMPTY_TRIES = 3
"""How often an empty answer with a normal stop is asked for before it is believed."""

_backoff = wait_exponential_jitter(multiplier=0.5, max=30.0, jitter=1.0)
_refused_backoff = wait_exponential_jitter(multiplier=0.5, max=LONGEST_REFUSED_PAUSE, jitter=1.0)


class Client(Protocol):
    """What can be asked: a served or an embedded model."""

    async def ask(self, request: Request) -> Answer:
        """One try; raises ModelError."""

    async def close(self) -> None:
        """Give back connections and threads."""


async def ask_patiently(
    client: Client,
    request: Request,
    place: Place,
    sleep: Callable[[float], Awaitable[None]],
    on_retry: Callable[[ModelError], None],
) -> Answer:
    """The answer, or a failed one when asking again does not help. Never raises ModelError.

    Args:
        client: whom to ask.
        request: what.
        place: among the requests in flight, held or not yet. It is held when an answer is returned, and left during
            pauses and after a failure.
        sleep: waits the given seconds; may be cut short.
        on_retry: is told of every failure that is asked again.
    """
    answer = await _once(client, request, place, sleep, on_retry)
    for _ in range(EMPTY_TRIES - 1):
        if answer.status != "answered" or answer.text.strip():
            break
        place.leave()
        before = answer.usage
        answer = await _once(client, request, place, sleep, on_retry)
        if answer.failure is None:
            answer = replace(answer, usage=before + answer.usage)  # all of them are paid
    return answer


async def _once(
    client: Client,
    request: Request,
    place: Place,
    sleep: Callable[[float], Awaitable[None]],
    on_retry: Callable[[ModelError], None],
) -> Answer:
    try:
        return await _try(client, request, place)
    except ModelError as error:  # the library's loop costs more than the request: it starts at the first failure
        first: list[ModelError] = [error]

    async def again() -> Answer:
        if first:
            raise first.pop()
        return await _try(client, request, place)

    def note(state: RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, ModelError):
            on_retry(error)

    patience = _Patience(place)
    retrying = AsyncRetrying(
        stop=patience.is_over,
        wait=_pause,
        retry=retry_if_exception(_retries),
        sleep=sleep,
        before_sleep=note,
        reraise=True,
    )
    try:
        return await retrying(again)
    except ModelError as error:
        return Answer(status="failed", failure=Failure(error.kind, error.message))


async def _try(client: Client, request: Request, place: Place) -> Answer:
    if not place.held:
        await place.enter()
    try:
        answer = await client.ask(request)
    except ModelError as error:
        if error.kind == "rate_limit" and error.retry:
            place.refused(error.retry_after)
        place.leave()
        raise
    place.answered(answer.usage)
    return answer


class _Patience:
    """How often one request is asked again: failures are counted, refusals only while the server refuses everyone."""

    def __init__(self, place: Place) -> None:
        self._throttle, self._rate = place.throttle, place.throttle.rate
        self._failures = self._refusals = 0
        self._accepted = self._rate.accepted
        self._since = time.monotonic()

    def is_over(self, state: RetryCallState) -> bool:
        """Whether it is not asked again, after the failure that has just come."""
        if self._throttle.stopped():
            return True
        error = state.outcome.exception() if state.outcome else None
        if not isinstance(error, ModelError) or error.kind != "rate_limit":
            self._failures += 1
            return self._failures >= TRIES
        if self._rate.accepted != self._accepted:
            self._accepted, self._refusals, self._since = self._rate.accepted, 0, time.monotonic()
        self._refusals += 1
        return self._refusals >= TRIES and time.monotonic() - self._since >= IN_VAIN


def _retries(error: BaseException) -> bool:
    return isinstance(error, ModelError) and error.retry and (error.retry_after or 0.0) <= MAX_PAUSE


def _pause(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    if not isinstance(error, ModelError):
        return _backoff(state)
    if error.retry_after is not None:
        return error.retry_after + _backoff(state) * 0.1
    return (_refused_backoff if error.kind == "rate_limit" else _backoff)(state)

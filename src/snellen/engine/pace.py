"""Patience: asking again by kind of failure, with the server's own wish and a jittered, growing pause between."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from snellen.answer import Answer, Failure
from snellen.errors import ModelError
from snellen.request import Request

TRIES = 6
"""Requests at most for one answer, the first included."""

MAX_PAUSE = 120.0
"""Seconds; a longer Retry-After is a failure now, and a later run asks again."""

EMPTY_TRIES = 3
"""How often an empty answer with a normal stop is asked for before it is believed."""

_backoff = wait_exponential_jitter(multiplier=0.5, max=30.0, jitter=1.0)


class Client(Protocol):
    """What can be asked: a served or an embedded model."""

    async def ask(self, request: Request) -> Answer:
        """One try; raises ModelError."""

    async def close(self) -> None:
        """Give back connections and threads."""


def _retries(error: BaseException) -> bool:
    return isinstance(error, ModelError) and error.retry and (error.retry_after or 0.0) <= MAX_PAUSE


def _pause(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    wish = error.retry_after if isinstance(error, ModelError) else None
    return wish + _backoff(state) * 0.1 if wish is not None else _backoff(state)


async def ask_patiently(
    client: Client,
    request: Request,
    sleep: Callable[[float], Awaitable[None]],
    on_retry: Callable[[ModelError], None],
) -> Answer:
    """The answer, or a failed one when asking again does not help. Never raises ModelError.

    Args:
        client: whom to ask.
        request: what.
        sleep: waits the given seconds; may be cut short.
        on_retry: is told of every failure that is asked again.
    """
    answer = await _once(client, request, sleep, on_retry)
    for _ in range(EMPTY_TRIES - 1):
        if answer.status != "answered" or answer.text.strip():
            break
        answer = await _once(client, request, sleep, on_retry)
    return answer


async def _once(
    client: Client,
    request: Request,
    sleep: Callable[[float], Awaitable[None]],
    on_retry: Callable[[ModelError], None],
) -> Answer:
    try:
        return await client.ask(
            request
        )  # the library's loop costs more than the request: it starts at the first failure
    except ModelError as error:
        first: list[ModelError] = [error]

    async def again() -> Answer:
        if first:
            raise first.pop()
        return await client.ask(request)

    def note(state: RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, ModelError):
            on_retry(error)

    retrying = AsyncRetrying(
        stop=stop_after_attempt(TRIES),
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

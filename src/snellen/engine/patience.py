"""Patience: asking again by kind of failure, with the server's own wish and a jittered, growing pause between."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_exponential_jitter

from snellen.answer import Answer, Failure
from snellen.engine.budget import QUOTA
from snellen.engine.rate import LONGEST_GATE
from snellen.engine.throttle import Throttle
from snellen.errors import ModelError

TRIES = 6
"""Requests at most for one answer, the first included; refusals for being too many (429) are counted apart."""

IN_VAIN = 90.0
"""Seconds for which a server may refuse everything (429) before a request is given up, after `TRIES` of them."""

LONGEST_REFUSED_PAUSE = 4.0
"""Seconds between two tries of a request that was refused without a Retry-After: the throttle does the rest."""

CHANCE_PAUSE = 0.05
"""The same on average where the server refuses by chance, so that nothing is gained by waiting longer."""

_backoff = wait_exponential_jitter(multiplier=0.5, max=30.0, jitter=1.0)
_refused_backoff = wait_exponential_jitter(multiplier=0.5, max=LONGEST_REFUSED_PAUSE, jitter=1.0)


async def ask_again(
    first: ModelError,
    ask: Callable[[], Awaitable[Answer]],
    throttle: Throttle,
    sleep: Callable[[float], Awaitable[None]],
    on_retry: Callable[[ModelError], None],
) -> Answer:
    """The answer, or a failed one when asking again does not help.

    Args:
        first: how the first try ended.
        ask: makes another one; raises ModelError.
        throttle: of the model.
        sleep, on_retry: see `snellen.engine.pace.ask_patiently`.
    """
    failed = [first]

    async def again() -> Answer:
        if failed:
            raise failed.pop()
        return await ask()

    def note(state: RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, ModelError):
            on_retry(error)

    patience = _Patience(throttle)
    retrying = AsyncRetrying(
        stop=patience.is_over,
        wait=patience.pause,
        retry=retry_if_exception(_retries),
        sleep=sleep,
        before_sleep=note,
        reraise=True,
    )
    try:
        return await retrying(again)
    except ModelError as error:
        too_long = not error.retry or (error.retry_after or 0.0) > LONGEST_GATE
        kind = QUOTA if error.kind == "rate_limit" and too_long else error.kind
        return Answer(status="failed", failure=Failure(kind, error.message))


class _Patience:
    """How often one request is asked again: failures are counted, refusals only while the server refuses everyone."""

    def __init__(self, throttle: Throttle) -> None:
        self._throttle, self._rate = throttle, throttle.rate
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

    def pause(self, state: RetryCallState) -> float:
        """Seconds until it is asked again."""
        error = state.outcome.exception() if state.outcome else None
        if not isinstance(error, ModelError):
            return _backoff(state)
        if error.retry_after is not None:
            return error.retry_after + _backoff(state) * 0.1
        if error.kind != "rate_limit":
            return _backoff(state)
        if self._rate.chance.share:
            return CHANCE_PAUSE * random.uniform(0.5, 1.5)
        return _refused_backoff(state)


def _retries(error: BaseException) -> bool:
    return isinstance(error, ModelError) and error.retry and (error.retry_after or 0.0) <= LONGEST_GATE

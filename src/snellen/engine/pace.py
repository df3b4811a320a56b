"""Pace: one request with all its tries, from taking a place among those in flight to an answer or a failure."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Protocol

from snellen.answer import Answer
from snellen.engine.rate import LONGEST_GATE
from snellen.engine.throttle import Place
from snellen.errors import ModelError
from snellen.request import Request

EMPTY_TRIES = 3
"""How often an empty answer with a normal stop is asked for before it is believed."""


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
    except ModelError as error:
        first = error

    from snellen.engine import patience  # with a library of its own, which most sessions never need

    return await patience.ask_again(first, lambda: _try(client, request, place), place.throttle, sleep, on_retry)


async def _try(client: Client, request: Request, place: Place) -> Answer:
    if not place.held:
        await place.enter()
    try:
        answer = await client.ask(request)
    except ModelError as error:
        if error.kind == "rate_limit" and error.retry and (error.retry_after or 0.0) <= LONGEST_GATE:
            place.refused(error.retry_after)
        place.leave()
        raise
    place.answered(answer.usage)
    return answer

"""A small client over the engine's batches, for tests: in this process, or as one that kills itself at a given step.

python batch_driver.py FOLDER URL COUNT STEP NTH
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from snellen.answer import Answer
from snellen.engine import batch, batch_lines
from snellen.engine.ask import Stop
from snellen.engine.batch import BatchAsker
from snellen.engine.batch_terms import Terms, Waiting
from snellen.engine.budget import Budget, Tally
from snellen.engine.courier import Courier
from snellen.engine.rate import Rate
from snellen.engine.store import Store
from snellen.engine.throttle import Slots, Throttle
from snellen.ledger import Ledger
from snellen.ledger.batches import Batches
from snellen.model_spec import ModelSpec, Price
from snellen.models._batch_api import BatchApi
from snellen.models.openai_compatible import OpenAICompatible
from snellen.request import ImagePart, Message, Request, TextPart

SMALL = Terms(first_pause=0, longest_pause=0, max_requests=4)


class OnePixel:
    url_json = b'"data:image/png;base64,AAAA"'
    record = {"width": 1}  # noqa: RUF012 - as a picture has it


async def picture(_sha256: str) -> OnePixel:
    return OnePixel()


def asking(count: int, *, model: str = "vlm", parameters: dict[str, Any] | None = None) -> list[Request]:
    """So many distinct requests."""
    requested = {"temperature": 0} if parameters is None else parameters
    return [
        Request((Message("user", (TextPart(f"question {number}"),)),), model, parameters=requested)
        for number in range(count)
    ]


def seeing(number: int = 0) -> Request:
    """A request with an image."""
    return Request((Message("user", (ImagePart("ab" * 32), TextPart(f"question {number}"))),), "vlm")


@dataclass
class Told:
    """What a session told, and what it counted."""

    tally: Tally = field(default_factory=Tally)
    budget: Budget = field(default_factory=Budget)
    stop: Stop = field(default_factory=Stop)
    waits: list[Waiting] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)


Work = Callable[[BatchAsker, Sequence[Request]], Awaitable[None]]


async def rounds(asker: BatchAsker, requests: Sequence[Request]) -> None:
    """What a session does: settle what is open, then collect and settle until nothing is collected."""
    await asker.resume()
    while not asker.stop:
        for request in requests:
            await asker.obtain(request, request.key)
        if not asker.collected:
            if asker.capped:
                asker.stop.now(asker.capped)
            return
        await asker.settle()


async def session(
    ledger: Ledger,
    url: str,
    requests: Sequence[Request],
    told: Told,
    *,
    work: Work = rounds,
    terms: Terms = SMALL,
    price: Price | None = None,
    cost: float = 0.0,
    on_sleep: Callable[[float], None] = lambda seconds: None,
    **spec: Any,
) -> None:
    """One session of one model on an open ledger."""
    declared = ModelSpec("vlm", base_url=url, **spec)

    async def sleep(seconds: float) -> None:
        told.pauses.append(seconds)
        on_sleep(seconds)
        await asyncio.sleep(0)

    client, api = OpenAICompatible(declared, picture, 4), BatchApi(declared)
    throttle = Throttle(Slots(4), Rate(), sleep, told.stop.__bool__)
    try:
        async with Store(ledger) as store:
            asker = BatchAsker(
                "model",
                client,
                store,
                throttle,
                told.budget,
                told.tally,
                price,
                cost,
                told.stop,
                spec=declared,
                api=api,
                ledger=ledger,
                folder=ledger.path.parent / "batches",
                on_wait=told.waits.append,
                on_warning=told.warnings.append,
                sleep=sleep,
                terms=terms,
            )
            try:
                await work(asker, requests)
            finally:
                await asker.close()
    finally:
        await client.close()
        await api.close()


def go(folder: Path, url: str, requests: Sequence[Request], told: Told | None = None, **how: Any) -> Told:
    """A session as a process of its own would have it; what it told."""
    told = told or Told()
    ledger = Ledger(folder)
    try:
        asyncio.run(session(ledger, url, requests, told, **how))
    finally:
        ledger.close()
    return told


def answers(folder: Path, requests: Sequence[Request]) -> list[Answer | None]:
    """What the ledger holds."""
    ledger = Ledger(folder)
    try:
        return [ledger.final(request.key) for request in requests]
    finally:
        ledger.close()


# Dying

STEPS: dict[str, tuple[Any, str, str, Callable[..., bool]]] = {
    "a line written": (batch_lines.InputFile, "append", "after", lambda *_a, **_k: True),
    "file written": (Batches, "add", "before", lambda *_a, **_k: True),
    "row committed": (Batches, "add", "after", lambda *_a, **_k: True),
    "file sealed": (batch, "seal", "after", lambda *_a, **_k: True),
    "upload accepted": (BatchApi, "upload", "after", lambda *_a, **_k: True),
    "upload committed": (Batches, "update", "after", lambda *_a, **k: k.get("state") == "uploaded"),
    "batch accepted": (BatchApi, "create", "after", lambda *_a, **_k: True),
    "batch committed": (Batches, "update", "after", lambda *_a, **k: k.get("state") == "created"),
    "looked": (BatchApi, "get", "after", lambda *_a, **_k: True),
    "output known": (Batches, "update", "after", lambda *_a, **k: bool(k.get("output_file_id"))),
    "half downloaded": (BatchApi, "download", "half", lambda *_a, **_k: True),
    "downloaded": (BatchApi, "download", "after", lambda *_a, **_k: True),
    "output committed": (Batches, "update", "after", lambda *_a, **k: k.get("state") == "fetched"),
    "some stored": (Batches, "keep", "after", lambda *_a, **_k: True),
    "all stored": (Courier, "finish", "before", lambda *_a, **_k: True),
    "files deleted there": (Batches, "finish", "before", lambda *_a, **_k: True),
    "done committed": (Batches, "finish", "after", lambda *_a, **_k: True),
    "files deleted here": (Courier, "delete", "after", lambda *_a, **_k: True),
}
"""Step -> (what has the method, its name, when it is the end, which calls count)."""


def doom(step: str, nth: int) -> None:
    """From now on this process kills itself at the nth time that it comes to that step."""
    owner, name, when, counts = STEPS[step]
    original = getattr(owner, name)
    seen = 0

    def now(*arguments: Any, **named: Any) -> bool:
        nonlocal seen
        seen += counts(*arguments, **named)
        return counts(*arguments, **named) and seen == nth

    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def patched(*arguments: Any, **named: Any) -> Any:
        end = now(*arguments, **named)
        if end and when == "before":
            die()
        result = original(*arguments, **named)
        if end:
            die()
        return result

    async def patched_coroutine(*arguments: Any, **named: Any) -> Any:
        end = now(*arguments, **named)
        if end and when == "before":
            die()
        result = await original(*arguments, **named)
        if end and when == "half":
            path: Path = arguments[-1]
            data = path.read_bytes()
            path.with_name(f"{path.name}.part").write_bytes(data[: len(data) // 2])
            path.unlink()
        if end:
            die()
        return result

    setattr(owner, name, patched_coroutine if asyncio.iscoroutinefunction(original) else patched)


if __name__ == "__main__":
    batch_lines.CHUNK_LINES = 2
    doom(sys.argv[4], int(sys.argv[5]))
    go(Path(sys.argv[1]), sys.argv[2], asking(int(sys.argv[3])))

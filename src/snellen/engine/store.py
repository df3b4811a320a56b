"""The ledger behind one thread: what has gathered while a transaction ran goes into the next one together."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from snellen.answer import Answer
from snellen.ledger import Claim, Ledger
from snellen.verdict import Verdict

T = TypeVar("T")

_Operation = tuple[str, Any, "asyncio.Future[Any]"]


class Store:
    """Asynchronous access to a ledger. Use it as an async context manager, within one event loop."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._queue: queue.SimpleQueue[_Operation | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="snellen-ledger", daemon=True)

    async def __aenter__(self) -> Store:
        self._loop = asyncio.get_running_loop()
        self._thread.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    async def claim(self, keys: Sequence[bytes]) -> dict[bytes, Claim]:
        """For each key the final answer, or whether we may ask for it now."""
        return await self._put("claim", keys)  # type: ignore[no-any-return]

    async def answer(self, key: bytes, answer: Answer) -> None:
        """Returns when the answer (or failure) is committed and the claim given back."""
        await self._put("answer", (key, answer))

    async def release(self, key: bytes) -> None:
        """Give back a claim unasked."""
        await self._put("release", key)

    async def verdicts(self, judging_id: int, verdicts: Sequence[tuple[int, Verdict]]) -> None:
        """Returns when the verdicts (position, verdict) are committed."""
        await self._put("verdict", (judging_id, verdicts))

    async def reply(self, judging_id: int, position: int, attempt: int, key: bytes) -> None:
        """Take down that a judging made this request."""
        await self._put("reply", (judging_id, (position, attempt, key)))

    async def call(self, function: Callable[..., T], *arguments: Any) -> T:
        """Any method of the ledger, in its thread."""
        return await self._put("call", (function, arguments))  # type: ignore[no-any-return]

    def _put(self, kind: str, payload: Any) -> asyncio.Future[Any]:
        future = self._loop.create_future()
        self._queue.put((kind, payload, future))
        return future

    def _work(self) -> None:
        while True:
            operation = self._queue.get()
            batch: list[_Operation] = []
            last = operation is None
            while operation is not None:
                batch.append(operation)
                try:
                    operation = self._queue.get_nowait()
                except queue.Empty:
                    break
            else:
                last = True
            if batch:
                outcome = self._run(batch)
                try:
                    self._loop.call_soon_threadsafe(_settle, outcome)
                except RuntimeError:  # the loop has been closed under us: what was written is written
                    return
            if last:
                return

    def _run(self, batch: list[_Operation]) -> list[tuple[asyncio.Future[Any], Any, BaseException | None]]:
        outcome: list[tuple[asyncio.Future[Any], Any, BaseException | None]] = []
        groups: dict[str, list[tuple[Any, asyncio.Future[Any]]]] = {}
        for kind, payload, future in batch:
            groups.setdefault(kind, []).append((payload, future))
        calls = groups.pop("call", [])
        futures = [future for members in groups.values() for _, future in members]
        if futures:
            try:
                with self._ledger.together():
                    results = [
                        result
                        for kind, members in groups.items()
                        for result in self._group(kind, [payload for payload, _ in members])
                    ]
                outcome += [(future, result, None) for future, result in zip(futures, results, strict=True)]
            except BaseException as error:  # handed to everyone whose operation was in the transaction
                outcome += [(future, None, error) for future in futures]
        for (function, arguments), future in calls:
            try:
                outcome.append((future, function(*arguments), None))
            except BaseException as error:  # handed to whoever waits for the result
                outcome.append((future, None, error))
        return outcome

    def _group(self, kind: str, payloads: list[Any]) -> list[Any]:
        if kind == "claim":
            claims = self._ledger.claim([key for keys in payloads for key in keys])
            return [{key: claims[key] for key in keys} for keys in payloads]
        if kind == "answer":
            self._ledger.store(payloads)
        elif kind == "release":
            self._ledger.release(payloads)
        else:
            by_judging: dict[int, list[Any]] = {}
            for judging_id, what in payloads:
                by_judging.setdefault(judging_id, []).extend(what if kind == "verdict" else [what])
            for judging_id, rows in by_judging.items():
                (self._ledger.put_verdicts if kind == "verdict" else self._ledger.put_replies)(judging_id, rows)
        return [None] * len(payloads)


def _settle(outcome: list[tuple[asyncio.Future[Any], Any, BaseException | None]]) -> None:
    for future, result, error in outcome:
        if future.cancelled():
            continue
        if error is None:
            future.set_result(result)
        elif isinstance(error, StopIteration):  # no future takes one, and whoever waits would wait for ever
            ended = RuntimeError("StopIteration in the ledger's thread")
            ended.__cause__ = error
            future.set_exception(ended)
        else:
            future.set_exception(error)

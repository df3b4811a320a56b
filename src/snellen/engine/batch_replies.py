"""What finished batches brought: from files of replies to answers and failures in the ledger, a chunk at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import orjson

from snellen.engine.batch_lines import Reply, chunks_of, failed, input_path, keys_at, parse, read
from snellen.engine.store import Store
from snellen.ledger.batches import Batches, BatchRow
from snellen.models._batch_api import RemoteBatch
from snellen.models.openai_compatible import OpenAICompatible

_CHUNK = 500

_BUSY = ("token_limit_exceeded", "rate_limit_exceeded")
"""Codes of a batch that failed because others are at work."""


class Replies:
    """The replies of one model's batches.

    Args:
        client: reads bodies.
        store, batches: where it stands what is awaited.
        folder: where input files lie.
        keep: books replies of a batch and brings them into the ledger.
    """

    def __init__(
        self,
        client: OpenAICompatible,
        store: Store,
        batches: Batches,
        folder: Path,
        keep: Callable[[BatchRow, Sequence[Reply]], Awaitable[None]],
    ) -> None:
        self._client, self._store, self._batches, self._folder, self._keep = client, store, batches, folder, keep

    async def store(self, row: BatchRow, paths: Sequence[Path]) -> None:
        """Keep what stands in these files. Lines that answer nothing that the batch still owes are passed over."""
        for path in paths:
            if path.exists():
                for chunk in chunks_of(path):
                    await self._chunk(row, [parsed for line in chunk if (parsed := parse(line)) is not None])

    async def store_rest(self, row: BatchRow, remote: RemoteBatch) -> tuple[int, str]:
        """Keep a failure of every request that got no reply.

        Returns:
            (how many there are, what is wrong with the batch where that is nothing that asking again can help)
        """
        at = {problem.line: problem for problem in remote.problems if problem.line}
        lines = await asyncio.to_thread(keys_at, input_path(self._folder, row.token), at)
        faulty = {key: at[number] for number, key in lines.items()}
        text = "; ".join(f"{p.code}: {p.message}" if p.code else p.message for p in remote.problems[:3])
        busy = any(problem.code in _BUSY for problem in remote.problems)
        kind, again, why = {
            "failed": ("rate_limit" if busy else "batch", busy or bool(faulty), text or "no reason is given"),
            "expired": ("expired", True, "the batch expired before this request was answered"),
            # Whoever cancelled it does not want it asked again at once.
            "cancelled": ("cancelled", False, "the batch was cancelled before this request was answered"),
        }.get(remote.status, ("missing", True, "the batch brought no reply to this request"))
        count = 0
        while keys := await self._store.call(self._batches.left, row.id, _CHUNK):
            count += len(keys)
            replies = []
            for key in keys:
                if problem := faulty.get(key):
                    replies.append(failed(key, "bad_request", f"{problem.code}: {problem.message}", again=False))
                else:
                    replies.append(failed(key, kind, why, again=again))
            await self._keep(row, replies)
        return count, why if count and remote.status == "failed" and not again else ""

    async def _chunk(self, row: BatchRow, values: Sequence[tuple[bytes, dict[str, Any]]]) -> None:
        awaited = await self._store.call(self._batches.awaited, row.id, [key for key, _ in values])
        replies = []
        for key, value in values:
            record = awaited.pop(key, None)  # popped, so that a second line for the same request is nothing
            if record is not None:
                replies.append(read(self._client, key, value, {**orjson.loads(record), "batch": row.batch_id}))
        await self._keep(row, replies)

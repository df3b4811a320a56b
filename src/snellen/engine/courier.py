"""Courier: takes a batch to its provider, looks after it and brings the replies back, never twice.

A step is taken in the outside world first and in the ledger right after it; whoever takes up a batch whose last step
may have been taken looks at the provider before taking it again:

| state | what is known to have happened | what is looked for before going on |
| --- | --- | --- |
| written | the input file is on the disk | an uploaded file of its name and size |
| uploaded | the provider has it | a batch whose metadata hold the token |
| created | the provider works on it | |
| fetched | the output files are here | |
| done | everything is stored | |
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from snellen.engine.batch_lines import files, input_path, part_path
from snellen.engine.store import Store
from snellen.errors import ModelError, SnellenError, UsageError
from snellen.ledger.batches import Batches, BatchRow
from snellen.models._batch_api import RemoteBatch

T = TypeVar("T")

TRIES = 6
"""Of an upload, a creation or a download, before the session ends with the batch as it is."""

POLL_TRIES = 60
"""Looks in a row that fail before the session ends; the batch goes on."""

UNKNOWN_TRIES = 20
"""Looks in a row at a batch of a status that is not known before the session ends; the batch stays open."""

GONE_TRIES = 3
"""Of a download of what is said not to be there: it may be on its way to where it is read from."""

LONGEST_PAUSE, LONGEST_WISH = 60.0, 3600.0
"""Seconds between two tries at most, and at most where the provider wishes longer."""


class Api(Protocol):
    """A provider: see `snellen.models._batch_api.BatchApi`."""

    async def upload(self, path: Path, name: str) -> str: ...
    async def find_file(self, name: str, size: int) -> str: ...
    async def create(self, file_id: str, token: str, window: str) -> RemoteBatch: ...
    async def find(self, token: str, file_id: str) -> RemoteBatch | None: ...
    async def get(self, batch_id: str) -> RemoteBatch: ...
    async def download(self, file_id: str, path: Path) -> None: ...
    async def delete_file(self, file_id: str) -> None: ...


class Courier:
    """The way of batches to one provider and back.

    Args:
        api: the provider.
        base_url: its address, for messages.
        store, batches: where steps are taken down.
        folder: where files lie.
        window: in which the provider is to be done (``24h``).
        sleep: waits that many seconds; may be cut short.
        stopped: whether to try nothing again.
    """

    def __init__(
        self,
        api: Api,
        base_url: str,
        store: Store,
        batches: Batches,
        folder: Path,
        window: str,
        sleep: Callable[[float], Awaitable[None]],
        stopped: Callable[[], bool],
    ) -> None:
        self._api, self._base_url, self._store, self._batches, self._folder = api, base_url, store, batches, folder
        self._window, self._sleep, self._stopped = window, sleep, stopped
        self._unknown: Counter[int] = Counter()  # batch -> looks in a row that told nothing

    async def upload(self, row: BatchRow, *, resumed: bool) -> BatchRow:
        """Bring a batch to the state ``uploaded``, if it is not beyond; `resumed`: another session may have done so.

        Raises:
            UsageError: the provider has no such endpoint, or refuses the file: it is forgotten, its requests are free.
            ModelError: it could not be reached; the batch stays as it is.
        """
        if row.state != "written":
            return row
        path, name = input_path(self._folder, row.token), f"snellen-{row.token}.jsonl"
        size = (await asyncio.to_thread(path.stat)).st_size
        file_id = await self._surely(
            row, lambda: self._api.upload(path, name), lambda: self._found_file(name, size), heard=resumed
        )
        return await self.commit(row, state="uploaded", file_id=file_id)

    async def create(self, row: BatchRow, *, resumed: bool) -> BatchRow:
        """Bring an uploaded batch to the state ``created``, if it is not beyond; otherwise as `upload`."""
        if row.state != "uploaded":
            return row
        remote = await self._surely(
            row,
            lambda: self._api.create(row.file_id, row.token, self._window),
            lambda: self._found_batch(row),
            heard=resumed,
        )
        return await self.commit(row, state="created", batch_id=remote.id)

    async def look(self, row: BatchRow) -> RemoteBatch | None:
        """How a created batch stands; None where the provider does not know it and its input file was deleted.

        Raises:
            ModelError: as `get` does, or its status is not known and stays so; what cannot be tried again says what to
                do.
        """
        try:
            remote = await self._api.get(row.batch_id)
        except ModelError as error:
            if error.retry:
                raise
            if error.kind == "not_found" and row.state == "fetched":  # what it put out was here already
                return RemoteBatch(row.batch_id, "completed", row.output_file_id, row.error_file_id)
            path = input_path(self._folder, row.token)
            if error.kind == "not_found" and not path.exists():
                return None
            advice = f"the key may be of another account; if the batch is gone, delete {path} and run again"
            raise ModelError(error.kind, f"{error.message}: {advice}", status=error.status) from error
        self._unknown[row.id] = 0 if remote.known else self._unknown[row.id] + 1
        if self._unknown[row.id] == UNKNOWN_TRIES:
            raise ModelError(
                "malformed",
                f"{self._base_url} says {remote.status!r} of the batch {row.batch_id}, {UNKNOWN_TRIES} times in a row,"
                " and no such status is known: look there what has become of it; it stays open, and the same command"
                " looks after it again",
            )
        return remote

    async def fetch(self, row: BatchRow, remote: RemoteBatch) -> BatchRow:
        """Bring a finished batch to the state ``fetched``: what it put out is here, unless `gone` says otherwise."""
        if row.state != "fetched":
            row = await self.commit(
                row,
                output_file_id=remote.output_file_id,
                error_file_id=remote.error_file_id,
                completed=remote.completed,
                failed=remote.failed,
            )
        for file_id, path in zip((row.output_file_id, row.error_file_id), self.outputs(row), strict=True):
            if file_id and not path.exists():
                await self._download(file_id, path)
        return await self.commit(row, state="fetched")

    def gone(self, row: BatchRow) -> str:
        """Says what a fetched batch put out and nobody has any more; empty where everything is here."""
        pairs = zip((row.output_file_id, row.error_file_id), self.outputs(row), strict=True)
        lost = ", ".join(file_id for file_id, path in pairs if file_id and not path.exists())
        return f"what the batch {row.batch_id} put out is gone at {self._base_url} ({lost})" if lost else ""

    async def finish(self, row: BatchRow) -> None:
        """Everything is stored: the files go, there and here, and the batch is done."""
        for file_id in filter(None, (row.file_id, row.output_file_id, row.error_file_id)):
            with contextlib.suppress(ModelError):  # it is gone, or the provider deletes it in its own time
                await self._api.delete_file(file_id)
        await self._store.call(self._batches.finish, row.id)
        self.delete(row.token)

    async def forget(self, row: BatchRow) -> None:
        """Delete a batch that the provider does not have."""
        await self._store.call(self._batches.forget, row.id)
        self.delete(row.token)

    async def clean(self) -> None:
        """Delete files here that belong to no open batch and to no process that lives."""
        known = {row.token for row in await self._store.call(self._batches.all) if row.state != "done"}
        writers = {token[:16] for token in await self._store.call(self._batches.living_owners)}
        for path, token in files(self._folder):
            if token not in known and token[:16] not in writers:
                path.unlink(missing_ok=True)

    def outputs(self, row: BatchRow) -> tuple[Path, Path]:
        """Where replies and errors lie when they are here."""
        return self._folder / f"{row.token}.output.jsonl", self._folder / f"{row.token}.errors.jsonl"

    def delete(self, token: str) -> None:
        """Delete all files of a batch here."""
        for path in (input_path(self._folder, token), part_path(self._folder, token)):
            path.unlink(missing_ok=True)
        for kind in ("output", "errors"):
            for ending in ("jsonl", "jsonl.part"):
                (self._folder / f"{token}.{kind}.{ending}").unlink(missing_ok=True)

    async def commit(self, row: BatchRow, **values: Any) -> BatchRow:
        """Take a step down."""
        return await self._store.call(lambda: self._batches.update(row.id, **values))

    async def _surely(
        self,
        row: BatchRow,
        make: Callable[[], Awaitable[T]],
        find: Callable[[], Awaitable[T | None]],
        *,
        heard: bool,
    ) -> T:
        """What `make` gives, made once: where it may have been heard without our hearing so, `find` is asked first."""
        for tries in range(1, TRIES + 1):
            try:
                if heard:
                    found = await find()
                    if found is not None:
                        return found
                heard = True
                try:
                    return await make()
                except ModelError as error:
                    if not error.retry and error.kind != "authentication":
                        raise await self._refused(row, error) from error
                    raise
            except ModelError as error:
                if not error.retry or tries == TRIES or self._stopped():
                    raise
                await self._sleep(wait(tries, error))
        raise AssertionError("the last try returns or raises")

    async def _download(self, file_id: str, path: Path) -> None:
        """Write a file of the provider's to that path, if the provider still has it."""
        missed = 0
        for tries in range(1, TRIES + 1):
            try:
                return await self._api.download(file_id, path)
            except ModelError as error:
                gone = error.status in (404, 410)
                missed += gone
                if missed == GONE_TRIES:
                    return None
                if not (error.retry or gone) or tries == TRIES or self._stopped():
                    raise
                await self._sleep(wait(tries, error))
        return None

    async def _refused(self, row: BatchRow, error: ModelError) -> SnellenError:
        await self.forget(row)
        if row.file_id:
            with contextlib.suppress(ModelError):
                await self._api.delete_file(row.file_id)
        if error.kind == "not_found":
            return UsageError(
                f"the server at {self._base_url} has no batch endpoint ({error.message}): leave --batch out"
            )
        return UsageError(f"the server at {self._base_url} refuses the batch: {error.message}")

    async def _found_file(self, name: str, size: int) -> str | None:
        try:
            return await self._api.find_file(name, size) or None
        except ModelError as error:
            if error.kind == "not_found":  # it lists no files: a second upload costs nothing but its time
                return None
            raise

    async def _found_batch(self, row: BatchRow) -> RemoteBatch | None:
        try:
            return await self._api.find(row.token, row.file_id)
        except ModelError as error:
            path = input_path(self._folder, row.token)
            if error.kind == "not_found" and not path.exists():  # deleted, as we said: it did not take it
                return None
            if error.kind != "not_found":
                raise
            raise ModelError(
                "not_found",
                f"the server at {self._base_url} lists no batches, so it cannot be seen whether it took the one from"
                f" the file {row.file_id}: look there, and cancel it if it did; then delete {path} and run again",
            ) from error


def wait(tries: int, error: ModelError) -> float:
    """Seconds before the next try."""
    if error.retry_after is not None:
        return min(LONGEST_WISH, error.retry_after)
    return min(LONGEST_PAUSE, 2.0 ** (tries - 1))

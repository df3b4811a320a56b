"""The endpoints for files and batches that OpenAI has, and others in its shape.

One call is one HTTP request and is never made again here, since whoever calls must first look whether it was heard.
"""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import aiohttp
import orjson

from snellen.answer import Answer
from snellen.errors import LedgerError, ModelError
from snellen.model_spec import ModelSpec
from snellen.models._completion import load, quote, redact
from snellen.models._retry_after import retry_after
from snellen.models.openai_compatible import OpenAICompatible, _blocked

ENDPOINT = "/v1/chat/completions"
"""What every line of an input file is sent to, in the provider's words."""

FINISHED = ("completed", "failed", "expired", "cancelled")
"""States in which a batch stays."""

UNDERWAY = (
    *("validating", "in_progress", "finalizing", "cancelling"),
    *("queued", "pending", "created", "running", "processing"),  # elsewhere than at OpenAI
)
"""States of which another one follows."""

_SPELT = {"canceled": "cancelled", "succeeded": "completed", "canceling": "cancelling"}
_MOST_BYTES = 32 << 20  # of a description: a page of a listing is the longest
_PAGE = "100"
_HOPS = 4
_PIECE = 1 << 18
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a provider refused a batch: its code and words, and the line of the input file (from 1), 0 for no line."""

    code: str
    message: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class RemoteBatch:
    """A batch as its provider describes it.

    Attributes:
        id: the provider's.
        status: one of `UNDERWAY` or `FINISHED`, or a word that is not known: lower case, 40 plain characters at most.
        output_file_id, error_file_id: empty where there is none (yet).
        total, completed, failed: requests.
        problems: why it failed as a whole.
    """

    id: str
    status: str
    output_file_id: str = ""
    error_file_id: str = ""
    total: int = 0
    completed: int = 0
    failed: int = 0
    problems: tuple[Problem, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether nothing more comes."""
        return self.status in FINISHED

    @property
    def known(self) -> bool:
        """Whether it can be told from the status if more comes."""
        return self.finished or self.status in UNDERWAY


class BatchApi:
    """A provider's files and batches. To be made within a running event loop, and closed.

    All methods raise ModelError; its `retry` says whether the same can work later.

    Args:
        spec: the model as declared: its address, key, headers and time-out (here of a silence).
    """

    def __init__(self, spec: ModelSpec) -> None:
        self._base_url, self._timeout, self._key = spec.base_url, spec.timeout, spec.key()
        self._headers = dict(spec.headers)
        if self._key:
            self._headers["authorization"] = f"Bearer {self._key}"
        self._session = aiohttp.ClientSession(
            # A file of 200 MB takes as long as the line makes it take: only silence is bounded.
            timeout=aiohttp.ClientTimeout(total=None, sock_read=spec.timeout, sock_connect=min(30.0, spec.timeout)),
            trust_env=urlsplit(spec.base_url).hostname not in _LOOPBACK,
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()

    async def upload(self, path: Path, name: str) -> str:
        """Upload an input file under that name; its id. It is read as it is sent."""
        try:
            with path.open("rb") as file:
                form = aiohttp.FormData()
                form.add_field("purpose", "batch")
                form.add_field("file", file, filename=name, content_type="application/jsonl")
                return _id(await self._json("POST", "files", data=form))
        except OSError as error:
            raise _disk(path, error) from error

    async def find_file(self, name: str, size: int) -> str:
        """The id of an uploaded file of that name and size in bytes; empty where there is none."""
        async for entry in self._pages("files", {"purpose": "batch"}):
            if entry.get("filename") == name and entry.get("bytes") in (size, None):
                return _id(entry)
        return ""

    async def create(self, file_id: str, token: str, window: str) -> RemoteBatch:
        """Create a batch from an uploaded file; the token is kept in its metadata."""
        body = {
            "input_file_id": file_id,
            "endpoint": ENDPOINT,
            "completion_window": window,
            "metadata": {"snellen": token},
        }
        reply = await self._json(
            "POST", "batches", data=orjson.dumps(body), headers={"content-type": "application/json"}
        )
        return _batch(reply)

    async def find(self, token: str, file_id: str) -> RemoteBatch | None:
        """The batch that was created with that token (or, where the provider keeps no metadata, from that file)."""
        async for entry in self._pages("batches", {}):
            metadata = entry.get("metadata")
            known = metadata.get("snellen") if isinstance(metadata, dict) else None
            if known == token or (known is None and entry.get("input_file_id") == file_id):
                return _batch(entry)
        return None

    async def get(self, batch_id: str) -> RemoteBatch:
        """How a batch stands."""
        return _batch(await self._json("GET", f"batches/{batch_id}"))

    async def cancel(self, batch_id: str) -> RemoteBatch:
        """Cancel a batch; what is finished of it is kept there."""
        return _batch(await self._json("POST", f"batches/{batch_id}/cancel"))

    async def delete_file(self, file_id: str) -> None:
        """Delete a file there."""
        await self._json("DELETE", f"files/{file_id}")

    async def download(self, file_id: str, path: Path) -> None:
        """Write a file's content to that path, all of it or nothing: it stands under ``.part`` until it is whole."""
        part = path.with_name(f"{path.name}.part")  # whoever deleted the folder meanwhile gets it back
        async with self._content(f"{self._base_url}/files/{file_id}/content") as reply:
            try:
                part.parent.mkdir(parents=True, exist_ok=True)
                with part.open("wb") as file:
                    async for piece in reply.content.iter_chunked(_PIECE):
                        file.write(piece)
                    file.flush()
                    os.fsync(file.fileno())
                part.replace(path)
            except (aiohttp.ClientError, TimeoutError):
                raise
            except OSError as error:
                raise _disk(part, error) from error

    @asynccontextmanager
    async def _content(self, url: str) -> AsyncIterator[aiohttp.ClientResponse]:
        headers = self._headers
        for _ in range(_HOPS):
            async with self._request("GET", url, headers=headers) as reply:
                target = reply.headers.get("location", "")
                if reply.status not in (301, 302, 303, 307, 308) or not target:
                    if reply.status != 200:
                        raise self._error(reply, await self._read(reply))
                    yield reply
                    return
                target = urljoin(url, target)
            # Where a file really lies is often another host, with its right of access in the URL: no key goes there.
            if urlsplit(target)[:2] != urlsplit(url)[:2]:
                headers = {}
            url = target
        raise ModelError("server", f"more than {_HOPS} redirections from {self._base_url}/files")

    async def _pages(self, path: str, query: Mapping[str, str]) -> AsyncIterator[dict[str, Any]]:
        after = ""
        while True:
            page = await self._json(
                "GET", path, params={**query, "limit": _PAGE, **({"after": after} if after else {})}
            )
            entries = [entry for entry in _list(page.get("data")) if isinstance(entry, dict)]
            for entry in entries:
                yield entry
            last = str(page.get("last_id") or (entries[-1].get("id") if entries else "") or "")
            if not page.get("has_more") or not last or last == after:
                return
            after = last

    async def _json(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, **how: Any
    ) -> dict[str, Any]:
        url = f"{self._base_url}/{path}"
        async with self._request(method, url, headers={**self._headers, **(headers or {})}, **how) as reply:
            data = await self._read(reply)
            if not 200 <= reply.status < 300:
                raise self._error(reply, data)
        value = load(data)
        if not isinstance(value, dict):
            said = quote(data, self._key)
            raise ModelError("malformed", f"{method} {path}: no JSON object but {said}", retry=True, status=200)
        return value

    @asynccontextmanager
    async def _request(self, method: str, url: str, **how: Any) -> AsyncIterator[aiohttp.ClientResponse]:
        try:
            async with self._session.request(method, url, allow_redirects=False, **how) as reply:
                yield reply
        except TimeoutError as error:
            raise ModelError("timeout", f"{method} {url}: silence of {self._timeout:g} s", retry=True) from error
        except aiohttp.ClientError as error:
            text = redact(f"{method} {url}: {type(error).__name__}: {error}", self._key)
            raise ModelError("connection", text, retry=not isinstance(error, aiohttp.InvalidURL)) from error

    async def _read(self, reply: aiohttp.ClientResponse) -> bytes:
        parts, size = [], 0
        async for part in reply.content.iter_any():
            parts.append(part)
            size += len(part)
            if size > _MOST_BYTES:
                raise ModelError("malformed", f"{reply.method} {reply.url.path}: more than {_MOST_BYTES} bytes")
        return b"".join(parts)

    def _error(self, reply: aiohttp.ClientResponse, data: bytes) -> ModelError:
        status, value = reply.status, load(data)
        error = value.get("error", value) if isinstance(value, dict) else None
        said = str(error.get("message") or error) if isinstance(error, dict) else quote(data, self._key)
        text = redact(f"{reply.method} {reply.url.path}: HTTP {status}: {said}", self._key)[:500]
        if status in (401, 403):
            return ModelError("authentication", text, status=status)
        if status in (404, 405, 501) or 300 <= status < 400:
            return ModelError("not_found", text, status=status)
        wait = retry_after(reply.headers)
        if status == 429:
            exhausted = "insufficient_quota" in str(error) or "billing" in said.lower()
            return ModelError("rate_limit", text, retry=not exhausted, retry_after=wait, status=status)
        if status >= 500 or status in (408, 409, 425):
            return ModelError("server", text, retry=True, retry_after=wait, status=status)
        return ModelError("bad_request", text, status=status)


def read_refusal(client: OpenAICompatible, status: int, data: bytes, sent: Mapping[str, Any]) -> Answer:
    """The answer that a reply with another status than 200 is, where a content filter stopped it.

    Args:
        client: of the model.
        status, data: of the reply.
        sent: what was sent, as the client's `body` gave it.

    Raises:
        ModelError: anything else. Its `retry` is set, too, where a parameter was refused: the next body leaves it out.
    """
    refusal = load(data)
    if finish := _blocked(status, refusal):
        return Answer(status="blocked", finish_reason=finish, sent=sent)
    error = client._error(status, {}, refusal, data)
    if status in (400, 422) and client._negotiate(refusal, data, sent.get("parameters", {})):
        error.retry = True
    raise error


def _disk(path: Path, error: OSError) -> LedgerError:
    return LedgerError(f"{path}: {error.strerror or error}: mend that and run the same command again; nothing is lost")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _id(value: Mapping[str, Any]) -> str:
    name = value.get("id")
    if not isinstance(name, str) or not name or set(name) & set("/?#") or name in (".", ".."):
        raise ModelError("malformed", f"an object without a usable id: {name!r}"[:200], retry=True, status=200)
    return name


def _batch(value: Mapping[str, Any]) -> RemoteBatch:
    status = re.sub(r"[^a-z0-9_ -]", "?", str(value.get("status") or "").lower()[:40])
    counts = value.get("request_counts")

    def count(name: str) -> int:
        number = counts.get(name) if isinstance(counts, dict) else None
        return number if isinstance(number, int) and 0 <= number < 2**31 else 0

    errors = value.get("errors")
    if isinstance(errors, dict):
        errors = errors.get("data")
    return RemoteBatch(
        _id(value),
        _SPELT.get(status, status),
        str(value.get("output_file_id") or ""),
        str(value.get("error_file_id") or ""),
        count("total"),
        count("completed"),
        count("failed"),
        tuple(_problem(error) for error in ([errors] if isinstance(errors, str) else _list(errors)) if error),
    )


def _problem(error: Any) -> Problem:
    if not isinstance(error, dict):
        return Problem("", str(error)[:500])
    line = error.get("line")
    place = line if isinstance(line, int) and not isinstance(line, bool) and line > 0 else 0
    return Problem(str(error.get("code") or ""), str(error.get("message") or "")[:500], place)

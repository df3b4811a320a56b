"""OpenAI-compatible chat completions, as vLLM, SGLang, Ollama, llama.cpp, LM Studio and most hosts serve them.

One HTTP request a call, over aiohttp. A parameter that the server refuses is renamed or dropped once, for all
requests that follow, and what was really sent is recorded with each answer.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Protocol
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import orjson

from snellen.answer import Answer
from snellen.errors import ModelError
from snellen.model_spec import ModelSpec
from snellen.models import _completion
from snellen.models._completion import load, quote, redact
from snellen.models._retry_after import retry_after
from snellen.models._streamed import follow, whole
from snellen.request import Request, TextPart

MAX_REPLY_BYTES = 64 << 20
"""A longer body is no chat completion."""

_STREAMING = {"stream_options": {"include_usage": True}, "stream": True}
_END = 0.25  # seconds for the end of a body whose last event has come: only then can the connection serve again
_RENAMED = {"max_tokens": "max_completion_tokens"}
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Picture(Protocol):
    """An image ready to be put into a body."""

    @property
    def url_json(self) -> bytes:
        """The data URL as a JSON string, quotes included."""

    @property
    def record(self) -> Mapping[str, Any]:
        """What is recorded of it."""


class OpenAICompatible:
    """A client of one server and model.

    Args:
        spec: the model as declared.
        picture: gives the image of a digest as it is to be sent.
        concurrency: connections at most.

    Raises:
        UsageError: the declared key is not in the environment.
    """

    PATH = "chat/completions"

    def __init__(self, spec: ModelSpec, picture: Callable[[str], Awaitable[Picture]], concurrency: int) -> None:
        self.spec = spec
        self.dropped: dict[str, str] = {}  # parameter -> what became of it, said by the server's refusal
        self._picture = picture
        self._key = spec.key()
        headers = {"content-type": "application/json", **spec.headers}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        connect = min(30.0, spec.timeout)
        self._in_all = aiohttp.ClientTimeout(total=spec.timeout, sock_connect=connect)
        self._silence = aiohttp.ClientTimeout(total=None, sock_connect=connect, sock_read=spec.timeout)
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=concurrency),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=headers,
            trust_env=_proxied(spec.base_url),
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()

    async def ask(self, request: Request) -> Answer:
        """Ask once.

        Raises:
            ModelError: no answer; its `retry` says whether asking again can help.
        """
        while True:
            body, sent = await self.body(request, stream=self.spec.stream)
            parameters = sent["parameters"]
            start = time.perf_counter()
            status, headers, data = await self._post(body, streamed=parameters.get("stream") is True)
            latency = time.perf_counter() - start
            if isinstance(data, dict):
                return _completion.answer(data, lambda: "in a stream", latency, sent)
            if status == 200:
                return self.read_reply(data, latency, sent)
            refusal = load(data)
            if blocked := _blocked(status, refusal):
                return Answer(status="blocked", finish_reason=blocked, latency=latency, sent=sent)
            if status in (400, 422) and self._negotiate(refusal, data, parameters):
                continue
            raise self._error(status, headers, refusal, data)

    async def body(self, request: Request, *, stream: bool = False) -> tuple[bytes, dict[str, Any]]:
        """The JSON body of a request, and what is recorded of it.

        Args:
            request: what is asked.
            stream: whether to ask for a stream, unless the server has refused to.

        Returns:
            the body, and ``parameters`` (as sent, after negotiation) with ``images`` where there are any.

        Raises:
            ModelError: an image cannot be sent.
        """
        messages, records = await self._messages(request)
        streaming = _STREAMING if stream and "stream" not in self.dropped else {}
        parameters = self._negotiated({**streaming, **request.parameters})
        name = self.spec.server_name or self.spec.name
        sent: dict[str, Any] = {"parameters": parameters}
        if records:
            sent["images"] = records
        return orjson.dumps({"model": name, "messages": messages, **parameters}), sent

    def read_reply(self, data: bytes, latency: float, sent: Mapping[str, Any]) -> Answer:
        """The answer in a body that came with status 200.

        Args:
            data: the body, a JSON object.
            latency: seconds that it took.
            sent: what was sent, as `body` gave it.

        Raises:
            ModelError: it holds no answer; its `retry` says whether asking again can help.
        """
        return _completion.answer(load(data), lambda: self._quote(data), latency, sent)

    async def _post(self, body: bytes, *, streamed: bool) -> tuple[int, Mapping[str, str], bytes | dict[str, Any]]:
        """(status, headers, body), a streamed completion put together."""
        url = f"{self.spec.base_url}/{self.PATH}"
        try:
            if not streamed:
                async with self._session.post(url, data=body, allow_redirects=False, timeout=self._in_all) as reply:
                    data = await reply.content.readany()
                    if not reply.content.at_eof():  # most bodies come in one piece
                        data = await whole(reply.content.iter_any(), MAX_REPLY_BYTES, data)
                    return reply.status, reply.headers, data
            # Until the reply begins no silence is measured while the request is being sent, so it has a limit in all.
            async with asyncio.timeout(self.spec.timeout):
                reply = await self._session.post(url, data=body, allow_redirects=False, timeout=self._silence)
            async with reply:
                pieces = reply.content.iter_any()
                if reply.status != 200:
                    return reply.status, reply.headers, await whole(pieces, MAX_REPLY_BYTES)
                said = await follow(pieces, self._key, MAX_REPLY_BYTES)
                await _end(pieces)
                return reply.status, reply.headers, said
        except TimeoutError as error:
            raise ModelError("timeout", self._timed_out(error, streamed), retry=True) from error
        except aiohttp.ClientError as error:
            raise ModelError("connection", self._redact(f"{type(error).__name__}: {error}"), retry=True) from error
        except (OSError, ValueError) as error:
            raise ModelError("connection", self._redact(str(error)), retry=isinstance(error, OSError)) from error

    def _timed_out(self, error: TimeoutError, streamed: bool) -> str:
        if isinstance(error, aiohttp.ConnectionTimeoutError):
            return f"no connection within {self._silence.sock_connect:g} s"
        return f"{'nothing' if streamed else 'no answer'} within {self.spec.timeout:g} s"

    async def _messages(self, request: Request) -> tuple[list[dict[str, Any]], list[Mapping[str, Any]]]:
        messages: list[dict[str, Any]] = []
        records: list[Mapping[str, Any]] = []
        for message in request.messages:
            if all(isinstance(part, TextPart) for part in message.parts):
                content: Any = request_text(message.parts)
            else:
                content = []
                for part in message.parts:
                    if isinstance(part, TextPart):
                        content.append({"type": "text", "text": part.text})
                    else:
                        picture = await self._picture(part.sha256)
                        records.append(picture.record)
                        url = orjson.Fragment(picture.url_json)
                        content.append({"type": "image_url", "image_url": {"url": url}})
            messages.append({"role": message.role, "content": content})
        return messages, records

    def _negotiated(self, requested: Mapping[str, Any]) -> dict[str, Any]:
        parameters = {}
        for name, value in requested.items():
            kept = _RENAMED.get(name, "") if self.dropped.get(name) == "renamed" else name
            if self.dropped.get(name) != "dropped" and self.dropped.get(kept) != "dropped":
                parameters[kept] = value
        return parameters

    def _negotiate(self, refusal: Any, data: bytes, sent: Mapping[str, Any]) -> bool:
        """Whether the refusal names a parameter that can be renamed or left out; takes it down if so."""
        error = refusal.get("error") if isinstance(refusal, dict) else None
        error = error if isinstance(error, dict) else {}
        text = str(error.get("message") or data[:2000].decode("utf-8", "replace")).lower()
        named = str(error.get("param") or "").split(".")[0]
        if any(word in text for word in ("context length", "too long", "too large", "image")) and named not in sent:
            return False
        for name in sent:
            if name == named or (not named and re.search(rf"\b{re.escape(name)}\b", text) and _refuses(text)):
                renamed = _RENAMED.get(name)
                original = next((old for old, new in _RENAMED.items() if new == name), name)
                if renamed and renamed in text:
                    self.dropped[name] = "renamed"
                else:
                    self.dropped[original] = "dropped"
                return True
        return False

    def _error(self, status: int, headers: Mapping[str, str], refusal: Any, data: bytes) -> ModelError:
        error = refusal.get("error", refusal) if isinstance(refusal, dict) else None
        said = str(error.get("message") or error) if isinstance(error, dict) else self._quote(data)
        text = self._redact(f"HTTP {status}: {said}")[:500]
        if status in (401, 403):
            return ModelError("authentication", text, status=status)
        if status == 404 or 300 <= status < 400:
            where = f" at {self.spec.base_url}/{self.PATH}"
            return ModelError("not_found", text + where, status=status)
        wait = retry_after(headers)
        if status == 429:
            exhausted = "insufficient_quota" in str(error) or "billing" in said.lower()
            return ModelError("rate_limit", text, retry=not exhausted, retry_after=wait, status=status)
        if status >= 500 or status in (408, 409, 425):
            return ModelError("server", text, retry=True, retry_after=wait, status=status)
        return ModelError("bad_request", text, status=status)

    def _quote(self, data: bytes) -> str:
        return quote(data, self._key)

    def _redact(self, text: str) -> str:
        return redact(text, self._key)


def request_text(parts: tuple[Any, ...]) -> str:
    """The texts of parts that hold no image, joined by blank lines."""
    return "\n\n".join(part.text for part in parts)


def _blocked(status: int, refusal: Any) -> str:
    error = refusal.get("error") if isinstance(refusal, dict) else None
    if status not in (400, 403, 422) or not isinstance(error, dict):
        return ""
    inner = error.get("innererror")
    codes = (error.get("code"), error.get("type"), inner.get("code") if isinstance(inner, dict) else "")
    known = ("content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation", "data_inspection_failed")
    return next((code for code in codes if code in known), "")


def _refuses(text: str) -> bool:
    words = ("unsupported", "not support", "unknown", "unrecognized", "unexpected", "not allowed", "not permitted")
    return any(word in text for word in (*words, "invalid", "extra inputs", "deprecated", "only the default"))


def _proxied(url: str) -> bool:
    """Whether the environment names a proxy for that URL; aiohttp would look into it anew with every request."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return host not in _LOOPBACK and parts.scheme in getproxies() and not proxy_bypass(host)


async def _end(pieces: AsyncIterator[bytes]) -> None:
    """Read on to the end of the body, if it comes at once."""
    try:
        async with asyncio.timeout(_END):
            async for _ in pieces:
                pass
    except (TimeoutError, aiohttp.ClientError, OSError):
        return  # the answer is there; the connection is given up

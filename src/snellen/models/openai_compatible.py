"""OpenAI-compatible chat completions, as vLLM, SGLang, Ollama, llama.cpp, LM Studio and most hosts serve them.

One HTTP request a call, over aiohttp. A parameter that the server refuses is renamed or dropped once, for all
requests that follow, and what was really sent is recorded with each answer.
"""

from __future__ import annotations

import email.utils
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Protocol
from urllib.parse import urlsplit

import aiohttp
import orjson

from snellen.answer import Answer, Status, Usage
from snellen.errors import ModelError
from snellen.model_spec import ModelSpec
from snellen.request import Request, TextPart

MAX_REPLY_BYTES = 64 << 20
"""A longer body is no chat completion."""

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

    def __init__(self, spec: ModelSpec, picture: Callable[[str], Awaitable[Picture]], concurrency: int) -> None:
        self.spec = spec
        self.dropped: dict[str, str] = {}  # parameter -> what became of it, said by the server's refusal
        self._picture = picture
        self._key = spec.key()
        headers = {"content-type": "application/json", **spec.headers}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=concurrency),
            timeout=aiohttp.ClientTimeout(total=spec.timeout, sock_connect=min(30.0, spec.timeout)),
            headers=headers,
            trust_env=urlsplit(spec.base_url).hostname not in _LOOPBACK,
            json_serialize=lambda value: orjson.dumps(value).decode(),
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()

    async def ask(self, request: Request) -> Answer:
        """Ask once.

        Raises:
            ModelError: no answer; its `retry` says whether asking again can help.
        """
        messages, records = await self._messages(request)
        while True:
            parameters = self._negotiated(request.parameters)
            body = orjson.dumps({"model": self.spec.server_name or self.spec.name, "messages": messages, **parameters})
            start = time.perf_counter()
            status, headers, data = await self._post(body)
            latency = time.perf_counter() - start
            if status == 200:
                sent: dict[str, Any] = {"parameters": parameters}
                if records:
                    sent["images"] = records
                return self._read(data, latency, sent)
            refusal = _json(data)
            if blocked := _blocked(status, refusal):
                sent = {"parameters": parameters, "images": records}
                return Answer(status="blocked", finish_reason=blocked, latency=latency, sent=sent)
            if status in (400, 422) and self._negotiate(refusal, data, parameters):
                continue
            raise self._error(status, headers, refusal, data)

    async def _post(self, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        url = f"{self.spec.base_url}/chat/completions"
        try:
            async with self._session.post(url, data=body, allow_redirects=False) as reply:
                parts, size = [], 0
                async for part in reply.content.iter_any():
                    parts.append(part)
                    size += len(part)
                    if size > MAX_REPLY_BYTES:
                        raise ModelError("malformed", f"a reply of more than {MAX_REPLY_BYTES} bytes")
                return reply.status, reply.headers, parts[0] if len(parts) == 1 else b"".join(parts)
        except TimeoutError as error:
            raise ModelError("timeout", f"no answer within {self.spec.timeout:g} s", retry=True) from error
        except aiohttp.ClientError as error:
            raise ModelError("connection", self._redact(f"{type(error).__name__}: {error}"), retry=True) from error
        except (OSError, ValueError) as error:
            raise ModelError("connection", self._redact(str(error)), retry=isinstance(error, OSError)) from error

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
        named = str(error.get("param") or "")
        if any(word in text for word in ("context length", "too long", "too large", "image")) and named not in sent:
            return False
        for name in sent:
            if name == named or (not named and f"{name}" in text and _refuses(text)):
                renamed = _RENAMED.get(name)
                original = next((old for old, new in _RENAMED.items() if new == name), name)
                if renamed and renamed in text:
                    self.dropped[name] = "renamed"
                else:
                    self.dropped[original] = "dropped"
                return True
        return False

    def _read(self, data: bytes, latency: float, sent: Mapping[str, Any]) -> Answer:
        reply = _json(data)
        if not isinstance(reply, dict):
            raise ModelError("malformed", f"the body is no JSON object: {self._shorten(data)}", retry=True, status=200)
        if isinstance(reply.get("error"), dict | str) and not reply.get("choices"):
            raise ModelError("server", f"an error with status 200: {self._shorten(data)}", retry=True, status=200)
        try:
            choice = reply["choices"][0]
            message = choice["message"]
            content = _text(message.get("content"))
            thinking = message.get("reasoning_content") or message.get("reasoning") or ""
            finish = choice.get("finish_reason") or ""
            refusal = message.get("refusal") or ""
            if not isinstance(thinking, str) or not isinstance(finish, str) or not isinstance(refusal, str):
                raise TypeError("a field of the message is not a text")
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            message_text = f"no chat completion ({type(error).__name__}: {error}): {self._shorten(data)}"
            raise ModelError("malformed", message_text, retry=True, status=200) from error
        status: Status = "truncated" if finish in ("length", "max_tokens") else "answered"
        if finish == "content_filter":
            status = "blocked"
        model = reply.get("model")
        return Answer(
            status=status,
            text=_clean(content or refusal),
            thinking=_clean(thinking),
            finish_reason=finish,
            usage=_usage(reply.get("usage")),
            latency=latency,
            sent=sent,
            server_model=_clean(model) if isinstance(model, str) else "",
        )

    def _error(self, status: int, headers: Mapping[str, str], refusal: Any, data: bytes) -> ModelError:
        error = refusal.get("error", refusal) if isinstance(refusal, dict) else None
        said = str(error.get("message") or error) if isinstance(error, dict) else self._shorten(data)
        text = self._redact(f"HTTP {status}: {said}")[:500]
        if status in (401, 403):
            return ModelError("authentication", text, status=status)
        if status == 404 or 300 <= status < 400:
            hint = f" at {self.spec.base_url}/chat/completions: mind the /v1 and the model's name"
            return ModelError("not_found", text + hint, status=status)
        wait = _retry_after(headers)
        if status == 429:
            exhausted = "insufficient_quota" in str(error) or "billing" in said.lower()
            return ModelError("rate_limit", text, retry=not exhausted, retry_after=wait, status=status)
        if status >= 500 or status in (408, 409, 425):
            return ModelError("server", text, retry=True, retry_after=wait, status=status)
        return ModelError("bad_request", text, status=status)

    def _shorten(self, data: bytes) -> str:
        return self._redact(" ".join(data[:400].decode("utf-8", "replace").split()))[:200] or "(empty)"

    def _redact(self, text: str) -> str:
        return text.replace(self._key, "[key]") if self._key else text


def request_text(parts: tuple[Any, ...]) -> str:
    """The texts of parts that hold no image, joined by blank lines."""
    return "\n\n".join(part.text for part in parts)


def _json(data: bytes) -> Any:
    """The value in a body, None where there is none; a lone surrogate that strict parsers refuse is let through."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            return None


def _clean(text: str) -> str:
    """The text with lone surrogates replaced, since they cannot be stored as UTF-8."""
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _text(content: Any) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    # Some servers answer with a list of parts, as it is asked.
    return "".join(part["text"] for part in content if part.get("type") in ("text", "output_text"))


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, dict):
        return Usage()

    def count(source: Any, *names: str) -> int | None:
        for name in names:
            value = source.get(name) if isinstance(source, dict) else None
            if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53:
                return value
        return None

    return Usage(
        prompt=count(usage, "prompt_tokens", "input_tokens"),
        completion=count(usage, "completion_tokens", "output_tokens"),
        cached=count(usage.get("prompt_tokens_details"), "cached_tokens"),
        reasoning=count(usage.get("completion_tokens_details"), "reasoning_tokens"),
    )


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


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait (RFC 9110, 10.2.3: seconds or a date; or milliseconds in its own header)."""
    if value := headers.get("retry-after-ms", ""):
        try:
            return max(0.0, float(value) / 1000)
        except ValueError:
            pass
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
        return max(0.0, seconds) if seconds < float("inf") else None
    except ValueError:
        pass
    try:
        date = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (date - datetime.now(UTC)).total_seconds())

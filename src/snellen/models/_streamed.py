"""A streamed chat completion, put together to what an unstreamed one would have been."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from typing import Any

from snellen.errors import ModelError
from snellen.models._completion import content_of, failed, load, log_probabilities, quote
from snellen.models._event_stream import Event, EventStream

MAX_STREAM_BYTES = 1 << 30
"""More is no answer: a chunk takes some 250 bytes around a token, so this is millions of tokens."""

_TEXTS = ("content", "reasoning_content", "reasoning", "refusal")
_BLANK = b" \t\r\n\xef\xbb\xbf"  # with the bytes of a byte order mark


async def follow(pieces: AsyncIterator[bytes], key: str, limit: int) -> bytes | dict[str, Any]:
    """What the server says in the end: put together from a stream, or the body of one that does not stream.

    Which of both it is shows in the first byte, whatever the content type says: a JSON body begins with a brace, with
    which no field of an event stream begins. Reading ends at ``[DONE]``, whether or not the body does.

    Args:
        pieces: of the body, as they come.
        key: never to be told in messages.
        limit: bytes of a body, or of what is kept of a stream.

    Raises:
        ModelError: the stream holds an error or no chunks of a completion, ended too early, or never does.
    """
    stream, chunks = EventStream(), Chunks(key)
    received, beginning = 0, b""
    async for piece in pieces:
        if not beginning:
            piece = piece.lstrip(_BLANK)
            if not piece:
                continue
            if piece[0] in b"{[":
                return await whole(pieces, limit, piece)
            beginning = piece[:400]
        for event in stream.feed(piece):
            chunks.add(event)
            if chunks.done:
                return chunks.reply(beginning)
        received += len(piece)
        if stream.held + chunks.held > limit or received > MAX_STREAM_BYTES:
            raise ModelError("malformed", f"a streamed answer of more than {limit} bytes")
    for event in stream.close():
        chunks.add(event)
    return chunks.reply(beginning)


async def whole(pieces: AsyncIterator[bytes], limit: int, first: bytes = b"") -> bytes:
    """The body, of which `first` has come already.

    Raises:
        ModelError: it is longer than `limit` bytes.
    """
    parts, size = [first], len(first)
    async for piece in pieces:
        parts.append(piece)
        size += len(piece)
        if size > limit:
            raise ModelError("malformed", f"a reply of more than {limit} bytes")
    return b"".join(parts)


class Chunks:
    """The chunks of a streamed completion, put together to what an unstreamed body would hold.

    Args:
        key: never to be told in messages.

    Attributes:
        done: whether the server said that nothing follows.
        held: characters that are kept.
    """

    def __init__(self, key: str) -> None:
        self.done = False
        self.held = 0
        self._key = key
        self._texts: dict[str, io.StringIO] = {}
        self._finish: Any = None
        self._whole: dict[str, Any] = {}
        self._usage: Any = None
        self._model: Any = None
        self._begun = False
        self._logprobs: list[float] = []

    def add(self, event: Event) -> None:
        """The next event.

        Raises:
            ModelError: it is an error, or no chunk of a completion.
        """
        name, data = event
        if data == b"[DONE]":
            self.done = True
            return
        chunk = load(data)
        if not isinstance(chunk, dict):
            if not data.strip():
                return
            raise self._malformed("an event is no JSON object", data)
        if (error := chunk.get("error")) or name == b"error":
            raise failed(error or chunk, quote(data, self._key))
        if model := chunk.get("model"):
            self._model = model
        if usage := chunk.get("usage"):
            self._usage = usage
        try:
            for choice in chunk.get("choices") or ():
                if not choice.get("index"):
                    self._take(choice)
        except (KeyError, TypeError, AttributeError) as error:
            raise self._malformed(f"no chunk of a chat completion ({type(error).__name__}: {error})", data) from error

    def reply(self, beginning: bytes) -> dict[str, Any]:
        """What an unstreamed body would hold.

        Args:
            beginning: of the stream, for messages.

        Raises:
            ModelError: the stream ended before the answer did.
        """
        if not self._begun:
            raise self._malformed("no answer in the stream", beginning)
        if not (self.done or self._finish):
            raise self._malformed(f"the stream ended in the answer, after {self.held} characters", beginning)
        message = {name: text.getvalue() for name, text in self._texts.items()} | self._whole
        choice: dict[str, Any] = {"message": message, "finish_reason": self._finish}
        if self._logprobs:
            choice["logprobs"] = {"token_logprobs": self._logprobs}
        return {"model": self._model, "choices": [choice], "usage": self._usage}

    def _take(self, choice: dict[str, Any]) -> None:
        self._begun = True
        delta = choice.get("delta")
        if delta:
            for name, value in delta.items():
                if value and name in _TEXTS:
                    self._write(name, value)
        elif message := choice.get("message"):  # some send the whole at the end, or only the whole
            self._whole = {name: message[name] for name in _TEXTS if message.get(name)}
        if logprobs := choice.get("logprobs"):
            found = log_probabilities(logprobs)
            self._logprobs += found
            self.held += len(found)
        if finish := choice.get("finish_reason"):
            self._finish = finish

    def _write(self, name: str, value: Any) -> None:
        if isinstance(value, str):
            if name not in self._texts:
                self._texts[name] = io.StringIO()
            self._texts[name].write(value)
            self.held += len(value)
        elif name == "content":
            text, thinking = content_of(value)
            self._write("content", text)
            self._write("reasoning", thinking)
        else:
            raise TypeError(f"{name} is not a text")

    def _malformed(self, what: str, data: bytes) -> ModelError:
        return ModelError("malformed", f"{what}: {quote(data, self._key)}", retry=True, status=200)

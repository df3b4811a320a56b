"""A small OpenAI-compatible server for tests: scripted replies, and a log of what was asked."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import orjson
from aiohttp import web

Script = Callable[[dict[str, Any], int], Any]


def completion(text: str | None, finish: str = "stop", **message: Any) -> dict[str, Any]:
    """The body of a chat completion."""
    return {
        "id": "x",
        "model": "served-model",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10},
    }


@dataclass
class Stream:
    """A reply that is sent piece by piece; numbers among the pieces are seconds of silence.

    Args:
        pieces: of the body.
        kind: its content type.
        end: ``end`` as it should be, ``cut`` without the end of the body, ``reset``.
        status: of the reply.
    """

    pieces: Iterable[bytes | float]
    kind: str = "text/event-stream"
    end: str = "end"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


def event(data: Any) -> bytes:
    """A server-sent event; what is not bytes is written as JSON."""
    return b"data: " + (data if isinstance(data, bytes) else orjson.dumps(data)) + b"\n\n"


def chunk(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    """A chunk of a streamed chat completion."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
    return {"id": "x", "object": "chat.completion.chunk", "model": "served-model", "choices": [choice], "usage": None}


def chunks(*texts: str, finish: str = "stop", usage: dict[str, Any] | None = None) -> list[bytes]:
    """The events of a streamed completion, one for each text, the usage in a chunk of its own, and the end."""
    counted = usage or {"prompt_tokens": 100, "completion_tokens": 10}
    return [
        event(chunk(role="assistant", content="")),
        *(event(chunk(content=text)) for text in texts),
        event(chunk(finish)),
        event({"id": "x", "model": "served-model", "choices": [], "usage": counted}),
        event(b"[DONE]"),
    ]


class FakeServer:
    """Runs in a thread of its own on a free port of the loopback.

    Args:
        script: (body of the request, number of the request from 0) -> a body with status 200, or
            (status, body, headers), or a `Stream`.
        delay: seconds before each answer.
    """

    def __init__(self, script: Script, delay: float = 0.0) -> None:
        self.script, self.delay = script, delay
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.peers: list[Any] = []  # address of the client's end of the connection, for each request
        self.most_in_flight = 0
        self._in_flight = 0
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> FakeServer:
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(10)

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    def _serve(self) -> None:
        self._loop.run_until_complete(self._main())
        self._loop.close()

    async def _main(self) -> None:
        self._end = asyncio.Event()
        application = web.Application(client_max_size=64 << 20)
        application.router.add_post("/v1/chat/completions", self._answer)
        application.router.add_post("/v1/embeddings", self._answer)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port = runner.addresses[0][1]
        self._ready.set()
        await self._end.wait()
        await runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = orjson.loads(await request.read())
        number = len(self.requests)
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        self.peers.append(request.transport.get_extra_info("peername") if request.transport else None)
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            if self.delay:
                await asyncio.sleep(self.delay)
            outcome = self.script(body, number)
        finally:
            self._in_flight -= 1
        if isinstance(outcome, Stream):
            return await self._stream(request, outcome)
        status, payload, headers = outcome if isinstance(outcome, tuple) else (200, outcome, {})
        data = payload if isinstance(payload, bytes) else orjson.dumps(payload)
        return web.Response(status=status, body=data, headers={"content-type": "application/json", **headers})

    async def _stream(self, request: web.Request, stream: Stream) -> web.StreamResponse:
        reply = web.StreamResponse(status=stream.status, headers={"content-type": stream.kind, **stream.headers})
        await reply.prepare(request)
        with contextlib.suppress(ConnectionError):  # a client may have had enough
            for piece in stream.pieces:
                if isinstance(piece, float):
                    await asyncio.sleep(piece)
                else:
                    await reply.write(piece)
        transport = request.transport
        if stream.end != "end" and transport is not None:
            if stream.end == "reset":
                transport.abort()
            else:
                transport.close()
        return reply


def question_of(body: dict[str, Any]) -> str:
    """The text of a request's last message."""
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part["type"] == "text")

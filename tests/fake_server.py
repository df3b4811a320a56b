"""A small OpenAI-compatible server for tests: scripted replies, and a log of what was asked."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
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


class FakeServer:
    """Runs in a thread of its own on a free port of the loopback.

    Args:
        script: (body of the request, number of the request from 0) -> a body with status 200, or
            (status, body, headers).
        delay: seconds before each answer.
    """

    def __init__(self, script: Script, delay: float = 0.0) -> None:
        self.script, self.delay = script, delay
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
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
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            if self.delay:
                await asyncio.sleep(self.delay)
            outcome = self.script(body, number)
        finally:
            self._in_flight -= 1
        status, payload, headers = outcome if isinstance(outcome, tuple) else (200, outcome, {})
        data = payload if isinstance(payload, bytes) else orjson.dumps(payload)
        return web.Response(status=status, body=data, headers={"content-type": "application/json", **headers})


def question_of(body: dict[str, Any]) -> str:
    """The text of a request's last message."""
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part["type"] == "text")

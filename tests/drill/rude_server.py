"""An OpenAI-compatible server with bad manners, as a program of its own: a share of requests is not answered well.

Which requests are treated rudely is decided by the seed, the request and how often it has come, not by what comes when,
so that two drills of the same seed suffer alike. No request is treated rudely more than twice in a row: a client that
asks again gets its answer. Answers depend on the question alone. It prints its port and ends when its input ends.

    python rude_server.py --log LOG --seed 7 --share 0.3
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import email.utils
import hashlib
import json
import os
import re
import socket
import struct
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

ROW = 2  # rude treatments of one request in a row at most: an answer that is empty thrice is believed


def digest(*parts: object) -> int:
    """A number from 0 to 2**32 - 1 that depends on these values alone."""
    return int.from_bytes(hashlib.sha256(":".join(map(str, parts)).encode()).digest()[:4], "big")


def text_of(body: dict[str, Any]) -> str:
    """All text of a request."""
    found = []
    for message in body["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        found += [part["text"] for part in parts if part["type"] == "text"]
    return "\n".join(found)


def name_of(body: dict[str, Any]) -> str:
    """What is asked: ``vlm 2/11`` or ``judge 2/11``, for the item ``charthal/2/11``."""
    found = re.search(r"Question (\d+) about figure (\d+)\?", text_of(body))
    return f"{body['model']} {found[2]}/{found[1]}" if found else f"{body['model']} ?"


def reply_to(body: dict[str, Any], pad: int) -> str:
    """The one answer to this request; `pad` characters longer than it needs to be, unless it is a verdict."""
    name = name_of(body)
    if name.startswith("judge "):
        return f"Score: {digest(name) % 2}"
    return f"For {name} it is {digest(name) % 1000}; 约为 {digest(name) % 7}。" + "x" * pad


def completion(text: str, model: str) -> bytes:
    """The body of a chat completion."""
    message = {"role": "assistant", "content": text}
    return json.dumps(
        {
            "id": "x",
            "model": model,
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10},
        },
        ensure_ascii=False,
    ).encode()


class Exchange:
    """One request's reply on its connection, and the ways of giving it."""

    def __init__(self, writer: asyncio.StreamWriter, text: str, model: str, stall: float) -> None:
        self.writer, self.text, self.model, self.stall = writer, text, model, stall
        self.whole = False  # whether an answer that can be used went out to its last byte
        self.closed = False

    async def send(self, data: bytes) -> None:
        """Hand bytes to the system."""
        self.writer.write(data)
        await self.writer.drain()

    async def reply(
        self,
        body: bytes,
        status: str = "200 OK",
        kind: str = "application/json",
        length: int | None = None,
        **more: str,
    ) -> None:
        """A reply with its headers; `length` is what is declared instead of the true one."""
        lines = [
            f"HTTP/1.1 {status}",
            f"content-type: {kind}",
            f"content-length: {len(body) if length is None else length}",
        ]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in more.items()]
        await self.send("\r\n".join([*lines, "", ""]).encode() + body)

    async def answer(self, model: str = "", kind: str = "application/json") -> None:
        """The answer as it should be, but for the model's name or the type."""
        await self.reply(completion(self.text, model or self.model), kind=kind)
        self.whole = True

    async def hang_up(self, *, reset: bool) -> None:
        """End the connection, with a reset or with a plain end."""
        if reset:
            linger = struct.pack("ii", 1, 0)
            self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.close()
        self.closed = True

    async def chunked(self, *, cut: bool) -> None:
        """The answer in small chunks, with or without the end."""
        body = completion(self.text, self.model)
        await self.send(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")
        pieces = [body[start : start + 100] for start in range(0, len(body), 100)]
        for piece in pieces[:-1] if cut else pieces:
            await self.send(b"%x\r\n%s\r\n" % (len(piece), piece))
        if cut:
            await self.hang_up(reset=False)
        else:
            await self.send(b"0\r\n\r\n")
            self.whole = True

    async def half(self, *, then: str) -> None:
        """Headers and half of the body, then an end, a reset or nothing for longer than anyone waits."""
        body = completion(self.text, self.model)
        await self.reply(body[: len(body) // 2], length=len(body))
        if then == "stall":
            await asyncio.sleep(self.stall)
        await self.hang_up(reset=then == "reset")

    async def reset_in_headers(self) -> None:
        """A status line, then a reset."""
        await self.send(b"HTTP/1.1 200 OK\r\ncontent-ty")
        await self.hang_up(reset=True)

    async def silence(self) -> None:
        """Nothing for longer than anyone waits."""
        await asyncio.sleep(self.stall)
        await self.hang_up(reset=False)


HTML = b"<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>"
BUSY = b'{"error": {"message": "slow down", "type": "requests"}}'
TOO_MANY = "429 Too Many Requests"

RUDE: dict[str, Callable[[Exchange], Awaitable[None]]] = {
    "429": lambda x: x.reply(BUSY, TOO_MANY),
    "429 seconds": lambda x: x.reply(BUSY, TOO_MANY, retry_after="1"),
    "429 milliseconds": lambda x: x.reply(BUSY, TOO_MANY, retry_after_ms="150"),
    "429 date": lambda x: x.reply(BUSY, TOO_MANY, retry_after=email.utils.formatdate(time.time() + 1, usegmt=True)),
    "429 nonsense": lambda x: x.reply(b"", TOO_MANY, retry_after="soon"),
    "500": lambda x: x.reply(b'{"error": "internal"}', "500 Internal Server Error"),
    "502 page": lambda x: x.reply(HTML, "502 Bad Gateway", "text/html"),
    "reset before headers": lambda x: x.hang_up(reset=True),
    "end before headers": lambda x: x.hang_up(reset=False),
    "reset in headers": lambda x: x.reset_in_headers(),
    "reset in body": lambda x: x.half(then="reset"),
    "half a body": lambda x: x.half(then="end"),
    "stall": lambda x: x.silence(),
    "stall in body": lambda x: x.half(then="stall"),
    "truncated JSON": lambda x: x.reply(completion(x.text, x.model)[:-40]),
    "malformed JSON": lambda x: x.reply(b'{"choices": [}, "model": NaN'),
    "other JSON": lambda x: x.reply(b'{"choices": []}'),
    "error with 200": lambda x: x.reply(b'{"error": {"message": "overloaded"}}'),
    "page with 200": lambda x: x.reply(HTML, kind="text/html"),
    "empty content": lambda x: x.reply(completion("", x.model)),
    "empty body": lambda x: x.reply(b""),
    "cut chunks": lambda x: x.chunked(cut=True),
    "wrong content type": lambda x: x.answer(kind="text/plain"),
    "changed model": lambda x: x.answer(model="someone-else"),
    "chunks": lambda x: x.chunked(cut=False),
}
"""Ways of treating a request; the last three do give the answer."""

STALLS = ("stall", "stall in body")


class RudeServer:
    """The server's memory: how often each request has come, how it was treated, and the log."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.seed: int = options.seed
        self.kinds = [kind for kind in RUDE if kind not in (STALLS if options.no_stalls else ())]
        self.log = os.open(options.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.came: Counter[str] = Counter()
        self.in_row: Counter[str] = Counter()
        self.number = self.rude = 0

    def note(self, **entry: object) -> None:
        """One line in the log, complete at once."""
        os.write(self.log, (json.dumps({"time": time.monotonic(), **entry}) + "\n").encode())

    def treatment(self, name: str) -> str:
        """What is done to this request: ``answer`` or one of `RUDE`, each in its turn."""
        self.came[name] += 1
        rude = digest(self.seed, name, self.came[name]) < self.options.share * 2**32
        if not rude or self.in_row[name] >= ROW:
            self.in_row[name] = 0
            return "answer"
        self.in_row[name] += 1
        self.rude += 1
        return self.kinds[(self.rude + self.seed) % len(self.kinds)]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, request after request."""
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while not writer.is_closing():
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                length = re.search(r"content-length: *(\d+)", head)
                data = await reader.readexactly(int(length[1]) if length else 0)
                await self.exchange(writer, data)
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    async def exchange(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        """One request, logged as it comes and when it is done with."""
        body = json.loads(data)
        self.number += 1
        number, name = self.number, name_of(body)
        done = self.treatment(name)
        self.note(n=number, event="came", name=name, digest=hashlib.sha256(data).hexdigest(), done=done)
        exchange = Exchange(writer, reply_to(body, self.options.pad), body["model"], self.options.stall)
        try:
            await asyncio.sleep(self.options.delay)
            await (RUDE[done](exchange) if done != "answer" else exchange.answer())
        finally:
            self.note(n=number, event="done", name=name, done=done, whole=exchange.whole)


async def main() -> None:
    """Serve on a free port of the loopback until standard input ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", required=True, help="JSON lines: what came, and what was done to it")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--share", type=float, default=0.0, help="of requests that are treated rudely")
    parser.add_argument("--delay", type=float, default=0.02, help="seconds before anything is sent")
    parser.add_argument("--stall", type=float, default=2.0, help="seconds of a stall")
    parser.add_argument("--no-stalls", action="store_true")
    parser.add_argument("--pad", type=int, default=0, help="characters by which answers are longer")
    server = await asyncio.start_server(RudeServer(parser.parse_args()).serve, "127.0.0.1", 0, limit=1 << 20)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)  # connections that are being stalled are nobody's loss


if __name__ == "__main__":
    asyncio.run(main())

"""A server of files and batches for tests: it behaves like the real endpoint, errs where it is told to, keeps a log."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Self

import orjson
from aiohttp import web

from fake_server import completion

Execute = Callable[[dict[str, Any], int], Any]
Trouble = Callable[[str, int], Any]

ORDER = ("validating", "in_progress", "finalizing", "completed")


def plain(body: dict[str, Any], _n: int) -> Any:
    """An answer that names what was asked."""
    return completion(f"answer to {body['messages'][-1]['content']}")


def refusal(message: str, code: str | None = None, param: str | None = None) -> dict[str, Any]:
    """The body of an error."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


class FakeBatchServer:
    """Runs in a thread of its own on a free port of the loopback. A batch goes a state on with every look at it.

    Args:
        execute: (body of a line, number of the execution from 0) -> the reply's body, (status, body), an error as a
            text ("batch_expired"), or None for no line at all.
        trouble: (operation such as ``POST files``, how often it came before) -> None, or what goes wrong:
            (status, body, headers), ``reset`` (unheard), ``silence``, ``lost`` (done, and the reply is lost), ``half``
            (of a file).
        fate: number of the batch from 0 -> the state it ends in, or a list of errors for one that fails.
        page: entries on a page of a listing.
        max_bytes, max_requests: of an input file.
        absent: operations that do not exist.
        moved: whether the content of a file lies elsewhere.
        keeps_metadata: whether metadata are listed.
    """

    def __init__(
        self,
        execute: Execute = plain,
        *,
        trouble: Trouble = lambda operation, n: None,
        fate: Callable[[int], Any] = lambda number: "completed",
        page: int = 2,
        max_bytes: int = 200_000_000,
        max_requests: int = 50_000,
        absent: Iterable[str] = (),
        moved: bool = False,
        keeps_metadata: bool = True,
    ) -> None:
        self.execute, self.trouble, self.fate, self.page = execute, trouble, fate, page
        self.max_bytes, self.max_requests, self.absent = max_bytes, max_requests, frozenset(absent)
        self.moved, self.keeps_metadata = moved, keeps_metadata
        self.files: dict[str, dict[str, Any]] = {}
        self.content: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.executed: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.log: list[str] = []
        self.headers: list[dict[str, str]] = []
        self._made = 0
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(10)

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    def inputs(self) -> list[list[dict[str, Any]]]:
        """The lines of each batch's input file, in the order of creation, as long as the files are there."""
        return [
            [orjson.loads(line) for line in self.content[batch["input_file_id"]].splitlines()]
            for batch in self.batches.values()
            if batch["input_file_id"] in self.content
        ]

    # -- serving -----------------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        self._loop.run_until_complete(self._main())
        self._loop.close()

    async def _main(self) -> None:
        self._end = asyncio.Event()
        application = web.Application(client_max_size=300 << 20)
        for method, path, operation, handler in (
            ("POST", "/v1/files", "POST files", self._upload),
            ("GET", "/v1/files", "GET files", self._list_files),
            ("GET", "/v1/files/{id}/content", "GET content", self._content),
            ("DELETE", "/v1/files/{id}", "DELETE file", self._delete),
            ("POST", "/v1/batches", "POST batches", self._create),
            ("GET", "/v1/batches", "GET batches", self._list_batches),
            ("GET", "/v1/batches/{id}", "GET batch", self._look),
            ("POST", "/v1/batches/{id}/cancel", "POST cancel", self._cancel),
            ("GET", "/elsewhere/{id}", "GET elsewhere", self._content),
        ):
            application.router.add_route(method, path, self._handler(operation, handler))
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port = runner.addresses[0][1]
        self._ready.set()
        await self._end.wait()
        await runner.cleanup()

    def _handler(self, operation: str, handler: Any) -> Any:
        async def handle(request: web.Request) -> web.StreamResponse:
            came = self.log.count(operation)
            self.log.append(operation)
            self.headers.append(dict(request.headers))
            if operation in self.absent:
                return _json(refusal("Not Found"), 404)
            wrong = self.trouble(operation, came)
            if isinstance(wrong, tuple):
                await request.read()
                return _json(wrong[1], wrong[0], wrong[2] if len(wrong) > 2 else {})
            if wrong == "silence":
                await self._end.wait()
            if wrong == "reset":
                return self._hang_up(request)
            if wrong == "half":
                return await self._half(request)
            reply: web.StreamResponse = await handler(request)
            return self._hang_up(request) if wrong == "lost" else reply

        return handle

    def _hang_up(self, request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    async def _half(self, request: web.Request) -> web.StreamResponse:
        data = self.content[request.match_info["id"]]
        reply = web.StreamResponse(headers={"content-length": str(len(data))})
        await reply.prepare(request)
        await reply.write(data[: len(data) // 2])
        return self._hang_up(request)

    def _new(self, kind: str) -> str:
        self._made += 1
        return f"{kind}-{self._made}"

    def _put(self, data: bytes, filename: str, purpose: str) -> str:
        name = self._new("file")
        self.content[name] = data
        self.files[name] = {
            "id": name,
            "object": "file",
            "bytes": len(data),
            "created_at": 1_700_000_000 + self._made,
            "filename": filename,
            "purpose": purpose,
        }
        return name

    # -- files -------------------------------------------------------------------------------------------------------

    async def _upload(self, request: web.Request) -> web.StreamResponse:
        form = await request.post()
        file = form["file"]
        assert isinstance(file, web.FileField)
        assert form["purpose"] == "batch"
        data = file.file.read()
        if len(data) > self.max_bytes:
            return _json(refusal(f"File is too large: the limit is {self.max_bytes} bytes"), 400)
        return _json(self.files[self._put(data, file.filename, "batch")])

    async def _list_files(self, request: web.Request) -> web.StreamResponse:
        purpose = request.query.get("purpose")
        return self._page(request, [file for file in self.files.values() if file["purpose"] == purpose])

    async def _content(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["id"]
        if name not in self.content:
            return _json(refusal(f"No such File object: {name}"), 404)
        if self.moved and "/elsewhere/" not in request.path:
            place = f"http://localhost:{self.port}/elsewhere/{name}?signature=x"
            return web.Response(status=302, headers={"location": place})
        return web.Response(body=self.content[name], content_type="application/jsonl")

    async def _delete(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["id"]
        if self.files.pop(name, None) is None:
            return _json(refusal(f"No such File object: {name}"), 404)
        del self.content[name]
        return _json({"id": name, "object": "file", "deleted": True})

    # -- batches -----------------------------------------------------------------------------------------------------

    async def _create(self, request: web.Request) -> web.StreamResponse:
        body = orjson.loads(await request.read())
        if body["input_file_id"] not in self.files:
            return _json(refusal(f"No such File object: {body['input_file_id']}", param="input_file_id"), 400)
        if body["completion_window"] != "24h" or body["endpoint"] != "/v1/chat/completions":
            return _json(refusal("Invalid value"), 400)
        name = self._new("batch")
        counts = {"total": 0, "completed": 0, "failed": 0}
        self.batches[name] = {
            "id": name,
            "object": "batch",
            "status": "validating",
            "errors": None,
            "output_file_id": None,
            "error_file_id": None,
            "created_at": 1_700_000_000 + self._made,
            "request_counts": counts,
            "number": len(self.batches),
            **body,
        }
        return _json(self._shown(name))

    async def _list_batches(self, request: web.Request) -> web.StreamResponse:
        return self._page(request, [self._shown(name) for name in self.batches])

    async def _look(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["id"]
        if name not in self.batches:
            return _json(refusal(f"No batch found with id '{name}'"), 404)
        self._go_on(self.batches[name])
        return _json(self._shown(name))

    async def _cancel(self, request: web.Request) -> web.StreamResponse:
        batch = self.batches[request.match_info["id"]]
        if batch["status"] in ("validating", "in_progress"):
            batch["status"] = "cancelling"
        return _json(self._shown(batch["id"]))

    def _go_on(self, batch: dict[str, Any]) -> None:
        status = batch["status"]
        if status == "validating" and (errors := self._faults(batch)):
            batch["status"], batch["errors"] = "failed", {"object": "list", "data": errors}
        elif status == "cancelling":
            batch["status"] = "cancelled"
        elif status in ORDER[:2]:
            batch["status"] = ORDER[ORDER.index(status) + 1]
            if batch["status"] == "finalizing":
                self._run(batch)
        elif status == "finalizing":
            batch["status"] = self.fate(batch["number"])

    def _faults(self, batch: dict[str, Any]) -> list[dict[str, Any]]:
        fate = self.fate(batch["number"])
        lines = self.content[batch["input_file_id"]].splitlines()
        batch["request_counts"]["total"] = len(lines)
        if isinstance(fate, list):
            return fate
        if len(lines) > self.max_requests:
            return [{"code": "too_many_tasks", "message": f"at most {self.max_requests} requests", "line": None}]
        seen: set[str] = set()
        errors = []
        for number, line in enumerate(lines, 1):
            try:
                name = orjson.loads(line)["custom_id"]
            except (orjson.JSONDecodeError, KeyError):
                errors.append({"code": "invalid_json_line", "message": "no JSON", "line": number})
                continue
            if name in seen:
                errors.append({"code": "duplicate_custom_id", "message": name, "line": number})
            seen.add(name)
        return errors

    def _run(self, batch: dict[str, Any]) -> None:
        output: list[bytes] = []
        errors: list[bytes] = []
        counts = batch["request_counts"]
        lines = [orjson.loads(line) for line in self.content[batch["input_file_id"]].splitlines()]
        for line in reversed(lines):  # another order than the input's
            assert line["method"] == "POST"
            assert line["url"] == "/v1/chat/completions"
            name = line["custom_id"]
            result = self.execute(line["body"], len(self.bodies))
            self.bodies.append(line["body"])
            if result is None:
                continue
            reply: dict[str, Any] = {"id": self._new("batch_req"), "custom_id": name, "response": None, "error": None}
            if isinstance(result, str):
                reply["error"] = {"code": result, "message": "This request was not executed."}
            else:
                self.executed[name] += 1
                status, body = result if isinstance(result, tuple) else (200, result)
                reply["response"] = {"status_code": status, "request_id": self._new("req"), "body": body}
            good = reply["error"] is None and reply["response"]["status_code"] == 200
            counts["completed" if good else "failed"] += 1
            (output if good else errors).append(orjson.dumps(reply) + b"\n")
        for kind, replies in (("output", output), ("error", errors)):
            if replies:
                batch[f"{kind}_file_id"] = self._put(b"".join(replies), f"{batch['id']}_{kind}.jsonl", "batch_output")

    def _shown(self, name: str) -> dict[str, Any]:
        batch = self.batches[name]
        done = batch["status"] in ("completed", "expired", "cancelled")
        hidden = {} if done else {"output_file_id": None, "error_file_id": None}
        if not self.keeps_metadata:
            hidden["metadata"] = None
        return {**batch, **hidden}

    def _page(self, request: web.Request, entries: list[dict[str, Any]]) -> web.StreamResponse:
        entries = entries[::-1]  # the newest first
        after = request.query.get("after")
        if after:
            entries = entries[[entry["id"] for entry in entries].index(after) + 1 :]
        shown = entries[: min(self.page, int(request.query.get("limit", "20")))]
        body = {"object": "list", "data": shown, "has_more": len(shown) < len(entries)}
        if shown:
            body |= {"first_id": shown[0]["id"], "last_id": shown[-1]["id"]}
        return _json(body)


def _json(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    data = body if isinstance(body, bytes) else orjson.dumps(body)
    return web.Response(status=status, body=data, headers={"content-type": "application/json", **(headers or {})})

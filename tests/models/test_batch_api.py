"""The endpoints for files and batches, against servers that say what servers say."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from fake_batch_server import FakeBatchServer, refusal
from snellen.errors import LedgerError, ModelError
from snellen.model_spec import ModelSpec
from snellen.models._batch_api import BatchApi, Problem, RemoteBatch, _batch

T = TypeVar("T")


def call(server: FakeBatchServer, work: Callable[[BatchApi], Awaitable[T]], **spec: Any) -> T:
    async def run() -> T:
        api = BatchApi(ModelSpec("m", base_url=server.url, **spec))
        try:
            return await work(api)
        finally:
            await api.close()

    with server:
        return asyncio.run(run())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "input.jsonl"
    path.write_bytes(b'{"custom_id": "1", "method": "POST", "url": "/v1/chat/completions", "body": {}}\n')
    return path


def test_the_way_of_a_batch(file: Path, tmp_path: Path) -> None:
    async def work(api: BatchApi) -> list[str]:
        name = await api.upload(file, "snellen-x.jsonl")
        batch = await api.create(name, "x", "24h")
        assert batch.status == "validating"
        states = [batch.status]
        while not batch.finished:
            batch = await api.get(batch.id)
            states.append(batch.status)
        assert (batch.total, batch.completed, batch.failed) == (1, 1, 0)
        assert batch.error_file_id == ""
        await api.download(batch.output_file_id, tmp_path / "output.jsonl")
        await api.delete_file(name)
        return states

    server = FakeBatchServer(lambda body, n: {"choices": []})
    assert call(server, work) == ["validating", "in_progress", "finalizing", "completed"]
    assert (tmp_path / "output.jsonl").read_bytes().startswith(b'{"id":')
    assert {path.name for path in tmp_path.iterdir()} == {"input.jsonl", "output.jsonl"}
    assert len(server.files) == 1


def test_files_and_batches_are_found_on_later_pages(file: Path) -> None:
    async def work(api: BatchApi) -> None:
        files = [await api.upload(file, f"snellen-{n}.jsonl") for n in range(5)]
        batches = [await api.create(name, f"token {n}", "24h") for n, name in enumerate(files)]
        size = file.stat().st_size
        assert await api.find_file("snellen-0.jsonl", size) == files[0]
        assert await api.find_file("snellen-0.jsonl", size + 1) == ""  # another file of that name
        assert await api.find_file("other.jsonl", size) == ""
        found = await api.find("token 0", files[0])
        assert found is not None
        assert found.id == batches[0].id
        assert await api.find("token 7", "file-7") is None

    server = FakeBatchServer(page=2)
    call(server, work)
    assert server.log.count("GET batches") == 6


def test_a_listing_that_goes_in_circles_ends(file: Path) -> None:
    circle = {"data": [{"id": "batch-1"}], "has_more": True, "last_id": "batch-1"}
    server = FakeBatchServer(trouble=lambda operation, n: (200, circle, {}))
    assert call(server, lambda api: api.find("x", "y")) is None
    assert server.log == ["GET batches"] * 2


def test_a_batch_that_is_cancelled_stays_so(file: Path) -> None:
    async def work(api: BatchApi) -> list[str]:
        batch = await api.create(await api.upload(file, "a"), "x", "24h")
        return [(await api.cancel(batch.id)).status, (await api.get(batch.id)).status]

    assert call(FakeBatchServer(), work) == ["cancelling", "cancelled"]


@pytest.mark.parametrize(
    ("status", "body", "headers", "kind", "retry", "wish"),
    [
        (401, refusal("no such key: secret"), {}, "authentication", False, None),
        (403, refusal("not yours"), {}, "authentication", False, None),
        (404, refusal("no such thing"), {}, "not_found", False, None),
        (405, b"Method Not Allowed", {}, "not_found", False, None),
        (302, b"", {"location": "/login"}, "not_found", False, None),
        (400, refusal("bad"), {}, "bad_request", False, None),
        (413, b"<html>too large</html>", {}, "bad_request", False, None),
        (429, refusal("slow down"), {"retry-after": "9"}, "rate_limit", True, 9.0),
        (429, refusal("pay first", code="insufficient_quota"), {}, "rate_limit", False, None),
        (500, b"", {}, "server", True, None),
        (503, b"<html>busy</html>", {"retry-after": "2"}, "server", True, 2.0),
        (200, b"<html>hello</html>", {}, "malformed", True, None),
        (200, b"[]", {}, "malformed", True, None),
        (200, {"status": "completed"}, {}, "malformed", True, None),
        (200, {"id": "../files"}, {}, "malformed", True, None),
    ],
)
def test_errors_are_told_apart(
    status: int,
    body: Any,
    headers: dict[str, str],
    kind: str,
    retry: bool,
    wish: float | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("A_KEY", "secret")
    server = FakeBatchServer(trouble=lambda operation, n: (status, body, headers))
    with pytest.raises(ModelError) as caught:
        call(server, lambda api: api.get("batch-1"), key_variable="A_KEY")
    assert (caught.value.kind, caught.value.retry, caught.value.retry_after) == (kind, retry, wish)
    assert "secret" not in str(caught.value)
    assert server.headers[0]["Authorization"] == "Bearer secret"


def test_silence_ends_after_the_time_out() -> None:
    server = FakeBatchServer(trouble=lambda operation, n: "silence")
    with pytest.raises(ModelError, match=r"silence of 0\.05 s") as caught:
        call(server, lambda api: api.get("batch-1"), timeout=0.05)
    assert caught.value.kind == "timeout"
    assert caught.value.retry


def test_a_download_is_whole_or_not_there(file: Path, tmp_path: Path) -> None:
    async def work(api: BatchApi) -> None:
        await api.download(await api.upload(file, "a"), tmp_path / "output.jsonl")

    with pytest.raises(ModelError) as caught:
        call(FakeBatchServer(trouble=lambda operation, n: "half" if operation == "GET content" else None), work)
    assert caught.value.retry
    assert not (tmp_path / "output.jsonl").exists()


def test_redirections_in_circles_end(tmp_path: Path) -> None:
    server = FakeBatchServer(trouble=lambda operation, n: (302, b"", {"location": "/v1/files/f/content"}))
    with pytest.raises(ModelError, match="more than 4 redirections"):
        call(server, lambda api: api.download("f", tmp_path / "output.jsonl"))


def test_a_disk_that_cannot_be_written_is_named(file: Path, tmp_path: Path) -> None:
    async def work(api: BatchApi) -> None:
        await api.download(await api.upload(file, "a"), tmp_path / "missing" / "output.jsonl")
        (tmp_path / "file").write_bytes(b"")
        await api.download(await api.upload(file, "b"), tmp_path / "file" / "output.jsonl")

    with pytest.raises(LedgerError, match=r"file(/output\.jsonl\.part)?: (Not a directory|File exists)"):
        call(FakeBatchServer(), work)
    assert (tmp_path / "missing" / "output.jsonl").exists()  # a folder that was deleted is made again
    with pytest.raises(LedgerError, match=r"gone\.jsonl: No such file"):
        call(FakeBatchServer(), lambda api: api.upload(tmp_path / "gone.jsonl", "a"))


@pytest.mark.parametrize(
    ("value", "batch"),
    [
        ({"id": "b", "status": "COMPLETED"}, RemoteBatch("b", "completed")),
        ({"id": "b", "status": "canceled"}, RemoteBatch("b", "cancelled")),
        ({"id": "b"}, RemoteBatch("b", "")),
        ({"id": "b", "status": None, "request_counts": {"total": -1, "completed": "7"}}, RemoteBatch("b", "")),
        ({"id": "b", "status": "failed", "errors": "no"}, RemoteBatch("b", "failed", problems=(Problem("", "no"),))),
        (
            {
                "id": "b",
                "status": "failed",
                "errors": {"data": [{"code": "c", "message": "m", "line": 3}, "text", None]},
            },
            RemoteBatch("b", "failed", problems=(Problem("c", "m", 3), Problem("", "text"))),
        ),
        (
            {"id": "b", "status": "failed", "errors": [{"line": True, "message": None}, {"line": -2}]},
            RemoteBatch("b", "failed", problems=(Problem("", ""), Problem("", ""))),
        ),
    ],
)
def test_what_other_servers_say(value: dict[str, Any], batch: RemoteBatch) -> None:
    assert _batch(value) == batch
    assert batch.finished == (batch.status in ("completed", "cancelled", "failed"))

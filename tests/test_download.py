"""Pinned downloads, against a local server that misbehaves on demand."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

import pytest

from snellen.download import PinnedFile, fetch, missing
from snellen.errors import DataError, UsageError

GOOD = {
    "data/rows.json": b'{"a": 1}',
    "images/1.jpg": bytes(range(256)) * 900,
    "images/图 2.jpg": b"two" * 40_000,
}
PINNED = {name: PinnedFile(len(body), hashlib.sha256(body).hexdigest()) for name, body in GOOD.items()}


class Server:
    """Serves `files`; `faults` maps a name to what happens at its first, second, ... request (then all is well)."""

    def __init__(self) -> None:
        self.files = dict(GOOD)
        self.faults: dict[str, list[str]] = {}
        self.asked: Counter[str] = Counter()
        self.ranges: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/base/"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        name = unquote(handler.path).removeprefix("/base/")
        self.asked[name] += 1
        faults = self.faults.get(name, [])
        fault = faults.pop(0) if faults else ""
        body = self.files.get(name)
        if body is None:
            fault = fault or "404"
        if fault.isdigit():
            handler.send_error(int(fault))
            return
        assert body is not None
        start = 0
        if (wanted := handler.headers.get("Range")) and fault != "no ranges":
            self.ranges.append(wanted)
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= len(body):
                handler.send_error(416)
                return
            handler.send_response(206)
        else:
            handler.send_response(200)
        handler.send_header("Content-Length", str(len(body) - start))
        handler.end_headers()
        handler.wfile.write(body[start : len(body) // 2] if fault == "cut" else body[start:])


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.http.shutdown()
    thread.join()
    server.http.server_close()


def get(server: Server, folder: Path, **options: object) -> None:
    fetch(PINNED, server.url, folder, advice="Use --data.", pauses=(0.0, 0.0), **options)  # type: ignore[arg-type]


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.name[0] != "."}


def test_all_files_arrive_whole_and_progress_is_told(server: Server, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    get(server, tmp_path, progress=lambda done, all_: told.append((done, all_)))
    assert {name: (tmp_path / name).read_bytes() for name in GOOD} == GOOD
    assert names(tmp_path) == set(GOOD)
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_a_complete_folder_is_not_asked_for_again(server: Server, tmp_path: Path) -> None:
    get(server, tmp_path)
    before = server.asked.total()
    get(server, tmp_path)
    fetch(PINNED, "http://127.0.0.1:9/nobody-listens", tmp_path)
    assert server.asked.total() == before


def test_only_what_is_missing_or_wrong_is_fetched(server: Server, tmp_path: Path) -> None:
    get(server, tmp_path)
    (tmp_path / "images/1.jpg").write_bytes(b"changed")
    (tmp_path / "data/rows.json").write_bytes(b'{"a": 2}')  # the same size
    assert missing(PINNED, tmp_path) == ("data/rows.json", "images/1.jpg")
    get(server, tmp_path)
    assert missing(PINNED, tmp_path) == ()
    assert server.asked == {"data/rows.json": 2, "images/1.jpg": 2, "images/图 2.jpg": 1}


def test_a_broken_transfer_goes_on_where_it_stopped(server: Server, tmp_path: Path) -> None:
    server.faults["images/1.jpg"] = ["cut"]
    get(server, tmp_path)
    assert (tmp_path / "images/1.jpg").read_bytes() == GOOD["images/1.jpg"]
    assert server.ranges == [f"bytes={len(GOOD['images/1.jpg']) // 2}-"]


def test_a_server_without_ranges_sends_all_again(server: Server, tmp_path: Path) -> None:
    server.faults["images/1.jpg"] = ["cut", "no ranges"]
    get(server, tmp_path)
    assert (tmp_path / "images/1.jpg").read_bytes() == GOOD["images/1.jpg"]


def test_a_partial_file_of_another_version_is_dropped(server: Server, tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images/1.jpg.part").write_bytes(b"of something else")
    (tmp_path / "images/图 2.jpg.part").write_bytes(b"x" * 500_000)  # longer than the file is
    get(server, tmp_path)
    assert missing(PINNED, tmp_path) == ()
    assert names(tmp_path) == set(GOOD)


def test_a_whole_partial_file_is_accepted_without_a_request(server: Server, tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images/1.jpg.part").write_bytes(GOOD["images/1.jpg"])
    get(server, tmp_path)
    assert "images/1.jpg" not in server.asked
    assert missing(PINNED, tmp_path) == ()


@pytest.mark.parametrize("status", ["500", "503", "429"])
def test_a_passing_failure_is_tried_again(server: Server, tmp_path: Path, status: str) -> None:
    server.faults["data/rows.json"] = [status, status]
    get(server, tmp_path)
    assert server.asked["data/rows.json"] == 3
    assert missing(PINNED, tmp_path) == ()


def test_a_lasting_failure_is_an_error_and_the_rest_is_kept(server: Server, tmp_path: Path) -> None:
    server.faults["images/图 2.jpg"] = ["500"] * 9
    with pytest.raises(DataError, match=r"HTTP 500 .*Use --data\. \(file http://.*images/%E5%9B%BE%202\.jpg\)"):
        get(server, tmp_path, workers=1)
    assert server.asked["images/图 2.jpg"] == 3
    assert missing(PINNED, tmp_path) == ("images/图 2.jpg",)
    server.faults.clear()
    get(server, tmp_path)
    assert server.asked["images/1.jpg"] == 1


def test_a_file_that_is_not_there_is_asked_for_once(server: Server, tmp_path: Path) -> None:
    del server.files["data/rows.json"]
    with pytest.raises(DataError, match=r"HTTP 404 Not Found\. Use --data\."):
        get(server, tmp_path, workers=1)
    assert server.asked == {"data/rows.json": 1}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b'{"a": 2}', "got 8 bytes with"),
        (b"{", "got 1 bytes with"),
        (b'{"a": 1}' + b" " * 1_000_000, "got more with"),
        (b"<!DOCTYPE html><title>Sign in</title>", "it is a web page"),
        (b"version https://git-lfs.github.com/spec/v1\n", "it is a Git LFS pointer"),
    ],
)
def test_other_bytes_are_refused_and_not_kept(server: Server, tmp_path: Path, body: bytes, says: str) -> None:
    server.files["data/rows.json"] = body
    with pytest.raises(DataError) as caught:
        get(server, tmp_path, workers=1)
    assert says in str(caught.value)
    assert f"expected 8 bytes with SHA-256 {PINNED['data/rows.json'].sha256}" in str(caught.value)
    assert not names(tmp_path)


def test_no_connection_says_so_with_advice(tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as http:
        port = http.server_address[1]
    with pytest.raises(DataError, match=rf"refused.*Use --data\. \(file http://127\.0\.0\.1:{port}/"):
        fetch(PINNED, f"http://127.0.0.1:{port}", tmp_path, advice="Use --data.", pauses=(0.0,))


def test_two_downloads_into_one_folder_do_the_work_once(server: Server, tmp_path: Path) -> None:
    threads = [threading.Thread(target=get, args=(server, tmp_path)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert missing(PINNED, tmp_path) == ()
    assert server.asked == dict.fromkeys(GOOD, 1)


def test_a_folder_that_cannot_be_made_is_an_error(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(DataError, match="cannot write to the download folder"):
        get(server, tmp_path / "file" / "folder")


@pytest.mark.parametrize("url", ["file:///etc", "ftp://example.org", "example.org/data", ""])
def test_only_http_addresses_are_taken(tmp_path: Path, url: str) -> None:
    with pytest.raises(UsageError, match="http:// or https://"):
        fetch(PINNED, url, tmp_path)


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "", "C:/x", "a\\..\\x"])
def test_a_listed_name_never_leaves_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="stay in its folder"):
        fetch({name: PinnedFile(1, "0" * 64)}, "http://127.0.0.1:9", tmp_path)

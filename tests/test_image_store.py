"""The store of original images: content-addressed, atomic, safe among processes."""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import sys
from io import BufferedReader, FileIO
from pathlib import Path

import pytest

import snellen.image_store
from snellen.errors import ImageError, LedgerError, UsageError
from snellen.images import ImageStore

BYTES = b"\xff\xd8\xff" + bytes(range(256)) * 30
DIGEST = hashlib.sha256(BYTES).hexdigest()


def fails(kind: str, store: ImageStore, path: Path) -> ImageError:
    with pytest.raises(ImageError) as caught:
        store.take(path)
    assert caught.value.kind == kind, caught.value
    assert str(path) in str(caught.value)
    return caught.value


@pytest.fixture
def store(tmp_path: Path) -> ImageStore:
    return ImageStore(tmp_path / "workspace" / "images")


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "图 1.jpg"
    path.write_bytes(BYTES)
    return path


def files(store: ImageStore) -> list[Path]:
    return sorted(path for path in store.root.rglob("*") if path.is_file())


def test_what_is_put_can_be_got(store: ImageStore) -> None:
    assert DIGEST not in store
    assert store.size() == 0
    assert store.put(BYTES) == DIGEST
    assert DIGEST in store
    assert store.path(DIGEST) == store.root / DIGEST[:2] / DIGEST
    assert store.get(DIGEST) == BYTES
    assert store.size() == len(BYTES)
    assert files(store) == [store.path(DIGEST)]  # no temporary is left


def test_bytes_and_files_are_the_same(store: ImageStore, picture: Path) -> None:
    assert (store.put(BYTES), BYTES) == store.take(picture)
    assert len(files(store)) == 1
    assert store.get(store.put(b"")) == b""  # whether it is an image is said when it is to be sent


def test_what_is_there_is_not_written_again(store: ImageStore, picture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.put(BYTES)
    os.utime(store.path(DIGEST), (1, 1))

    def refuse(*_: object) -> str:
        raise AssertionError("written again")

    monkeypatch.setattr(ImageStore, "_write", refuse)
    assert store.take(picture)[0] == store.put(BYTES) == DIGEST
    assert store.path(DIGEST).stat().st_mtime == 1


def test_links_are_followed(store: ImageStore, picture: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.jpg"
    link.symlink_to(picture)
    assert store.take(link) == (DIGEST, BYTES)
    assert not store.path(DIGEST).is_symlink()


def test_missing_files(store: ImageStore, picture: Path, tmp_path: Path) -> None:
    fails("missing", store, tmp_path / "nowhere" / "2.jpg")
    fails("missing", store, picture / "2.jpg")
    dangling = tmp_path / "dangling.jpg"
    dangling.symlink_to(tmp_path / "gone.jpg")
    fails("missing", store, dangling)


def test_folders_pipes_and_devices(store: ImageStore, tmp_path: Path) -> None:
    fails("not_an_image", store, tmp_path)
    pipe = tmp_path / "pipe.jpg"
    os.mkfifo(pipe)
    fails("not_an_image", store, pipe)  # and does not wait for a writer
    fails("not_an_image", store, Path("/dev/null"))
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        fails("not_an_image", store, tmp_path / "s")


def test_a_pipe_that_takes_the_place_of_a_file(
    store: ImageStore, picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe.jpg"
    os.mkfifo(pipe)
    regular = picture.stat()
    monkeypatch.setattr(Path, "stat", lambda self, **_: regular)
    fails("not_an_image", store, pipe)


def test_files_beyond_the_limit(store: ImageStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "sparse.png"
    with path.open("wb") as file:
        file.truncate((1 << 30) + 1)
    fails("too_large", store, path)
    monkeypatch.setattr(snellen.image_store, "MOST_BYTES", 10)
    with pytest.raises(ImageError, match="11 bytes"):
        store.put(bytes(11))


def test_files_that_may_not_be_read(store: ImageStore, picture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)  # root may read whatever its mode says
    assert "Permission denied" in str(fails("broken", store, picture))


class SpoiltReader(BufferedReader):
    """Of a disk that is spoilt."""

    def read(self, size: int | None = -1, /) -> bytes:
        raise OSError(5, "Input/output error")


def test_read_errors_are_not_taken_for_a_full_disk(
    store: ImageStore, picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snellen.image_store, "_open_file", lambda path: SpoiltReader(FileIO(path)))
    assert "Input/output error" in str(fails("broken", store, picture))
    assert files(store) == []


def test_odd_paths(store: ImageStore) -> None:
    fails("broken", store, Path("a\0b.jpg"))
    fails("broken", store, Path("x" * 5000))


def test_a_workspace_that_cannot_be_written(tmp_path: Path, picture: Path) -> None:
    with pytest.raises(LedgerError, match="cannot be written"):
        ImageStore(picture / "images").put(BYTES)  # a file stands where the folder should be


def test_a_full_disk_leaves_nothing_behind(store: ImageStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(LedgerError, match="No space left"):
        store.put(BYTES)
    assert files(store) == []
    assert DIGEST not in store


def test_a_damaged_copy_is_told_set_aside_and_put_back(store: ImageStore) -> None:
    store.put(BYTES)
    store.path(DIGEST).write_bytes(BYTES[:-1] + b"?")
    with pytest.raises(ImageError, match="damaged") as caught:
        store.get(DIGEST)
    assert caught.value.kind == "broken"
    assert DIGEST not in store
    store.put(BYTES)
    assert store.get(DIGEST) == BYTES


def test_an_empty_copy_left_by_a_power_cut_is_replaced(store: ImageStore) -> None:
    store.put(BYTES)
    store.path(DIGEST).write_bytes(b"")
    store.put(BYTES)
    assert store.get(DIGEST) == BYTES


def test_a_lost_copy(store: ImageStore) -> None:
    with pytest.raises(ImageError, match="no longer in the workspace") as caught:
        store.get(DIGEST)
    assert caught.value.kind == "missing"


@pytest.mark.parametrize("bad", ["", "abc", DIGEST.upper(), DIGEST[:-1] + "g", f"../{DIGEST[3:]}", DIGEST + "\n"])
def test_only_digests_are_taken(store: ImageStore, bad: str) -> None:
    assert bad not in store
    for call in (store.path, store.get):
        with pytest.raises(UsageError, match="not a SHA-256"):
            call(bad)


def test_contains_takes_anything(store: ImageStore) -> None:
    assert 5 not in store
    assert None not in store


PUT_MANY = """
import sys
from pathlib import Path
from snellen.images import ImageStore
store = ImageStore(Path(sys.argv[1]))
print(*(store.put(bytes([n]) * 5000) for n in range(40)))
"""


def test_many_processes_at_once(store: ImageStore) -> None:
    command = [sys.executable, "-c", PUT_MANY, str(store.root)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    digests = [process.communicate(timeout=60)[0].split() for process in started]
    assert len(digests[0]) == 40
    assert all(d == digests[0] for d in digests)
    assert len(files(store)) == 40
    assert [store.get(d) for d in digests[0]] == [bytes([n]) * 5000 for n in range(40)]


def test_taking_keeps_a_file_and_gives_its_bytes(store: ImageStore, picture: Path) -> None:
    assert store.take(picture) == (DIGEST, BYTES)
    assert store.get(DIGEST) == BYTES
    assert files(store) == [store.path(DIGEST)]
    os.utime(store.path(DIGEST), (1, 1))
    assert store.take(picture) == (DIGEST, BYTES)
    assert store.path(DIGEST).stat().st_mtime == 1  # not written again


@pytest.mark.parametrize("damaged", [BYTES[:-1] + b"?", BYTES[:10], b""])
def test_taking_replaces_a_damaged_copy(store: ImageStore, picture: Path, damaged: bytes) -> None:
    store.put(BYTES)
    store.path(DIGEST).write_bytes(damaged)
    assert store.take(picture) == (DIGEST, BYTES)
    assert store.get(DIGEST) == BYTES


def test_what_cannot_be_taken(store: ImageStore, tmp_path: Path, picture: Path) -> None:
    pipe = tmp_path / "pipe.jpg"
    os.mkfifo(pipe)
    for kind, path in (("missing", tmp_path / "2.jpg"), ("not_an_image", tmp_path), ("not_an_image", pipe)):
        with pytest.raises(ImageError) as caught:
            store.take(path)
        assert caught.value.kind == kind
    with pytest.raises(ImageError, match="cannot be read"):
        store.take(Path("a\0b.jpg"))
    with pytest.raises(LedgerError, match="--workspace"):
        ImageStore(picture / "images").take(picture)
    assert files(store) == []


def test_a_copy_that_is_interrupted_leaves_nothing_behind(
    store: ImageStore, picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(self: Path, target: Path) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        store.take(picture)
    assert files(store) == []

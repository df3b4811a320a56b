"""Pinned downloads: a list of files with sizes and SHA-256, fetched from one base URL into one folder.

    files = {"images/2.jpg": PinnedFile(size=56412, sha256="9f2c...")}
    fetch(files, "https://example.org/data/", folder)

What is in the folder afterwards is what the list says, or `DataError` has said what is not and what to do. A file
appears under its own name only when it is whole and its digest is right, so a killed download leaves nothing that looks
finished; what had arrived stays in a ``.part`` file and is continued. Two processes may fetch into one folder at the
same time: the second waits for the first. A complete folder needs neither network nor permission to write.
"""

from __future__ import annotations

import errno
import hashlib
import threading
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from snellen.errors import DataError, UsageError

Progress = Callable[[int, int], None]
"""Called with (files done, files in all) from the thread that called `fetch`."""

_BLOCK = 1 << 16
_AGAIN = frozenset((408, 425, 429, 500, 502, 503, 504))
"""HTTP statuses after which the same request may well succeed."""


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """What a file must be: its size in bytes and the lower-case hex SHA-256 of its bytes."""

    size: int
    sha256: str


class _TransientError(Exception):
    """A failure that may be gone at the next try; its text goes into the final `DataError` if it is not."""


def sha256_of(path: Path) -> str:
    """Lower-case hex SHA-256 of a file's bytes, read in blocks. Raises `OSError`, for pipes and devices too."""
    if not path.is_file() and path.exists():  # opening a pipe would wait for its other end
        raise OSError(errno.EINVAL, "no ordinary file", str(path))
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def missing(files: Mapping[str, PinnedFile], folder: Path) -> tuple[str, ...]:
    """Names of the files that are not in the folder with the right bytes, in the order of the list."""
    return tuple(name for name, pinned in files.items() if not _is_right(_inside(folder, name), pinned))


def fetch(
    files: Mapping[str, PinnedFile],
    base_url: str,
    folder: Path,
    *,
    advice: str = "",
    progress: Progress | None = None,
    workers: int = 4,
    timeout: float = 30.0,
    pauses: tuple[float, ...] = (0.5, 2.0, 5.0),
) -> None:
    """Make the folder hold every file of the list.

    Args:
        files: name relative to base URL and folder, with ``/`` -> what it must be.
        base_url: http or https; file names are appended to it, percent-encoded. Proxies are taken from the environment.
        folder: made if it does not exist.
        advice: added to every error: what a person can do when the download does not work at all.
        progress: see `Progress`; called once at the start and then after every file.
        workers: files in flight at the same time.
        timeout: seconds without a byte after which a connection counts as dead.
        pauses: seconds to wait before each further try of a file after a transient failure (no connection, broken off,
            408, 425, 429, 5xx). A wrong digest or another status is final.

    Raises:
        DataError: naming the URL, what was expected and what came.
        UsageError: the base URL is not http or https.
    """
    wanted = missing(files, folder)
    if progress is not None:
        progress(len(files) - len(wanted), len(files))
    if not wanted:
        return
    if urllib.parse.urlsplit(base_url).scheme not in ("http", "https"):
        raise UsageError(f"a download address must begin with http:// or https://, not {base_url!r}")
    with _locked(folder, advice):
        wanted = missing(files, folder)  # another process may have been at it while this one waited
        stop = threading.Event()

        def one(name: str) -> None:
            if stop.is_set():
                return
            try:
                url = base_url.rstrip("/") + "/" + urllib.parse.quote(name)
                _fetch_one(url, _inside(folder, name), files[name], advice, timeout, pauses, stop)
            except BaseException:
                stop.set()  # here, not where it is noticed: nobody begins another file in between
                raise

        with ThreadPoolExecutor(max_workers=max(1, workers)) as pool:
            try:
                jobs = [pool.submit(one, name) for name in wanted]
                for done, job in enumerate(as_completed(jobs), start=len(files) - len(wanted) + 1):
                    job.result()
                    if progress is not None and not stop.is_set():
                        progress(done, len(files))
            finally:  # after the first failure, or Ctrl-C, the others need not go on
                stop.set()
                pool.shutdown(wait=True, cancel_futures=True)


def _inside(folder: Path, name: str) -> Path:
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or "\\" in name or ":" in name:
        raise ValueError(f"a pinned file's name must be relative and stay in its folder: {name!r}")
    return folder.joinpath(*parts)


def _is_right(path: Path, pinned: PinnedFile) -> bool:
    try:
        return path.stat().st_size == pinned.size and sha256_of(path) == pinned.sha256
    except OSError:
        return False


@contextmanager
def _locked(folder: Path, advice: str) -> Iterator[None]:
    from filelock import FileLock

    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / ".download.lock")
        lock.acquire()
    except OSError as error:
        raise DataError(_say(f"cannot write to the download folder: {error}", advice), file=str(folder)) from error
    try:
        yield
    finally:
        lock.release()


def _fetch_one(
    url: str,
    path: Path,
    pinned: PinnedFile,
    advice: str,
    timeout: float,
    pauses: tuple[float, ...],
    stop: threading.Event,
) -> None:
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for pause in (*pauses, None):
            try:
                resumed = _transfer(url, part, pinned, advice, timeout, stop)
                if resumed and not _is_right(part, pinned):
                    # The first half may be from another version of the file: once more, from the start.
                    part.unlink(missing_ok=True)
                    _transfer(url, part, pinned, advice, timeout, stop)
                break
            except _TransientError as error:
                if stop.is_set():
                    return
                if pause is None:
                    raise DataError(_say(f"download failed: {error}", advice), file=url) from error
                if stop.wait(pause):
                    return
        _accept(url, part, path, pinned, advice)
    except OSError as error:
        raise DataError(_say(f"cannot write {path}: {error}", advice), file=url) from error


def _transfer(url: str, part: Path, pinned: PinnedFile, advice: str, timeout: float, stop: threading.Event) -> bool:
    """Bring what is still lacking into the part file; returns whether something was there before and was kept."""
    have = part.stat().st_size if part.exists() else 0
    if have >= pinned.size:  # whole but not yet accepted, or of something else
        if _is_right(part, pinned):
            return False
        part.unlink()
        have = 0
    import http.client  # a complete copy is used without these
    import ssl
    import urllib.error
    import urllib.request

    request = urllib.request.Request(url, headers={"User-Agent": "snellen", "Accept-Encoding": "identity"})
    if have:
        request.add_header("Range", f"bytes={have}-")
    try:
        with urllib.request.urlopen(request, timeout=timeout) as response:
            resumed = have > 0 and response.status == 206
            size = have if resumed else 0
            with part.open("ab" if resumed else "wb") as file:
                # One byte more than pinned is enough to know that it is something else: nobody fills the disk.
                while size <= pinned.size and not stop.is_set():
                    block = response.read(_BLOCK)
                    if not block:
                        break
                    file.write(block)
                    size += len(block)
            declared = response.headers.get("Content-Length", "")
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 416:  # the server's file is shorter than what is here: start over
            part.unlink(missing_ok=True)
            raise _TransientError("HTTP 416, the partial file was dropped") from error
        if error.code in _AGAIN:
            raise _TransientError(f"HTTP {error.code} {error.reason}") from error
        what = f"download failed: HTTP {error.code} {error.reason}"
        raise DataError(_say(what, advice), file=url) from error
    except (urllib.error.URLError, http.client.HTTPException, ssl.SSLError, TimeoutError, ConnectionError) as error:
        raise _TransientError(str(getattr(error, "reason", "")) or str(error) or type(error).__name__) from error
    if stop.is_set():
        raise _TransientError("stopped")
    if declared.isdigit() and size - (have if resumed else 0) < int(declared) and size < pinned.size:
        raise _TransientError(f"the connection broke off after {size:,} of {pinned.size:,} bytes")
    return resumed


def _accept(url: str, part: Path, path: Path, pinned: PinnedFile, advice: str) -> None:
    """Give the part its name if it is what was pinned; else drop it and say what it is."""
    size, digest = part.stat().st_size, sha256_of(part)
    if digest == pinned.sha256:
        part.replace(path)
        return
    with part.open("rb") as file:
        start = file.read(64).lstrip().lower()
    part.unlink()
    what = (
        f"the downloaded file is not the pinned one: expected {pinned.size:,} bytes with SHA-256 {pinned.sha256}, "
        f"got {'more' if size > pinned.size else f'{size:,} bytes'} with {digest}"
    )
    if start.startswith((b"<!doctype", b"<html")):
        what += "; it is a web page, perhaps of a proxy or of a login"
    elif start.startswith(b"version https://git-lfs"):
        what += "; it is a Git LFS pointer, not the file"
    raise DataError(_say(what, advice), file=url)


def _say(what: str, advice: str) -> str:
    return f"{what}. {advice}" if advice else what

"""The store of original images: a folder of files that are named by what is in them."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from contextlib import suppress
from io import BufferedReader
from pathlib import Path

from snellen.errors import ImageError, LedgerError, UsageError

MOST_BYTES = 1 << 30
"""A file beyond 1 GiB is taken for a mistake."""

_DIGEST = re.compile(r"[0-9a-f]{64}")


class ImageStore:
    """Original bytes under ``root/ab/<sha256>``. Any number of processes may put and get at once.

    A file is complete before it gets its name, and is never written again. Losing the store costs nothing that
    `put` and `take` cannot bring back from the data.

    Args:
        root: the folder; it is made when something is put.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, sha256: str) -> Path:
        """Where the image of this hex digest lies, or would.

        Raises:
            UsageError: where this is no SHA-256 in lower-case hex.
        """
        if not _DIGEST.fullmatch(sha256):
            raise UsageError(f"{sha256[:80]!r} is not a SHA-256 in lower-case hex digits")
        return self.root / sha256[:2] / sha256

    def __contains__(self, sha256: object) -> bool:
        return isinstance(sha256, str) and _DIGEST.fullmatch(sha256) is not None and self.path(sha256).is_file()

    def put(self, data: bytes) -> str:
        """Keep an image, unless it is there already, and return its hex digest. It need not be a sound image.

        Raises:
            ImageError: ``too_large`` beyond 1 GiB.
            LedgerError: where the workspace cannot be written.
        """
        if len(data) > MOST_BYTES:
            raise ImageError("too_large", f"an image of {len(data):,} bytes; up to {MOST_BYTES:,} are taken")
        digest = hashlib.sha256(data).hexdigest()
        if not self._has(digest, len(data)):
            self._write(data, digest)
        return digest

    def take(self, image: Path) -> tuple[str, bytes]:
        """Keep the image in a file, and return its hex digest with its bytes, which are read and hashed once.

        It need not be a sound image. A copy in the workspace that is not the same is replaced.

        Raises:
            ImageError: as `read`.
            LedgerError: where the workspace cannot be written.
        """
        data = read(image)
        digest = hashlib.sha256(data).hexdigest()
        try:
            kept = self.path(digest).read_bytes() == data
        except OSError:
            kept = False
        if not kept:
            self._write(data, digest)
        return digest, data

    def get(self, sha256: str) -> bytes:
        """The bytes of this hex digest, verified.

        A copy that does not match is set aside as ``<sha256>.corrupt``, so that the next `take` brings it back.

        Raises:
            ImageError: ``missing`` where it is not there, ``broken`` where it is damaged.
            UsageError: where this is no SHA-256.
        """
        path = self.path(sha256)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            what = "the image is no longer in the workspace: run again with the data at hand, and it is put back"
            raise ImageError("missing", what, file=str(path)) from None
        except OSError as error:
            raise _unreadable(path, error) from None
        if hashlib.sha256(data).hexdigest() != sha256:
            with suppress(OSError):  # a workspace that cannot be written keeps it; the error below is the same
                path.replace(path.with_suffix(".corrupt"))
            what = "the image in the workspace is damaged: run again with the data at hand, and it is put back"
            raise ImageError("broken", what, file=str(path))
        return data

    def size(self) -> int:
        """Bytes in the store."""
        total = 0
        for file in self.root.glob("??/*"):
            with suppress(FileNotFoundError):  # another process may be clearing up
                total += file.stat().st_size
        return total

    def _has(self, digest: str, size: int) -> bool:
        try:
            found = self.path(digest).stat()
        except OSError:
            return False
        return stat.S_ISREG(found.st_mode) and found.st_size == size  # a power cut may leave an empty file

    def _write(self, data: bytes, sha256: str) -> None:
        temporary = self.root / f".incoming-{os.getpid()}-{os.urandom(8).hex()}"
        try:
            if not self.root.is_dir():
                self.root.mkdir(parents=True, exist_ok=True)
            with temporary.open("xb") as copy:
                copy.write(data)
            path = self.path(sha256)
            if not path.parent.is_dir():
                path.parent.mkdir(exist_ok=True)
            temporary.replace(path)  # atomic; of two writers either may win, their bytes are the same
        except BaseException as error:
            with suppress(OSError):
                temporary.unlink()
            if not isinstance(error, OSError):
                raise
            what = f"the images of the workspace cannot be written: {error.strerror or error} ({self.root})"
            raise LedgerError(f"{what}; free space or choose another --workspace") from error


def read(image: Path) -> bytes:
    """The bytes of the image in a file. It need not be a sound image.

    Raises:
        ImageError: ``missing`` where there is no such file, ``not_an_image`` for folders, pipes and devices,
            ``too_large`` beyond 1 GiB, ``broken`` where it cannot be read.
    """
    try:
        with _open_file(image) as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise _unreadable(image, error) from None


def _open_file(path: Path) -> BufferedReader:
    """The file opened for reading; anything that is not an ordinary file of at most 1 GiB is an `ImageError`."""
    _check(path, path.stat())
    # Not blocking, and checked again when open, should a pipe have taken its place.
    file = os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb")
    try:
        _check(path, os.fstat(file.fileno()))
    except ImageError:
        file.close()
        raise
    return file


def _check(path: Path, found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise ImageError("not_an_image", "this is a folder: name the image in it", file=str(path))
    if not stat.S_ISREG(found.st_mode):
        raise ImageError("not_an_image", "this is a pipe, socket or device, not an image file", file=str(path))
    if found.st_size > MOST_BYTES:
        what = f"a file of {found.st_size:,} bytes; up to {MOST_BYTES:,} are taken: make the image smaller"
        raise ImageError("too_large", what, file=str(path))


def _unreadable(path: Path, error: Exception) -> ImageError:
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return ImageError("missing", "there is no such image: check the folder of the data", file=str(path))
    reason = getattr(error, "strerror", None) or str(error)
    return ImageError("broken", f"the image cannot be read ({reason}): check the file and its rights", file=str(path))

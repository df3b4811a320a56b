"""A folder that a command fills: by one command at a time, with files that are complete once they have their name."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from snellen.errors import UsageError

_PART = ".snellen-part"


class OutFolder:
    """A folder for results. Use it as a context manager.

    While it is open no other command writes into it (where the system can lock a folder), so that what a killed one
    left half-written is known for what it is, and removed.

    Args:
        path: made if absent.
        source: where things come from, which `path` must not lie in; None if anywhere will do.

    Raises:
        UsageError: it lies in `source`, is a file, or another command is writing into it.
    """

    def __init__(self, path: Path, source: Path | None = None) -> None:
        self.path, self._lock = path, -1
        if source is not None and source.is_dir() and path.resolve().is_relative_to(source.resolve()):
            raise UsageError(f"{path} lies in {source}: what is made would be taken for a source in turn")
        if path.exists() and not path.is_dir():
            raise UsageError(f"{path} is no folder: name one that is, or that is to be made")

    def __enter__(self) -> Self:
        self.path.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(self.path)
        self._clear_up()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            with contextlib.suppress(OSError):
                self._clear_up()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _clear_up(self) -> None:
        for where, _, names in os.walk(self.path):
            for name in names:
                if name.startswith(".") and name.endswith(_PART):
                    (Path(where) / name).unlink(missing_ok=True)


def part_of(target: Path) -> Path:
    """Where a file lies until it is complete."""
    return target.with_name(f".{target.name}{_PART}")


def write(data: bytes, target: Path) -> None:
    """Write a file, complete or not at all; its folder is made if need be."""
    part = part_of(target)
    try:
        part.write_bytes(data)
    except FileNotFoundError:
        target.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
    part.replace(target)


def finish(part: Path, target: Path) -> None:
    """Give a complete file its name, unless the same stands there already."""
    if target.is_file() and digest(target) == digest(part):
        part.unlink()
    else:
        part.replace(target)


def digest(path: Path) -> str:
    """Hex SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _locked(folder: Path) -> int:
    """A descriptor that holds the lock as long as it is open; -1 where a folder cannot be locked."""
    try:
        import fcntl
    except ImportError:
        return -1
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise UsageError(f"another command is writing into {folder}: wait for it, or name another folder") from None
    except OSError:  # some file systems lock no folder
        os.close(descriptor)
        return -1
    return descriptor

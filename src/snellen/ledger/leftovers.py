"""What processes that were killed have left in a workspace, beside rows of the ledger."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

_DAY = 86_400.0


def sweep(folder: Path) -> None:
    """Remove lock files without an owner and images that were never finished, where they are older than a day.

    Downloads that were begun stay: they are continued.
    """
    from filelock import FileLock, Timeout

    for lock in _older(folder / "owners", "*.lock"):
        with contextlib.suppress(OSError, Timeout), FileLock(lock, timeout=0):
            lock.unlink()
    for image in _older(folder / "images", ".incoming-*"):
        with contextlib.suppress(OSError):
            if not _runs(image.name):
                image.unlink()


def _older(folder: Path, pattern: str) -> Iterator[Path]:
    now = time.time()
    for path in folder.glob(pattern):
        with contextlib.suppress(OSError):
            if now - path.stat().st_mtime > _DAY:
                yield path


def _runs(name: str) -> bool:
    """Whether the process that a temporary image is named after runs."""
    import psutil

    number = name.split("-")[1]
    return number.isdigit() and psutil.pid_exists(int(number))

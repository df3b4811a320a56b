"""A ledger where nothing can be written: on a read-only disk, or somebody else's."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class Opened:
    """How a database that cannot be written is opened.

    Attributes:
        address: an SQLite URI.
        copy: the folder of a copy that is read in its place.
    """

    address: str
    copy: tempfile.TemporaryDirectory[str] | None = None

    def close(self) -> None:
        """Remove the copy."""
        if self.copy is not None:
            self.copy.cleanup()


def may_write(path: Path) -> bool:
    """Whether a database can be written: the file, and the folder in which SQLite puts its log beside it."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def open_read_only(path: Path) -> Opened:
    """The way to read a database in WAL mode without writing.

    While it is at work elsewhere (or was killed there), its log and the log's index lie beside it, and it is read like
    any other. Where they do not and cannot be made, an empty log means that the file is whole, and does not change: it
    is read as such. A log without its index holds the newest answers: both are copied and read there.

    Raises:
        sqlite3.Error: it is damaged or no database.
        OSError: it cannot be read, or there is no room for the copy.
    """
    plain = _address(path, "mode=ro")
    try:
        _look(plain)
    except sqlite3.OperationalError:
        log = path.with_name(f"{path.name}-wal")
        if not log.exists() or not log.stat().st_size:
            return Opened(_address(path, "immutable=1"))
        copy = tempfile.TemporaryDirectory(prefix="snellen-")
        try:
            for file in (path, log):
                shutil.copyfile(file, Path(copy.name) / file.name)
        except BaseException:
            copy.cleanup()
            raise
        return Opened(_address(Path(copy.name) / path.name, "mode=rw"), copy)
    return Opened(plain)


def _address(path: Path, how: str) -> str:
    return f"file:{quote(str(path.resolve()))}?{how}"


def _look(address: str) -> None:
    with closing(sqlite3.connect(address, uri=True)) as connection:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()

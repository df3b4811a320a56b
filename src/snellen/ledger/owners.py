"""Who is asking what: claims on requests, and the file locks that say whether their owners live."""

from __future__ import annotations

import contextlib
import os
import platform
import sqlite3
import time
import uuid
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from snellen.errors import LedgerError
from snellen.ledger import statements
from snellen.ledger.database import Database
from snellen.ledger.leftovers import sweep
from snellen.ledger.statements import column, found, value

if TYPE_CHECKING:
    from filelock import FileLock

_TOKEN = "SELECT token FROM owner WHERE id = ?"


class Owner:
    """This process among those that work on one ledger. It registers when it first claims something."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._registered: tuple[int, FileLock] | None = None
        self._checked: dict[int, float] = {}

    def close(self) -> None:
        """Give back all claims, and clear up after owners that were killed."""
        if self._registered is None:
            return
        number, lock = self._registered
        with contextlib.suppress(LedgerError), self._database.write() as connection:
            self._bury(connection, {number, *self._dead(connection)})
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)
        self._registered = None

    def number(self) -> int:
        """This process's number in the table of owners. The first call clears up after owners that were killed."""
        if self._registered is None:
            from filelock import FileLock  # which what only reads does without

            self._database.refuse_if_read_only()
            token = uuid.uuid4().hex
            with self._database.errors():
                self._folder.mkdir(exist_ok=True)
                lock = FileLock(self._lock_path(token), timeout=0)
                lock.acquire()  # before the row exists, so that nobody finds a row without its lock
            with self._database.write() as connection:
                connection.execute(
                    "INSERT INTO owner (token, host, pid, started) VALUES (?, ?, ?, ?)",
                    (token, platform.node(), os.getpid(), time.time()),
                )
                number = int(value(connection, "SELECT id FROM owner WHERE token = ?", token))
                self._bury(connection, self._dead(connection))
            self._registered = (number, lock)
            sweep(self._database.folder)
        return self._registered[0]

    def others(self) -> list[tuple[str, int]]:
        """(host, process) of the other owners that live."""
        mine = self._registered[0] if self._registered is not None else None
        with self._database.read() as connection:
            rows = connection.execute("SELECT id, token, host, pid FROM owner").fetchall()
        return [(host, pid) for number, token, host, pid in rows if number != mine and self._locked(token)]

    def claim(self, connection: sqlite3.Connection, keys: Sequence[bytes]) -> set[bytes]:
        """Those of the keys that are now ours; the others belong to owners that live."""
        owner = self.number()
        taken: dict[bytes, int] = {}
        if value(connection, statements.OTHERS_CLAIM, owner) is not None:
            holders = {key: holder for key, holder in found(connection, statements.HOLDERS, keys) if holder != owner}
            dead = {number for number in set(holders.values()) if not self._alive(connection, number)}
            self._bury(connection, dead)
            taken = {key: holder for key, holder in holders.items() if holder not in dead}
        ours = [key for key in keys if key not in taken]
        connection.executemany(statements.PUT_CLAIM, [(key, owner) for key in ours])
        return set(ours)

    def release(self, connection: sqlite3.Connection, keys: Sequence[bytes]) -> None:
        """Give back claims."""
        connection.executemany(statements.FORGET_CLAIM, [(key,) for key in keys])

    @property
    def _folder(self) -> Path:
        return self._database.folder / "owners"

    def _lock_path(self, token: str) -> Path:
        return self._folder / f"{token}.lock"

    def _alive(self, connection: sqlite3.Connection, owner: int) -> bool:
        # A lock is tried at most every half second for each owner: claims are looked at far more often.
        now = time.monotonic()
        if now - self._checked.get(owner, -1.0) < 0.5:
            return True
        self._checked[owner] = now
        token = value(connection, _TOKEN, owner)
        return token is not None and self._locked(token)

    def _locked(self, token: str) -> bool:
        from filelock import FileLock, Timeout

        path = self._lock_path(token)
        if not path.exists():  # closed since its row was read; a lock would make the file anew
            return False
        try:
            with FileLock(path, timeout=0):
                return False
        except Timeout:
            return True

    def _dead(self, connection: sqlite3.Connection) -> set[int]:
        """Owners whose locks nobody holds; ours is held by this process."""
        rows = connection.execute("SELECT id, token FROM owner").fetchall()
        return {number for number, token in rows if not self._locked(token)}

    def _bury(self, connection: sqlite3.Connection, owners: Collection[int]) -> None:
        """Remove owners with their claims, and their lock files."""
        tokens = [token for owner in owners for token in column(connection, _TOKEN, owner)]
        connection.executemany("DELETE FROM claim WHERE owner_id = ?", [(owner,) for owner in owners])
        connection.executemany("DELETE FROM owner WHERE id = ?", [(owner,) for owner in owners])
        for token in tokens:
            with contextlib.suppress(OSError):  # an open file cannot be removed everywhere
                self._lock_path(token).unlink()

"""Who is asking what: claims on requests, and the file locks that say whether their owners live."""

from __future__ import annotations

import contextlib
import os
import platform
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import Connection, bindparam, delete, select
from sqlalchemy.dialects import sqlite

from snellen.errors import LedgerError
from snellen.ledger import schema as t
from snellen.ledger.database import Database


class Owner:
    """This process among those that work on one ledger. It registers when it first claims something."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._registered: tuple[int, FileLock] | None = None
        self._checked: dict[int, float] = {}

    def close(self) -> None:
        """Give back all claims."""
        if self._registered is None:
            return
        number, lock = self._registered
        with contextlib.suppress(LedgerError), self._database.write() as connection:
            connection.execute(delete(t.claim).where(t.claim.c.owner_id == number))
            connection.execute(delete(t.owner).where(t.owner.c.id == number))
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)
        self._registered = None

    def number(self) -> int:
        """This process's number in the table of owners."""
        if self._registered is None:
            token = uuid.uuid4().hex
            with self._database.errors():
                (self._database.folder / "owners").mkdir(exist_ok=True)
                lock = FileLock(self._lock_path(token), timeout=0)
                lock.acquire()  # before the row exists, so that nobody finds a row without its lock
            values = {"token": token, "host": platform.node(), "pid": os.getpid(), "started": time.time()}
            with self._database.write() as connection:
                primary_key = connection.execute(t.owner.insert(), values).inserted_primary_key
            if primary_key is None:
                raise LedgerError("the database gave no number to this process")
            self._registered = (int(primary_key[0]), lock)
        return self._registered[0]

    def claim(self, connection: Connection, keys: Sequence[bytes]) -> set[bytes]:
        """Those of the keys that are now ours; the others belong to owners that live."""
        owner = self.number()
        values = [{"key": key, "owner_id": owner} for key in keys]
        connection.execute(sqlite.insert(t.claim).on_conflict_do_nothing(), values)
        holders = _holders(connection, keys)
        others = set(holders.values()) - {owner}
        dead = {number for number in others if not self._alive(connection, number)}
        if dead:
            connection.execute(delete(t.claim).where(t.claim.c.owner_id.in_(dead)))
            connection.execute(delete(t.owner).where(t.owner.c.id.in_(dead)))
            connection.execute(sqlite.insert(t.claim).on_conflict_do_nothing(), values)
            holders = _holders(connection, keys)
        return {key for key, holder in holders.items() if holder == owner}

    def release(self, connection: Connection, keys: Sequence[bytes]) -> None:
        """Give back claims."""
        statement = delete(t.claim).where(t.claim.c.key == bindparam("k"))
        connection.execute(statement, [{"k": key} for key in keys])

    def _lock_path(self, token: str) -> Path:
        return self._database.folder / "owners" / f"{token}.lock"

    def _alive(self, connection: Connection, owner: int) -> bool:
        # A lock is tried at most every half second for each owner: claims are looked at far more often.
        now = time.monotonic()
        if now - self._checked.get(owner, -1.0) < 0.5:
            return True
        self._checked[owner] = now
        token = connection.execute(select(t.owner.c.token).where(t.owner.c.id == owner)).scalar()
        if token is None:
            return False
        try:
            with FileLock(self._lock_path(token), timeout=0):
                pass
        except Timeout:
            return True
        self._lock_path(token).unlink(missing_ok=True)
        return False


def _holders(connection: Connection, keys: Sequence[bytes]) -> dict[bytes, int]:
    query = select(t.claim.c.key, t.claim.c.owner_id).where(t.claim.c.key.in_(keys))
    return {row.key: row.owner_id for row in connection.execute(query)}

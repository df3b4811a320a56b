"""Who is asking what: claims on requests, and the file locks that say whether their owners live."""

from __future__ import annotations

import contextlib
import os
import platform
import time
import uuid
from collections.abc import Collection, Sequence
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import Connection, delete, select

from snellen.errors import LedgerError
from snellen.ledger import schema as t
from snellen.ledger import statements
from snellen.ledger.database import Database
from snellen.ledger.leftovers import sweep


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
            self._database.refuse_if_read_only()
            token = uuid.uuid4().hex
            with self._database.errors():
                self._folder.mkdir(exist_ok=True)
                lock = FileLock(self._lock_path(token), timeout=0)
                lock.acquire()  # before the row exists, so that nobody finds a row without its lock
            values = {"token": token, "host": platform.node(), "pid": os.getpid(), "started": time.time()}
            with self._database.write() as connection:
                primary_key = connection.execute(t.owner.insert(), values).inserted_primary_key
                if primary_key is None:
                    raise LedgerError("the database gave no number to this process")
                self._bury(connection, self._dead(connection))
            self._registered = (int(primary_key[0]), lock)
            sweep(self._database.folder)
        return self._registered[0]

    def others(self) -> list[tuple[str, int]]:
        """(host, process) of the other owners that live."""
        mine = self._registered[0] if self._registered is not None else None
        with self._database.read() as connection:
            rows = connection.execute(select(t.owner)).all()
        return [(row.host, row.pid) for row in rows if row.id != mine and self._locked(row.token)]

    def claim(self, connection: Connection, keys: Sequence[bytes]) -> set[bytes]:
        """Those of the keys that are now ours; the others belong to owners that live."""
        owner = self.number()
        taken: dict[bytes, int] = {}
        if statements.OTHERS_CLAIM.rows(connection, owner):
            holders = {key: holder for key, holder in statements.HOLDERS.rows(connection, keys) if holder != owner}
            dead = {number for number in set(holders.values()) if not self._alive(connection, number)}
            self._bury(connection, dead)
            taken = {key: holder for key, holder in holders.items() if holder not in dead}
        ours = [key for key in keys if key not in taken]
        statements.PUT_CLAIM.each(connection, [(key, owner) for key in ours])
        return set(ours)

    def release(self, connection: Connection, keys: Sequence[bytes]) -> None:
        """Give back claims."""
        statements.FORGET_CLAIM.each(connection, [(key,) for key in keys])

    @property
    def _folder(self) -> Path:
        return self._database.folder / "owners"

    def _lock_path(self, token: str) -> Path:
        return self._folder / f"{token}.lock"

    def _alive(self, connection: Connection, owner: int) -> bool:
        # A lock is tried at most every half second for each owner: claims are looked at far more often.
        now = time.monotonic()
        if now - self._checked.get(owner, -1.0) < 0.5:
            return True
        self._checked[owner] = now
        token = connection.execute(select(t.owner.c.token).where(t.owner.c.id == owner)).scalar()
        return token is not None and self._locked(token)

    def _locked(self, token: str) -> bool:
        try:
            with FileLock(self._lock_path(token), timeout=0):
                return False
        except Timeout:
            return True

    def _dead(self, connection: Connection) -> set[int]:
        """Owners whose locks nobody holds; ours is held by this process."""
        rows = connection.execute(select(t.owner.c.id, t.owner.c.token)).all()
        return {row.id for row in rows if not self._locked(row.token)}

    def _bury(self, connection: Connection, owners: Collection[int]) -> None:
        """Remove owners with their claims, and their lock files."""
        if not owners:
            return
        tokens = connection.execute(select(t.owner.c.token).where(t.owner.c.id.in_(owners))).scalars().all()
        connection.execute(delete(t.claim).where(t.claim.c.owner_id.in_(owners)))
        connection.execute(delete(t.owner).where(t.owner.c.id.in_(owners)))
        for token in tokens:
            with contextlib.suppress(OSError):  # an open file cannot be removed everywhere
                self._lock_path(token).unlink()

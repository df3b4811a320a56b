"""Batches in the ledger: which requests a provider was handed as a file, and how far each of these files has come.

A row is committed before anything of it leaves this machine, and every step after it happened, so that a process that
dies at any moment leaves enough for the next one to go on: see `snellen.engine.courier`. The rows of single requests
go when their answers are stored; what is left in the end got no reply.
"""

from __future__ import annotations

import time
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from sqlalchemy import Connection, delete, select, update

from snellen.answer import Answer
from snellen.ledger import Ledger
from snellen.ledger import schema as t
from snellen.ledger.rows import chunks

State = Literal["written", "uploaded", "created", "fetched", "done"]
"""How far a batch has come: input file written, at the provider, batch created, output here, answers stored."""

STATES: tuple[State, ...] = get_args(State)


@dataclass(frozen=True, slots=True)
class BatchRow:
    """A batch; the ids are the provider's, empty as long as there is none."""

    id: int
    token: str
    model: str
    base_url: str
    state: State
    file_id: str
    batch_id: str
    output_file_id: str
    error_file_id: str
    requests: int
    completed: int
    failed: int
    created: float


class Batches:
    """The batches of one ledger. Like the ledger's, all methods are one transaction each.

    Args:
        ledger: an open ledger; its owner is who holds what is added or adopted here.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._database, self._owner = ledger._database, ledger._owner

    def owner_token(self) -> str:
        """What names this process among the owners."""
        number = self._owner.number()
        with self._database.read() as connection:
            return str(connection.execute(select(t.owner.c.token).where(t.owner.c.id == number)).scalar_one())

    def living_owners(self) -> set[str]:
        """The names of all processes that work on this ledger."""
        self._owner.number()
        with self._database.write() as connection:
            owners = {row.id: row.token for row in connection.execute(select(t.owner.c.id, t.owner.c.token))}
            free = self._free(connection, set(owners))
        return {token for number, token in owners.items() if number not in free}

    def add(self, token: str, model: str, base_url: str, requests: Sequence[tuple[bytes, str]]) -> BatchRow:
        """Take down a file that is written.

        Args:
            token: its name, distinct among all that ever were.
            model, base_url: whom it is for.
            requests: (key, record of what is sent, as JSON), each key in no other open batch.
        """
        values = {
            "token": token,
            "model": model,
            "base_url": base_url,
            "owner_id": self._owner.number(),
            "state": "written",
            "requests": len(requests),
            "created": time.time(),
        }
        with self._database.write() as connection:
            primary_key = connection.execute(t.batch.insert(), values).inserted_primary_key
            assert primary_key is not None  # both databases tell it
            number = int(primary_key[0])
            for chunk in chunks(requests):
                rows = [{"key": key, "batch_id": number, "sent": sent} for key, sent in chunk]
                connection.execute(t.batch_request.insert(), rows)
            return _row(connection.execute(select(t.batch).where(t.batch.c.id == number)).one())

    def update(self, number: int, **values: Any) -> BatchRow:
        """Take down how far a batch has come: its `state`, ids, counts."""
        with self._database.write() as connection:
            connection.execute(update(t.batch).where(t.batch.c.id == number).values(**values))
            return _row(connection.execute(select(t.batch).where(t.batch.c.id == number)).one())

    def adopt(self, model: str, base_url: str) -> list[BatchRow]:
        """Open batches of that model at that address that nobody waits for: they, and their requests, are now ours."""
        me = self._owner.number()
        with self._database.write() as connection:
            query = _open(t.batch.c.model == model, t.batch.c.base_url == base_url)
            rows = connection.execute(query).all()
            free = self._free(connection, {row.owner_id for row in rows})
            ours = [row for row in rows if row.owner_id in free]
            for row in ours:
                connection.execute(update(t.batch).where(t.batch.c.id == row.id).values(owner_id=me))
                keys = connection.execute(select(t.batch_request.c.key).where(t.batch_request.c.batch_id == row.id))
                for chunk in chunks(keys.scalars().all()):
                    self._owner.claim(connection, chunk)
        return [_row(row) for row in ours]

    def strays(self, model: str, base_url: str) -> list[BatchRow]:
        """Open batches of that model at other addresses that nobody waits for."""
        self._owner.number()
        with self._database.write() as connection:
            rows = connection.execute(_open(t.batch.c.model == model, t.batch.c.base_url != base_url)).all()
            free = self._free(connection, {row.owner_id for row in rows})
        return [_row(row) for row in rows if row.owner_id in free]

    def leave(self, numbers: Sequence[int]) -> None:
        """Wait for these batches no longer, and give back the claims on what is in them."""
        with self._database.write() as connection:
            connection.execute(update(t.batch).where(t.batch.c.id.in_(numbers)).values(owner_id=None))
            for number in numbers:
                keys = connection.execute(select(t.batch_request.c.key).where(t.batch_request.c.batch_id == number))
                for chunk in chunks(keys.scalars().all()):
                    self._owner.release(connection, chunk)

    def holding(self, keys: Iterable[bytes]) -> dict[bytes, int]:
        """Key -> number of the open batch that holds it, of those keys that are in one."""
        found: dict[bytes, int] = {}
        table = t.batch_request.c
        with self._database.read() as connection:
            for chunk in chunks(list(keys)):
                rows = connection.execute(select(table.key, table.batch_id).where(table.key.in_(chunk)))
                found.update({row.key: row.batch_id for row in rows})
        return found

    def awaited(self, number: int, keys: Sequence[bytes]) -> dict[bytes, str]:
        """Key -> record of what was sent, of those keys whose reply this batch still owes."""
        table = t.batch_request.c
        found: dict[bytes, str] = {}
        with self._database.read() as connection:
            for chunk in chunks(keys):
                query = select(table.key, table.sent).where(table.batch_id == number, table.key.in_(chunk))
                found.update({row.key: row.sent for row in connection.execute(query)})
        return found

    def left(self, number: int, limit: int) -> list[bytes]:
        """Keys, at most so many, whose reply this batch still owes."""
        query = select(t.batch_request.c.key).where(t.batch_request.c.batch_id == number)
        with self._database.read() as connection:
            return list(connection.execute(query.order_by(t.batch_request.c.key).limit(limit)).scalars())

    def keep(self, number: int, answers: Sequence[tuple[bytes, Answer]]) -> None:
        """Store final answers and failures, and take down that this batch owes them no longer."""
        with self._database.write() as connection:
            self._ledger.store(answers)
            for chunk in chunks([key for key, _ in answers]):
                of_batch = t.batch_request.c.batch_id == number
                connection.execute(delete(t.batch_request).where(of_batch, t.batch_request.c.key.in_(chunk)))

    def finish(self, number: int) -> None:
        """Everything of this batch is stored."""
        self.update(number, state="done", owner_id=None)

    def forget(self, number: int) -> None:
        """Delete a batch that no provider has, and give back the claims on what is in it."""
        with self._database.write() as connection:
            keys = connection.execute(select(t.batch_request.c.key).where(t.batch_request.c.batch_id == number))
            for chunk in chunks(keys.scalars().all()):
                self._owner.release(connection, chunk)
            connection.execute(delete(t.batch_request).where(t.batch_request.c.batch_id == number))
            connection.execute(delete(t.batch).where(t.batch.c.id == number))

    def all(self) -> list[BatchRow]:
        """All batches, oldest first."""
        with self._database.read() as connection:
            return [_row(row) for row in connection.execute(select(t.batch).order_by(t.batch.c.id))]

    def _free(self, connection: Connection, owners: set[int | None]) -> set[int | None]:
        """Those owners that hold nothing any more, None among them; whatever the dead had claimed is given back."""
        numbers = {number for number in owners if number is not None and number != self._owner.number()}
        known = set(connection.execute(select(t.owner.c.id).where(t.owner.c.id.in_(numbers))).scalars())
        dead = self._owner._dead(connection) & known
        self._owner._bury(connection, dead)
        return (numbers - known) | dead | {None}


def open_requests(
    ledger: Ledger, run_id: int, wanted: Container[int] | None = None, *, judging: bool = False
) -> tuple[int, int]:
    """How many distinct requests of a run (or of a judging) without an answer are in open batches.

    Args:
        ledger: where they are.
        run_id: the run or the judging.
        wanted: positions that count; None for all.
        judging: whether it is one.

    Returns:
        (requests in batches that nobody waits for, requests in those that a session which runs is waiting for)
    """
    table = t.reply if judging else t.run_item
    query = (
        select(t.batch_request.c.key, table.c.position, t.owner.c.token)
        .select_from(table)
        .join(t.batch_request, t.batch_request.c.key == table.c.key)
        .join(t.batch, t.batch.c.id == t.batch_request.c.batch_id)
        .outerjoin(t.owner, t.owner.c.id == t.batch.c.owner_id)
        .outerjoin(t.answer, t.answer.c.key == table.c.key)
        .where(table.c.run_id == run_id, t.answer.c.id.is_(None))
    )
    found: dict[bytes, str | None] = {}
    with ledger._database.read() as connection:
        if connection.execute(select(t.batch_request.c.key).limit(1)).first() is None:
            return 0, 0
        for row in connection.execute(query):
            if wanted is None or row.position in wanted:
                found[row.key] = row.token
    owner = ledger._owner
    # To try a lock makes its file: one that is not there is nobody's.
    live = {
        token for token in set(found.values()) if token and owner._lock_path(token).exists() and owner._locked(token)
    }
    awaited = sum(token in live for token in found.values())
    return len(found) - awaited, awaited


def _open(*conditions: Any) -> Any:
    return select(t.batch).where(t.batch.c.state != "done", *conditions).order_by(t.batch.c.id)


def _row(row: Any) -> BatchRow:
    return BatchRow(
        row.id,
        row.token,
        row.model,
        row.base_url,
        row.state,
        row.file_id,
        row.batch_id,
        row.output_file_id,
        row.error_file_id,
        row.requests,
        row.completed,
        row.failed,
        row.created,
    )

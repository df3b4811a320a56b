"""Batches in the ledger: which requests a provider was handed as a file, and how far each of these files has come.

A row is committed before anything of it leaves this machine, and every step after it happened, so that a process that
dies at any moment leaves enough for the next one to go on: see `snellen.engine.courier`. The rows of single requests
go when their answers are stored; what is left in the end got no reply.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from snellen.answer import Answer
from snellen.ledger import Ledger
from snellen.ledger.statements import column, found, value

State = Literal["written", "uploaded", "created", "fetched", "done"]
"""How far a batch has come: input file written, at the provider, batch created, output here, answers stored."""

STATES: tuple[State, ...] = get_args(State)

_COLUMNS = (
    "id, token, model, base_url, state, file_id, batch_id, output_file_id, error_file_id, requests, completed, failed,"
    " created"
)
_KEYS = "SELECT key FROM batch_request WHERE batch_id = ?"


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
            return str(value(connection, "SELECT token FROM owner WHERE id = ?", number))

    def living_owners(self) -> set[str]:
        """The names of all processes that work on this ledger."""
        self._owner.number()
        with self._database.write() as connection:
            owners = dict(connection.execute("SELECT id, token FROM owner"))
            free = self._free(connection, set(owners))
        return {token for number, token in owners.items() if number not in free}

    def add(self, token: str, model: str, base_url: str, requests: Sequence[tuple[bytes, str]]) -> BatchRow:
        """Take down a file that is written.

        Args:
            token: its name, distinct among all that ever were.
            model, base_url: whom it is for.
            requests: (key, record of what is sent, as JSON), each key in no other open batch.
        """
        values = (token, model, base_url, self._owner.number(), len(requests), time.time())
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO batch (token, model, base_url, owner_id, state, file_id, batch_id, output_file_id,"
                " error_file_id, requests, completed, failed, created)"
                " VALUES (?, ?, ?, ?, 'written', '', '', '', '', ?, 0, 0, ?)",
                values,
            )
            number = int(value(connection, "SELECT id FROM batch WHERE token = ?", token))
            connection.executemany(
                "INSERT INTO batch_request (key, batch_id, sent) VALUES (?, ?, ?)",
                [(key, number, sent) for key, sent in requests],
            )
            return _row(connection, number)

    def update(self, number: int, **values: Any) -> BatchRow:
        """Take down how far a batch has come: its `state`, ids, counts."""
        with self._database.write() as connection:
            changes = ", ".join(f"{name} = ?" for name in values)
            connection.execute(f"UPDATE batch SET {changes} WHERE id = ?", (*values.values(), number))
            return _row(connection, number)

    def adopt(self, model: str, base_url: str) -> list[BatchRow]:
        """Open batches of that model at that address that nobody waits for: they, and their requests, are now ours."""
        me = self._owner.number()
        with self._database.write() as connection:
            ours = self._unawaited(connection, "model = ? AND base_url = ?", model, base_url)
            for row in ours:
                connection.execute("UPDATE batch SET owner_id = ? WHERE id = ?", (me, row.id))
                self._owner.claim(connection, column(connection, _KEYS, row.id))
        return ours

    def strays(self, model: str, base_url: str) -> list[BatchRow]:
        """Open batches of that model at other addresses that nobody waits for."""
        self._owner.number()
        with self._database.write() as connection:
            return self._unawaited(connection, "model = ? AND base_url <> ?", model, base_url)

    def leave(self, numbers: Sequence[int]) -> None:
        """Wait for these batches no longer, and give back the claims on what is in them."""
        with self._database.write() as connection:
            for number in numbers:
                connection.execute("UPDATE batch SET owner_id = NULL WHERE id = ?", (number,))
                self._owner.release(connection, column(connection, _KEYS, number))

    def holding(self, keys: Iterable[bytes]) -> dict[bytes, int]:
        """Key -> number of the open batch that holds it, of those keys that are in one."""
        query = "SELECT key, batch_id FROM batch_request WHERE key IN (...)"
        with self._database.read() as connection:
            return dict(found(connection, query, list(keys)))

    def awaited(self, number: int, keys: Sequence[bytes]) -> dict[bytes, str]:
        """Key -> record of what was sent, of those keys whose reply this batch still owes."""
        query = "SELECT key, sent FROM batch_request WHERE batch_id = ? AND key IN (...)"
        with self._database.read() as connection:
            return dict(found(connection, query, keys, number))

    def left(self, number: int, limit: int) -> list[bytes]:
        """Keys, at most so many, whose reply this batch still owes."""
        with self._database.read() as connection:
            return column(connection, f"{_KEYS} ORDER BY key LIMIT ?", number, limit)

    def keep(self, number: int, answers: Sequence[tuple[bytes, Answer]]) -> None:
        """Store final answers and failures, and take down that this batch owes them no longer."""
        with self._database.write() as connection:
            self._ledger.store(answers)
            connection.executemany(
                "DELETE FROM batch_request WHERE batch_id = ? AND key = ?", [(number, key) for key, _ in answers]
            )

    def finish(self, number: int) -> None:
        """Everything of this batch is stored."""
        self.update(number, state="done", owner_id=None)

    def forget(self, number: int) -> None:
        """Delete a batch that no provider has, and give back the claims on what is in it."""
        with self._database.write() as connection:
            self._owner.release(connection, column(connection, _KEYS, number))
            connection.execute("DELETE FROM batch_request WHERE batch_id = ?", (number,))
            connection.execute("DELETE FROM batch WHERE id = ?", (number,))

    def all(self) -> list[BatchRow]:
        """All batches, oldest first."""
        with self._database.read() as connection:
            return [BatchRow(*row) for row in connection.execute(f"SELECT {_COLUMNS} FROM batch ORDER BY id")]

    def _unawaited(self, connection: sqlite3.Connection, condition: str, *values: str) -> list[BatchRow]:
        """Open batches of which the condition is true and that nobody waits for."""
        query = f"SELECT owner_id, {_COLUMNS} FROM batch WHERE state <> 'done' AND {condition} ORDER BY id"
        rows = connection.execute(query, values).fetchall()
        free = self._free(connection, {owner for owner, *_ in rows})
        return [BatchRow(*row) for owner, *row in rows if owner in free]

    def _free(self, connection: sqlite3.Connection, owners: set[int | None]) -> set[int | None]:
        """Those owners that hold nothing any more, None among them; whatever the dead had claimed is given back."""
        numbers = {number for number in owners if number is not None and number != self._owner.number()}
        known = numbers.intersection(column(connection, "SELECT id FROM owner"))
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
    table = "reply" if judging else "run_item"
    query = f"""
        SELECT batch_request.key, {table}.position, owner.token
        FROM {table}
        JOIN batch_request ON batch_request.key = {table}.key
        JOIN batch ON batch.id = batch_request.batch_id
        LEFT JOIN owner ON owner.id = batch.owner_id
        LEFT JOIN answer ON answer.key = {table}.key
        WHERE {table}.run_id = ? AND answer.id IS NULL
    """
    tokens: dict[bytes, str | None] = {}
    with ledger._database.read() as connection:
        if value(connection, "SELECT key FROM batch_request LIMIT 1") is None:
            return 0, 0
        for key, position, token in connection.execute(query, (run_id,)):
            if wanted is None or position in wanted:
                tokens[key] = token
    owner = ledger._owner
    # To try a lock makes its file: one that is not there is nobody's.
    live = {
        token for token in set(tokens.values()) if token and owner._lock_path(token).exists() and owner._locked(token)
    }
    awaited = sum(token in live for token in tokens.values())
    return len(tokens) - awaited, awaited


def _row(connection: sqlite3.Connection, number: int) -> BatchRow:
    return BatchRow(*connection.execute(f"SELECT {_COLUMNS} FROM batch WHERE id = ?", (number,)).fetchone())

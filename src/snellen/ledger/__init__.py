"""The ledger: one database of runs, item snapshots, answers and verdicts in the workspace.

SQLite in WAL mode. All methods are synchronous and are one transaction each; the
engine calls them from a single thread. Whatever is final is kept under the hash of its request; a request that is
being asked is claimed by an owner, whose life is an operating system's file lock.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import orjson

from snellen.answer import Answer, Likelihood
from snellen.errors import LedgerError
from snellen.ledger import statements
from snellen.ledger.database import Database
from snellen.ledger.owners import Owner
from snellen.ledger.reading import Reading
from snellen.ledger.rows import (
    RUN_COLUMNS,
    PlannedRow,
    ResultRow,
    RunRow,
    run_row,
    seal_name,
    sums_name,
    verdict_values,
)
from snellen.ledger.statements import column, found, value
from snellen.verdict import Verdict

__all__ = ["Claim", "Ledger", "PlannedRow", "ResultRow", "RunRow"]

Claim = Answer | Literal["granted", "elsewhere"]


class Ledger(Reading):
    """A workspace's database.

    Args:
        folder: the workspace; made if absent. The database is ``ledger.sqlite`` in it.

    Raises:
        LedgerError: another program's or schema's file, a network file system, not writable, damaged.
    """

    def __init__(self, folder: Path) -> None:
        self._database = Database(folder)
        self._owner = Owner(self._database)
        self._sent: dict[bytes, int] = {}
        self._fresh: dict[bytes, int] = {}  # numbers given in a transaction that has not come to its end
        self._sent_bodies = {}

    @property
    def path(self) -> Path:
        """The database file."""
        return self._database.path

    @property
    def read_only(self) -> bool:
        """Whether the workspace can only be read."""
        return self._database.read_only

    def refuse_if_read_only(self) -> None:
        """Raises LedgerError where nothing can be written."""
        self._database.refuse_if_read_only()

    def others(self) -> list[tuple[str, int]]:
        """(host, process) of the other processes that are asking something through this ledger."""
        return self._owner.others()

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Whatever is called within becomes one transaction: kept as a whole, or not at all where any of it fails.

        A transaction costs as much as several claims and answers, and writes the same pages again.
        """
        self._owner.number()  # registers in a transaction of its own
        with self._database.write():
            yield

    def close(self) -> None:
        """Give back all claims and close the database."""
        self._owner.close()
        self._database.dispose()

    def add_run(self, name: str, plan: bytes, spec: Mapping[str, Any], parent: int | None = None) -> RunRow:
        """The run of that plan, made if it is new."""
        with self._database.write() as connection:
            query = f"SELECT {RUN_COLUMNS} FROM run WHERE plan = ?"
            row = connection.execute(query, (plan,)).fetchone()
            if row is None:
                connection.execute(
                    "INSERT INTO run (name, plan, parent, spec, manifest, created) VALUES (?, ?, ?, ?, '{}', ?)",
                    (name, plan, parent, orjson.dumps(spec).decode(), time.time()),
                )
                row = connection.execute(query, (plan,)).fetchone()
        return run_row(row)

    def record(self, run_id: int, manifest: Mapping[str, Any]) -> None:
        """Replace what is recorded about a run beside its plan."""
        with self._database.write() as connection:
            body = orjson.dumps(manifest, option=orjson.OPT_NON_STR_KEYS).decode()
            connection.execute("UPDATE run SET manifest = ? WHERE id = ?", (body, run_id))

    def respecify(self, run_id: int, spec: Mapping[str, Any]) -> None:
        """Replace what is needed to go on with a run (a judging whose source changed keeps its plan)."""
        with self._database.write() as connection:
            connection.execute("UPDATE run SET spec = ? WHERE id = ?", (orjson.dumps(spec).decode(), run_id))

    def delete_run(self, run_id: int) -> None:
        """Delete a run with its judgings (or one judging), and the answers and items that nothing else refers to."""
        with self._database.write() as connection:
            for number in [*column(connection, "SELECT id FROM run WHERE parent = ?", run_id), run_id]:
                for table in ("verdict", "reply", "run_item"):
                    connection.execute(f"DELETE FROM {table} WHERE run_id = ?", (number,))
                connection.execute("DELETE FROM run WHERE id = ?", (number,))
                connection.execute("DELETE FROM meta WHERE name IN (?, ?)", (seal_name(number), sums_name(number)))
            used = "SELECT key FROM run_item WHERE key IS NOT NULL UNION SELECT key FROM reply"
            connection.execute(f"DELETE FROM answer WHERE key NOT IN ({used})")
            connection.execute(f"DELETE FROM failure WHERE key NOT IN ({used})")
            connection.execute("DELETE FROM item WHERE id NOT IN (SELECT item_id FROM run_item)")
            kept = "SELECT sent_id FROM answer WHERE sent_id IS NOT NULL"
            connection.execute(f"DELETE FROM sent WHERE id NOT IN ({kept})")
            self._sent.clear()
            self._sent_bodies.clear()

    def plan_items(self, run_id: int, rows: Sequence[PlannedRow]) -> None:
        """Take a chunk of a run's items down: snapshots where they are new, and positions with their keys."""
        snapshots = [row.item.snapshot() for row in rows]
        with self._database.write() as connection:
            known = dict(found(connection, statements.ITEM_IDS, [digest for digest, _ in snapshots]))
            fresh = {digest: body for digest, body in snapshots if digest not in known}
            if fresh:
                bodies = [(digest, body.decode()) for digest, body in fresh.items()]
                connection.executemany(statements.PUT_ITEM, bodies)
                known |= dict(found(connection, statements.ITEM_IDS, list(fresh)))
            connection.executemany(
                statements.PUT_RUN_ITEM,
                [
                    (run_id, row.position, known[digest], row.key, row.error or None)
                    for row, (digest, _) in zip(rows, snapshots, strict=True)
                ],
            )

    def forget_items(self, run_id: int, positions: Sequence[int]) -> None:
        """Take items out of a run's plan again; answers stay, for another run may ask the same."""
        with self._database.write() as connection:
            rows = [(run_id, position) for position in positions]
            connection.executemany("DELETE FROM run_item WHERE run_id = ? AND position = ?", rows)
            connection.execute("DELETE FROM item WHERE id NOT IN (SELECT item_id FROM run_item)")
            connection.execute("DELETE FROM meta WHERE name = ?", (seal_name(run_id),))

    def claim(self, keys: Sequence[bytes]) -> dict[bytes, Claim]:
        """For each key: its final answer, ``granted`` (ours to ask now) or ``elsewhere`` (another owner asks it)."""
        self._owner.number()  # registers in a transaction of its own
        unique = list(dict.fromkeys(keys))
        with self._database.write() as connection:
            rows = found(connection, statements.ANSWERS, unique)
            result: dict[bytes, Claim] = {key: self._answer(connection, columns) for key, *columns in rows}
            wanted = [key for key in unique if key not in result] if rows else unique
            ours = self._owner.claim(connection, wanted)
            result.update({key: "granted" if key in ours else "elsewhere" for key in wanted})
        return result

    def store(self, answers: Sequence[tuple[bytes, Answer]]) -> None:
        """Keep final answers, take down failures, and give back the claims on all of them."""
        now = time.time()
        rows, failures = [], []
        with self._database.write() as connection:
            for key, answer in answers:
                if answer.failure is not None:
                    failures.append((key, answer.failure.kind, answer.failure.message[:2000], now))
                    continue
                usage = answer.usage
                rows.append(
                    (
                        key,
                        answer.status,
                        answer.text,
                        answer.thinking,
                        answer.finish_reason,
                        usage.prompt,
                        usage.completion,
                        usage.cached,
                        usage.reasoning,
                        round(answer.latency, 4),
                        self._sent_id(connection, answer),
                        now,
                    )
                )
            connection.executemany(statements.PUT_ANSWER, rows)
            connection.executemany(statements.FORGET_FAILURE, [(row[0],) for row in rows])
            connection.executemany(statements.PUT_FAILURE, failures)
            self._owner.release(connection, [key for key, _ in answers])

    def release(self, keys: Sequence[bytes]) -> None:
        """Give back claims on requests that were not asked after all."""
        with self._database.write() as connection:
            self._owner.release(connection, keys)

    def put_verdicts(self, judging_id: int, verdicts: Sequence[tuple[int, Verdict]]) -> None:
        """Keep verdicts at their positions."""
        if not verdicts:
            return
        with self._database.write() as connection:
            connection.executemany(statements.PUT_VERDICT, [verdict_values(judging_id, *pair) for pair in verdicts])

    def put_replies(self, judging_id: int, replies: Sequence[tuple[int, int, bytes]]) -> None:
        """Take down which request (position, attempt, key) a judging made."""
        if replies:
            with self._database.write() as connection:
                connection.executemany(statements.PUT_REPLY, [(judging_id, *reply) for reply in replies])

    def clear_verdicts(self, judging_id: int) -> None:
        """Forget a judging's verdicts, since its judge's source has changed; the replies stay."""
        if self.read_only:
            raise LedgerError(
                "these verdicts are of another version of their judge and have to be read anew, but the workspace "
                f"{self._database.folder} can only be read: copy it to where you may write, and name that --workspace"
            )
        with self._database.write() as connection:
            connection.execute("DELETE FROM verdict WHERE run_id = ?", (judging_id,))

    def _sent_id(self, connection: sqlite3.Connection, answer: Answer) -> int | None:
        if not answer.sent and not answer.server_model and answer.likelihood is None:
            return None
        sent = {**answer.sent, "server_model": answer.server_model} if answer.server_model else answer.sent
        if answer.likelihood is not None:  # it has no column: such an answer has a row of its own among the sent
            sent = {**sent, "likelihood": [getattr(answer.likelihood, name) for name in Likelihood.__slots__]}
        body = orjson.dumps(sent, option=orjson.OPT_SORT_KEYS)
        digest = hashlib.sha256(body).digest()[:16]
        number = self._sent.get(digest) or self._fresh.get(digest)
        if number is None:
            if not self._fresh:
                self._database.when_over(self._keep_fresh)
            connection.execute(statements.PUT_SENT, (digest, body.decode()))
            number = self._fresh[digest] = int(value(connection, "SELECT id FROM sent WHERE hash = ?", digest))
        return number

    def _keep_fresh(self, committed: bool) -> None:
        """Numbers that were given in a transaction hold if it was committed."""
        if len(self._sent) > 10_000:
            self._sent.clear()
        if committed:
            self._sent |= self._fresh
        self._fresh.clear()

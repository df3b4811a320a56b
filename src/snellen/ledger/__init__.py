"""The ledger: one database of runs, item snapshots, answers and verdicts in the workspace.

SQLite in WAL mode, spoken to through SQLAlchemy Core. All methods are synchronous and are one transaction each; the
engine calls them from a single thread. Whatever is final is kept under the hash of its request; a request that is
being asked is claimed by an owner, whose life is an operating system's file lock.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import orjson
from sqlalchemy import Connection, bindparam, delete, select, union, update
from sqlalchemy.dialects import sqlite

from snellen.answer import Answer
from snellen.ledger import schema as t
from snellen.ledger.database import Database
from snellen.ledger.owners import Owner
from snellen.ledger.reading import Reading
from snellen.ledger.rows import (
    ANSWER_COLUMNS,
    PlannedRow,
    ResultRow,
    RunRow,
    chunks,
    ids,
    run_row,
    verdict_values,
)
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
        self._sent_bodies = {}

    @property
    def path(self) -> Path:
        """The database file."""
        return self._database.path

    def close(self) -> None:
        """Give back all claims and close the database."""
        self._owner.close()
        self._database.dispose()

    def add_run(self, name: str, plan: bytes, spec: Mapping[str, Any], parent: int | None = None) -> RunRow:
        """The run of that plan, made if it is new."""
        with self._database.write() as connection:
            row = connection.execute(select(t.run).where(t.run.c.plan == plan)).one_or_none()
            if row is None:
                values = {
                    "name": name,
                    "plan": plan,
                    "parent": parent,
                    "spec": orjson.dumps(spec).decode(),
                    "manifest": "{}",
                    "created": time.time(),
                }
                connection.execute(t.run.insert(), values)
                row = connection.execute(select(t.run).where(t.run.c.plan == plan)).one()
        return run_row(row)

    def record(self, run_id: int, manifest: Mapping[str, Any]) -> None:
        """Replace what is recorded about a run beside its plan."""
        with self._database.write() as connection:
            body = orjson.dumps(manifest, option=orjson.OPT_NON_STR_KEYS).decode()
            connection.execute(update(t.run).where(t.run.c.id == run_id).values(manifest=body))

    def respecify(self, run_id: int, spec: Mapping[str, Any]) -> None:
        """Replace what is needed to go on with a run (a judging whose source changed keeps its plan)."""
        with self._database.write() as connection:
            connection.execute(update(t.run).where(t.run.c.id == run_id).values(spec=orjson.dumps(spec).decode()))

    def delete_run(self, run_id: int) -> None:
        """Delete a run with its judgings (or one judging), and the answers and items that nothing else refers to."""
        with self._database.write() as connection:
            children = [*connection.execute(select(t.run.c.id).where(t.run.c.parent == run_id)).scalars(), run_id]
            for table in (t.verdict, t.reply, t.run_item):
                connection.execute(delete(table).where(table.c.run_id.in_(children)))
            for number in children:
                connection.execute(delete(t.run).where(t.run.c.id == number))
            used = union(select(t.run_item.c.key).where(t.run_item.c.key.is_not(None)), select(t.reply.c.key))
            connection.execute(delete(t.answer).where(t.answer.c.key.not_in(used)))
            connection.execute(delete(t.failure).where(t.failure.c.key.not_in(used)))
            connection.execute(delete(t.item).where(t.item.c.id.not_in(select(t.run_item.c.item_id))))
            kept = select(t.answer.c.sent_id).where(t.answer.c.sent_id.is_not(None))
            connection.execute(delete(t.sent).where(t.sent.c.id.not_in(kept)))
            self._sent.clear()
            self._sent_bodies.clear()

    def plan_items(self, run_id: int, rows: Sequence[PlannedRow]) -> None:
        """Take a chunk of a run's items down: snapshots where they are new, and positions with their keys."""
        snapshots = [row.item.snapshot() for row in rows]
        with self._database.write() as connection:
            known = ids(connection, t.item, [digest for digest, _ in snapshots])
            fresh = {digest: body for digest, body in snapshots if digest not in known}
            if fresh:
                values = [{"hash": digest, "body": body.decode()} for digest, body in fresh.items()]
                connection.execute(sqlite.insert(t.item).on_conflict_do_nothing(), values)
                known |= ids(connection, t.item, list(fresh))
            insert = sqlite.insert(t.run_item)
            changed = {name: insert.excluded[name] for name in ("item_id", "key", "error")}
            connection.execute(
                insert.on_conflict_do_update(
                    index_elements=["run_id", "position"],
                    set_=changed,
                    # A plan that says the same again is not written again: a resumed run leaves the pages alone.
                    where=(t.run_item.c.item_id != changed["item_id"])
                    | t.run_item.c.key.is_distinct_from(changed["key"])
                    | t.run_item.c.error.is_distinct_from(changed["error"]),
                ),
                [
                    {
                        "run_id": run_id,
                        "position": row.position,
                        "item_id": known[digest],
                        "key": row.key,
                        "error": row.error or None,
                    }
                    for row, (digest, _) in zip(rows, snapshots, strict=True)
                ],
            )

    def claim(self, keys: Sequence[bytes]) -> dict[bytes, Claim]:
        """For each key: its final answer, ``granted`` (ours to ask now) or ``elsewhere`` (another owner asks it)."""
        self._owner.number()  # registers in a transaction of its own
        result: dict[bytes, Claim] = {}
        with self._database.write() as connection:
            for chunk in chunks(list(dict.fromkeys(keys))):
                answers = connection.execute(
                    select(t.answer.c.key, *ANSWER_COLUMNS).where(t.answer.c.key.in_(chunk))
                ).all()
                result.update({row.key: self._answer(connection, row) for row in answers})
                wanted = [key for key in chunk if key not in result]
                if not wanted:
                    continue
                ours = self._owner.claim(connection, wanted)
                result.update({key: "granted" if key in ours else "elsewhere" for key in wanted})
        return result

    def store(self, answers: Sequence[tuple[bytes, Answer]]) -> None:
        """Keep final answers, take down failures, and give back the claims on all of them."""
        now = time.time()
        fresh: dict[bytes, int] = {}  # numbers given in this transaction: known to others once it has come to its end
        with self._database.write() as connection:
            rows = []
            failures = []
            for key, answer in answers:
                if answer.failure is not None:
                    message = answer.failure.message[:2000]
                    failures.append({"key": key, "kind": answer.failure.kind, "message": message, "created": now})
                    continue
                sent = dict(answer.sent)
                if answer.server_model:
                    sent["server_model"] = answer.server_model
                rows.append(
                    {
                        "key": key,
                        "status": answer.status,
                        "text": answer.text,
                        "thinking": answer.thinking,
                        "finish_reason": answer.finish_reason,
                        "prompt_tokens": answer.usage.prompt,
                        "completion_tokens": answer.usage.completion,
                        "cached_tokens": answer.usage.cached,
                        "reasoning_tokens": answer.usage.reasoning,
                        "latency": round(answer.latency, 4),
                        "sent_id": self._sent_id(connection, sent, fresh) if sent else None,
                        "created": now,
                    }
                )
            if rows:
                connection.execute(sqlite.insert(t.answer).on_conflict_do_nothing(), rows)
                keys = [{"k": row["key"]} for row in rows]
                connection.execute(delete(t.failure).where(t.failure.c.key == bindparam("k")), keys)
            if failures:
                connection.execute(t.failure.insert(), failures)
            self._owner.release(connection, [key for key, _ in answers])
        if len(self._sent) > 10_000:
            self._sent.clear()
        self._sent |= fresh

    def release(self, keys: Sequence[bytes]) -> None:
        """Give back claims on requests that were not asked after all."""
        with self._database.write() as connection:
            self._owner.release(connection, keys)

    def put_verdicts(self, judging_id: int, verdicts: Sequence[tuple[int, Verdict]]) -> None:
        """Keep verdicts at their positions."""
        if not verdicts:
            return
        insert = sqlite.insert(t.verdict)
        columns = ("value", "unscored", "flags", "reason", "measures")
        statement = insert.on_conflict_do_update(
            index_elements=["run_id", "position"], set_={name: insert.excluded[name] for name in columns}
        )
        with self._database.write() as connection:
            connection.execute(statement, [verdict_values(judging_id, *pair) for pair in verdicts])

    def put_replies(self, judging_id: int, replies: Sequence[tuple[int, int, bytes]]) -> None:
        """Take down which request (position, attempt, key) a judging made."""
        if replies:
            values = [{"run_id": judging_id, "position": p, "attempt": a, "key": k} for p, a, k in replies]
            insert = sqlite.insert(t.reply)
            with self._database.write() as connection:
                connection.execute(
                    insert.on_conflict_do_update(
                        index_elements=["run_id", "position", "attempt"], set_={"key": insert.excluded.key}
                    ),
                    values,
                )

    def clear_verdicts(self, judging_id: int) -> None:
        """Forget a judging's verdicts, since its judge's source has changed; the replies stay."""
        with self._database.write() as connection:
            connection.execute(delete(t.verdict).where(t.verdict.c.run_id == judging_id))

    def _sent_id(self, connection: Connection, sent: Mapping[str, Any], fresh: dict[bytes, int]) -> int:
        body = orjson.dumps(sent, option=orjson.OPT_SORT_KEYS)
        digest = hashlib.sha256(body).digest()[:16]
        if digest in self._sent:
            return self._sent[digest]
        if digest not in fresh:
            values = {"hash": digest, "body": body.decode()}
            connection.execute(sqlite.insert(t.sent).on_conflict_do_nothing(), values)
            fresh |= ids(connection, t.sent, [digest])
        return fresh[digest]

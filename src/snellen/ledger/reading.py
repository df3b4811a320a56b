"""What can be asked of a ledger without changing it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson
from sqlalchemy import Connection, func, select

from snellen.answer import Answer, Failure, Usage
from snellen.errors import UsageError
from snellen.item import Item
from snellen.ledger import schema as t
from snellen.ledger import statements
from snellen.ledger.database import Database
from snellen.ledger.rows import ANSWER_COLUMNS, PlannedRow, ResultRow, RunRow, run_row, verdict_from

_ANSWER = len(ANSWER_COLUMNS)


class Reading:
    """Runs, items, answers and verdicts as they stand."""

    _database: Database
    _sent_bodies: dict[int, tuple[Mapping[str, Any], str]]

    def runs(self) -> list[RunRow]:
        """All runs and judgings, oldest first."""
        with self._database.read() as connection:
            return [run_row(row) for row in connection.execute(select(t.run).order_by(t.run.c.id))]

    def find_run(self, name: str) -> RunRow:
        """The run of that name or of that unambiguous beginning.

        Raises:
            UsageError: none or several; the candidates are given.
        """
        rows = self.runs()
        exact = [row for row in rows if row.name == name]
        found = exact or [row for row in rows if row.name.startswith(name) and ("@" in row.name) == ("@" in name)]
        if len(found) == 1:
            return found[0]
        names = ", ".join(row.name for row in (found or rows)[:8]) or "none yet"
        raise UsageError(f"{'several runs begin with' if found else 'there is no run'} {name!r}; there are: {names}")

    def judgings(self, run_id: int) -> list[RunRow]:
        """The judgings of a run, oldest first."""
        return [row for row in self.runs() if row.parent == run_id]

    def size(self, run_id: int) -> tuple[int, int]:
        """(items or verdicts, bytes of text of the answers or replies) of a run or judging."""
        length = func.coalesce(func.sum(func.length(t.answer.c.text) + func.length(t.answer.c.thinking)), 0)
        with self._database.read() as connection:
            counts = [
                connection.execute(select(func.count()).select_from(table).where(table.c.run_id == run_id)).scalar_one()
                for table in (t.run_item, t.verdict)
            ]
            size = 0
            for table in (t.run_item, t.reply):
                keys = select(table.c.key).where(table.c.run_id == run_id, table.c.key.is_not(None))
                size += int(connection.execute(select(length).where(t.answer.c.key.in_(keys))).scalar_one())
        return int(counts[0] or counts[1]), size

    def answered(self, keys: Iterable[bytes]) -> set[bytes]:
        """Those of the keys that have a final answer."""
        with self._database.read() as connection:
            return {row[0] for row in statements.ANSWERED.rows(connection, list(keys))}

    def final(self, key: bytes) -> Answer | None:
        """The final answer under a key."""
        with self._database.read() as connection:
            rows = statements.ANSWERS.rows(connection, [key])
            return self._answer(connection, rows[0][1:]) if rows else None

    def unanswered(self, run_id: int, after: int, limit: int) -> list[PlannedRow]:
        """Items of a run whose request has no final answer, from the position after `after` on."""
        with self._database.read() as connection:
            rows = statements.UNANSWERED.rows(connection, run_id, after, limit)
        return [PlannedRow(position, Item.from_json(orjson.loads(body)), key) for position, body, key in rows]

    def unjudged(self, run_id: int, judging_id: int, after: int, limit: int, last_answer: int) -> list[ResultRow]:
        """Answered items without a verdict after the position `after`, among the first `last_answer` answers."""
        with self._database.read() as connection:
            rows = statements.UNJUDGED.rows(connection, judging_id, run_id, after, last_answer, limit)
            return self._result_rows(connection, rows)

    def last_answer(self) -> int:
        """The number of the newest answer, 0 where there is none."""
        with self._database.read() as connection:
            return int(connection.execute(select(func.max(t.answer.c.id))).scalar() or 0)

    def results(self, run_id: int, judging_id: int | None, after: int = -1, limit: int = 1000) -> list[ResultRow]:
        """Rows of a run from the position after `after` on."""
        with self._database.read() as connection:
            rows = statements.RESULTS_AFTER.rows(connection, judging_id, run_id, after, limit)
            return self._result_rows(connection, rows)

    def at(self, run_id: int, judging_id: int | None, positions: Sequence[int]) -> list[ResultRow]:
        """Rows of a run at these positions, in the order of positions."""
        with self._database.read() as connection:
            rows = statements.RESULTS_AT.rows(connection, sorted(positions), judging_id, run_id)
            return self._result_rows(connection, rows)

    def judged(self, judging_id: int) -> set[int]:
        """Positions that have a verdict."""
        with self._database.read() as connection:
            return set(
                connection.execute(select(t.verdict.c.position).where(t.verdict.c.run_id == judging_id)).scalars()
            )

    def unreplied(self, judging_id: int) -> set[int]:
        """Positions without a verdict whose judge was asked and gave no answer."""
        query = (
            select(t.reply.c.position)
            .join(t.failure, t.failure.c.key == t.reply.c.key)  # one that was stopped in time is merely missing
            .outerjoin(t.answer, t.answer.c.key == t.reply.c.key)
            .where(t.reply.c.run_id == judging_id, t.answer.c.id.is_(None))
        )
        with self._database.read() as connection:
            positions = set(connection.execute(query).scalars())
        return positions - self.judged(judging_id)

    def replies(self, judging_id: int, position: int) -> list[tuple[int, Answer | None, Failure | None]]:
        """(attempt, reply, failure) of a judging at one position, by attempt."""
        query = (
            select(t.reply.c.attempt, t.reply.c.key, t.answer.c.id, *ANSWER_COLUMNS)
            .outerjoin(t.answer, t.answer.c.key == t.reply.c.key)
            .where(t.reply.c.run_id == judging_id, t.reply.c.position == position)
            .order_by(t.reply.c.attempt)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
            failures = self._failures(connection, [key for _, key, number, *_ in rows if number is None])
            return [
                (attempt, self._answer(connection, columns) if number is not None else None, failures.get(key))
                for attempt, key, number, *columns in rows
            ]

    def usage(self, run_id: int, *, judging: bool) -> dict[str, float]:
        """Sums over a run's answers or a judging's replies: requests, tokens, seconds of latency."""
        table = t.reply if judging else t.run_item
        keys = select(table.c.key).where(table.c.run_id == run_id, table.c.key.is_not(None)).distinct()
        columns = {
            "requests": func.count(t.answer.c.id),
            "prompt": func.coalesce(func.sum(t.answer.c.prompt_tokens), 0),
            "completion": func.coalesce(func.sum(t.answer.c.completion_tokens), 0),
            "cached": func.coalesce(func.sum(t.answer.c.cached_tokens), 0),
            "reasoning": func.coalesce(func.sum(t.answer.c.reasoning_tokens), 0),
            "latency": func.coalesce(func.sum(t.answer.c.latency), 0.0),
        }
        query = select(*(value.label(name) for name, value in columns.items())).where(t.answer.c.key.in_(keys))
        with self._database.read() as connection:
            return {name: float(value) for name, value in connection.execute(query).one()._mapping.items()}

    def sent(self, run_id: int, *, judging: bool) -> Iterator[tuple[Mapping[str, Any], int]]:
        """(what was really sent, number of requests) of a run's answers, distinct."""
        table = t.reply if judging else t.run_item
        query = (
            select(t.sent.c.body, func.count())
            .select_from(table)
            .join(t.answer, t.answer.c.key == table.c.key)
            .join(t.sent, t.sent.c.id == t.answer.c.sent_id)
            .where(table.c.run_id == run_id)
            .group_by(t.sent.c.id)
            .order_by(t.sent.c.id)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return ((orjson.loads(body), int(count)) for body, count in rows)

    def _result_rows(self, connection: Connection, rows: Sequence[Any]) -> list[ResultRow]:
        failures = self._failures(connection, [row[1] for row in rows if row[4] is None and row[1]])
        return [
            ResultRow(
                position,
                Item.from_json(orjson.loads(body)),
                key,
                error or "",
                self._answer(connection, columns[:_ANSWER]) if number is not None else None,
                failures.get(key),
                verdict_from(*columns[_ANSWER + 1 :]) if columns[_ANSWER] is not None else None,
            )
            for position, key, error, body, number, *columns in rows
        ]

    def _failures(self, connection: Connection, keys: Sequence[bytes]) -> dict[bytes, Failure]:
        """The last failure under each of these keys."""
        rows = statements.FAILURES.rows(connection, keys)
        return {key: Failure(kind, message) for key, kind, message in rows}

    def _answer(self, connection: Connection, columns: Sequence[Any]) -> Answer:
        """The answer of the columns `ANSWER_COLUMNS`."""
        status, text, thinking, finish_reason, prompt, completion, cached, reasoning, latency, sent_id = columns
        sent, server_model = self._sent_body(connection, sent_id) if sent_id is not None else ({}, "")
        return Answer(
            status,
            text,
            thinking,
            finish_reason,
            Usage(prompt, completion, cached, reasoning),
            latency,
            sent,
            server_model,
        )

    def _sent_body(self, connection: Connection, number: int) -> tuple[Mapping[str, Any], str]:
        """(what was sent, the server's model), kept in memory: thousands of answers share a few hundred of these."""
        found = self._sent_bodies.get(number)
        if found is None:
            if len(self._sent_bodies) >= 4096:
                self._sent_bodies.clear()
            text = connection.execute(select(t.sent.c.body).where(t.sent.c.id == number)).scalar()
            body = orjson.loads(text) if text is not None else {}
            server_model = body.pop("server_model", "")
            found = self._sent_bodies[number] = (body, server_model)
        return found

"""What can be asked of a ledger without changing it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from snellen.answer import Answer, Failure, Likelihood, Usage
from snellen.errors import UsageError
from snellen.item import Item
from snellen.ledger import statements
from snellen.ledger.database import Database
from snellen.ledger.rows import RUN_COLUMNS, Asked, PlannedRow, ResultRow, RunRow, run_row, verdict_from
from snellen.ledger.statements import ANSWER_COLUMNS, ANSWER_LENGTH, column, found, value

_GROUPS = 500  # as many texts of what was sent are in memory at once


class Reading:
    """Runs, items, answers and verdicts as they stand."""

    _database: Database
    _sent_bodies: dict[int, tuple[Mapping[str, Any], str, Likelihood | None]]

    def runs(self) -> list[RunRow]:
        """All runs and judgings, oldest first."""
        with self._database.read() as connection:
            return [run_row(row) for row in connection.execute(f"SELECT {RUN_COLUMNS} FROM run ORDER BY id")]

    def find_run(self, name: str) -> RunRow:
        """The run of that name or of that unambiguous beginning.

        Raises:
            UsageError: none or several; the candidates are given.
        """
        rows = self.runs()
        exact = [row for row in rows if row.name == name]
        found = exact or [row for row in rows if row.name.startswith(name) and ("@" in row.name) == ("@" in name)]
        names = {row.name for row in found}  # of several repeats, "NAME~2" and so on, the first is meant
        found = [row for row in found if row.name.rpartition("~")[0] not in names]
        if len(found) == 1:
            return found[0]
        import difflib  # for the one message alone

        near = [] if found else difflib.get_close_matches(name, [row.name for row in rows], 8, 0.7)
        known = ", ".join(near or [row.name for row in (found or rows)[:8]]) or "none yet"
        raise UsageError(f"{'several runs begin with' if found else 'there is no run'} {name!r}; there are: {known}")

    def judgings(self, run_id: int) -> list[RunRow]:
        """The judgings of a run, oldest first."""
        return [row for row in self.runs() if row.parent == run_id]

    def size(self, run_id: int) -> tuple[int, int]:
        """(items or verdicts, bytes of text of the answers or replies) of a run or judging."""
        with self._database.read() as connection:
            counts = [
                value(connection, f"SELECT count(*) FROM {table} WHERE run_id = ?", run_id)
                for table in ("run_item", "verdict")
            ]
            sizes = [
                value(
                    connection,
                    "SELECT coalesce(sum(length(text) + length(thinking)), 0) FROM answer"
                    f" WHERE key IN (SELECT key FROM {table} WHERE run_id = ? AND key IS NOT NULL)",
                    run_id,
                )
                for table in ("run_item", "reply")
            ]
        return int(counts[0] or counts[1]), int(sum(sizes))

    def is_empty(self, run_id: int) -> bool:
        """Whether a run or judging has no item, no verdict and no reply."""
        with self._database.read() as connection:
            return not any(
                value(connection, f"SELECT EXISTS (SELECT 1 FROM {table} WHERE run_id = ?)", run_id)
                for table in ("run_item", "verdict", "reply")
            )

    def answered(self, keys: Iterable[bytes]) -> set[bytes]:
        """Those of the keys that have a final answer."""
        with self._database.read() as connection:
            return {row[0] for row in found(connection, statements.ANSWERED, list(keys))}

    def final(self, key: bytes) -> Answer | None:
        """The final answer under a key."""
        with self._database.read() as connection:
            rows = found(connection, statements.ANSWERS, [key])
            return self._answer(connection, rows[0][1:]) if rows else None

    def unanswered(self, run_id: int, after: int, limit: int) -> list[PlannedRow]:
        """Items of a run whose request has no final answer, from the position after `after` on."""
        with self._database.read() as connection:
            rows = connection.execute(statements.UNANSWERED, (run_id, after, limit)).fetchall()
        return [PlannedRow(position, Item.from_json(orjson.loads(body)), key) for position, body, key in rows]

    def unjudged(self, run_id: int, judging_id: int, after: int, limit: int, last_answer: int) -> list[ResultRow]:
        """Answered items without a verdict after the position `after`, among the first `last_answer` answers."""
        with self._database.read() as connection:
            rows = connection.execute(statements.UNJUDGED, (judging_id, run_id, after, last_answer, limit))
            return self._result_rows(connection, rows.fetchall())

    def last_answer(self) -> int:
        """The number of the newest answer, 0 where there is none."""
        with self._database.read() as connection:
            return int(value(connection, "SELECT max(id) FROM answer") or 0)

    def results(self, run_id: int, judging_id: int | None, after: int = -1, limit: int = 1000) -> list[ResultRow]:
        """Rows of a run from the position after `after` on."""
        with self._database.read() as connection:
            rows = connection.execute(statements.RESULTS_AFTER, (judging_id, run_id, after, limit))
            return self._result_rows(connection, rows.fetchall())

    def at(self, run_id: int, judging_id: int | None, positions: Sequence[int]) -> list[ResultRow]:
        """Rows of a run at these positions, in the order of positions."""
        with self._database.read() as connection:
            rows = found(connection, statements.RESULTS_AT, sorted(positions), judging_id, run_id)
            return self._result_rows(connection, rows)

    def judged(self, judging_id: int) -> set[int]:
        """Positions that have a verdict."""
        with self._database.read() as connection:
            return set(column(connection, "SELECT position FROM verdict WHERE run_id = ?", judging_id))

    def unreplied(self, judging_id: int) -> set[int]:
        """Positions without a verdict whose judge was asked and gave no answer."""
        # One that was stopped in time has no failure, and is merely missing.
        query = """
            SELECT reply.position
            FROM reply
            JOIN failure ON failure.key = reply.key
            LEFT JOIN answer ON answer.key = reply.key
            WHERE reply.run_id = ? AND answer.id IS NULL
        """
        with self._database.read() as connection:
            positions = set(column(connection, query, judging_id))
        return positions - self.judged(judging_id) if positions else positions

    def replies(self, judging_id: int, position: int) -> list[tuple[int, Answer | None, Failure | None]]:
        """(attempt, reply, failure) of a judging at one position, by attempt."""
        query = f"""
            SELECT reply.attempt, reply.key, answer.id, {ANSWER_COLUMNS}
            FROM reply
            LEFT JOIN answer ON answer.key = reply.key
            WHERE reply.run_id = ? AND reply.position = ?
            ORDER BY reply.attempt
        """
        with self._database.read() as connection:
            rows = connection.execute(query, (judging_id, position)).fetchall()
            failures = self._failures(connection, [key for _, key, number, *_ in rows if number is None])
            return [
                (attempt, self._answer(connection, columns) if number is not None else None, failures.get(key))
                for attempt, key, number, *columns in rows
            ]

    def usage(self, run_id: int, *, judging: bool) -> dict[str, float]:
        """Sums over a run's answers or a judging's replies: requests, tokens, seconds of latency."""
        names = ("requests", "prompt", "completion", "cached", "reasoning", "latency")
        query = f"""
            SELECT count(id), coalesce(sum(prompt_tokens), 0), coalesce(sum(completion_tokens), 0),
                coalesce(sum(cached_tokens), 0), coalesce(sum(reasoning_tokens), 0), coalesce(sum(latency), 0)
            FROM answer
            WHERE key IN (SELECT key FROM {_requests(judging)} WHERE run_id = ? AND key IS NOT NULL)
        """
        with self._database.read() as connection:
            return dict(zip(names, map(float, connection.execute(query, (run_id,)).fetchone()), strict=True))

    def asked(self, run_id: int, *, judging: bool) -> Iterator[Asked]:
        """What a run's answers or a judging's replies came to, one for each thing that was really sent.

        It costs one look at every answer, and no more memory than there are things sent.
        """
        table = _requests(judging)
        query = f"""
            SELECT sent_id, sum(rows), count(*), sum(prompt), sum(completion), sum(cached), sum(reasoning),
                sum(latency), min(created), max(created)
            FROM (
                SELECT answer.sent_id AS sent_id, count(*) AS rows, answer.prompt_tokens AS prompt,
                    answer.completion_tokens AS completion, answer.cached_tokens AS cached,
                    answer.reasoning_tokens AS reasoning, answer.latency AS latency, answer.created AS created
                FROM {table}
                JOIN answer ON answer.key = {table}.key
                WHERE {table}.run_id = ?
                GROUP BY answer.id
            ) AS asked
            GROUP BY sent_id
            ORDER BY sent_id
        """
        with self._database.read() as connection:
            groups = connection.execute(query, (run_id,)).fetchall()
        for start in range(0, len(groups), _GROUPS):
            page = groups[start : start + _GROUPS]
            with self._database.read() as connection:
                bodies = dict(found(connection, statements.SENT, [row[0] for row in page if row[0] is not None]))
            for number, rows, requests, prompt, completion, cached, reasoning, latency, first, last in page:
                sent = orjson.loads(bodies[number]) if number in bodies else None
                usage = Usage(prompt or 0, completion or 0, cached or 0, reasoning or 0)
                yield Asked(sent, rows, requests, usage, latency, first, last)

    def _result_rows(self, connection: sqlite3.Connection, rows: Sequence[Any]) -> list[ResultRow]:
        failures = self._failures(connection, [row[1] for row in rows if row[4] is None and row[1]])
        return [
            ResultRow(
                position,
                Item.from_json(orjson.loads(body)),
                key,
                error or "",
                self._answer(connection, columns[:ANSWER_LENGTH]) if number is not None else None,
                failures.get(key),
                verdict_from(*columns[ANSWER_LENGTH + 1 :]) if columns[ANSWER_LENGTH] is not None else None,
            )
            for position, key, error, body, number, *columns in rows
        ]

    def _failures(self, connection: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, Failure]:
        """The last failure under each of these keys."""
        rows = found(connection, statements.FAILURES, keys)
        return {key: Failure(kind, message) for key, kind, message in rows}

    def _answer(self, connection: sqlite3.Connection, columns: Sequence[Any]) -> Answer:
        """The answer of the columns `ANSWER_COLUMNS`."""
        status, text, thinking, finish_reason, prompt, completion, cached, reasoning, latency, sent_id = columns
        nothing: tuple[Mapping[str, Any], str, Likelihood | None] = ({}, "", None)
        sent, server_model, likelihood = self._sent_body(connection, sent_id) if sent_id is not None else nothing
        return Answer(
            status,
            text,
            thinking,
            finish_reason,
            Usage(prompt, completion, cached, reasoning),
            latency,
            sent,
            server_model,
            likelihood=likelihood,
        )

    def _sent_body(
        self, connection: sqlite3.Connection, number: int
    ) -> tuple[Mapping[str, Any], str, Likelihood | None]:
        """(what was sent, the server's model, the answer's likelihood), kept in memory: thousands of answers share a
        few hundred of these, unless they have a likelihood."""
        found = self._sent_bodies.get(number)
        if found is None:
            if len(self._sent_bodies) >= 4096:
                self._sent_bodies.clear()
            text = value(connection, "SELECT body FROM sent WHERE id = ?", number)
            body = orjson.loads(text) if text is not None else {}
            server_model = body.pop("server_model", "")
            said = body.pop("likelihood", None)
            likelihood = Likelihood(*said) if said else None
            found = self._sent_bodies[number] = (body, server_model, likelihood)
        return found


def _requests(judging: bool) -> str:
    """The table that holds the keys of a judging's requests, or of a run's."""
    return "reply" if judging else "run_item"

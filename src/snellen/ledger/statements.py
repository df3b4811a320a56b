"""The statements that are run for every item, and queries over lists of keys.

The ledger's SQL is text, in what SQLite and PostgreSQL have in common, and goes to the database's own driver, which
keeps what it has prepared by the text. So a statement of another length is another statement, and a list of keys is
filled up to one of a few lengths.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

_LENGTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
_LIST = "(...)"


def found(connection: sqlite3.Connection, query: str, wanted: Sequence[Any], *values: Any) -> list[Any]:
    """The rows that a query finds for a list of any length, a few hundred at a time.

    Args:
        connection: in a transaction.
        query: has ``IN (...)``, as it stands here, for the list; no other parameter comes after it.
        wanted: the list.
        values: of the other parameters.
    """
    rows: list[Any] = []
    longest = _LENGTHS[-1]
    for start in range(0, len(wanted), longest):
        part = wanted[start : start + longest]
        length = next(length for length in _LENGTHS if length >= len(part))
        padding = [part[-1]] * (length - len(part))  # a value twice in the list is found once
        rows += connection.execute(_of_length(query, length), (*values, *part, *padding)).fetchall()
    return rows


@lru_cache(256)
def _of_length(query: str, length: int) -> str:
    return query.replace(_LIST, marks(length))


def marks(length: int) -> str:
    """So many parameters in parentheses: ``(?, ?)``."""
    return f"({', '.join('?' * length)})"


def value(connection: sqlite3.Connection, query: str, *values: Any) -> Any:
    """The first column of the first row that a query finds, None where it finds nothing."""
    row = connection.execute(query, values).fetchone()
    return None if row is None else row[0]


def column(connection: sqlite3.Connection, query: str, *values: Any) -> list[Any]:
    """The first column of all rows that a query finds."""
    return [row[0] for row in connection.execute(query, values)]


ANSWER_COLUMNS = (
    "answer.status, answer.text, answer.thinking, answer.finish_reason, answer.prompt_tokens,"
    " answer.completion_tokens, answer.cached_tokens, answer.reasoning_tokens, answer.latency, answer.sent_id"
)
ANSWER_LENGTH = len(ANSWER_COLUMNS.split(","))

_RESULTS = f"""
SELECT run_item.position, run_item.key, run_item.error, item.body, answer.id, {ANSWER_COLUMNS},
    verdict.run_id, verdict.value, verdict.unscored, verdict.flags, verdict.reason, verdict.measures
FROM run_item
JOIN item ON item.id = run_item.item_id
LEFT JOIN answer ON answer.key = run_item.key
LEFT JOIN verdict ON verdict.run_id = ? AND verdict.position = run_item.position
WHERE run_item.run_id = ?
"""
RESULTS_AFTER = f"{_RESULTS} AND run_item.position > ? ORDER BY run_item.position LIMIT ?"
RESULTS_AT = f"{_RESULTS} AND run_item.position IN (...) ORDER BY run_item.position"
UNJUDGED = f"""
{_RESULTS} AND run_item.position > ? AND verdict.run_id IS NULL AND answer.id <= ?
ORDER BY run_item.position LIMIT ?
"""
UNANSWERED = """
SELECT run_item.position, item.body, run_item.key
FROM run_item
JOIN item ON item.id = run_item.item_id
LEFT JOIN answer ON answer.key = run_item.key
WHERE run_item.run_id = ? AND run_item.position > ? AND run_item.key IS NOT NULL AND answer.id IS NULL
ORDER BY run_item.position LIMIT ?
"""

ANSWERED = "SELECT key FROM answer WHERE key IN (...)"
ANSWERS = f"SELECT key, {ANSWER_COLUMNS} FROM answer WHERE key IN (...)"
FAILURES = "SELECT key, kind, message FROM failure WHERE key IN (...) ORDER BY id"
SENT = "SELECT id, body FROM sent WHERE id IN (...)"
ITEM_IDS = "SELECT hash, id FROM item WHERE hash IN (...)"

PUT_ITEM = "INSERT INTO item (hash, body) VALUES (?, ?) ON CONFLICT DO NOTHING"
PUT_SENT = "INSERT INTO sent (hash, body) VALUES (?, ?) ON CONFLICT DO NOTHING"
PUT_ANSWER = f"""
INSERT INTO answer (key, {ANSWER_COLUMNS.replace("answer.", "")}, created)
VALUES {marks(ANSWER_LENGTH + 2)}
ON CONFLICT DO NOTHING
"""
PUT_FAILURE = "INSERT INTO failure (key, kind, message, created) VALUES (?, ?, ?, ?)"
FORGET_FAILURE = "DELETE FROM failure WHERE key = ?"

PUT_CLAIM = "INSERT INTO claim (key, owner_id) VALUES (?, ?) ON CONFLICT DO NOTHING"
FORGET_CLAIM = "DELETE FROM claim WHERE key = ?"
OTHERS_CLAIM = "SELECT owner_id FROM claim WHERE owner_id <> ? LIMIT 1"
HOLDERS = "SELECT key, owner_id FROM claim WHERE key IN (...)"

# A plan that says the same again is not written again: a resumed run leaves the pages alone. Of two texts or keys,
# either may be NULL, which is neither equal to anything nor different.
PUT_RUN_ITEM = """
INSERT INTO run_item (run_id, position, item_id, key, error) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (run_id, position) DO UPDATE
SET item_id = excluded.item_id, key = excluded.key, error = excluded.error
WHERE run_item.item_id <> excluded.item_id
    OR run_item.key <> excluded.key OR (run_item.key IS NULL) <> (excluded.key IS NULL)
    OR run_item.error <> excluded.error OR (run_item.error IS NULL) <> (excluded.error IS NULL)
"""
PUT_VERDICT = """
INSERT INTO verdict (run_id, position, value, unscored, flags, reason, measures) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (run_id, position) DO UPDATE
SET value = excluded.value, unscored = excluded.unscored, flags = excluded.flags, reason = excluded.reason,
    measures = excluded.measures
"""
PUT_REPLY = """
INSERT INTO reply (run_id, position, attempt, key) VALUES (?, ?, ?, ?)
ON CONFLICT (run_id, position, attempt) DO UPDATE SET key = excluded.key
"""

"""A run's plan as the ledger holds it: what stands there already, what is left of it, and whether it was sealed.

A seal says under which sources a whole plan was taken down, and what its rows were. It holds as long as both are the
same, so it cannot hide a change: rows that another version, another process or a deletion has changed break it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from snellen.answer import Answer, Failure
from snellen.item import Item
from snellen.ledger.reading import Reading
from snellen.ledger.rows import seal_name, verdict_from
from snellen.ledger.statements import column, value
from snellen.verdict import Verdict

_PAGE = 1000


class RowsDigest:
    """Digest of a plan's rows, fed in the order of positions."""

    def __init__(self) -> None:
        self._digest, self.count = hashlib.sha256(), 0

    def add(self, item: bytes, key: bytes) -> None:
        """The next row: 16 bytes of its item's content hash, 16 of its request's key."""
        self._digest.update(item + key)
        self.count += 1

    def hexdigest(self) -> str:
        """Of the rows so far."""
        return self._digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Seal:
    """With which sources a whole plan was taken down, and the number and digest of its rows."""

    sources: str
    count: int
    rows: str


@dataclass(frozen=True, slots=True)
class LeanRow:
    """What a table needs of one item of a run.

    Attributes:
        position: in the plan.
        item: plain values of the item, as `Item.to_json` gives them.
        error: why it cannot be asked.
        verdict: of the judging, without its reason.
        answer: where there is no verdict, with status, text and finish reason alone.
        failure: the last one, where there is no answer.
    """

    position: int
    item: dict[str, Any]
    error: str
    verdict: Verdict | None
    answer: Answer | None
    failure: Failure | None


def standing(ledger: Reading, run_id: int, first: int, last: int) -> dict[int, tuple[bytes, bytes | None, str]]:
    """Position -> (content hash of the item, key, error) of a run's rows from the first to the last of these."""
    query = """
        SELECT run_item.position, item.hash, run_item.key, run_item.error
        FROM run_item
        JOIN item ON item.id = run_item.item_id
        WHERE run_item.run_id = ? AND run_item.position BETWEEN ? AND ?
    """
    with ledger._database.read() as connection:
        rows = connection.execute(query, (run_id, first, last))
        return {position: (digest, key, error or "") for position, digest, key, error in rows}


def positions_of(ledger: Reading, run_id: int) -> list[int]:
    """The positions that a run holds, in order."""
    with ledger._database.read() as connection:
        return column(connection, "SELECT position FROM run_item WHERE run_id = ? ORDER BY position", run_id)


def keys_of(ledger: Reading, run_id: int, below: int) -> Iterator[list[tuple[int, bytes, bytes | None, bool]]]:
    """(position, content hash of the item, key, whether it is answered) of a run's first positions, by pages."""
    query = """
        SELECT run_item.position, item.hash, run_item.key, answer.id IS NOT NULL
        FROM run_item
        JOIN item ON item.id = run_item.item_id
        LEFT JOIN answer ON answer.key = run_item.key
        WHERE run_item.run_id = ? AND run_item.position > ? AND run_item.position < ?
        ORDER BY run_item.position LIMIT ?
    """
    after = -1
    while after + 1 < below:
        with ledger._database.read() as connection:
            page = connection.execute(query, (run_id, after, below, _PAGE))
            rows = [(position, digest, key, bool(answered)) for position, digest, key, answered in page]
        if not rows:
            return
        yield rows
        after = rows[-1][0]


def first_items(ledger: Reading, run_id: int, limit: int) -> list[Item]:
    """A run's first items that can be asked."""
    query = """
        SELECT item.body
        FROM run_item
        JOIN item ON item.id = run_item.item_id
        WHERE run_item.run_id = ? AND run_item.key IS NOT NULL
        ORDER BY run_item.position LIMIT ?
    """
    with ledger._database.read() as connection:
        return [Item.from_json(orjson.loads(body)) for body in column(connection, query, run_id, limit)]


def images_of(ledger: Reading, run_id: int) -> set[str]:
    """Hex digests of the images of a run's items."""
    query = "SELECT item.body FROM run_item JOIN item ON item.id = run_item.item_id WHERE run_item.run_id = ?"
    with ledger._database.read() as connection:
        bodies = connection.execute(query, (run_id,))
        return {image["sha256"] for (body,) in bodies for image in orjson.loads(body)["images"]}


def judged_count(ledger: Reading, judging_id: int, positions: Container[int]) -> int:
    """How many of these positions have a verdict."""
    query = "SELECT position FROM verdict WHERE run_id = ?"
    with ledger._database.read() as connection:
        return sum(position in positions for position in column(connection, query, judging_id))


def answer_counts(ledger: Reading, run_id: int, positions: Container[int] | None) -> Counter[str]:
    """What came of asking at these positions (all, if None): a final status, ``missing``, or the kind of an error."""
    query = """
        SELECT run_item.position,
            coalesce(
                substr(run_item.error, 1, instr(run_item.error || ':', ':') - 1),
                answer.status,
                CASE WHEN EXISTS (SELECT 1 FROM failure WHERE failure.key = run_item.key) THEN 'model_error' END,
                'missing'
            )
        FROM run_item
        LEFT JOIN answer ON answer.key = run_item.key
        WHERE run_item.run_id = ?
    """
    with ledger._database.read() as connection:
        rows = connection.execute(query, (run_id,))
        return Counter(kind for position, kind in rows if positions is None or position in positions)


def lean_results(ledger: Reading, run_id: int, judging_id: int | None) -> Iterator[LeanRow]:
    """Every row of a run seen through a judging, by position, without the texts of answers that are judged."""
    query = """
        SELECT run_item.position, run_item.key, run_item.error, item.body,
            answer.status, CASE WHEN verdict.run_id IS NULL THEN answer.text END, answer.finish_reason,
            verdict.run_id, verdict.value, verdict.unscored, verdict.flags, verdict.measures
        FROM run_item
        JOIN item ON item.id = run_item.item_id
        LEFT JOIN answer ON answer.key = run_item.key
        LEFT JOIN verdict ON verdict.run_id = ? AND verdict.position = run_item.position
        WHERE run_item.run_id = ? AND run_item.position > ?
        ORDER BY run_item.position LIMIT ?
    """
    after = -1
    while True:
        with ledger._database.read() as connection:
            rows = connection.execute(query, (judging_id, run_id, after, _PAGE)).fetchall()
            failures = ledger._failures(
                connection, [key for _, key, _, _, status, *_ in rows if status is None and key]
            )
        if not rows:
            return
        for position, key, error, body, status, text, finish_reason, judged_by, *verdict in rows:
            answered = judged_by is None and status is not None
            yield LeanRow(
                position,
                orjson.loads(body),
                error or "",
                None if judged_by is None else _verdict(*verdict),
                Answer(status, text, finish_reason=finish_reason) if answered else None,
                failures.get(key),
            )
        after = rows[-1][0]


@lru_cache(1024)
def _verdict(value: int | None, unscored: str | None, flags: int, measures: str | None) -> Verdict:
    return verdict_from(value, unscored, flags, "", measures)


def seal(ledger: Reading, run_id: int) -> Seal | None:
    """The seal of a run's plan, None where it has none."""
    with ledger._database.read() as connection:
        sealed = value(connection, "SELECT value FROM meta WHERE name = ?", seal_name(run_id))
    return Seal(*orjson.loads(sealed)) if sealed else None


def put_seal(ledger: Reading, run_id: int, sources: str, rows: RowsDigest) -> None:
    """Seal a run's plan, in place of any earlier seal."""
    body = orjson.dumps([sources, rows.count, rows.hexdigest()]).decode()
    statement = "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    with ledger._database.write() as connection:
        connection.execute(statement, (seal_name(run_id), body))

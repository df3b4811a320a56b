"""A run's plan as the ledger holds it: what stands there already, what is left of it, and whether it was sealed.

A seal says under which sources a whole plan was taken down, and what its rows were. It holds as long as both are the
same, so it cannot hide a change: rows that another version, another process or a deletion has changed break it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson
from sqlalchemy import and_, case, func, select
from sqlalchemy.dialects import sqlite

from snellen.answer import Answer, Failure
from snellen.item import Item
from snellen.ledger import schema as t
from snellen.ledger.reading import Reading
from snellen.ledger.rows import verdict_from
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
    query = (
        select(t.run_item.c.position, t.item.c.hash, t.run_item.c.key, t.run_item.c.error)
        .join(t.item, t.item.c.id == t.run_item.c.item_id)
        .where(t.run_item.c.run_id == run_id, t.run_item.c.position.between(first, last))
    )
    with ledger._database.read() as connection:
        return {row.position: (row.hash, row.key, row.error or "") for row in connection.execute(query)}


def keys_of(ledger: Reading, run_id: int, below: int) -> Iterator[list[tuple[int, bytes, bytes | None, bool]]]:
    """(position, content hash of the item, key, whether it is answered) of a run's first positions, by pages."""
    query = (
        select(t.run_item.c.position, t.item.c.hash, t.run_item.c.key, t.answer.c.id.is_not(None))
        .join(t.item, t.item.c.id == t.run_item.c.item_id)
        .outerjoin(t.answer, t.answer.c.key == t.run_item.c.key)
        .order_by(t.run_item.c.position)
        .limit(_PAGE)
    )
    after = -1
    while after + 1 < below:
        page = query.where(t.run_item.c.run_id == run_id, t.run_item.c.position > after, t.run_item.c.position < below)
        with ledger._database.read() as connection:
            rows = [(row[0], row[1], row[2], bool(row[3])) for row in connection.execute(page)]
        if not rows:
            return
        yield rows
        after = rows[-1][0]


def first_items(ledger: Reading, run_id: int, limit: int) -> list[Item]:
    """A run's first items that can be asked."""
    query = (
        select(t.item.c.body)
        .join(t.run_item, t.run_item.c.item_id == t.item.c.id)
        .where(t.run_item.c.run_id == run_id, t.run_item.c.key.is_not(None))
        .order_by(t.run_item.c.position)
        .limit(limit)
    )
    with ledger._database.read() as connection:
        return [Item.from_json(orjson.loads(body)) for body in connection.execute(query).scalars()]


def images_of(ledger: Reading, run_id: int) -> set[str]:
    """Hex digests of the images of a run's items."""
    images = func.json_extract(t.item.c.body, "$.images")
    query = (
        select(images)
        .select_from(t.run_item)
        .join(t.item, t.item.c.id == t.run_item.c.item_id)
        .where(t.run_item.c.run_id == run_id)
        .distinct()
    )
    with ledger._database.read() as connection:
        return {image["sha256"] for text in connection.execute(query).scalars() for image in orjson.loads(text)}


def judged_count(ledger: Reading, judging_id: int, positions: Container[int]) -> int:
    """How many of these positions have a verdict."""
    query = select(t.verdict.c.position).where(t.verdict.c.run_id == judging_id)
    with ledger._database.read() as connection:
        return sum(position in positions for position in connection.execute(query).scalars())


def lean_results(ledger: Reading, run_id: int, judging_id: int | None) -> Iterator[LeanRow]:
    """Every row of a run seen through a judging, by position, without the texts of answers that are judged."""
    query = (
        select(
            t.run_item.c.position,
            t.run_item.c.key,
            t.run_item.c.error,
            t.item.c.body,
            t.answer.c.status,
            case((t.verdict.c.run_id.is_(None), t.answer.c.text)),
            t.answer.c.finish_reason,
            t.verdict.c.run_id,
            t.verdict.c.value,
            t.verdict.c.unscored,
            t.verdict.c.flags,
            t.verdict.c.measures,
        )
        .select_from(t.run_item)
        .join(t.item, t.item.c.id == t.run_item.c.item_id)
        .outerjoin(t.answer, t.answer.c.key == t.run_item.c.key)
        .outerjoin(t.verdict, and_(t.verdict.c.run_id == judging_id, t.verdict.c.position == t.run_item.c.position))
        .where(t.run_item.c.run_id == run_id)
        .order_by(t.run_item.c.position)
        .limit(_PAGE)
    )
    after = -1
    while True:
        with ledger._database.read() as connection:
            rows = connection.execute(query.where(t.run_item.c.position > after)).all()
            failures = ledger._failures(connection, [row.key for row in rows if row.status is None and row.key])
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
        after = rows[-1].position


@lru_cache(1024)
def _verdict(value: int | None, unscored: str | None, flags: int, measures: str | None) -> Verdict:
    return verdict_from(value, unscored, flags, "", measures)


def seal(ledger: Reading, run_id: int) -> Seal | None:
    """The seal of a run's plan, None where it has none."""
    with ledger._database.read() as connection:
        value = connection.execute(select(t.meta.c.value).where(t.meta.c.name == t.seal_name(run_id))).scalar()
    return Seal(*orjson.loads(value)) if value else None


def put_seal(ledger: Reading, run_id: int, sources: str, rows: RowsDigest) -> None:
    """Seal a run's plan, in place of any earlier seal."""
    body = orjson.dumps([sources, rows.count, rows.hexdigest()]).decode()
    insert = sqlite.insert(t.meta)
    statement = insert.on_conflict_do_update(index_elements=["name"], set_={"value": insert.excluded.value})
    with ledger._database.write() as connection:
        connection.execute(statement, {"name": t.seal_name(run_id), "value": body})

"""What is asked of a ledger for the sake of one item: where it stands in every run, and what was asked about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from snellen.ledger.reading import Reading
from snellen.ledger.statements import column

_LIKE = str.maketrans({"\\": "\\\\", "%": "\\%", "_": "\\_"})


def places_of(ledger: Reading, item: str, run_id: int | None = None) -> list[tuple[int, int]]:
    """(run, position) of an item's id in that run, or in all, by run and position."""
    within = "" if run_id is None else "AND run_item.run_id = ?"
    query = f"""
        SELECT run_item.run_id, run_item.position, item.body
        FROM item
        JOIN run_item ON run_item.item_id = item.id
        WHERE item.body LIKE ? ESCAPE '\\' {within}
        ORDER BY run_item.run_id, run_item.position
    """
    try:
        written = orjson.dumps(item).decode()
    except TypeError:  # half a character: no item is called so
        return []
    with ledger._database.read() as connection:
        runs = () if run_id is None else (run_id,)
        rows = connection.execute(query, (f'%"id":{written.translate(_LIKE)}%', *runs)).fetchall()
    return [(run, position) for run, position, body in rows if orjson.loads(body)["id"] == item]


def ids_of(ledger: Reading, run_id: int) -> Iterator[str]:
    """The ids of a run's items, by position."""
    query = """
        SELECT item.body
        FROM run_item
        JOIN item ON item.id = run_item.item_id
        WHERE run_item.run_id = ?
        ORDER BY run_item.position
    """
    with ledger._database.read() as connection:
        bodies = column(connection, query, run_id)
    return (orjson.loads(body)["id"] for body in bodies)


def failures_of(ledger: Reading, key: bytes) -> list[dict[str, Any]]:
    """Kind, message and time of the attempts at a request that gave no answer, since the last one that gave one."""
    query = "SELECT kind, message, created FROM failure WHERE key = ? ORDER BY id"
    with ledger._database.read() as connection:
        rows = connection.execute(query, (key,)).fetchall()
    return [{"kind": kind, "message": message, "time": created} for kind, message, created in rows]


def reply_keys(ledger: Reading, judging_id: int, position: int) -> dict[int, bytes]:
    """Attempt -> key of what a judging asked about one position."""
    query = "SELECT attempt, key FROM reply WHERE run_id = ? AND position = ? ORDER BY attempt"
    with ledger._database.read() as connection:
        return dict(connection.execute(query, (judging_id, position)).fetchall())

"""Names of a run's items: what a table of numbers leaves out, and a data frame has."""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from snellen.ledger.reading import Reading

_PAGE = 1000

Names = tuple[int, str, str, str]
"""Position in the plan, id, cluster, id of the clean item: its own, or that of which it is a changed version."""


def item_names(ledger: Reading, run_id: int) -> Iterator[list[Names]]:
    """The names of a run's items by position, in pages."""
    query = """
        SELECT run_item.position, item.body
        FROM run_item
        JOIN item ON item.id = run_item.item_id
        WHERE run_item.run_id = ? AND run_item.position > ?
        ORDER BY run_item.position LIMIT ?
    """
    after = -1
    while True:
        with ledger._database.read() as connection:
            rows = connection.execute(query, (run_id, after, _PAGE)).fetchall()
        if not rows:
            return
        yield [_names(position, body) for position, body in rows]
        after = rows[-1][0]


def _names(position: int, body: bytes) -> Names:
    item = orjson.loads(body)
    own = str(item["id"])
    clean = str(item["groups"].get("pair", own)) if item["changes"] else own
    return position, own, str(item["cluster"]), clean

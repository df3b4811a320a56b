"""What the answers of a large run come to, kept in the ledger once nearly all of them are there.

To sum up takes a look at every answer, all over the file: ten microseconds each, in every command that names the run.
An answer that is there stays as it is as long as a run refers to it, so the sums stay true as long as the run asks the
same and what had no answer has none; that is what is looked at before they are taken from here, at a tenth of the cost.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from snellen.errors import LedgerError
from snellen.ledger import Ledger, schema
from snellen.ledger.rows import sums_name
from snellen.ledger.statements import column, value

LEAST = 10_000
"""Rows from which sums are kept."""

MOST_OPEN = 20_000
"""Requests without an answer with which they are: these are looked up each time."""

_PAGE = 20_000


def kept(ledger: Ledger, run_id: int, *, judging: bool, source: str, sum_up: Callable[[], Mapping[str, Any]]) -> Any:
    """The sums of a run's answers or of a judging's replies: as they were kept, else summed up now.

    Args:
        ledger: where the run is.
        run_id: of the run or judging.
        judging: whether it is one.
        source: digest of the source that sums up.
        sum_up: gives plain values, ``requests`` among them: how many distinct requests are answered.
    """
    if _rows(ledger, run_id, judging) < LEAST:
        return sum_up()
    name = sums_name(run_id)
    with ledger._database.read() as connection:
        created = value(connection, "SELECT created FROM run WHERE id = ?", run_id)
        there = value(connection, "SELECT value FROM meta WHERE name = ?", name)
    # Of a run that was deleted by a version that knew nothing of sums, they may be left under the number of another.
    seal = hashlib.blake2b(
        f"with what is open {source} {created!r}".encode() + _keys(ledger, run_id, judging)
    ).hexdigest()
    if there and (found := orjson.loads(there))[0] == seal and not ledger.answered(map(bytes.fromhex, found[2])):
        return found[1]
    sums = sum_up()
    if ledger.read_only:
        return sums
    lacking = _open(ledger, run_id, judging)
    # Not so where an answer came meanwhile.
    if len(lacking) <= MOST_OPEN and sums["requests"] + len(lacking) == _distinct(ledger, run_id, judging):
        body = orjson.dumps([seal, sums, [key.hex() for key in lacking]]).decode()
        with contextlib.suppress(LedgerError), ledger._database.write() as connection:
            # Where it is held by another process, or there is no room, it is only not quicker next time.
            connection.execute("REPLACE INTO meta (name, value) VALUES (?, ?)", (name, body))
    return sums


def _rows(ledger: Ledger, run_id: int, judging: bool) -> int:
    """How many rows a run or judging has, as far as `LEAST`."""
    query = f"SELECT count(*) FROM (SELECT 1 FROM {_table(judging)} WHERE run_id = ? LIMIT {LEAST})"
    with ledger._database.read() as connection:
        return int(value(connection, query, run_id))


def _keys(ledger: Ledger, run_id: int, judging: bool) -> bytes:
    """Digest of the keys of everything that is asked, in the order of rows."""
    order = "position, attempt" if judging else "position"
    # Many keys in one row: tables are read meanwhile, and each row would wait for the interpreter.
    query = f"""
        SELECT {schema.JOINED.format("key")}
        FROM (
            SELECT key FROM {_table(judging)}
            WHERE run_id = ? AND position >= ? AND position < ? AND key IS NOT NULL
            ORDER BY {order}
        ) AS asked
    """
    digest = hashlib.blake2b()
    with ledger._database.read() as connection:
        last = value(connection, f"SELECT max(position) FROM {_table(judging)} WHERE run_id = ?", run_id)
        for first in range(0, -1 if last is None else last + 1, _PAGE):
            digest.update((value(connection, query, run_id, first, first + _PAGE) or "").encode())
    return digest.digest()


def _open(ledger: Ledger, run_id: int, judging: bool) -> list[bytes]:
    """Requests without an answer, one more than `MOST_OPEN` at the most."""
    table = _table(judging)
    query = f"""
        SELECT DISTINCT {table}.key
        FROM {table}
        LEFT JOIN answer ON answer.key = {table}.key
        WHERE {table}.run_id = ? AND {table}.key IS NOT NULL AND answer.id IS NULL
        LIMIT {MOST_OPEN + 1}
    """
    with ledger._database.read() as connection:
        return column(connection, query, run_id)


def _distinct(ledger: Ledger, run_id: int, judging: bool) -> int:
    query = f"SELECT count(DISTINCT key) FROM {_table(judging)} WHERE run_id = ?"
    with ledger._database.read() as connection:
        return int(value(connection, query, run_id))


def _table(judging: bool) -> str:
    return "reply" if judging else "run_item"

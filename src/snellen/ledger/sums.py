"""What the answers of a large run come to, kept in the ledger once all of them are there.

To sum up takes a look at every answer, all over the file: ten microseconds each, in every command that names the run.
An answer that is there stays as it is as long as a run refers to it, so the sums stay true as long as the run asks the
same; that is what is looked at before they are taken from here, at a tenth of the cost.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from snellen.errors import LedgerError
from snellen.ledger import Ledger
from snellen.ledger.rows import sums_name
from snellen.ledger.statements import value

LEAST = 10_000
"""Rows from which sums are kept."""

_PAGE = 1_000


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
    seal = hashlib.blake2b(source.encode() + _keys(ledger, run_id, judging)).hexdigest()
    name = sums_name(run_id)
    with ledger._database.read() as connection:
        there = value(connection, "SELECT value FROM meta WHERE name = ?", name)
    if there and (found := orjson.loads(there))[0] == seal:
        return found[1]
    sums = sum_up()
    if not ledger.read_only and sums["requests"] == _distinct(ledger, run_id, judging):
        body = orjson.dumps([seal, sums]).decode()
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
    query = f"SELECT key FROM {_table(judging)} WHERE run_id = ? AND key IS NOT NULL ORDER BY {order}"
    digest = hashlib.blake2b()
    with ledger._database.read() as connection:
        rows = connection.execute(query, (run_id,))
        while page := rows.fetchmany(_PAGE):
            digest.update(b"".join(key for (key,) in page))
    return digest.digest()


def _distinct(ledger: Ledger, run_id: int, judging: bool) -> int:
    query = f"SELECT count(DISTINCT key) FROM {_table(judging)} WHERE run_id = ?"
    with ledger._database.read() as connection:
        return int(value(connection, query, run_id))


def _table(judging: bool) -> str:
    return "reply" if judging else "run_item"

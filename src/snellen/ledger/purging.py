"""Making a ledger smaller: shorter texts under the same keys, and the room of what is gone given back."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import CompoundSelect, bindparam, delete, func, select, union_all, update
from sqlalchemy.dialects import sqlite

from snellen.errors import LedgerError
from snellen.ledger import Ledger
from snellen.ledger import schema as t
from snellen.ledger.rows import chunks

_MARK = "purging"


@dataclass(frozen=True, slots=True)
class Text:
    """What an answer or reply holds that can be shortened.

    Attributes:
        number: of the answer.
        key: of its request.
        text, thinking, finish_reason: of the answer.
    """

    number: int
    key: bytes
    text: str
    thinking: str
    finish_reason: str


def numbers(ledger: Ledger, runs: Sequence[int]) -> tuple[list[int], int]:
    """(numbers of the answers and replies of these runs alone, how many they share with other runs).

    Args:
        ledger: the ledger.
        runs: numbers of runs and of judgings; a judging's replies belong to it.
    """

    def keys(*, named: bool) -> CompoundSelect[tuple[bytes]]:
        queries = []
        for table in (t.run_item, t.reply):
            there = table.c.run_id.in_(runs) if named else table.c.run_id.not_in(runs)
            queries.append(select(table.c.key).where(table.c.key.is_not(None), there))
        return union_all(*queries)

    ours = t.answer.c.key.in_(keys(named=True))
    elsewhere = t.answer.c.key.in_(keys(named=False))
    with ledger._database.read() as connection:
        found = list(
            connection.execute(select(t.answer.c.id).where(ours, ~elsewhere).order_by(t.answer.c.id)).scalars()
        )
        shared = connection.execute(select(func.count()).select_from(t.answer).where(ours, elsewhere)).scalar_one()
    return found, int(shared)


def texts(ledger: Ledger, wanted: Sequence[int]) -> list[Text]:
    """The texts of the answers of these numbers."""
    columns = (t.answer.c.id, t.answer.c.key, t.answer.c.text, t.answer.c.thinking, t.answer.c.finish_reason)
    found: list[Text] = []
    with ledger._database.read() as connection:
        for chunk in chunks(wanted):
            rows = connection.execute(select(*columns).where(t.answer.c.id.in_(chunk)).order_by(t.answer.c.id))
            found += [Text(*row) for row in rows]
    return found


def judgings_with(ledger: Ledger, keys: Sequence[bytes]) -> dict[bytes, list[tuple[int, int]]]:
    """Key -> (judging, position) of every reply under it."""
    found: dict[bytes, list[tuple[int, int]]] = {}
    with ledger._database.read() as connection:
        for chunk in chunks(keys):
            query = select(t.reply.c.key, t.reply.c.run_id, t.reply.c.position).where(t.reply.c.key.in_(chunk))
            for row in connection.execute(query):
                found.setdefault(row.key, []).append((row.run_id, row.position))
    return found


def shorten(ledger: Ledger, shorter: Sequence[tuple[int, str]]) -> None:
    """Replace texts, each by (number of the answer, its new text), and drop the thinking beside them."""
    mark = sqlite.insert(t.meta).on_conflict_do_nothing()
    statement = update(t.answer).where(t.answer.c.id == bindparam("number")).values(text=bindparam("new"), thinking="")
    with ledger._database.write() as connection:
        connection.execute(mark, {"name": _MARK, "value": "1"})
        connection.execute(statement, [{"number": number, "new": text} for number, text in shorter])


def unfinished(ledger: Ledger) -> bool:
    """Whether texts were shortened whose room has not been given back."""
    with ledger._database.read() as connection:
        return connection.execute(select(t.meta.c.value).where(t.meta.c.name == _MARK)).scalar() is not None


def give_back(ledger: Ledger) -> None:
    """Write the database anew without what is gone, so that the file gets smaller.

    Raises:
        LedgerError: the disk has no room for the copy, or another program is in the way; nothing is lost, and calling
            it again finishes it.
    """
    folder = ledger.path.parent
    advice = "what was purged is gone, but the file keeps its size until the same command is run again"
    with ledger._database.bare() as cursor:
        used, free, size = (
            int(cursor.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
        need = (used - free) * size
        places = [folder, _temporary_folder()]  # a copy in the temporary folder, then in the log beside the file
        same = len({place.stat().st_dev for place in places}) == 1
        for place in places[:1] if same else places:
            room, wanted = shutil.disk_usage(place).free, need * 2 if same else need
            if room < wanted:
                raise LedgerError(
                    f"there is no room to make {ledger.path} smaller: it takes {wanted / 1e6:,.0f} MB under {place},"
                    f" where {room / 1e6:,.0f} are free; {advice}"
                )
        cursor.execute("VACUUM")
    with ledger._database.write() as connection:
        connection.execute(delete(t.meta).where(t.meta.c.name == _MARK))
    with ledger._database.bare() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _temporary_folder() -> Path:
    """Where SQLite puts a copy for a while, as far as it can be foretold."""
    for name in ("SQLITE_TMPDIR", "TMPDIR"):
        if os.environ.get(name) and Path(os.environ[name]).is_dir():
            return Path(os.environ[name])
    return Path("/var/tmp") if Path("/var/tmp").is_dir() else Path(tempfile.gettempdir())

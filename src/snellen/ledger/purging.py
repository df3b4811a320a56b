"""Making a ledger smaller: shorter texts under the same keys, and the room of what is gone given back."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from snellen.errors import LedgerError
from snellen.ledger import Ledger
from snellen.ledger.statements import column, found, marks, value

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
    if not runs:
        return [], 0

    def keys(which: str) -> str:
        tables = ("run_item", "reply")
        return " UNION ALL ".join(
            f"SELECT key FROM {table} WHERE key IS NOT NULL AND run_id {which} {marks(len(runs))}" for table in tables
        )

    ours, elsewhere = f"key IN ({keys('IN')})", f"key IN ({keys('NOT IN')})"
    values = [*runs, *runs] * 2
    with ledger._database.read() as connection:
        alone = column(connection, f"SELECT id FROM answer WHERE {ours} AND NOT {elsewhere} ORDER BY id", *values)
        shared = value(connection, f"SELECT count(*) FROM answer WHERE {ours} AND {elsewhere}", *values)
    return alone, int(shared)


def texts(ledger: Ledger, wanted: Sequence[int]) -> list[Text]:
    """The texts of the answers of these numbers."""
    query = "SELECT id, key, text, thinking, finish_reason FROM answer WHERE id IN (...) ORDER BY id"
    with ledger._database.read() as connection:
        return [Text(*row) for row in found(connection, query, wanted)]


def judgings_with(ledger: Ledger, keys: Sequence[bytes]) -> dict[bytes, list[tuple[int, int]]]:
    """Key -> (judging, position) of every reply under it."""
    places: dict[bytes, list[tuple[int, int]]] = {}
    with ledger._database.read() as connection:
        for key, *place in found(connection, "SELECT key, run_id, position FROM reply WHERE key IN (...)", keys):
            places.setdefault(key, []).append((place[0], place[1]))
    return places


def shorten(ledger: Ledger, shorter: Sequence[tuple[int, str]]) -> None:
    """Replace texts, each by (number of the answer, its new text), and drop the thinking beside them."""
    with ledger._database.write() as connection:
        connection.execute("INSERT INTO meta (name, value) VALUES (?, '1') ON CONFLICT DO NOTHING", (_MARK,))
        connection.executemany(
            "UPDATE answer SET text = ?, thinking = '' WHERE id = ?", [(text, number) for number, text in shorter]
        )


def unfinished(ledger: Ledger) -> bool:
    """Whether texts were shortened whose room has not been given back."""
    with ledger._database.read() as connection:
        return value(connection, "SELECT value FROM meta WHERE name = ?", _MARK) is not None


def give_back(ledger: Ledger) -> None:
    """Write the database anew without what is gone, so that the file gets smaller.

    Raises:
        LedgerError: the disk has no room for the copy, or another program is in the way; nothing is lost, and calling
            it again finishes it.
    """
    folder = ledger.path.parent
    advice = "what was purged is gone, but the file keeps its size until the same command is run again"
    with ledger._database.bare() as connection:
        used, free, size = (
            int(value(connection, f"PRAGMA {name}")) for name in ("page_count", "freelist_count", "page_size")
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
        connection.execute("VACUUM")
    with ledger._database.write() as connection:
        connection.execute("DELETE FROM meta WHERE name = ?", (_MARK,))
    with ledger._database.bare() as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _temporary_folder() -> Path:
    """Where SQLite puts a copy for a while, as far as it can be foretold."""
    for name in ("SQLITE_TMPDIR", "TMPDIR"):
        if os.environ.get(name) and Path(os.environ[name]).is_dir():
            return Path(os.environ[name])
    return Path("/var/tmp") if Path("/var/tmp").is_dir() else Path(tempfile.gettempdir())

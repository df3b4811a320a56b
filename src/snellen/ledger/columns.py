"""A run's rows as columns: what a table of verdicts needs, without the texts of items and answers.

Runs on the same data share their items, so an item's text is read only where nobody has read it before: for a run of
hundreds of thousands of rows that text is nearly all that there is to read.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from snellen.answer import Answer, Failure
from snellen.ledger.reading import Reading
from snellen.ledger.statements import found, value

_PAGE = 1_000
_LONGER = 4  # to find a hash by its item takes as much longer than to go through the index of all

_ITEMS = "SELECT position, item_id FROM run_item WHERE run_id = ? ORDER BY position"
# The first is answered from the index of hashes alone, the second goes through the texts.
_ALL_HASHES = "SELECT id, hash FROM item"
_HASHES = "SELECT id, hash FROM item WHERE id IN (...)"
_BODIES = "SELECT id, hash, body FROM item WHERE id IN (...)"
_VERDICTS = "SELECT position, value, unscored, flags, measures FROM verdict WHERE run_id = ? ORDER BY position"
_WITHOUT = """
SELECT run_item.position, run_item.key, run_item.error, answer.status, answer.text, answer.finish_reason
FROM run_item
LEFT JOIN answer ON answer.key = run_item.key
WHERE run_item.run_id = ? AND run_item.position IN (...)
ORDER BY run_item.position
"""

Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]
Found = tuple[int | None, str | None, int, str | None]


class Items(Protocol):
    """The items that are known, each at a place of its own."""

    def __len__(self) -> int:
        """How many they are."""

    def places(self, numbers: Ints, hashes: npt.NDArray[np.uint64]) -> Places:
        """The places of items, -1 for one that is not known; shape (N,).

        Args:
            numbers: in the ledger, shape (N,).
            hashes: the first 8 bytes of their content hashes as numbers, shape (N,).
        """

    def learn(self, rows: Sequence[tuple[int, bytes, str]]) -> list[int]:
        """Take items in (number, content hash, snapshot); gives their places."""


@dataclass(frozen=True, slots=True)
class OpenRow:
    """A row of a run that has no verdict.

    Attributes:
        position: in the plan.
        error: why it cannot be asked.
        answer: with status, text and finish reason alone.
        failure: the last one, where there is no answer.
    """

    position: int
    error: str
    answer: Answer | None
    failure: Failure | None


@dataclass(frozen=True, slots=True, eq=False)
class RowColumns:
    """All rows of a run, and of the verdicts of a judging, each by position.

    Attributes:
        positions: of the run's rows, shape (N,).
        items: place of each row's item, shape (N,).
        judged: positions that have a verdict, shape (M,).
        verdicts: which of `found` each of them is, shape (M,).
        found: value, reason for none, flags as bits in the order of `verdict.FLAGS`, and measures as JSON: everything
            that was found, once.
    """

    positions: Ints
    items: Places
    judged: Ints
    verdicts: Places
    found: Sequence[Found]


def read_columns(
    ledger: Reading, run_id: int, judging_id: int | None, items: Items, each_open: Callable[[OpenRow], None]
) -> RowColumns:
    """Every row of a run seen through a judging, as it stands at one moment.

    Args:
        ledger: that holds them.
        run_id: the run.
        judging_id: the judging; None: no row has a verdict.
        items: those that are known; the others are read into it.
        each_open: is told each row without a verdict.
    """
    kinds = _Kinds()
    with ledger._database.read() as connection:
        positions, numbers = array("q"), array("q")
        for page in _pages(connection.execute(_ITEMS, (run_id,))):
            each_position, each_number = zip(*page, strict=True)
            positions.extend(each_position)
            numbers.extend(each_number)
        places = _places(connection, np.array(numbers, np.int64), items)
        judged, verdicts = array("q"), array("i")
        for page in _pages(connection.execute(_VERDICTS, (judging_id,))):
            each_position, *columns = zip(*page, strict=True)
            judged.extend(each_position)
            verdicts.extend(map(kinds.__getitem__, zip(*columns, strict=True)))
        planned, said = np.array(positions, np.int64), np.array(judged, np.int64)
        # Outside of the database: there it takes a look at each row's verdict.
        without = planned[~np.isin(planned, said, assume_unique=True)].tolist()
        for start in range(0, len(without), _PAGE):
            for row in _open(ledger, connection, run_id, without[start : start + _PAGE]):
                each_open(row)
    there = places >= 0  # of an item that is lost nothing can be told
    return RowColumns(planned[there], places[there], said, np.array(verdicts, np.int32), list(kinds))


class _Kinds(dict[Found, int]):
    """What was found -> its number, by when it first occurred."""

    def __missing__(self, key: Found) -> int:
        self[key] = number = len(self)
        return number


def _pages(rows: sqlite3.Cursor) -> Iterator[list[Any]]:
    while page := rows.fetchmany(_PAGE):
        yield page


def _places(connection: sqlite3.Connection, numbers: Ints, items: Items) -> Places:
    """The places of these items, once all are known; -1 for those that the ledger has lost."""
    places = np.full(len(numbers), -1, np.int32)
    if len(items) and len(numbers):
        places = items.places(numbers, _hashes(connection, numbers))
    unknown = np.flatnonzero(places < 0)
    wanted = list(dict.fromkeys(numbers[unknown].tolist()))
    learnt, given = array("q"), array("i")
    for start in range(0, len(wanted), _PAGE):
        rows = found(connection, _BODIES, wanted[start : start + _PAGE])
        learnt.extend(row[0] for row in rows)
        given.extend(items.learn(rows))
    places[unknown] = _looked_up(numbers[unknown], np.array(learnt, np.int64), np.array(given, np.int32), -1)
    return places


def _hashes(connection: sqlite3.Connection, numbers: Ints) -> npt.NDArray[np.uint64]:
    """The beginnings of these items' hashes."""
    pages: Iterable[list[Any]]
    if (value(connection, "SELECT max(id) FROM item") or 0) <= _LONGER * len(numbers):
        pages = _pages(connection.execute(_ALL_HASHES))
    else:
        pages = [found(connection, _HASHES, list(dict.fromkeys(numbers.tolist())))]
    there, hashes = array("q"), bytearray()
    for page in pages:
        for number, digest in page:
            there.append(number)
            hashes += digest[:8]
    return _looked_up(numbers, np.array(there, np.int64), np.frombuffer(hashes, np.dtype("<u8")), 0)


def _looked_up(numbers: Ints, known: Ints, values: npt.NDArray[Any], default: int) -> npt.NDArray[Any]:
    """Of each number the value that stands beside it, or the default."""
    if not len(known):
        return np.full(len(numbers), default, values.dtype)
    if int(known.max()) <= _LONGER * len(numbers):  # no more than it takes to sort them
        table = np.full(max(int(known.max()), int(numbers.max())) + 1, default, values.dtype)
        table[known] = values
        return table[numbers]
    order = np.argsort(known)
    at = order[np.minimum(np.searchsorted(known, numbers, sorter=order), len(known) - 1)]
    return np.where(known[at] == numbers, values[at], np.asarray(default, values.dtype))


def _open(ledger: Reading, connection: sqlite3.Connection, run_id: int, positions: list[int]) -> Iterator[OpenRow]:
    rows = found(connection, _WITHOUT, positions, run_id)
    failures = ledger._failures(connection, [row[1] for row in rows if row[3] is None and row[1]])
    for position, key, error, status, text, finish_reason in rows:
        answer = None if status is None else Answer(status, text, finish_reason=finish_reason)
        yield OpenRow(position, error or "", answer, failures.get(key))

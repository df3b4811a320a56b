"""A run's rows as columns: what a table of verdicts needs, without the texts of items and answers.

Runs on the same data share their items, so an item's text is read only where nobody has read it before: for a run of
hundreds of thousands of rows that text is nearly all that there is to read.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field

from snellen.answer import Answer, Failure
from snellen.ledger.reading import Reading
from snellen.ledger.statements import found

_PAGE = 1_000

_ITEMS = """
SELECT run_item.position, run_item.item_id, item.hash
FROM run_item
JOIN item ON item.id = run_item.item_id
WHERE run_item.run_id = ?
ORDER BY run_item.position
"""
_BODIES = "SELECT id, hash, body FROM item WHERE id IN (...)"
_VERDICTS = "SELECT position, value, unscored, flags, measures FROM verdict WHERE run_id = ? ORDER BY position"
# Verdicts are joined first: no answer is looked up for a row that has one.
_WITHOUT = """
SELECT run_item.position, run_item.key, run_item.error, answer.status, answer.text, answer.finish_reason
FROM run_item
LEFT JOIN verdict ON verdict.run_id = ? AND verdict.position = run_item.position
LEFT JOIN answer ON answer.key = run_item.key
WHERE run_item.run_id = ? AND run_item.position > ? AND verdict.run_id IS NULL
ORDER BY run_item.position LIMIT ?
"""


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


@dataclass(slots=True)
class RowColumns:
    """All rows of a run, and of the verdicts of a judging, each by position.

    Attributes:
        positions: of the run's rows.
        items: place of each row's item, as the caller gave it.
        judged: positions that have a verdict.
        values: their values, -1 for none.
        unscored: numbers of their reasons for that, in `words`; 0 is the empty one.
        flags: bits in the order of `verdict.FLAGS`.
        measures: numbers of their measures, in `texts`; 0 is the empty one.
        words: reason -> number.
        texts: measures as JSON -> number.
    """

    positions: array[int] = field(default_factory=lambda: array("q"))
    items: array[int] = field(default_factory=lambda: array("i"))
    judged: array[int] = field(default_factory=lambda: array("q"))
    values: array[int] = field(default_factory=lambda: array("q"))
    unscored: array[int] = field(default_factory=lambda: array("i"))
    flags: array[int] = field(default_factory=lambda: array("q"))
    measures: array[int] = field(default_factory=lambda: array("i"))
    words: dict[str, int] = field(default_factory=lambda: {"": 0})
    texts: dict[str, int] = field(default_factory=lambda: {"": 0})


def read_columns(
    ledger: Reading,
    run_id: int,
    judging_id: int | None,
    place: Callable[[int, bytes], int],
    learn: Callable[[int, bytes, str], int],
    each_open: Callable[[OpenRow], None],
) -> RowColumns:
    """Every row of a run seen through a judging, as it stands at one moment.

    Args:
        ledger: that holds them.
        run_id: the run.
        judging_id: the judging; None: no row has a verdict.
        place: number and content hash of an item -> the place by which the caller knows it; -1 where it does not.
        learn: is told the snapshot too of an item that has no place, and gives it one.
        each_open: is told each row without a verdict.
    """
    columns = RowColumns()
    with ledger._database.read() as connection:
        rows = connection.execute(_ITEMS, (run_id,))
        while page := rows.fetchmany(_PAGE):
            places = {number: place(number, digest) for _, number, digest in page}
            new = [number for number, known in places.items() if known < 0]
            places.update((number, learn(number, *item)) for number, *item in found(connection, _BODIES, new))
            columns.positions.extend([position for position, _, _ in page])
            columns.items.extend([places[number] for _, number, _ in page])
        words, texts = columns.words, columns.texts
        rows = connection.execute(_VERDICTS, (judging_id,))
        while page := rows.fetchmany(_PAGE):
            columns.judged.extend([row[0] for row in page])
            columns.values.extend([-1 if row[1] is None else row[1] for row in page])
            columns.unscored.extend([words.setdefault(row[2] or "", len(words)) for row in page])
            columns.flags.extend([row[3] for row in page])
            columns.measures.extend([texts.setdefault(row[4] or "", len(texts)) for row in page])
        after = -1
        while page := connection.execute(_WITHOUT, (judging_id, run_id, after, _PAGE)).fetchall():
            failures = ledger._failures(connection, [row[1] for row in page if row[3] is None and row[1]])
            for position, key, error, status, text, finish_reason in page:
                answer = None if status is None else Answer(status, text, finish_reason=finish_reason)
                each_open(OpenRow(position, error or "", answer, failures.get(key)))
            after = page[-1][0]
    return columns

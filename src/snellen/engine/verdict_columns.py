"""The table of a run straight from the ledger's columns, without making an item or a verdict for every row."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from snellen.item_facts import FactColumns
from snellen.label_columns import LabelColumns
from snellen.ledger import Ledger
from snellen.ledger.columns import Found, OpenRow, RowColumns, read_columns
from snellen.table import VerdictTable, from_columns
from snellen.verdict import FLAGS, UNSCORED, Verdict

_CODES: Mapping[str, int] = {reason: code for code, reason in enumerate(UNSCORED)}
_KNOWN_BITS = (1 << len(FLAGS)) - 1

Pairs = Mapping[str, tuple[float, float]]


def read_table(
    ledger: Ledger,
    run_id: int,
    judging_id: int | None,
    facts: FactColumns,
    unscored: Callable[[OpenRow], Verdict],
    positions: Container[int] | None = None,
) -> VerdictTable:
    """The table of a run seen through a judging: the same as a `TableBuilder` makes of its rows one by one.

    Args:
        ledger: that holds them.
        run_id: the run.
        judging_id: the judging; None: nothing is judged.
        facts: what is known of items; those that it does not know are read into it.
        unscored: the verdict on a row that has none in the ledger.
        positions: the view; None for every row.

    Raises:
        DataError: a label takes more than 32,767 values, or has a name of Snellen's.
        ValueError: the ledger holds a verdict that is none.
    """
    others: dict[int, Verdict] = {}

    def decide(row: OpenRow) -> None:
        others[row.position] = unscored(row)

    columns = read_columns(ledger, run_id, judging_id, facts, decide)
    places = columns.positions
    values, reasons, bits, measured, said = _verdicts(columns, others)
    order = np.searchsorted(said, places)  # of verdicts on rows that are no longer planned none is taken
    if positions is not None:
        seen = np.fromiter((position in positions for position in places.tolist()), np.bool_, len(places))
        places, order = places[seen], order[seen]
    else:
        seen = np.ones(len(places), np.bool_)
    combinations, clusters, clean, answerable = facts.at(columns.items[seen])
    labels = LabelColumns()
    labels.extend(facts.combinations, combinations)
    measures = _measures(measured[order], [*map(_pairs, columns.found), *(each.measures for each in others.values())])
    return from_columns(
        places, values[order], reasons[order], bits[order], clusters, clean, answerable, labels.build(), measures
    )


def _verdicts(columns: RowColumns, others: Mapping[int, Verdict]) -> tuple[npt.NDArray[Any], ...]:
    """Values, reasons, bits, numbers of measures and positions of all verdicts, by position.

    Numbers of measures count what was found first, then the other verdicts.
    """
    kinds = columns.found
    values = np.array([-1 if value is None else value for value, _, _, _ in kinds], np.int64)
    reasons = np.array([_CODES.get(word, len(UNSCORED)) if word else -1 for _, word, _, _ in kinds], np.int64)
    if ((values < -1) | (values > 1) | ((values < 0) != (reasons >= 0)) | (reasons == len(UNSCORED))).any():
        raise ValueError("the ledger holds a verdict that is neither 0 nor 1 nor unscored for a known reason")
    bits = np.array([flags & _KNOWN_BITS for _, _, flags, _ in kinds], np.int64)
    more = list(others.values())
    flags = [sum(1 << FLAGS.index(flag) for flag in set(each.flags)) for each in more]
    positions = np.concatenate([columns.judged, np.fromiter(others, np.int64, len(others))])
    order = np.argsort(positions, kind="stable")
    numbers = np.concatenate([columns.verdicts, np.arange(len(kinds), len(kinds) + len(more), dtype=np.int32)])[order]
    joined = (
        (values, [-1 if each.value is None else each.value for each in more], np.int8),
        (reasons, [_CODES.get(each.unscored, -1) for each in more], np.int8),
        (bits, flags, np.uint32),
    )
    found = [np.concatenate([known, np.array(rest, np.int64)]).astype(kind)[numbers] for known, rest, kind in joined]
    return (*found, numbers, positions[order])


def _pairs(found: Found) -> Pairs:
    return orjson.loads(found[3]) if found[3] else {}


def _measures(
    numbers: npt.NDArray[np.int32], distinct: list[Pairs]
) -> dict[str, tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]]:
    """Name -> numerators and denominators of each row; names sorted, those alone that a row has."""
    used = np.unique(numbers).tolist()
    found = {}
    for name in sorted({name for number in used for name in distinct[number]}):
        tops, bottoms = np.full(len(distinct), np.nan), np.full(len(distinct), np.nan)
        for number in used:
            if pair := distinct[number].get(name):
                tops[number], bottoms[number] = pair[0], pair[1]
        found[name] = tops[numbers], bottoms[numbers]
    return found

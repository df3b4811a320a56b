"""Which items of a run are picked as examples, out of its table alone: no text is read, however many rows there are.

Of every kind of outcome and cell those are kept whose numbers are the smallest: a bottom-k sample, uniform and
independent of the order of rows. A row's number hangs on the seed, its clean item and its condition, so that the same
items are picked in two runs that treated them alike.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from snellen.card import Card
from snellen.table import CHANGE, VerdictTable
from snellen.verdict import ABSTAINED, EMPTY, FORMAT_ERROR, UNCLEAR, UNSCORED

OUTCOMES = (*UNSCORED, "over_refusal", "right", EMPTY, UNCLEAR, FORMAT_ERROR, "declined", "hallucinated")
"""What a row can be; the first that fits holds."""

Strata = Mapping[tuple[str, tuple[int, ...]], list[int]]
"""(kind, places of the labels' values on the card) -> positions, the smallest number first."""


def strata(table: VerdictTable, card: Card, *, seed: int, sample: int) -> tuple[Counter[str], Strata]:
    """How many rows there are of every kind, and of each kind and cell the `sample` rows with the smallest numbers."""
    kinds, cells = outcomes(table), _cells(table, card)
    counted = np.bincount(kinds, minlength=len(OUTCOMES)).tolist()
    counts = Counter({name: count for name, count in zip(OUTCOMES, counted, strict=True) if count})
    keys = np.column_stack([kinds, *cells])
    places, stratum = np.unique(keys, axis=0, return_inverse=True)
    stratum = stratum.ravel()
    order = np.lexsort((table.positions, _numbers(table, seed), stratum))
    ends = np.cumsum(np.bincount(stratum, minlength=len(places)))
    found = {}
    for place, end, begin in zip(places.tolist(), ends.tolist(), [0, *ends.tolist()][: len(places)], strict=True):
        first = table.positions[order[begin : min(end, begin + sample)]]
        found[OUTCOMES[place[0]], tuple(place[1:])] = first.tolist()
    return counts, found


def outcomes(table: VerdictTable) -> npt.NDArray[np.int64]:
    """What each row is, as a place in `OUTCOMES`, shape (N,): as `snellen.report.examples.kind_of` says of one row."""
    abstained = table.flag(ABSTAINED)
    fits = [
        *(table.reasons == code for code in range(len(UNSCORED))),
        abstained & table.answerable,
        table.values == 1,
        *(table.flag(flag) for flag in (EMPTY, UNCLEAR, FORMAT_ERROR)),
        abstained,
    ]
    found: npt.NDArray[np.int64] = np.select(fits, list(range(len(fits))), len(fits)).astype(np.int64)
    return found


def _cells(table: VerdictTable, card: Card) -> list[npt.NDArray[np.int64]]:
    # Positions in the card, so that a hostile file with a label of its own per row opens no strata without end.
    found = []
    for label, values in list(card.labels.items())[:2]:
        if label not in table.label_names:
            found.append(np.full(len(table), len(values), np.int64))
            continue
        known = [values.index(value) if value in values else len(values) for value in table.label_values(label)]
        found.append(np.array([*known, len(values)], np.int64)[table.codes[label]])
    return found


def _numbers(table: VerdictTable, seed: int) -> npt.NDArray[np.uint64]:
    """A number of each row that looks drawn, by splitmix64 (Steele, Lea and Flood 2014)."""
    conditions = table.label_values(CHANGE) if CHANGE in table.label_names else ()
    salts = np.array([_salt(f"{seed}\0{name}") for name in (*conditions, "")], np.uint64)
    codes = table.codes[CHANGE] if conditions else np.full(len(table), -1, np.int16)
    with np.errstate(over="ignore"):
        mixed = table.pair_keys ^ salts[codes]
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        drawn: npt.NDArray[np.uint64] = mixed ^ (mixed >> np.uint64(31))
    return drawn


def _salt(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")

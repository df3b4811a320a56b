"""Arrays as a table of verdicts, so that what is made for runs serves any rows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.statistics.columns import Ints, Values
from snellen.table import CHANGE, TRUTH, VerdictTable

CHANGED = "changed"


def verdict_table(
    values: Values,
    clusters: Ints,
    items: Ints,
    *,
    changed: npt.NDArray[np.bool_] | None = None,
    truths: tuple[Ints, tuple[str, ...]] | None = None,
    labels: tuple[str, Ints, tuple[str, ...]] | None = None,
    positions: Ints | None = None,
) -> VerdictTable:
    """A table of rows in their order.

    Args:
        values: shape (N,): 0, 1 or -1 for unscored.
        clusters: shape (N,): numbers from 0.
        items: shape (N,): a number for each item, which its changed versions share.
        changed: shape (N,): which rows are of changed versions; None for none.
        truths: of these: codes, and the words that they stand for, sorted; None where nothing is changed.
        labels: one label of the rows: name, codes and words, sorted.
        positions: shape (N,), rising; None for 0 to N - 1.
    """
    codes: dict[str, npt.NDArray[np.int16]] = {}
    vocabulary: dict[str, tuple[str, ...]] = {}
    if changed is not None:
        codes[CHANGE], vocabulary[CHANGE] = np.where(changed, 0, -1).astype(np.int16), (CHANGED,)
    if truths is not None:
        codes[TRUTH], vocabulary[TRUTH] = truths[0].astype(np.int16), truths[1]
    if labels is not None:
        codes[labels[0]], vocabulary[labels[0]] = labels[1].astype(np.int16), labels[2]
    count = len(values)
    return VerdictTable(
        np.arange(count) if positions is None else positions,
        values,
        np.full(count, -1, np.int8),
        np.zeros(count, np.uint32),
        clusters.astype(np.int32),
        np.arange(int(clusters.max(initial=-1)) + 1, dtype=np.uint64),
        items.astype(np.uint64),
        np.zeros(count, np.bool_),
        codes,
        vocabulary,
        {},
    )

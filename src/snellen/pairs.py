"""PairTable: every changed item of a run beside the clean item it was made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.item import Truth
from snellen.table import CHANGE, TRUTH, Mask, VerdictTable


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """Pairs as columns, all of length M: one row for each changed item of a table. Build it with `PairTable.of`.

    Attributes:
        rows: the verdicts on the changed items, with their labels and clusters.
        clean: int8: value of the clean item: 1, 0, or -1 where it is unscored or not in the table.
        clean_positions: int64: place of the clean item in the plan, or -1 where it is not in the table.
    """

    rows: VerdictTable
    clean: npt.NDArray[np.int8]
    clean_positions: npt.NDArray[np.int64]

    @classmethod
    def of(cls, table: VerdictTable) -> PairTable:
        """The pairs of a table: clean and changed items meet by the hash of the clean item's id.

        >>> from snellen.item import Change, Item
        >>> from snellen.table import TableBuilder
        >>> from snellen.verdict import Verdict
        >>> builder = TableBuilder()
        >>> builder.add(0, Item("shale/831", "?"), Verdict(1))
        >>> made = Change("jpeg", 3, 0, "kept")
        >>> builder.add(1, Item("shale/831@jpeg:3", "?", groups={"pair": "shale/831"}, changes=(made,)), Verdict(0))
        >>> pairs = PairTable.of(builder.build())
        >>> pairs.conditions, pairs.clean.tolist(), pairs.changed.tolist()
        (('jpeg:3',), [1], [0])
        """
        clean, rows = table.select(table.clean), table.select(~table.clean)
        values, positions = np.full(len(rows), -1, np.int8), np.full(len(rows), -1, np.int64)
        if len(clean):
            order = np.argsort(clean.pair_keys, kind="stable")
            keys = clean.pair_keys[order]
            # An unsigned key and an insertion point past the end: both stay within the array.
            places = np.minimum(np.searchsorted(keys, rows.pair_keys), len(keys) - 1)
            found = keys[places] == rows.pair_keys
            values[found] = clean.values[order[places[found]]]
            positions[found] = clean.positions[order[places[found]]]
        return cls(rows, values, positions)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def changed(self) -> npt.NDArray[np.int8]:
        """Value of the changed item: 1, 0, or -1 where it is unscored."""
        return self.rows.values

    @property
    def scored(self) -> Mask:
        """Which pairs have a value on both sides."""
        scored: Mask = (self.clean >= 0) & (self.changed >= 0)
        return scored

    @property
    def conditions(self) -> tuple[str, ...]:
        """What was changed, sorted: ``jpeg:3``, ``jpeg:3+typos:2``; those that a selection left without pairs too."""
        return self.rows.vocabulary.get(CHANGE, ())

    def truth(self, *truths: Truth) -> Mask:
        """Which pairs have one of these truths; of several changes the one that leaves least of the truth counts."""
        if TRUTH not in self.rows.vocabulary:
            return np.zeros(len(self), np.bool_)
        return self.rows.mask(**{TRUTH: truths})

    def select(self, mask: npt.ArrayLike) -> PairTable:
        """The pairs where a mask of shape (M,) is true.

        Raises:
            ValueError: if the mask is not of M booleans.
        """
        rows = self.rows.select(mask)
        chosen = np.asarray(mask)
        return PairTable(rows, self.clean[chosen], self.clean_positions[chosen])

"""Label columns: the labels of many rows as one number each, and as a column of codes for each label in the end.

Rows have few combinations of labels, so that most of them cost one look-up however many labels they have.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from snellen.errors import DataError

MOST_VALUES = 32_767
"""Values of a label: its codes are 16 bits wide."""

Combination = tuple[tuple[str, str], ...]
"""The labels of a row: name and value."""


class LabelColumns:
    """Collects the labels of rows.

    >>> columns = LabelColumns()
    >>> columns.add((("color", "red"), ("size", "big")), "i/0")
    >>> columns.add((("color", "blue"),), "i/1")
    >>> {name: (codes.tolist(), values) for name, (codes, values) in columns.build().items()}
    {'color': ([0, 1], ('red', 'blue')), 'size': ([0, -1], ('big',))}
    """

    def __init__(self) -> None:
        self._rows = array("i")
        self._combinations: dict[Combination, int] = {}
        self._codes: dict[str, dict[str, int]] = {}

    def add(self, combination: Combination, item: str) -> None:
        """The labels of the next row.

        Args:
            combination: no name twice.
            item: id of the row's item, for an error.

        Raises:
            DataError: if a label takes more than `MOST_VALUES` values (such a thing is a group); no row is added.
        """
        place = self._combinations.get(combination)
        if place is None:
            place = self._register(combination, item)
        self._rows.append(place)

    def extend(self, combinations: Sequence[tuple[Combination, str]], rows: npt.NDArray[np.int32]) -> None:
        """The labels of many rows, as places in a list of combinations.

        Args:
            combinations: each with the id of an item, for an error.
            rows: places, shape (N,); they are registered as they first occur.

        Raises:
            DataError: as `add`.
        """
        used, first = np.unique(rows, return_index=True)
        places = np.zeros(len(combinations), np.int32)
        for number in used[np.argsort(first, kind="stable")].tolist():
            combination, item = combinations[number]
            place = self._combinations.get(combination)
            places[number] = self._register(combination, item) if place is None else place
        self._rows.frombytes(places[rows].tobytes())

    def _register(self, combination: Combination, item: str) -> int:
        for name, value in combination:
            codes = self._codes.get(name, {})
            if value not in codes and len(codes) >= MOST_VALUES:
                raise DataError(f"label {name!r} has more than {MOST_VALUES:,} values; make it a group", id=item)
        for name, value in combination:
            codes = self._codes.setdefault(name, {})
            codes.setdefault(value, len(codes))
        self._combinations[combination] = len(self._combinations)
        return self._combinations[combination]

    def build(self) -> dict[str, tuple[npt.NDArray[np.int16], tuple[str, ...]]]:
        """Label name -> code of each row, -1 for one without it, and the values by code; names sorted."""
        names = sorted(self._codes)
        tables = {name: np.full(len(self._combinations), -1, np.int16) for name in names}
        for combination, place in self._combinations.items():
            for name, value in combination:
                tables[name][place] = self._codes[name][value]
        rows = np.array(self._rows, np.int32)
        return {name: (tables[name][rows], tuple(self._codes[name])) for name in names}

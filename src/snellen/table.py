"""VerdictTable: the verdicts of a run as columns of numbers, without any text.

Some 50 bytes a row whatever the length of questions and answers, so that a million verdicts fit beside a model. Rows
are in the order of their positions in the plan, whatever the order in which they were added; label values are sorted;
clusters are numbered as they first occur and known by a hash of their name. Equal verdicts give equal tables.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.errors import UsageError
from snellen.item import Change, Item
from snellen.item_facts import CHANGE, LANGUAGE, TRUTH, ItemFacts, facts_of, name_key
from snellen.label_columns import LabelColumns
from snellen.verdict import FLAGS, UNSCORED, Verdict

__all__ = ["CHANGE", "LANGUAGE", "TRUTH", "Mask", "TableBuilder", "VerdictTable", "concatenate", "from_columns"]

Mask = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]

_BITS = {flag: 1 << place for place, flag in enumerate(FLAGS)}
_REASONS = {reason: code for code, reason in enumerate(UNSCORED)}


@dataclass(frozen=True, slots=True, eq=False)
class VerdictTable:
    """Verdicts as columns, all of length N and read-only. Build it with `TableBuilder`.

    Attributes:
        positions: int64: place of the item in the plan, rising.
        values: int8: 1, 0, or -1 for unscored.
        reasons: int8: place in `verdict.UNSCORED`, or -1 for scored.
        bits: uint32: bit k is `verdict.FLAGS[k]`.
        clusters: int32: number of the cluster, an index into `cluster_keys`.
        cluster_keys: uint64: hash of each cluster's name.
        pair_keys: uint64: hash of the clean item's id: its own, or that of the item of which it is a changed version.
        answerable: bool: whether an answer exists to the item's question.
        codes: label name -> int16: place in `label_values(name)`, or -1 for an item without this label.
        vocabulary: label name -> its values, sorted.
        measures: name -> float64 numerators and denominators; NaN where a verdict has no such measure.
    """

    positions: npt.NDArray[np.int64]
    values: npt.NDArray[np.int8]
    reasons: npt.NDArray[np.int8]
    bits: npt.NDArray[np.uint32]
    clusters: npt.NDArray[np.int32]
    cluster_keys: npt.NDArray[np.uint64]
    pair_keys: npt.NDArray[np.uint64]
    answerable: Mask
    codes: Mapping[str, npt.NDArray[np.int16]]
    vocabulary: Mapping[str, tuple[str, ...]]
    measures: Mapping[str, tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]]

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def scored(self) -> Mask:
        """Which rows have a value, shape (N,)."""
        scored: Mask = self.values >= 0
        return scored

    @property
    def clean(self) -> Mask:
        """Which rows are of items to which nothing was done, shape (N,)."""
        if CHANGE not in self.codes:
            return np.ones(len(self), np.bool_)
        clean: Mask = self.codes[CHANGE] < 0
        return clean

    @property
    def label_names(self) -> tuple[str, ...]:
        """Names of the labels, sorted; `LANGUAGE` among them, and with changed items `CHANGE` and `TRUTH`."""
        return tuple(self.vocabulary)

    def label_values(self, name: str) -> tuple[str, ...]:
        """Values of a label, sorted, those that a selection left without rows included.

        Raises:
            UsageError: if no item has this label.
        """
        if name not in self.vocabulary:
            known = ", ".join(self.vocabulary) or "none"
            raise UsageError(f"no item has a label named {name!r}; the labels are: {known}")
        return self.vocabulary[name]

    def flag(self, name: str) -> Mask:
        """Which rows carry a flag of `verdict.FLAGS`, shape (N,).

        Raises:
            UsageError: if there is no such flag.
        """
        if name not in _BITS:
            raise UsageError(f"no flag is named {name!r}; the flags are: {', '.join(FLAGS)}")
        carried: Mask = (self.bits & np.uint32(_BITS[name])) != 0
        return carried

    def measure(self, name: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Numerators and denominators of a measure, each of shape (N,), NaN where a verdict has none.

        Raises:
            UsageError: if no verdict has this measure.
        """
        if name not in self.measures:
            known = ", ".join(self.measures) or "none"
            raise UsageError(f"no verdict has a measure named {name!r}; the measures are: {known}")
        return self.measures[name]

    def unscored_counts(self) -> dict[str, int]:
        """How many rows are unscored for each reason, in the order of `verdict.UNSCORED`, zeros included."""
        counts = np.bincount(self.reasons[self.reasons >= 0], minlength=len(UNSCORED))
        return {reason: int(counts[code]) for reason, code in _REASONS.items()}

    def mask(self, **labels: str | Collection[str]) -> Mask:
        """Which rows have all these labels, each a value or several of which one must hold; shape (N,).

        A value that no item has matches nothing, since a benchmark's card may name cells that a sample leaves empty.

        Raises:
            UsageError: for a label name that no item has, unless the table is empty.
        """
        chosen = np.ones(len(self), np.bool_)
        for name, wanted in labels.items():
            if not len(self) and name not in self.vocabulary:
                continue
            values = self.label_values(name)
            asked = {wanted} if isinstance(wanted, str) else set(wanted)
            chosen &= np.array([*(value in asked for value in values), False])[self.codes[name]]
        return chosen

    def where(self, **labels: str | Collection[str]) -> VerdictTable:
        """The rows that `mask` chooses.

        Example: ``table.where(relation="normal", language=("en", "zh"))``
        """
        return self.select(self.mask(**labels))

    def select(self, mask: npt.ArrayLike) -> VerdictTable:
        """The rows where a mask of shape (N,) is true; vocabulary and cluster numbers stay as they are.

        Raises:
            ValueError: if the mask is not of N booleans.
        """
        chosen = np.asarray(mask)
        if chosen.dtype != np.bool_ or chosen.shape != self.positions.shape:
            raise ValueError(f"a selection needs {len(self)} booleans, not {chosen.dtype} of shape {chosen.shape}")
        return VerdictTable(
            _fixed(self.positions[chosen]),
            _fixed(self.values[chosen]),
            _fixed(self.reasons[chosen]),
            _fixed(self.bits[chosen]),
            _fixed(self.clusters[chosen]),
            self.cluster_keys,
            _fixed(self.pair_keys[chosen]),
            _fixed(self.answerable[chosen]),
            {name: _fixed(codes[chosen]) for name, codes in self.codes.items()},
            self.vocabulary,
            {name: (_fixed(top[chosen]), _fixed(bottom[chosen])) for name, (top, bottom) in self.measures.items()},
        )

    def padded(self, planned: int) -> VerdictTable:
        """This table with rows for items of the plan that it does not hold: ``missing``, no labels, own clusters.

        Raises:
            ValueError: if fewer are planned than the table holds.
        """
        absent = planned - len(self)
        if absent < 0:
            raise ValueError(f"the table holds {len(self)} rows, more than the {planned} planned")
        if not absent:
            return self
        builder = TableBuilder()
        after = int(self.positions[-1]) + 1 if len(self) else 0
        missing = Verdict(None, unscored="missing")
        for number in range(absent):
            builder._labels.add((), "")
            alone = name_key(f"\0missing {number}")
            builder._row(after + number, missing, ItemFacts((), alone, alone, False))
        return concatenate((self, builder.build()))


class TableBuilder:
    """Collects verdicts, in any order, in growing columns of numbers.

    Args:
        answerable: label -> values for which an answer exists, as on a benchmark's card: an item is answerable if it
            has one of the values of every label named here, and nothing of what it asks for was removed by a change.
            Empty: no item is known to be answerable.
    """

    def __init__(self, answerable: Mapping[str, Sequence[str]] | None = None) -> None:
        self._answers = {name: frozenset(values) for name, values in (answerable or {}).items()}
        self._positions, self._values, self._reasons = array("q"), array("b"), array("b")
        self._bits, self._clusters, self._answerable = array("I"), array("i"), array("b")
        self._pairs = array("Q")
        self._cluster_codes: dict[int, int] = {}
        self._labels = LabelColumns()
        self._flag_bits: dict[tuple[str, ...], int] = {}
        self._measures: dict[str, tuple[array[float], array[float]]] = {}

    def __len__(self) -> int:
        return len(self._positions)

    def add(self, position: int, item: Item, verdict: Verdict) -> None:
        """Add the verdict on the item at a position of the plan.

        Raises:
            DataError: if a label takes more than 32,767 values (such a thing is a group), or has a name of Snellen's.
        """
        names = ("id", "cluster", "language", "labels", "groups")
        changes = [{name: getattr(each, name) for name in Change.__slots__} for each in item.changes]
        self.add_snapshot(position, {**{name: getattr(item, name) for name in names}, "changes": changes}, verdict)

    def add_snapshot(self, position: int, item: Mapping[str, Any], verdict: Verdict) -> None:
        """As `add`, of an item in plain values, as `Item.to_json` gives them.

        Raises:
            DataError: as `add`.
        """
        facts = facts_of(item, self._answers)
        self._labels.add(facts.labels, item["id"])
        self._row(position, verdict, facts)

    def _row(self, position: int, verdict: Verdict, facts: ItemFacts) -> None:
        rows = len(self._positions)
        self._positions.append(position)
        self._values.append(-1 if verdict.value is None else verdict.value)
        self._reasons.append(_REASONS.get(verdict.unscored, -1))
        flags = tuple(verdict.flags)
        if flags not in self._flag_bits:
            self._flag_bits[flags] = sum(_BITS[flag] for flag in set(flags))
        self._bits.append(self._flag_bits[flags])
        self._clusters.append(self._cluster_codes.setdefault(facts.cluster, len(self._cluster_codes)))
        self._pairs.append(facts.clean)
        self._answerable.append(facts.answerable)
        if not verdict.measures and not self._measures:
            return
        for name in verdict.measures.keys() - self._measures.keys():
            self._measures[name] = array("d", [np.nan]) * rows, array("d", [np.nan]) * rows
        for name, (tops, bottoms) in self._measures.items():
            top, bottom = verdict.measures.get(name, (np.nan, np.nan))
            tops.append(top)
            bottoms.append(bottom)

    def build(self) -> VerdictTable:
        """The table of what was added so far.

        Raises:
            ValueError: if two verdicts were added at one position.
        """
        return from_columns(
            np.array(self._positions, np.int64),
            np.array(self._values, np.int8),
            np.array(self._reasons, np.int8),
            np.array(self._bits, np.uint32),
            np.fromiter(self._cluster_codes, np.uint64, len(self._cluster_codes))[np.array(self._clusters, np.int32)],
            np.array(self._pairs, np.uint64),
            np.array(self._answerable, np.bool_),
            self._labels.build(),
            {
                name: (np.array(self._measures[name][0], np.float64), np.array(self._measures[name][1], np.float64))
                for name in sorted(self._measures)
            },
        )


def concatenate(tables: Iterable[VerdictTable]) -> VerdictTable:
    """One table of the rows of several parts of a run: clusters are matched by name, labels by value.

    Raises:
        ValueError: if a position occurs twice.
    """
    parts = list(tables)
    labels: dict[str, tuple[Array, tuple[str, ...]]] = {}
    for name in sorted({name for part in parts for name in part.label_names}):
        values = tuple(sorted({value for part in parts for value in part.vocabulary.get(name, ())}))
        labels[name] = (
            _joined([_recoded(part, name, values) for part in parts], np.int16),
            values,
        )
    measures: dict[str, tuple[Array, Array]] = {}
    for name in sorted({name for part in parts for name in part.measures}):
        pairs = [part.measures.get(name) or (np.full(len(part), np.nan),) * 2 for part in parts]
        measures[name] = (
            _joined([top for top, _ in pairs], np.float64),
            _joined([bottom for _, bottom in pairs], np.float64),
        )
    return from_columns(
        _joined([part.positions for part in parts], np.int64),
        _joined([part.values for part in parts], np.int8),
        _joined([part.reasons for part in parts], np.int8),
        _joined([part.bits for part in parts], np.uint32),
        _joined([part.cluster_keys[part.clusters] for part in parts], np.uint64),
        _joined([part.pair_keys for part in parts], np.uint64),
        _joined([part.answerable for part in parts], np.bool_),
        labels,
        measures,
    )


def _recoded(part: VerdictTable, name: str, values: tuple[str, ...]) -> Array:
    """Codes of a label in another vocabulary that holds at least its values."""
    if name not in part.codes:
        return np.full(len(part), -1, np.int16)
    place = {value: code for code, value in enumerate(values)}
    return np.array([*(place[value] for value in part.vocabulary[name]), -1], np.int16)[part.codes[name]]


def _joined(columns: Sequence[Array], dtype: npt.DTypeLike) -> Array:
    return np.concatenate([np.zeros(0, dtype), *columns])


def _fixed(column: Array) -> Array:
    column.flags.writeable = False
    return column


def from_columns(
    positions: Array,
    values: Array,
    reasons: Array,
    bits: Array,
    keys: Array,
    pairs: Array,
    answerable: Array,
    labels: Mapping[str, tuple[Array, tuple[str, ...]]],
    measures: Mapping[str, tuple[Array, Array]],
) -> VerdictTable:
    """The table in canonical order, from columns in any order, cluster keys row by row and any vocabulary.

    Raises:
        ValueError: if a position occurs twice.
    """
    order = np.argsort(positions, kind="stable")
    positions, keys = positions[order], keys[order]
    if len(twice := positions[1:][positions[1:] == positions[:-1]]):
        raise ValueError(f"two verdicts at position {twice[0]} of the plan: an item would be counted twice")
    unique, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
    by_first = np.argsort(first, kind="stable")
    rank = np.empty(len(unique), np.int32)
    rank[by_first] = np.arange(len(unique), dtype=np.int32)
    codes, vocabulary = {}, {}
    for name, (column, words) in labels.items():
        vocabulary[name] = tuple(sorted(words))
        place = {value: code for code, value in enumerate(vocabulary[name])}
        codes[name] = _fixed(np.array([*(place[word] for word in words), -1], np.int16)[column[order]])
    return VerdictTable(
        _fixed(positions),
        _fixed(values[order]),
        _fixed(reasons[order]),
        _fixed(bits[order]),
        _fixed(rank[numbers]),
        _fixed(unique[by_first]),
        _fixed(pairs[order]),
        _fixed(answerable[order]),
        codes,
        vocabulary,
        {name: (_fixed(top[order]), _fixed(bottom[order])) for name, (top, bottom) in measures.items()},
    )

"""Differences: items that two judgings of one run, or two readings of one answer, decide differently, with both.

Compared with a judging are the others of the same run by the same judge and model that differ from it in one setting:
judged on the clean version instead of the changed, in parity with the published script instead of corrected, by the
strict reading instead of the default. Beside them stands the reading of SHALE's published script, where the judge took
it down.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.engine.beside import Published
from snellen.ledger import Ledger, RunRow
from snellen.ledger.planned import lean_results
from snellen.table import VerdictTable
from snellen.verdict import UNSCORED, Verdict

WORDS: Mapping[int, str] = {1: "right", 0: "wrong", -1: "not scored"}
"""A value, -1 where there is none, in words for people."""

_PAGE = 500
_MISSING, _NO_ANSWER = UNSCORED.index("missing"), UNSCORED.index("model_error")


@dataclass(frozen=True, slots=True)
class Reading:
    """How one of the two decides: value 1 or 0, or None with the reason why it is unscored."""

    value: int | None
    unscored: str
    reason: str

    @property
    def words(self) -> str:
        """``right``, ``wrong`` or ``not scored``."""
        return WORDS[-1 if self.value is None else self.value]

    @classmethod
    def of(cls, verdict: Verdict | None) -> Reading:
        """Of a verdict."""
        if verdict is None:
            return cls(None, "missing", "")
        return cls(verdict.value, verdict.unscored, verdict.reason)


Readings = Callable[[Sequence[int]], Mapping[int, Reading]]


@dataclass(frozen=True, slots=True)
class Differing:
    """An item that is decided differently; `position` is its place in the plan."""

    position: int
    item: str
    here: Reading
    there: Reading


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """All items on which two judgings or readings differ: values as columns of length D, items read when asked for.

    Attributes:
        title: what differs between the two, in words.
        here: name of the judging that is looked at.
        there: name of the other judging or reading.
        compared: items that both have decided, changed versions included.
        positions: int64: places in the plan of those that are decided differently, rising.
        values_here, values_there: int8: their values, -1 where one is unscored.
        read: gives the items at some of these places, in order of the plan.
    """

    title: str
    here: str
    there: str
    compared: int
    positions: npt.NDArray[np.int64]
    values_here: npt.NDArray[np.int8]
    values_there: npt.NDArray[np.int8]
    read: Callable[[Sequence[int]], Iterable[Differing]]

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def counts(self) -> Mapping[tuple[int, int], int]:
        """(value here, value there) -> items, the most frequent first."""
        return dict(Counter(zip(self.values_here.tolist(), self.values_there.tolist(), strict=True)).most_common())

    def items(self, most: int | None = None) -> Iterator[Differing]:
        """The items in order of the plan; of no more than `most`, those whose value differs come first."""
        chosen = self.positions
        if most is not None:
            order = np.argsort(self.values_here == self.values_there, kind="stable")
            chosen = chosen[order[:most]]
        for start in range(0, len(chosen), _PAGE):
            page = chosen[start : start + _PAGE].tolist()
            place = {position: number for number, position in enumerate(page)}
            yield from sorted(self.read(page), key=lambda each: place[each.position])

    def to_json(self) -> dict[str, Any]:
        """Plain values, every item with both readings."""

        def plain(reading: Reading) -> dict[str, Any]:
            return {"value": reading.value, "unscored": reading.unscored, "reason": reading.reason}

        return {
            "title": self.title,
            "here": self.here,
            "there": self.there,
            "compared": self.compared,
            "items": [{"id": each.item, "here": plain(each.here), "there": plain(each.there)} for each in self.items()],
        }


def setting(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """The one setting in which another judging differs, in words; empty where it is none or more than one.

    Args:
        one: the identity of a judging, as its row's ``spec`` holds it.
        other: that of another.

    >>> setting({"judge": "shale", "options": {}}, {"judge": "shale", "options": {}, "on": "clean"})
    'judged on the clean version of changed items'
    """
    alike = ("judge", "model", "revision", "parameters", "recorded", "repeat")
    if any(one.get(name) != other.get(name) for name in alike):
        return ""
    options, others = one.get("options", {}), other.get("options", {})
    changed = [name for name in options.keys() | others.keys() if options.get(name) != others.get(name)]
    on = other.get("on", "changed")
    if one.get("on", "changed") != on:
        return "" if changed else f"judged on the {on} version of changed items"
    return f"{changed[0]}={others.get(changed[0])}" if len(changed) == 1 else ""


def between(
    ledger: Ledger, run: RunRow, judging: RunRow, table: VerdictTable, refresh: Callable[[RunRow], None]
) -> list[Differences]:
    """The differences to each judging of the run that differs from this one in one setting.

    Args:
        ledger: that holds them.
        run: the run.
        judging: the judging that is looked at.
        table: its verdicts.
        refresh: brings the verdicts of another judging up to date before they are read.
    """
    found = []
    for other in ledger.judgings(run.id):
        if other.id != judging.id and (title := setting(judging.spec, other.spec)):
            refresh(other)
            compared, positions, here, there = _differing(ledger, run.id, other.id, table)
            read = _reader(ledger, run.id, judging.id, _verdicts(ledger, run.id, other.id))
            found.append(Differences(title, judging.name, other.name, compared, positions, here, there, read))
    return found


def from_published(
    ledger: Ledger, run: RunRow, judging: RunRow, table: VerdictTable, published: Published
) -> Differences:
    """The items on which the reading of SHALE's published script differs from that of a judging.

    Args:
        ledger: that holds both.
        run: the run.
        judging: the judging that is looked at.
        table: its verdicts.
        published: what came of the published reading.
    """
    values = dict(zip(published.differing.tolist(), published.values.tolist(), strict=True))

    def readings(positions: Sequence[int]) -> dict[int, Reading]:
        return {position: Reading(values[position], "", "") for position in positions}

    return Differences(
        "yes, no and options as read here",
        judging.name,
        "SHALE's published script",
        published.read,
        published.differing,
        table.values[np.isin(table.positions, published.differing)],
        published.values,
        _reader(ledger, run.id, judging.id, readings),
    )


def _verdicts(ledger: Ledger, run_id: int, judging_id: int) -> Readings:
    """The verdicts of a judging at positions, as readings."""

    def readings(positions: Sequence[int]) -> dict[int, Reading]:
        return {row.position: Reading.of(row.verdict) for row in ledger.at(run_id, judging_id, positions)}

    return readings


def _reader(
    ledger: Ledger, run_id: int, judging_id: int, readings: Readings
) -> Callable[[Sequence[int]], Iterable[Differing]]:
    def read(positions: Sequence[int]) -> Iterator[Differing]:
        there = readings(positions)
        for row in ledger.at(run_id, judging_id, positions):
            yield Differing(row.position, row.item.id, Reading.of(row.verdict), there[row.position])

    return read


def _differing(
    ledger: Ledger, run_id: int, other: int, table: VerdictTable
) -> tuple[int, npt.NDArray[np.int64], npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """How many both judgings have decided; of those decided differently the positions and both values."""
    decided = table.select((table.reasons != _MISSING) & (table.reasons != _NO_ANSWER))
    positions, values = array("q"), array("b")
    for row in lean_results(ledger, run_id, other):
        if row.verdict is not None:
            positions.append(row.position)
            values.append(-1 if row.verdict.value is None else row.verdict.value)
    theirs = np.array(values, np.int8)
    both, mine, other_places = np.intersect1d(
        decided.positions, np.array(positions, np.int64), assume_unique=True, return_indices=True
    )
    here, there = decided.values[mine], theirs[other_places]
    differs = here != there
    return len(both), both[differs], here[differs], there[differs]

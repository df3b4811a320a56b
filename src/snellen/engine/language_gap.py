"""The gap between two languages, number by number: a difference with its interval, on the same screens where possible.

Where at least half of the screens of a number are there in both languages, the gap is over these alone and paired: a
screen's two languages are resampled together. Else it is over all screens, each in its own language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.engine.screen_numbers import NUMBERS, Ratio, no_width, ratios
from snellen.estimate import BOOTSTRAP, NO_INTERVAL, Estimate
from snellen.intervals import FloatArray, bootstraps
from snellen.table import LANGUAGE, VerdictTable

_SEED = 0
_AVERAGES = ("parsing_average", "macro_hallucination_average")
_BESIDE = "parsing less hallucination"


@dataclass(frozen=True, slots=True)
class Gap:
    """The first language's number less the second's.

    Attributes:
        difference: in [-1, 1]; n counts the scored items of both languages that it is over, clusters their screens.
        paired: whether it is over the screens that are there in both languages, and over these alone.
        values: the two numbers over the same items; of `parsing_less_hallucination` the two gaps.
    """

    difference: Estimate
    paired: bool
    values: tuple[float, float]

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {"difference": self.difference.to_json(), "paired": self.paired, "values": list(self.values)}


@dataclass(frozen=True, slots=True)
class LanguageGap:
    """The gaps of a run.

    Attributes:
        first, second: the languages.
        numbers: name of a number -> its gap; numbers that one of the languages lacks are left out.
        parsing_less_hallucination: gap of the parsing average less that of the hallucination average; None where one of
            them is not known.
    """

    first: str
    second: str
    numbers: Mapping[str, Gap]
    parsing_less_hallucination: Gap | None

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        beside = self.parsing_less_hallucination
        return {
            "first": self.first,
            "second": self.second,
            "numbers": {name: gap.to_json() for name, gap in self.numbers.items()},
            "parsing_less_hallucination": None if beside is None else beside.to_json(),
        }


def language_gap(table: VerdictTable, first: str = "en", second: str = "zh") -> LanguageGap | None:
    """The gaps of a table of clean items on screens; None where it has not both languages."""
    if LANGUAGE not in table.label_names:
        return None
    masks = [table.mask(**{LANGUAGE: language}) for language in (first, second)]
    if not all(mask.any() for mask in masks):
        return None
    compared: dict[str, _Compared] = {}
    for name in NUMBERS:
        sides = tuple(_within(ratios(table, name), mask) for mask in masks)
        if all(sides):
            compared[name] = _compare(table, sides)
    if all(name in compared for name in _AVERAGES):
        compared[_BESIDE] = _compare(table, tuple(side for name in _AVERAGES for side in compared[name].sides))
    gaps = _gaps(compared)
    return LanguageGap(first, second, {name: gap for name, gap in gaps.items() if name in NUMBERS}, gaps.get(_BESIDE))


def _within(parts: tuple[Ratio, ...], rows: npt.NDArray[np.bool_]) -> tuple[Ratio, ...]:
    """The ratios over some rows; none where one of them has nothing there."""
    kept = tuple((np.where(rows, top, 0.0), np.where(rows, bottom, 0.0)) for top, bottom in parts)
    return kept if all(bottom.any() for _, bottom in kept) else ()


@dataclass(frozen=True, slots=True)
class _Compared:
    """What one gap is made of.

    Attributes:
        sides: the ratios of a number in the first language and in the second; then those of a second number.
        sums: of their columns in each cluster of the table, shape (G, 2 x ratios).
        counted: which clusters it is over, shape (G,).
        rows: items that it is over.
        paired: whether these clusters have both languages.
    """

    sides: tuple[tuple[Ratio, ...], ...]
    sums: FloatArray
    counted: npt.NDArray[np.bool_]
    rows: int
    paired: bool

    def means(self, totals: FloatArray) -> list[FloatArray]:
        """The number of each side, from totals of shape (..., 2 x ratios)."""
        shares = totals[..., 0::2] / totals[..., 1::2]
        ends = np.cumsum([len(side) for side in self.sides])
        return [part.mean(axis=-1) for part in np.split(shares, ends[:-1], axis=-1)]

    def difference(self, totals: FloatArray) -> FloatArray:
        """First language less second; of two numbers, the gap of the first less that of the second."""
        first, second, *more = self.means(totals)
        return first - second - (more[0] - more[1]) if more else first - second

    def values(self) -> tuple[float, float]:
        """The two numbers, or the two gaps, that the difference is of."""
        first, second, *more = self.means(self.sums[self.counted].sum(0))
        if more:
            return float(first - second), float(more[0] - more[1])
        return float(first), float(second)


def _compare(table: VerdictTable, sides: tuple[tuple[Ratio, ...], ...]) -> _Compared:
    columns = [column for side in sides for ratio in side for column in ratio]
    clusters = len(table.cluster_keys)
    sums: FloatArray = np.stack(
        [np.bincount(table.clusters, weights=each, minlength=clusters) for each in columns], axis=1, dtype=np.float64
    )
    of_first = np.concatenate([[number % 2 == 0] * len(side) for number, side in enumerate(sides)])
    there = sums[:, 1::2] > 0
    one, other = there[:, of_first].any(axis=1), there[:, ~of_first].any(axis=1)
    shared, either = np.logical_and(one, other), np.logical_or(one, other)
    paired = bool(2 * shared.sum() >= either.sum() and there[shared].any(axis=0).all())
    counted: npt.NDArray[np.bool_] = shared if paired else either
    rows = np.stack(columns[1::2]).any(axis=0) & counted[table.clusters]
    return _Compared(sides, sums, counted, int(rows.sum()), paired)


def _gaps(compared: Mapping[str, _Compared]) -> dict[str, Gap]:
    """All gaps; those over the same clusters share their resamples, which is most of the work."""
    together: dict[bytes, list[str]] = {}
    for name, each in compared.items():
        together.setdefault(each.counted.tobytes(), []).append(name)
    found: dict[str, Gap] = {}
    for names in together.values():
        parts = [compared[name] for name in names]
        counted = parts[0].counted
        ends = np.cumsum([0, *(part.sums.shape[1] for part in parts)])
        statistics = [_of_slice(part, start, end) for part, start, end in zip(parts, ends, ends[1:], strict=False)]
        intervals = bootstraps(np.concatenate([part.sums[counted] for part in parts], axis=1), statistics, seed=_SEED)
        for name, part, interval in zip(names, parts, intervals, strict=True):
            rows, screens = part.rows, int(counted.sum())
            if interval.low is None or no_width(interval.low, interval.high):
                difference = Estimate(interval.value, None, None, rows, screens, method=NO_INTERVAL)
            else:
                difference = Estimate(*interval, rows, screens, method=BOOTSTRAP)
            found[name] = Gap(difference, part.paired, part.values())
    return {name: found[name] for name in compared}


def _of_slice(part: _Compared, start: int, end: int) -> Callable[[FloatArray], FloatArray]:
    return lambda totals: part.difference(totals[..., start:end])

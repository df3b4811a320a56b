"""Flips: pairs whose clean and changed answers were judged differently, and their rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from snellen.table import Mask


@dataclass(frozen=True, slots=True, eq=False)
class Flips:
    """Pairs of kept truth whose two answers were judged differently, as columns of length F.

    Attributes:
        clean: int64: place of the clean item in the plan.
        changed: int64: place of the changed item, rising.
        lost: bool: right when clean and wrong when changed; else the other way round.
        conditions: int16: number of the condition.
    """

    clean: npt.NDArray[np.int64]
    changed: npt.NDArray[np.int64]
    lost: Mask
    conditions: npt.NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.changed)

    def sample(self, most: int, *, lost: bool, seed: int) -> Flips:
        """At most so many that were lost (or else gained), drawn with a seed; conditions take turns."""
        among = np.flatnonzero(self.lost == lost)
        drawn = np.random.default_rng(seed).permutation(among)
        turns = np.zeros(len(drawn), np.int64)
        for condition in np.unique(self.conditions[drawn]):
            mine = self.conditions[drawn] == condition
            turns[mine] = np.arange(mine.sum())
        chosen = np.sort(drawn[np.lexsort((self.conditions[drawn], turns))][:most])
        return Flips(self.clean[chosen], self.changed[chosen], self.lost[chosen], self.conditions[chosen])


class Placed(Protocol):
    """A row of a run."""

    @property
    def position(self) -> int:
        """Its place in the plan."""


R = TypeVar("R", bound=Placed)


@dataclass(frozen=True, slots=True)
class Flip(Generic[R]):
    """A clean and a changed row whose answers were judged differently; `lost`: the clean one is right."""

    clean: R
    changed: R
    lost: bool


def flipped(rows: Iterable[R], flips: Flips) -> Iterator[Flip[R]]:
    """The rows of flips, streamed; a row is held only until its pairs are complete.

    Args:
        rows: of the run, in order of position.
        flips: which to pick, as `Resistance.flips` or a sample of it.

    Example:
        >>> for flip in flipped(judged.rows(), judged.results.resistance.flips):  # doctest: +SKIP
        ...     print(flip.clean.item.id, "->", flip.changed.item.id, "lost" if flip.lost else "gained")
    """
    partners: dict[int, list[tuple[int, int, bool]]] = {}
    for clean, changed, lost in zip(flips.clean.tolist(), flips.changed.tolist(), flips.lost.tolist(), strict=True):
        for position in (clean, changed):
            partners.setdefault(position, []).append((clean, changed, lost))
    open_pairs = {position: len(pairs) for position, pairs in partners.items()}
    held: dict[int, R] = {}
    for row in rows:
        if row.position not in partners:
            continue
        held[row.position] = row
        for clean, changed, lost in partners[row.position]:
            if clean not in held or changed not in held:
                continue
            yield Flip(held[clean], held[changed], lost)
            for position in (clean, changed):
                open_pairs[position] -= 1
                if not open_pairs[position]:
                    del held[position]

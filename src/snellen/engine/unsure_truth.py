"""How far the numbers of screens would move if the true boxes were a little wrong.

True elements of screens often come from detectors. So some of them are dropped at random, or all are moved a little,
some times over, and each number is read anew: from its lowest to its highest value is what the truth leaves open. A
dropped element can no longer be found, and a model that lists it invents it; of targets, there or absent, the whole
item is left out. A moved box is shifted by up to so much of its width and height and scaled by up to so much, each way
at random.

What is drawn depends on the seed and the item alone. The rejection rate rests on no box and is not among the numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from snellen.box import Box
from snellen.engine.screen_answers import Parse, matched
from snellen.errors import UsageError
from snellen.judges import _matching

Change = Literal["dropped", "moved"]

CHANGES: tuple[tuple[Change, float], ...] = (
    ("dropped", 0.05),
    ("dropped", 0.1),
    ("dropped", 0.2),
    ("moved", 0.02),
    ("moved", 0.05),
    ("moved", 0.1),
)
DRAWS = 5
"""How often each change is drawn, if nothing else is said."""

_COLUMNS = ("matched", "true", "listed", "same", "cosines", "compared", "hits", "targets", "rejected", "absent")
_PLACE = {name: number for number, name in enumerate(_COLUMNS)}
_RATIOS: Mapping[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "parsing_recall": ("Parsing recall", ("matched",), ("true",)),
    "parsing_precision": ("Parsing precision", ("matched",), ("listed",)),
    "function_similarity": ("Function similarity", ("cosines",), ("compared",)),
    "label_agreement": ("Label agreement", ("same",), ("matched",)),
    "localization_accuracy": ("Localization accuracy", ("hits",), ("targets",)),
    "hallucination_average": ("Hallucination average by items", ("hits", "rejected"), ("targets", "absent")),
}
_MEANS: Mapping[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "parsing_average": ("Parsing average", (("matched", "true"), ("matched", "listed"), ("cosines", "compared"))),
    "macro_hallucination_average": ("Hallucination average", (("hits", "targets"), ("rejected", "absent"))),
}
_Sums = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Range:
    """The lowest and the highest value of a number over the draws of one change."""

    change: Change
    amount: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """One number as it is, and its range under each change.

    Attributes:
        name: of the metric.
        title: in words.
        value: with the truth as it is.
        ranges: in the order of `CHANGES`; a change that leaves nothing in any draw has none.
    """

    name: str
    title: str
    value: float
    ranges: Sequence[Range]

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        ranges = [{"change": r.change, "amount": r.amount, "low": r.low, "high": r.high} for r in self.ranges]
        return {"name": self.name, "title": self.title, "value": self.value, "ranges": ranges}


class Unsettling:
    """Collects the sums of each number under each draw, a row at a time.

    Args:
        matching: as the judge's option.
        draws: of each change.
        seed: of the draws.

    Raises:
        UsageError: fewer than one draw.
    """

    def __init__(self, matching: str, draws: int = DRAWS, seed: int = 0) -> None:
        if draws < 1:
            raise UsageError(f"a range needs one draw or more, not {draws}")
        self._matching, self._draws, self._seed = matching, draws, seed
        self._sums: dict[str, _Sums] = {}  # of each language: a row for the truth as it is, then one for each draw

    def parse(self, item: str, language: str, parse: Parse, cosines: Mapping[_matching.Pair, float]) -> None:
        """One parse, with the cosines of its matched pairs where they are known; new pairs have none."""
        rng, sums = self._begin(item, language)
        true = _matching.edges([each.box for each in parse.true])
        listed = _matching.edges([each.box for each in parse.listed])
        for row, (change, amount) in enumerate(self._drawn()):
            kept = np.arange(len(true))
            iou = parse.iou
            if change == "dropped":
                kept = np.flatnonzero(rng.random(len(true)) >= amount)
                iou = iou[:, kept]
            elif change == "moved":
                iou = _matching.edge_overlaps(listed, moved(true, amount, rng))
            pairs = [(i, int(kept[j])) for i, j in matched(iou, self._matching)]
            known = [cosines[pair] for pair in pairs if pair in cosines]
            sums[row, :6] += len(pairs), len(kept), parse.count, parse.same_words(pairs), sum(known), len(known)

    def place(self, item: str, language: str, target: Box, point: tuple[float, float] | None) -> None:
        """One answer about a target that is there; None where it points nowhere."""
        rng, sums = self._begin(item, language)
        true = _matching.edges([target])
        for row, (change, amount) in enumerate(self._drawn()):
            if change == "dropped" and rng.random() < amount:
                continue
            box = Box(*moved(true, amount, rng)[0].tolist()) if change == "moved" else target
            hit = point is not None and box.contains(*point)
            sums[row, 6:8] += hit, 1

    def absent(self, item: str, language: str, *, rejected: bool) -> None:
        """One answer about a target that is not there; dropped like the others, so that averages keep their weights."""
        rng, sums = self._begin(item, language)
        for row, (change, amount) in enumerate(self._drawn()):
            if change != "dropped" or rng.random() >= amount:
                sums[row, 8:] += rejected, 1

    def results(self) -> tuple[Sensitivity, ...]:
        """The numbers that have a value, in a fixed order."""
        if not self._sums:
            return ()
        whole = np.sum(list(self._sums.values()), 0)
        columns = {
            name: (title, _share(_picked(whole, tops), _picked(whole, bottoms)))
            for name, (title, tops, bottoms) in _RATIOS.items()
        }
        for name, (title, parts) in _MEANS.items():
            columns[name] = (title, self._mean(whole, parts))
        return tuple(
            Sensitivity(name, title, float(values[0]), self._ranges(values))
            for name, (title, values) in columns.items()
            if np.isfinite(values[0])
        )

    def _mean(self, whole: _Sums, parts: Sequence[tuple[str, str]]) -> _Sums:
        """The mean over languages and parts, as the published averages have it; NaN where one part is nowhere."""
        if any(not _picked(whole, (bottom,))[0] for _, bottom in parts):
            return np.full(len(whole), np.nan)
        shares = [
            _share(_picked(sums, (top,)), _picked(sums, (bottom,)))
            for sums in self._sums.values()
            for top, bottom in parts
            if _picked(sums, (bottom,))[0]
        ]
        return np.asarray(np.mean(shares, 0), np.float64)

    def _ranges(self, values: _Sums) -> tuple[Range, ...]:
        by_change = values[1:].reshape(len(CHANGES), self._draws)
        return tuple(
            Range(change, amount, float(np.nanmin(drawn)), float(np.nanmax(drawn)))
            for (change, amount), drawn in zip(CHANGES, by_change, strict=True)
            if np.isfinite(drawn).any()  # with a handful of items a draw may drop them all
        )

    def _drawn(self) -> list[tuple[Change | None, float]]:
        """What is done to the truth, row by row of the sums."""
        return [(None, 0.0), *(each for each in CHANGES for _ in range(self._draws))]

    def _begin(self, item: str, language: str) -> tuple[np.random.Generator, _Sums]:
        digest = hashlib.blake2b(item.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return np.random.default_rng([self._seed & 0xFFFFFFFF, *np.frombuffer(digest, np.uint32)]), self._of(language)

    def _of(self, language: str) -> _Sums:
        rows = 1 + len(CHANGES) * self._draws
        return self._sums.setdefault(language, np.zeros((rows, len(_COLUMNS))))


def moved(boxes: _matching.Edges, amount: float, rng: np.random.Generator) -> _matching.Edges:
    """Boxes shifted and scaled by up to `amount` of their sides, each on its own.

    Args:
        boxes: shape (boxes, 4): left, top, right, bottom.
        amount: share of a side.
        rng: of the draw.
    """
    size = boxes[:, 2:] - boxes[:, :2]
    centre = boxes[:, :2] + size / 2 + rng.uniform(-amount, amount, size.shape) * size
    half = size * (1 + rng.uniform(-amount, amount, size.shape)) / 2
    return np.concatenate([centre - half, centre + half], 1)


def _picked(sums: _Sums, names: Sequence[str]) -> _Sums:
    return np.asarray(sums[:, [_PLACE[name] for name in names]].sum(1), np.float64)


def _share(top: _Sums, bottom: _Sums) -> _Sums:
    return np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom > 0)

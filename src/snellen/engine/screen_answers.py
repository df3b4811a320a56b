"""Answers about screens as their judge takes them, for reading them again in another light: no model is asked."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from snellen.answer import Answer
from snellen.convention import Convention, CoordinateError
from snellen.engine.choice import convention_of
from snellen.engine.judged import Judged
from snellen.engine.judging import settled
from snellen.estimate import Estimate, ratio
from snellen.item import Element, ElementsReference, Item, TargetReference
from snellen.judges import _matching, gui
from snellen.readers.boxes import TargetReading, read_elements, read_target

_SEED = 0


@dataclass(frozen=True, slots=True)
class Parse:
    """A list of elements beside the true ones.

    Attributes:
        listed: elements with a box, in the order of the answer.
        count: listed elements, those whose box is none among them.
        true: the true elements.
        iou: shape (listed, true): how far the boxes overlap.
    """

    listed: tuple[Element, ...]
    count: int
    true: tuple[Element, ...]
    iou: _matching.Overlaps
    _same: dict[_matching.Pair, bool] = field(default_factory=dict)

    def pairs(self, matching: str, threshold: float = _matching.THRESHOLD) -> list[_matching.Pair]:
        """The matched pairs (listed, true)."""
        return matched(self.iou, matching, threshold)

    def same_words(self, pairs: Sequence[_matching.Pair]) -> int:
        """How many of the pairs have the same description."""
        for i, j in pairs:
            if (i, j) not in self._same:
                self._same[i, j] = gui.same_words(self.listed[i].description, self.true[j].description)
        return sum(self._same[pair] for pair in pairs)


def matched(iou: _matching.Overlaps, matching: str, threshold: float = _matching.THRESHOLD) -> list[_matching.Pair]:
    """The pairs (listed, true) as the judge's option `matching` has them."""
    return _matching.greedy(iou, threshold) if matching == "greedy" else _matching.optimal(iou, threshold)


def convention_read(judged: Judged) -> Convention:
    """The convention under which a judging reads coordinates: its own, else the one declared for the run's model."""
    own = judged.judging is not None and judged.judging.spec.get("convention")
    return convention_of(judged.judging) if own and judged.judging is not None else convention_of(judged.run)


def matching_of(judged: Judged) -> str:
    """How a judging matches elements: ``optimal`` or ``greedy``."""
    options = judged.judging.spec.get("options", {}) if judged.judging is not None else {}
    return str(options.get("matching", gui.OPTIONS["matching"][0]))


def answers(judged: Judged) -> Iterator[tuple[Item, Answer]]:
    """Clean items on screens with their answers, thinking stripped, streamed; only those that a judge reads."""
    for row in judged.rows():
        if row.answer is None or row.item.changes or row.answer.failure is not None:
            continue
        if not isinstance(row.item.reference, TargetReference | ElementsReference):
            continue
        verdict, visible = settled(row.answer, parity=False)
        if verdict is None:
            yield row.item, visible


def parse_of(item: Item, true: tuple[Element, ...], answer: Answer, convention: Convention) -> Parse | None:
    """The elements that an answer lists beside the true ones; None where the image's size is not known."""
    try:
        reading = read_elements(answer.text, convention, gui.frame_of(item, answer))
    except CoordinateError:
        return None
    iou = _matching.overlaps([each.box for each in reading.elements], [each.box for each in true])
    return Parse(reading.elements, len(reading.elements) + len(reading.problems), true, iou)


def place_of(item: Item, answer: Answer, convention: Convention) -> TargetReading | None:
    """Where an answer points; None where the image's size is not known."""
    try:
        return read_target(answer.text, convention, gui.frame_of(item, answer))
    except CoordinateError:
        return None


class Ratios:
    """Numerators and denominators of several numbers, a pair for each row, as columns of numbers.

    Args:
        names: of the numbers.
    """

    def __init__(self, *names: str) -> None:
        self._columns = {name: (array("d"), array("d")) for name in names}
        self._clusters = {name: array("q") for name in names}
        self._codes: dict[str, int] = {}

    def add(self, cluster: str, name: str, top: float, bottom: float) -> None:
        """One row of one number."""
        tops, bottoms = self._columns[name]
        tops.append(top)
        bottoms.append(bottom)
        self._clusters[name].append(self._codes.setdefault(cluster, len(self._codes)))

    def estimate(self, name: str) -> Estimate:
        """The sum of the numerators over that of the denominators."""
        tops, bottoms = self._columns[name]
        clusters = np.array(self._clusters[name], np.int64)
        return ratio(np.array(tops), np.array(bottoms), clusters, seed=_SEED)

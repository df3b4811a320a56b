"""Flips: every pair whose two answers were judged differently, streamed."""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from changed_items import Value, Version, table_of
from snellen.engine.flips import Flips, flipped
from snellen.engine.resistance import measure


@dataclass
class Row:
    position: int


def found(rows: list[tuple[Value, list[Version]]]) -> Flips:
    measured = measure(table_of([({}, value, versions) for value, versions in rows]), {})
    assert measured is not None
    return measured.flips


ROWS: list[tuple[Value, list[Version]]] = [
    (1, [("jpeg:3", 0), ("typos:3", 0)]),  # positions 0, 1, 2
    (1, [("jpeg:3", 1), ("typos:3", 0, "altered")]),  # 3, 4, 5
    (0, [("jpeg:3", 1), ("typos:3", None)]),  # 6, 7, 8
    (None, [("jpeg:3", 1)]),  # 9, 10
    (1, [("typos:3", 0)]),  # 11, 12
]


def test_pairs_of_kept_truth_that_were_judged_differently() -> None:
    flips = found(ROWS)
    assert flips.clean.tolist() == [0, 0, 6, 11]
    assert flips.changed.tolist() == [1, 2, 7, 12]
    assert flips.lost.tolist() == [True, True, False, True]


def placed(positions: list[int]) -> Iterator[Row]:
    return (Row(position) for position in positions)


@pytest.mark.parametrize("order", [list(range(13)), list(range(12, -1, -1)), [1, 0, 2, 7, 12, 3, 6, 11, 5]])
def test_rows_of_flips_whatever_their_order(order: list[int]) -> None:
    flips = flipped(placed(order), found(ROWS))
    assert sorted((flip.clean.position, flip.changed.position, flip.lost) for flip in flips) == [
        (0, 1, True),
        (0, 2, True),
        (6, 7, False),
        (11, 12, True),
    ]


def test_a_flip_without_one_of_its_rows_is_none() -> None:
    assert list(flipped(placed([0, 7]), found(ROWS))) == []


def test_rows_are_held_no_longer_than_needed() -> None:
    alive: weakref.WeakSet[Any] = weakref.WeakSet()
    most = 0

    class Watched:
        def __init__(self, position: int) -> None:
            self.position = position
            alive.add(self)

    rows: list[tuple[Value, list[Version]]] = [(1, [("jpeg:3", 0), ("typos:3", 0)])] * 500
    flips, count = found(rows), 0
    for _ in flipped((Watched(position) for position in range(1500)), flips):
        count += 1
        most = max(most, len(alive))
    assert count == 1000
    assert most <= 4


def test_a_sample_is_seeded_and_takes_conditions_by_turns() -> None:
    rows: list[tuple[Value, list[Version]]] = [(1, [("jpeg:3", 0)])] * 50
    rows += [(1, [("typos:3", 0)])] * 3
    rows += [(0, [("jpeg:3", 1)])] * 5
    flips = found(rows)
    lost = flips.sample(8, lost=True, seed=1)
    assert Counter(lost.conditions.tolist()) == {0: 5, 1: 3}
    assert lost.lost.all()
    assert (np.diff(lost.changed) > 0).all()
    assert np.array_equal(lost.changed, flips.sample(8, lost=True, seed=1).changed)
    assert not np.array_equal(lost.changed, flips.sample(8, lost=True, seed=2).changed)
    assert len(flips.sample(8, lost=False, seed=1)) == 5
    assert len(flips.sample(0, lost=True, seed=1)) == 0

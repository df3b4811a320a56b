"""Pairs: every changed item meets the clean one that it was made of, and no other."""

from __future__ import annotations

import numpy as np
import pytest

from changed_items import changed, clean, table_of, verdict
from snellen.item import Change, Item
from snellen.pairs import PairTable
from snellen.table import CHANGE, TableBuilder
from snellen.verdict import Verdict


def test_changed_items_meet_their_clean_one() -> None:
    table = table_of(
        [
            ({"aspect": "color"}, 1, [("jpeg:3", 0), ("grayscale:1", 1, "altered")]),
            ({"aspect": "count"}, None, [("jpeg:3", 1)]),
            ({"aspect": "count"}, 0, []),
            ({"aspect": "count"}, 0, [("jpeg:3", None), ("jpeg:3+typos:2", 0, "unknown")]),
        ]
    )
    pairs = PairTable.of(table)
    assert len(pairs) == 5
    assert pairs.clean.tolist() == [1, 1, -1, 0, 0]
    assert pairs.changed.tolist() == [0, 1, 1, -1, 0]
    assert pairs.clean_positions.tolist() == [0, 0, 3, 6, 6]
    assert pairs.rows.positions.tolist() == [1, 2, 4, 7, 8]
    assert pairs.scored.tolist() == [True, True, False, False, True]
    assert pairs.conditions == ("grayscale:1", "jpeg:3", "jpeg:3+typos:2")
    assert pairs.truth("kept").tolist() == [True, False, True, True, False]
    assert pairs.truth("altered", "unknown").tolist() == [False, True, False, False, True]
    kept = pairs.select(pairs.truth("kept"))
    assert kept.clean.tolist() == [1, -1, 0]
    assert kept.rows.where(aspect="color").positions.tolist() == [1]
    with pytest.raises(ValueError, match="5 booleans"):
        pairs.select([True])


def test_nothing_depends_on_the_order_of_positions() -> None:
    """Changed items may come before the clean one, and far from it."""
    names = [f"i/{number}" for number in range(50)]
    values = np.random.default_rng(0).integers(0, 2, 50).tolist()
    builder = TableBuilder()
    for number, name in enumerate(names):
        builder.add(999 - number, clean(name), verdict(values[number]))
        builder.add(number, changed(clean(name), "jpeg:3"), verdict(1))
    pairs = PairTable.of(builder.build())
    assert pairs.clean.tolist() == values
    assert pairs.clean_positions.tolist() == [999 - number for number in range(50)]


def test_a_changed_item_without_its_clean_one_has_no_clean_value() -> None:
    builder = TableBuilder()
    builder.add(0, clean("i/1"), Verdict(1))
    builder.add(1, changed(clean("i/0"), "jpeg:3"), Verdict(1))
    builder.add(2, Item("i/1@jpeg:3", "?", changes=(Change("jpeg", 3, 0, "kept"),)), Verdict(1))  # in no group
    pairs = PairTable.of(builder.build())
    assert (pairs.clean.tolist(), pairs.clean_positions.tolist()) == ([-1, -1], [-1, -1])
    alone = PairTable.of(builder.build().where(**{CHANGE: "jpeg:3"}))
    assert alone.clean.tolist() == [-1, -1]


def test_no_changed_items_are_no_pairs() -> None:
    for table in (table_of([]), table_of([({}, 1, [])])):
        pairs = PairTable.of(table)
        assert (len(pairs), pairs.conditions, len(pairs.truth("kept"))) == (0, (), 0)

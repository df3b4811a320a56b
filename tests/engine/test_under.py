"""Runs seen under conditions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from snellen.card import Card
from snellen.engine.comparison import compare
from snellen.engine.under import under
from snellen.errors import UsageError
from snellen.item import Change, Item, Truth
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import Verdict


@dataclass
class Made:
    name: str
    table: VerdictTable
    card: Card = field(default_factory=lambda: Card("made", "Made", "Made."))
    manifest: Mapping[str, Any] = field(default_factory=lambda: {"plan": {"model": "m", "prompt": "direct"}})


def made(name: str, clean: str, jpeg: str, truths: tuple[Truth, ...] = ("kept",) * 4) -> Made:
    """A run of items with these values, and of each under jpeg:3."""
    builder = TableBuilder()
    for number, value in enumerate(clean):
        builder.add(number, Item(f"i/{number}", "?", cluster=f"c/{number}"), Verdict(int(value)))
    for number, (value, truth) in enumerate(zip(jpeg, truths, strict=True)):
        change = (Change("jpeg", 3, 0, truth),)
        item = Item(f"i/{number}@jpeg:3", "?", cluster=f"c/{number}", groups={"pair": f"i/{number}"}, changes=change)
        builder.add(10 + number, item, Verdict(int(value)))
    return Made(name, builder.build())


def test_several_runs_under_one_condition() -> None:
    one, two = made("r/1", "1111", "0000"), made("r/2", "1111", "0110", ("kept", "removed", "kept", "kept"))
    found = compare(under([one, two], ["jpeg:3"]))
    score = found.lines[0].differences["score"]
    # All truths take part: both were asked the same.
    assert (score.n, score.base.hits, score.other.hits, score.gained) == (4, 0, 2, 2)
    assert [(each.run, each.compared) for each in found.others] == [("r/2", ())]
    assert found.others[0].pairing.moved(gained=True)[1].tolist() == [11, 12]


def test_one_run_under_several() -> None:
    run = made("r/1", "1110", "0011", ("kept", "removed", "kept", "kept"))
    found = compare(under([run], ["clean", "jpeg:3"]))
    score = found.lines[0].differences["score"]
    # The second item's truth was removed: three are left.
    assert (score.n, score.base.hits, score.other.hits, score.gained, score.lost) == (3, 2, 2, 1, 1)
    assert (found.title, found.others[0].title) == ("clean", "jpeg:3")
    assert found.others[0].compared == ("condition: clean, jpeg:3",)
    assert found.others[0].warnings == ("One of the runs is not judged.",)
    assert found.others[0].run == "r/1 under jpeg:3"


def test_no_condition_leaves_runs_as_they_are() -> None:
    run = made("r/1", "1110", "0011")
    assert under([run], []) == [run]


def test_what_makes_no_sense_is_said() -> None:
    run = made("r/1", "1110", "0011")
    for runs, conditions, said in (
        ([run], ["jpeg:5"], "not asked under 'jpeg:5'; there are: clean, jpeg:3"),
        ([run, run], ["clean", "jpeg:3"], "not both at once"),
        ([run], ["clean", "clean"], "named twice"),
    ):
        with pytest.raises(UsageError, match=said):
            under(runs, conditions)

"""Judgings and labels made up for the tests of audits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from snellen.card import Card
from snellen.engine.crowd import Crowd, of_run
from snellen.engine.human_labels import HumanLabels, Label
from snellen.item import Change, Item
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import Verdict

CARD = Card("made", "Made up", "Made up.", labels={"kind": ("open", "closed"), "relation": ("normal", "absent")})

Row = tuple[str, str, int | None]
"""Id, whose first letter is the image; ``kind/relation``; the judge's value."""


def item(name: str, labels: str) -> Item:
    """An item; ``a1@jpeg:3`` is a changed version of ``a1``."""
    kind, _, relation = labels.partition("/")
    clean, _, condition = name.partition("@")
    changes = (Change(condition.partition(":")[0], 3, 0, "kept"),) if condition else ()
    own = {"kind": kind, "relation": relation or "normal"}
    return Item(name, "?", labels=own, groups={"pair": clean}, cluster=name[0], changes=changes)


def table_of(rows: Iterable[Row]) -> VerdictTable:
    """A table of verdicts."""
    builder = TableBuilder()
    for number, (name, labels, value) in enumerate(rows):
        verdict = Verdict(None, unscored="judge_cannot_tell") if value is None else Verdict(value)
        builder.add(number, item(name, labels), verdict)
    return builder.build()


def crowd_of(rows: Sequence[Row], said: Iterable[tuple[str, int | None] | tuple[str, int | None, str]]) -> Crowd:
    """People on these rows: (id, label) or (id, label, rater)."""
    labels = [Label(name, value, *(rater or ("ann",))) for name, value, *rater in said]
    positions = {name: number for number, (name, _, _) in enumerate(rows)}
    return of_run(HumanLabels(tuple(labels)), "made/run", table_of(rows), lambda ids: positions)

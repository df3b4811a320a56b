"""Answers drawn for people to label."""

from __future__ import annotations

from collections import Counter

import numpy as np

from snellen.card import Card
from snellen.engine.audit_sample import compare_sample
from snellen.engine.review_sample import review_sample
from snellen.item import Change, Item
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import Verdict

CARD = Card("made-up", "Made up", "Made up.", labels={"kind": ("a", "b"), "aspect": ("x", "y", "z")})


def table(count: int = 1_200) -> VerdictTable:
    """Verdicts of which a tenth is right, one in 20 unscored, with a changed version of every third item."""
    builder = TableBuilder()
    for number in range(count):
        labels = {"kind": "ab"[number % 4 == 0], "aspect": "xyz"[number % 3]}
        item = Item(f"made-up/{number}", "?", labels=labels, cluster=f"made-up/{number // 4}")
        verdict = Verdict(None, unscored="judge_error") if number % 20 == 7 else Verdict(int(number % 10 == 0))
        builder.add(2 * number, item, verdict)
        if number % 3 == 0:
            changed = Item(f"made-up/{number}@c:3", "?", labels=labels, changes=(Change("c", 3, 0, "kept"),))
            builder.add(2 * number + 1, changed, Verdict(1))
    return builder.build()


def cells(found: list[int]) -> Counter[tuple[bool, bool, int]]:
    return Counter((number % 10 == 0, number % 4 == 0, number % 3) for number in (place // 2 for place in found))


def test_every_verdict_and_cell_has_its_share() -> None:
    whole = table()
    drawn = review_sample(CARD, whole, 100)
    assert len(set(drawn)) == 100
    assert all(place % 2 == 0 and place // 2 % 20 != 7 for place in drawn)
    everything = review_sample(CARD, whole, 10_000)
    assert len(everything) == 1_140
    counts, shares = cells(drawn), cells(everything)
    assert all(abs(counts[cell] - 100 * count / 1_140) < 1 for cell, count in shares.items())
    judged = whole.select(whole.clean & whole.scored)
    chosen = np.isin(judged.positions, drawn)
    assert not any(each.differs for each in compare_sample(CARD, judged, chosen))


def test_same_seed_same_sample_in_random_order() -> None:
    whole = table()
    first = review_sample(CARD, whole, 50, seed=3)
    assert first == review_sample(CARD, whole, 50, seed=3)
    assert first != review_sample(CARD, whole, 50, seed=4)
    assert first != sorted(first)


def test_each_answer_is_as_likely_as_another() -> None:
    whole = table(60)
    counts = Counter(place for seed in range(600) for place in review_sample(CARD, whole, 19, seed=seed))
    expected = 600 * 19 / 57
    assert len(counts) == 57
    assert all(abs(count - expected) < 5 * (expected * (1 - 19 / 57)) ** 0.5 for count in counts.values())


def test_nothing_to_draw() -> None:
    assert review_sample(CARD, TableBuilder().build(), 5) == []
    assert review_sample(CARD, table(8), 0) == []

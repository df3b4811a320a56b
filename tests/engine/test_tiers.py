"""Rankings: order, letters, what is tested, and open against closed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.engine.paired import difference
from snellen.engine.tiers import letters, rank
from snellen.item import Change, Item
from snellen.model_spec import ModelSpec
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import Verdict

VERDICTS = {1: Verdict(1), 0: Verdict(0), -1: Verdict(None, unscored="missing")}


@dataclass
class Made:
    name: str
    table: VerdictTable
    manifest: Mapping[str, Any] = field(default_factory=dict)


def made(name: str, values: list[int], model: str = "", first: int = 0) -> Made:
    """A run with these values, two items to an image; the first item's number."""
    builder = TableBuilder()
    for place, value in enumerate(values):
        number = first + place
        builder.add(place, Item(f"i/{number}", "?", cluster=f"c/{number // 2}"), VERDICTS[value])
    return Made(name, builder.build(), {"plan": {"model": model}, "model": {"kind": "openai-compatible"}})


@given(
    st.integers(1, 7).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.sampled_from([*combinations(range(n), 2), (0, 0)])))
    )
)
def test_two_share_a_letter_if_and_only_if_they_are_not_apart(case: tuple[int, set[tuple[int, int]]]) -> None:
    count, apart = case
    apart -= {(0, 0)}
    found = letters(count, sorted(apart))
    for pair in combinations(range(count), 2):
        assert bool(set(found[pair[0]]) & set(found[pair[1]])) is (pair not in apart)
    assert all(found)


def test_letters_of_a_textbook_case() -> None:
    # Piepho (2004): treatments in order, neighbours alike, those two places apart not.
    assert letters(3, [(0, 2)]) == ["a", "ab", "b"]
    assert letters(3, []) == ["a", "a", "a"]
    assert letters(2, [(0, 1)]) == ["a", "b"]
    many = letters(30, list(combinations(range(30), 2)))
    assert many[25:28] == ["z", "a1", "b1"]
    assert len(set(many)) == 30


def test_order_scores_and_pairs() -> None:
    good, bad, alike = [1] * 40, [0] * 40, [1] * 39 + [0]
    found = rank([made("r/bad", bad), made("r/good", good), made("r/alike", alike)], ["bad", "good", "alike"])
    assert found is not None
    assert [(each.title, each.letters, each.score.hits) for each in found.ranked] == [
        ("good", "a", 40),
        ("alike", "a", 39),
        ("bad", "b", 0),
    ]
    assert [(pair.better, pair.worse, pair.apart) for pair in found.pairs] == [
        ("r/good", "r/alike", False),
        ("r/good", "r/bad", True),
        ("r/alike", "r/bad", True),
    ]
    # Holm over three pairs: the smallest p is made three times as large.
    clusters = np.repeat(range(20), 2)
    alone = difference(bad, good, clusters)
    assert alone.p is not None
    assert found.pairs[1].difference.p_holm == pytest.approx(3 * alone.p)
    assert found.pairs[1].difference.value == 1
    assert found.to_json()["ranked"][0]["run"] == "r/good"


def test_scores_are_over_what_all_have_and_is_scored_in_all() -> None:
    one = made("r/one", [1, 1, 0, -1, 1, 0])
    two = made("r/two", [1, 0, 1, 1, 1, 1], first=1)  # items 1 to 6
    three = made("r/three", [0, 1, 1, 1, 1, -1])
    found = rank([one, two, three])
    assert found is not None
    # Shared: 1 to 5. Unscored in one of them: 3 and 5.
    assert (found.shared, found.scored) == (5, 3)
    assert {each.run: each.score.hits for each in found.ranked} == {"r/one": 2, "r/two": 2, "r/three": 3}
    assert rank([one, made("r/none", [-1] * 6), two]) is None
    assert rank([one, made("r/other", [1], first=99), two]) is None


def test_changed_versions_take_no_part() -> None:
    builder = TableBuilder()
    for place, changes in enumerate(((), (Change("jpeg", 3, 0, "kept"),))):
        item = Item(f"i/0{'@jpeg:3' * bool(changes)}", "?", cluster="c/0", groups={"pair": "i/0"}, changes=changes)
        builder.add(place, item, VERDICTS[1 - place])
    found = rank([Made("r/changed", builder.build()), made("r/a", [0, 0]), made("r/b", [1, 1])])
    assert found is not None
    assert {each.run: each.score.hits for each in found.ranked} == {"r/changed": 1, "r/a": 0, "r/b": 1}


def test_open_against_closed_by_hand() -> None:
    models = {
        "o1": ModelSpec("o1", weights="open"),
        "o2": ModelSpec("o2", weights="open", size=7e9),
        "c": ModelSpec("c", weights="closed"),
    }
    runs = [
        made("r/o1", [1, 0, 0, 0, 1, 0], "o1"),
        made("r/o2", [0, 0, 1, 0, 1, 0], "o2"),
        made("r/c", [1, 1, 1, 1, 1, 0], "c"),
        made("r/unknown", [1, 1, 1, 1, 1, 1], "u"),
    ]
    found = rank(runs, models=models)
    assert found is not None
    contrast = found.open_closed
    assert contrast is not None
    assert (contrast.open, contrast.closed) == (("r/o1", "r/o2"), ("r/c",))
    # Per item: -.5 -1 | -.5 -1 | 0 0.
    assert contrast.value == pytest.approx(-3 / 6)
    # Sums of images -1.5, -1.5, 0: of the eight flips, four are as far from 0.
    assert contrast.p == pytest.approx(0.5, abs=0.02)
    half = 4.302653 * np.sqrt(3 / 2 * (0.5**2 + 0.5**2 + 1) / 36)
    assert contrast.low == pytest.approx(max(-1, -0.5 - half))
    assert contrast.high == pytest.approx(-0.5 + half, abs=1e-6)
    assert found.ranked[-1].traits.size in (None, 7e9)
    nothing = rank(runs)
    assert nothing is not None
    assert nothing.open_closed is None

"""Runs compared on the items that they share: pairing, measures, labels, families, and what is warned of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from snellen.card import Card
from snellen.engine.comparability import compared, warnings
from snellen.engine.comparison import Pairing, compare
from snellen.errors import UsageError
from snellen.item import Change, Item
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import ABSTAINED, Verdict

CARD = Card("gui-demo", "Screens", "Screens.", labels={"task": ("parsing", "confusion", "fabricated")})
ANSWERABLE = {"task": ("parsing", "confusion")}
RIGHT, WRONG, LOST = Verdict(1), Verdict(0), Verdict(None, unscored="missing")
DECLINED, REJECTED = Verdict(0, flags=(ABSTAINED,)), Verdict(1, flags=(ABSTAINED,))
MISLED = Verdict(0, measures={"hit_distractor": (1, 1), "hit_elsewhere": (0, 1)})

Rows = list[tuple[str, str, Verdict]]


@dataclass
class Made:
    name: str
    table: VerdictTable
    card: Card = CARD
    manifest: Mapping[str, Any] = field(default_factory=lambda: manifest())


def manifest(**changes: Any) -> dict[str, Any]:
    plan = {"model": "vlm", "prompt": "direct", "data": "d", "image_policy": "", "parameters": {"temperature": 0}}
    judging = {"name": "r@gui", "judge": "gui", "options": {}, "source": "s"}
    whole = {"benchmark": "gui-demo", "plan": plan, "judging": judging, "versions": {"snellen": "1"}}
    for name, value in changes.items():
        part, _, key = name.partition("__")
        if key:
            whole[part] = {**whole[part], key: value}  # type: ignore[dict-item]
        else:
            whole[part] = value
    return whole


def made(name: str, rows: Rows, **changes: Any) -> Made:
    """A run of (id, task, verdict); the letter at an id's beginning is its cluster."""
    builder = TableBuilder(ANSWERABLE)
    for number, (id_, task, verdict) in enumerate(rows):
        builder.add(number, Item(id_, "?", labels={"task": task}, cluster=id_[0]), verdict)
    return Made(name, builder.build(), manifest=manifest(**changes))


BASE = made(
    "gui-demo/a",
    [
        ("a1", "confusion", WRONG),
        ("a2", "confusion", RIGHT),
        ("b1", "fabricated", WRONG),
        ("b2", "fabricated", WRONG),
        ("c1", "parsing", LOST),
        ("c2", "parsing", RIGHT),
        ("d1", "confusion", MISLED),
    ],
)
OTHER = made(
    "gui-demo/b",
    [  # in another order, and not the same items
        ("e1", "confusion", RIGHT),
        ("b2", "fabricated", REJECTED),
        ("b1", "fabricated", REJECTED),
        ("a2", "confusion", DECLINED),
        ("a1", "confusion", RIGHT),
        ("c1", "parsing", RIGHT),
        ("d1", "confusion", MISLED),
    ],
    plan__prompt="pgp",
)


def test_items_are_paired_by_id() -> None:
    pairing = Pairing.of(BASE.table, OTHER.table)
    assert (len(pairing.base), pairing.only_base, pairing.only_other) == (6, 1, 1)
    assert pairing.base.pair_keys.tolist() == pairing.other.pair_keys.tolist()
    assert pairing.base.positions.tolist() == [0, 1, 2, 3, 4, 6]
    assert pairing.other.positions.tolist() == [4, 3, 2, 1, 5, 6]
    assert [x.tolist() for x in pairing.moved(gained=True)] == [[0, 2, 3], [4, 2, 1]]
    assert [x.tolist() for x in pairing.moved(gained=False)] == [[1], [3]]


def test_the_gain_and_what_it_costs_by_hand() -> None:
    (line,) = compare([BASE, OTHER]).lines
    found = line.differences
    assert (line.run, line.title, line.shared) == ("gui-demo/b", "pgp", 6)
    score = found["score"]
    assert (score.n, score.base.hits, score.other.hits, score.gained, score.lost, score.unscored) == (5, 1, 3, 3, 1, 1)
    # Clusters a, b and d differ by 0, 2 and 0: one flip is as far as the other.
    assert score.p == 1
    refusal = found["over_refusal"]
    assert (refusal.n, refusal.base.hits, refusal.other.hits) == (3, 0, 1)
    assert (found["abstention"].base.hits, found["abstention"].other.hits) == (0, 3)
    assert (found["localization_accuracy"].n, found["localization_accuracy"].value) == (3, 0)
    assert (found["rejection_rate"].n, found["rejection_rate"].value) == (2, 1)
    assert found["false_rejections"].value == pytest.approx(1 / 3)
    assert (found["hit_distractor"].base.hits, found["hit_distractor"].other.hits) == (1, 1)


def test_a_line_for_each_value_in_the_cards_order_and_a_family_for_each_label() -> None:
    third = made("gui-demo/c", [("a1", "confusion", RIGHT), ("b1", "fabricated", WRONG)], plan__prompt="verify")
    found = compare([BASE, OTHER, third], ["task"])
    assert [(line.title, line.value) for line in found.lines] == [
        ("pgp", ""),
        ("verify", ""),
        ("pgp", "parsing"),
        ("pgp", "confusion"),
        ("verify", "confusion"),
        ("pgp", "fabricated"),
        ("verify", "fabricated"),
    ]
    values = [line.differences["rejection_rate"].value for line in found.lines if line.value == "fabricated"]
    assert values == [1, 0]
    assert found.to_json()["lines"][0]["differences"]["score"]["n"] == 5


def test_p_is_corrected_within_a_family() -> None:
    rows = [(f"{letter}1", "confusion", WRONG) for letter in "abcdefgh"]
    better: Rows = [(id_, task, RIGHT) for id_, task, _ in rows]
    runs = [made("r/0", rows), made("r/1", better, plan__prompt="p"), made("r/2", rows, plan__prompt="q")]
    first, second = compare(runs).lines
    assert first.differences["score"].p == pytest.approx(2 / 2**8)
    assert first.differences["score"].p_holm == pytest.approx(4 / 2**8)
    assert second.differences["score"].p_holm == 1


def test_changed_versions_take_no_part() -> None:
    builder = TableBuilder()
    for position, (id_, changes) in enumerate((("a1", ()), ("a1@jpeg:3", (Change("jpeg", 3, 0, "kept"),)))):
        item = Item(id_, "?", labels={"task": "confusion"}, groups={"pair": "a1"}, cluster="a", changes=changes)
        builder.add(position, item, RIGHT)
    changed = Made("gui-demo/x", builder.build())
    assert compare([BASE, changed]).lines[0].shared == 1


def test_what_cannot_be_compared_is_said() -> None:
    with pytest.raises(UsageError, match="two runs"):
        compare([BASE])
    with pytest.raises(UsageError, match="is named twice"):
        compare([BASE, OTHER, BASE])
    with pytest.raises(UsageError, match="share no item"):
        compare([BASE, made("gui-demo/z", [("z1", "confusion", RIGHT)])])
    with pytest.raises(UsageError, match="no item has a label named 'colour'"):
        compare([BASE, OTHER], ["colour"])


def test_other_benchmarks_have_no_measures_of_screens() -> None:
    builder = TableBuilder({"relation": ("normal",)})
    builder.add(0, Item("a1", "?", labels={"relation": "normal"}), RIGHT)
    runs = [Made(name, builder.build()) for name in ("charthal/a", "charthal/b")]
    assert list(compare(runs).lines[0].differences) == ["score", "over_refusal", "abstention"]


def test_ten_thousand_items_pair_as_few_do() -> None:
    rng = np.random.default_rng(1)
    rows = [(f"{chr(97 + number % 20)}{number}", "confusion", RIGHT) for number in range(10_000)]
    other: Rows = [(id_, task, RIGHT if rng.random() < 0.9 else WRONG) for id_, task, _ in rows]
    rng.shuffle(other)
    (line,) = compare([made("r/0", rows), made("r/1", other)]).lines
    score = line.differences["score"]
    assert (line.shared, score.gained) == (10_000, 0)
    assert score.lost == sum(verdict is WRONG for _, _, verdict in other)


def test_one_thing_that_differs_is_what_is_compared() -> None:
    for changes, said in (
        ({"plan__prompt": "pgp"}, "prompt: direct, pgp"),
        ({"plan__model": "big"}, "model: vlm, big"),
        ({"plan__parameters": {"temperature": 1}}, "parameters: temperature=0, temperature=1"),
        ({"judging__judge": "rules", "judging__name": "r@rules"}, "judge: gui, rules"),
    ):
        assert compared(manifest(), manifest(**changes)) == [said]
        assert warnings(manifest(), manifest(**changes)) == []
    assert compared(manifest(), manifest()) == warnings(manifest(), manifest()) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"plan__prompt": "pgp", "plan__model": "big"}, "Model and prompt differ"),
        ({"plan__data": "e"}, "The data differ"),
        ({"plan__image_policy": "max-1024"}, "Images were handled differently: none, max-1024."),
        ({"plan__revision": "2"}, "The revision of the model differs: none, 2."),
        ({"plan__convention": "gemini"}, "The convention of coordinates differs"),
        ({"versions": {"snellen": "2"}}, "The runs were made with other versions: snellen 1 and 2."),
        ({"judging__source": "t"}, "The judge's source has changed"),
        ({"judging": {}}, "One of the runs is not judged."),
        ({"plan__prompt": "pgp", "judging__judge": "rules"}, "The judges differ"),
        ({"benchmark": "screenspot"}, "The benchmarks differ"),
    ],
)
def test_everything_else_that_differs_is_a_warning(changes: dict[str, Any], said: str) -> None:
    found = warnings(manifest(), manifest(**changes))
    assert any(line.startswith(said) for line in found), found


def test_a_second_run_is_compared_in_its_prompt() -> None:
    given = {"run": "1", "rung": "true", "image": False, "parses": "x"}
    second = manifest(plan__prompt="from-true-parse", plan__given=given)
    assert compared(manifest(), second) == ["prompt: direct, from-true-parse"]
    assert warnings(manifest(), second) == []
    both = manifest(plan__prompt="from-true-parse", plan__given={**given, "image": True})
    assert compared(second, both) == ["image beside the parse: False, True"]


def test_parses_are_compared_as_ratios() -> None:
    def parse(matched: int, there: int, listed: int) -> Verdict:
        return Verdict(0, measures={"recall": (matched, there), "precision": (matched, listed)})

    ids = [f"{letter}1" for letter in "abcdef"]
    base = made("gui-demo/a", [(id_, "parsing", parse(2, 10, 4)) for id_ in ids] + [("g1", "confusion", RIGHT)])
    other: Rows = [(id_, "parsing", parse(6, 10, 8)) for id_ in ids[:5]] + [("f1", "parsing", LOST)]
    (line,) = compare([base, made("gui-demo/b", other, plan__prompt="pgp")]).lines
    recall, precision = line.differences["parsing_recall"], line.differences["parsing_precision"]
    assert (recall.base.value, recall.other.value, recall.n, recall.unscored) == (0.2, 0.6, 5, 1)
    assert (precision.base.value, precision.other.value, precision.gained) == (0.5, 0.75, 5)
    assert recall.p == pytest.approx(2 / 2**5, abs=0.01)
    assert "function_similarity" not in line.differences

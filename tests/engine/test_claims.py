"""Claims: on runs, on published tables, and those that benchmarks list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from snellen import discovery
from snellen.card import Card, PublishedRow
from snellen.claim import Claim
from snellen.engine.claims import ClaimTest, claims
from snellen.errors import UsageError
from snellen.item import Item
from snellen.model_spec import ModelSpec
from snellen.report.claims import lines
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import Verdict

CARD = Card(
    "made",
    "Made",
    "Made.",
    labels={"kind": ("easy", "hard", "odd")},
    published=(
        PublishedRow("A-7B", {"": 0.5, "kind=easy": 0.7, "kind=hard": 0.2, "kind=odd": 0.4}),
        PublishedRow("A-70B", {"": 0.4, "kind=easy": 0.3, "kind=hard": 0.6, "kind=odd": 0.1}),
        PublishedRow("A (high)", {"": 0.46}),
        PublishedRow("A", {"": 0.4}),
    ),
    published_items={"": 200, "kind=easy": 100, "kind=hard": 50, "kind=odd": 50},
)
EASY = Claim("easy", "Easy is easier.", "parts", higher={"kind": ("easy",)}, lower={"kind": ("hard", "odd")})
EFFORT = Claim("effort", "Effort helps little.", "effort", margin=0.05, pairs=(("A", "A (high)"), ("B", "B (high)")))
SIZE = Claim("size", "Bigger is better.", "size")
PROMPT = Claim("pgp", "It helps.", "prompt", prompts=("direct", "pgp"), items={"kind": ("hard",)})


@dataclass
class Made:
    name: str
    table: VerdictTable
    manifest: Mapping[str, Any]
    card: Card = field(default_factory=lambda: CARD)


def made(
    name: str, easy: float, hard: float, *, model: str = "a-7b", prompt: str = "direct", effort: str = "", seed: int = 0
) -> Made:
    """A run of 60 images with an easy and a hard item each, such shares of which are right."""
    builder = TableBuilder()
    for number in range(60):
        for place, (kind, share) in enumerate((("easy", easy), ("hard", hard))):
            right = ((number * 37 + seed) % 60) < round(60 * share)
            item = Item(f"i/{number}/{kind}", "?", labels={"kind": kind}, cluster=f"c/{number}")
            builder.add(2 * number + place, item, Verdict(int(right)))
    plan = {"model": model, "prompt": prompt, "parameters": {"reasoning_effort": effort} if effort else {}}
    return Made(name, builder.build(), {"plan": plan, "model": {"kind": "openai-compatible"}})


def one(claim: Claim, *runs: Made, models: Mapping[str, ModelSpec] | None = None) -> ClaimTest:
    (found,) = claims(CARD, [claim], runs, models)
    return found


def test_parts_of_the_published_table_by_hand() -> None:
    right, wrong = one(EASY).published
    assert (right.rows, right.agrees) == (("A-7B",), True)
    assert right.higher == pytest.approx(0.7)
    assert right.lower == pytest.approx((0.2 * 50 + 0.4 * 50) / 100)
    # 100 items in either part; an effect of 1.45 for ten items an image at a correlation of 0.05.
    assert right.chance == pytest.approx(1.96 * np.sqrt(1.45 * (0.7 * 0.3 + 0.3 * 0.7) / 100))
    assert (wrong.rows, wrong.agrees) == (("A-70B",), False)
    assert wrong.value == pytest.approx(-0.05)


def test_pairs_of_rows() -> None:
    (size,) = one(SIZE).published
    assert (size.rows, size.agrees) == (("A-7B", "A-70B"), False)
    (effort,) = one(EFFORT).published  # B is in no row
    assert (effort.rows, effort.agrees, round(effort.value, 9)) == (("A", "A (high)"), False, 0.06)


def test_parts_of_runs() -> None:
    found = one(EASY, made("r/1", 0.8, 0.2), made("r/2", 0.2, 0.8), made("r/3", 0.5, 0.5), made("r/4", 0.0, 0.0))
    assert [each.outcome for each in found.tested] == ["supports", "contradicts", "open", "open"]
    assert found.tested[0].found.value == pytest.approx(0.6)
    first = found.tested[0].found
    assert first.p is not None
    assert first.p_holm == pytest.approx(4 * first.p)  # or three times, whichever of the first two is smaller
    said = list(lines(found))
    assert said[0] == "- published table: 1 of 2 rows agree"
    assert said[1].startswith("- contradicted by A-70B: 35.0 to 30.0, -5.0; by chance up to ")
    assert said[2] == "- your runs: 1 in support, 1 against, 2 open"
    assert said[-1].startswith("- r/4: 0.0 [-")
    assert said[-1].endswith("], p 1.000; leaves it open")


def test_size_within_a_series_and_prompt_and_effort_alone() -> None:
    small, big = made("r/s", 0.2, 0.2), made("r/b", 0.8, 0.8, model="a-70b")
    other = made("r/o", 0.9, 0.9, model="b-70b")
    high = made("r/h", 0.2, 0.2, effort="high")
    (tested,) = one(SIZE, big, small, other, high).tested
    assert (tested.runs, tested.outcome, tested.about) == (("r/s", "r/b"), "supports", "7B to 70B")
    # Names without a size are of one family, where that is known and sizes are declared.
    named = {
        name: ModelSpec(name, base_url="x", family=f, size=s) for name, f, s in (("tiny", "q", 1e9), ("huge", "q", 9e9))
    }
    tiny, huge = made("r/tiny", 0.9, 0.9, model="tiny"), made("r/huge", 0.1, 0.1, model="huge")
    assert [each.outcome for each in one(SIZE, huge, tiny, models=named).tested] == ["contradicts"]
    assert one(SIZE, huge, tiny).tested == ()
    models = {"b-70b": ModelSpec("b-70b", server_name="a-140b")}
    assert [each.runs for each in one(SIZE, small, big, other, models=models).tested] == [
        ("r/s", "r/b"),
        ("r/b", "r/o"),
    ]


def test_little_is_a_matter_of_the_interval() -> None:
    low, alike = made("r/l", 0.5, 0.5, effort="low"), made("r/h", 0.5, 0.5, effort="high")
    much = made("r/x", 0.9, 0.9, effort="xhigh")
    found = one(EFFORT, alike, much, low).tested
    assert [(each.runs, each.about, each.outcome) for each in found] == [
        (("r/l", "r/h"), "low to high", "supports"),
        (("r/h", "r/x"), "high to xhigh", "contradicts"),
    ]
    # One item fewer or more is neither.
    other = made("r/m", 0.5, 0.5, effort="high", seed=7)
    assert one(EFFORT, low, other).tested[0].outcome == "open"


def test_no_effort_named_is_medium() -> None:
    plain, high, low = made("r/p", 0.5, 0.5), made("r/h", 0.5, 0.5, effort="high"), made("r/l", 0.5, 0.5, effort="low")
    found = one(EFFORT, high, plain, low).tested
    assert [each.about for each in found] == ["low to default", "default to high"]


def test_a_prompt_on_its_items() -> None:
    direct, pgp = made("r/d", 0.5, 0.1), made("r/p", 0.5, 0.9, prompt="pgp")
    (tested,) = one(PROMPT, pgp, direct, made("r/a", 0.1, 0.1, prompt="abstain")).tested
    assert (tested.runs, tested.outcome) == (("r/d", "r/p"), "supports")
    assert tested.found.to_json()["n"] == 60
    assert tested.to_json()["about"] == "direct to pgp"


def test_what_cannot_be_tested_is_said() -> None:
    run = made("r/1", 0.5, 0.5)
    with pytest.raises(UsageError, match="lists no claim"):
        claims(CARD, [])
    with pytest.raises(UsageError, match="r/1 is named twice"):
        claims(CARD, [EASY], [run, run])
    unknown = Claim("x", "X.", "parts", higher={"colour": ("red",)}, lower={"colour": ("blue",)})
    with pytest.raises(UsageError, match="no item has a label named 'colour'"):
        claims(CARD, [unknown], [run])


LISTED = [
    (name, claim)
    for name in discovery.names("benchmarks")
    for claim in getattr(discovery.load("benchmarks", name), "CLAIMS", ())
]


@pytest.mark.parametrize(("name", "claim"), LISTED, ids=lambda each: each.name if isinstance(each, Claim) else each)
def test_listed_claims_speak_of_what_there_is(name: str, claim: Claim) -> None:
    card = discovery.load("benchmarks", name).CARD
    for labels in (claim.higher, claim.lower, claim.items):
        for label, values in labels.items():
            assert set(values) <= set(card.labels[label])
    models = {row.model for row in card.published}
    assert {model for each in (*claim.series, *claim.pairs) for model in each} <= models
    for prompt in filter(None, claim.prompts):
        assert prompt in discovery.names("prompting")
    assert claim.text.endswith(".")


def test_what_charthal_states_on_its_own_table() -> None:
    module = discovery.load("benchmarks", "charthal")
    found = {each.claim.name: each.published for each in claims(module.CARD, module.CLAIMS)}
    against = {name: [each.rows for each in tests if not each.agrees] for name, tests in found.items()}
    assert against == {
        "descriptive-over-reasoning": [("Qwen2.5-VL-72B",)],
        "reasoning-over-open-ended": [("GPT-5-nano",), ("InternVL2.5-8B",), ("Qwen2.5-VL-3B",)],
        "normal-over-unanswerable": [("Qwen2.5-VL-72B",)],
        "effort-helps-little": [],
        "bigger-is-better": [("InternVL2.5-4B", "InternVL2.5-8B"), ("Qwen2.5-VL-7B", "Qwen2.5-VL-32B")],
    }
    assert [len(tests) for tests in found.values()] == [19, 19, 19, 4, 10]

"""Numbers over runs: coefficients, intervals, tests and what is said when nothing can be concluded."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from snellen.benchmarks.gui_hallubench import CARD as GUI
from snellen.card import Card, PublishedRow
from snellen.engine import correlation
from snellen.engine.correlation import Correlation, Pair, correlate, published
from snellen.engine.run_numbers import numbers_of
from snellen.errors import UsageError
from snellen.item import Item
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import ABSTAINED, Verdict

CARD = Card("charts-x", "Charts", "", labels={"kind": ("a", "b")}, answerable={"kind": ("a",)})


@dataclass
class Run:
    name: str
    table: VerdictTable
    card: Card = CARD
    manifest: Mapping[str, Any] = field(default_factory=dict)


def run(name: str, skill: float, *, seed: int = 0, clusters: int = 20, prefix: str = "c", card: Card = CARD) -> Run:
    """A model that is right on `a` with its skill, on `b` with half of it, and declines with what is left."""
    rng, builder = random.Random(f"{seed} {name}"), TableBuilder(card.answerable)
    for number in range(clusters * 4):
        kind = "ab"[number % 2]
        item = Item(f"{prefix}/{number}", "?", labels={"kind": kind}, cluster=f"{prefix}{number // 4}")
        right = rng.random() < (skill if kind == "a" else skill / 2)
        flags = (ABSTAINED,) if not right and rng.random() < 0.5 else ()
        builder.add(number, item, Verdict(int(right), flags=flags))
    return Run(name, builder.build(), card, {"plan": {"model": name}})


def runs(count: int, **more: Any) -> list[Run]:
    return [run(f"model{number}", (number + 1) / (count + 1), **more) for number in range(count)]


def pair(found: Correlation, first: str, second: str) -> Pair:
    return next(each for each in found.pairs if {each.first, each.second} == {first, second})


def test_a_coefficient_is_that_of_the_numbers() -> None:
    found = correlate(runs(6))
    assert found.numbers == ("score", "kind=a", "kind=b", "abstention", "over_refusal")
    assert len(found.pairs) == 10
    x, y = found.values["kind=a"], found.values["abstention"]
    theirs = stats.spearmanr(x, y)
    one = pair(found, "kind=a", "abstention")
    assert one.value == pytest.approx(theirs.statistic)
    assert one.low is not None
    assert one.high is not None
    assert one.low <= theirs.statistic <= one.high
    kendall = correlate(runs(6), method="kendall")
    assert pair(kendall, "kind=a", "abstention").value == pytest.approx(stats.kendalltau(x, y).statistic)


def test_a_part_and_its_whole_are_no_test() -> None:
    found = correlate(runs(6))
    nested = pair(found, "score", "kind=a")
    assert nested.part
    assert nested.value is not None
    assert (nested.p, nested.p_holm) == (None, None)
    assert pair(found, "abstention", "over_refusal").part
    free = pair(found, "kind=a", "kind=b")
    assert free.p is not None
    assert free.p_holm is not None
    assert free.p_holm >= free.p
    assert found.tests == sum(not each.part for each in found.pairs) == 7


def test_same_input_same_numbers_and_another_seed_another_interval() -> None:
    assert correlate(runs(7)).to_json() == correlate(runs(7)).to_json()
    one, other = correlate(runs(7)), correlate(runs(7), seed=1)
    assert [each.value for each in one.pairs] == [each.value for each in other.pairs]
    assert [(each.low, each.high) for each in one.pairs] != [(each.low, each.high) for each in other.pairs]


def test_the_order_of_runs_changes_no_coefficient_and_no_p() -> None:
    one, other = correlate(runs(6)), correlate(runs(6)[::-1])
    assert [(each.value, each.p_holm) for each in one.pairs] == [(each.value, each.p_holm) for each in other.pairs]


def test_images_are_drawn_together_where_runs_share_them() -> None:
    assert correlate(runs(5)).images == (20, 20)
    apart = [run(f"model{n}", n / 6, prefix=f"c{n}-") for n in range(1, 6)]
    assert correlate(apart).images == (100, 0)


def test_a_model_that_is_right_wherever_another_is_stays_above_it_in_every_draw() -> None:
    """Only so if the same images are drawn for both."""
    models = []
    for skill in range(1, 6):
        builder = TableBuilder()
        for number in range(60):
            builder.add(number, Item(f"c/{number}", "?", cluster=f"c{number}"), Verdict(int(number % 6 < skill)))
        models.append(Run(f"m{skill}", builder.build()))
    numbers = [numbers_of(each.table, CARD) for each in models]
    drawn, _ = correlation._resampled(models, numbers, ["score"], seed=0, size=300)
    assert drawn.shape == (300, 5, 1)
    assert (np.diff(drawn[:, :, 0], axis=1) >= 0).all()
    assert drawn[:, 2, 0].std() > 0.03


def test_items_that_decide_the_order_widen_the_interval() -> None:
    """Models that lie close together on a few images are ranked by chance; on many they are not."""
    few = [run(f"m{n}", 0.5 + n / 40, clusters=6) for n in range(8)]
    many = [run(f"m{n}", 0.1 + n / 10, clusters=300) for n in range(8)]
    narrow, wide = (pair(correlate(each), "kind=a", "kind=b") for each in (many, few))
    assert narrow.low is not None
    assert wide.low is not None
    assert narrow.low > wide.low


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_models_conclude_nothing(count: int) -> None:
    found = correlate(runs(count))
    assert all(each.low is None and each.p is None and each.p_holm is None for each in found.pairs)
    assert any("nothing can be concluded" in warning for warning in found.warnings)
    if count < 3:
        assert all(each.value is None for each in found.pairs)


def test_it_is_said_when_no_pair_can_stand() -> None:
    assert any("can have a corrected p below 0.05" in each for each in correlate(runs(5)).warnings)
    assert not any("can have a corrected p" in each for each in correlate(runs(8)).warnings)
    one = correlate(runs(5), numbers=["kind=a", "kind=b"])
    assert not any("can have a corrected p" in each for each in one.warnings)


def test_a_number_that_a_run_lacks_is_over_the_others() -> None:
    models = runs(6)
    models[2] = replace(models[2], table=models[2].table.where(kind="a"))
    found = correlate(models)
    assert found.values["kind=b"][2] is None
    assert pair(found, "kind=b", "abstention").models == 5
    assert pair(found, "kind=a", "abstention").models == 6
    without = correlate([each for number, each in enumerate(models) if number != 2])
    assert pair(found, "kind=b", "abstention").value == pair(without, "kind=b", "abstention").value
    assert pair(found, "kind=b", "abstention").p == pair(without, "kind=b", "abstention").p


def test_models_that_all_score_the_same_have_no_coefficient() -> None:
    same = [replace(run("m", 0.5), name=f"run{number}") for number in range(5)]
    found = correlate(same)
    assert all(each.value is None and each.p is None for each in found.pairs)
    assert any("Several runs are of one model (m)" in warning for warning in found.warnings)


def test_numbers_are_named_in_full_or_by_their_beginning() -> None:
    assert correlate(runs(4), numbers=["kind", "score"]).numbers == ("kind=a", "kind=b", "score")
    with pytest.raises(UsageError, match=r"'kin'.*score, kind=a"):
        correlate(runs(4), numbers=["kin"])


def test_wrong_use() -> None:
    with pytest.raises(UsageError, match="name the runs"):
        correlate([])
    with pytest.raises(UsageError, match="named twice"):
        correlate([*runs(2), *runs(1)])
    with pytest.raises(UsageError, match="several benchmarks"):
        correlate([run("a", 0.5), run("b", 0.5, card=replace(CARD, name="other"))])
    with pytest.raises(UsageError, match="200"):
        correlate(runs(4), resamples=10)


def test_warnings_tell_of_unlike_runs() -> None:
    models = runs(4)
    models[1] = replace(models[1], manifest={"plan": {"model": "model1", "prompt": "pgp"}})
    assert any("prompts of the runs differ" in warning for warning in correlate(models).warnings)


def test_the_published_averages_by_hand() -> None:
    """Over eight rows the squared differences of ranks sum to 4: 1 - 6 x 4 / (8 x 63). Six are as they came."""
    every, plain = published(GUI)
    assert (every.rows, every.models, plain.rows, plain.models) == ("all", 8, "plain", 6)
    assert every.value == pytest.approx(1 - 24 / (8 * 63))
    assert plain.value == pytest.approx(1 - 24 / (6 * 35))
    assert every.stated == 0.88
    assert plain.p is not None
    assert every.p is not None
    assert every.p < plain.p < 0.05
    assert published(GUI, "kendall")[0].stated is None


def test_too_few_published_rows() -> None:
    rows = tuple(
        PublishedRow(f"m{n}", {}, "", {"parsing_average": n / 9, "hallucination_average": n / 9}) for n in range(1, 4)
    )
    assert published(replace(CARD, published=rows))[0].p is None
    assert published(replace(CARD, published=rows[:2]))[0].value is None
    assert published(CARD) == ()


def test_json_is_plain_and_whole() -> None:
    plain = correlate(runs(5)).to_json()
    assert plain["tests"] == 7
    assert plain["images"] == {"any": 20, "all": 20}
    assert len(plain["pairs"]) == 10
    assert set(plain["pairs"][0]) == set(Pair.__slots__)


def test_many_resamples_go_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = correlate(runs(5)).to_json()
    monkeypatch.setattr(correlation, "_AT_ONCE", 1000)
    stepped = correlate(runs(5)).to_json()
    assert [each["value"] for each in stepped["pairs"]] == [each["value"] for each in whole["pairs"]]
    assert [each["low"] for each in stepped["pairs"]] == [each["low"] for each in whole["pairs"]]

"""Power: by hand, against simulated runs, and against what real runs hold."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from snellen.engine.comparison import Pairing
from snellen.engine.paired import sign_flip_p
from snellen.engine.power import Shape, Variation, correlation_within, plan, variation
from snellen.errors import UsageError
from snellen.intervals import t_quantile
from snellen.item import Item
from snellen.report.power import notes
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import Verdict


def table(values: list[int], per_image: int = 4) -> VerdictTable:
    """Items with these values; every other one is odd."""
    builder = TableBuilder()
    for number, value in enumerate(values):
        labels = {"kind": ("even", "odd")[number % 2]}
        item = Item(f"i/{number}", "?", labels=labels, cluster=f"c/{number // per_image}")
        builder.add(number, item, Verdict(value))
    return builder.build()


def test_power_by_hand() -> None:
    shape = Shape(10, 10.4, Variation(0.2, 0.05))
    effect, n = 1 + 0.05 * 9.4, 1060
    s0, s1 = sqrt(0.2 * effect / n), sqrt((0.2 - 0.04**2) * effect / n)
    expected = NormalDist().cdf((0.04 - 1 / n - t_quantile(0.975, 105) * s0) / s1)
    assert shape.power(106, 0.04) == pytest.approx(expected)


@pytest.mark.parametrize("difference", [0.01, 0.03, 0.1])
def test_what_is_needed_is_the_least_and_shows_it(difference: float) -> None:
    shape = Shape(3, 3.5, Variation(0.15, 0.1))
    images = shape.needed(difference, 0.8)
    assert images is not None
    assert shape.power(images, difference) >= 0.8 > shape.power(images - 1, difference)
    shown = shape.shows(images, 0.8)
    assert shown is not None
    assert 0.99 * difference <= shown <= difference + 1e-4


def test_nothing_shows_what_is_too_small_and_two_images_show_nothing() -> None:
    shape = Shape(1, 1, Variation(0.5, 0.0))
    assert shape.needed(1e-5, 0.8) is None
    assert shape.shows(2, 0.8) is None


def test_the_promise_is_kept_by_simulated_runs() -> None:
    rng = np.random.default_rng(5)
    sizes = rng.integers(2, 7, 150)
    discordance, correlation, difference = 0.25, 0.1, 0.07
    promised = Shape.of(sizes, Variation(discordance, correlation)).power(len(sizes), difference)
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    spread = sqrt(correlation * (discordance - difference**2))
    seen = 0
    for _ in range(600):
        mean = difference + spread * rng.choice((-1, 1), len(sizes))
        draw, gained = rng.random(len(clusters)), ((discordance + mean) / 2)[clusters]
        d = (draw < gained).astype(int) - ((draw >= gained) & (draw < discordance))
        seen += sign_flip_p(np.add.reduceat(d, starts)) <= 0.05
    assert 0.5 < promised < 0.95
    assert seen / 600 == pytest.approx(promised, abs=0.06)


def test_correlation_within_clusters() -> None:
    assert correlation_within([1, 1, 0, 0, -1, -1], [0, 0, 1, 1, 2, 2]) == 1
    assert correlation_within([1, 0, 1, 0], [0, 0, 1, 1]) == 0
    assert correlation_within([1, 0, 1], [0, 1, 2]) == correlation_within([1, 1], [0, 0]) == 0
    assert correlation_within([], []) == 0
    rng = np.random.default_rng(0)
    clusters = np.repeat(np.arange(4000), 5)
    values = rng.random(20_000) < rng.beta(0.3 * 4, 0.7 * 4, 4000)[clusters]  # (1 - r) / r = 4
    assert correlation_within(values, clusters) == pytest.approx(0.2, abs=0.02)


def test_variation_is_measured_on_pairs_of_runs() -> None:
    base, other, third = [0] * 40, [1] * 12 + [0] * 28, [1] * 20 + [0] * 20
    tables = [table(each) for each in (base, other, third)]
    pairs = [Pairing.of(tables[0], tables[1]), Pairing.of(tables[0], tables[2]), Pairing.of(tables[1], tables[2])]
    found = variation(pairs)
    assert found is not None
    # The last two differ on 8 items: too few to count.
    assert (found.pairs, found.discordance, found.low, found.high) == (2, (12 + 20) / 2 / 40, 12 / 40, 20 / 40)
    assert found.correlation == 1
    assert variation(pairs, "kind", "odd") is not None
    assert variation(pairs[:1], "kind", "odd") is None
    assert variation([]) is None


def test_a_plan_of_parts() -> None:
    runs = [table([0] * 40), table([1] * 12 + [0] * 28)]
    found = plan(runs[0], runs, difference=0.1, by=["kind"])
    assert [(part.value, part.items, part.images, part.from_whole) for part in found.parts] == [
        ("", 40, 10, False),
        ("even", 20, 10, True),
        ("odd", 20, 10, True),
    ]
    assert found.parts[1].variation.discordance == 0.3
    assert found.parts[0].needed is not None
    assert found.parts[0].needed < (found.parts[1].needed or 0)
    assumed = plan(runs[0], difference=0.1)
    assert (assumed.parts[0].variation.pairs, assumed.parts[0].from_whole) == (0, False)
    stricter = plan(runs[0], difference=0.1, tests=10).parts[0].needed
    assert stricter is not None
    assert stricter > (assumed.parts[0].needed or 0)
    more = plan(runs[0], difference=0.1, images=40, by=["kind"], discordance=0.1, correlation=0.0)
    assert [part.images for part in more.parts] == [40, 40, 40]
    assert more.parts[0].power > assumed.parts[0].power
    assert more.to_json()["parts"][0]["variation"]["discordance"] == 0.1


def test_images_too_few_for_the_test_have_no_power() -> None:
    """With five images that all differ one way p is 2 / 2^5, which is above 5 %."""
    shape = Shape(4, 4, Variation(1.0, 0.0))
    assert [shape.power(images, 0.95) > 0 for images in (1, 2, 5, 6)] == [False, False, False, True]
    assert shape.shows(5, 0.8) is None
    assert (shape.needed(0.95, 0.5) or 0) >= 6
    assert sign_flip_p([4] * 5) > 0.05 >= sign_flip_p([4] * 6)
    (alone,) = plan(table([0] * 4), difference=0.1).parts
    assert (alone.images, alone.shows, alone.power) == (1, None, 0.0)


def test_what_the_user_gives_is_not_called_measured() -> None:
    runs = [table([0, 1] * 20), table([1, 1, 0, 1] * 10)]
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({}, ["Discordance and correlation are those of one pair of runs."]),
        (
            {"discordance": 0.2},
            ["Discordance is as given.", "Correlation is that of one pair of runs."],
        ),
        ({"discordance": 0.2, "correlation": 0.1}, ["Discordance and correlation are as given."]),
    ]
    for given, said in cases:
        found = plan(runs[0], runs, difference=0.1, **given)
        assert notes(found) == said
        assert found.to_json()["given"] == found.given == tuple(given)
    alone = plan(runs[0], difference=0.1, correlation=0.1)
    assert notes(alone)[1].startswith("Discordance is an assumption: ")
    assert plan(runs[0], runs, difference=0.1, discordance=0.2).parts[0].variation.low is None


def test_numbers_out_of_range_are_refused() -> None:
    items = table([0] * 8)
    with pytest.raises(UsageError, match=r"each of 1,000,000,000 tests at a level of 0\.05 is one at 5e-11"):
        plan(items, difference=0.1, tests=10**9)
    with pytest.raises(UsageError, match="too little"):
        plan(items, difference=0.1, level=1e-300)
    for wrong, said in (
        ({"difference": 0.0}, "difference"),
        ({"difference": 0.1, "power": 1.0}, "power"),
        ({"difference": 0.1, "level": 0.0}, "level"),
        ({"difference": 0.1, "discordance": 0.0}, "discordance"),
        ({"difference": 0.1, "correlation": 1.5}, "correlation"),
        ({"difference": 0.1, "tests": 0}, "one test"),
        ({"difference": 0.1, "images": 1}, "two images"),
        ({"difference": 0.1, "by": ["colour"]}, "no item has a label named 'colour'"),
    ):
        with pytest.raises(UsageError, match=said):
            plan(items, **wrong)
    with pytest.raises(UsageError, match="no item"):
        plan(table([]), difference=0.1)

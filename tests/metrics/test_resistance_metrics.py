"""Resistance and counterfactual consistency by hand, by arithmetic, and by brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from changed_items import Value, table_of
from snellen.intervals import share_interval
from snellen.item import Truth
from snellen.metrics import counterfactual_consistency, resistance_rate
from snellen.table import VerdictTable

Pair = tuple[Value, Value]


def table(pairs: list[Pair], truth: Truth = "kept") -> VerdictTable:
    return table_of([({}, clean, [("jpeg:3", changed, truth)]) for clean, changed in pairs])


@pytest.mark.parametrize(
    ("pairs", "value"),
    [
        ([(1, 1), (1, 1), (1, 0), (0, 1)], 2 / 3),
        ([(1, 0), (0, 0)], 0),
        ([(1, 1), (0, 0), (0, 1)], 1),
        ([(1, 1), (1, None), (None, 0), (1, 0)], 1 / 2),
        ([(0, 1), (0, 0)], None),
        ([(1, None), (0, 1)], None),
        ([(None, None)], None),
        ([], None),
    ],
)
def test_by_hand(pairs: list[Pair], value: float | None) -> None:
    estimate = resistance_rate.estimate(table(pairs))
    assert estimate.value == value
    assert estimate.n == sum(None not in pair for pair in pairs)
    assert estimate.unscored == sum(None in pair for pair in pairs)
    assert (estimate.low is None) == (value is None)


def test_one_item_counts_under_every_condition() -> None:
    two = table_of([({}, 1, [("jpeg:3", 1), ("fog:3", 0)]), ({}, 1, [("jpeg:3", 1)]), ({}, 0, [("fog:3", 1)])])
    estimate = resistance_rate.estimate(two)
    assert (estimate.value, estimate.n, estimate.clusters) == (2 / 3, 4, 3)


@pytest.mark.parametrize("truth", ["altered", "removed", "unknown"])
def test_pairs_whose_truth_is_not_kept_are_left_out(truth: Truth) -> None:
    estimate = resistance_rate.estimate(table([(1, 1), (1, 0)], truth))
    assert (estimate.value, estimate.n, estimate.unscored) == (None, 0, 0)


def test_the_interval_is_over_images_and_not_over_items() -> None:
    apart = resistance_rate.estimate(table([(1, int(number % 4 > 0)) for number in range(40)]))
    in_images = table_of(({"cluster": f"c/{n // 8}"}, 1, [("jpeg:3", int(n // 8 > 0))]) for n in range(40))
    together = resistance_rate.estimate(in_images)
    assert (apart.value, apart.clusters, together.clusters) == (0.75, 40, 5)
    assert together.low is not None
    assert apart.low is not None
    assert together.low < apart.low
    low, high, _ = share_interval([1] * 30 + [0] * 10, [1] * 40)
    assert (apart.low, apart.high) == (float(low), float(high))


def test_all_kept_still_has_a_lower_end_below_one() -> None:
    estimate = resistance_rate.estimate(table([(1, 1)] * 20))
    assert estimate.value == estimate.high == 1
    assert estimate.low is not None
    assert 0.8 < estimate.low < 0.9


values = st.sampled_from([0, 1, None])
pairs_drawn = st.lists(st.tuples(values, values), max_size=6)


@given(pairs_drawn)
def test_bounds_are_the_extremes_over_all_ways_to_fill_in(pairs: list[Pair]) -> None:
    estimate = resistance_rate.estimate(table(pairs))
    open_places = [(0, 1) if value is None else (value,) for pair in pairs for value in pair]
    reached = []
    for filled in itertools.product(*open_places):
        clean, changed = np.array(filled[::2]), np.array(filled[1::2])
        if clean.sum():
            reached.append(float((clean * changed).sum() / clean.sum()))
    if not reached:
        assert (estimate.lower_bound, estimate.upper_bound) == (None, None)
    else:
        assert (estimate.lower_bound, estimate.upper_bound) == (min(reached), max(reached))


@given(pairs_drawn.flatmap(lambda pairs: st.tuples(st.just(pairs), st.permutations(pairs))))
def test_the_order_of_items_does_not_matter(both: tuple[list[Pair], list[Pair]]) -> None:
    one, other = both
    assert resistance_rate.estimate(table(one)) == resistance_rate.estimate(table(other))


def test_counterfactual_consistency_by_hand() -> None:
    mixed = table_of(
        [
            ({}, 1, [("mirror:1", 1, "altered"), ("jpeg:3", 0)]),
            ({}, 0, [("mirror:1", 0, "altered")]),
            ({}, None, [("grayscale:1", 1, "removed")]),
            ({}, 1, [("grayscale:1", None, "removed"), ("crop:1", 0, "unknown")]),
        ]
    )
    estimate = counterfactual_consistency.estimate(mixed)
    assert (estimate.hits, estimate.n, estimate.unscored) == (2, 3, 1)
    assert (estimate.lower_bound, estimate.upper_bound) == (0.5, 0.75)
    nothing = counterfactual_consistency.estimate(table([(1, 0)]))
    assert (nothing.value, nothing.n) == (None, 0)


# Macro average


def test_the_macro_average_weighs_cells_alike() -> None:
    clean = [1] * 8 + [1, 1] + [0, 0] + [1]
    changed = [1] * 8 + [0, 1] + [1, 0] + [-1]
    cells = [0] * 8 + [1, 1] + [2, 2] + [-1]
    estimate, over = resistance_rate.macro(clean, changed, range(13), cells)
    assert (estimate.value, over, estimate.n, estimate.unscored) == (0.75, 2, 12, 0)
    assert estimate.low is not None
    assert estimate.high is not None
    assert 0 < estimate.low < 0.75 < estimate.high < 1
    open_one, _ = resistance_rate.macro([*clean, 1], [*changed, -1], range(14), [*cells, 1])
    assert (open_one.value, open_one.unscored, open_one.lower_bound) == (0.75, 1, None)


def test_one_cell_is_the_micro_average() -> None:
    clean, changed, clusters = [1] * 30, [1] * 20 + [0] * 10, range(30)
    macro, over = resistance_rate.macro(clean, changed, clusters, [4] * 30)
    micro = resistance_rate.of_values(clean, changed, clusters)
    assert over == 1
    assert macro.value == micro.value
    assert macro.low is not None
    assert micro.low is not None
    assert macro.low == pytest.approx(micro.low, abs=0.02)


@pytest.mark.parametrize("value", [0, 1])
def test_a_macro_average_at_the_edge_has_an_interval_of_some_width(value: int) -> None:
    estimate, _ = resistance_rate.macro([1] * 40, [value] * 40, np.arange(40) // 2, np.arange(40) % 4)
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.value == value
    assert (estimate.high == 1) == bool(value)
    assert (estimate.low == 0) == (not value)
    assert 0.05 < estimate.high - estimate.low < 0.3


def test_a_macro_average_over_nothing() -> None:
    empty: list[int] = []
    for clean, changed, clusters, cells in (
        (empty, empty, empty, empty),
        ([0, 0], [1, 1], [0, 1], [0, 0]),
        ([1], [1], [0], [-1]),
    ):
        estimate, over = resistance_rate.macro(clean, changed, clusters, cells)
        assert (estimate.value, estimate.low, over) == (None, None, 0)


def test_one_image_for_everything_is_one_observation() -> None:
    estimate, _ = resistance_rate.macro([1] * 40, [1, 0] * 20, [7] * 40, np.arange(40) % 4 // 2)
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.high - estimate.low > 0.8

"""Where boxes lie after an image was scaled or cut."""

from __future__ import annotations

import pytest

from snellen.box import Box
from snellen.placement import Placement

HALF = Placement((0.5, 0.5), (0, 0), (50, 40))
CUT = Placement((1, 1), (-10, -5), (30, 30))


def test_a_box_is_scaled_then_shifted() -> None:
    assert HALF.box(Box(20, 30, 60, 70)) == Box(10, 15, 30, 35)
    assert CUT.box(Box(20, 30, 60, 70)) == Box(10, 25, 50, 65)
    assert Placement((0.5, 2), (3, -1), (9, 9)).box(Box(2, 2, 4, 4)) == Box(4, 3, 5, 7)


def test_one_after_the_other_is_the_one_of_both() -> None:
    both = HALF.then(CUT)
    for box in (Box(0, 0, 1, 1), Box(20, 30, 60, 70)):
        assert both.box(box) == CUT.box(HALF.box(box))
    assert both.size == CUT.size


@pytest.mark.parametrize(
    ("box", "left"),
    [
        (Box(12, 10, 20, 20), Box(2, 5, 10, 15)),  # whole
        (Box(0, 0, 20, 20), Box(0, 0, 10, 15)),  # cut at two edges
        (Box(0, 0, 10, 20), None),  # its last column is gone
        (Box(90, 90, 99, 99), None),
    ],
)
def test_of_a_box_that_was_cut_the_rest_is_visible(box: Box, left: Box | None) -> None:
    assert CUT.visible(box) == left


def test_plain_values_and_back() -> None:
    assert Placement.from_json(HALF.to_json()) == HALF

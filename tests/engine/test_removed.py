"""What a change took out of an image: whoever says that it cannot be told is right."""

from __future__ import annotations

import pytest

from snellen.answer import Answer
from snellen.engine.judging import is_removed, settled
from snellen.item import Change, Item, Truth


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The image is in black and white, so I cannot tell the color.", 1),
        ("图像是黑白的，无法判断颜色。", 1),
        ("It is red.", 0),
    ],
)
def test_declining_is_right_where_what_is_asked_for_was_removed(text: str, value: int) -> None:
    verdict, _ = settled(Answer("answered", text), parity=False, removed=True)
    assert verdict is not None
    assert verdict.value == value
    assert settled(Answer("answered", text), parity=False)[0] is None


@pytest.mark.parametrize(
    ("truths", "removed"),
    [(["removed"], True), (["kept", "removed"], True), (["removed", "unknown"], False), (["kept"], False), ([], False)],
)
def test_removed_is_said_only_where_it_is_known(truths: list[Truth], removed: bool) -> None:
    item = Item("a", "What color?", changes=tuple(Change("x", 1, 0, truth) for truth in truths))
    assert is_removed(item) is removed

"""Oddities in the boxes of any benchmark's truth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from snellen.box import Box
from snellen.engine import check_boxes
from snellen.item import Element, ElementsReference, ImageRef, Item, Reference, TargetReference, TextReference

GOOD = Box(10, 10, 20, 20)


def item(reference: Reference | None, width: int = 100) -> Item:
    return Item("x/1", "?", (ImageRef("1.png", width=width, height=width),), reference=reference)


def found(reference: Reference | None, width: int = 100) -> list[tuple[str, bool]]:
    return [(finding.kind, finding.serious) for finding in check_boxes.findings(item(reference, width))]


@pytest.mark.parametrize(
    ("box", "kind", "serious"),
    [
        (Box(20, 10, 10, 20), "box inverted", True),
        (Box(10, 20, 20, 10), "box inverted", True),
        (Box(10, 10, 10, 20), "box of no area", True),
        (Box(100, 10, 120, 20), "box outside the image", True),
        (Box(-20, 10, 0, 20), "box outside the image", True),
        (Box(90, 10, 101, 20), "box past the edge", False),
        (Box(10, -1, 20, 20), "box past the edge", False),
    ],
)
def test_a_box_is_looked_at_wherever_it_stands(box: Box, kind: str, serious: bool) -> None:
    assert found(TargetReference(box)) == [(kind, serious)]
    assert found(TargetReference(GOOD, (box,))) == [(kind, serious)]
    assert found(ElementsReference((Element("icon", "a", box), Element("text", "b", GOOD)))) == [(kind, serious)]


def test_nothing_is_odd_in_sound_boxes_nor_where_there_are_none() -> None:
    whole = Box(0, 0, 100, 100)
    for reference in (TargetReference(whole, (GOOD,)), TargetReference(None), TextReference("a"), None):
        assert found(reference) == []


def test_without_a_size_only_the_box_itself_is_looked_at() -> None:
    assert found(TargetReference(Box(500, 500, 600, 600)), width=0) == []
    assert found(TargetReference(Box(500, 500, 400, 600)), width=0) == [("box inverted", True)]
    bare = replace(item(TargetReference(Box(500, 500, 600, 600))), images=())
    assert list(check_boxes.findings(bare)) == []


def test_a_parse_is_told_of_once_for_each_kind() -> None:
    elements = (Element("slider", "", GOOD), Element("slider", "", GOOD), Element("icon", "a", Box(1, 1, 2, 2)))
    findings = list(check_boxes.findings(item(ElementsReference(elements))))
    assert [finding.kind for finding in findings] == [
        "box twice in a parse",
        "unknown element type",
        "element without description",
    ]
    assert findings[2].what.startswith("2 of 3")

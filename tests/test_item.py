"""Items: what is said of them survives a snapshot."""

from __future__ import annotations

import orjson
import pytest

from snellen.item import (
    Change,
    ImageRef,
    Item,
    OptionReference,
    Reference,
    Region,
    TextReference,
    YesNoReference,
)


@pytest.mark.parametrize("reference", [None, TextReference("4"), YesNoReference(False), OptionReference("B", "red")])
def test_a_snapshot_gives_the_item_back(reference: Reference | None) -> None:
    item = Item(
        "shale/1@jpeg:3",
        "What is it?",
        images=(ImageRef("a.png", sha256="0" * 64),),
        options=(("A", "blue"), ("B", "red")),
        reference=reference,
        labels={"task": "multiple-choice"},
        groups={"pair": "shale/1"},
        cluster="shale/a",
        language="zh",
        facts=("It is red.",),
        distractors=("blue",),
        regions=(Region(1, 2, 30.5, 40),),
        objects=("cat", "tree"),
        changes=(Change("jpeg", 3, 0, "kept"),),
        given='[{"type": "icon"}]',
    )
    digest, body = item.snapshot()
    assert len(digest) == 16
    assert Item.from_json(orjson.loads(body)) == item


def test_a_plain_item_says_no_more_than_it_has() -> None:
    plain = Item("a", "Why?").to_json()
    assert set(plain) == {"id", "question", "images", "reference", "labels", "groups", "cluster", "language", "changes"}
    assert Item.from_json(plain) == Item("a", "Why?")

"""The prompt of second runs: a list as data, the same words around any list, both languages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from snellen.box import Box
from snellen.convention import PRESETS
from snellen.errors import UsageError
from snellen.item import ImageRef, Item, TargetReference, TextReference
from snellen.prompting import _given_parse, _grounding
from snellen.request import ImagePart, Request

ITEM = Item(
    "s/1",
    "Open the camera",
    images=(ImageRef("s.png", sha256="a" * 64, width=400, height=800),),
    reference=TargetReference(Box(1, 2, 30, 40)),
    given="[]",
)


def asked(item: Item, *, image: bool = False) -> Request:
    return Request(_given_parse.messages(item, PRESETS["gemini"], image=image), "m")


def test_the_list_alone_or_beside_the_picture() -> None:
    alone, beside = asked(ITEM), asked(ITEM, image=True)
    assert alone.images == ()
    assert beside.images == ("a" * 64,)
    assert isinstance(beside.messages[0].parts[0], ImagePart)
    assert alone.text("given") == beside.text("given") == "<elements>\n[]\n</elements>"
    assert alone.text("question") == "Open the camera"
    assert "You do not see the screen" in alone.text("frame")
    assert "You do not see the screen" not in beside.text("frame")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_says_how_to_reject_in_the_items_language(language: str) -> None:
    said = asked(replace(ITEM, language=language)).text()
    assert _grounding.ABSENT[language] in said
    assert _grounding.form(replace(ITEM, language=language), PRESETS["gemini"]) in said


def test_it_tells_no_truth() -> None:
    absent = replace(ITEM, reference=TargetReference(None))
    assert asked(absent).key == asked(ITEM).key


@pytest.mark.parametrize("wrong", [replace(ITEM, given=""), replace(ITEM, reference=TextReference("4"))])
def test_what_has_no_parse_cannot_be_asked_so(wrong: Item) -> None:
    with pytest.raises(UsageError, match="snellen ladder"):
        asked(wrong)

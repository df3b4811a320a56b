"""Every prompt: what it adds around a question, on charts, photos and screens, in both languages."""

from __future__ import annotations

from types import ModuleType

import pytest

from snellen import discovery
from snellen.box import Box
from snellen.convention import PRESETS
from snellen.item import Element, ElementsReference, ImageRef, Item, TargetReference, TextReference
from snellen.prompting import _grounding, abstain_fixed_phrase, direct, direct_no_reject, parse_first, pgp
from snellen.request import ImagePart, Request

NAMES = discovery.names("prompting")
SCREEN = (ImageRef("s.png", sha256="a" * 64, width=400, height=800),)
ELEMENT = Element("icon", "camera", Box(1, 2, 30, 40))


def item(reference: object, language: str = "en") -> Item:
    question = {"en": "Open the camera", "zh": "打开相机"}[language]
    return Item("s/1", question, images=SCREEN, reference=reference, language=language)  # type: ignore[arg-type]


def text(prompt: ModuleType, asked: Item, convention: str = "pixels") -> str:
    return Request(prompt.messages(asked, PRESETS[convention]), "m").text()


PROMPTS = [pytest.param(discovery.load("prompting", name), id=name) for name in NAMES]
REFERENCES = [TextReference("4"), TargetReference(Box(1, 2, 30, 40)), ElementsReference((ELEMENT,))]


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("reference", REFERENCES, ids=["text", "target", "elements"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_one_turn_with_the_image_first_and_the_question_as_it_stands(
    prompt: ModuleType, reference: object, language: str
) -> None:
    asked = item(reference, language)
    (message,) = prompt.messages(asked, PRESETS["pixels"])
    assert message.role == "user"
    assert message.parts[0] == ImagePart("a" * 64)
    assert Request((message,), "m").text("question") == asked.question
    frame = Request((message,), "m").text("frame")
    is_chinese = any("\u4e00" <= character <= "\u9fff" for character in frame)
    assert is_chinese == (language == "zh" and bool(frame))


@pytest.mark.parametrize("prompt", PROMPTS)
def test_no_prompt_tells_the_truth(prompt: ModuleType) -> None:
    present, absent = item(TargetReference(Box(1, 2, 30, 40), (Box(7, 8, 9, 10),))), item(TargetReference(None))
    assert text(prompt, present) == text(prompt, absent)
    one, other = item(ElementsReference((ELEMENT,))), item(ElementsReference(()))
    assert text(prompt, one) == text(prompt, other)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "direct"])
def test_every_prompt_differs_from_direct_where_it_is_meant_for(name: str) -> None:
    prompt = discovery.load("prompting", name)
    domains = getattr(prompt, "DOMAINS", ("photo", "chart", "screen"))
    for reference, domain in ((TargetReference(None), "screen"), (TextReference("4"), "chart")):
        if domain in domains:
            assert text(prompt, item(reference)) != text(direct, item(reference))


@pytest.mark.parametrize(
    ("convention", "box", "unit"),
    [
        ("pixels", "[x1, y1, x2, y2]", "pixels"),
        ("qwen2.5-vl", "[x1, y1, x2, y2]", "pixels"),
        ("gemini", "[y1, x1, y2, x2]", "1000"),
        ("showui", "[x1, y1, x2, y2]", "from 0 to 1"),
        ("percent", "[x1, y1, x2, y2]", "percent"),
    ],
)
def test_the_form_of_the_answer_is_the_models_own(convention: str, box: str, unit: str) -> None:
    said = text(direct, item(TargetReference(None)), convention)
    assert f'{{"bbox_2d": {box}}}' in said
    assert unit in said
    assert unit in text(direct, item(ElementsReference(())), convention)


def test_direct_says_how_to_reject_and_its_sister_does_not() -> None:
    for language in ("en", "zh"):
        asked = item(TargetReference(None), language)
        assert _grounding.ABSENT[language] in text(direct, asked)
        assert _grounding.ABSENT[language] not in text(direct_no_reject, asked)
        assert abstain_fixed_phrase.PHRASE[language] in text(abstain_fixed_phrase, asked)
        assert _grounding.ABSENT[language] not in text(abstain_fixed_phrase, asked)


def test_parsing_guided_prompting_lists_first_and_leaves_parsing_alone() -> None:
    said = text(pgp, item(TargetReference(None)))
    assert said.index("Step 1") < said.index("description") < said.index("Step 2") < said.rindex("bbox_2d")
    assert text(pgp, item(ElementsReference(()))) == text(direct, item(ElementsReference(())))


def test_charts_are_read_before_they_are_answered_from() -> None:
    said = text(parse_first, item(TextReference("4")))
    for word in ("title", "axes", "legend", "series", "values", "Final answer"):
        assert word in said

"""What becomes of the truth of an item under each corruption."""

from __future__ import annotations

from typing import Any

import pytest

from perturbations.corruption_pictures import NAMES, module_of
from snellen.aspects import ASPECTS, DOMAINS
from snellen.item import ImageRef, Item, OptionReference, Region, TextReference, YesNoReference
from snellen.perturbations._truth import SUBJECTS, subject_of

YES, NO = YesNoReference(True), YesNoReference(False)
BOX = Region(1, 2, 30, 40)


def item(aspect: str = "", question: str = "What is there?", **more: Any) -> Item:
    labels = {"task": "free-form", **({"aspect": aspect} if aspect else {})} | more.pop("labels", {})
    return Item(id="t/1", question=question, images=more.pop("images", (ImageRef("a.png"),)), labels=labels, **more)


def truths(name: str, item: Item) -> str:
    """The first letter of the truth at each severity."""
    module = module_of(name)
    return "".join(module.truth(item, severity)[0] for severity in module.SEVERITIES)


@pytest.mark.parametrize("name", NAMES)
def test_a_table_has_known_subjects_and_one_letter_a_severity(name: str) -> None:
    module = module_of(name)
    for subject, row in module.LOSSES.items():
        assert subject in SUBJECTS
        assert len(row) == len(module.SEVERITIES)
        assert set(row) <= set("kur")
        assert set(row) != {"k"}, "what is kept is not named"


@pytest.mark.parametrize("name", [name for name in NAMES if name not in {"edge-crop", "occlusion"}])
def test_an_item_follows_the_table(name: str) -> None:
    module = module_of(name)
    kept = "k" * len(module.SEVERITIES)
    for aspect in ASPECTS:
        assert truths(name, item(aspect)) == module.LOSSES.get(aspect, kept)
    for domain in DOMAINS:
        assert truths(name, item(domain, labels={"kind": "factuality"})) == module.LOSSES.get("facts", kept)
    chart = Item(id="charthal/1/0", question="Which line is higher?", labels={"relation": "normal"})
    assert truths(name, chart) == module.LOSSES.get("other", kept)


@pytest.mark.parametrize("name", NAMES)
def test_a_stronger_change_keeps_no_more(name: str) -> None:
    """Saturation is the exception: it fades first and shouts later."""
    for row in module_of(name).LOSSES.values():
        if name != "saturate":
            assert "k" not in row.lstrip("k")


@pytest.mark.parametrize(
    ("name", "aspect", "expected"),
    [
        ("gaussian-blur", "count", "kkkkk"),
        ("gaussian-blur", "color", "kkkkk"),
        ("gaussian-blur", "scene-text", "kkuuu"),
        ("jpeg", "color", "kkkkk"),
        ("jpeg", "", "kkkkk"),
        ("gaussian-noise", "", "kkkkk"),
        ("defocus-blur", "", "kkkuu"),
        ("grayscale", "color", "r"),
        ("grayscale", "count", "k"),
        ("grayscale", "", "u"),
        ("saturate", "color", "kukuu"),
        ("brightness", "color", "kkuuu"),
        ("contrast", "count", "kkkku"),
        ("rotation", "orientation", "kkuuu"),
        ("rotation", "spatial-relation", "kkkuu"),
        ("rotation", "color", "kkkkk"),
        ("watermark", "scene-text", "uuuuu"),
        ("edge-crop", "count", "uuuuu"),
        ("occlusion", "shape", "uuuuu"),
    ],
)
def test_what_was_decided(name: str, aspect: str, expected: str) -> None:
    assert truths(name, item(aspect)) == expected


def test_a_caption_is_kept_only_where_everything_is() -> None:
    caption: dict[str, Any] = {"labels": {"task": "caption"}}
    assert truths("jpeg", item("count", **caption)) == "kkkku"
    assert truths("grayscale", item("count", **caption)) == "u"
    assert truths("grayscale", item("color", **caption)) == "u", "never removed"
    assert truths("snow", item("count", **caption)) == "uuuuu"
    assert truths("edge-crop", item("count", regions=(BOX,), **caption)) == "uuuuu"
    assert truths("occlusion", item("count", regions=(BOX,), **caption)) == "uuuuu"


@pytest.mark.parametrize("name", ["edge-crop", "occlusion", "contrast", "fog"])
def test_what_is_absent_stays_absent(name: str) -> None:
    assert truths(name, item("existence", "Is there a dog?", reference=NO)) == "kkkkk"
    assert truths(name, item("existence", "Is there a dog?", reference=YES))[-1] == "u"
    assert truths(name, item("count", "Are there four dogs?", reference=NO))[-1] == "u"


def test_what_a_change_brings_is_not_absent_any_more() -> None:
    assert truths("snow", item("existence", "Is there any snow?", reference=NO)) == "uuuuu"
    assert truths("snow", item("existence", "图中有雪吗？", reference=NO)) == "uuuuu"
    assert truths("fog", item("existence", "Is it foggy?", reference=NO)) == "uuuuu"
    assert truths("frost", item("existence", "Is there ice?", reference=NO)) == "uuuuu"
    assert truths("spatter", item("existence", "Is there mud?", reference=NO)) == "uuuuu"
    assert truths("watermark", item("existence", "Is there any text?", reference=NO)) == "uuuuu"
    assert truths("frost", item("existence", "Is there a bicycle? Notice it.", reference=NO)) == "kkkkk", "whole words"


def test_colours_count_wherever_they_are_named() -> None:
    assert truths("grayscale", item("shape", "What shape is the red thing?")) == "u"
    assert truths("grayscale", item("shape", "红色的东西是什么形状？")) == "u"
    assert truths("grayscale", item("shape", "What shape is it?")) == "k"
    options = (("A", "a blue car"), ("B", "a bus"))
    choice = item("entity-type", options=options, reference=OptionReference("B", "a bus"))
    assert truths("grayscale", choice) == "u"
    assert truths("grayscale", item("entity-type", reference=TextReference("a gray cat"))) == "u"
    assert truths("grayscale", item("count", "How many are covered?")) == "k", "whole words"
    assert truths("jpeg", item("shape", "What shape is the red thing?")) == "kkkkk"
    assert truths("occlusion", item("existence", "Is there a red dog?", reference=NO)) == "kkkkk"


def test_regions_are_never_cut_and_wholly_covered() -> None:
    assert truths("edge-crop", item("count", regions=(BOX,))) == "kkkkk"
    assert truths("edge-crop", item("spatial-relation", regions=(BOX,))) == "uuuuu"
    assert truths("edge-crop", item("spatial-relation", regions=(BOX, BOX))) == "kkkkk"
    assert truths("occlusion", item("count", regions=(BOX,))) == "rrrrr"
    assert truths("occlusion", item("existence", regions=(BOX,), reference=YES)) == "rrrrr"
    assert truths("occlusion", item("existence", regions=(BOX,), reference=NO)) == "kkkkk"
    two = (ImageRef("a.png"), ImageRef("b.png"))
    assert truths("edge-crop", item("count", regions=(BOX,), images=two)) == "uuuuu"
    assert truths("occlusion", item("count", regions=(BOX,), images=two)) == "uuuuu"


@pytest.mark.parametrize(
    ("labels", "subject"),
    [
        ({"aspect": "Scene Text"}, "scene-text"),
        ({"aspect": "size_relation"}, "size-relation"),
        ({"aspect": "sports"}, "facts"),
        ({"kind": "factuality", "aspect": "something else"}, "facts"),
        ({"task": "caption", "aspect": "color"}, "caption"),
        ({"aspect": "texture"}, "other"),
        ({}, "other"),
    ],
)
def test_the_subject_comes_from_the_labels(labels: dict[str, str], subject: str) -> None:
    assert subject_of(Item(id="t/1", question="?", labels=labels)) == subject

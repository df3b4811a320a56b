"""The drawn screens: what is written down is sound, and the shipped records are true of the shipped pictures."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from snellen.benchmarks import gui_demo
from snellen.construction.screens import demo, records
from snellen.construction.screens.browser import Edges, Hit, Leaf, Shot, page
from snellen.construction.screens.glyphs import art, glyph
from snellen.construction.screens.markup import button, hit, icon, in_language, text
from snellen.construction.screens.screen import SIZES, Absent, Confused, Screen

FOLDER = gui_demo.locate(None, Path("unused"))
SCREENS = {screen.name: screen for screen in demo.SCREENS}


def load(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((FOLDER / name).read_text("utf-8"))
    return rows


PARSED = {language: load(f"parsing_{language}.json") for language in ("en", "zh")}
ASKED = load("hallucination.json")
OF_IMAGE = {row["image_path"]: row for rows in PARSED.values() for row in rows}


def inside(box: list[int], size: tuple[int, int]) -> bool:
    left, top, right, bottom = box
    return 0 <= left < right <= size[0] and 0 <= top < bottom <= size[1]


def area(one: list[int], other: list[int]) -> int:
    """Pixels that two boxes share."""
    across, down = (min(one[i + 2], other[i + 2]) - max(one[i], other[i]) for i in (0, 1))
    return max(0, across) * max(0, down)


# The shipped set


def test_there_are_enough_of_every_kind() -> None:
    assert len(OF_IMAGE) == 44
    assert len(ASKED) == 220
    assert Counter(row["kind"] for row in ASKED) == {"confusion": 88, "fabricated": 132}
    assert min(Counter(row["image"] for row in ASKED).values()) >= 3
    assert {row["image"] for row in ASKED} == set(OF_IMAGE)
    screens = PARSED["en"]
    assert Counter(row["platform"] for row in screens) == {"mobile": 9, "web": 7, "desktop": 6}
    assert set(Counter(row["app"] for row in screens)) == {"daily life", "travel", "health", "dining", "entertainment"}
    assert min(Counter(row["app"] for row in screens).values()) >= 3
    assert min(Counter(row["theme"] for row in screens).values()) >= 10
    likenesses = Counter(row["likeness"] for row in ASKED if row["kind"] == "confusion")
    assert min(likenesses["look"], likenesses["meaning"]) >= 30
    assert {row["element"] for row in ASKED} == {"icon", "text", "button", "image", "input"}


def test_the_pictures_have_the_sizes_of_their_platforms() -> None:
    assert {path.relative_to(FOLDER).as_posix() for path in (FOLDER / "images").iterdir()} == set(OF_IMAGE)
    for name, row in OF_IMAGE.items():
        width, height, scale = SIZES[row["platform"]]
        with Image.open(FOLDER / name) as opened:
            assert (opened.size, opened.mode, opened.format) == ((width * scale, height * scale), "RGB", "PNG")


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 4_000_000


@pytest.mark.parametrize("name", sorted(OF_IMAGE))
def test_boxes_lie_in_the_picture_and_not_on_each_other(name: str) -> None:
    row = OF_IMAGE[name]
    width, height, scale = SIZES[row["platform"]]
    size = width * scale, height * scale
    boxes = [element["coordinates"] for element in row["elements"]]
    assert [element["index"] for element in row["elements"]] == list(range(len(boxes)))
    assert len(boxes) >= 15
    for element in row["elements"]:
        assert element["type"] in ("icon", "text", "button", "image", "input")
        assert element["description"].strip()
        assert inside(element["coordinates"], size)
    for place, one in enumerate(boxes):
        for other in boxes[:place]:
            shared = area(one, other)
            least = min(area(one, one), area(other, other))
            # one lies in the other (a sign on a picture), or they touch in no more than the rounding of their edges
            assert shared == least or shared < 0.1 * least


@pytest.mark.parametrize("name", sorted(OF_IMAGE))
def test_something_is_drawn_in_every_box(name: str) -> None:
    """No box lies on an empty part of the picture: its pixels are not all alike."""
    with Image.open(FOLDER / name) as opened:
        picture = opened.convert("L")
    for element in OF_IMAGE[name]["elements"]:
        low, high = picture.crop(element["coordinates"]).getextrema()
        assert isinstance(low, int)
        assert isinstance(high, int)
        assert high - low >= 40, element


def test_targets_are_unique_and_apart_from_their_distractors() -> None:
    for row in ASKED:
        picture = OF_IMAGE[row["image"]]
        width, height, scale = SIZES[picture["platform"]]
        boxes = [*([row["target"]] if row["target"] else []), *row["distractors"]]
        assert (row["target"] is None) == (row["kind"] == "fabricated")
        assert bool(row.get("likeness")) == (row["kind"] == "confusion")
        assert row["kind"] == "fabricated" or row["distractors"]
        for place, box in enumerate(boxes):
            assert inside(box, (width * scale, height * scale))
            assert all(area(box, other) == 0 for other in boxes[:place])
        if row["target"]:
            held = [e for e in picture["elements"] if area(e["coordinates"], row["target"]) > 0]
            assert row["element"] in {element["type"] for element in held}
    assert len({row["id"] for row in ASKED}) == len(ASKED)
    assert len({(row["image"], row["instruction"]) for row in ASKED}) == len(ASKED)


def test_what_is_absent_is_nowhere_on_the_screen() -> None:
    for row in ASKED:
        _, number, language = row["id"].rsplit("-", 2)
        one = SCREENS[row["screen"]].asked[int(number)]
        assert isinstance(one, Absent if row["kind"] == "fabricated" else Confused)
        if isinstance(one, Absent):
            words = [word.split("|")[-1 if language == "zh" else 0] for word in one.words]
            assert any(records.says(row["instruction"], word) for word in words)
            for element in OF_IMAGE[row["image"]]["elements"]:
                assert not [word for word in words if records.says(element["description"], word)]


def test_the_languages_are_paired() -> None:
    for en, zh in zip(PARSED["en"], PARSED["zh"], strict=True):
        assert (en["screen"], en["platform"], en["app"], en["theme"]) == (
            zh["screen"],
            zh["platform"],
            zh["app"],
            zh["theme"],
        )
        assert [e["type"] for e in en["elements"]] == [e["type"] for e in zh["elements"]]
        assert not [e for e in en["elements"] if any("一" <= char <= "鿿" for char in e["description"])]
        chinese = [e for e in zh["elements"] if any("一" <= char <= "鿿" for char in e["description"])]
        assert len(chinese) > 0.4 * len(zh["elements"])
    by_id = {row["id"]: row for row in ASKED}
    for row in ASKED:
        other = by_id[row["id"][:-2] + {"en": "zh", "zh": "en"}[row["language"]]]
        assert [row[name] for name in ("screen", "kind", "element")] == [
            other[name] for name in ("screen", "kind", "element")
        ]
        assert len(row["distractors"]) == len(other["distractors"])


def test_the_shipped_records_are_of_what_is_written_down() -> None:
    assert [row["screen"] for row in PARSED["en"]] == list(SCREENS)
    assert len(SCREENS) == len(demo.SCREENS)
    for row in ASKED:
        _, number, language = row["id"].rsplit("-", 2)
        written = SCREENS[row["screen"]].asked[int(number)].instruction.split("|")
        assert row["instruction"] == written[language == "zh"]
    for row in OF_IMAGE.values():
        html = page(SCREENS[row["screen"]], "zh" if row["image_path"].endswith("zh.png") else "en")
        assert html.count("data-role=") == len(row["elements"])


# What is refused


def shot(*leaves: tuple[str, Edges], hits: tuple[Hit, ...] = ()) -> Shot:
    return Shot(b"", 100, 100, tuple(Leaf("text", said, said, edges, -1) for said, edges in leaves), hits, ())


def asked(*of: Confused | Absent) -> Screen:
    return Screen("s", "web", "travel", "light", "#000", "", of)


PAGE = shot(("Sent", (0, 0, 10, 10)), ("Send", (20, 0, 30, 10)))


def test_a_confusion_becomes_a_record() -> None:
    (row,) = records.hallucination(asked(Confused("Open Sent.|x", "Sent", ("Send",), "meaning")), "en", PAGE)
    assert (row["target"], row["distractors"], row["element"]) == ([0, 0, 10, 10], [[20, 0, 30, 10]], "text")


def test_a_part_that_reacts_as_a_whole_is_the_target() -> None:
    whole = replace(PAGE, hits=(Hit("Sent", "Sent", (0, 0, 15, 15), (0,)),))
    (row,) = records.hallucination(asked(Confused("Open Sent.|x", "Sent", ("Send",), "meaning")), "en", whole)
    assert row["target"] == [0, 0, 15, 15]


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (Confused("Open it.", "Sent", ("Send",), "meaning"), "does not name 'Sent'"),
        (Confused("Sent, not Send.", "Sent", ("Send",), "meaning"), "names 'Send' too"),
        (Confused("Open Sent.", "Sent", ("Drafts",), "meaning"), "'Drafts' is on the screen 0 times"),
        (Confused("Open Sent.", "Sent", ("Send",), "look"), "no glyph in common"),
        (Absent("Send it.", "button", ("send",)), "absent, but 'Send' is on the screen"),
        (Absent("Print it.", "button", ("fax",)), "has none of"),
    ],
)
def test_what_is_not_sound_is_refused(one: Confused | Absent, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        list(records.hallucination(asked(one), "en", PAGE))


def test_a_distractor_on_the_target_is_refused() -> None:
    crossing = shot(("Sent", (0, 0, 10, 10)), ("Send", (9, 0, 30, 10)))
    with pytest.raises(ValueError, match="share pixels"):
        list(records.hallucination(asked(Confused("Open Sent.", "Sent", ("Send",), "meaning")), "en", crossing))


def test_a_target_that_is_there_twice_is_refused() -> None:
    twice = shot(("Sent", (0, 0, 10, 10)), ("Send", (20, 0, 30, 10)), ("Sent", (40, 0, 50, 10)))
    with pytest.raises(ValueError, match="2 times"):
        list(records.hallucination(asked(Confused("Open Sent.", "Sent", ("Send",), "meaning")), "en", twice))


# Markup


def test_texts_are_in_one_language_and_escaped() -> None:
    both = text("Fish & <chips>|鱼和薯条") + button('Say "hi"|问好', shown="Hi|好")
    english, chinese = in_language(both, "en"), in_language(both, "zh")
    assert "Fish &amp; &lt;chips&gt;" in english
    assert "<chips>" not in english
    assert "鱼" not in english
    assert ">鱼和薯条<" in chinese
    assert 'data-key="Fish &amp; &lt;chips&gt;"' in chinese
    assert 'data-said="Say &quot;hi&quot;"' in english
    assert ">Hi<" in english


def test_a_hit_holds_its_elements() -> None:
    made = in_language(hit("Camera|相机", icon("camera", "Camera|相机"), text("Camera|相机")), "zh")
    assert made.count("data-role=") == 2
    assert 'data-hit="Camera" data-said="相机"' in made
    assert 'data-glyph="camera"' in made


def test_drawings_are_our_own_lines() -> None:
    for drawn in (glyph("camera"), art("sea"), art("line")):
        assert drawn.startswith("<svg")
        assert "href" not in drawn
    with pytest.raises(KeyError):
        glyph("no such glyph")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_pages_fetch_nothing(language: str) -> None:
    for screen in demo.SCREENS:
        html = page(screen, language)
        assert "{{" not in html
        assert not [word for word in ("http", "url(", "src=", "href", "<script", "@import") if word in html]

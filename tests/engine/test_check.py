"""Checking a benchmark's data: what is odd comes out with its id, and nothing else does."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PIL import Image

from snellen.benchmarks import charthal
from snellen.card import Card, Finding
from snellen.engine import check
from snellen.errors import DataError
from snellen.item import ImageRef, Item, TextReference

CARD = Card(
    name="made-up",
    title="Made up",
    summary="",
    labels={"kind": ("a", "b"), "relation": ("x", "y")},
    languages=("en", "zh"),
)


def picture(path: Path, size: tuple[int, int] = (64, 48), color: str = "white", **options: Any) -> ImageRef:
    Image.new("RGB", size, color).save(path, **options)
    return ImageRef(path.name, str(path))


def item(number: int, question: str, *images: ImageRef, reference: str = "", **changes: Any) -> Item:
    made = Item(
        id=f"made-up/{number}",
        question=question,
        images=images,
        reference=TextReference(reference),
        labels={"kind": "a", "relation": "x"},
        cluster="made-up/c",
    )
    return replace(made, **changes)


def benchmark(items: Sequence[Item | DataError], own: Sequence[Finding] | None = None, card: Card = CARD) -> ModuleType:
    module = ModuleType("made_up")
    module.CARD = card  # type: ignore[attr-defined]
    module.items = lambda data: iter(items)  # type: ignore[attr-defined]
    if own is not None:
        module.check = lambda data: iter(own)  # type: ignore[attr-defined]
    return module


def run(items: Sequence[Item | DataError], **options: Any) -> list[tuple[str, str, bool]]:
    found = check.run(benchmark(items, **options), Path())
    return [(finding.kind, finding.where, finding.serious) for finding in found if finding.kind != "empty cell"]


@pytest.fixture
def good(tmp_path: Path) -> ImageRef:
    return picture(tmp_path / "good.png")


def test_good_items_have_no_findings(good: ImageRef) -> None:
    items = [
        item(i, f"Which {i}?", good, labels={"kind": kind, "relation": relation})
        for i, (kind, relation) in enumerate([("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")])
    ]
    assert list(check.run(benchmark(items), Path())) == []


def test_the_benchmarks_own_findings_come_first(good: ImageRef) -> None:
    own = Finding("odd in its own way", "made-up/1", "so it is")
    assert run([item(1, "", good)], own=[own]) == [
        ("odd in its own way", "made-up/1", False),
        ("empty question", "made-up/1", True),
    ]


def test_bad_rows_are_serious() -> None:
    errors = [DataError("no question", file="a.json", row="3"), DataError("no answer", file="a.json", id="made-up/4")]
    assert run(errors) == [("bad row", "a.json 3", True), ("bad row", "a.json made-up/4", True)]


def test_repeated_ids_and_questions(good: ImageRef, tmp_path: Path) -> None:
    other = picture(tmp_path / "other.png", color="red")
    items = [
        item(1, "How many bars?", good),
        item(2, "how many\n bars?", good),
        item(3, "How many bars?", other),
        item(1, "How many lines?", good),
    ]
    assert run(items) == [("question asked twice", "made-up/2", False), ("id used twice", "made-up/1", True)]


def test_labels_and_languages_outside_the_card(good: ImageRef) -> None:
    items = [
        item(1, "?1", good, labels={"kind": "c", "relation": "x"}),
        item(2, "?2", good, labels={"kind": "a"}),
        item(3, "?3", good, language="de"),
    ]
    assert run(items) == [
        ("label not in the card", "made-up/1", True),
        ("label not in the card", "made-up/2", True),
        ("language not in the card", "made-up/3", False),
    ]


def test_empty_cells_are_named(good: ImageRef) -> None:
    found = list(check.run(benchmark([item(1, "?", good, labels={"kind": "b", "relation": "x"})]), Path()))
    assert [(finding.kind, finding.where) for finding in found] == [
        ("empty cell", "a"),
        ("empty cell", "b / y"),
    ]
    assert found[0].what == "the card declares 2 cells of it, and no item is in any"


def test_a_card_without_labels_has_no_cells(good: ImageRef) -> None:
    assert list(check.run(benchmark([item(1, "?", good)], card=replace(CARD, labels={})), Path())) == []


@pytest.mark.parametrize(
    ("question", "reference", "kinds"),
    [
        ("图中有几条线？", "三条（3）", []),
        ("λ_L ≈ 10⁻³, “x̄”\nor\t½?", "−1.7 × 10⁻³", []),
        ("What\x00is it?", "", ["unusual character"]),
        ("What is it?", "soft\xadhyphen", ["unusual character"]),
        ("lost \ufffd", "", ["unusual character"]),
        ("hidden \u202e order", "", ["unusual character"]),
        (" What?", "", ["outer white space"]),
        ("What?", "that \n", ["outer white space"]),
        ("　", "", ["empty question"]),
    ],
)
def test_odd_texts(good: ImageRef, question: str, reference: str, kinds: list[str]) -> None:
    assert [kind for kind, _, _ in run([item(1, question, good, reference=reference)])] == kinds


def test_characters_are_named(good: ImageRef) -> None:
    (finding,) = (f for f in check.run(benchmark([item(1, "a\x1b\u200b", good)]), Path()) if f.kind != "empty cell")
    assert "U+001B control character, U+200B ZERO WIDTH SPACE" in finding.what


def test_images_that_cannot_be_used(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (64, 64)).save(buffer, "PNG")
    for name, body in {
        "empty.png": b"",
        "page.jpg": b"<!DOCTYPE html><html></html>",
        "half.png": buffer.getvalue()[:-20],
    }.items():
        (tmp_path / name).write_bytes(body)
    (tmp_path / "folder.png").mkdir()
    names = ("absent.png", "empty.png", "folder.png", "half.png", "page.jpg")
    items = [item(i, f"?{i}", ImageRef(name, str(tmp_path / name))) for i, name in enumerate(names)]
    assert run(items) == [
        ("image missing", "absent.png", True),
        ("image unusable", "empty.png", True),
        ("image missing", "folder.png", True),
        ("image unusable", "half.png", True),
        ("image unusable", "page.jpg", True),
    ]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    assert run([item(1, "?", ImageRef("pipe.png", str(tmp_path / "pipe.png")))]) == [
        ("image missing", "pipe.png", True)
    ]


def test_images_that_are_odd(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    frames = [Image.new("RGB", (64, 64), color) for color in ("red", "blue")]
    frames[0].save(tmp_path / "moves.gif", save_all=True, append_images=frames[1:])
    items = [
        item(1, "?1", ImageRef("moves.gif", str(tmp_path / "moves.gif"))),
        item(2, "?2", picture(tmp_path / "small.png", (300, 12))),
        item(3, "?3", picture(tmp_path / "turned.jpg", exif=exif)),
    ]
    assert run(items) == [
        ("image moves", "moves.gif", False),
        ("image very small", "small.png", False),
        ("image to be turned", "turned.jpg", False),
    ]


def test_an_image_in_two_clusters_by_name_or_by_bytes(tmp_path: Path) -> None:
    one, copy = picture(tmp_path / "one.png"), picture(tmp_path / "copy.png")
    shared = picture(tmp_path / "shared.png", color="red")
    items = [
        item(1, "?1", one, shared, cluster="made-up/a"),
        item(2, "?2", copy, shared, cluster="made-up/b"),
        item(3, "?3", one, cluster="made-up/a"),
    ]
    assert run(items) == [
        ("image in several clusters", "one.png", False),
        ("image in several clusters", "shared.png", False),
    ]


def odd_references(*texts: str) -> list[tuple[str, str]]:
    items = [item(i, "?", reference=text) for i, text in enumerate(texts)]
    return [(finding.kind, finding.where) for finding in check.references(items)]


def test_ranges_in_references() -> None:
    assert odd_references(
        "0.05 (Answers in the range [0.045, 0.055] are ACCEPTABLE)",
        "–14 MHz (Answers in the range [–13, –15] are ACCEPTABLE)",
        "0.49(Answers in the range [48, 49.5] are ACCEPTABLE)",
        "It shows no dates.",
        "",
    ) == [("range reversed", "made-up/1"), ("reference outside its own range", "made-up/2")]
    assert list(check.references([replace(item(1, "?"), reference=None)])) == []


def test_a_range_finding_says_how_it_is_read() -> None:
    (finding,) = check.references([item(1, "?", reference="–14 (Answers in the range [–13, –15] are ACCEPTABLE)")])
    assert "read as -15 to -13" in finding.what


@pytest.fixture(scope="module")
def real(charthal_data: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for finding in check.run(charthal, charthal_data):
        assert not finding.serious, finding
        found.setdefault(finding.kind, []).append(finding.where)
    return found


def ids(*keys: str) -> list[str]:
    return ["charthal/" + key.replace("_", "/") for key in keys]


def test_charthals_reversed_ranges(real: dict[str, list[str]]) -> None:
    found = real["range reversed"]
    assert len(found) == 15
    expected = ids("267_3", "267_6", "321_3", "321_6", "321_7", "336_2", "336_6", "336_7", "1265_2")
    assert list(dict.fromkeys(found)) == sorted(expected, key=found.index)


def test_charthals_references_outside_their_own_range(real: dict[str, list[str]]) -> None:
    assert set(real["reference outside its own range"]) == set(ids("40_7", "3_6", "1634_3", "1634_7"))


def test_charthals_other_oddities(real: dict[str, list[str]]) -> None:
    assert real["outer white space"] == ids("770_2")
    assert {kind: len(where) for kind, where in real.items()} == {
        "empty reference": 75,
        "relabelled": 71,
        "range reversed": 15,
        "reference outside its own range": len(real["reference outside its own range"]),
        "outer white space": 1,
        "unusual character": 1,
    }


def test_a_file_that_cannot_be_read_is_raised(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such file"):
        list(check.run(charthal, tmp_path))


def test_findings_come_as_they_are_found(good: ImageRef) -> None:
    def items() -> Iterator[Item]:
        yield item(1, "", good)
        raise AssertionError("read further than needed")

    module = benchmark([])
    module.items = lambda data: items()  # type: ignore[attr-defined]
    assert next(check.run(module, Path())).kind == "empty question"

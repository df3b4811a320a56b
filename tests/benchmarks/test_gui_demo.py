"""The demonstration set of screens as items: whole, paired, and read strictly."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from snellen.benchmarks import gui_demo, gui_hallubench
from snellen.engine import check
from snellen.errors import DataError
from snellen.item import ElementsReference, Item, TargetReference

FOLDER = gui_demo.locate(None, Path("unused"))


@pytest.fixture(scope="module")
def items() -> list[Item]:
    found = list(gui_demo.items(FOLDER))
    assert all(isinstance(item, Item) for item in found)
    return [item for item in found if isinstance(item, Item)]


def test_there_is_a_parse_and_five_instructions_a_screen(items: list[Item]) -> None:
    assert Counter((item.labels["task"], item.language) for item in items) == {
        (task, language): count
        for task, count in (("parsing", 22), ("confusion", 44), ("fabricated", 66))
        for language in ("en", "zh")
    }
    assert set(Counter(item.cluster for item in items).values()) == {12}
    assert len({item.id for item in items}) == len(items)


def test_both_languages_of_a_screen_are_one_cluster(items: list[Item]) -> None:
    for cluster in {item.cluster for item in items}:
        own = [item for item in items if item.cluster == cluster]
        assert {item.language for item in own} == {"en", "zh"}
        assert len({item.images[0].name for item in own}) == 2
        assert {item.groups["screen"] for item in own} == {cluster.split("/")[1]}


def test_labels_and_references_fit_their_task(items: list[Item]) -> None:
    for item in items:
        task = item.labels["task"]
        assert list(item.labels)[:2] == ["task", "language"]
        assert {"platform", "app", "source", "density", "theme"} <= set(item.labels)
        assert isinstance(item.reference, ElementsReference if task == "parsing" else TargetReference)
        assert ("likeness" in item.labels) == (task == "confusion")
        assert ("size" in item.labels) == (task == "confusion")
        assert ("element" in item.labels) == (task != "parsing")
        assert item.images[0].width > 0
        assert item.id.startswith(f"gui-demo/{task}/{item.language}/")
        if isinstance(item.reference, TargetReference):
            assert bool(item.regions) == (item.reference.box is not None) == (task == "confusion")


def test_the_set_has_nothing_odd() -> None:
    assert list(check.run(gui_demo, FOLDER)) == []


def test_the_parent_benchmark_reads_the_set(items: list[Item]) -> None:
    read = [item for item in gui_hallubench.items(FOLDER) if isinstance(item, Item)]
    assert [(i.question, i.reference, i.images) for i in read] == [(i.question, i.reference, i.images) for i in items]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "demo"))


def rewrite(folder: Path, file: str, place: int, **changed: Any) -> None:
    rows = json.loads((folder / file).read_text("utf-8"))
    rows[place] = {**rows[place], **changed}
    (folder / file).write_text(json.dumps(rows), encoding="utf-8")


def test_a_folder_of_ones_own_is_used(copy: Path, tmp_path: Path) -> None:
    assert gui_demo.locate(copy, tmp_path) == copy.resolve()
    assert gui_demo.digest(copy) == gui_demo.digest(FOLDER)
    with pytest.raises(DataError, match=r"hallucination\.json.*leave --data out"):
        gui_demo.locate(tmp_path, tmp_path)


def test_the_digest_sees_every_row_and_image(copy: Path) -> None:
    digests = {gui_demo.digest(copy)}
    image = copy / "images" / "web-news-en.png"
    image.write_bytes(image.read_bytes() + b"\0")
    digests.add(gui_demo.digest(copy))
    rewrite(copy, "parsing_zh.json", 0, theme="light")
    digests.add(gui_demo.digest(copy))
    assert len(digests) == 3


@pytest.mark.parametrize(
    ("file", "changed", "message"),
    [
        ("hallucination.json", {"screen": None}, "screen"),
        ("hallucination.json", {"screen": 3}, "screen"),
        ("hallucination.json", {"target": None}, "no target"),
        ("hallucination.json", {"kind": "confused"}, "neither confusion nor fabricated"),
        ("hallucination.json", {"target": [0, 0, 9999, 20]}, "target"),
        ("parsing_en.json", {"screen": ""}, "screen"),
        ("parsing_en.json", {"elements": []}, "elements is empty"),
    ],
)
def test_a_bad_row_is_an_error_of_its_own(copy: Path, file: str, changed: dict[str, Any], message: str) -> None:
    rewrite(copy, file, 0, **changed)
    found = list(gui_demo.items(copy))
    (error,) = (item for item in found if isinstance(item, DataError))
    assert message in error.what
    assert (error.file, error.row) == (file, "[0]")
    assert error.id == "" or error.id.startswith("gui-demo/")
    assert len(found) == 264


def test_a_look_alike_that_is_not_told_is_found(copy: Path) -> None:
    rewrite(copy, "hallucination.json", 0, distractors=[])
    (finding,) = gui_demo.check(copy)
    assert (finding.kind, finding.where) == (
        "confusion without distractor",
        "gui-demo/confusion/en/phone-home-0-en",
    )

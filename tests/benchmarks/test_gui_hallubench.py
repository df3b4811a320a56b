"""GUI-HalluBench: the released layout and ours, every kind of bad row, and what a check finds."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from small_screens import SIZE, confusion, element, fabricated, parse, picture, put, write_gui
from snellen.benchmarks import gui_hallubench
from snellen.box import Box
from snellen.card import Finding
from snellen.engine import check
from snellen.errors import DataError
from snellen.item import Element, ElementsReference, Item, Region, TargetReference


def rows_of(folder: Path, content: Any, name: str = "rows_en.json") -> list[Item | DataError]:
    """What the benchmark makes of one file of rows beside a screen."""
    picture(folder / "images" / "1.png")
    put(folder / name, content)
    return list(gui_hallubench.items(gui_hallubench.locate(folder, folder)))


def error_of(folder: Path, row: Any) -> DataError:
    """What is wrong with a row; the row after it goes on."""
    wrong, good = rows_of(folder, [row, confusion(id="good")])
    assert isinstance(wrong, DataError)
    assert isinstance(good, Item)
    assert (wrong.file, wrong.row) == ("rows_en.json", "[0]")
    return wrong


def findings_of(folder: Path) -> list[Finding]:
    return list(check.run(gui_hallubench, gui_hallubench.locate(folder, folder)))


# Items


def test_a_parse_lists_its_elements_in_pixels(tmp_path: Path) -> None:
    (item,) = rows_of(tmp_path, [parse(platform="Mobile", app="travel", source="AMEX")])
    assert isinstance(item, Item)
    assert item.id == "gui-hallubench/parsing/en/images/1.png"
    assert item.question
    assert item.reference == ElementsReference(
        (
            Element("icon", "opens the camera", Box(10, 20, 60, 70)),
            Element("text", "Settings", Box(100, 20, 300, 60)),
        )
    )
    assert item.labels == {
        "task": "parsing",
        "language": "en",
        "platform": "mobile",
        "app": "travel",
        "source": "AMEX",
        "density": "sparse",
    }
    assert (item.images[0].width, item.images[0].height) == SIZE
    assert item.cluster == "gui-hallubench/images/1.png"
    assert item.groups == {"screen": "images/1.png"}


def test_a_confusion_item_has_target_distractors_region_and_labels(tmp_path: Path) -> None:
    picture(tmp_path / "images" / "1.png")
    put(tmp_path / "zz_parsing_en.json", [parse(elements=[element()] * 21)])
    item = rows_of(tmp_path, [confusion(element="Icon", platform="web", source="ScreenSpot")])[0]
    assert isinstance(item, Item)
    assert item.id == "gui-hallubench/confusion/en/1"
    assert item.question == "Open the camera"
    assert item.reference == TargetReference(Box(10, 20, 60, 70), (Box(100, 20, 150, 70),))
    assert item.regions == (Region(10, 20, 60, 70),)
    assert item.labels == {
        "task": "confusion",
        "language": "en",
        "platform": "web",
        "source": "ScreenSpot",
        "element": "icon",
        "size": "medium",  # 2,500 of 320,000 pixels
        "density": "medium",
    }


def test_an_absent_target_may_be_null_or_left_out(tmp_path: Path) -> None:
    left_out = {name: value for name, value in fabricated(id=9).items() if name != "target"}
    items = rows_of(tmp_path, [fabricated(distractors=[[1, 2, 3, 4]]), left_out])
    assert [item.reference for item in items if isinstance(item, Item)] == [
        TargetReference(None, (Box(1, 2, 3, 4),)),
        TargetReference(None),
    ]
    assert all(isinstance(item, Item) and "size" not in item.labels and not item.regions for item in items)


@pytest.mark.parametrize(
    ("box", "size"), [([0, 0, 17, 18], "small"), ([0, 0, 20, 20], "medium"), ([0, 0, 80, 40], "large")]
)
def test_the_size_of_a_target_is_its_share_of_the_screen(tmp_path: Path, box: list[int], size: str) -> None:
    """The screen has 320,000 pixels: 320 are 0.1 %, 3,200 are 1 %."""
    (item,) = rows_of(tmp_path, [confusion(target=box)])
    assert isinstance(item, Item)
    assert item.labels["size"] == size


@pytest.mark.parametrize(("count", "density"), [(20, "sparse"), (21, "medium"), (60, "medium"), (61, "dense")])
def test_density_counts_the_elements_of_the_parse(tmp_path: Path, count: int, density: str) -> None:
    parsed, asked = rows_of(tmp_path, [parse(elements=[element()] * count), fabricated()])
    assert isinstance(parsed, Item)
    assert isinstance(asked, Item)
    assert parsed.labels["density"] == asked.labels["density"] == density


def test_density_is_that_of_the_items_language_where_it_is_parsed(tmp_path: Path) -> None:
    put(tmp_path / "a_zh.json", [parse(elements=[element()] * 61)])
    put(tmp_path / "b_en.json", [parse()])
    items = rows_of(tmp_path, [fabricated(), fabricated(id=3, language="zh")])
    asked = {item.language: item for item in items if isinstance(item, Item) and item.labels["task"] == "fabricated"}
    assert asked["en"].labels["density"] == "sparse"
    assert asked["zh"].labels["density"] == "dense"


@pytest.mark.parametrize("name", ["parsing_zh.json", "parsing.CN.json", "zh/parsing.json", "en/parsing-chinese.jsonl"])
def test_the_language_is_in_the_name_of_the_file_or_folder(tmp_path: Path, name: str) -> None:
    (item,) = rows_of(tmp_path, [parse()], name)
    assert isinstance(item, Item)
    assert item.language == item.labels["language"] == "zh"
    assert item.question == "列出这个屏幕上的所有元素。"


def test_the_field_language_counts_before_the_name(tmp_path: Path) -> None:
    (item,) = rows_of(tmp_path, [parse(language="zh-CN")], "parsing_en.json")
    assert isinstance(item, Item)
    assert item.language == "zh"


@pytest.mark.parametrize("name", ["parsing.json", "parsing_en_zh.json", "screens/scene.json"])
def test_a_language_is_never_guessed(tmp_path: Path, name: str) -> None:
    (error,) = rows_of(tmp_path, [parse(elements=[element(description="打开")])], name)
    assert isinstance(error, DataError)
    assert "language" in error.what


def test_screens_are_clusters_of_both_languages(tmp_path: Path) -> None:
    folder = write_gui(tmp_path)
    items = [item for item in gui_hallubench.items(folder) if isinstance(item, Item)]
    assert len(items) == 7
    by_cluster: dict[str, set[str]] = {}
    for item in items:
        by_cluster.setdefault(item.cluster, set()).add(item.language)
    assert by_cluster == {"gui-hallubench/images/1.png": {"en", "zh"}, "gui-hallubench/images/2.png": {"en", "zh"}}


def test_sizes_are_of_the_upright_image(tmp_path: Path) -> None:
    picture(tmp_path / "images" / "turned.jpg", (800, 400), orientation=6)
    items = rows_of(tmp_path, [confusion(image="turned.jpg", target=[10, 700, 60, 790], distractors=[])])
    assert isinstance(items[0], Item)
    assert (items[0].images[0].width, items[0].images[0].height) == (400, 800)


def test_a_missing_or_broken_image_stays_in_the_count(tmp_path: Path) -> None:
    put(tmp_path / "images" / "broken.png", "no picture")
    items = rows_of(tmp_path, [confusion(image="gone.png"), parse("images/broken.png")])
    for item in items:
        assert isinstance(item, Item)
        assert (item.images[0].width, item.images[0].height) == (0, 0)
        assert "size" not in item.labels
    kinds = {finding.kind: finding for finding in findings_of(tmp_path)}
    assert kinds["image missing"].serious
    assert kinds["image unusable"].serious


def test_one_file_is_data_too(tmp_path: Path) -> None:
    write_gui(tmp_path)
    found = gui_hallubench.locate(tmp_path / "hallucination.jsonl", tmp_path)
    items = list(gui_hallubench.items(found))
    assert len(items) == 4
    assert all(isinstance(item, Item) and "density" not in item.labels for item in items)


# Bad rows


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("a text", "not an object"),
        ({"image": "images/1.png"}, "neither elements nor an instruction"),
        (parse() | {"instruction": "x"}, "both elements and an instruction"),
        (confusion(kind="other"), "neither confusion nor fabricated"),
        (confusion(kind=None), "kind is missing"),
        (confusion(target=None), "no target"),
        (fabricated(target=[1, 2, 3, 4]), "must have none"),
        (confusion(instruction=" "), "instruction is empty"),
        (confusion(instruction=3), "not a text"),
        (confusion(instruction="\ud800"), "half a character"),
        (confusion(id=None), "id is missing"),
        (confusion(id=1.5), "id is 1.5"),
        (confusion(id="x" * 201), "longer than 200"),
        (confusion(language="fr"), "neither en nor zh"),
        (confusion(image=""), "image is empty"),
        (confusion(image="/etc/passwd"), "must be relative"),
        (confusion(image="../../1.png"), "outside the data"),
        (confusion(image="C:\\1.png"), "must be relative"),
        (confusion(image="x" * 300), "no path"),
        (confusion(target=[10, 20, 60]), "a list of 3"),
        (confusion(target="10,20,60,70"), "not a list of four numbers"),
        (confusion(target=[10, 20, 60, "70"]), "no finite number"),
        (confusion(target=[10, 20, True, 70]), "no finite number"),
        (confusion(target=[10, 20, float("nan"), 70]), "no finite number"),
        (confusion(target=[10, 20, 10**400, 70]), "no finite number"),
        (confusion(target=[60, 20, 10, 70]), "inverted"),
        (confusion(target=[300, 20, 50, 70]), "these look like xywh in pixels"),
        (confusion(target=[10, 20, 10, 70]), "no area"),
        (confusion(target=[10, 20, 460, 70]), "it leaves the image, which has 400 x 800"),
        (confusion(target=[500, 20, 560, 70]), "it lies outside the image"),
        (confusion(target=[-60, 20, 60, 70]), "leaves the image"),
        (confusion(target=[0.1, 0.1, 0.2, 0.3]), "these look like xyxy as fraction"),
        (confusion(distractors=[[1, 2, 3, 4], [9, 9, 1, 1]]), "distractor 1"),
        (confusion(distractors={"a": 1}), "not a list of boxes"),
        (parse(elements=[]), "elements is empty"),
        (parse(elements=None), "elements is null"),
        (parse(elements=[element(), element(coordinates=[60, 20, 10, 70])]), "element 1: coordinates is [60, 20"),
        (parse(elements=[element(description=None)]), "element 0: description is null"),
        (parse(elements=[element(type="")]), "element 0: the field type is empty"),
        (parse(elements=[3]), "element 0: the row is 3"),
        (parse(platform=4), "platform is 4"),
    ],
)
def test_a_bad_row_is_an_error_and_the_rest_goes_on(tmp_path: Path, row: Any, what: str) -> None:
    assert what in error_of(tmp_path, row).what


def test_a_bad_row_has_its_id_where_it_has_one(tmp_path: Path) -> None:
    assert error_of(tmp_path, confusion(target=None)).id == "gui-hallubench/confusion/en/1"
    assert error_of(tmp_path, parse(elements=[])).id == "gui-hallubench/parsing/en/images/1.png"
    assert error_of(tmp_path, confusion(kind="?")).id == ""


def test_a_field_that_stands_there_twice_is_an_error(tmp_path: Path) -> None:
    twice = json.dumps(confusion())[:-1] + ', "target": [1, 2, 3, 4]}'
    (error,) = rows_of(tmp_path, f"[{twice}]")
    assert isinstance(error, DataError)
    assert "'target' twice" in error.what


def test_a_box_may_reach_past_the_edge_by_a_hundredth_and_is_kept_as_it_is(tmp_path: Path) -> None:
    (item,) = rows_of(tmp_path, [confusion(target=[-4, 20, 404, 808])])
    assert isinstance(item, Item)
    assert item.reference == TargetReference(Box(-4, 20, 404, 808), (Box(100, 20, 150, 70),))
    assert [f.where for f in findings_of(tmp_path) if f.kind == "box past the edge"] == [item.id]
    assert "leaves the image" in error_of(tmp_path, confusion(target=[-4.1, 20, 60, 70])).what


def test_bad_lines_of_json_lines_leave_the_others_alone(tmp_path: Path) -> None:
    good = json.dumps(confusion())
    bad, item, more = rows_of(tmp_path, f'{{"id": 1,\n\n{good}\n[1]\n', "rows_en.jsonl")
    assert isinstance(bad, DataError)
    assert bad.row == "line 1"
    assert "not JSON" in bad.what
    assert isinstance(item, Item)
    assert isinstance(more, DataError)
    assert more.row == "line 4"


def test_a_file_that_is_something_else_is_an_error_and_the_others_go_on(tmp_path: Path) -> None:
    put(tmp_path / "a_en.json", "<!doctype html><p>404")
    put(tmp_path / "b_en.jsonl", "version https://git-lfs.github.com/spec/v1\n")
    put(tmp_path / "c_en.json", {"rows": []})
    items = rows_of(tmp_path, [confusion()])
    assert [isinstance(item, DataError) and item.file for item in items] == [
        "a_en.json",
        "b_en.jsonl",
        "c_en.json",
        False,
    ]
    whats = [item.what for item in items if isinstance(item, DataError)]
    assert "web page" in whats[0]
    assert "LFS" in whats[1]
    assert "one JSON list" in whats[2]


def test_data_without_a_row_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no file holds a row"):
        rows_of(tmp_path, [])


def test_repeated_rows_are_asked_once_and_contradicting_ones_are_errors(tmp_path: Path) -> None:
    put(tmp_path / "a_en.json", [confusion(), parse()])
    rows = [confusion(), confusion(target=[11, 20, 60, 70]), parse(elements=[element()]), parse()]
    items = rows_of(tmp_path, rows, "b_en.json")
    assert [type(item) for item in items] == [Item, Item, DataError, DataError]
    assert [item.row for item in items if isinstance(item, DataError)] == ["[1]", "[2]"]
    assert "a_en.json [0] has this id too" in str(items[2])
    assert "a_en.json [1] parses this screen" in str(items[3])
    repeated = [f for f in findings_of(tmp_path) if f.kind == "row repeated"]
    assert [(f.where, f.what[:6]) for f in repeated] == [("b_en.json", "2 rows")]


# Locating, digest


def test_without_data_it_says_where_they_are(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"github.com/aibench/GUI-HalluBench.*--data"):
        gui_hallubench.locate(None, tmp_path)
    with pytest.raises(DataError, match="does not exist"):
        gui_hallubench.locate(tmp_path / "absent", tmp_path)
    with pytest.raises(DataError, match="no JSON file"):
        gui_hallubench.locate(tmp_path, tmp_path)
    with pytest.raises(DataError, match="unpacked"):
        gui_hallubench.locate(put(tmp_path / "data.zip", "PK"), tmp_path)


def test_the_digest_changes_with_rows_and_with_images(tmp_path: Path) -> None:
    folder = write_gui(tmp_path)
    first = gui_hallubench.digest(folder)
    picture(folder / "unused.png")
    assert gui_hallubench.digest(folder) == first
    picture(folder / "images" / "2.png", color="red")
    second = gui_hallubench.digest(folder)
    put(folder / "parsing_zh.json", [parse()])
    third = gui_hallubench.digest(folder)
    (folder / "images" / "2.png").unlink()
    assert len({first, second, third, gui_hallubench.digest(folder)}) == 4


def test_the_published_rows_are_shares() -> None:
    rows = {row.model: row.metrics for row in gui_hallubench.CARD.published}
    assert rows["Qwen3-VL-8B"] == {"parsing_average": 0.581, "hallucination_average": 0.66}
    assert rows["Qwen3-VL-8B (PGP)"] == {"hallucination_average": 0.677}
    assert rows["Qwen3-VL-8B (HFT)"] == {"parsing_average": 0.723, "hallucination_average": 0.73}
    assert all(0 < value < 1 for row in rows.values() for value in row.values())


# Check


def test_a_sound_copy_has_no_serious_finding(tmp_path: Path) -> None:
    assert [finding for finding in findings_of(write_gui(tmp_path)) if finding.serious] == []


@pytest.mark.parametrize(
    ("rows", "kind", "serious"),
    [
        ([confusion(distractors=[[10, 20, 60, 70]])], "target equal to a distractor", True),
        ([confusion(distractors=[[1, 2, 3, 4]] * 2)], "distractor given twice", False),
        ([confusion(distractors=[])], "confusion without distractor", False),
        ([confusion(), confusion(id=5, target=[1, 2, 30, 40])], "question asked twice", False),
        ([parse(elements=[element(), element()])], "box twice in a parse", False),
        ([parse(elements=[element(type="slider")])], "unknown element type", False),
        ([parse(elements=[element(description=" ")])], "element without description", False),
        ([fabricated()], "screen without parse", False),
        ([confusion(image="images/9.png")], "image missing", True),
        ([confusion(target=None)], "bad row", True),
        ([fabricated(target=[1, 2, 3, 4])], "bad row", True),
        ([confusion(target=[1, 2, 1, 4])], "bad row", True),
    ],
)
def test_a_check_finds_what_is_odd(tmp_path: Path, rows: list[Any], kind: str, serious: bool) -> None:
    rows_of(tmp_path, rows)
    found = [finding for finding in findings_of(tmp_path) if finding.kind == kind]
    assert len(found) == 1
    assert found[0].serious is serious


def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    picture(tmp_path / "1.png")
    elements = [element(index=place, description="x" * 400) for place in range(40)]

    def peak(count: int) -> int:
        put(tmp_path / "rows_en.json", [parse(f"{place}.png", elements=elements) for place in range(count)])
        tracemalloc.start()
        try:
            assert sum(isinstance(item, Item) for item in gui_hallubench.items(tmp_path)) == count
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    small = peak(20)
    assert peak(200) < small + 1_000_000  # the file has grown by 4 MB


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_stands_in_a_field_a_row_is_an_item_or_an_error(tmp_path: Path, data: st.DataObject) -> None:
    row = data.draw(st.sampled_from([parse(), confusion(), fabricated()]))
    changed = row | {data.draw(st.sampled_from([*row, "platform"])): data.draw(_VALUES)}
    if "elements" in row and data.draw(st.booleans()):
        changed["elements"] = [element(**{data.draw(st.sampled_from([*element()])): data.draw(_VALUES)})]
    (found,) = rows_of(tmp_path, [changed])
    assert isinstance(found, DataError) or Item.from_json(found.to_json()) == found
    if isinstance(found, Item):
        found.snapshot()

"""ScreenSpot, v2, Pro and UGround's copies: their layouts, the declared form of boxes, every kind of bad row."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from small_screens import SIZE, picture, put, spot, spot_pro, write_screenspot
from snellen.benchmarks import screenspot
from snellen.box import Box
from snellen.engine import check
from snellen.errors import DataError
from snellen.item import Item, Region, TargetReference

XYXY = {"boxes": "xyxy", "unit": "pixels"}


def rows_of(folder: Path, content: Any, name: str = "screenspot_web.json") -> list[Item | DataError]:
    """What the benchmark makes of one file of rows beside a screen."""
    picture(folder / "screenspot_imgs" / "web_1.png")
    put(folder / name, content)
    return list(screenspot.items(screenspot.locate(folder, folder)))


def item_of(folder: Path, row: Any, name: str = "screenspot_web.json") -> Item:
    (item,) = rows_of(folder, [row], name)
    assert isinstance(item, Item), item
    return item


def box_of(item: Item) -> Box | None:
    assert isinstance(item.reference, TargetReference)
    return item.reference.box


def error_of(folder: Path, row: Any) -> DataError:
    """What is wrong with a row; the row after it goes on."""
    wrong, good = rows_of(folder, [row, spot(instruction="good")])
    assert isinstance(wrong, DataError)
    assert isinstance(good, Item)
    assert (wrong.file, wrong.row) == ("screenspot_web.json", "[0]")
    return wrong


# Layouts


def test_screenspot_writes_corner_and_size_in_pixels(tmp_path: Path) -> None:
    item = item_of(tmp_path, spot())
    assert item.id == "screenspot/screenspot_web/0"
    assert item.question == "close"
    assert item.reference == TargetReference(Box(10, 20, 60, 60))
    assert item.regions == (Region(10, 20, 60, 60),)
    assert item.labels == {
        "task": "grounding",
        "language": "en",
        "platform": "web",
        "source": "shop",
        "element": "icon",
        "size": "medium",
    }
    assert (item.images[0].name, item.images[0].width, item.images[0].height) == ("screenspot_imgs/web_1.png", *SIZE)
    assert item.cluster == "screenspot/screenspot_imgs/web_1.png"


def test_screenspot_pro_writes_edges_and_asks_in_chinese_too(tmp_path: Path) -> None:
    picture(tmp_path / "images" / "vscode" / "1.png")
    english, chinese = rows_of(tmp_path, [spot_pro()], "annotations/vscode_macos.json")
    assert isinstance(english, Item)
    assert isinstance(chinese, Item)
    assert english.id == "screenspot/annotations/vscode_macos/0"
    assert chinese.id == "screenspot/annotations/vscode_macos/0/zh"
    assert (english.question, chinese.question) == ("fold the code", "折叠代码")
    assert english.reference == chinese.reference == TargetReference(Box(10, 20, 60, 60))
    assert english.cluster == chinese.cluster
    assert chinese.labels == {
        "task": "grounding",
        "language": "zh",
        "platform": "desktop",
        "app": "Dev",
        "application": "vscode",
        "source": "macos",
        "element": "icon",
        "size": "medium",
    }


def test_the_hubs_tables_write_edges_as_shares(tmp_path: Path) -> None:
    row = {"file_name": "web_1.png", "bbox": [0.025, 0.025, 0.15, 0.075], "instruction": "close", "data_type": "text"}
    item = item_of(tmp_path, row | {"data_source": "ios"}, "test.json")
    assert box_of(item) == Box(10, 20, 60, 60)
    assert (item.labels["platform"], item.labels["source"], item.labels["element"]) == ("mobile", "ios", "text")


def test_ugrounds_copy_is_json_lines(tmp_path: Path) -> None:
    row = {
        "bbox": [10, 20, 50, 40],
        "instruction": "close",
        "data_type": "icon",
        "data_source": "windows",
        "platform": "desktop",
        "scale": 1.4,
        "description": "Red close button.",
        "image": "web_1.png",
    }
    item = item_of(tmp_path, row, "re_gpt-4o.jsonl")
    assert item.id == "screenspot/re_gpt-4o.jsonl/0"
    assert box_of(item) == Box(10, 20, 60, 60)
    assert (item.labels["platform"], item.labels["source"]) == ("desktop", "windows")


@pytest.mark.parametrize(
    ("name", "source", "platform"),
    [
        ("screenspot_mobile_v2.json", "", "mobile"),
        ("screenspot_desktop.json", "", "desktop"),
        ("screenspot_web.json", "ios", "mobile"),
        ("rows.json", "gitlab", "web"),
        ("rows.json", "", None),
    ],
)
def test_the_platform_is_said_by_the_row_or_the_files_name(
    tmp_path: Path, name: str, source: str, platform: str | None
) -> None:
    assert item_of(tmp_path, spot(data_source=source), name).labels.get("platform") == platform


def test_a_chinese_row_says_so(tmp_path: Path) -> None:
    item = item_of(tmp_path, spot(language="zh", instruction="关闭"))
    assert (item.id, item.language) == ("screenspot/screenspot_web/0", "zh")


# The declared form


def test_a_declaration_beside_or_above_the_rows_counts(tmp_path: Path) -> None:
    put(tmp_path / "layout.json", XYXY)
    put(tmp_path / "v2" / "layout.json", {"boxes": "xyxy", "unit": "fraction"})
    put(tmp_path / "v2" / "deeper" / "rows.json", [spot(instruction="deep", bbox=[0.025, 0.025, 0.15, 0.075])])
    put(tmp_path / "also" / "rows.json", [spot(bbox=[1, 2, 3, 4])])
    items = rows_of(tmp_path, [spot(bbox=[10, 20, 60, 60])])
    assert {item.id: box_of(item) for item in items if isinstance(item, Item)} == {
        "screenspot/also/rows/0": Box(1, 2, 3, 4),
        "screenspot/screenspot_web/0": Box(10, 20, 60, 60),
        "screenspot/v2/deeper/rows/0": Box(10, 20, 60, 60),
    }


@pytest.mark.parametrize(
    ("form", "bbox"),
    [
        (("xyxy", "pixels"), [40, 80, 120, 240]),
        (("xywh", "pixels"), [40, 80, 80, 160]),
        (("cxcywh", "pixels"), [80, 160, 80, 160]),
        (("yxyx", "pixels"), [80, 40, 240, 120]),
        (("xywh", "percent"), [10, 10, 20, 20]),
        (("xyxy", "thousand"), [100, 100, 300, 300]),
        (("yxyx", "fraction"), [0.1, 0.1, 0.3, 0.3]),
    ],
)
def test_every_form_can_be_declared(tmp_path: Path, form: tuple[str, str], bbox: list[float]) -> None:
    put(tmp_path / "layout.json", dict(zip(("boxes", "unit"), form, strict=True)))
    box = box_of(item_of(tmp_path, spot(bbox=bbox)))
    assert box is not None
    assert (box.left, box.top, box.right, box.bottom) == pytest.approx((40, 80, 120, 240))


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"boxes": "xywh"},
        {"boxes": "ltrb", "unit": "pixels"},
        XYXY | {"more": 1},
        XYXY | {"unit": []},
        [],
        "no JSON",
    ],
)
def test_a_declaration_that_is_none_stops_everything(tmp_path: Path, content: Any) -> None:
    put(tmp_path / "layout.json", content)
    with pytest.raises(DataError, match=r"layout\.json"):
        rows_of(tmp_path, [spot()])


def test_unknown_fields_need_a_declaration(tmp_path: Path) -> None:
    row = {"image": "web_1.png", "bbox": [10, 20, 60, 60], "instruction": "close"}
    assert "layout.json" in error_of(tmp_path, row).what
    put(tmp_path / "layout.json", XYXY)
    assert box_of(item_of(tmp_path, row)) == Box(10, 20, 60, 60)


@pytest.mark.parametrize(
    ("row", "what"),
    [
        (spot(bbox=[300, 20, 380, 60]), "read as xywh in pixels it leaves the image, which has 400 x 800 pixels"),
        (spot(bbox=[300, 20, 380, 60]), "these look like xyxy in pixels: declare the form in a file layout.json"),
        (spot(bbox=[300, 20, 380, 60]), '{"boxes": "xyxy", "unit": "pixels"}'),
        (spot(bbox=[0.1, 0.2, 0.3, 0.4]), "these look like xyxy as fraction"),
        (spot(bbox=[0.1, 0.2, 0.3, 0.4]), '{"boxes": "xyxy", "unit": "fraction"}'),
        (spot(bbox=[0.8, 0.2, 0.1, 0.1]), "these look like xywh as fraction"),
        (spot(bbox=[300, 20, -10, 60]), "it is inverted"),
        (spot(bbox=[300, 20, 0, 60]), "it has no area"),
        (spot(bbox=[900, 20, 950, 60]), "it lies outside the image, which has 400 x 800 pixels; mend the row"),
        (spot(bbox=None), "bbox is null"),
        (spot(bbox=[1, 2, 3]), "a list of 3"),
        (spot(bbox=[1, 2, 3, float("inf")]), "no finite number"),
        (spot_pro("web_1.png", bbox=[300, 20, 50, 60]), "these look like xywh in pixels"),
        (spot_pro("web_1.png", img_size=[800, 1600]), "img_size is 800 x 1600, and the image has 400 x 800"),
        (spot_pro("web_1.png", img_size=[800]), "not [width, height]"),
        (spot_pro("web_1.png", img_size=[0, 800]), "which no image has"),
        (spot(instruction=None), "instruction is missing"),
        (spot(language="de"), "neither en nor zh"),
        (spot(data_type=3), "data_type is 3"),
        (spot("/web_1.png"), "must be relative"),
        (spot("../../web_1.png"), "outside the data"),
        ({"bbox": [1, 2, 3, 4], "instruction": "x"}, "names no screen"),
        (7, "not an object"),
    ],
)
def test_a_bad_row_is_an_error_and_the_rest_goes_on(tmp_path: Path, row: Any, what: str) -> None:
    assert what in error_of(tmp_path, row).what


def test_shares_of_an_image_that_is_missing_cannot_be_placed(tmp_path: Path) -> None:
    row = {"file_name": "gone.png", "bbox": [0.1, 0.1, 0.2, 0.2], "instruction": "close"}
    assert "missing or unreadable" in error_of(tmp_path, row).what


def test_an_item_without_its_image_stays_in_the_count(tmp_path: Path) -> None:
    item = item_of(tmp_path, spot("gone.png", bbox=[5_000, 20, 50, 40]))
    assert box_of(item) == Box(5_000, 20, 5_050, 60)
    assert item.images[0].width == 0
    assert "size" not in item.labels
    declared = rows_of(tmp_path, [spot_pro("gone.png")])[0]
    assert isinstance(declared, Item)
    assert (declared.images[0].width, declared.images[0].height) == SIZE


# Repeats, digest, check


def test_rows_that_ask_the_same_are_asked_once(tmp_path: Path) -> None:
    put(tmp_path / "again.json", [spot(data_type="text")])
    items = rows_of(tmp_path, [spot(), spot(bbox=[11, 20, 50, 40]), spot(instruction="open")])
    assert [item.id for item in items if isinstance(item, Item)] == [
        "screenspot/again/0",
        "screenspot/screenspot_web/1",
        "screenspot/screenspot_web/2",
    ]
    kinds = Counter(finding.kind for finding in check.run(screenspot, tmp_path))
    assert kinds["row repeated"] == 1
    assert kinds["question asked twice"] == 1


def test_the_digest_changes_with_rows_images_and_declaration(tmp_path: Path) -> None:
    folder = write_screenspot(tmp_path)
    first = screenspot.digest(folder)
    picture(folder / "screenspot_imgs" / "web_3.png", color="red")
    second = screenspot.digest(folder)
    put(folder / "layout.json", XYXY)
    assert len({first, second, screenspot.digest(folder)}) == 3


def test_without_data_it_says_where_they_are(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"SeeClick.*--data"):
        screenspot.locate(None, tmp_path)
    put(tmp_path / "layout.json", XYXY)
    with pytest.raises(DataError, match="no JSON file of rows"):
        screenspot.locate(tmp_path, tmp_path)


def test_a_check_finds_what_is_odd(tmp_path: Path) -> None:
    rows_of(tmp_path, [spot(data_source=""), spot("gone.png"), spot(bbox=[1, 2, 500, 4])], "rows.json")
    serious = Counter(finding.kind for finding in check.run(screenspot, tmp_path) if finding.serious)
    assert serious == {"image missing": 1, "bad row": 1}
    assert "platform not known" in {finding.kind for finding in screenspot.check(tmp_path)}


# Real rows


@pytest.fixture(scope="module")
def uground(test_data: Path) -> Path:
    path = test_data / "screenspot_uground" / "offline_evaluation" / "ScreenSpot"
    if not path.is_dir():
        pytest.skip(f"no rows of ScreenSpot at {path}")
    return path


def test_ugrounds_rows_are_read_and_its_second_file_repeats_the_first(uground: Path) -> None:
    items = list(screenspot.items(screenspot.locate(uground, uground)))
    assert all(isinstance(item, Item) for item in items)
    found = [item for item in items if isinstance(item, Item)]
    assert len(found) == 1272
    assert Counter(item.labels["platform"] for item in found) == {"mobile": 502, "web": 436, "desktop": 334}
    assert len({item.cluster for item in found}) == 610
    assert box_of(found[0]) == Box(910, 78, 954, 112)
    (repeated,) = screenspot.check(uground)
    assert repeated.what.startswith("1272 rows")


def test_without_screens_every_item_is_told_of_by_the_check(uground: Path) -> None:
    """The copy holds no images: nothing is lost, and nothing can be asked."""
    kinds = Counter(finding.kind for finding in check.run(screenspot, uground))
    assert kinds["image missing"] == 610
    assert kinds["bad row"] == 0

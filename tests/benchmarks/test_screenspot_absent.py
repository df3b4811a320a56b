"""ScreenSpot's instructions on other screens, where their targets are presumed absent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from small_screens import picture, put, spot, write_screenspot
from snellen.benchmarks import screenspot, screenspot_absent
from snellen.errors import DataError
from snellen.item import ImageRef, Item, TargetReference

COLORS = ("white", "gray", "black", "red", "blue")


def rows_of(folder: Path, content: list[Any], screens: int = 3) -> list[Item | DataError]:
    for number in range(1, screens + 1):
        picture(folder / f"web_{number}.png", color=COLORS[number - 1])
    put(folder / "rows.json", content)
    return list(screenspot_absent.items(screenspot_absent.locate(folder, folder)))


def screen_of(item: Item | DataError) -> str:
    assert isinstance(item, Item), item
    return item.images[0].name


def test_an_instruction_is_asked_on_another_screen_without_a_target(tmp_path: Path) -> None:
    items = rows_of(tmp_path, [spot(), spot("web_2.png", instruction="buy")], screens=2)
    assert [screen_of(item) for item in items] == ["web_2.png", "web_1.png"]
    first = items[0]
    assert isinstance(first, Item)
    assert first.id == "screenspot-absent/rows/0"
    assert first.question == "close"
    assert first.reference == TargetReference(None)
    assert first.labels == {"task": "presumed-absent", "language": "en", "platform": "web", "element": "icon"}
    assert first.cluster == "screenspot-absent/web_2.png"
    assert first.groups == {"screen": "web_2.png", "asked": "screenspot/rows/0"}
    assert (first.images[0].width, first.regions) == (400, ())


def test_every_item_of_screenspot_has_one_and_no_label_is_shared(tmp_path: Path) -> None:
    folder = write_screenspot(tmp_path)
    real = [item for item in screenspot.items(folder) if isinstance(item, Item)]
    absent = [item for item in screenspot_absent.items(folder) if isinstance(item, Item)]
    assert [item.groups["asked"] for item in absent] == [item.id for item in real]
    for one, other in zip(real, absent, strict=True):
        assert one.images[0].name != other.images[0].name
        assert one.labels["platform"] == other.labels["platform"]
    assert {item.labels["task"] for item in absent} == {"presumed-absent"}


def test_a_screen_that_holds_the_same_is_never_chosen(tmp_path: Path) -> None:
    """By an instruction or a description, in other spelling, in a row that is wrong otherwise too."""
    rows = [
        spot(instruction="Close it!"),
        spot("web_2.png", instruction="close IT"),
        spot("web_3.png", instruction="x", description="“Close” it."),
        spot("web_4.png", instruction="close it", bbox=[1]),
        spot("web_5.png", instruction="other"),
    ]
    items = rows_of(tmp_path, rows, screens=5)
    assert screen_of(items[0]) == "web_5.png"
    assert screen_of(items[1]) == "web_5.png"


def test_a_copy_of_the_same_picture_is_never_chosen(tmp_path: Path) -> None:
    rows = [spot(), spot("web_2.png", instruction="buy"), spot("web_3.png", instruction="go")]
    for number in range(1, 4):
        picture(tmp_path / f"web_{number}.png", color="white" if number < 3 else "red")
    put(tmp_path / "rows.json", rows)
    items = list(screenspot_absent.items(tmp_path))
    assert [screen_of(item) for item in items[:2]] == ["web_3.png", "web_3.png"]


def test_other_platforms_are_never_mixed_in_and_what_has_no_screen_is_left_out(tmp_path: Path) -> None:
    rows = [spot(), spot("web_2.png", instruction="buy", data_source="ios")]
    first, second = rows_of(tmp_path, rows)
    assert isinstance(first, DataError)
    assert isinstance(second, DataError)
    assert "platform web" in first.what
    assert "platform mobile" in second.what
    assert (first.id, first.file, first.row) == ("screenspot-absent/rows/0", "rows.json", "[0]")


def test_screens_without_a_file_are_chosen_only_where_there_are_no_others(tmp_path: Path) -> None:
    gone = [spot(f"gone_{number}.png", instruction=f"i{number}") for number in range(20)]
    rows = [spot(), spot("web_2.png", instruction="buy"), *gone]
    assert {screen_of(item) for item in rows_of(tmp_path, rows, screens=2)} == {"web_1.png", "web_2.png"}
    for number in (1, 2):
        (tmp_path / f"web_{number}.png").unlink()
    assert len({screen_of(item) for item in screenspot_absent.items(tmp_path)}) > 2


def test_a_path_that_no_file_can_have_is_a_screen_without_a_file(tmp_path: Path) -> None:
    picture(tmp_path / "a.png")
    there = ImageRef("a.png", path=str(tmp_path / "a.png"))
    gone = ImageRef("b.png", path=f"{tmp_path}/{'x' * 300}.png")
    assert screenspot_absent._there({"a.png": there, "b.png": gone}) == [there]
    assert screenspot_absent._there({"b.png": gone}) == [gone]


def test_the_choice_is_the_same_each_time_and_spread_over_the_screens(tmp_path: Path) -> None:
    rows = [spot(f"web_{number % 5 + 1}.png", instruction=f"do {number}") for number in range(60)]
    items = rows_of(tmp_path, rows, screens=5)
    assert items == list(screenspot_absent.items(tmp_path))
    assert {screen_of(item) for item in items} == {f"web_{number}.png" for number in range(1, 6)}


def test_a_bad_row_is_an_error_and_the_rest_goes_on(tmp_path: Path) -> None:
    bad, good, _ = rows_of(tmp_path, [spot(bbox=[1]), spot(), spot("web_2.png", instruction="buy")])
    assert isinstance(bad, DataError)
    assert isinstance(good, Item)


def test_the_card_says_that_absence_is_presumed() -> None:
    assert "presumed, not checked" in screenspot_absent.CARD.notes[0]

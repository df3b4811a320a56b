"""The sheet shows an image as an item has it: its regions, its distractors, its changed questions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from snellen.engine import contact_sheet
from snellen.engine.conditions import parse
from snellen.errors import UsageError
from snellen.item import ImageRef, Item, Region, YesNoReference


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    Image.new("RGB", (2048, 1024), "white").save(tmp_path / "photo.png")
    return tmp_path / "photo.png"


def item(**more: object) -> Item:
    plain = {"images": (ImageRef("photo.png"),), "reference": YesNoReference(yes=True), **more}
    return Item("a/1", "Is there a dog in the image?", **plain)  # type: ignore[arg-type]


def cells(sheet: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    with Image.open(sheet) as opened:
        return np.asarray(opened.convert("RGB"))


def test_the_region_of_an_item_is_covered_where_it_lies_in_a_smaller_picture(tmp_path: Path, photo: Path) -> None:
    with_region = item(regions=(Region(1536, 0, 2048, 1024),))
    sheet = contact_sheet.write(photo, tmp_path / "sheet.png", parse("occlusion"), item=with_region)
    picture = cells(sheet)
    width, height = contact_sheet.CELL, contact_sheet.CELL // 2
    left, top = 150 + width + 6, 22  # of severity 1, which covers the region and nothing around it
    cell = picture[top : top + height, left : left + width]
    assert (cell[:, : width * 3 // 4 - 3] == 255).all()
    assert (cell[:, width * 3 // 4 + 3 :] == 128).all()


def test_a_change_that_an_item_has_nothing_for_is_told_and_its_row_is_empty(tmp_path: Path, photo: Path) -> None:
    told: list[str] = []
    sheet = contact_sheet.write(photo, tmp_path / "sheet.png", parse("scene-text"), told.append, item())
    assert told == ["scene-text does not apply to a/1: it says nothing that the change could be made with"]
    assert (cells(sheet)[22:, 150 + contact_sheet.CELL + 6 :] == 255).all()
    with_distractor = item(distractors=("a red bus",))
    sheet = contact_sheet.write(photo, tmp_path / "sheet.png", parse("scene-text"), told.append, with_distractor)
    assert len(told) == 1
    assert not (cells(sheet)[22:, 150 + contact_sheet.CELL + 6 :] == 255).all()


def test_the_seed_is_that_of_the_conditions(tmp_path: Path, photo: Path) -> None:
    sheets = [
        contact_sheet.write(photo, tmp_path / f"{seed}.png", parse("gaussian-noise", seed=seed)).read_bytes()
        for seed in (0, 0, 1)
    ]
    assert sheets[0] == sheets[1] != sheets[2]


def test_changed_questions_are_those_of_every_severity(photo: Path) -> None:
    told: list[str] = []
    conditions = parse("jpeg,misleading-prefix,option-shuffle")
    found = dict(contact_sheet.instructions(item(), conditions, told.append))
    assert list(found) == [f"misleading-prefix:{severity}" for severity in range(1, 6)]
    assert all(question.endswith("Is there a dog in the image?") for question in found.values())
    assert told == ["option-shuffle:1 does not apply to what a/1 asks"]


def test_a_folder_is_no_sheet(tmp_path: Path, photo: Path) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        contact_sheet.write(photo, tmp_path, parse("jpeg"))

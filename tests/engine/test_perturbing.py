"""Changed versions of items and images: the same bytes whoever makes them, and nothing is made twice."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from snellen.engine import contact_sheet
from snellen.engine.changed_copies import copies
from snellen.engine.changed_images import ChangedImages, Wish, pixels
from snellen.engine.conditions import Step, parse
from snellen.engine.perturbing import LeftOut, Perturber
from snellen.engine.side_by_side import Workers
from snellen.errors import ImageError, UsageError
from snellen.images import ImageStore
from snellen.item import ImageRef, Item, Region


def photo(seed: int, size: tuple[int, int] = (40, 30)) -> bytes:
    shape = (size[1], size[0], 3)
    image = np.random.default_rng(seed).integers(0, 256, shape, np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture
def changed(tmp_path: Path) -> ChangedImages:
    return ChangedImages(ImageStore(tmp_path / "images"), tmp_path / "changed")


def wish(changed: ChangedImages, text: str, seed: int = 0) -> Wish:
    (condition,) = parse(text)
    return Wish(changed.images.put(photo(seed)), tuple((step, "") for step in condition.steps))


def item(changed: ChangedImages, seed: int = 0) -> Item:
    return Item("shale/1", "Is it red?", images=(ImageRef("a.png", sha256=changed.images.put(photo(seed))),))


def test_an_image_is_rendered_once(changed: ChangedImages, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = wish(changed, "gaussian-noise:3")
    first = changed.get(wanted)
    assert changed.known(wanted)
    monkeypatch.setattr("snellen.engine.changed_images.change", lambda *_: pytest.fail("rendered again"))
    assert changed.get(wanted) == first
    assert ChangedImages(changed.images, changed.folder).get(wanted) == first


def test_bytes_that_were_deleted_are_rendered_to_the_same(changed: ChangedImages) -> None:
    wanted = wish(changed, "gaussian-noise:3")
    first = changed.get(wanted)
    before = changed.images.get(first.sha256)
    changed.images.path(first.sha256).unlink()
    assert not changed.known(wanted)
    assert changed.get(wanted) == first
    assert changed.images.get(first.sha256) == before


@pytest.mark.parametrize("spoil", [lambda memo: memo.write_text("{"), lambda memo: memo.write_text('{"sha256": 3}')])
def test_a_broken_memory_is_no_memory(changed: ChangedImages, spoil: Callable[[Path], None]) -> None:
    wanted = wish(changed, "jpeg:2")
    first = changed.get(wanted)
    for memo in changed.folder.glob("*/*"):
        spoil(memo)
    assert changed.get(wanted) == first


def test_noise_depends_on_image_perturbation_severity_and_seed(changed: ChangedImages) -> None:
    sha256 = changed.images.put(photo(0))
    steps = [Step("gaussian-noise", 3), Step("gaussian-noise", 3, 1), Step("gaussian-noise", 4), Step("shot-noise", 3)]
    made = {changed.get(Wish(sha256, ((step, ""),))).sha256 for step in steps}
    made.add(changed.get(wish(changed, "gaussian-noise:3", seed=1)).sha256)
    assert len(made) == 5


def test_severity_0_is_the_image_itself(changed: ChangedImages) -> None:
    wanted = wish(changed, "gaussian-noise:0")
    assert changed.get(wanted).sha256 == wanted.sha256


def test_several_processes_make_the_same(tmp_path: Path) -> None:
    made = []
    for count in (1, 2):
        changed = ChangedImages(ImageStore(tmp_path / f"images{count}"), tmp_path / f"changed{count}")
        wishes = [wish(changed, "gaussian-noise:3+jpeg:2", seed) for seed in range(10)]
        told: list[tuple[int, int]] = []
        with Workers(count) as workers:
            changed.prepare(reversed(wishes), workers, on_done=lambda *how, told=told: told.append(how))
            assert workers.begun == (count == 2)
        assert told[-1] == (10, 10)
        assert all(map(changed.known, wishes))
        made.append([changed.get(each) for each in wishes])
    assert made[0] == made[1]


def test_a_folder_of_copies_holds_what_a_run_would_send(tmp_path: Path, changed: ChangedImages) -> None:
    source = tmp_path / "photos"
    (source / "deep").mkdir(parents=True)
    (source / "deep" / "a.png").write_bytes(photo(0))
    copies(source, tmp_path / "out", parse("gaussian-noise:3+jpeg:2"))
    copy = tmp_path / "out" / "gaussian-noise-3+jpeg-2" / "deep" / "a.png"
    sent = changed.images.get(changed.get(wish(changed, "gaussian-noise:3+jpeg:2")).sha256)
    assert np.array_equal(pixels(copy.read_bytes()), pixels(sent))


def test_copies_are_not_made_twice_and_odd_files_do_not_stop_them(tmp_path: Path) -> None:
    source = tmp_path / "photos"
    source.mkdir()
    for seed in range(3):
        (source / f"{seed}.png").write_bytes(photo(seed))
    (source / "broken.png").write_bytes(b"\x89PNG")
    (source / "notes.txt").write_text("no image")
    told: list[tuple[int, int]] = []
    conditions = parse("jpeg:1,jpeg:5")
    first = copies(source, tmp_path / "out", conditions, on_progress=lambda *how: told.append(how))
    assert (first.written, first.kept, len(first.problems)) == (6, 0, 2)
    assert told[-1] == (8, 8)
    (tmp_path / "out" / "jpeg-1" / "0.png").unlink()
    second = copies(source, tmp_path / "out", conditions)
    assert (second.written, second.kept) == (1, 5)
    assert not list((tmp_path / "out").rglob("*part"))


def test_two_names_that_differ_in_their_ending_are_two_copies(tmp_path: Path) -> None:
    source = tmp_path / "photos"
    source.mkdir()
    Image.new("RGB", (8, 8), "red").save(source / "a.jpg")
    Image.new("RGB", (8, 8), "blue").save(source / "a.png")
    assert copies(source, tmp_path / "out", parse("jpeg:1")).written == 2
    assert {path.name for path in (tmp_path / "out" / "jpeg-1").iterdir()} == {"a.png", "a.jpg.png"}


def test_a_copy_never_takes_the_place_of_another(tmp_path: Path) -> None:
    for name in ("a.webp", "a.webp.png"):
        (tmp_path / "photos").mkdir(exist_ok=True)
        (tmp_path / "photos" / name).write_bytes(photo(0))
    with pytest.raises(UsageError, match="rename one of the two"):
        copies(tmp_path / "photos", tmp_path / "out", parse("jpeg:1"))
    assert not (tmp_path / "out").exists()


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    os.mkfifo(tmp_path / "photos" / "pipe.png")
    made = copies(tmp_path / "photos", tmp_path / "out", parse("jpeg:1,fog:1"), processes=1)
    assert len(made.problems) == 2
    assert "pipe" in made.problems[0]
    with pytest.raises(ImageError, match="pipe"):
        contact_sheet.write(tmp_path / "photos" / "pipe.png", tmp_path / "sheet.png", parse("jpeg"))


def test_copies_into_their_own_source_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(photo(0))
    with pytest.raises(UsageError, match="lies in"):
        copies(tmp_path, tmp_path / "out", parse("jpeg:1"))


def test_a_version_says_what_it_is(changed: ChangedImages) -> None:
    (condition,) = parse("jpeg:3+gaussian-blur:1")
    clean = item(changed)
    perturber = Perturber([condition], changed)
    version = perturber.version(clean, condition)
    assert isinstance(version, Item)
    assert version.id == "shale/1@jpeg:3+gaussian-blur:1"
    assert version.groups == {"pair": "shale/1"}
    assert [(change.name, change.severity) for change in version.changes] == [("jpeg", 3), ("gaussian-blur", 1)]
    assert version.cluster == clean.cluster
    assert version.images[0].sha256 != clean.images[0].sha256
    assert perturber.tallies["jpeg:3+gaussian-blur:1"].versions == 1


def test_boxes_do_not_outlive_a_change_that_moves_them(changed: ChangedImages) -> None:
    conditions = parse("jpeg:3,rotation:3,downscale:2+jpeg:1,edge-crop:1")
    clean = replace(item(changed), regions=(Region(2, 2, 10, 10),))
    perturber = Perturber(conditions, changed)
    versions = [perturber.version(clean, condition) for condition in conditions]
    assert [bool(version.regions) for version in versions if isinstance(version, Item)] == [True, False, False, False]


def test_an_item_without_an_image_has_no_changed_image(changed: ChangedImages) -> None:
    (condition,) = parse("jpeg:3")
    perturber = Perturber([condition], changed)
    assert perturber.version(Item("a", "Why?"), condition) == LeftOut(Step("jpeg", 3))
    assert perturber.tallies["jpeg:3"].to_json() == {"versions": 0, "truth": {}, "left_out": {"jpeg": 1}}


def test_a_perturbation_that_fails_is_a_typed_error(changed: ChangedImages, monkeypatch: pytest.MonkeyPatch) -> None:
    module = Step("jpeg", 3).module
    monkeypatch.setattr(module, "change", lambda *_: 1 / 0)
    with pytest.raises(ImageError, match="jpeg:3 failed: ZeroDivisionError"):
        changed.get(wish(changed, "jpeg:3"))
    monkeypatch.setattr(module, "change", lambda *_: np.zeros((2, 2)))
    with pytest.raises(ImageError, match="no RGB image"):
        changed.get(wish(changed, "jpeg:3"))

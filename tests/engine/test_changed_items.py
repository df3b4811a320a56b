"""A benchmark's changed items as files: what a run would send, each image once, and nothing written twice."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import small_charthal
from snellen import discovery, library
from snellen.engine.changed_images import pixels
from snellen.engine.changed_items import Wanted, Written
from snellen.engine.changed_items import write_items as write_on_processes
from snellen.engine.conditions import parse
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.item import Item

CONDITIONS = "jpeg:3,scene-text:3,occlusion:2,misleading-prefix:1,jpeg:3+misleading-prefix:4"
ITEMS = "shale-demo/meadow-cat/*"


def wanted(text: str = CONDITIONS, *, name: str = "shale-demo", data: Path | None = None, **more: Any) -> Wanted:
    module = discovery.load("benchmarks", name)
    folder = module.locate(data, Path("nowhere"))
    return Wanted(module, name, folder, parse(text, seed=more.get("seed", 0)), **more)


def write_items(which: Wanted, out: Path, workspace: Path) -> Written:
    return write_on_processes(which, out, workspace, processes=1)


def rows(out: Path, name: str = "items.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / name).read_bytes().splitlines()]


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def dates(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def counts(made: Written) -> tuple[int, int, int, int]:
    return made.items, made.images_written, made.images_kept, made.failed


def test_items_and_images_are_those_that_a_run_sends(tmp_path: Path) -> None:
    write_items(wanted(items=ITEMS, seed=5), tmp_path / "out", tmp_path / "one")
    with Workspace(tmp_path / "other") as workspace:
        run = library.run(
            "shale-demo", model="constant", judge="", workspace=workspace, perturb=CONDITIONS, items=ITEMS, seed=5
        )
        sent = {row.item.id: row.item for row in run.judged.rows() if row.item.changes}
        images = {digest: workspace.images.get(digest) for item in sent.values() for digest in _digests(item)}
    found = rows(tmp_path / "out")
    assert {row["id"] for row in found} == set(sent)
    assert len(found) > 30
    for row in found:
        assert Item.from_json(row) == sent[row["id"]]
        for image in row["images"]:
            assert (tmp_path / "out" / image["path"]).read_bytes() == images[image["sha256"]]


def _digests(item: Item) -> list[str]:
    return [image.sha256 for image in item.images]


def test_a_row_says_whence_it_comes_and_what_was_changed(tmp_path: Path) -> None:
    write_items(wanted("jpeg:3+misleading-prefix:4", items="shale-demo/meadow-cat/0"), tmp_path / "out", tmp_path)
    (row,) = rows(tmp_path / "out")
    assert row["id"] == "shale-demo/meadow-cat/0@jpeg:3+misleading-prefix:4"
    assert (row["source"], row["perturbation"], row["truth"]) == (
        "shale-demo/meadow-cat/0",
        "jpeg:3+misleading-prefix:4",
        "kept",
    )
    assert row["question"].endswith("Is the animal in the picture a cat?")
    assert len(row["question"]) > len("Is the animal in the picture a cat?")
    assert row["reference"] == {"kind": "yes_no", "yes": True}
    assert [(each["name"], each["severity"], each["truth"]) for each in row["changes"]] == [
        ("jpeg", 3, "kept"),
        ("misleading-prefix", 4, "kept"),
    ]


def test_every_pair_is_either_there_or_left_out_with_a_reason(tmp_path: Path) -> None:
    data = small_charthal.write(tmp_path / "data", figures=2)
    text = "jpeg:3,misleading-prefix,scene-text+jpeg:2"
    made = write_items(wanted(text, name="charthal", data=data), tmp_path / "out", tmp_path / "w")
    there, left_out = rows(tmp_path / "out"), rows(tmp_path / "out", "left_out.jsonl")
    pairs = {(row["source"], row["perturbation"]) for row in (*there, *left_out)}
    assert len(pairs) == len(there) + len(left_out) == 24 * 3
    assert {(row["reason"], row.get("step", "")) for row in left_out} == {
        ("does_not_apply", "misleading-prefix:3"),
        ("does_not_apply", "scene-text:3"),
        ("failed", ""),  # these pictures are too small to write on
    }
    assert all(row["why"] for row in left_out)
    for name, told in made.conditions.items():
        assert told["versions"] == sum(row["perturbation"] == name for row in there)
        lacking = sum(told.get("left_out", {}).values()) + told.get("failed", 0)
        assert lacking == sum(row["perturbation"] == name for row in left_out)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_bytes())
    assert manifest["complete"]
    assert manifest["counts"]["conditions"] == made.conditions


def test_an_image_that_is_not_changed_stays_as_it_is(tmp_path: Path) -> None:
    data = small_charthal.write(tmp_path / "data", figures=1)
    out = tmp_path / "out"
    made = write_items(wanted("typos:1,jpeg:0", name="charthal", data=data), out, tmp_path / "w")
    assert made.items >= 12
    (image,) = (out / "images").iterdir()
    assert image.suffix == ".jpg"
    assert image.read_bytes() == (data / "images" / "1.jpg").read_bytes()


def test_one_image_of_many_questions_is_written_once(tmp_path: Path) -> None:
    data = small_charthal.write(tmp_path / "data", figures=2)
    made = write_items(wanted("jpeg:3", name="charthal", data=data), tmp_path / "out", tmp_path / "w")
    assert counts(made) == (24, 2, 0, 0)
    assert len({row["images"][0]["path"] for row in rows(tmp_path / "out")}) == 2


def test_changed_images_may_be_jpeg(tmp_path: Path) -> None:
    data = small_charthal.write(tmp_path / "data", figures=1)
    out = tmp_path / "out"
    for written in (1, 0):
        made = write_items(wanted("fog:3", name="charthal", data=data, kind="jpeg"), out, tmp_path / "w")
        assert made.images_written == written
    image = rows(out)[0]["images"][0]
    with Image.open(out / image["path"]) as opened:
        assert opened.format == "JPEG"
    assert hashlib.sha256((out / image["path"]).read_bytes()).hexdigest() == image["sha256"]


def test_the_same_command_writes_nothing_twice(tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = write_items(wanted(items=ITEMS), out, tmp_path / "w")
    before = dates(out)
    shutil.rmtree(tmp_path / "w")
    second = write_items(wanted(items=ITEMS), out, tmp_path / "w")
    assert dates(out) == before
    assert not (tmp_path / "w").exists(), "a whole set is known without rendering anything"
    assert (second.items, second.images_written, second.images_kept) == (first.items, 0, first.images_written)
    assert second.conditions == first.conditions


@pytest.mark.parametrize("spoil", ["image", "items.jsonl", "left_out.jsonl", "half"])
def test_what_is_missing_or_changed_is_made_again_and_nothing_else(tmp_path: Path, spoil: str) -> None:
    out = tmp_path / "out"
    write_items(wanted(items=ITEMS), out, tmp_path / "w")
    whole, before = tree(out), dates(out)
    if spoil == "image":
        spoilt = next((out / "images").iterdir())
        spoilt.unlink()
    elif spoil == "half":  # a command that was killed before the end
        spoilt = out / "manifest.json"
        plain = json.loads(spoilt.read_bytes())
        del plain["counts"], plain["files"]
        spoilt.write_text(json.dumps({**plain, "complete": False}))
        (out / "items.jsonl").unlink()
        (out / ".items.jsonl.snellen-part").write_bytes(b'{"id": "shale-demo/mea')
    else:
        spoilt = out / spoil
        spoilt.write_bytes(spoilt.read_bytes()[:-9])
    write_items(wanted(items=ITEMS), out, tmp_path / "w")
    assert tree(out) == whole
    after = dates(out)
    changed = {path for path in after if after[path] != before[path]}
    assert changed == ({str(spoilt), str(out / "items.jsonl")} if spoil == "half" else {str(spoilt)})


def test_any_number_of_processes_writes_the_same(tmp_path: Path) -> None:
    text = "gaussian-noise:2,scene-text:4+jpeg:1"
    told: list[tuple[int, int]] = []
    for count in (1, 2):
        write_on_processes(
            wanted(text, sample=4),
            tmp_path / f"out{count}",
            tmp_path / f"w{count}",
            processes=count,
            on_progress=lambda *how: told.append(how),
        )
    assert tree(tmp_path / "out1") == tree(tmp_path / "out2")
    total = told[-1][1]
    assert told[-1] == (total, total)
    assert len({done for done, _ in told}) > 4, "progress comes while images are rendered"


def test_a_broken_row_and_a_broken_image_are_told_and_stay_in_the_count(tmp_path: Path) -> None:
    data = small_charthal.write(tmp_path / "data", figures=2)
    (data / "images" / "2.jpg").write_bytes(b"no image")
    file = data / "data" / "charthal.json"
    plain = json.loads(file.read_text())
    del plain["1_3"]["question"]
    file.write_text(json.dumps(plain))
    for _ in range(2):
        made = write_items(wanted("jpeg:1,fog:1", name="charthal", data=data), tmp_path / "out", tmp_path / "w")
        assert (made.items, made.failed) == (22, 26)
        left_out = rows(tmp_path / "out", "left_out.jsonl")
        assert {row["kind"] for row in left_out} == {"row", "not_an_image"}
        assert len(left_out) == 26
        assert made.conditions["fog:1"]["failed"] == 13
        assert len(made.problems) == 13
    shutil.copy(data / "images" / "1.jpg", data / "images" / "2.jpg")
    with pytest.raises(UsageError, match="data differ"):
        write_items(wanted("jpeg:1,fog:1", name="charthal", data=data), tmp_path / "out", tmp_path / "w")


def test_a_sample_is_that_of_a_run(tmp_path: Path) -> None:
    made = wanted("jpeg:1", sample=3, seed=7)
    with Workspace(tmp_path / "w") as workspace:
        run = library.run("shale-demo", model="constant", judge="", workspace=workspace, sample=3, seed=7)
        ids = [row.item.id for row in run.judged.rows()]
    assert [item.id for _, item in made.clean()] == ids


def test_other_items_are_never_mixed_in(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_items(wanted("jpeg:1", items=ITEMS), out, tmp_path / "w")
    before = dates(out)
    for other in (
        wanted("jpeg:2", items=ITEMS),
        wanted("jpeg:1"),
        wanted("jpeg:1", items=ITEMS, kind="jpeg"),
        wanted("jpeg:1", items=ITEMS, seed=1),
    ):
        with pytest.raises(UsageError, match="holds other changed items"):
            write_items(other, out, tmp_path / "w")
    (out / "manifest.json").unlink()
    with pytest.raises(UsageError, match="of something else"):
        write_items(wanted("jpeg:1", items=ITEMS), out, tmp_path / "w")
    (out / "manifest.json").write_text('{"name": "a web app"}')
    with pytest.raises(UsageError, match="is none that this version"):
        write_items(wanted("jpeg:1", items=ITEMS), out, tmp_path / "w")
    assert {path: date for path, date in dates(out).items() if not path.endswith("manifest.json")} == {
        path: date for path, date in before.items() if not path.endswith("manifest.json")
    }


def test_what_makes_no_set_is_said(tmp_path: Path) -> None:
    data = small_charthal.write(tmp_path / "data", figures=1)
    with pytest.raises(UsageError, match="no item of shale-demo is left"):
        write_items(wanted("jpeg:1", items="nothing/*"), tmp_path / "out", tmp_path / "w")
    with pytest.raises(UsageError, match="lies in"):
        write_items(wanted("jpeg:1", name="charthal", data=data), data / "out", tmp_path / "w")
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="is no folder"):
        write_items(wanted("jpeg:1"), tmp_path / "file", tmp_path / "w")


def test_images_can_be_read_by_anything(tmp_path: Path) -> None:
    write_items(wanted("scene-text:5", items="shale-demo/meadow-cat/0"), tmp_path / "out", tmp_path)
    (row,) = rows(tmp_path / "out")
    shape = pixels((tmp_path / "out" / row["images"][0]["path"]).read_bytes()).shape
    assert shape[2] == 3

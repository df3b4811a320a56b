"""snellen perturb on a benchmark, from outside: which one is meant, what is printed, how it is stopped and goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import small_charthal

PROGRAM = [sys.executable, "-c", "from snellen.cli import main; main()"]
PATIENCE = 120.0


def command(*arguments: Any) -> list[str]:
    return [*PROGRAM, "--workspace", "workspace", "perturb", *map(str, arguments)]


def snellen(folder: Path, *arguments: Any) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command(*arguments), capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=folder
    )
    assert "Traceback" not in done.stderr
    return done


def test_a_benchmark_is_written_and_told(tmp_path: Path) -> None:
    small_charthal.write(tmp_path / "data", figures=2)
    arguments = ("charthal", "--data", "data", "--out", "out", "--perturb", "jpeg:3,jpeg:1+misleading-prefix")
    done = snellen(tmp_path, *arguments, "--processes", 1)
    assert done.returncode == 0, done.stderr
    assert "jpeg:3: 24 items (truth kept 24)" in done.stdout
    assert "left out (misleading-prefix " in done.stdout
    assert "perturbed: 48/48" in done.stderr
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "images",
        "items.jsonl",
        "left_out.jsonl",
        "manifest.json",
    }
    again = snellen(tmp_path, *arguments, "--json")
    told = json.loads(again.stdout)
    assert told["images_written"] == 0
    assert told["conditions"]["jpeg:3"] == {"versions": 24, "truth": {"kept": 24}}
    assert told["items"] + told["left_out"] == 48


def test_questions_in_one_language_alone(tmp_path: Path) -> None:
    arguments = ("charthal-demo", "--out", "out", "--perturb", "grayscale", "--language", "zh", "--json")
    told = json.loads(snellen(tmp_path, *arguments).stdout)
    assert told["items"] + told["left_out"] == 42
    items = [json.loads(line) for line in (tmp_path / "out" / "items.jsonl").read_text().splitlines()]
    assert {each["language"] for each in items} == {"zh"}
    of_photos = snellen(tmp_path, "out", "--out", "copies", "--language", "zh")
    assert of_photos.returncode == 2
    assert "--language is for a benchmark" in of_photos.stderr


def test_the_choice_of_items_is_that_of_run(tmp_path: Path) -> None:
    small_charthal.write(tmp_path / "data", figures=3)
    for choice, count in ((("--items", "charthal/2/*"), 12), (("--sample", 2), 24)):
        out = tmp_path / f"out{count}"
        done = snellen(
            tmp_path,
            "charthal",
            "--data",
            "data",
            "--out",
            out,
            "--perturb",
            "jpeg",
            "--json",
            *choice,
            "--processes",
            1,
        )
        assert json.loads(done.stdout)["items"] == count


def test_what_could_not_be_made_is_exit_status_1(tmp_path: Path) -> None:
    (small_charthal.write(tmp_path / "data", figures=2) / "images" / "2.jpg").unlink()
    done = snellen(tmp_path, "charthal", "--data", "data", "--out", "out", "--perturb", "jpeg", "--processes", 1)
    assert done.returncode == 1
    assert "12 could not be made" in done.stdout
    assert "there is no such image" in done.stderr


def test_a_name_that_is_a_benchmark_and_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "charthal").mkdir()
    Image.new("RGB", (8, 8)).save(tmp_path / "charthal" / "a.png")
    arguments = ("--out", "out", "--perturb", "jpeg:1")
    refused = snellen(tmp_path, "charthal", *arguments)
    assert refused.returncode == 2
    assert "write ./charthal for a folder" in refused.stderr
    assert "--data" in refused.stderr
    for folder in ("./charthal", "charthal/", tmp_path / "charthal"):
        assert "copies written" in snellen(tmp_path, folder, "--out", "copies", "--perturb", "jpeg:1").stdout
    small_charthal.write(tmp_path / "data", figures=1)
    meant = snellen(tmp_path, "charthal", "--data", "data", *arguments, "--processes", 1)
    assert "12 changed items" in meant.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("photos", "--out", "out", "--perturb", "scene-text"), "name a benchmark in place of the images"),
        (("photos", "--out", "out", "--perturb", "occlusion"), "name a benchmark in place of the images"),
        (
            ("photos", "--out", "out", "--perturb", "jpeg:1+misleading-prefix"),
            "name a benchmark in place of the images",
        ),
        (("photos", "--out", "out", "--sample", "3"), "--sample is for a benchmark"),
        (("photos", "--out", "out", "--data", "photos"), "--data is for a benchmark"),
        (("chartal", "--out", "out"), "did you mean charthal?"),
        (("", "--out", "out"), "name a benchmark, a folder or an image"),
        (("shale-demo",), "Give --out FOLDER"),
        (("shale-demo", "--out", "out", "--item", "a"), "--item is for --preview"),
        (("shale-demo", "--preview", "--items", "a"), "name it with --item"),
        (("shale-demo", "--preview", "--item", "a"), "its ids look like shale-demo/"),
        (("shale-demo", "--preview", "--out", "photos", "--perturb", "jpeg"), "is a folder"),
        (("shale-demo", "--out", "photos/a.png", "--perturb", "jpeg"), "is no folder"),
        (("shale-demo", "--out", "out", "--perturb", "jpeg", "--items", "b/*"), "no item of shale-demo is left"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    (tmp_path / "photos").mkdir()
    Image.new("RGB", (8, 8)).save(tmp_path / "photos" / "a.png")
    done = snellen(tmp_path, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: ")


def test_everything_that_images_alone_allow_is_the_default_for_a_folder(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    Image.new("RGB", (40, 40), "red").save(tmp_path / "photos" / "a.png")
    done = snellen(tmp_path, "photos", "--out", "out", "--json")
    assert done.returncode == 0, done.stderr
    made = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"jpeg-3", "fog-3", "grayscale-1"} <= made
    assert not {"scene-text-3", "typos-3", "occlusion-3"} & made
    assert json.loads(done.stdout)["written"] == len(made)


def test_a_preview_shows_what_an_item_is_changed_with(tmp_path: Path) -> None:
    perturb = ("--preview", "--perturb", "scene-text,occlusion,misleading-prefix")
    done = snellen(tmp_path, "shale-demo", *perturb, "--out", "one.png", "--item", "shale-demo/meadow-cat/0", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["item"] == "shale-demo/meadow-cat/0"
    assert set(told["changed_questions"]) == {f"misleading-prefix:{severity}" for severity in range(1, 6)}
    other = snellen(tmp_path, "shale-demo", *perturb, "--out", "other.png")
    assert "item: shale-demo/" in other.stdout
    with Image.open(tmp_path / "one.png") as one, Image.open(tmp_path / "other.png") as two:
        assert one.format == "PNG"
        assert two.width > 6 * 100


def pictures(folder: Path, figures: int) -> Path:
    """ChartHal's layout with images that take a while."""
    small_charthal.write(folder, figures)
    rng = np.random.default_rng(0)
    for figure in range(1, figures + 1):
        noise = rng.integers(0, 256, (48, 64, 3), np.uint8)
        Image.fromarray(noise).resize((640, 480)).save(folder / "images" / f"{figure}.jpg")
    return folder


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_command_that_is_stopped_goes_on_where_it_was(tmp_path: Path, how: signal.Signals) -> None:
    pictures(tmp_path / "data", figures=12)
    arguments = ("charthal", "--data", "data", "--perturb", "glass-blur:5,zoom-blur:3+jpeg:2", "--processes", 2)
    process = subprocess.Popen(
        command(*arguments, "--out", "out"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        start_new_session=True,
    )
    changed = tmp_path / "workspace" / "changed"
    _wait(lambda: len(_files(changed)) > 2 or process.poll() is not None)
    if how == signal.SIGINT:  # as a terminal does: to every process of the group
        os.killpg(process.pid, how)
    else:
        process.kill()
    _, errors = process.communicate(timeout=PATIENCE)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert errors.splitlines()[-1] == "interrupted"
        assert not list((tmp_path / "out").glob(".*"))
    assert "Traceback" not in errors
    _wait(lambda: not _lives(process.pid))
    assert not (tmp_path / "out" / "items.jsonl").exists()
    there = {path: path.stat().st_mtime_ns for path in _files(changed)}
    assert 2 < len(there) < 36
    done = snellen(tmp_path, *arguments, "--out", "out")
    assert done.returncode == 0, done.stderr
    assert {path: path.stat().st_mtime_ns for path in there} == there, "what was made is not made again"
    other = subprocess.run(
        [*PROGRAM, "--workspace", "elsewhere", "perturb", *map(str, arguments), "--out", "other"],
        capture_output=True,
        check=False,
        timeout=PATIENCE,
        cwd=tmp_path,
    )
    assert other.returncode == 0
    assert _bytes(tmp_path / "out") == _bytes(tmp_path / "other")


def _wait(until: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < end
        time.sleep(0.01)


def _lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*/*") if not path.name.startswith(".")]


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_preview_has_no_other_format(tmp_path: Path) -> None:
    done = snellen(tmp_path, "charthal-demo", "--preview", "--format", "jpeg")
    assert done.returncode == 2
    assert "a preview is a PNG" in done.stderr

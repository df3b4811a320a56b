"""snellen perturb, from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from PIL import Image

PROGRAM = [sys.executable, "-c", "from snellen.cli import main; main()"]


def snellen(*arguments: Any) -> subprocess.CompletedProcess[str]:
    command = [*PROGRAM, "perturb", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def photos(folder: Path, count: int = 3) -> Path:
    folder.mkdir()
    for number in range(count):
        Image.new("RGB", (32, 24), (number * 60, 90, 120)).save(folder / f"{number}.png")
    return folder


def test_copies_are_written_and_kept(tmp_path: Path) -> None:
    source = photos(tmp_path / "photos")
    arguments = (source, "--out", tmp_path / "out", "--perturb", "jpeg:1,gaussian-noise:2+jpeg:3")
    first = snellen(*arguments)
    assert first.returncode == 0, first.stderr
    assert "6 copies written, 0 were there" in first.stdout
    assert len(list((tmp_path / "out").rglob("*.png"))) == 6
    assert "perturbed: 6/6" in first.stderr
    assert "0 copies written, 6 were there" in snellen(*arguments).stdout


def test_jpeg_copies_are_jpeg(tmp_path: Path) -> None:
    source = photos(tmp_path / "photos", 1)
    done = snellen(source, "--out", tmp_path / "out", "--perturb", "fog:1", "--format", "jpeg")
    assert done.returncode == 0, done.stderr
    with Image.open(tmp_path / "out" / "fog-1" / "0.png.jpg") as image:
        assert image.format == "JPEG"


def test_a_sheet_shows_every_severity(tmp_path: Path) -> None:
    source = photos(tmp_path / "photos", 1) / "0.png"
    done = snellen(source, "--preview", "--out", tmp_path / "sheet.png", "--perturb", "jpeg,scene-text,grayscale")
    assert done.returncode == 0, done.stderr
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert sheet.width > 6 * 180


def test_names_of_files_are_told_and_steer_no_terminal(tmp_path: Path) -> None:
    source = photos(tmp_path / "photos", 1)
    bad = source / os.fsdecode(b"a\xff\x1b[31m.png")
    for file in (bad, source / "b\u202e.png", source / "c\nerror: all is lost.png"):
        file.write_bytes(b"no image")
    arguments = (source, "--out", tmp_path / "out", "--perturb", "jpeg:1")
    done = snellen(*arguments)
    assert done.returncode == 1
    assert done.stderr.count("warning: ") == 3
    assert "\nerror:" not in done.stderr
    assert not set("\x1b\u202e\udcff") & set(done.stdout + done.stderr)
    told = json.loads(snellen(*arguments, "--json").stdout)
    assert any(problem.startswith(f"{bad}: ") for problem in told["problems"])


def test_what_cannot_be_is_said_in_a_line(tmp_path: Path) -> None:
    source = photos(tmp_path / "photos", 1)
    for arguments, said in (
        ((source, "--perturb", "jpeg"), "Give --out FOLDER"),
        ((source, "--out", tmp_path / "out", "--perturb", "typos"), "changes instructions"),
        ((source, "--out", tmp_path / "out", "--perturb", "scene-text"), "needs what an item says"),
        ((source, "--out", source / "out", "--perturb", "jpeg"), "lies in"),
        ((source, "--preview"), "a sheet shows one image"),
        ((tmp_path / "absent", "--out", tmp_path / "out"), "does not exist"),
    ):
        done = snellen(*arguments)
        assert done.returncode == 2
        assert said in done.stderr
        assert "Traceback" not in done.stderr
    (source / "1.png").write_bytes(b"no image")
    done = snellen(source, "--out", tmp_path / "out", "--perturb", "jpeg:1,fog:1")
    assert done.returncode == 1
    assert done.stderr.count("1.png") == 1  # one problem, however many copies it costs
    assert "2 could not be made" in done.stdout

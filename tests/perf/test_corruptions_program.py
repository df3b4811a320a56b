"""The program that measures the corruptions runs, and prints a figure for each that was asked for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "perf" / "corruptions.py"


def test_it_measures_ours_alone() -> None:
    command = [sys.executable, str(PROGRAM), "--alone", "--only", "grayscale", "--only", "jpeg", "--rounds", "1"]
    command += ["--images", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    for name in ("grayscale", "jpeg"):
        for size in ("640 x 480", "1920 x 1080"):
            assert re.search(rf"^\| {name} \| {size} \| [\d.]+ \|  \|  \|$", done.stdout, re.M), done.stdout
        assert re.search(rf"^\| {name} \| [\d.]+ \|$", done.stdout, re.M), done.stdout
    assert "fails" not in done.stdout
    assert re.search(r"^\| 2 images 1920 x 1080, 2 changes \|( [\d.]+ \|){3} at least 1.7 \| ", done.stdout, re.M), (
        done.stdout
    )
    assert "Geometric mean" not in done.stdout, "there is nothing to compare with"

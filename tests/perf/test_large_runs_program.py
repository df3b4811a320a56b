"""The program that measures commands on large runs, at a small size."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parents[2] / "perf" / "large_runs.py"


@pytest.mark.slow
def test_every_command_runs_on_what_is_written(tmp_path: Path) -> None:
    size = ("--items", "40", "--conditions", "2", "--runs", "3", "--keep", str(tmp_path))
    done = subprocess.run([sys.executable, str(PROGRAM), *size], capture_output=True, text=True, check=True)
    lines = [line for line in done.stdout.splitlines() if re.match(r"\| .* \| [\d.]+ \| ", line)]
    assert len(lines) > 15
    assert [line for line in lines if "exit" in line] == []
    rows = (tmp_path / "written" / "rows.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + 40 * 3
    assert len([json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]) == 40

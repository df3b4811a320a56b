"""snellen run --absent: the same instructions where they are presumed absent, in a run and a table of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from small_screens import write_screenspot

PROGRAM = [sys.executable, "-c", "from snellen.cli import main; main()"]


def snellen(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*PROGRAM, "--workspace", "workspace", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=folder,
    )
    assert "Traceback" not in done.stderr
    return done


def test_both_are_asked_and_each_has_its_table(tmp_path: Path) -> None:
    write_screenspot(tmp_path / "data")
    asked = ("run", "screenspot", "--data", "data", "--model", "constant:reject", "--absent", "--report", "both.html")
    done = snellen(tmp_path, *asked)
    assert done.returncode in (0, 1), done.stderr  # rows for which no other screen is left are data errors
    assert "screenspot/constant-reject-" in done.stdout
    assert "screenspot-absent/constant-reject-" in done.stdout
    page = (tmp_path / "both.html").read_text()
    assert "ScreenSpot, targets presumed absent" in page
    told = json.loads(snellen(tmp_path, *asked[:-2], "--json").stdout)
    assert [each["run"].partition("/")[0] for each in told] == ["screenspot", "screenspot-absent"]
    present, absent = (each["results"]["headline"] for each in told)
    assert present["value"] == 0
    assert absent["value"] == 1
    assert present["n"] > 0 < absent["n"]


def test_a_dry_run_names_both(tmp_path: Path) -> None:
    write_screenspot(tmp_path / "data")
    asked = ("run", "screenspot", "--data", "data", "--model", "constant:reject", "--absent", "--dry-run")
    names = snellen(tmp_path, *asked).stdout.split()
    assert [name.partition("/")[0] for name in names] == ["screenspot", "screenspot-absent"]
    told = json.loads(snellen(tmp_path, *asked, "--json").stdout)
    assert [each["run"] for each in told] == names


def test_what_has_no_such_set_is_refused(tmp_path: Path) -> None:
    done = snellen(tmp_path, "run", "charthal-demo", "--model", "blind", "--absent")
    assert done.returncode == 2
    assert "--absent asks targets where they are presumed to be absent, which is for screenspot" in done.stderr

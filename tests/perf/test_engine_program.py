"""The program that measures the engine, at a tiny size: it runs, checks what it ran, and prints its figures."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import perf_programs

PROGRAM = Path(__file__).resolve().parents[2] / "perf" / "engine.py"

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the server and the counters are Linux's"),
    pytest.mark.skipif(shutil.which(os.environ.get("CC", "cc")) is None, reason="there is no C compiler: set CC"),
]

TINY = ("--items", "12", "--repeat", "1", "--latency-ms", "20", "--growth", "2")


def run(charthal_data: Path, *options: str) -> str:
    command = [sys.executable, str(PROGRAM), "--data", str(charthal_data), *TINY, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def engine() -> ModuleType:
    return perf_programs.load("engine")


def test_it_prints_its_ratios(charthal_data: Path) -> None:
    lines = run(charthal_data, "--only", "ask-64", "--only", "apart-64").splitlines()
    assert lines[0].startswith("| measure |")
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:] if line.startswith("|")]
    assert [row[0].split(":")[0] for row in table] == ["asking, 20 ms, 64 in flight"] * 2 + [
        "asking and judging, 20 ms, 64 each"
    ] * 2
    for _, ours, beside, ratio, *_ in table:
        assert float(ours) > 0
        assert float(ratio) == pytest.approx(float(beside) / float(ours), abs=0.02)
    assert lines[-1].startswith("12 items, median of 1")


def test_growth_is_measured_and_checked(charthal_data: Path) -> None:
    rows = json.loads(run(charthal_data, "--only", "growth-asking", "--json"))["rows"]
    by_name = {row["measure"].partition(": ")[2]: row for row in rows if "24 items" in row["measure"]}
    assert by_name["peak memory beside 12"]["ratio"] > 0.5
    assert by_name["peak memory"]["met"] is (by_name["peak memory"]["snellen"] <= 150)
    assert by_name["written beside the ledger"]["ratio"] > 1
    assert by_name["second run"]["snellen"] > 0


@pytest.mark.slow
def test_every_measure_runs(charthal_data: Path, engine: ModuleType) -> None:
    printed = run(charthal_data)
    pools = "one pool of 64" if has_shared_pool(engine) else "64 each"
    for words in ("--help", "list", "CPU an item", pools, "ledger an item", "second run"):
        assert words in printed


def has_shared_pool(engine: ModuleType) -> bool:
    return engine.SHARED_POOL in engine.said([str(engine.SNELLEN), "run", "--help"])


def test_grown_questions_are_distinct_and_readable(charthal_data: Path, engine: ModuleType, tmp_path: Path) -> None:
    from snellen.benchmarks import charthal
    from snellen.item import Item

    assert engine.make_data(charthal_data, tmp_path / "grown", 5, 3) == 15
    items = [item for item in charthal.items(tmp_path / "grown") if isinstance(item, Item)]
    assert len({item.id for item in items}) == len({item.question for item in items}) == len(items) == 15
    assert all(Path(image.path).is_file() for item in items for image in item.images)


def test_a_program_that_fails_is_an_error(engine: ModuleType) -> None:
    with pytest.raises(engine.BrokenRunError, match=r"ended with 3:\nwhy"):
        engine.run_whole([sys.executable, "-c", "import sys; print('why'); sys.exit(3)"])


def test_what_a_process_used_is_counted(engine: ModuleType, tmp_path: Path) -> None:
    code = f"import time; x = bytearray(60_000_000); open({str(tmp_path / 'f')!r}, 'wb').write(x[:3_000_000])"
    used = engine.run_whole([sys.executable, "-c", f"{code}; time.sleep(0.2)"])
    assert used.wall > 0.2
    assert 0 < used.cpu < used.wall
    assert 60e6 < used.peak < 1e9
    assert 3e6 <= used.written < 4e6


def test_a_target_is_met_or_not(engine: ModuleType) -> None:
    row = engine.Row
    assert row("m", "s", 2.0, 1.0, 0.5, 0.95).met is False
    assert row("m", "s", 1.0, 1.0, 1.0, 0.95).met is True
    assert row("m", "MB", 140.0, target=150.0, at_most=True).met is True
    assert row("m", "ms", 1.6, 0.6, 0.4, 1.5, at_most=True, of_ratio=False).met is False
    assert row("m", "ms", 1.6).met is None
    assert row("m", "s", 1234.5, target=2.0, at_most=True).line() == "| m (s) | 1,234.5 |  |  | at most 2 | **no** |"


def test_the_ledger_is_checked(engine: ModuleType, charthal_data: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    engine.make_data(charthal_data, data, 3, 1)
    (tmp_path / "built").mkdir()
    with engine.Server(tmp_path / "built") as server:
        bench = engine.Bench(server, tmp_path, data, 3, None)
        bench.snellen(workspace=tmp_path / "workspace")
        bench.check(tmp_path / "workspace", 3, judged=False)
        with pytest.raises(engine.BrokenRunError, match="3 requests, 3 answers, 0 verdicts for 4 items"):
            bench.check(tmp_path / "workspace", 4, judged=False)

"""The programs behind the figures on comparisons and power, at a small size."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import perf_programs

PERF = Path(__file__).resolve().parents[2] / "perf"


@pytest.mark.parametrize(
    ("shape", "rates", "correlation"),
    [
        ("ChartHal, 1,062 on 106", (0.02, 0.02), 0.2),
        ("ChartHal, 1,062 on 106", (0.3, 0.35), 0.2),
        ("SHALE, 600 on 300", (0.05, 0.1), 0.1),
        ("SHALE, 600 on 300", (0.8, 0.9), 0.0),
    ],
)
def test_intervals_of_differences_hold_them(shape: str, rates: tuple[float, float], correlation: float) -> None:
    found = perf_programs.load("paired_tests").coverage(shape, rates, correlation, 600)
    assert 0.925 <= found <= 0.985  # 93 to 97 %, and what 600 replicates are off by


def test_runs_that_are_alike_seldom_come_out_as_different() -> None:
    tests = perf_programs.load("paired_tests")
    assert tests.false_alarms("SHALE, 600 on 300", 0.3, 0.2, 300) <= 0.08
    assert tests.false_tiers(4, 0.3, 0.2, 60) <= 0.12
    assert tests.false_parts("ChartHal, 1,062 on 106", 0.3, 0.2, 200) <= 0.09


def test_made_up_runs_are_as_they_should_be() -> None:
    tests = perf_programs.load("paired_tests")
    sizes = np.full(400, 5)
    values, clusters = tests.draw(np.random.default_rng(0), sizes, (0.2, 0.6), 0.2, 30)
    assert values.shape == (30, 2, 2000)
    assert values[:, 0].mean() == pytest.approx(0.2, abs=0.01)
    assert values[:, 1].mean() == pytest.approx(0.6, abs=0.01)
    sums = np.stack([np.bincount(clusters, weights=row) for row in values[:, 1]])
    independent = 5 * 0.6 * 0.4
    # Draws shared between runs, but not between the items of an image: its variance is that of the correlation alone.
    assert sums.var() / independent == pytest.approx(1 + 0.2 * 4, abs=0.1)


def test_simulated_power_is_as_promised() -> None:
    power = perf_programs.load("power")
    sizes = np.random.default_rng(0).integers(6, 13, 286)
    assert power.simulated(sizes, 0.2, 0.05, 0.03, 300) == pytest.approx(0.8, abs=0.08)


def test_the_costs_are_printed() -> None:
    command = [sys.executable, str(PERF / "comparisons.py"), "--items", "200", "--conditions", "2", "--runs", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert len(re.findall(r"^\| [^|]+ \| [\d.]+ \| [\d.]+ \| [\d,]+ \|$", done.stdout, re.M)) == 5

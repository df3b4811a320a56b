"""The program on repeats: what it draws has the rate that it says, and its parts are the true ones."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

import perf_programs
from snellen.engine.repeats import pooled, spread


@pytest.fixture(scope="module")
def program() -> ModuleType:
    return perf_programs.load("repeats")


def test_verdicts_are_as_often_right_as_is_said(program: ModuleType) -> None:
    rng = np.random.default_rng(0)
    setting = program.Setting(0.3, 0.2, 0.3, 0.05)
    drawn = [program.verdicts(rng, setting)[0].mean() for _ in range(100)]
    assert np.mean(drawn) == pytest.approx(setting.true, abs=0.01)


def test_the_intervals_are_those_of_the_library(program: ModuleType) -> None:
    setting = program.Setting(0.1, 0.0, 0.9, 0.05)
    y, images = program.verdicts(np.random.default_rng(3), setting)
    found = pooled(y.astype(np.float64), images)
    width = program.coverage(setting, 1, seed=3).pooled_width
    assert found.low is not None
    assert found.high is not None
    assert width == pytest.approx(found.high - found.low)


def test_the_parts_are_those_of_the_library_and_true(program: ModuleType) -> None:
    setting = program.Setting(0.3, 0.2, 0.3, 0.05)
    one = program.parts(setting, 1, seed=0)
    assert sum(one.true) == pytest.approx(setting.true * (1 - setting.true), abs=1e-3)
    rng = np.random.default_rng(0)
    rng.normal(size=1_000_000)
    y, images = program.verdicts(rng, setting)
    assert one.mean == pytest.approx([part.variance.value for part in spread(y, images, resamples=200).components])
    many = program.parts(setting, 60)
    assert many.mean == pytest.approx(many.true, rel=0.05)

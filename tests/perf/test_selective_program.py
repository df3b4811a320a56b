"""The program on thresholds and calibration: what it prints is what it simulates, and the promise is kept."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

import perf_programs


@pytest.fixture(scope="module")
def program() -> ModuleType:
    return perf_programs.load("selective")


def test_answers_hallucinate_as_often_as_is_said(program: ModuleType) -> None:
    setting = program.SETTINGS[0]
    found = program.answers(np.random.default_rng(0), setting, 5000)
    assert found.wrong[found.given].mean() == pytest.approx(setting.rate, abs=0.01)
    assert found.given.mean() == pytest.approx(0.8, abs=0.01)


def test_the_interval_of_worth_holds_the_truth_where_resampling_does_not(program: ModuleType) -> None:
    ours, usual = program.worth_coverage(program.Worth(0.9, 0.01, 10), 0.2, 300, 60)
    assert 0.92 <= ours <= 0.99
    assert usual < 0.92


def test_a_sharp_confidence_keeps_to_the_limit_and_gives_much(program: ModuleType) -> None:
    found = program.thresholds(program.SETTINGS[1], 8, exact=False)
    assert found.none == 0
    assert found.broken <= 0.25
    assert 0.7 < found.coverage <= found.possible + 0.05


def test_errors_are_near_the_true_one(program: ModuleType) -> None:
    found = program.errors(0.2, 8)
    assert found.true == pytest.approx(0.2)
    assert found.debiased == pytest.approx(0.2, abs=0.02)
    assert found.usual >= found.debiased

"""The program that measures the coverage of an audit's intervals: what it draws is what it says, and coverage holds."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

import perf_programs
from snellen.agreement import cohen_kappa


@pytest.fixture(scope="module")
def program() -> ModuleType:
    return perf_programs.load("audit_coverage")


def test_it_draws_the_kappa_and_the_rate_that_it_says(program: ModuleType) -> None:
    truth = program.Truth(0.27, 0.2, 0.8, 0.9)
    people, judge, clusters = truth.draw(np.random.default_rng(0), 20_000)
    assert people.mean() == pytest.approx(0.27, abs=0.01)
    found = cohen_kappa(people, judge, clusters, resamples=200)
    assert found.value == pytest.approx(truth.kappa, abs=0.01)


def test_it_audits_so_many_items_or_whole_images(program: ModuleType) -> None:
    rng = np.random.default_rng(1)
    clusters = np.repeat(np.arange(40), 8)
    assert program.sample(rng, clusters, 50, by_image=False).sum() == 50
    whole = program.sample(rng, clusters, 50, by_image=True)
    assert whole.sum() == 56
    assert set(np.bincount(clusters, weights=whole).tolist()) == {0, 8}


@pytest.mark.slow
@pytest.mark.parametrize("by_image", [False, True])
def test_the_adjusted_share_covers(program: ModuleType, by_image: bool) -> None:
    held, width = program.adjusted(program.Truth(0.27, 0.2, 0.95, 0.95), 100, by_image, repeats=400)
    assert 0.93 <= held <= 0.99
    assert width < 0.8

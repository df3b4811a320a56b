"""Signal detection by hand, by its symmetries, and by the coverage of its intervals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from snellen.engine.detection import MOVER, detect
from snellen.estimate import BOOTSTRAP


def counts(hits: int, misses: int, alarms: int, rejections: int) -> tuple[list[int], list[int]]:
    return [1] * hits + [0] * misses + [1] * alarms + [0] * rejections, [1] * (hits + misses) + [0] * (
        alarms + rejections
    )


def test_by_hand() -> None:
    found = detect(*counts(30, 10, 5, 35), range(80))
    hit, alarm = norm.ppf(30.5 / 41), norm.ppf(5.5 / 41)
    assert found.hits.value == 0.75
    assert found.false_alarms.value == 0.125
    assert found.sensitivity.value == pytest.approx(hit - alarm)
    assert found.criterion.value == pytest.approx(-(hit + alarm) / 2)
    assert found.sensitivity.method == BOOTSTRAP
    assert found.sensitivity.n == 80


def test_caution_moves_the_criterion_alone() -> None:
    rng = np.random.default_rng(0)
    signal = np.arange(4000) % 2 == 0
    strength = rng.normal(size=4000) + 1.5 * signal
    bold, shy = (detect(strength > limit, signal, range(4000)) for limit in (1.5, 0.0))
    for found in (bold, shy):
        assert found.sensitivity.value == pytest.approx(1.5, abs=0.12)
    assert bold.criterion.value == pytest.approx(0.75, abs=0.06)
    assert shy.criterion.value == pytest.approx(-0.75, abs=0.06)


def test_always_and_never_declining_see_nothing() -> None:
    for said in (0, 1):
        found = detect([said] * 40, [1, 0] * 20, range(40))
        assert found.sensitivity.value == pytest.approx(0)
        assert found.sensitivity.method == MOVER
        assert found.sensitivity.low is not None
        assert found.sensitivity.high is not None
        assert found.sensitivity.low < 0 < found.sensitivity.high
        assert found.criterion.value is not None
        assert np.sign(found.criterion.value) == (-1 if said else 1)


@pytest.mark.parametrize(("unanswerable", "answerable"), [(823, 239), (3, 40), (40, 3)])
def test_caution_alone_is_no_sight_however_many_questions_of_either_kind_there_are(
    unanswerable: int, answerable: int
) -> None:
    asked = [1] * unanswerable + [0] * answerable
    for said in (0, 1):
        found = detect([said] * len(asked), asked, range(len(asked)))
        assert found.sensitivity.value == pytest.approx(0, abs=1e-12)
        assert found.criterion.value is not None
        assert np.sign(found.criterion.value) == (-1 if said else 1)


def test_the_correction_is_shared_out_as_the_questions_are() -> None:
    found = detect(*counts(3, 0, 1, 8), range(12))  # 3 that cannot be answered, 9 that can
    hit, alarm = norm.ppf((3 + 0.25) / (3 + 0.5)), norm.ppf((1 + 0.75) / (9 + 1.5))
    assert found.sensitivity.value == pytest.approx(hit - alarm)
    assert found.criterion.value == pytest.approx(-(hit + alarm) / 2)


def test_a_perfect_model_has_ends_on_both_sides() -> None:
    found = detect(*counts(40, 0, 0, 40), range(80)).sensitivity
    assert found.value == pytest.approx(2 * norm.ppf(40.5 / 41))
    assert found.low is not None
    assert found.high is not None
    assert found.value is not None
    assert 0 < found.low < found.value < found.high < 10


def test_one_kind_of_questions_gives_no_value() -> None:
    for asked in (0, 1):
        found = detect([1, 0], [asked] * 2, range(2))
        assert found.sensitivity.value is None
        assert found.criterion.value is None
    empty = detect([], [], [])
    assert empty.sensitivity.value is None
    assert empty.hits.n == 0


@pytest.mark.parametrize("alarm", [0.2, 0.01])
def test_intervals_hold_the_truth(alarm: float) -> None:
    """With 40 clusters of 6 questions; at 1 % most runs have no false alarm at all."""
    rng = np.random.default_rng(2)
    truth = norm.ppf(0.5) - norm.ppf(alarm)
    signal, clusters = np.arange(240) % 2 == 0, np.arange(240) // 6
    held = 0
    for _ in range(150):
        found = detect(rng.random(240) < np.where(signal, 0.5, alarm), signal, clusters).sensitivity
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
    assert held / 150 >= 0.9

"""The share that people would have given: by hand, against ppi-python, and what it does at the edges."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.estimate import Estimate
from snellen.prediction_powered import PREDICTION_POWERED, adjusted_share


def made(seed: int, items: int = 400, audited: int = 80, agree: float = 0.9) -> tuple[np.ndarray, np.ndarray]:
    """People (-1 for the rest) and a judge who agrees so often."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(items) < 0.4).astype(int)
    judge = np.where(rng.random(items) < agree, truth, 1 - truth)
    seen = np.zeros(items, bool)
    seen[rng.choice(items, audited, replace=False)] = True
    return np.where(seen, truth, -1), judge


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weight", [None, 1.0, 0.5, 0.0])
def test_against_ppi_python_with_single_items(seed: int, weight: float | None) -> None:
    ppi = pytest.importorskip("ppi_py", reason="ppi-python is not installed")
    people, judge = made(seed)
    seen = people >= 0
    labelled = people[seen].astype(float), judge[seen].astype(float), judge[~seen].astype(float)
    found = adjusted_share(people, judge, np.arange(len(people)), weight=weight)
    # Its own best weight is computed around another centre, which makes no difference.
    assert found.estimate.value == pytest.approx(ppi.ppi_mean_pointestimate(*labelled, lam=weight).item(), abs=1e-9)
    low, high = (float(end[0]) for end in ppi.ppi_mean_ci(*labelled, alpha=0.05, lam=found.weight))
    assert found.error is not None
    n = int(seen.sum())
    assert 2 * 1.959963984540054 * found.error * np.sqrt((n - 1) / n) == pytest.approx(high - low, abs=1e-9)
    assert found.estimate.low is not None
    assert found.estimate.high is not None
    assert abs(found.estimate.low - low) < 0.03
    assert abs(found.estimate.high - high) < 0.03


def test_by_hand() -> None:
    # The judge passes 3 of 4 others; of 4 audited it passes 3, people 2: 0.75 w + 0.5 - 0.75 w whatever w is.
    people, judge = [1, 1, 0, 0, -1, -1, -1, -1], [1, 1, 1, 0, 1, 1, 1, 0]
    for weight in (0.0, 0.5, 1.0):
        assert adjusted_share(people, judge, range(8), weight=weight).estimate.value == pytest.approx(0.5)
    # cov(Y, f) = 0.5 - 0.5 * 0.75, var(f) = 8 / 7 * 3 / 16, 1 + 4 / 4.
    found = adjusted_share(people, judge, range(8))
    assert found.weight == pytest.approx(0.125 / (2 * 12 / 56))
    assert (found.raw.value, found.audited.value, found.judged.value) == (0.75, 0.5, 0.75)
    assert (found.estimate.n, found.estimate.unscored, found.estimate.method) == (4, 4, PREDICTION_POWERED)


def test_a_good_judge_narrows_and_a_bad_one_does_not_mislead() -> None:
    good, judge = made(1, agree=0.95)
    found = adjusted_share(good, judge, np.arange(400))
    assert width(found.estimate) < 0.7 * width(found.audited)
    people, judge = made(2, agree=0.5)
    found = adjusted_share(people, judge, np.arange(400))
    assert found.weight < 0.2
    assert width(found.estimate) < 1.15 * width(found.audited)


def test_a_lenient_judge_is_corrected() -> None:
    rng = np.random.default_rng(5)
    truth = (rng.random(1000) < 0.3).astype(int)
    judge = np.where(rng.random(1000) < 0.3, 1, truth)  # passes 51 %
    people = np.where(np.arange(1000) % 5 == 0, truth, -1)
    found = adjusted_share(people, judge, np.arange(1000))
    assert found.raw.low is not None
    assert found.raw.low > 0.45
    assert found.estimate.low is not None
    assert found.estimate.high is not None
    assert found.estimate.low < truth.mean() < found.estimate.high < 0.4


def test_no_disagreement_leaves_no_false_certainty() -> None:
    people = np.where(np.arange(200) < 30, np.arange(200) % 2, -1)
    found = adjusted_share(people, np.arange(200) % 2, np.arange(200), weight=1)
    assert width(found.estimate) > 0.14  # the judge's own share over 200 items has 0.138
    none = adjusted_share([0] * 30 + [-1] * 170, [0] * 200, np.arange(200))
    assert (none.estimate.value, none.estimate.low, none.weight) == (0, 0, 0)
    assert none.estimate.high is not None
    assert 0.1 < none.estimate.high < 0.15  # Wilson's upper end of 0 of 30 is 0.114


def test_clusters_widen() -> None:
    rng = np.random.default_rng(7)
    clusters = np.repeat(np.arange(40), 10)
    truth = (rng.random(40) < 0.5).astype(int)[clusters]  # alike within an image
    judge = np.where((rng.random(40) < 0.2)[clusters], 1 - truth, truth)
    people = np.where(clusters < 20, truth, -1)
    by_image, by_item = (adjusted_share(people, judge, codes) for codes in (clusters, np.arange(400)))
    assert by_image.estimate.value == by_item.estimate.value
    assert width(by_image.estimate) > 2 * width(by_item.estimate)


def test_the_edges() -> None:
    nobody = adjusted_share([-1, -1], [1, 0], [0, 1])
    assert (nobody.estimate.value, nobody.raw.value, nobody.error) == (None, 0.5, None)
    everything = adjusted_share([1, 0, 0], [1, 1, 0], [0, 1, 2])
    assert everything.estimate == everything.audited
    one_image = adjusted_share([1, 0, -1, -1], [1, 0, 1, 0], [0, 0, 1, 2])
    assert (one_image.estimate.low, one_image.error) == (None, None)
    assert one_image.estimate.value is not None


def test_other_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="people say 0 or 1"):
        adjusted_share([1, 2], [1, 0], [0, 1])
    with pytest.raises(ValueError, match="people say 0 or 1"):
        adjusted_share([1, 0], [1, -1], [0, 1])
    with pytest.raises(ValueError, match="one length"):
        adjusted_share([1, 0], [1], [0, 1])


def width(estimate: Estimate) -> float:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.high - estimate.low

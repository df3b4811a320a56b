"""Thresholds: what the tests behind them promise, on simulated answers whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, norm

from snellen.engine.threshold import Answers, cross_fitted, fit, folds, largest_cluster, p_values


def made(seed: int, *, groups: int = 106, rate: float = 0.3, sharpness: float = 1.0) -> Answers:
    """Answers on clusters of 6 to 12 that share their difficulty; wrong ones have the lower confidence."""
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(groups), rng.integers(6, 13, groups))
    n = len(clusters)
    ability = np.sqrt(0.15) * rng.normal(size=groups)[clusters] + np.sqrt(0.85) * rng.normal(size=n)
    wrong = ability < norm.ppf(rate)
    confidence = np.round(np.clip(70 + 20 * sharpness * ~wrong + 15 * rng.normal(size=n), 0, 100)) / 100
    given = rng.random(n) < 0.8
    return Answers(confidence, given, wrong & given, clusters)


def risk(answers: Answers, threshold: float) -> float:
    return float(answers.wrong[answers.kept(threshold)].mean())


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("rate", "sharpness", "most"), [(0.3, 1.0, 0.2), (0.2, 0.0, 0.2), (0.3, 2.0, 0.2)])
def test_the_risk_is_kept_to_as_often_as_promised(exact: bool, rate: float, sharpness: float, most: float) -> None:
    everyone = made(10_000, groups=4000, rate=rate, sharpness=sharpness)
    broken = 0
    for seed in range(150):
        found = fit(made(seed, rate=rate, sharpness=sharpness), risk=most, seed=seed, exact=exact, miss=0.1, largest=12)
        broken += found is not None and risk(everyone, found) > most
    assert binom.sf(broken - 1, 150, 0.1) > 0.01  # no more than a chance of 10 % each explains


@pytest.mark.parametrize("exact", [True, False])
def test_p_is_valid_where_the_risk_is_what_is_tested(exact: bool) -> None:
    """At the border of the hypothesis, p at most 0.1 in a tenth of the runs or fewer."""
    low = [
        p_values(made(seed, rate=0.2, sharpness=0.0), [0.0], risk=0.2, largest=12, seed=seed, exact=exact)[0] <= 0.1
        for seed in range(300)
    ]
    assert np.mean(low) < 0.15


@pytest.mark.parametrize("exact", [True, False])
def test_a_sharp_confidence_gives_a_threshold_and_a_blunt_one_none(exact: bool) -> None:
    everyone = made(1, groups=4000, sharpness=2.0)
    sharp = fit(made(2, groups=300, sharpness=2.0), risk=0.2, exact=exact, miss=0.1, largest=12)
    assert sharp is not None
    assert risk(everyone, sharp) < 0.2
    assert everyone.kept(sharp).sum() > 0.7 * everyone.given.sum()
    assert fit(made(2, groups=300, rate=0.5, sharpness=0.0), risk=0.2, exact=exact, miss=0.1, largest=12) is None


def test_where_the_risk_is_low_already_everything_is_given() -> None:
    answers = made(3, groups=300, rate=0.05)
    found = fit(answers, risk=0.3, miss=0.1, largest=12)
    assert found == answers.confidence[answers.given].min()


def test_betting_by_hand() -> None:
    """Two clusters of one right answer each, at a risk of 1/2: the first bet is 0, since nothing was seen."""
    answers = Answers(np.ones(2), np.ones(2, bool), np.zeros(2, bool), np.arange(2))
    # After one cluster: mean -1/4 and second moment (1/4 + 1/4) / 2, hence a bet of (1/4) / (1/4) = 1.
    assert p_values(answers, [0.5], risk=0.5, largest=1)[0] == pytest.approx(1 / (1 + 1 * 0.5))


def test_answers_without_a_confidence_are_withheld() -> None:
    answers = Answers(np.array([np.nan, 0.9]), np.ones(2, bool), np.zeros(2, bool), np.arange(2))
    assert answers.kept(0.0).tolist() == [False, True]
    assert answers.kept(None).tolist() == [False, False]
    nobody = Answers(np.full(2, np.nan), np.ones(2, bool), np.zeros(2, bool), np.arange(2))
    assert fit(nobody, risk=0.5, miss=0.1, largest=1) is None


def test_no_cluster_has_a_part_in_its_own_threshold() -> None:
    answers = made(4, groups=120, sharpness=2.0)
    fold = folds(answers.clusters, 5)
    kept, thresholds = cross_fitted(answers, risk=0.2, exact=False, miss=0.1, largest=12)
    assert len(thresholds) == 5
    for number, threshold in enumerate(thresholds):
        own = fold == number
        assert len(set(answers.clusters[own]) & set(answers.clusters[~own])) == 0
        assert threshold == fit(answers.select(~own), risk=0.2, exact=False, miss=0.1, largest=12)
        assert kept[own].tolist() == answers.select(own).kept(threshold).tolist()
    assert np.bincount(fold, minlength=5).min() > 0


def test_folds_of_few_clusters_and_of_none() -> None:
    assert folds(np.array([3, 3, 3]), 5).tolist() == [0, 0, 0]
    assert sorted(folds(np.array([1, 2]), 5).tolist()) == [0, 1]
    empty = Answers(np.zeros(0), np.zeros(0, bool), np.zeros(0, bool), np.zeros(0, np.int64))
    kept, thresholds = cross_fitted(empty, risk=0.2, miss=0.1, largest=1)
    assert kept.tolist() == []
    assert thresholds == []
    assert largest_cluster(empty.clusters) == 1
    assert largest_cluster(np.array([4, 4, 2])) == 2


@pytest.mark.parametrize(("most", "miss"), [(0.0, 0.1), (1.0, 0.1), (0.2, 0.0), (0.2, 1.0)])
def test_no_guarantee_of_nothing_or_everything(most: float, miss: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        fit(made(0, groups=5), risk=most, miss=miss, largest=12)

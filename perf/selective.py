"""How well thresholds keep their promise, how far the calibration error is from the true one, and how often the
interval of what answers are worth holds the truth.

    python perf/selective.py [REPLICATES]

Prints the tables of docs/selective.md (Markdown). 400 replicates of each setting by default, some two minutes on one
core. Exits with 1 if a limit is broken more often than the certainty of 90 % allows, beyond what chance explains.

Answers are on images of 6 to 12 questions that share their difficulty (a latent correlation of 0.15); four of five
questions are answered; the confidence of a right answer is higher by a given number of standard deviations. For worth,
images have shares of right, hallucinated and no answers from a Dirichlet distribution with the correlation given.
"""

from __future__ import annotations

import argparse
import sys
from typing import NamedTuple

import numpy as np
from scipy.stats import binom, norm

from snellen.engine.calibration import calibrate
from snellen.engine.threshold import Answers, fit
from snellen.engine.worth_interval import worth
from snellen.estimate import ratio

MISS = 0.1
LARGEST = 12
CORRELATION = 0.15
LEVELS = (0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)


class Setting(NamedTuple):
    """Answers, and the limit that is asked for."""

    title: str
    images: int
    rate: float
    sharpness: float
    limit: float


SETTINGS = (
    Setting("30 % hallucinate, confidence fair", 106, 0.3, 20 / 15, 0.2),
    Setting("30 % hallucinate, confidence sharp", 106, 0.3, 40 / 15, 0.2),
    Setting("20 % hallucinate, confidence says nothing", 106, 0.2, 0.0, 0.2),
    Setting("30 % hallucinate, confidence fair", 500, 0.3, 20 / 15, 0.2),
    Setting("30 % hallucinate, confidence fair", 500, 0.3, 20 / 15, 0.1),
)


class Kept(NamedTuple):
    """What came of a setting: shares of replicates, mean coverage where there is a threshold, and the greatest."""

    broken: float
    none: float
    coverage: float
    possible: float


def answers(rng: np.random.Generator, setting: Setting, images: int) -> Answers:
    """Answers on so many images."""
    clusters = np.repeat(np.arange(images), rng.integers(6, LARGEST + 1, images))
    n = len(clusters)
    shared = np.sqrt(CORRELATION) * rng.normal(size=images)[clusters]
    wrong = shared + np.sqrt(1 - CORRELATION) * rng.normal(size=n) < norm.ppf(setting.rate)
    confidence = np.round(np.clip(70 + 15 * (setting.sharpness * ~wrong + rng.normal(size=n)), 0, 100)) / 100
    given = rng.random(n) < 0.8
    return Answers(confidence, given, wrong & given, clusters)


def thresholds(setting: Setting, replicates: int, *, exact: bool, seed: int = 0) -> Kept:
    """Fit a threshold in each replicate, and look at what it lets through of many other images."""
    rng = np.random.default_rng(seed)
    others = answers(rng, setting, 20_000)
    total = others.given.sum()

    def through(threshold: float) -> tuple[float, float]:
        kept = others.kept(threshold)
        return float(others.wrong[kept].mean()), float(kept.sum() / total)

    broken, coverages = 0, []
    for _ in range(replicates):
        own = answers(rng, setting, setting.images)
        order = int(rng.integers(2**31))
        found = fit(own, risk=setting.limit, miss=MISS, largest=LARGEST, seed=order, exact=exact)
        if found is not None:
            risk, coverage = through(found)
            broken += risk > setting.limit
            coverages.append(coverage)
    levels = [level for level in np.unique(others.confidence[others.given]).tolist() if through(level)[1] > 0.01]
    possible = max((through(level)[1] for level in levels if through(level)[0] <= setting.limit), default=0.0)
    mean = float(np.mean(coverages)) if coverages else float("nan")
    return Kept(broken / replicates, 1 - len(coverages) / replicates, mean, possible)


class Errors(NamedTuple):
    """Of the calibration error: the true one, means of the usual and the debiased, coverage of the interval."""

    true: float
    usual: float
    debiased: float
    coverage: float


def errors(over: float, replicates: int, seed: int = 0) -> Errors:
    """Confidences on 106 images that are too high by so much, wherever that is possible."""
    rng = np.random.default_rng(seed)
    levels = np.array(LEVELS)
    shares = np.clip(levels - over, 0, 1)
    true = float(np.abs(levels - shares).mean())
    usual, debiased, held = [], [], 0
    for _ in range(replicates):
        clusters = np.repeat(np.arange(106), rng.integers(6, LARGEST + 1, 106))
        place = rng.integers(0, len(levels), len(clusters))
        shared = np.sqrt(CORRELATION) * rng.normal(size=106)[clusters]
        latent = shared + np.sqrt(1 - CORRELATION) * rng.normal(size=len(clusters))
        found = calibrate(levels[place], latent < norm.ppf(shares[place]), clusters)
        usual.append(found.plain_error or 0.0)
        debiased.append(found.error.value or 0.0)
        low, high = found.error.low or 0.0, found.error.high or 0.0
        held += low <= true + 1e-12 and true <= high
    return Errors(true, float(np.mean(usual)), float(np.mean(debiased)), held / replicates)


class Worth(NamedTuple):
    """Shares of right answers and of hallucinations, and what one of these costs."""

    right: float
    wrong: float
    cost: float


WORTHS = (Worth(0.2, 0.3, 1), Worth(0.2, 0.3, 5), Worth(0.6, 0.02, 10), Worth(0.9, 0.01, 10), Worth(0.05, 0.9, 1))


def worth_coverage(
    setting: Worth, correlation: float, replicates: int, resampled: int, seed: int = 0
) -> tuple[float, float]:
    """How often the interval holds the true worth on 106 images, and that of the cluster bootstrap, of fewer runs."""
    rng = np.random.default_rng(seed)
    right, wrong, cost = setting
    truth, kinds = right - cost * wrong, np.array([right, wrong, 1 - right - wrong])
    held, held_resampled = 0, 0
    for number in range(replicates):
        clusters = np.repeat(np.arange(106), rng.integers(6, LARGEST + 1, 106))
        shares = np.tile(kinds, (106, 1))
        if correlation:
            shares = rng.dirichlet((1 - correlation) / correlation * kinds, 106)
        drawn = rng.random(len(clusters))
        ones = drawn < shares[clusters, 0]
        others = ~ones & (drawn < shares[clusters, 0] + shares[clusters, 1])
        found = worth(ones, others, clusters, loss=cost)
        held += (found.low or 0.0) <= truth <= (found.high or 0.0)
        if number < resampled:
            usual = ratio(ones - cost * others, np.ones(len(ones)), clusters, seed=number)
            held_resampled += (usual.low or 0.0) <= truth <= (usual.high or 0.0)
    return held / replicates, held_resampled / max(resampled, 1)


def main(replicates: int) -> int:
    """Print the tables; the exit status."""
    status = 0
    print("| Answers | Images | Limit | Test | Limit broken | No threshold | Coverage, of what is possible |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for setting in SETTINGS:
        for exact in (True, False):
            found = thresholds(setting, replicates, exact=exact)
            coverage = "" if np.isnan(found.coverage) else f"{found.coverage:.2f} of {found.possible:.2f}"
            print(
                f"| {setting.title} | {setting.images} | {100 * setting.limit:.0f} % "
                f"| {'exact' if exact else 'approximate'} | {100 * found.broken:.1f} % | {100 * found.none:.0f} % "
                f"| {coverage} |",
                flush=True,
            )
            if binom.sf(round(found.broken * replicates) - 1, replicates, MISS) < 0.001:
                status = 1
    print("\n| True error | Usual ECE | Debiased | Interval holds the true one |")
    print("| --- | --- | --- | --- |")
    for over in (0.0, 0.05, 0.1, 0.2):
        each = errors(over, replicates)
        print(f"| {each.true:.3f} | {each.usual:.3f} | {each.debiased:.3f} | {100 * each.coverage:.0f} % |", flush=True)
    print("\n| right, hallucinated, cost | correlation | holds the truth | bootstrap |\n| --- | --- | --- | --- |")
    for of in WORTHS:
        pairs = [worth_coverage(of, icc, 5 * replicates, replicates) for icc in (0.0, 0.2)]
        ours, usual = (" / ".join(f"{100 * pair[place]:.1f}" for pair in pairs) for place in (0, 1))
        about = f"{100 * of.right:g} %, {100 * of.wrong:g} %, {of.cost:g}"
        print(f"| {about} | 0 / 0.2 | {ours} % | {usual} % |", flush=True)
    return status


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("replicates", nargs="?", type=int, default=400)
    sys.exit(main(parser.parse_args().replicates))

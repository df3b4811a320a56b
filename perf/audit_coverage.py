"""How often an audit's intervals hold the truth: kappa, and the share that people would have given, by simulation.

Images have 6 to 12 items; what is right is correlated within an image, and so are the judge's errors.

    python perf/audit_coverage.py [--repeats 2000]

Prints two tables in markdown; docs/audit.md has them.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from snellen.agreement import cohen_kappa
from snellen.prediction_powered import adjusted_share

Ints = npt.NDArray[np.int64]

IMAGES = 106
ERRORS = 0.2  # correlation of the judge's errors within an image

JUDGES = ((0.95, 0.95), (0.8, 0.9))
"""Sensitivity and specificity."""


@dataclass(frozen=True)
class Truth:
    """A population: share of right answers, their correlation within an image, and the judge."""

    rate: float
    correlation: float
    sensitivity: float
    specificity: float

    @property
    def kappa(self) -> float:
        """Of people and judge."""
        agree = self.rate * self.specificity + (1 - self.rate) * self.sensitivity
        passed = self.rate * self.specificity + (1 - self.rate) * (1 - self.sensitivity)
        chance = self.rate * passed + (1 - self.rate) * (1 - passed)
        return (agree - chance) / (1 - chance)

    def draw(self, rng: np.random.Generator, images: int) -> tuple[Ints, Ints, Ints]:
        """People, judge and image of every item."""
        clusters = np.repeat(np.arange(images), rng.integers(6, 13, images))

        def by_image(rate: float, correlation: float) -> npt.NDArray[np.float64]:
            if not correlation:
                return np.full(len(clusters), rate)
            spread = (1 - correlation) / correlation
            return rng.beta(rate * spread, (1 - rate) * spread, images)[clusters]

        people = rng.random(len(clusters)) < by_image(self.rate, self.correlation)
        missed, failed = by_image(1 - self.sensitivity, ERRORS), by_image(1 - self.specificity, ERRORS)
        chance = rng.random(len(clusters))
        judge = np.where(people, chance >= failed, chance < missed)
        return people.astype(np.int64), judge.astype(np.int64), clusters


def sample(rng: np.random.Generator, clusters: Ints, audited: int, by_image: bool) -> npt.NDArray[np.bool_]:
    """So many items at random, or whole images until there are as many."""
    seen = np.zeros(len(clusters), np.bool_)
    if not by_image:
        seen[rng.choice(len(clusters), audited, replace=False)] = True
        return seen
    order = rng.permutation(clusters.max() + 1)
    count = int(np.searchsorted(np.cumsum(np.bincount(clusters)[order]), audited)) + 1
    return np.asarray(np.isin(clusters, order[:count]))


def adjusted(truth: Truth, audited: int, by_image: bool, repeats: int, seed: int = 11) -> tuple[float, float]:
    """(share of repeats whose interval holds the rate, its width over that of people's own share on what they saw)."""
    rng = np.random.default_rng(seed)
    held, widths = 0, []
    for _ in range(repeats):
        people, judge, clusters = truth.draw(rng, IMAGES)
        seen = sample(rng, clusters, audited, by_image)
        found = adjusted_share(np.where(seen, people, -1), judge, clusters)
        low, high = found.estimate.low, found.estimate.high
        if low is None or high is None or found.audited.low is None or found.audited.high is None:
            continue
        held += low <= truth.rate <= high
        widths.append((high - low) / (found.audited.high - found.audited.low))
    return held / len(widths), float(np.mean(widths))


def kappa(truth: Truth, images: int, repeats: int, seed: int = 12) -> float:
    """Share of repeats whose interval holds kappa."""
    rng = np.random.default_rng(seed)
    held = 0
    for _ in range(repeats):
        people, judge, clusters = truth.draw(rng, images)
        found = cohen_kappa(people, judge, clusters, resamples=1000)
        held += found.low is not None and found.high is not None and found.low <= truth.kappa <= found.high
    return held / repeats


def report(repeats: int) -> str:
    """Both tables."""
    lines = [
        "| audited, of about 950 | right, correlation | judge 95 / 95 | judge 80 / 90 |",
        "| --- | --- | --- | --- |",
    ]
    for (audited, by_image), (rate, correlation) in product(
        ((50, False), (100, False), (300, False), (100, True), (300, True)),
        product((0.05, 0.27, 0.9), (0.0, 0.2)),
    ):
        cells = [adjusted(Truth(rate, correlation, *judge), audited, by_image, repeats) for judge in JUDGES]
        how = "in whole images" if by_image else "one by one"
        said = " | ".join(f"{100 * held:.1f} ({width:.2f})" for held, width in cells)
        lines.append(f"| {audited} {how} | {rate}, {correlation} | {said} |")
    lines += ["", "| images | right | judge 95 / 95 | judge 80 / 90 |", "| --- | --- | --- | --- |"]
    for images, rate in product((30, IMAGES), (0.1, 0.27, 0.6)):
        said = " | ".join(f"{100 * kappa(Truth(rate, 0.2, *judge), images, repeats):.1f}" for judge in JUDGES)
        lines.append(f"| {images} | {rate} | {said} |")
    return "\n".join(lines)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=2000)
    print(report(parser.parse_args().repeats))


if __name__ == "__main__":
    main()

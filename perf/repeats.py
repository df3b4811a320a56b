"""How often the interval of repeats holds the true rate, and how well the parts of the variance are found.

    python perf/repeats.py [REPLICATES]

Prints the tables of docs/statistics.md (Markdown). 4,000 replicates of each setting by default, about two minutes on
one core. Exits with 1 if the interval covers less than 92 %.

106 images of 6 to 12 questions, or 100 of a single one, each answered 3 times, each answer judged twice. Whether an
answer is right hangs on what its image shares (a latent correlation), on what its item keeps from answer to answer
(likewise: at 0.95 nearly the same answer comes each time), and on chance; a judge errs by chance, either way.
"""

from __future__ import annotations

import argparse
import sys
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import norm

from snellen.engine.repeats import components
from snellen.intervals import FloatArray, share_interval

REPEATS, JUDGINGS = 3, 2
CHARTS, PHOTOS = (106, 6, 12), (100, 1, 1)
"""Images, and the least and the most questions about one."""


class Setting(NamedTuple):
    """Share of right answers, latent correlations of an image and of an item, share of verdicts that err; images."""

    rate: float
    image: float
    item: float
    error: float
    shape: tuple[int, int, int] = CHARTS

    @property
    def true(self) -> float:
        """Share of verdicts that are 1."""
        return self.rate * (1 - self.error) + (1 - self.rate) * self.error


SETTINGS = tuple(
    Setting(rate, image, item, error)
    for rate in (0.003, 0.01, 0.1, 0.3, 0.6)
    for image, item in ((0.0, 0.3), (0.0, 0.9), (0.2, 0.3), (0.2, 0.75))
    for error in (0.0, 0.05)
) + tuple(Setting(rate, 0.0, item, 0.0, PHOTOS) for rate in (0.01, 0.02, 0.1, 0.3) for item in (0.5, 0.99))


class Covered(NamedTuple):
    """Shares of replicates that hold the true rate; mean widths: pooled, all verdicts as items, one verdict each."""

    pooled: float
    rows: float
    single: float
    pooled_width: float
    single_width: float


def verdicts(rng: np.random.Generator, setting: Setting) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Verdicts of shape (items, repeats, judgings), and the items' images."""
    count, least, most = setting.shape
    images = np.repeat(np.arange(count), rng.integers(least, most + 1, count))
    n = len(images)
    kept = np.sqrt(setting.image) * rng.normal(size=count)[images] + np.sqrt(setting.item) * rng.normal(size=n)
    chance = np.sqrt(1 - setting.image - setting.item) * rng.normal(size=(n, REPEATS))
    right = kept[:, None] + chance < norm.ppf(setting.rate)
    wrong = rng.random((n, REPEATS, JUDGINGS)) < setting.error
    return right[..., None] ^ wrong, images


def coverage(setting: Setting, replicates: int, seed: int = 0) -> Covered:
    """Draw so many tables of verdicts, and see which intervals hold the true rate."""
    rng = np.random.default_rng(seed)
    count = setting.shape[0]
    pooled, single, sizes = (np.zeros((replicates, count)) for _ in range(3))
    for number in range(replicates):
        y, images = verdicts(rng, setting)
        pooled[number] = np.bincount(images, y.mean((1, 2)), count)
        single[number] = np.bincount(images, y[:, 0, 0], count)
        sizes[number] = np.bincount(images, minlength=count)
    times = REPEATS * JUDGINGS

    def held(hits: FloatArray, of: FloatArray, floor: float) -> tuple[float, float]:
        low, high, _ = share_interval(hits, of, floor=floor)
        return float(((low <= setting.true) & (setting.true <= high)).mean()), float((high - low).mean())

    (a, width), (b, _), (c, other) = (
        held(pooled, sizes, 0.0),
        held(np.rint(pooled * times), sizes * times, 1.0),
        held(single, sizes, 1.0),
    )
    return Covered(a, b, c, width, other)


class Found(NamedTuple):
    """True parts of a verdict's variance and the means of the estimates, clamped: items, sampling, judge."""

    true: tuple[float, float, float]
    mean: tuple[float, float, float]


def parts(setting: Setting, replicates: int, seed: int = 0) -> Found:
    """Split the variance in each replicate; the true parts are those of a million items."""
    rng = np.random.default_rng(seed)
    cut = norm.ppf(setting.rate)
    kept = np.sqrt(setting.image + setting.item) * rng.normal(size=1_000_000)
    chance = norm.cdf((cut - kept) / np.sqrt(1 - setting.image - setting.item))
    sharp = (1 - 2 * setting.error) ** 2
    judge = setting.error * (1 - setting.error)
    true = (float(chance.var()) * sharp, float((chance * (1 - chance)).mean()) * sharp, judge)
    found = np.zeros((replicates, 3))
    for number in range(replicates):
        y, _ = verdicts(rng, setting)
        hits, times = y.sum(2).astype(np.float64), float(JUDGINGS)
        n, total = np.full(len(y), REPEATS * times), hits.sum(1)
        columns = [
            np.ones(len(y)),
            np.full(len(y), float(REPEATS)),
            n,
            total,
            total**2 / n,
            (hits**2 / times).sum(1),
            total,
            np.full(len(y), times),
            np.full(len(y), REPEATS * times**2),
            n**2,
        ]
        found[number] = [max(0.0, float(part)) for part in components(np.stack(columns, 1).sum(0))]
    return Found(true, (float(found[:, 0].mean()), float(found[:, 1].mean()), float(found[:, 2].mean())))


def main(replicates: int = 4000) -> int:
    """Print both tables."""
    print("| images | rate | image | item | judge errs | pooled | all verdicts as items | one verdict each | width |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    least = 1.0
    for setting in SETTINGS:
        found = coverage(setting, replicates)
        least = min(least, found.pooled)
        shares = " | ".join(f"{100 * share:.1f}" for share in found[:3])
        width = 100 * (found.pooled_width / found.single_width - 1)
        print(
            f"| {setting.shape[0]} | {100 * setting.rate:g} % | {setting.image} | {setting.item} "
            f"| {100 * setting.error:g} % | {shares} | {width:+.0f} % |",
            flush=True,
        )
    print("\n| rate | image | item | judge errs | items | sampling | judge |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for setting in SETTINGS[17:40:2]:
        split = parts(setting, max(1, replicates // 8))
        said = " | ".join(f"{mean:.4f} of {true:.4f}" for true, mean in zip(split.true, split.mean, strict=True))
        print(
            f"| {100 * setting.rate:g} % | {setting.image} | {setting.item} | {100 * setting.error:g} % | {said} |",
            flush=True,
        )
    return 1 if least < 0.92 else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("replicates", nargs="?", type=int, default=4000)
    sys.exit(main(parser.parse_args().replicates))

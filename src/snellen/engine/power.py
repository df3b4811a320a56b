"""Power: how many images a paired difference needs to be seen, and which difference so many images can show.

Two runs answer the same items. With d their difference on an item (-1, 0 or 1), D the difference in rates that is to
be seen, w the discordance (the share of items on which the two differ), r the correlation of d between items of one
image, and images of m items on average, m' = sum(m^2) / sum(m):

- design effect  e = 1 + r (m' - 1)   (Kish 1965),
- standard error with n items  s0 = sqrt(w e / n) if the runs are alike, s1 = sqrt((w - D^2) e / n) if they differ by D
  (Connor 1987, Sample size for testing differences in proportions for the paired-sample design, Biometrics 43),
- power  Phi((D - 1 / n - t s0) / s1), t the quantile 1 - alpha / 2 of Student with G - 1 degrees of freedom for G
  images; 1 / n since the test is exact and its sums move in steps of two items.

Discordance and correlation are measured on pairs of real runs, and are the medians over the pairs; where there are
none, `DEFAULT_DISCORDANCE` and `DEFAULT_CORRELATION` stand in, and are called assumptions. How close the promise comes
to simulated data: perf/power.py and docs/power.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, sqrt
from statistics import NormalDist, median
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.engine.comparison import Pairing
from snellen.errors import UsageError
from snellen.intervals import cluster_sums, t_quantile
from snellen.table import VerdictTable

DEFAULT_DISCORDANCE = 0.2
"""Share of items on which two models differ, where nothing is known: two at 25 % that agree as moderately as the rows
of ChartHal's table would differ on about a fifth."""

DEFAULT_CORRELATION = 0.05
"""Of differences between items of one image, where nothing is known."""

DEFAULT_PER_IMAGE = 10
"""Items of an image, where nothing is known: ChartHal's number."""

MOST_PAIRS = 45
FEWEST_DIFFERING = 10
MOST_IMAGES = 10_000_000
LEAST_LEVEL = 1e-9
"""Of a single test; quantiles for smaller ones are not worth their digits."""

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Variation:
    """What power hangs on.

    Attributes:
        discordance: share of the items on which two runs differ.
        correlation: of differences between items of one image, in [0, 1].
        pairs: pairs of runs it was measured on; 0 for an assumption.
        low, high: the least and the greatest discordance among these pairs.
    """

    discordance: float
    correlation: float
    pairs: int = 0
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """Some of a benchmark's items, and what a comparison on them can show.

    Attributes:
        label, value: which items; both empty for all.
        items, images: how many there are.
        variation: measured or assumed.
        from_whole: whether the variation is that of all items, since too few of these differ.
        needed: images that show the difference, each with as many items as here; None above `MOST_IMAGES`.
        shows: the least difference that the images at hand show; None where they can show none.
        power: to see the difference with the images at hand.
    """

    label: str
    value: str
    items: int
    images: int
    variation: Variation
    from_whole: bool
    needed: int | None
    shows: float | None
    power: float

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        own = {name: getattr(self, name) for name in self.__slots__ if name != "variation"}
        return own | {"variation": {name: getattr(self.variation, name) for name in Variation.__slots__}}


@dataclass(frozen=True, slots=True)
class Power:
    """A plan.

    Attributes:
        difference: to be seen, as a share.
        power: with which probability.
        level: of the two-sided test, of each of `tests` (Bonferroni: Holm's correction asks for no more).
        tests: that stand in one family.
        parts: all items, then those of each value of a label.
        given: ``discordance`` and ``correlation``, where the user named them in place of what is measured.
    """

    difference: float
    power: float
    level: float
    tests: int
    parts: tuple[Part, ...]
    given: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        own = {name: getattr(self, name) for name in self.__slots__ if name != "parts"}
        return own | {"parts": [part.to_json() for part in self.parts]}


@dataclass(frozen=True, slots=True)
class Shape:
    """Images of a kind, tested at a level.

    Attributes:
        per_image: items of an image on average.
        kish: items of the image of an item on average, sum(m^2) / sum(m).
        variation: of two runs on them.
        level: of the two-sided test.
    """

    per_image: float
    kish: float
    variation: Variation
    level: float = 0.05

    @classmethod
    def of(cls, sizes: npt.NDArray[Any], variation: Variation, level: float = 0.05) -> Shape:
        """Of images with so many items each, shape (G,)."""
        return cls(float(sizes.mean()), float((sizes**2).sum() / sizes.sum()), variation, level)

    def power(self, images: int, difference: float) -> float:
        """To see the difference with so many images; 0 with so few that the test cannot come out at the level."""
        if 2.0 ** (1 - min(images, 1000)) > self.level:  # p of the sign-flip test where all images differ one way
            return 0.0
        w = max(self.variation.discordance, difference)
        effect = 1 + self.variation.correlation * (self.kish - 1)
        items = images * self.per_image
        alike, apart = (sqrt(max(each, 0) * effect / items) for each in (w, w - difference**2))
        reach = difference - 1 / items - t_quantile(1 - self.level / 2, images - 1) * alike
        return NormalDist().cdf(reach / apart) if apart > 0 else float(reach > 0)

    def needed(self, difference: float, power: float) -> int | None:
        """The least number of images."""
        high = 2
        while self.power(high, difference) < power:
            high *= 2
            if high > MOST_IMAGES:
                return None
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.power(middle, difference) >= power else (middle, high)
        return max(2, high)

    def shows(self, images: int, power: float) -> float | None:
        """The least difference, to a hundredth of a point; None where not even a difference on every item is seen."""
        low, high = 0.0, 1.0
        if self.power(images, high) < power:
            return None
        while high - low > 1e-6:
            middle = (low + high) / 2
            low, high = (low, middle) if self.power(images, middle) >= power else (middle, high)
        return ceil(high * 1e4 - 1e-2) / 1e4


def plan(
    table: VerdictTable,
    runs: Sequence[VerdictTable] = (),
    *,
    difference: float,
    power: float = 0.8,
    level: float = 0.05,
    tests: int = 1,
    by: Sequence[str] = (),
    images: int | None = None,
    discordance: float | None = None,
    correlation: float | None = None,
) -> Power:
    """What the images at hand can show, and how many a difference needs.

    Args:
        table: the benchmark's items; verdicts do not matter, changed versions take no part.
        runs: real runs of it, from whose pairs discordance and correlation are measured.
        difference: to be seen, as a share: 0.03 for 3 points.
        power: with which probability it is to be seen.
        level: of the two-sided test.
        tests: in one family; each is made at ``level / tests``.
        by: labels whose values get a part of their own.
        images: at hand, in place of those of the table; parts keep their share.
        discordance, correlation: in place of what is measured.

    Raises:
        UsageError: a number out of its range, or a label that no item has.
    """
    for name, number, least, most in (
        ("difference", difference, 0.0, 1.0),
        ("power", power, 0.0, 1.0),
        ("level", level, 0.0, 1.0),
        ("discordance", 0.5 if discordance is None else discordance, 0.0, 1.0 + 1e-9),
    ):
        if not least < number < most:
            raise UsageError(f"the {name} lies between 0 and 1, not at {number:g}")
    if correlation is not None and not 0 <= correlation <= 1:
        raise UsageError(f"the correlation lies between 0 and 1, not at {correlation:g}")
    if tests < 1 or (images is not None and images < 2):
        raise UsageError("there is one test at least, and there are two images")
    if level / tests < LEAST_LEVEL:
        raise UsageError(f"each of {tests:,} tests at a level of {level:g} is one at {level / tests:g}: too little")
    clean = table.select(table.clean)
    if not len(clean):
        raise UsageError("there is no item to plan with")
    pairs = [Pairing.of(one, other) for one, other in list(combinations(runs, 2))[:MOST_PAIRS]]
    parts: list[tuple[str, str]] = [("", "")]
    parts += [(label, value) for label in by for value in clean.label_values(label)]
    every = np.ones(len(clean), np.bool_)
    sizes_of_all = np.bincount(clean.clusters[every])
    scale = 1.0 if images is None else images / int((sizes_of_all > 0).sum())
    found, whole = [], None
    for label, value in parts:
        rows = clean.mask(**{label: value}) if label else every
        if not rows.any():
            continue
        measured = variation(pairs, label, value)
        from_whole = measured is None and whole is not None
        used = measured or whole or Variation(DEFAULT_DISCORDANCE, DEFAULT_CORRELATION)
        whole = whole or used
        used = Variation(
            used.discordance if discordance is None else discordance,
            used.correlation if correlation is None else correlation,
            used.pairs,
            used.low if discordance is None else None,
            used.high if discordance is None else None,
        )
        sizes = np.bincount(clean.clusters[rows])
        sizes = sizes[sizes > 0]
        there = max(min(len(sizes), 2), round(len(sizes) * scale))
        shape = Shape.of(sizes, used, level / tests)
        found.append(
            Part(
                label,
                value,
                int(rows.sum()),
                there,
                used,
                from_whole and whole.pairs > 0,
                shape.needed(difference, power),
                shape.shows(there, power),
                shape.power(there, difference),
            )
        )
    given = tuple(name for name, own in (("discordance", discordance), ("correlation", correlation)) if own is not None)
    return Power(difference, power, level, tests, tuple(found), given)


def variation(pairs: Sequence[Pairing], label: str = "", value: str = "") -> Variation | None:
    """Medians over pairs of runs on some of their items; None where in no pair `FEWEST_DIFFERING` items differ."""
    seen = []
    for pairing in pairs:
        rows = (pairing.base.values >= 0) & (pairing.other.values >= 0)
        if label:
            rows &= pairing.base.mask(**{label: value})
        d = pairing.other.values[rows].astype(np.int64) - pairing.base.values[rows]
        if np.count_nonzero(d) >= FEWEST_DIFFERING:
            seen.append((float(np.abs(d).mean()), correlation_within(d, pairing.base.clusters[rows])))
    if not seen:
        return None
    shares = [share for share, _ in seen]
    return Variation(median(shares), median(each for _, each in seen), len(seen), min(shares), max(shares))


def correlation_within(d: npt.ArrayLike, clusters: npt.ArrayLike) -> float:
    """Correlation of numbers within clusters, from the design effect of their mean; cut at 0 and 1.

    (e - 1) / (m' - 1), with e the linearised variance of the mean over that of independent numbers. 0 where no cluster
    has two, where nothing varies, or where there is one cluster.

    >>> correlation_within([1, 1, 0, 0], [0, 0, 1, 1])
    1.0
    """
    values = np.asarray(d, np.float64)
    sums, sizes = cluster_sums([values, np.ones(len(values))], clusters).T
    n, g = len(values), len(sizes)
    kish = float((sizes**2).sum()) / n if n else 0.0
    independent = float(values.var()) / n if n else 0.0
    if g < 2 or kish <= 1 or independent <= 0:
        return 0.0
    seen = g / (g - 1) * float(((sums - values.mean() * sizes) ** 2).sum()) / n**2
    return float(np.clip((seen / independent - 1) / (kish - 1), 0, 1))

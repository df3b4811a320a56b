"""How often intervals of paired differences hold the truth, and how often runs that are alike come out as different.

    python perf/paired_tests.py [REPLICATES]

Prints the tables of docs/compare.md and docs/claims.md (Markdown). 4,000 replicates of each setting by default, some
minutes on one core; the standard error of a coverage of 95 % is then 0.35 points. Exits with 1 if a setting that must
lie between 93 and 97 % (to the nearest per cent) does not: those with 10 ones expected in each run and a correlation of
at most 0.2.

Two runs answer the same items. An image is as hard for a run as its rate there, from a beta distribution: two answers
on one image correlate by ICC. On half of the images it is equally hard for both runs, on the others their rates are
independent; half of the items are decided by the same draw in both. Shapes: the 106 charts of ChartHal with 6 to 12
questions, one of its cells (114 questions on 105 charts), and images of SHALE with two questions each.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import beta

from snellen.engine.paired import difference
from snellen.engine.paired_interval import difference_interval
from snellen.engine.parts import parts_difference
from snellen.engine.tiers import rank
from snellen.item import Item
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import Verdict

Array = npt.NDArray[Any]

SHAPES: dict[str, Array] = {
    "ChartHal, 1,062 on 106": np.repeat([6, 7, 8, 9, 10, 11, 12], [1, 6, 11, 20, 20, 30, 18]),
    "a cell, 114 on 105": np.repeat([1, 2], [96, 9]),
    "SHALE, 600 on 300": np.full(300, 2),
}
RATES = ((0.02, 0.02), (0.05, 0.05), (0.05, 0.1), (0.2, 0.1), (0.3, 0.3), (0.3, 0.35), (0.5, 0.5), (0.8, 0.9))
CORRELATIONS = (0.0, 0.1, 0.2, 0.4)
ENOUGH = 10
SHARED = 0.5


def draw(
    rng: np.random.Generator, sizes: Array, rates: Sequence[float], correlation: float, replicates: int
) -> tuple[Array, Array]:
    """Values of runs on the same items, shape (replicates, runs, N), and the items' images, shape (N,)."""
    images, runs = len(sizes), len(rates)
    place = rng.random((replicates, runs, images))
    place = np.where(rng.random((replicates, 1, images)) < SHARED, place[:, :1], place)
    hard = np.empty_like(place)
    for run, mean in enumerate(rates):
        strength = (1 - correlation) / correlation if correlation else 0.0
        own = place[:, run]
        hard[:, run] = beta.ppf(own, mean * strength, (1 - mean) * strength) if correlation else mean
    clusters = np.repeat(np.arange(images), sizes)
    items = rng.random((replicates, runs, len(clusters)))
    items = np.where(rng.random((replicates, 1, len(clusters))) < SHARED, items[:, :1], items)
    return (items < hard[..., clusters]).astype(np.int8), clusters


def coverage(shape: str, rates: tuple[float, float], correlation: float, replicates: int, seed: int = 0) -> float:
    """Share of the intervals that hold the true difference."""
    rng = np.random.default_rng(seed)
    sizes = SHAPES[shape]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    held, truth, step = 0, rates[1] - rates[0], 200
    for start in range(0, replicates, step):
        values, _ = draw(rng, sizes, rates, correlation, min(step, replicates - start))
        d = values[:, 1].astype(np.int64) - values[:, 0]
        sums, moved = np.add.reduceat(d, starts, axis=1), np.add.reduceat(np.abs(d), starts, axis=1)
        low, high, _ = difference_interval(sums, moved, sizes)
        held += int(((low <= truth + 1e-12) & (truth - 1e-12 <= high)).sum())
    return held / replicates


def false_alarms(shape: str, rate: float, correlation: float, replicates: int, seed: int = 1) -> float:
    """Share of pairs of runs that are alike whose p is at most 0.05."""
    rng = np.random.default_rng(seed)
    found = 0
    for _ in range(replicates):
        values, clusters = draw(rng, SHAPES[shape], (rate, rate), correlation, 1)
        p = difference(values[0, 0], values[0, 1], clusters).p
        found += p is not None and p <= 0.05
    return found / replicates


def false_parts(shape: str, rate: float, correlation: float, replicates: int, seed: int = 3) -> float:
    """Share of runs as good on three tenths of their items as on the others whose p says otherwise."""
    rng = np.random.default_rng(seed)
    found = 0
    for _ in range(replicates):
        values, clusters = draw(rng, SHAPES[shape], (rate,), correlation, 1)
        higher = rng.random(len(clusters)) < 0.3
        p = parts_difference(values[0, 0], higher, ~higher, clusters).p
        found += p is not None and p <= 0.05
    return found / replicates


@dataclass(frozen=True)
class Made:
    """A run of made-up verdicts."""

    name: str
    table: VerdictTable
    manifest: dict[str, Any] = field(default_factory=dict)


def made(values: Array, clusters: Array) -> list[Made]:
    """Runs with these values, shape (runs, N)."""
    verdicts = (Verdict(0), Verdict(1))
    runs = []
    for number, row in enumerate(values):
        builder = TableBuilder()
        for place, (value, image) in enumerate(zip(row.tolist(), clusters.tolist(), strict=True)):
            builder.add(place, Item(f"i/{place}", "?", cluster=f"c/{image}"), verdicts[value])
        runs.append(Made(f"run-{number}", builder.build()))
    return runs


def false_tiers(runs: int, rate: float, correlation: float, replicates: int, seed: int = 2) -> float:
    """Share of rankings of runs that are alike in which any two are told apart."""
    rng = np.random.default_rng(seed)
    found = 0
    for _ in range(replicates):
        values, clusters = draw(rng, SHAPES["a cell, 114 on 105"], (rate,) * runs, correlation, 1)
        tiers = rank(made(values[0], clusters))
        found += tiers is not None and any(pair.apart for pair in tiers.pairs)
    return found / replicates


def _table(head: Sequence[str], rows: Iterable[tuple[str, Iterable[str]]]) -> None:
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for name, cells in rows:
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print()


def main(replicates: int = 4000) -> int:
    """Print the tables; the number of settings that miss what is promised."""
    missed = 0
    for shape, sizes in SHAPES.items():
        print(f"Intervals that hold the difference: {shape}\n")
        rows = []
        for correlation in CORRELATIONS:
            cells = []
            for rates in RATES:
                share = coverage(shape, rates, correlation, replicates)
                promised = correlation <= 0.2 and min(*rates, *(1 - r for r in rates)) * sizes.sum() >= ENOUGH
                missed += bool(promised and not 92.5 <= 100 * share < 97.5)
                cells.append(f"{100 * share:.1f}")
            rows.append((f"{correlation:g}", cells))
        _table(["ICC", *(f"{100 * one:g} and {100 * other:g} %" for one, other in RATES)], rows)
    print("p at most 0.05, runs that are alike\n")
    settings = ((0.02, 0.1), (0.05, 0.2), (0.27, 0.0), (0.27, 0.2), (0.27, 0.4), (0.8, 0.2))
    _table(
        ["shape", *(f"rate {rate:g}, ICC {icc:g}" for rate, icc in settings)],
        (
            (shape, (f"{100 * false_alarms(shape, rate, icc, replicates // 2):.1f}" for rate, icc in settings))
            for shape in SHAPES
        ),
    )
    print("p at most 0.05, one run on three tenths of its items and on the others (claims)\n")
    alone = ((0.02, 0.0), (0.02, 0.2), (0.05, 0.2), (0.3, 0.0), (0.3, 0.2))
    _table(
        ["shape", *(f"rate {rate:g}, ICC {icc:g}" for rate, icc in alone)],
        (
            (shape, (f"{100 * false_parts(shape, rate, icc, replicates // 2):.1f}" for rate, icc in alone))
            for shape in SHAPES
        ),
    )
    print("Any two told apart, runs that are alike, 114 questions on 105 charts, rate 0.27, ICC 0.2\n")
    _table(
        ["runs", "share, %"],
        ((str(runs), [f"{100 * false_tiers(runs, 0.27, 0.2, replicates // 8):.1f}"]) for runs in (3, 6)),
    )
    return missed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("replicates", nargs="?", type=int, default=4000)
    sys.exit(min(main(parser.parse_args().replicates), 1))

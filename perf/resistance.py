"""What resistance with its intervals costs, and how often the intervals hold the truth.

    python perf/resistance.py [REPLICATES]

Speed: 30,000 items on 7,500 images, clean and under 12 conditions, in 18 aspects: the whole section of a report (by
condition, by aspect, 216 cells, macro average), and beside it a cluster bootstrap of 2,000 resamples for each of the 18
aspects. CPU seconds of one process and its peak memory.

Coverage: simulated pairs on images. An image has a rate of its own for clean hits and another for those that stay, both
from beta distributions, so that two answers on one image correlate by ICC. Prints the tables of docs/statistics.md
(Markdown), 10,000 replicates of each setting by default: some minutes. Exits with 1 if a setting that must lie between
93 and 97 % (to the nearest per cent) does not.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from snellen.engine.resistance import measure
from snellen.intervals import bootstrap, cluster_sums, share_interval
from snellen.item import Change, Item
from snellen.metrics import resistance_rate
from snellen.pairs import PairTable
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import Verdict

Array = npt.NDArray[Any]

CORRELATIONS = (0.0, 0.1, 0.2)
KEPT = (0.1, 0.3, 0.5, 0.7, 0.9, 0.95)
SHAPES = tuple((images, items) for images in (30, 60, 200) for items in (1, 4))
CLEAN = (0.3, 0.7, 0.9)
ENOUGH = 10.0


class Cost(NamedTuple):
    """CPU seconds of the section and of the bootstraps, and the number of pairs."""

    section: float
    resampled: float
    pairs: int


def run_table(items: int, conditions: int, aspects: int, seed: int = 0) -> VerdictTable:
    """A run of so many items, four to an image, clean and changed, with made-up verdicts."""
    rng = np.random.default_rng(seed)
    level = rng.beta(4, 2, items // 4 + 1)
    clean = rng.random(items) < level[np.arange(items) // 4]
    stays = rng.random((items, conditions)) < np.where(clean, 0.85, 0.1)[:, None] * np.linspace(1, 0.6, conditions)
    builder = TableBuilder()
    verdicts = (Verdict(0), Verdict(1))
    changes = [(Change(f"change-{number:02}", 3, 0, "kept"),) for number in range(conditions)]
    for number in range(items):
        about: dict[str, Any] = {
            "labels": {"aspect": f"aspect-{number // 4 % aspects:02}"},
            "groups": {"pair": f"i/{number}"},
            "cluster": f"c/{number // 4}",
        }
        position = number * (conditions + 1)
        builder.add(position, Item(f"i/{number}", "?", **about), verdicts[int(clean[number])])
        for place, change in enumerate(changes):
            item = Item(f"i/{number}@{place}", "?", changes=change, **about)
            builder.add(position + 1 + place, item, verdicts[int(stays[number, place])])
    return builder.build()


def cost(items: int = 30_000, conditions: int = 12, aspects: int = 18, resamples: int = 2_000) -> Cost:
    """Time the section of a report, and a bootstrap of each aspect, on one table."""
    table = run_table(items, conditions, aspects)
    names = table.label_values("aspect")
    start = time.process_time()
    found = measure(table, {"aspect": names})
    section = time.process_time() - start
    assert found is not None
    start = time.process_time()
    pairs = PairTable.of(table)
    for name in names:
        mine = np.flatnonzero(pairs.rows.mask(aspect=name))
        clean, changed = pairs.clean[mine], pairs.changed[mine]
        sums = cluster_sums([clean * changed, clean], pairs.rows.clusters[mine])
        interval = bootstrap(sums, lambda totals: totals[..., 0] / totals[..., 1], seed=0, resamples=resamples)
        assert interval.value == found.labels["aspect"][name].resistance.value
    return Cost(section, time.process_time() - start, len(pairs))


def rates(rng: np.random.Generator, mean: float, correlation: float, shape: tuple[int, ...]) -> Array:
    """Rates of images: beta with that mean; two answers on one image correlate."""
    if not correlation:
        return np.full(shape, mean)
    strength = (1 - correlation) / correlation
    return rng.beta(mean * strength, (1 - mean) * strength, shape)


def coverage(
    shape: tuple[int, int], clean: float, kept: float, correlation: float, replicates: int, conditions: int = 1
) -> float:
    """Share of the intervals of a resistance that hold it; conditions share an image's rate, and are pooled."""
    rng = np.random.default_rng(0)
    images, items = shape
    size = (replicates, images)
    hits = rng.binomial(items, rates(rng, clean, correlation, size)) * conditions
    low, high, _ = share_interval(rng.binomial(hits, rates(rng, kept, correlation, size)), hits)
    return float(((low <= kept) & (kept <= high)).mean())


def bootstrap_coverage(
    shape: tuple[int, int], clean: float, kept: float, correlation: float, replicates: int
) -> tuple[float, float]:
    """As `coverage`, of the cluster bootstrap, expanded BCa, and of plain percentiles; 1,000 resamples."""
    rng = np.random.default_rng(0)
    images, items = shape
    held = np.zeros(2)
    for number in range(replicates):
        hits = rng.binomial(items, rates(rng, clean, correlation, (images,)))
        stay = rng.binomial(hits, rates(rng, kept, correlation, (images,)))
        found = bootstrap(np.stack([stay, hits], 1), _ratio, seed=number, resamples=1000)
        held[0] += found.low is not None and found.high is not None and found.low <= kept <= found.high
        drawn = rng.integers(0, images, (1000, images))
        with np.errstate(invalid="ignore"):
            low, high = np.nanquantile(stay[drawn].sum(1) / hits[drawn].sum(1), (0.025, 0.975))
        held[1] += bool(low <= kept <= high)
    return float(held[0] / replicates), float(held[1] / replicates)


def _ratio(totals: Array) -> Array:
    return np.asarray(totals[..., 0] / totals[..., 1])


class Cells(NamedTuple):
    """A run for the macro average: aspects, images of each, items of an image, conditions, resistance of the cells."""

    aspects: int
    images: int
    items: int
    conditions: int
    lowest: float
    highest: float


MACRO = tuple(
    Cells(*shape, lowest, highest)
    for shape in ((6, 10, 4, 3), (18, 5, 4, 3), (18, 10, 1, 1))
    for lowest, highest in ((0.5, 0.5), (0.2, 0.8), (0.8, 0.98))
)


def macro_coverage(run: Cells, clean: float, correlation: float, replicates: int) -> float:
    """Share of the intervals of a macro average that hold it."""
    rng = np.random.default_rng(0)
    images, conditions = run.aspects * run.images, run.conditions
    cell_rates = rng.permutation(np.linspace(run.lowest, run.highest, run.aspects * conditions))
    image = np.repeat(np.arange(images), run.items * conditions)
    item = np.repeat(np.arange(images * run.items), conditions)
    condition = np.tile(np.arange(conditions), images * run.items)
    cells = image // run.images * conditions + condition
    held = 0
    for _ in range(replicates):
        level = rates(rng, clean, correlation, (images,))
        right = (rng.random(images * run.items) < np.repeat(level, run.items)).astype(np.int8)[item]
        mean = np.repeat(cell_rates.reshape(run.aspects, conditions), run.images, 0)
        stay_rate = mean
        if correlation:
            strength = (1 - correlation) / correlation
            stay_rate = rng.beta(mean * strength, (1 - mean) * strength)
        changed = (rng.random(len(image)) < stay_rate[image, condition]).astype(np.int8)
        estimate, over = resistance_rate.macro(right, changed, image, cells)
        present = np.unique(cells[right == 1])
        assert over == len(present)
        truth = float(cell_rates[present].mean())
        held += estimate.low is not None and estimate.high is not None and estimate.low <= truth <= estimate.high
    return held / replicates


def promised(shape: tuple[int, int], clean: float, kept: float) -> bool:
    """Whether at least ten right answers are expected to stay, and ten to be lost."""
    hits = shape[0] * shape[1] * clean
    return hits * kept >= ENOUGH and hits * (1 - kept) >= ENOUGH


def _settings(replicates: int, conditions: int) -> Iterator[tuple[tuple[int, int], float, list[list[float] | None]]]:
    for shape in SHAPES:
        for clean in CLEAN:
            row: list[list[float] | None] = []
            for kept in KEPT:
                if shape[0] * shape[1] * clean * kept < ENOUGH:
                    row.append(None)
                    continue
                row.append([coverage(shape, clean, kept, icc, replicates, conditions) for icc in CORRELATIONS])
            if any(row):
                yield shape, clean, row


def main(replicates: int = 10_000) -> int:
    """Print the tables (bold: promised); the number of promised settings outside of 93 to 97 %."""
    spent = cost()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{spent.pairs:,} pairs, 18 aspects, 12 conditions; peak memory {peak:.0f} MB")
    print(f"the whole section: {spent.section:.2f} s; 18 bootstraps of 2,000 resamples: {spent.resampled:.2f} s\n")
    outside = 0
    for conditions in (1, 12):
        print(f"Coverage at ICC 0 / 0.1 / 0.2, {conditions} condition{'s pooled' if conditions > 1 else ''}\n")
        print("| images x items, clean rate | " + " | ".join(f"resistance {kept:g}" for kept in KEPT) + " |")
        print("|" + " --- |" * (len(KEPT) + 1))
        for shape, clean, row in _settings(replicates, conditions):
            cells = []
            for kept, shares in zip(KEPT, row, strict=True):
                text = "" if shares is None else " / ".join(f"{100 * share:.1f}" for share in shares)
                if shares is not None and promised(shape, clean, kept) and conditions == 1:
                    outside += sum(not 0.93 <= round(share, 2) <= 0.97 for share in shares)
                    text = f"**{text}**"
                cells.append(text)
            print(f"| {shape[0]} x {shape[1]}, {clean:g} | " + " | ".join(cells) + " |", flush=True)
        print()
    print("Three ways to an interval, ICC 0.1\n\n| images x items, clean, resistance | this | BCa | percentiles |")
    print("| --- | --- | --- | --- |")
    for shape, clean, kept in (((30, 4), 0.3, 0.5), ((30, 4), 0.7, 0.9), ((60, 1), 0.7, 0.5), ((200, 4), 0.3, 0.95)):
        ways = (
            coverage(shape, clean, kept, 0.1, replicates),
            *bootstrap_coverage(shape, clean, kept, 0.1, max(1, replicates // 5)),
        )
        texts = " | ".join(f"{100 * share:.1f}" for share in ways)
        print(f"| {shape[0]} x {shape[1]}, {clean:g}, {kept:g} | {texts} |", flush=True)
    print("\nMacro average over aspects x conditions\n")
    print("| aspects x images x items, conditions | resistance | ICC 0 | ICC 0.1 | ICC 0.2 |\n|" + " --- |" * 5)
    for run in MACRO:
        shares = [macro_coverage(run, 0.7, icc, max(1, replicates // 5)) for icc in CORRELATIONS]
        texts = " | ".join(f"{100 * share:.1f}" for share in shares)
        about = f"{run.aspects} x {run.images} x {run.items}, {run.conditions}"
        print(f"| {about} | {run.lowest:g} to {run.highest:g} | {texts} |", flush=True)
    return outside


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("replicates", nargs="?", type=int, default=10_000)
    sys.exit(min(main(parser.parse_args().replicates), 1))

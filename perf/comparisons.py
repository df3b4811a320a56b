"""What comparing and summing up large runs costs: time and peak memory of one process.

    python perf/comparisons.py [--items 30000] [--conditions 12] [--runs 5]

Made-up verdicts of several runs on the same items, four to an image, in 18 aspects, clean and under every condition.
Building the tables is timed apart: a real run reads them from its ledger.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from snellen.card import Card
from snellen.engine.comparison import compare
from snellen.engine.results import summarise
from snellen.engine.under import under
from snellen.item import Change, Item
from snellen.table import TableBuilder, VerdictTable, concatenate
from snellen.verdict import Verdict

ASPECTS = tuple(f"aspect-{number:02}" for number in range(18))
CARD = Card("made", "Made", "Made.", labels={"aspect": ASPECTS, "task": ("yes_no", "caption")})


@dataclass(frozen=True)
class Made:
    """A run of made-up verdicts."""

    name: str
    table: VerdictTable
    card: Card = CARD
    manifest: dict[str, Any] = field(default_factory=lambda: {"plan": {}, "judging": {"name": "r@rules"}})


def plan(items: int, conditions: int) -> VerdictTable:
    """The rows of a run, without values."""
    builder, none = TableBuilder(), Verdict(0)
    changes = [(Change(f"change-{number:02}", 3, 0, "kept"),) for number in range(conditions)]
    for number in range(items):
        labels = {"aspect": ASPECTS[number // 4 % len(ASPECTS)], "task": ("yes_no", "caption")[number % 2]}
        about: dict[str, Any] = {"labels": labels, "cluster": f"c/{number // 4}"}
        at = number * (conditions + 1)
        builder.add(at, Item(f"i/{number}", "?", **about), none)
        for place, change in enumerate(changes):
            pair = {"pair": f"i/{number}"}
            item = Item(f"i/{number}@{place}", "?", changes=change, groups=pair, **about)
            builder.add(at + 1 + place, item, none)
    return builder.build()


def made(rows: VerdictTable, runs: int, seed: int = 0) -> list[Made]:
    """Runs on these rows: images differ in how hard they are, and runs in how good."""
    rng = np.random.default_rng(seed)
    hard = rng.beta(4, 3, int(rows.clusters.max()) + 1)[rows.clusters]
    found = []
    for number in range(runs):
        values = (rng.random(len(rows)) < hard * (0.8 + 0.04 * number)).astype(np.int8)
        # Joined with itself alone: a table of its own, as one from a ledger is.
        found.append(Made(f"made/run-{number}", concatenate([replace(rows, values=values)])))
    return found


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Prints the seconds of one step, and the process's peak memory after it."""
    start, cpu = time.perf_counter(), time.process_time()
    yield
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    wall = time.perf_counter() - start
    print(f"| {what} | {wall:.1f} | {time.process_time() - cpu:.1f} | {peak:,.0f} |", flush=True)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=30_000)
    parser.add_argument("--conditions", type=int, default=12)
    parser.add_argument("--runs", type=int, default=5)
    chosen = parser.parse_args()
    print("| Step | seconds | CPU seconds | peak MB |\n| --- | --- | --- | --- |")
    with timed("tables built"):
        runs = made(plan(chosen.items, chosen.conditions), chosen.runs)
    with timed("compare, by aspect and task, with ranking"):
        compare(runs, ["aspect", "task"])
    if chosen.conditions:
        with timed("compare under one condition"):
            compare(under(runs, ["change-00:3"]), ["aspect"])
        with timed("one run under all conditions"):
            compare(under(runs[:1], ["clean", *(f"change-{number:02}:3" for number in range(chosen.conditions))]))
    with timed("all numbers of every run"):
        for run in runs:
            summarise(run.table, CARD, len(run.table))


if __name__ == "__main__":
    main()

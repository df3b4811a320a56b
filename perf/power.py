"""Does `snellen power` promise what happens? The promised power beside that of simulated runs.

    python perf/power.py [REPLICATES]

Prints the table of docs/power.md (Markdown): images of a benchmark's shape, two runs whose difference, discordance and
correlation are as planned, and the share of 2,000 such pairs in which the sign-flip test has p at most 0.05. Exits with
1 if one is more than four points from its promise.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.engine.paired import sign_flip_p
from snellen.engine.power import Shape, Variation

Array = npt.NDArray[Any]

SETTINGS = (
    # items of an image (least, most), discordance, correlation, difference
    (6, 12, 0.2, 0.05, 0.03),
    (6, 12, 0.1, 0.0, 0.03),
    (6, 12, 0.3, 0.2, 0.05),
    (1, 4, 0.2, 0.1, 0.05),
    (1, 1, 0.15, 0.0, 0.05),
    (2, 2, 0.4, 0.2, 0.1),
)


def simulated(
    sizes: Array, discordance: float, correlation: float, difference: float, replicates: int, seed: int = 0
) -> float:
    """Share of pairs of runs with p at most 0.05.

    On an image the difference is higher or lower by one amount, with even chances: its variance is the part of an
    item's that all items of an image share.
    """
    rng = np.random.default_rng(seed)
    apart = np.sqrt(correlation * (discordance - difference**2))
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    found = 0
    for _ in range(replicates):
        mean = difference + apart * rng.choice((-1, 1), len(sizes))
        gained = (discordance + np.clip(mean, -discordance, discordance)) / 2
        draw = rng.random(len(clusters))
        d = (draw < gained[clusters]).astype(np.int64) - ((draw >= gained[clusters]) & (draw < discordance))
        found += sign_flip_p(np.add.reduceat(d, starts)) <= 0.05
    return found / replicates


def main(replicates: int = 2000) -> int:
    """Print the table; the number of settings that are off."""
    print("| Items an image | discordance | correlation | difference | images | promised | simulated |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    off = 0
    rng = np.random.default_rng(1)
    for least, most, discordance, correlation, difference in SETTINGS:
        for wanted in (0.5, 0.8, 0.9):
            pool = rng.integers(least, most + 1, 20_000)
            images = Shape.of(pool, Variation(discordance, correlation)).needed(difference, wanted) or 0
            sizes = pool[:images]
            seen = simulated(sizes, discordance, correlation, difference, replicates)
            off += abs(seen - wanted) > 0.04
            print(
                f"| {least} to {most} | {discordance:g} | {correlation:g} | {100 * difference:g} | {images:,} "
                f"| {100 * wanted:.0f} % | {100 * seen:.1f} % |",
                flush=True,
            )
    return off


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("replicates", nargs="?", type=int, default=2000)
    sys.exit(min(main(parser.parse_args().replicates), 1))

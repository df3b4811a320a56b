"""How often two runs that are alike come out as different: the sign-flip test and its interval, by simulation.

Both runs answer the same items with the same rate; images differ in how hard they are, for both runs and for each.

    python perf/paired_tests.py [--repeats 2000]
"""

from __future__ import annotations

import argparse

import numpy as np

from snellen.engine.paired import difference

SHAPES = (
    ("106 images of 6 to 12 items, rate 0.27, correlation 0.2", 106, 6, 12, 0.27, 0.2),
    ("106 images of 6 to 12 items, rate 0.05, correlation 0.2", 106, 6, 12, 0.05, 0.2),
    ("44 images of 2 items, rate 0.5, correlation 0.2", 44, 2, 2, 0.5, 0.2),
    ("20 images of 5 items, rate 0.3, correlation 0.1", 20, 5, 5, 0.3, 0.1),
)


def simulate(
    images: int, least: int, most: int, rate: float, correlation: float, repeats: int, seed: int = 7
) -> tuple[float, float]:
    """(share of repeats with p at most 0.05, share whose interval holds 0)."""
    rng = np.random.default_rng(seed)
    spread = (1 - correlation) / correlation
    found = covered = 0
    for _ in range(repeats):
        clusters = np.repeat(np.arange(images), rng.integers(least, most + 1, images))
        shared, one, other = (rng.beta(rate * spread, (1 - rate) * spread, images)[clusters] for _ in range(3))
        base, second = ((rng.random(len(clusters)) < (shared + own) / 2).astype(int) for own in (one, other))
        each = difference(base, second, clusters)
        found += each.p is not None and each.p <= 0.05
        covered += each.low is not None and each.high is not None and each.low <= 0 <= each.high
    return found / repeats, covered / repeats


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=2000)
    repeats = parser.parse_args().repeats
    print("| Simulated: two runs that are alike | p at most 0.05 | interval holds 0 |\n| --- | --- | --- |")
    for title, images, least, most, rate, correlation in SHAPES:
        found, covered = simulate(images, least, most, rate, correlation, repeats)
        print(f"| {title} | {100 * found:.1f} % | {100 * covered:.1f} % |", flush=True)


if __name__ == "__main__":
    main()

"""How often intervals for a rank correlation over a few models hold the truth, and how wide they are.

Models are drawn from a bivariate normal population whose Spearman coefficient is known, 6 / pi asin(r / 2). Compared
are the percentiles of models drawn with replacement, the interval of Bonett & Wright, and what Snellen takes: as far as
either of them reaches.

    .venv/bin/python perf/rank_coverage.py
"""

from __future__ import annotations

import argparse
import math

import numpy as np

from snellen.engine.rank_correlation import approximate, coefficient, coefficients, scores


def coverage(r: float, models: int, samples: int, rng: np.random.Generator) -> tuple[list[float], list[float]]:
    """Share of intervals that hold the truth, and their mean width: percentiles, Bonett & Wright, both."""
    truth = 6 / math.pi * math.asin(r / 2)
    held, width = np.zeros(3), np.zeros(3)
    for _ in range(samples):
        x = rng.normal(size=models)
        values = np.stack([x, r * x + math.sqrt(1 - r * r) * rng.normal(size=models)], axis=1)
        value = coefficient(values[:, 0], values[:, 1])
        assert value is not None
        drawn = coefficients(scores(values[rng.integers(0, models, (600, models))]))[:, 0, 1]
        ends = np.quantile(drawn[np.isfinite(drawn)], (0.025, 0.975))
        about = approximate(value, models)
        both = min(float(ends[0]), about[0]), max(float(ends[1]), about[1])
        for place, interval in enumerate(((float(ends[0]), float(ends[1])), about, both)):
            held[place] += interval[0] <= truth <= interval[1]
            width[place] += interval[1] - interval[0]
    return (held / samples).tolist(), (width / samples).tolist()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=1000)
    samples = parser.parse_args().samples
    rng = np.random.default_rng(0)
    print("r     models  percentiles    Bonett & Wright  both   (coverage in %, width)")
    for r in (0.0, 0.5, 0.9, 0.98):
        for models in (4, 6, 8, 12, 20):
            held, width = coverage(r, models, samples, rng)
            cells = "  ".join(f"{100 * h:6.1f} {w:6.2f}" for h, w in zip(held, width, strict=True))
            print(f"{r:<5} {models:>6}  {cells}")


if __name__ == "__main__":
    main()

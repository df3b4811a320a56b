"""Answers for people to label: a random sample that has of every verdict and cell as much as the whole has.

A human-adjusted score (`snellen.prediction_powered`) takes what people looked at for a random sample of what the judge
decided. So each such answer is drawn with the same chance, but evenly: answers stand in the order of the judge's
verdict and the cell of the card's first two labels, in random order within these, and every k-th is taken, from a
random start (systematic sampling; Cochran 1977, Sampling techniques, ch. 8). Each verdict, and each cell of it, is in
the sample within one answer of its share. The sample comes in random order, so that its beginning is a random sample
too, for people who stop early. Changed versions of items, and what the judge did not decide, are left out.
"""

from __future__ import annotations

import numpy as np

from snellen.card import Card
from snellen.table import VerdictTable


def review_sample(card: Card, table: VerdictTable, size: int, seed: int = 0) -> list[int]:
    """Positions of so many answers, in the order in which they are to be labelled; all that can be where it has fewer.

    Args:
        card: whose first two labels make the cells.
        table: a run's verdicts.
        size: at least 0.
        seed: same table, size and seed, same sample.
    """
    chosen = np.flatnonzero(table.clean & table.scored)
    size = min(size, len(chosen))
    if size <= 0:
        return []
    rng = np.random.default_rng([seed, len(chosen), size])
    chosen = rng.permutation(chosen)
    strata = [(table.values[chosen] == 1).astype(np.int64)]
    for name in [name for name in card.labels if name in table.label_names][:2]:
        codes = np.zeros(len(table), np.int64)
        for code, value in enumerate(table.label_values(name), 1):
            codes[table.mask(**{name: value})] = code
        strata.append(codes[chosen])
    ordered = chosen[np.lexsort(strata[::-1])]  # stable: random within a stratum
    steps = (np.arange(size) + rng.random()) * len(ordered) / size
    return [int(each) for each in table.positions[rng.permutation(ordered[steps.astype(np.int64)])]]

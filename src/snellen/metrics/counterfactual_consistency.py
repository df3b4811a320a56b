"""Share of the changed items, where the clean truth no longer holds, that are answered as the changed picture has it.

A perturbation may alter what is true (mirrored, left is right) or remove what is asked for (grayscale takes the color).
Such a pair says nothing on resistance: one truth does not serve both its members. The changed item's reference is true
of the changed image, so its verdict says whether the model follows what it sees. The clean member does not matter.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.estimate import Estimate, rate
from snellen.pairs import PairTable
from snellen.table import VerdictTable

TITLE = "Counterfactual consistency"
HIGHER_IS_BETTER: bool | None = True


def estimate(table: VerdictTable) -> Estimate:
    """Changed items of value 1 over those with a value, of the pairs whose truth was altered or removed."""
    pairs = PairTable.of(table)
    chosen = pairs.rows.select(pairs.truth("altered", "removed"))
    return of_values(chosen.values, chosen.clusters)


def of_values(changed: npt.NDArray[np.int8], clusters: npt.ArrayLike) -> Estimate:
    """As `estimate`, of changed items whose truth was altered or removed: 1, 0 or -1 (unscored), and their clusters."""
    return rate(changed, clusters, scored=changed >= 0)

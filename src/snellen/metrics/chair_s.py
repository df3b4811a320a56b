"""Object-level CHAIR over captions: the share of captions that mention an object which is not in the picture.

CHAIR_s of Rohrbach et al. 2018 (arXiv 1809.02156), section 3.1. A long caption has more occasion to be wrong, so it is
read together with how many objects captions mention. Only captions as in `chair_i` take part.
"""

from __future__ import annotations

from snellen.estimate import Estimate, rate
from snellen.table import VerdictTable

TITLE = "CHAIR_s"
HIGHER_IS_BETTER: bool | None = False
MEASURE = "chair_s"


def estimate(table: VerdictTable) -> Estimate:
    """Captions with one or more hallucinated objects over captions, each weighing the same."""
    if MEASURE not in table.measures:
        return Estimate(None, None, None, 0, 0)
    hallucinates, captions = table.measure(MEASURE)
    counted = captions > 0  # NaN where a verdict has no such measure
    return rate(hallucinates[counted], table.clusters[counted])

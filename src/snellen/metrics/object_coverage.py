"""Share of the objects in pictures that captions mention: the recall beside CHAIR, which silence alone would lower.

Only captions as in `chair_i` take part. An object counts as mentioned by its own name or a more general one.
"""

from __future__ import annotations

from snellen.estimate import Estimate, ratio
from snellen.table import VerdictTable

TITLE = "Object coverage"
HIGHER_IS_BETTER: bool | None = True
MEASURE = "object_coverage"


def estimate(table: VerdictTable) -> Estimate:
    """Objects mentioned over objects there, each object of each caption weighing the same."""
    if MEASURE not in table.measures:
        return Estimate(None, None, None, 0, 0)
    covered, objects = table.measure(MEASURE)
    counted = objects >= 0  # NaN where a verdict has no such measure
    return ratio(covered[counted], objects[counted], table.clusters[counted], seed=0)

"""Accuracy as the published script of SHALE reads yes, no and options, on the items that have such a reading.

Its reading by substrings ("know" is no, "eyes" yes, 不是 yes) stands beside the corrected one; see `accuracy`.
"""

from __future__ import annotations

from snellen.estimate import Estimate, rate
from snellen.table import VerdictTable

TITLE = "Accuracy as published"
HIGHER_IS_BETTER: bool | None = True
MEASURE = "published"


def estimate(table: VerdictTable) -> Estimate:
    """Verdicts that are right under the published reading over verdicts with one, each weighing the same."""
    if MEASURE not in table.measures:
        return Estimate(None, None, None, 0, 0)
    right, read = table.measure(MEASURE)
    counted = read > 0  # NaN where a verdict has no such measure
    return rate(right[counted], table.clusters[counted])

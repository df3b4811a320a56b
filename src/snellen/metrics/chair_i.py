"""Object-level CHAIR over mentions: the share of objects mentioned in captions that are not in the picture.

CHAIR_i of Rohrbach et al. 2018 (arXiv 1809.02156), section 3.1: hallucinated mentions over all mentions, each mention
weighing the same, repetitions included. Only captions whose items name the objects in the picture, and that were
judged, take part. It says nothing on attributes, numbers and relations: it stands beside the non-hallucination rate.
"""

from __future__ import annotations

from snellen.estimate import Estimate, ratio
from snellen.table import VerdictTable

TITLE = "CHAIR_i"
HIGHER_IS_BETTER: bool | None = False
MEASURE = "chair_i"


def estimate(table: VerdictTable) -> Estimate:
    """Hallucinated mentions over mentions; no value where no object is mentioned."""
    if MEASURE not in table.measures:
        return Estimate(None, None, None, 0, 0)
    hallucinated, mentions = table.measure(MEASURE)
    counted = mentions >= 0  # NaN where a verdict has no such measure
    return ratio(hallucinated[counted], mentions[counted], table.clusters[counted], seed=0)

"""Share of the targets with look-alikes that are hit: LA of GUI-HalluBench (CVPR 2026), Ncor / Ntot.

A hit is a point in the target's box, or the centre of a predicted box in it. A rejection, or an answer that gives no
place, is no hit.
"""

from __future__ import annotations

from snellen.estimate import Estimate
from snellen.metrics._screens import PRESENT, share
from snellen.table import VerdictTable

TITLE = "Localization accuracy"
HIGHER_IS_BETTER: bool | None = True


def estimate(table: VerdictTable) -> Estimate:
    """Hits over scored answers where the target is there."""
    return share(table, PRESENT)

"""Share of the targets that are there and are rejected: what a high rejection rate costs.

It stands beside the rejection rate of GUI-HalluBench (CVPR 2026), for a model that rejects everything has one of 1.
"""

from __future__ import annotations

from snellen.estimate import Estimate, rate
from snellen.metrics._screens import PRESENT, of_tasks
from snellen.table import VerdictTable
from snellen.verdict import ABSTAINED

TITLE = "False rejections"
HIGHER_IS_BETTER: bool | None = False


def estimate(table: VerdictTable) -> Estimate:
    """Rejections over scored answers where the target is there."""
    there = of_tasks(table, PRESENT)
    return rate(there.flag(ABSTAINED), there.clusters, scored=there.scored)

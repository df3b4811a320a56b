"""Share of the absent targets that are rejected: RR of GUI-HalluBench (CVPR 2026), Nrej / Nfab.

Only a clear rejection counts: coordinates are none, and neither is an answer that commits to nothing.
"""

from __future__ import annotations

from snellen.estimate import Estimate
from snellen.metrics._screens import ABSENT, share
from snellen.table import VerdictTable

TITLE = "Rejection rate"
HIGHER_IS_BETTER: bool | None = True


def estimate(table: VerdictTable) -> Estimate:
    """Rejections over scored answers where the target is absent by construction."""
    return share(table, ABSENT)

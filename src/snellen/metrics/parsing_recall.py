"""Share of the elements on the screens that the parses list: R of GUI-HalluBench (CVPR 2026), Nm / Ngt.

Summed over the screens, so a screen of many elements weighs more than one of few.
"""

from __future__ import annotations

from snellen.estimate import Estimate
from snellen.metrics._screens import measured
from snellen.table import VerdictTable

TITLE = "Parsing recall"
HIGHER_IS_BETTER: bool | None = True


def estimate(table: VerdictTable) -> Estimate:
    """Matched elements over true elements, of the parses."""
    return measured(table, "recall")

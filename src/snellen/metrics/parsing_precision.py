"""Share of the listed elements that are on the screens: P of GUI-HalluBench (CVPR 2026), Nm / Npr.

What is listed with coordinates that are no place on the screen was listed all the same, and lowers it.
"""

from __future__ import annotations

from snellen.estimate import Estimate
from snellen.metrics._screens import measured
from snellen.table import VerdictTable

TITLE = "Parsing precision"
HIGHER_IS_BETTER: bool | None = True


def estimate(table: VerdictTable) -> Estimate:
    """Matched elements over listed elements, of the parses."""
    return measured(table, "precision")

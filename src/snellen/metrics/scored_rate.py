"""Share of the items that have a value: how much of the run the other numbers rest on."""

from __future__ import annotations

from snellen.estimate import Estimate, rate
from snellen.table import VerdictTable

TITLE = "Scored"
HIGHER_IS_BETTER: bool | None = True


def estimate(table: VerdictTable) -> Estimate:
    """Verdicts with a value over all verdicts, those of missing items included."""
    return rate(table.scored, table.clusters)

"""Share of the scored answers that are free of hallucination: the headline of a benchmark.

An unclear answer is the model's doing and counts as 0; an unscored item counts for nobody, and widens the bounds. Each
item weighs the same (micro average), as in the paper of ChartHal (arXiv 2509.17481).
"""

from __future__ import annotations

from snellen.estimate import Estimate, rate
from snellen.table import VerdictTable

TITLE = "Free of hallucination"
HIGHER_IS_BETTER: bool | None = True


def estimate(table: VerdictTable) -> Estimate:
    """Verdicts of value 1 over verdicts with a value."""
    return rate(table.values, table.clusters, scored=table.scored)

"""Share of the scored answers that decline to answer, whatever the verdict on them.

Abstaining is neither right nor wrong by itself (the rubric decides), so neither is more of it. The denominator is the
scored items: of an unscored one it is not known whether it abstained, be it that there is no answer or that nobody
could judge it. It widens the bounds.
"""

from __future__ import annotations

from snellen.estimate import Estimate, rate
from snellen.table import VerdictTable
from snellen.verdict import ABSTAINED

TITLE = "Abstention"
HIGHER_IS_BETTER: bool | None = None


def estimate(table: VerdictTable) -> Estimate:
    """Scored verdicts flagged as abstained over scored verdicts."""
    return rate(table.flag(ABSTAINED), table.clusters, scored=table.scored)

"""Share of the scored answers to answerable questions that decline to answer.

Which items are answerable stands on the benchmark's card; items that are not, or of which this is not known, take no
part. Like `abstention_rate`, it leaves unscored items open.
"""

from __future__ import annotations

from snellen.estimate import Estimate, rate
from snellen.table import VerdictTable
from snellen.verdict import ABSTAINED

TITLE = "Over-refusal"
HIGHER_IS_BETTER: bool | None = False


def estimate(table: VerdictTable) -> Estimate:
    """Scored verdicts flagged as abstained over scored verdicts, among answerable items."""
    asked = table.answerable
    return rate(table.flag(ABSTAINED)[asked], table.clusters[asked], scored=table.scored[asked])

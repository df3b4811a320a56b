"""Share of the matched elements whose description is the truth's, word for word (case and outer punctuation aside).

It stands beside function similarity, which barely tells contradicting attributes apart.
"""

from __future__ import annotations

from snellen.estimate import Estimate
from snellen.metrics._screens import measured
from snellen.table import VerdictTable

TITLE = "Label agreement"
HIGHER_IS_BETTER: bool | None = True


def estimate(table: VerdictTable) -> Estimate:
    """Equal descriptions over matched pairs, of the parses."""
    return measured(table, "label_agreement")

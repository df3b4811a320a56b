"""The hallucination average by items: share of the grounding items that are right, hit or rejected as the truth has it.

GUI-HalluBench (CVPR 2026) averages localization accuracy and rejection rate and does not say with which weights: this
is by items; `macro_hallucination_average` weighs the published numbers alike.
"""

from __future__ import annotations

from snellen.estimate import Estimate
from snellen.metrics._screens import ABSENT, PRESENT, share
from snellen.table import VerdictTable

TITLE = "Hallucination average by items"
HIGHER_IS_BETTER: bool | None = True


def estimate(table: VerdictTable) -> Estimate:
    """Right answers over scored ones, targets that are there and absent ones together."""
    return share(table, (*PRESENT, *ABSENT))

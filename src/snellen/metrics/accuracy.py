"""Share of the scored answers to discriminative tasks that are right: yes or no, multiple choice, free form.

As in the paper of SHALE (arXiv 2508.09584), where captions are judged for hallucinations instead. Items whose benchmark
has no label ``task`` are all of one kind, and all count. Each item weighs the same.
"""

from __future__ import annotations

from snellen.estimate import Estimate, rate
from snellen.table import VerdictTable

TITLE = "Accuracy"
HIGHER_IS_BETTER: bool | None = True

TASK = "task"
DISCRIMINATIVE = ("yes-no", "multiple-choice", "free-form")
"""Values of the label ``task`` whose answers are compared with a truth."""


def estimate(table: VerdictTable) -> Estimate:
    """Verdicts of value 1 over verdicts with a value, of the discriminative tasks."""
    if TASK in table.label_names:
        table = table.where(task=DISCRIMINATIVE)
    return rate(table.values, table.clusters, scored=table.scored)

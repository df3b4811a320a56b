"""The hallucination average of the published numbers: the mean of accuracy and rejection rate, by language.

GUI-HalluBench (CVPR 2026) gives four numbers, two a language, and their average. Each number weighs the same here,
whatever the number of its items; `hallucination_average` is by items.
"""

from __future__ import annotations

import numpy as np

from snellen.estimate import Estimate
from snellen.metrics._averages import mean_of_ratios
from snellen.metrics._screens import ABSENT, PRESENT, TASK, of_tasks
from snellen.table import LANGUAGE, VerdictTable

TITLE = "Hallucination average"
HIGHER_IS_BETTER: bool | None = True


def estimate(table: VerdictTable) -> Estimate:
    """The mean over languages and the two kinds of items of the share that is right."""
    asked = of_tasks(table, (*PRESENT, *ABSENT))
    if not len(asked):
        return Estimate(None, None, None, 0, 0)
    scored = asked.select(asked.scored)
    parts = []
    for language in asked.label_values(LANGUAGE):
        for tasks in (PRESENT, ABSENT):
            if asked.mask(**{LANGUAGE: language, TASK: tasks}).any():
                rows = scored.mask(**{LANGUAGE: language, TASK: tasks})
                parts.append((np.where(rows, scored.values, 0).astype(np.float64), rows.astype(np.float64)))
    return mean_of_ratios(parts, scored.clusters.astype(np.int64), n=len(scored), unscored=len(asked) - len(scored))

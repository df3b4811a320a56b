"""The parsing average of the published numbers: the mean of recall, precision and function similarity, by language.

GUI-HalluBench (CVPR 2026) gives six numbers, three a language, and their average; each weighs the same. Without an
embedding model there is no function similarity, and no average.
"""

from __future__ import annotations

import numpy as np

from snellen.estimate import Estimate
from snellen.metrics._averages import mean_of_ratios
from snellen.metrics._screens import PARSING, of_tasks
from snellen.table import LANGUAGE, VerdictTable

TITLE = "Parsing average"
HIGHER_IS_BETTER: bool | None = True

MEASURES = ("recall", "precision", "function_similarity")


def estimate(table: VerdictTable) -> Estimate:
    """The mean over languages and the three measures."""
    parses = of_tasks(table, PARSING)
    scored = parses.select(parses.scored)
    if not all(name in scored.measures for name in MEASURES):
        return Estimate(None, None, None, len(scored), 0, len(parses) - len(scored))
    parts = []
    for language in parses.label_values(LANGUAGE):
        rows = scored.mask(**{LANGUAGE: language})
        if not parses.mask(**{LANGUAGE: language}).any():
            continue
        for name in MEASURES:
            top, bottom = (np.where(rows & ~np.isnan(column), column, 0.0) for column in scored.measure(name))
            parts.append((top, bottom))
    return mean_of_ratios(parts, scored.clusters.astype(np.int64), n=len(scored), unscored=len(parses) - len(scored))

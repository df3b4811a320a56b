"""Estimates over the tasks of screens: parses, targets that are there, targets that are not.

Benchmarks of screens name the task in the label ``task``; a table without it has none of them.
"""

from __future__ import annotations

import numpy as np

from snellen.estimate import Estimate, rate, ratio
from snellen.table import VerdictTable

TASK = "task"
PARSING = ("parsing",)
PRESENT = ("confusion", "grounding")
ABSENT = ("fabricated",)
PRESUMED_ABSENT = ("presumed-absent",)

_SEED = 0


def of_tasks(table: VerdictTable, tasks: tuple[str, ...]) -> VerdictTable:
    """The rows of these tasks."""
    if TASK not in table.label_names:
        return table.select(np.zeros(len(table), np.bool_))
    return table.where(task=tasks)


def measured(table: VerdictTable, name: str) -> Estimate:
    """A measure over the parses: its numerators' sum over its denominators'.

    A scored parse without the measure (nothing was matched) adds nothing to either; where no parse has it, it was not
    measured and there is no value.
    """
    parses = of_tasks(table, PARSING)
    if name not in parses.measures or np.isnan(parses.measure(name)[0]).all():
        return Estimate(None, None, None, 0, 0, len(parses))
    top, bottom = (np.where(np.isnan(column), 0.0, column) for column in parses.measure(name))
    return ratio(top, bottom, parses.clusters, seed=_SEED, scored=parses.scored)


def share(table: VerdictTable, tasks: tuple[str, ...]) -> Estimate:
    """Share of ones among the scored verdicts of these tasks."""
    chosen = of_tasks(table, tasks)
    return rate(chosen.values, chosen.clusters, scored=chosen.scored)

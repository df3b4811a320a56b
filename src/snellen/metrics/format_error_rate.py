"""Share of the scored answers in which no place and no element can be read, of all tasks on screens.

Coordinates outside the image, inverted or not finite are among them: nothing is clamped or guessed.
"""

from __future__ import annotations

from snellen.estimate import Estimate, rate
from snellen.metrics._screens import ABSENT, PARSING, PRESENT, PRESUMED_ABSENT, of_tasks
from snellen.table import VerdictTable
from snellen.verdict import FORMAT_ERROR

TITLE = "Format errors"
HIGHER_IS_BETTER: bool | None = False


def estimate(table: VerdictTable) -> Estimate:
    """Verdicts flagged as format errors over scored ones."""
    screens = of_tasks(table, (*PARSING, *PRESENT, *ABSENT, *PRESUMED_ABSENT))
    return rate(screens.flag(FORMAT_ERROR), screens.clusters, scored=screens.scored)

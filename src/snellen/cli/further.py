"""What the terminal shows of runs below the table of their numbers: all that they allow, as on the report's page."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from snellen.cli.finish import piped
from snellen.cli.plain import say
from snellen.errors import UsageError
from snellen.report.analyses import analyses

if TYPE_CHECKING:
    from snellen.engine.judged import Judged

_TOLD = 20  # labels that were not used


def print_further(runs: Sequence[Judged], human: Sequence[Path]) -> None:
    """Prints it."""
    from snellen.engine.comparison import compare
    from snellen.report import audit, audit_tables, comparison, correlation, selective

    console = piped()
    for name in dict.fromkeys(run.card.name for run in runs):
        members = list({run.name: run for run in runs if run.card.name == name}.values())
        if len(members) > 1:
            with contextlib.suppress(UsageError):  # they share no item
                comparison.show(compare(members), console)
    found = analyses(runs, human)
    for numbers, associations in found.correlated:
        correlation.show(numbers, associations, console)
    if found.audited is not None:
        audit_tables.show(found.audited, console)
    if found.selected:
        selective.show(found.selected, console)
    for note in found.notes:
        say(f"note: {note}", err=True)
    for problem in audit.problem_texts(found.audited, _TOLD) if found.audited is not None else ():
        say(f"warning: {problem}", err=True)

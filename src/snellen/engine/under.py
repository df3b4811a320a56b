"""Under: a run seen under one condition of its perturbations, as if its changed items were its items.

Several runs under one condition compare models, prompts or efforts on the same changed images. One run under several
conditions compares the conditions: then the items alone whose truth was kept take part, for an item of which something
was removed asks for another answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from snellen.card import Card
from snellen.engine.comparison import Comparable
from snellen.errors import UsageError
from snellen.table import CHANGE, TRUTH, VerdictTable

CLEAN = "clean"
"""The condition of items to which nothing was done."""


@dataclass(frozen=True, slots=True)
class Under:
    """A run under a condition; what a comparison takes.

    Attributes:
        name: of the run, with the condition where it is what tells two apart.
        card: of the benchmark.
        table: the verdicts on these items, as clean ones.
        manifest: of the run, with the condition in its plan.
    """

    name: str
    card: Card
    table: VerdictTable
    manifest: Mapping[str, Any]


def under(runs: Sequence[Comparable], conditions: Sequence[str]) -> list[Comparable]:
    """Several runs under one condition, or one run under several.

    Args:
        runs: judged.
        conditions: ``jpeg:3`` as it was asked for, or `CLEAN`; none leaves the runs as they are.

    Raises:
        UsageError: several of both, a condition twice, or one under which a run was not asked.
    """
    if not conditions:
        return list(runs)
    if len(set(conditions)) < len(conditions):
        raise UsageError(f"a condition is named twice: {', '.join(conditions)}")
    if len(runs) > 1 and len(conditions) > 1:
        raise UsageError("compare several runs under one condition, or one run under several, but not both at once")
    alone = len(conditions) > 1
    return [_under(run, condition, alone) for run in runs for condition in conditions]


def _under(run: Comparable, condition: str, alone: bool) -> Under:
    table = run.table
    asked = table.vocabulary.get(CHANGE, ())
    if condition != CLEAN and condition not in asked:
        known = ", ".join((CLEAN, *asked))
        raise UsageError(f"{run.name} was not asked under {condition!r}; there are: {known}")
    if condition == CLEAN:
        chosen = table.clean
    else:
        chosen = table.mask(**{CHANGE: condition})
        if alone:
            chosen &= table.mask(**{TRUTH: "kept"})
    seen = table.select(chosen)
    own = (CHANGE, TRUTH)
    seen = replace(
        seen,
        codes={name: codes for name, codes in seen.codes.items() if name not in own},
        vocabulary={name: values for name, values in seen.vocabulary.items() if name not in own},
    )
    plan = dict(run.manifest.get("plan", {}))
    plan.pop("perturbations", None)
    return Under(
        f"{run.name} under {condition}" if alone else run.name,
        run.card,
        seen,
        {**run.manifest, "plan": {**plan, "condition": condition}},
    )

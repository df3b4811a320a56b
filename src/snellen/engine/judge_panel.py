"""Several judges of the same answers: how far they agree with each other, and what they say by majority.

A panel gives the verdict that more of its judges give who decided, and leaves the item unscored where as many say
either. Its agreement with people is audited like that of any judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from snellen.agreement import agreeing_share, cohen_kappa, krippendorff_alpha
from snellen.engine.paired import Ints
from snellen.errors import UsageError
from snellen.estimate import Estimate, rate
from snellen.table import VerdictTable
from snellen.verdict import UNSCORED

PANEL = "panel"
"""What the judges together are called."""

_TIE = UNSCORED.index("judge_cannot_tell")


@dataclass(frozen=True, slots=True)
class JudgePair:
    """Two judges of one run: the share of items that both decided on which they agree, and Cohen's kappa."""

    first: str
    second: str
    accuracy: Estimate
    kappa: Estimate

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        estimates = {"accuracy": self.accuracy.to_json(), "kappa": self.kappa.to_json()}
        return {"first": self.first, "second": self.second, **estimates}


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """The judges of one run.

    Attributes:
        run: its name.
        judges: names of its judgings.
        pairs: each with each.
        alpha: Krippendorff's over all judges.
        table: the verdicts by majority; ties are unscored.
        rate: share of the panel's verdicts that are right, over clean items.
        ties: items on which as many judges say either.
    """

    run: str
    judges: tuple[str, ...]
    pairs: tuple[JudgePair, ...]
    alpha: Estimate
    table: VerdictTable
    rate: Estimate
    ties: int

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names, without the table."""
        return {
            "run": self.run,
            "judges": list(self.judges),
            "pairs": [pair.to_json() for pair in self.pairs],
            "alpha": self.alpha.to_json(),
            "rate": self.rate.to_json(),
            "ties": self.ties,
        }


def panel(run: str, names: Sequence[str], tables: Sequence[VerdictTable]) -> Panel:
    """The judges of one run beside each other.

    Args:
        run: its name.
        names: of its judgings, two or more.
        tables: their verdicts on the same items.

    Raises:
        UsageError: there is only one, or they are not of the same items.
    """
    if len(tables) < 2:
        raise UsageError("a panel needs two judges or more")
    first = tables[0]
    if any(not np.array_equal(first.positions, table.positions) for table in tables[1:]):
        raise UsageError(f"the judgings of {run} are not of the same items; judge again what is missing")
    verdicts = np.stack([table.values for table in tables]).astype(np.int64)
    pairs = [
        JudgePair(
            names[a],
            names[b],
            agreeing_share(verdicts[a], verdicts[b], first.clusters),
            cohen_kappa(verdicts[a], verdicts[b], first.clusters),
        )
        for a, b in combinations(range(len(tables)), 2)
    ]
    values = majority(verdicts)
    reasons = np.where(values >= 0, -1, np.where((verdicts >= 0).any(0), _TIE, first.reasons)).astype(np.int8)
    table = replace(first, values=values.astype(np.int8), reasons=reasons)
    clean = table.clean
    return Panel(
        run,
        tuple(names),
        tuple(pairs),
        krippendorff_alpha(verdicts, first.clusters),
        table,
        rate(values[clean], first.clusters[clean], scored=values[clean] >= 0),
        int(((values < 0) & (verdicts >= 0).any(0)).sum()),
    )


def majority(verdicts: Ints) -> Ints:
    """Of shape (J, N) with 1, 0 or -1 for unscored: shape (N,), what most say who decided; -1 for a tie or none.

    >>> majority(np.array([[1, 1, 0, -1], [1, 0, 0, -1], [0, -1, -1, -1]])).tolist()
    [1, -1, 0, -1]
    """
    ahead = (verdicts == 1).sum(0) - (verdicts == 0).sum(0)
    return np.where(ahead > 0, 1, np.where(ahead < 0, 0, -1)).astype(np.int64)

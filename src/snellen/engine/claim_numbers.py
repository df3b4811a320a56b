"""What a judge of atomic claims found in a run's answers: hallucinated claims per answer, and their share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.estimate import Estimate
from snellen.metrics import claim_hallucination_rate, hallucinated_claims_per_answer
from snellen.table import VerdictTable

COUNTED = hallucinated_claims_per_answer.COUNTED


@dataclass(frozen=True, slots=True)
class ClaimNumbers:
    """Atomic claims of clean items.

    Attributes:
        answers: that were taken apart, and of whose claims the judge could tell any.
        claims: in these and in the others.
        supported, contradicted, absent: so many of these.
        untold: claims of which the judge cannot tell.
        per_answer: hallucinated claims per answer.
        rate: share of the claims that are hallucinated, of those that could be told.
    """

    answers: int
    claims: int
    supported: int
    contradicted: int
    absent: int
    untold: int
    per_answer: Estimate
    rate: Estimate

    def text(self) -> str:
        """In one sentence."""
        low, high = self.per_answer.low, self.per_answer.high
        mean = "none" if self.per_answer.value is None else f"{self.per_answer.value:.2f}"
        interval = "" if low is None or high is None else f" [{low:.2f}, {high:.2f}]"
        share = f"{self.rate:value} {self.rate:interval}".rstrip()
        told = self.claims - self.untold
        untold = f"; {self.untold:,} more cannot be told" if self.untold else ""
        return (
            f"Claims in {self.answers:,} answers: {mean}{interval} hallucinated per answer; {share} of {told:,} claims "
            f"({self.contradicted:,} contradicted, {self.absent:,} absent, {self.supported:,} supported){untold}."
        )

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        numbers = {name: getattr(self, name) for name in self.__slots__}
        return numbers | {"per_answer": self.per_answer.to_json(), "rate": self.rate.to_json()}


def claim_numbers(table: VerdictTable) -> ClaimNumbers | None:
    """Of a table's answers; None where no answer was taken apart.

    Args:
        table: of clean items.
    """
    if COUNTED not in table.measures:
        return None
    claims, _ = table.measure(COUNTED)
    total = int(np.nansum(claims))
    sums = {
        name: int(np.nansum(table.measure(name)[0])) if name in table.measures else 0
        for name in ("supported", "contradicted", "absent")
    }
    per_answer = hallucinated_claims_per_answer.estimate(table)
    return ClaimNumbers(
        per_answer.n,
        total,
        **sums,
        untold=total - sum(sums.values()),
        per_answer=per_answer,
        rate=claim_hallucination_rate.estimate(table),
    )

"""Verdict: what a judge says of an answer.

Right, wrong, unclear and unscored are four things. *Unclear* is the model's doing: value 0 with the flag. *Unscored*
is ours or the outside world's: value None with the reason why in `unscored`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

ABSTAINED = "abstained"
UNCLEAR = "unclear"
TRUNCATED = "truncated"
EMPTY = "empty"
FORMAT_ERROR = "format_error"
PREMISE_CORRECTED = "premise_corrected"
HEDGED = "hedged"
FLAGS = (ABSTAINED, UNCLEAR, TRUNCATED, EMPTY, FORMAT_ERROR, PREMISE_CORRECTED, HEDGED)
"""Every flag a verdict can carry, in a fixed order (its position is its bit in the ledger and in tables)."""

UNSCORED = (
    "model_error",  # the model gave no answer
    "blocked",  # a content filter stopped the answer
    "truncated",  # the answer was cut
    "judge_error",  # the judge gave no readable verdict
    "judge_cannot_tell",  # the judge says that it cannot decide
    "data_error",  # the item's own row or image is broken
    "missing",  # not asked or not judged yet
)
"""Why an item has no value."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judgement of one answer.

    Attributes:
        value: 1 free of hallucination, 0 not, None unscored.
        reason: one sentence for people; may quote model output, so treat as hostile when it is shown.
        flags: from `FLAGS`.
        unscored: one of `UNSCORED`, set exactly when the value is None.
        measures: name -> (numerator, denominator), for what is not a yes or no.
    """

    value: int | None
    reason: str = ""
    flags: tuple[str, ...] = ()
    unscored: str = ""
    measures: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.value not in (0, 1, None):
            raise ValueError(f"a verdict is 0, 1 or None, not {self.value!r}")
        if (self.value is None) != bool(self.unscored):
            raise ValueError("a verdict says why it is unscored exactly when it has no value")
        if self.unscored and self.unscored not in UNSCORED:
            raise ValueError(f"unknown reason for being unscored: {self.unscored!r}")
        if unknown := set(self.flags) - set(FLAGS):
            raise ValueError(f"unknown flags: {sorted(unknown)}")

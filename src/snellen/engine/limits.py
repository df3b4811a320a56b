"""Limits: how fast a session goes, and where it stops."""

from __future__ import annotations

from dataclasses import dataclass, replace

from snellen.engine.budget import Tally
from snellen.errors import UsageError


@dataclass(frozen=True, slots=True)
class Limits:
    """How fast and how far.

    Attributes:
        concurrency: requests to the model in flight at once.
        judge_concurrency: requests to the judge in flight at once.
        shared_pool: model and judge share the `concurrency`, instead of having a pool each.
        batch, judge_batch: requests to the model or the judge go into batches.
        max_cost, max_failures: caps that stop the session cleanly; None for none.
        spent, failed: cost and failures of sessions before this one that count towards the same caps.
    """

    concurrency: int = 32
    judge_concurrency: int = 32
    max_cost: float | None = None
    max_failures: int | None = None
    shared_pool: bool = False
    batch: bool = False
    judge_batch: bool = False
    spent: float = 0.0
    failed: int = 0

    def __post_init__(self) -> None:
        if self.concurrency < 1 or self.judge_concurrency < 1:
            raise UsageError("the concurrency must be at least 1")
        if self.max_cost is not None and not self.max_cost >= 0:
            raise UsageError("the cap on cost must be 0 or more")
        if self.max_failures is not None and self.max_failures < 0:
            raise UsageError("the cap on failures must be 0 or more")

    def after(self, *booked: Tally) -> Limits:
        """The same for a session that comes after others, whose caps are its own too."""
        spent, failed = sum(each.cost for each in booked), sum(each.failed for each in booked)
        return replace(self, spent=self.spent + spent, failed=self.failed + failed)

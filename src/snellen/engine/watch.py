"""Watch and outcome: what a session tells while it works, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from snellen.engine.batch_terms import Waiting
from snellen.engine.budget import Tally
from snellen.engine.expect import Expectation
from snellen.engine.planning import Positions


@dataclass(slots=True)
class Watch:
    """What a session tells while it works; set the callbacks to be told.

    Attributes:
        on_plan: number of items planned so far.
        on_expect: expectations, before the first request.
        on_progress: tallies of model and judge, about twice a second and at the end.
        on_wait: role (``model`` or ``judge``) and how its batches stand, after each look at them.
        on_warning: one sentence.
    """

    on_plan: Callable[[int], None] = lambda count: None
    on_expect: Callable[[Sequence[Expectation]], None] = lambda expectations: None
    on_progress: Callable[[Tally, Tally], None] = lambda model, judge: None
    on_wait: Callable[[str, Waiting], None] = lambda role, waiting: None
    on_warning: Callable[[str], None] = lambda text: None


@dataclass(slots=True)
class Outcome:
    """How a session ended.

    Attributes:
        stopped: why it ended early: ``interrupted``, or the cap that was reached; empty when it did not.
        interrupted: by Ctrl-C or a termination signal.
        model, judge: tallies.
        positions: of the view, in the benchmark.
        expectations: as they were told.
    """

    stopped: str = ""
    interrupted: bool = False
    model: Tally = field(default_factory=Tally)
    judge: Tally = field(default_factory=Tally)
    positions: Positions = field(default_factory=Positions)
    expectations: tuple[Expectation, ...] = ()

"""Repeating: a plan asked several times, every answer judged several times, one session after the other.

A repeat is a run of its own, which asks the same under another sample number; so is a judging of a repeat. What is in
the ledger is never asked again: more repeats or judgings ask what they add. Caps hold over all sessions together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace

from snellen.engine.budget import Tally
from snellen.engine.expect import Expectation
from snellen.engine.judge import Judge
from snellen.engine.limits import Limits
from snellen.engine.plan import Plan, View
from snellen.engine.planning import Positions
from snellen.engine.prepare import first_of, judging_digest, register_judging, register_run
from snellen.engine.sitting import foresee, is_empty, refuse_clean, sit, take_back, take_out
from snellen.engine.watch import Outcome, Watch
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.ledger import RunRow, planned
from snellen.ledger.planned import judged_count

JUDGINGS = 2
"""Of each answer, where answers are repeated, a model judges, and nothing else is said: with one, what is due to the
judge could not be told from what is due to the model."""

MOST = 1_000
"""Repeats, and judgings of an answer: more is a slip of the hand, and to count them up alone would take minutes."""


@dataclass(slots=True)
class Sat:
    """A session that was held: the run, its judging, who judged, and how it ended."""

    row: RunRow
    judging: RunRow | None
    judge: Judge | None
    outcome: Outcome


@dataclass(slots=True)
class Times:
    """How often.

    Attributes:
        repeats: answers of each item.
        judgings: verdicts on each answer.
    """

    repeats: int = 1
    judgings: int = 1


def times_of(judge: Judge | None, repeats: int, judgings: int | None) -> Times:
    """How often answers are judged where they are given so often; `JUDGINGS` where it makes sense and nothing is said.

    Raises:
        UsageError: fewer than one, or more than `MOST`; a judge that says the same each time is to judge again.
    """
    if repeats < 1 or (judgings is not None and judgings < 1):
        raise UsageError("answers are asked for once at least, and judged once: --repeats 1, --judge-repeats 1")
    if max(repeats, judgings or 1) > MOST:
        raise UsageError(f"{max(repeats, judgings or 1):,} times is too often: {MOST:,} repeats and judgings at most")
    draws = judge is not None and judge.draws
    if judgings is not None and judgings > 1 and not draws:
        who = "nobody judges" if judge is None else f"{judge.label} says the same of an answer each time"
        raise UsageError(f"{who}: leave --judge-repeats out, or name a served model as the judge")
    return Times(repeats, judgings or (JUDGINGS if draws and repeats > 1 else 1))


def check(plan: Plan, repeats: int, on_warning: Callable[[str], None]) -> None:
    """What can be said before anything is asked.

    Raises:
        UsageError: the answers would be the same each time.
    """
    if repeats < 2:
        return
    if plan.recording is not None:
        raise UsageError("recorded answers were given once: they cannot be repeated; leave --repeats out")
    if not plan.served:
        raise UsageError(f"{plan.model.name} says the same each time: --repeats is for served models, leave it out")
    if plan.parameters.get("temperature") == 0:
        on_warning(
            f"{plan.model.name} is asked at temperature 0: repeats show the server's own spread and no more; for that "
            "of sampling, put parameters = { temperature = 1 }, or what it is used with, into its entry of models.toml"
        )


def repeat(
    workspace: Workspace,
    plan: Plan,
    judge: Judge | None,
    repeats: int,
    judgings: int | None,
    view: View,
    limits: Limits | None,
    watch: Watch | None,
    *,
    dry: bool = False,
) -> list[Sat]:
    """Hold a session for each repeat and judging, until one is stopped.

    Args:
        workspace, view, limits, watch: as of a session; caps, progress and what is expected are of all together.
        plan: of the first repeat.
        judge: of its first judging.
        repeats: answers of each item.
        judgings: verdicts on each answer; as of `times_of`.
        dry: stop before the first request; runs that were not there before are not there afterwards.

    Returns:
        A session for each repeat, with its first judging; that of the first repeat has the outcome of all together.

    Raises:
        UsageError: as `times_of` and `check`, or as a session.
    """
    times, limits, watch = times_of(judge, repeats, judgings), limits or Limits(), watch or Watch()
    check(plan, repeats, watch.on_warning)
    row = register_run(workspace, plan)
    refuse_clean(workspace, row, judge)
    judging = register_judging(workspace, row, judge) if judge is not None else None
    fresh = [each for each in (judging, row) if each is not None and is_empty(workspace, each)]
    before = Positions(planned.positions_of(workspace.ledger, row.id))
    together = _Together(limits, watch)
    seen = foresee(workspace, plan, row, judge, judging, view=view, limits=limits, watch=together.watch)
    first = Sat(row, judging, judge, seen)
    if seen.stopped:
        return [first]
    together.tell(_all_together(workspace, plan, judge, times, first))
    if dry:
        take_back(workspace, row, before)
        take_out(workspace, fresh)
        seen.expectations = together.expected
        return [first]
    held = []
    for number in range(times.repeats):
        again = replace(plan, repeat=number, tallies={}, problems=[])
        row = register_run(workspace, again)
        held.append(_judged_so_often(workspace, again, row, judge, times.judgings, view, together))
        if together.outcome.stopped:
            break
    return together.over(workspace, held)


def judge_again(
    workspace: Workspace,
    row: RunRow,
    rows: Sequence[RunRow],
    judge: Judge,
    judgings: int | None,
    limits: Limits | None,
    watch: Watch | None,
    *,
    dry: bool,
) -> list[Sat]:
    """Judge the answers of repeats so often, one after the other.

    Args:
        row: the run that is named: the first of several stands for all, another for itself.
        rows: the run and its repeats.
        workspace, judge, judgings, limits, watch, dry: as of `repeat`.
    """
    judgings, limits, watch = times_of(judge, len(rows), judgings).judgings, limits or Limits(), watch or Watch()
    refuse_clean(workspace, row, judge)
    rows = rows if row.id == rows[0].id else [row]
    together, before = _Together(limits, watch), _Together(limits, watch)
    held = [_judged_so_often(workspace, None, row, judge, judgings, View(), before, dry=True) for row in rows]
    first = held[0].outcome.expectations  # of the judge alone, or of nobody where it asks nothing
    counts = sum(each.requests for each in before.each), sum(each.stored for each in before.each)
    together.tell([each.of(*counts, _named(each.name, len(rows), judgings)) for each in first])
    if dry:
        held[0].outcome.expectations = together.expected
        return held
    held = []
    for row in rows:
        held.append(_judged_so_often(workspace, None, row, judge, judgings, View(), together))
        if together.outcome.stopped:
            break
    return together.over(workspace, held)


def _judged_so_often(
    workspace: Workspace,
    plan: Plan | None,
    row: RunRow,
    judge: Judge | None,
    judgings: int,
    view: View,
    together: _Together,
    *,
    dry: bool = False,
) -> Sat:
    """The first judging while answers come in, the others when all are there; gives the first."""
    first: Sat | None = None
    for number in range(judgings):
        by = first_of(judge, row.spec.get("repeat", 0), number) if judge is not None else None
        judging = register_judging(workspace, row, by) if by is not None else None
        if first is not None:
            plan, view = None, View(positions=first.outcome.positions)
        limits = together.limits(judging_only=plan is None)
        outcome = sit(workspace, plan, row, by, judging, view=view, limits=limits, watch=together.watch, dry=dry)
        together.add(outcome)
        first = first or Sat(row, judging, by, outcome)
        if together.outcome.stopped:
            break
    assert first is not None
    return first


def _all_together(workspace: Workspace, plan: Plan, judge: Judge | None, times: Times, first: Sat) -> list[Expectation]:
    """What all sessions are expected to take, from what the first is, and from what the ledger holds of the others."""
    ledger, positions = workspace.ledger, first.outcome.positions
    rows = {row.plan: row for row in ledger.runs()}
    askable, wanted = first.outcome.model.planned, _keys(workspace, first.row, first.outcome)[0]
    asked = [first.outcome.model.to_ask]
    left = []
    for number in range(times.repeats):
        again = replace(plan, repeat=number)
        row = rows.get(again.hash)
        if number:
            asked.append(len(wanted) - (len(_keys(workspace, row, first.outcome)[1]) if row is not None else 0))
        for judging in range(times.judgings if judge is not None else 0):
            by = first_of(judge, number, judging) if judge is not None else None
            there = rows.get(judging_digest(again.hash, by)) if by is not None else None
            left.append(askable - (judged_count(ledger, there.id, positions) if there is not None else 0))
    found = []
    for each in first.outcome.expectations:
        of_judge = each.role == "judge"
        total = sum(left) if of_judge else sum(max(0, count) for count in asked)
        planned_in_all = askable * times.repeats * (times.judgings if of_judge else 1)
        name = _named(each.name, times.repeats, times.judgings if of_judge else 1)
        found.append(each.of(total, planned_in_all - total, name))
    return found


def _named(name: str, repeats: int, judgings: int) -> str:
    said = [f"{repeats} repeats"] if repeats > 1 else []
    said += [f"each answer judged {judgings} times"] if judgings > 1 else []
    return f"{name} ({', '.join(said)})" if said else name


def _keys(workspace: Workspace, row: RunRow, outcome: Outcome) -> tuple[set[bytes], set[bytes]]:
    """Keys of the requests of a run in the view, and those of them that are answered."""
    every: set[bytes] = set()
    answered: set[bytes] = set()
    for page in planned.keys_of(workspace.ledger, row.id, 1 << 62):
        for position, _, key, there in page:
            if key is not None and position in outcome.positions:
                every.add(key)
                if there:
                    answered.add(key)
    return every, answered


@dataclass
class _Together:
    """Several sessions as one: what is left of the caps, progress over all, every warning once."""

    given: Limits
    told: Watch
    outcome: Outcome = field(default_factory=Outcome)
    expected: tuple[Expectation, ...] = ()
    each: list[Expectation] = field(default_factory=list)
    _warned: set[str] = field(default_factory=set)

    def limits(self, *, judging_only: bool) -> Limits:
        """For the next session."""
        given = replace(self.given, batch=self.given.batch and not judging_only)
        return given.after(self.outcome.model, self.outcome.judge)

    @property
    def watch(self) -> Watch:
        """Of a session."""
        return Watch(
            on_plan=self.told.on_plan,
            on_expect=self.each.extend,
            on_progress=self._progress,
            on_wait=self.told.on_wait,
            on_warning=self._warn,
        )

    def tell(self, expectations: Sequence[Expectation]) -> None:
        """What all of them are expected to take."""
        self.expected = tuple(expectations)
        self.told.on_expect(expectations)

    def over(self, workspace: Workspace, held: list[Sat]) -> list[Sat]:
        """The sessions, with the runs as they are now, the first with the outcome of all."""
        rows = {row.id: row for row in workspace.ledger.runs()}
        for sat in held:
            sat.row = rows.get(sat.row.id, sat.row)
            sat.judging = rows.get(sat.judging.id, sat.judging) if sat.judging is not None else None
        held[0].outcome = replace(self.outcome, positions=held[0].outcome.positions, expectations=self.expected)
        return held

    def add(self, outcome: Outcome) -> None:
        """A session has ended."""
        done = self.outcome
        done.stopped, done.interrupted = outcome.stopped, outcome.interrupted
        done.model, done.judge = _sum(done.model, outcome.model), _sum(done.judge, outcome.judge)

    def _warn(self, text: str) -> None:
        if text not in self._warned:
            self._warned.add(text)
            self.told.on_warning(text)

    def _progress(self, model: Tally, judge: Tally) -> None:
        both = [_sum(self.outcome.model, model), _sum(self.outcome.judge, judge)]
        for tally, role in zip(both, ("model", "judge"), strict=True):
            foreseen = sum(each.requests for each in self.expected if each.role == role)
            tally.to_ask = max(tally.to_ask, foreseen)
        self.told.on_progress(*both)


def _sum(one: Tally, other: Tally) -> Tally:
    """Two sessions' counters as one; the newest failure, the earlier start."""
    total = Tally(started=min(one.started, other.started), last_error=other.last_error or one.last_error)
    for each in fields(Tally):
        if each.name not in ("started", "last_error"):
            setattr(total, each.name, getattr(one, each.name) + getattr(other, each.name))
    return total

"""A sitting at a run: a session in an event loop of its own, and a note of it in the run's manifest."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from snellen.engine.judge import Judge
from snellen.engine.limits import Limits
from snellen.engine.plan import Plan, View
from snellen.engine.planning import Positions
from snellen.engine.session import Session
from snellen.engine.watch import Outcome, Watch
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.ledger import RunRow, planned

T = TypeVar("T")


def sit(
    workspace: Workspace,
    plan: Plan | None,
    run: RunRow,
    judge: Judge | None,
    judging: RunRow | None,
    *,
    view: View | None = None,
    limits: Limits | None = None,
    watch: Watch | None = None,
    dry: bool = False,
) -> Outcome:
    """Go as far as there is something to do; arguments as of `Session`.

    A sitting that is not dry is taken down in the manifests of the run and of the judging: when, how long, how many
    requests, what they cost, and why it ended early. A dry one leaves no run and no judging behind that held nothing
    before it, and one that fails before the first item none that holds nothing. A run that holds a part of the plan
    holds no more of it after a dry sitting.
    """
    held = Positions(planned.positions_of(workspace.ledger, run.id)) if dry else Positions()
    empty = [row for row in (judging, run) if row is not None and is_empty(workspace, row)]
    session = Session(
        workspace, plan, run, judge, judging, view or View(), limits or Limits(), watch or Watch(), dry=dry
    )
    started = time.time()
    try:
        outcome = _in_a_loop(session.work)
    except BaseException:
        take_back(workspace, run, held)
        take_out(workspace, [row for row in empty if dry or is_empty(workspace, row)])
        raise
    if dry:
        take_back(workspace, run, held)
        take_out(workspace, empty)
    else:
        _take_down(workspace, run, plan, outcome, started)
        if judging is not None:
            _take_down(workspace, judging, None, outcome, started)
    return outcome


def foresee(
    workspace: Workspace,
    plan: Plan,
    run: RunRow,
    judge: Judge | None,
    judging: RunRow | None,
    *,
    view: View,
    limits: Limits,
    watch: Watch,
) -> Outcome:
    """What a sitting would take, before the sitting: as a dry one, but the run and the judging stay as they are."""
    try:
        return _in_a_loop(Session(workspace, plan, run, judge, judging, view, limits, watch, dry=True).work)
    except BaseException:
        take_out(workspace, [row for row in (judging, run) if row is not None and is_empty(workspace, row)])
        raise


def refuse_clean(workspace: Workspace, row: RunRow, judge: Judge | None) -> None:
    """Raises UsageError where a judge is to see clean versions and the run has no others; a new run goes again."""
    if judge is not None and judge.on != "changed" and not row.spec.get("perturbations"):
        if is_empty(workspace, row):
            take_out(workspace, [row])
        raise UsageError(f"{row.name} has no changed items that could be judged on their clean version")


def is_empty(workspace: Workspace, row: RunRow) -> bool:
    """Whether a run or judging holds nothing: no item, no verdict, no reply, no session."""
    return not row.manifest.get("sessions") and workspace.ledger.is_empty(row.id)


def take_out(workspace: Workspace, rows: Sequence[RunRow]) -> None:
    """Delete runs and judgings; not while other processes ask through the ledger, for they may have begun with one."""
    if rows and not workspace.ledger.others():
        for row in rows:
            workspace.ledger.delete_run(row.id)


def take_back(workspace: Workspace, run: RunRow, held: Positions) -> None:
    """Leave a run as it was before a dry sitting: what it is not to ask yet would count as missing.

    Args:
        run: that was planned; not touched while other processes ask, for they may ask what was taken down.
        held: its positions before.
    """
    fresh = [each for each in planned.positions_of(workspace.ledger, run.id) if each not in held] if held else []
    if fresh and not workspace.ledger.others():
        workspace.ledger.forget_items(run.id, fresh)


def _take_down(workspace: Workspace, row: RunRow, plan: Plan | None, outcome: Outcome, started: float) -> None:
    tally = outcome.judge if row.parent is not None else outcome.model
    session = {
        "started": round(started, 3),
        "seconds": round(time.time() - started, 3),
        "requests": tally.asked,
        "failed": tally.failed,
        "retries": tally.retries,
        "cost": round(tally.cost, 6),
        "stopped": outcome.stopped,
    }
    manifest: dict[str, Any] = {**row.manifest, "sessions": [*row.manifest.get("sessions", []), session][-100:]}
    manifest["cost"] = round(row.manifest.get("cost", 0.0) + tally.cost, 6)
    if plan is not None:
        if plan.tallies:
            manifest["perturbations"] = {name: tally.to_json() for name, tally in plan.tallies.items()}
        manifest["problems"] = [str(problem) for problem in plan.problems[:1000]]
    workspace.ledger.record(row.id, manifest)


def _in_a_loop(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine, in a thread of its own where a loop runs already (a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        try:
            return asyncio.run(work())
        except asyncio.CancelledError:  # the second Ctrl-C: see `Session`
            raise KeyboardInterrupt from None
    outcome: list[T] = []
    errors: list[BaseException] = []

    def inside() -> None:
        try:
            outcome.append(asyncio.run(work()))
        except BaseException as error:  # handed to the caller's thread
            errors.append(error)

    thread = threading.Thread(target=inside, name="snellen-session")
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return outcome[0]

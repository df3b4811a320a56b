"""What every command that sits at a run ends with: the table, the report, the exit status."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from snellen.cli.plain import plain, say

if TYPE_CHECKING:
    from rich.console import Console

    from snellen.engine.asked import Asked
    from snellen.engine.judged import Judged
    from snellen.library import Run


NEEDED = (
    "snellen.engine.judged",
    "numpy.ma",  # by numpy itself, when it is first asked for distinct values
    "snellen.report.tables",
    "rich.console",
    "rich.table",
    "rich.box",
    "rich.text",
)
"""Modules of the numbers and the table, which asking can do without."""

_GRAVITY = (0, 1, 3, 130)  # statuses, the one that is told last


def finish(runs: Sequence[Run], report: Path | None, as_json: bool, *, dry: bool) -> int:
    """Print and write what came out of one run, or of several that one command asked for; returns the exit status."""
    if dry:
        if as_json:
            told = [{"run": run.name, "expected": [_plain(each) for each in run.outcome.expectations]} for run in runs]
            echo_json(told[0] if len(told) == 1 else told)
        else:
            click.echo("\n".join(run.name for run in runs))
        return 0
    if runs[0].judging is None and report is None and not as_json:
        counts = [_print_asked(run) for run in runs]
    else:
        judged = [run.judged for run in runs]
        print_judged(judged, as_json, stopped=runs[-1].outcome.stopped)
        for each in judged:
            _suspect_convention(each)
        if report is not None:
            from snellen import library

            say(f"report: {library.write_report(judged, report)}", err=as_json)
        # Of changed items too, which the results' own counts leave out.
        counts = [each.table.unscored_counts() for each in judged]
    last = runs[-1].outcome
    if last.stopped and not last.interrupted:
        say(f"stopped: {last.stopped}", err=True)
    statuses = [status(run, each) for run, each in zip(runs, counts, strict=True)]
    statuses += [_status_of_other(other) for run in runs for other in run.others]
    return max(statuses, key=_GRAVITY.index)


def _status_of_other(run: Run) -> int:
    """As `status`, of another repeat; that it was interrupted or stopped by a cap is told of the first."""
    if run.outcome.stopped:
        return 0
    return status(run, _asked(run).counts if run.judging is None else run.judged.table.unscored_counts())


def _asked(run: Run) -> Asked:
    from snellen.engine.asked import asked

    return asked(run.workspace.ledger, run.row, run.outcome.positions or None)


def _print_asked(run: Run) -> Mapping[str, int]:
    """What came of asking alone, in a few lines: the table would be empty, and costs a quarter of a second."""
    found = _asked(run)
    width = shutil.get_terminal_size().columns
    for each in (found, *map(_asked, run.others)):
        say(f"{each.name}\n{each.counts_text()}")
    say(f"Nothing is judged yet: snellen judge {found.name}")
    for remark in found.remarks:
        say(click.wrap_text(plain(remark), width, "- ", "  "))
    return found.counts


def _suspect_convention(judged: Judged) -> None:
    """A warning where the coordinates of a run on screens mean far more in another convention."""
    if judged.card.domain != "screen" or judged.judging is None:
        return
    from snellen.engine.rereading import warning

    if said := warning(judged):
        say(f"warning: {said}", err=True)


def status(run: Run, counts: Mapping[str, int]) -> int:
    """0 done, 1 answers or verdicts failed or missing, 3 stopped by a cap, 130 interrupted.

    Args:
        run: after its session.
        counts: why items, changed ones too, are unscored -> how many.
    """
    if run.outcome.interrupted:
        click.echo("interrupted; the same command goes on where it was", err=True)
        return 130
    if run.outcome.stopped:
        return 3
    lacking = ("model_error", "judge_error", "data_error", "missing")
    if run.judging is None:
        asked = run.outcome.model
        lacking_answers = asked.asked - asked.failed < asked.to_ask
        return 1 if lacking_answers or any(counts.get(reason) for reason in ("model_error", "data_error")) else 0
    return 1 if any(counts.get(reason) for reason in lacking) else 0


def print_judged(runs: list[Judged], as_json: bool, stopped: str = "") -> None:
    """The table of one or several judged runs, or their numbers as JSON."""
    if as_json:
        plain: list[dict[str, Any]] = [
            {
                "run": judged.name,
                "results": judged.results.to_json(),
                "remarks": list(judged.remarks),
                **({"repeats": judged.repeats.to_json()} if judged.repeats is not None else {}),
                "differences": [each.to_json() for each in judged.differences],
                "manifest": judged.manifest,
                **({"stopped": stopped} if stopped else {}),
            }
            for judged in runs
        ]
        echo_json(plain[0] if len(plain) == 1 else plain)
        return
    from snellen.report import tables

    tables.summary(runs, piped())


def piped() -> Console:
    """Standard output for tables."""
    from rich.console import Console

    class Piped(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # handled as for every other output, instead of ending with status 1

    return Piped(highlight=False)


def echo_json(value: Any) -> None:
    """A value as indented JSON on standard output."""
    import json

    import orjson

    try:
        text = orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS).decode()
    except TypeError:  # a file's name that is no text in any encoding: written as escapes
        text = json.dumps(value, indent=2)
    click.echo(text)


def _plain(expectation: Any) -> dict[str, Any]:
    return {name: getattr(expectation, name) for name in expectation.__slots__}

"""What every command that sits at a run ends with: the table, the report, the exit status."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from snellen.cli.plain import plain, say

if TYPE_CHECKING:
    from rich.console import Console

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


def finish(run: Run, report: Path | None, as_json: bool, *, dry: bool) -> int:
    """Print and write what came out; returns the exit status."""
    if dry:
        if as_json:
            echo_json({"run": run.name, "expected": [_plain(each) for each in run.outcome.expectations]})
        else:
            click.echo(run.name)
        return 0
    if run.judging is None and report is None and not as_json:
        counts = _print_asked(run)
    else:
        judged = run.judged
        print_judged([judged], as_json, stopped=run.outcome.stopped)
        _suspect_convention(judged)
        if report is not None:
            say(f"report: {run.report(report)}", err=as_json)
        counts = judged.table.unscored_counts()  # of changed items too, which the results' own counts leave out
    if run.outcome.stopped and not run.outcome.interrupted:
        say(f"stopped: {run.outcome.stopped}", err=True)
    return status(run, counts)


def _print_asked(run: Run) -> Mapping[str, int]:
    """What came of asking alone, in a few lines: the table would be empty, and costs a quarter of a second."""
    from snellen.engine.asked import asked

    found = asked(run.workspace.ledger, run.row, run.outcome.positions or None)
    width = shutil.get_terminal_size().columns
    say(f"{found.name}\n{found.counts_text()}\nNothing is judged yet: snellen judge {found.name}")
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

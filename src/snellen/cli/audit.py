"""snellen audit"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from snellen.cli import loading, options

if TYPE_CHECKING:
    from snellen.engine.auditing import Audited

_TOLD = 20  # labels that were not used, of which the terminal tells


@click.command(name="audit", short_help="Lay a run's judges beside people's labels and beside each other.")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@options.human
@click.option("--items", "list_items", is_flag=True, help="List the answers that a judge and people see differently.")
@options.outputs
@click.pass_obj
def command(
    workspace: Path,
    runs: tuple[str, ...],
    human: tuple[Path, ...],
    list_items: bool,
    report: Path | None,
    as_json: bool,
) -> int:
    """Tell how far the judges of RUN... agree with people and with each other, and what score people would have given.

    A RUN is audited through all its judgings, a judging RUN@JUDGE alone. With judges of several runs it is told, too,
    whether a judge favours models of its own family. A label is 1 or right, 0 or wrong, or empty for one that cannot be
    told. Exit status 1 says that some labels were not used.

    \b
    snellen audit charthal/qwen2.5-vl-7b-3f2a91 --human labels.csv --items
    """
    with loading.quickly():
        from snellen.cli.finish import echo_json, piped
        from snellen.cli.plain import say
        from snellen.engine.auditing import audit_runs
        from snellen.engine.workspace import Workspace
        from snellen.errors import UsageError
        from snellen.report import audit, audit_tables, page

    with Workspace(workspace) as opened:
        found = audit_runs(opened, runs, human)
        if not human and all(run.panel is None for run in found.runs):
            raise UsageError(
                "there is nothing to lay beside these judgings, each the only one of its run that is named: give "
                "people's labels with --human, or judge the runs again with another judge (snellen judge)"
            )
        if as_json:
            plain = found.to_json()
            if list_items:
                for run, values in zip(found.runs, plain["runs"], strict=True):
                    for each, of in zip(run.audits, values["audits"], strict=True):
                        of["disagreements"] = [item.to_json() for item in run.disagreements(each)]
            echo_json(plain)
        else:
            audit_tables.show(found, piped())
            for line in _items(found) if list_items else ():
                say(line)
        if report is not None:
            judged = [each for run in found.runs for each in run.judged]
            page.write(judged, report, audited=audit.section(found))
            say(f"report: {report}", err=as_json)
    for problem in audit.problem_texts(found, _TOLD):
        say(f"warning: {problem}", err=True)
    return 1 if found.problems else 0


def _items(found: Audited) -> Iterator[str]:
    from snellen.report.audit import judge_title, said_by
    from snellen.report.text import one_line

    for run in found.runs:
        for each in run.audits:
            yield f"{judge_title(run, each.name)} and people differ: {len(each.disagreements):,}"
            for item in run.disagreements(each):
                judge = "right" if item.judge else "wrong"
                yield f"  {one_line(item.item, 200)}: judge {judge}; people {said_by(item.people)}"
                yield f"    answer: {one_line(item.answer, 300)}"
                if item.reason:
                    yield f"    judge: {one_line(item.reason, 300)}"

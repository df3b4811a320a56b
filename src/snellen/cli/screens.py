"""snellen screens"""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli import loading, options


@click.command(name="screens", short_help="Read a finished run on screens again in another light.")
@click.argument("run")
@click.option(
    "--parses",
    default="",
    metavar="RUN",
    help="Where the parsing items are for the lists in RUN's answers (prompt pgp). [default: RUN itself]",
)
@click.option(
    "--draws", type=click.IntRange(1), default=5, show_default=True, help="How often each change of the truth is drawn."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of these draws.")
@options.json_output
@click.pass_obj
def command(workspace: Path, run: str, parses: str, draws: int, seed: int, as_json: bool) -> int:
    """Read the answers of RUN again: over overlaps from 0.3 to 0.9, with true boxes dropped or moved, lists in answers
    as parses, and in every convention of coordinates. No model is asked.

    RUN is a judging RUN@JUDGE, or a run seen through its newest judging, whose convention and matching are used.
    """
    with loading.quickly():
        from snellen import library
        from snellen.cli.finish import echo_json, piped
        from snellen.engine.rereading import reread
        from snellen.engine.workspace import Workspace
        from snellen.errors import UsageError
        from snellen.report import reread_tables

    with Workspace(workspace) as opened:
        judged = library.open_judged(opened, run)
        other = opened.ledger.find_run(parses.partition("@")[0]) if parses else None
        found = reread(opened, judged, parses=other, draws=draws, seed=seed)
    if found is None:
        raise UsageError(f"{judged.run.name} has no answers about screens to read again")
    if as_json:
        echo_json(found.to_json())
    else:
        reread_tables.show(found, piped())
    return 0

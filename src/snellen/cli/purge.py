"""snellen purge"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from snellen.cli import loading, options

if TYPE_CHECKING:
    from snellen.engine.purge import Freed, Purged


@click.command(name="purge", short_help="Take images or thinking out of the workspace, to make it smaller.")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--thinking", is_flag=True, help="Take out what models and judges thought before they answered.")
@click.option("--images", is_flag=True, help="Take out the original images.")
@click.option("--dry-run", is_flag=True, help="Print what would be taken out, and how many bytes; stop there.")
@options.json_output
@click.pass_obj
def command(workspace: Path, runs: tuple[str, ...], thinking: bool, images: bool, dry_run: bool, as_json: bool) -> int:
    """Take images or thinking of RUN... and of their judgings out of the workspace; of all runs where none is named.

    Answers, verdicts and numbers stay as they are. What other runs need stays too. Images are taken from the data
    again by the next run that needs them; thinking is gone.
    """
    from dataclasses import asdict

    with loading.quickly():
        from snellen.cli.finish import echo_json
        from snellen.engine.purge import purge
        from snellen.engine.workspace import Workspace

    if not thinking and not images:
        raise click.UsageError("say what is to be taken out: --thinking, --images, or both")
    if not (workspace / "ledger.sqlite").exists():
        raise click.UsageError(f"there is no ledger in {workspace}: give another --workspace")
    with Workspace(workspace) as opened:
        purged = purge(opened, runs, of_thinking=thinking, of_images=images, dry=dry_run)
    if as_json:
        echo_json(asdict(purged) | {"dry_run": dry_run})
        return 0
    _print(purged, thinking, images, dry_run)
    return 0


def _print(purged: Purged, thinking: bool, images: bool, dry: bool) -> None:
    from snellen.cli.runs import size_text

    def line(what: str, noun: str, freed: Freed) -> None:
        said = f"{what}: {freed.count:,} {noun}, {size_text(freed.bytes)} {'to be freed' if dry else 'freed'}"
        if freed.shared:
            said += f"; {freed.shared:,} that other runs need stay"
        if freed.left:
            said += f"; {freed.left:,} stay, since they would read differently"
        click.echo(said)

    if images:
        line("images", "files", purged.images)
    if thinking:
        line("thinking", "answers and replies", purged.thinking)
        if not dry:
            click.echo(f"ledger: {size_text(purged.ledger_before)} before, {size_text(purged.ledger_after)} now")

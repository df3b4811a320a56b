"""snellen demo"""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli import loading, options

_MODELS = ("ocr", "blind", "constant")


@click.command(name="demo", short_help="Run the demo benchmark with the embedded models: no key, no server.")
@click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE",
    help="The HTML report. [default: demo-report.html in the workspace]",
)
@options.json_output
@click.pass_obj
def command(workspace: Path, report: Path | None, as_json: bool) -> int:
    """Ask the demo charts of three embedded models, judge by rules, print the table and write a report.

    ocr reads the image and answers from what it read, blind never looks, constant always says the same.
    """
    with loading.quickly():
        from snellen import library
        from snellen.cli.finish import finish, status
        from snellen.cli.progress import ProgressLines
        from snellen.engine.workspace import Workspace

    path = report or workspace / "demo-report.html"
    with Workspace(workspace) as opened:
        runs = []
        for model in _MODELS:
            click.echo(f"charthal-demo asked of {model}", err=True)
            with ProgressLines() as progress:
                run = library.run("charthal-demo", model=model, workspace=opened, watch=progress.watch)
            if run.outcome.interrupted:
                return status(run, run.judged.table.unscored_counts())
            runs.append(run)
        return finish(runs, path.resolve(), as_json, dry=False)

"""snellen report"""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli import loading, options
from snellen.cli.countdown import Countdown


@click.command(name="report", short_help="Show finished runs as a table or an HTML page.")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    metavar="PATH",
    help="Write one self-contained HTML file, which opens offline, instead of printing tables.",
)
@click.option(
    "--all",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    metavar="DIR",
    help="Write a folder that opens offline and shows all items: filters, search, keyboard.",
)
@click.option(
    "--examples",
    type=click.IntRange(0),
    default=60,
    show_default=True,
    help="Items of each run that the one file shows.",
)
@options.json_output
@click.pass_obj
def command(
    workspace: Path, runs: tuple[str, ...], output: Path | None, folder: Path | None, examples: int, as_json: bool
) -> int:
    """Show RUN... (a judging RUN@JUDGE, or a run's newest judging), side by side where there are several."""
    with loading.quickly():
        from snellen import library
        from snellen.cli.finish import print_judged
        from snellen.engine.workspace import Workspace

    if folder is not None:
        with loading.quickly():
            from snellen.report import folder as whole
    with Workspace(workspace) as opened:
        judged = [library.open_judged(opened, name) for name in runs]
        if output is not None:
            click.echo(library.write_report(judged, output, examples=examples))
        if folder is not None:
            with Countdown("written") as countdown:
                whole.write(judged, folder, on_progress=countdown)
            click.echo(folder / "index.html")
        if (output is None and folder is None) or as_json:
            print_judged(judged, as_json)
    return 0

"""snellen report"""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli import loading, options


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
@click.option("--examples", type=click.IntRange(0), default=60, show_default=True, help="Items shown for each run.")
@options.json_output
@click.pass_obj
def command(workspace: Path, runs: tuple[str, ...], output: Path | None, examples: int, as_json: bool) -> int:
    """Show RUN... (a judging RUN@JUDGE, or a run's newest judging), side by side where there are several."""
    with loading.quickly():
        from snellen import library
        from snellen.cli.finish import print_judged
        from snellen.engine.workspace import Workspace

    with Workspace(workspace) as opened:
        judged = [library.open_judged(opened, name) for name in runs]
        if output is not None:
            click.echo(library.write_report(judged, output, examples=examples))
        if output is None or as_json:
            print_judged(judged, as_json)
    return 0

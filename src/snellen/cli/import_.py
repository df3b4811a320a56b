"""snellen import"""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli import loading, options


@click.command(name="import", short_help="Take answers and verdicts recorded elsewhere into the ledger.")
@click.argument("benchmark")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--model", required=True, metavar="NAME", help="The model that gave the answers.")
@click.option("--judge", default="", metavar="NAME", help="The judge that gave the verdicts. [default: recorded]")
@click.option("--parity", is_flag=True, help="Read the judge's replies as the published script does.")
@click.option("--data", type=click.Path(path_type=Path), default=None, metavar="DIR", help="The benchmark's data.")
@options.outputs
@click.pass_obj
def command(
    workspace: Path,
    benchmark: str,
    file: Path,
    model: str,
    judge: str,
    parity: bool,
    data: Path | None,
    report: Path | None,
    as_json: bool,
) -> int:
    """Take the answers in FILE, and the judge's replies or verdicts if it holds some, as a run of BENCHMARK.

    FILE is the benchmark's own layout of results (ChartHal: response.json, eval.json) or JSON Lines with id and
    response, and reply (a judge's words) or verdict (0, 1 or null) with reason. The run's items are the rows of FILE.
    """
    with loading.quickly():
        from snellen import library
        from snellen.cli.finish import finish
        from snellen.cli.progress import ProgressLines
        from snellen.engine.workspace import Workspace

    with Workspace(workspace) as opened, ProgressLines() as progress:
        run = library.import_recorded(
            benchmark,
            file,
            model=model,
            judge=judge,
            parity=parity,
            workspace=opened,
            data=data,
            watch=progress.watch,
        )
        return finish([run], report, as_json, dry=False)

"""snellen ladder"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from snellen.cli import loading, options

if TYPE_CHECKING:
    from snellen.library import Run


@click.command(name="ladder", short_help="Ask a finished run on screens once more, with parses at hand.")
@click.argument("run")
@click.option(
    "--rungs",
    default="own,true,dropped",
    show_default=True,
    metavar="LIST",
    help="Which parse is given: the model's own, the true one, or the true one with the target dropped.",
)
@click.option("--with-image", is_flag=True, help="Show the screen beside the parse.")
@click.option("--base-url", default="", metavar="URL", help="Server of the model. [default: as declared or as before]")
@click.option("--key-variable", default="", metavar="VARIABLE", help="Environment variable that holds the key.")
@click.option("--items", default="", metavar="GLOB", help="Only items whose id matches.")
@click.option(
    "--concurrency", type=click.IntRange(1), default=32, show_default=True, help="Requests in flight at once."
)
@options.caps
@options.outputs
@click.pass_obj
def command(
    workspace: Path,
    run: str,
    rungs: str,
    with_image: bool,
    base_url: str,
    key_variable: str,
    items: str,
    concurrency: int,
    max_cost: float | None,
    max_failures: int | None,
    dry_run: bool,
    report: Path | None,
    as_json: bool,
) -> int:
    """Ask the model of RUN for every place once more, from a parse of the screen, and compare.

    Each rung is a run of its own: `snellen runs` lists it, `snellen compare` compares it, and the same command again
    goes on with it. What RUN did not answer or parse is left out and counted.

    \b
    snellen ladder gui-demo/qwen2.5-vl-7b-3f2a91
    """
    with loading.quickly():
        from snellen import library
        from snellen.cli.finish import NEEDED, echo_json, piped, status
        from snellen.cli.progress import ProgressLines
        from snellen.engine.comparison import compare
        from snellen.engine.limits import Limits
        from snellen.engine.workspace import Workspace
        from snellen.errors import UsageError
        from snellen.report.comparison import show

    names = list(dict.fromkeys(filter(None, (name.strip() for name in rungs.split(",")))))
    if not names:
        raise UsageError("name a rung: own, true, dropped")
    with Workspace(workspace) as opened:
        done: dict[str, Run] = {}
        for name in names:
            with ProgressLines(NEEDED) as progress:
                done[name] = library.ladder(
                    run,
                    name,
                    with_image=with_image,
                    workspace=opened,
                    base_url=base_url,
                    key_variable=key_variable,
                    items=items,
                    limits=Limits(concurrency, max_cost=max_cost, max_failures=max_failures),
                    watch=progress.watch,
                    dry=dry_run,
                )
            for line in _left_out(done[name]):
                click.echo(line, err=True)
            if done[name].outcome.stopped:
                break
        if dry_run:
            for each in done.values():
                click.echo(each.row.name, err=as_json)
            if as_json:
                echo_json({"runs": [each.row.name for each in done.values()]})
            return 0
        judged = [library.open_judged(opened, run), *(each.judged for each in done.values())]
        found = [compare(judged)]
        if {"true", "dropped"} <= done.keys():  # what the missing target alone makes of it
            found.append(compare([done["true"].judged, done["dropped"].judged]))
        if as_json:
            echo_json(
                {
                    "rungs": {name: {"run": each.name, **each.row.manifest["ladder"]} for name, each in done.items()},
                    "comparisons": [each.to_json() for each in found],
                }
            )
        else:
            for number, comparison in enumerate(found):
                if number:
                    click.echo()
                show(comparison, piped())
        if report is not None:
            click.echo(f"report: {library.write_report(judged, report)}", err=as_json)
        return max(status(each, each.judged.table.unscored_counts()) for each in done.values())


def _left_out(run: Run) -> list[str]:
    ladder = run.row.manifest["ladder"]
    why = "; ".join(f"{reason} ({count:,})" for reason, count in ladder["left_out"].items())
    asked = f"{run.row.name}: {ladder['asked']:,} questions"
    return [f"{asked}, {sum(ladder['left_out'].values()):,} left out: {why}"] if why else [asked]

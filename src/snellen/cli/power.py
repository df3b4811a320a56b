"""snellen power"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from snellen.cli import loading, options
from snellen.cli.plain import say

if TYPE_CHECKING:
    from snellen.engine.workspace import Workspace
    from snellen.table import VerdictTable


@click.command(name="power", short_help="How many images a difference needs, or which difference so many can show.")
@click.argument("benchmark")
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@click.option(
    "--difference",
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    default=3.0,
    show_default=True,
    metavar="POINTS",
    help="Between two runs on the same items, to be seen.",
)
@click.option("--by", multiple=True, metavar="LABEL", help="A line for each value of this label too; may be repeated.")
@click.option(
    "--power",
    "chance",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    help="With which probability it is to be seen.",
)
@click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Of the two-sided test.",
)
@click.option("--tests", type=click.IntRange(1), default=1, show_default=True, help="Tests in one family.")
@click.option("--images", type=click.IntRange(2), default=None, help="So many images instead of the benchmark's.")
@click.option(
    "--discordance",
    type=click.FloatRange(0, 1, min_open=True),
    default=None,
    help="Share of items on which two runs differ. [default: as in the runs]",
)
@click.option(
    "--correlation",
    type=click.FloatRange(0, 1),
    default=None,
    help="Of differences on one image. [default: as in the runs]",
)
@click.option("--data", type=click.Path(path_type=Path), default=None, metavar="DIR", help="The benchmark's data.")
@options.json_output
@click.pass_obj
def command(
    workspace: Path,
    benchmark: str,
    runs: tuple[str, ...],
    difference: float,
    by: tuple[str, ...],
    chance: float,
    level: float,
    tests: int,
    images: int | None,
    discordance: float | None,
    correlation: float | None,
    data: Path | None,
    as_json: bool,
) -> int:
    """How many images a difference of so many points between two runs on BENCHMARK needs, and which difference the
    images at hand can show.

    How often two runs differ, and how differences on one image go together, is measured on RUN..., by default every
    judged run on BENCHMARK in the workspace; without two of them it is assumed. The images are counted in the runs, or
    in the data where there is no run.

    \b
    snellen power charthal --difference 3 --by relation
    """
    with loading.quickly():
        from snellen.cli.finish import echo_json, piped
        from snellen.engine.power import plan
        from snellen.engine.workspace import Workspace
        from snellen.report.power import show

    with Workspace(workspace) as opened:
        tables = _tables(opened, benchmark, runs)
        items = max(tables, key=len) if tables and data is None else _items(benchmark, data, workspace / "cache")
    found = plan(
        items,
        tables,
        difference=difference / 100,
        power=chance,
        level=level,
        tests=tests,
        by=by,
        images=images,
        discordance=discordance,
        correlation=correlation,
    )
    if as_json:
        echo_json(found.to_json())
    else:
        show(found, piped())
    return 0


def _tables(workspace: Workspace, benchmark: str, names: tuple[str, ...]) -> list[VerdictTable]:
    from snellen import discovery, library
    from snellen.errors import UsageError

    discovery.load("benchmarks", benchmark)  # an unknown one is told before anything is read
    ledger = workspace.ledger
    chosen = names or tuple(
        row.name
        for row in ledger.runs()
        if row.parent is None and row.spec["benchmark"] == benchmark and ledger.judgings(row.id)
    )
    judged = [library.open_judged(workspace, name) for name in chosen]
    for each in judged:
        if each.run.spec["benchmark"] != benchmark:
            raise UsageError(f"{each.name} is not a run on {benchmark}")
    judges = Counter(each.name.partition("@")[2].partition("~")[0] for each in judged)
    if len(judges) > 1:
        by = ", ".join(f"{count:,} by {judge}" for judge, count in judges.most_common())
        say(
            f"warning: these runs have several judges ({by}): how often two runs differ is in part the judges' doing; "
            "name runs of one judge, RUN@JUDGE",
            err=True,
        )
    return [each.table for each in judged]


def _items(benchmark: str, data: Path | None, cache: Path) -> VerdictTable:
    """The items of a benchmark as rows without a verdict."""
    from snellen import discovery
    from snellen.errors import DataError
    from snellen.table import TableBuilder
    from snellen.verdict import Verdict

    module = discovery.load("benchmarks", benchmark)
    builder, none = TableBuilder(module.CARD.answerable), Verdict(None, unscored="missing")
    for place, item in enumerate(module.items(module.locate(data, cache))):
        if not isinstance(item, DataError):
            builder.add(place, item, none)
    return builder.build()

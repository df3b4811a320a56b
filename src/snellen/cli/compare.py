"""snellen compare"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from snellen.cli import loading, options

if TYPE_CHECKING:
    from snellen.engine.comparison import Comparison
    from snellen.engine.judged import Judged
    from snellen.engine.workspace import Workspace


@click.command(name="compare", short_help="Compare runs with a first one on the items that they share.")
@click.argument("runs", nargs=-1, required=True, metavar="RUN_A RUN_B...")
@click.option("--by", multiple=True, metavar="LABEL", help="A line for each value of this label too; may be repeated.")
@click.option(
    "--on",
    "conditions",
    multiple=True,
    metavar="CONDITION",
    help="Compare on the items changed so (jpeg:3, or clean); repeated, one run under several conditions.",
)
@click.option("--items", "list_items", is_flag=True, help="List the items that were gained and lost.")
@options.json_output
@click.pass_obj
def command(
    workspace: Path,
    runs: tuple[str, ...],
    by: tuple[str, ...],
    conditions: tuple[str, ...],
    list_items: bool,
    as_json: bool,
) -> int:
    """Compare RUN_B... with RUN_A, item by item: score, over-refusal, abstention; on screens also localization
    accuracy, rejection rate, false rejections and parsing. More than two runs are ranked, with tiers of those that
    cannot be told apart.

    Each RUN is a judging RUN@JUDGE, or a run seen through its newest judging. Changed versions of items take no part
    without --on.

    \b
    snellen compare charthal/qwen2.5-vl-7b-3f2a91 charthal/qwen2.5-vl-7b-81c0de --by relation --items
    snellen compare charthal/qwen2.5-vl-7b-3f2a91 --on clean --on jpeg:3 --on jpeg:5
    """
    with loading.quickly():
        from snellen import library
        from snellen.cli.finish import echo_json, piped
        from snellen.engine.comparison import compare
        from snellen.engine.judged import read_ahead
        from snellen.engine.under import under
        from snellen.engine.workspace import Workspace
        from snellen.report.comparison import show
        from snellen.report.text import one_line

    with Workspace(workspace) as opened:
        judged = [library.open_judged(opened, name) for name in runs]
        read_ahead(judged)
        found = compare(under(judged, conditions), by, opened.models)
        moved = _moved(opened, judged, found) if list_items else []
    if as_json:
        echo_json(found.to_json() | ({"items": moved} if list_items else {}))
        return 0
    show(found, piped())
    for each in moved:
        for way in ("gained", "lost"):
            click.echo(f"\n{way} by {each['run']}: {len(each[way]):,}")
            for item in each[way]:
                click.echo(f"  {one_line(item, 400)}")
    return 0


def _moved(workspace: Workspace, judged: list[Judged], found: Comparison) -> list[dict[str, Any]]:
    from snellen.engine.comparison import moved_ids

    base = judged[0].run
    return [
        {
            "run": each.run,
            "gained": list(moved_ids(workspace.ledger, base, each.pairing.moved(gained=True)[0])),
            "lost": list(moved_ids(workspace.ledger, base, each.pairing.moved(gained=False)[0])),
        }
        for each in found.others
    ]

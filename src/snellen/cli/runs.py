"""snellen runs"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from snellen.cli import loading, options

if TYPE_CHECKING:
    from snellen.ledger import RunRow


@click.command(name="runs", short_help="List the runs in the workspace, their size, or delete some.")
@click.option(
    "--delete", "delete", multiple=True, metavar="RUN", help="Delete a run with its judgings, or one judging."
)
@options.json_output
@click.pass_obj
def command(workspace: Path, delete: tuple[str, ...], as_json: bool) -> int:
    """List runs and their judgings with items, size of their answers and date.

    Answers that another run needs are kept when one is deleted.
    """
    from datetime import UTC, datetime

    with loading.quickly():
        from snellen.cli.finish import echo_json
        from snellen.engine.workspace import Workspace

    with Workspace(workspace) as opened:
        for name in delete:
            found = opened.ledger.find_run(name)
            opened.ledger.delete_run(found.id)
            click.echo(f"deleted {found.name}", err=True)
        rows: list[dict[str, Any]] = []
        for run in _in_order(opened.ledger.runs()):
            items, size = opened.ledger.size(run.id)
            created = datetime.fromtimestamp(run.created, UTC).isoformat(sep=" ", timespec="minutes")[:16]
            rows.append(
                {"name": run.name, "items": items, "bytes": size, "created": created, "judging": run.parent is not None}
            )
        total = {"ledger_bytes": opened.ledger.path.stat().st_size, "image_bytes": opened.images.size()}
    if as_json:
        echo_json({"runs": rows, **total})
        return 0
    if not rows:
        click.echo("no runs yet")
    width = max((len(row["name"]) for row in rows), default=0)
    for row in rows:
        click.echo(f"{row['name']:<{width}}  {row['items']:>7,} items  {size_text(row['bytes']):>9}  {row['created']}")
    click.echo(f"ledger {size_text(total['ledger_bytes'])}, images {size_text(total['image_bytes'])}", err=True)
    return 0


def _in_order(rows: list[RunRow]) -> list[RunRow]:
    """The oldest first, but repeats behind the first of them, and judgings behind their run."""
    places: dict[str, int] = {}

    def place(row: RunRow) -> tuple[int, int, bool, str]:
        run, _, judging = row.name.partition("@")
        first, _, repeat = run.partition("~")
        return places.setdefault(first, len(places)), int(repeat or 1), row.parent is not None, judging

    return sorted(rows, key=place)


def size_text(count: int) -> str:
    """Bytes for people: ``1.2 MB``."""
    value = float(count)
    for unit in ("B", "KB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"

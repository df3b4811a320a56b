"""snellen diff"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from snellen.cli import loading, options

if TYPE_CHECKING:
    from rich.console import Console

    from snellen.engine.manifest_diff import Field, ManifestDiff
    from snellen.engine.workspace import Workspace


@click.command(name="diff", short_help="Show in what the making of two runs differs.")
@click.argument("run_a", metavar="RUN_A")
@click.argument("run_b", metavar="RUN_B")
@click.option("--all", "everything", is_flag=True, help="Show what is the same, too.")
@options.json_output
@click.pass_obj
def command(workspace: Path, run_a: str, run_b: str, everything: bool, as_json: bool) -> int:
    """Compare the manifests of RUN_A and RUN_B: data, questions, model, judge, environment, times and cost.

    Each is a run or judging in the workspace, or a .json file with a manifest, as `snellen methods RUN --json` writes
    it: so runs of other machines can be compared.

    \b
    snellen diff charthal/qwen2.5-vl-7b-3f2a91 charthal/qwen2.5-vl-7b-81c0de
    """
    with loading.quickly():
        from snellen.cli.finish import echo_json, piped
        from snellen.engine.manifest_diff import diff
        from snellen.engine.workspace import Workspace

    with Workspace(workspace) as opened:
        found = diff(_manifest(opened, run_a), _manifest(opened, run_b))
    if as_json:
        echo_json(found.to_json())
        return 0
    _show(found, found.fields if everything else found.differing, piped())
    return 0


def _manifest(workspace: Workspace, name: str) -> Mapping[str, Any]:
    from snellen import library
    from snellen.engine import manifest_diff

    if name.endswith(".json"):
        return manifest_diff.from_file(Path(name))
    return library.open_judged(workspace, name).manifest


def _show(found: ManifestDiff, fields: tuple[Field, ...], console: Console) -> None:
    from snellen.engine.manifest_diff import PARTS
    from snellen.report.drawing import table, text
    from snellen.report.text import one_line

    console.print(text(f"A: {one_line(found.a, 300)}"))
    console.print(text(f"B: {one_line(found.b, 300)}"))
    for part in PARTS:
        rows = [field for field in fields if field.part == part]
        if not rows:
            continue
        drawn = table()
        for heading in (part, "A", "B"):
            drawn.add_column(text(heading), overflow="fold")
        for each in rows:
            drawn.add_row(text(each.name, "bold" if each.differs else ""), *(_value(each, v) for v in (each.a, each.b)))
        console.print()
        console.print(drawn)
    differing = len(found.differing)
    console.print()
    console.print(text(f"{differing:,} of {len(found.fields):,} fields differ"))


def _value(field: Field, value: Any) -> Any:
    from snellen.report.drawing import text
    from snellen.report.text import one_line, redact

    if value is None:
        return text("-")
    return text(one_line(redact(field.name.rpartition(".")[2], str(value)), 200))

"""snellen methods"""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli import loading, options


@click.command(name="methods", short_help="Write the methods paragraph of a paper from a run's manifest.")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option("--language", type=click.Choice(("en", "zh")), default="en", show_default=True, help="Of the paragraph.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "markdown", "latex")),
    default="text",
    show_default=True,
    help="How names are set and signs are escaped.",
)
@options.json_output
@click.pass_obj
def command(workspace: Path, runs: tuple[str, ...], language: str, form: str, as_json: bool) -> int:
    """Say how the numbers of each RUN came about: a paragraph from what was recorded, nothing typed by hand.

    It names model and judge as their servers did, prompt and rubric with digests, parameters as sent, data digest,
    images, dates, counts, intervals, versions and seed. --json adds the manifest itself, which `snellen diff` reads.
    """
    with loading.quickly():
        from snellen import library
        from snellen.cli.finish import echo_json
        from snellen.cli.plain import say
        from snellen.engine.workspace import Workspace
        from snellen.report.methods import methods

    with Workspace(workspace) as opened:
        judged = [library.open_judged(opened, run) for run in runs]
        said = [methods(each, language, form) for each in judged]  # type: ignore[arg-type]
        if as_json:
            plain = [
                {"run": each.name, "methods": text, "manifest": each.manifest}
                for each, text in zip(judged, said, strict=True)
            ]
            echo_json(plain[0] if len(plain) == 1 else plain)
            return 0
        say("\n\n".join(said))
    return 0

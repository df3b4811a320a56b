"""snellen report"""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

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
@click.option(
    "--review",
    type=click.IntRange(1),
    default=None,
    metavar="N",
    help="With --all: draw N answers of each run at random for people to label there, the judge's verdict hidden.",
)
@options.human
@click.option(
    "--language",
    type=click.Choice(("en", "zh")),
    default="en",
    show_default=True,
    help="Of the page of numbers; the page of all items has both.",
)
@options.json_output
@click.pass_obj
def command(
    workspace: Path,
    runs: tuple[str, ...],
    output: Path | None,
    folder: Path | None,
    examples: int,
    review: int | None,
    human: tuple[Path, ...],
    language: str,
    as_json: bool,
) -> int:
    """Show RUN... (a judging RUN@JUDGE, or a run's newest judging), side by side where there are several, with all that
    they allow: paired comparison, correlations, what answers are worth when a model may decline, and the judges beside
    each other and beside people.
    """
    with loading.quickly():
        from snellen import library
        from snellen.cli.finish import print_judged
        from snellen.cli.plain import say
        from snellen.engine.judged import read_ahead
        from snellen.engine.workspace import Workspace
        from snellen.errors import UsageError

    if review is not None and folder is None:
        raise UsageError("--review draws answers for the page of all items: name a folder with --all DIR")
    if language != "en" and output is None and folder is None:
        raise UsageError("--language is of the page: name a file for it with -o FILE, or a folder with --all DIR")
    if output is None and click.get_current_context().get_parameter_source("examples") is not ParameterSource.DEFAULT:
        raise UsageError("--examples are items that the one file shows: name it with -o FILE")
    if folder is not None:
        with loading.quickly():
            from snellen.report import folder as whole
            from snellen.report.analyses import analyses, sections
    printed = output is None and folder is None
    with Workspace(workspace) as opened:
        judged = [library.open_judged(opened, name) for name in runs]
        read_ahead(judged)
        if output is not None:
            written = library.write_report(judged, output, examples=examples, human=human, language=language)
            say(str(written), err=as_json)
        if folder is not None:
            found = sections(analyses(judged, human))
            with Countdown("written") as countdown:
                whole.write(
                    judged, folder, on_progress=countdown, analyses=found, review=review or 0, language=language
                )
            say(str(folder / "index.html"), err=as_json)
        if printed or as_json:
            print_judged(judged, as_json)
        if printed and not as_json:
            with loading.quickly():
                from snellen.cli.further import print_further
            print_further(judged, human)
    return 0

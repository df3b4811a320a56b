"""snellen selective"""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from snellen.cli import loading, options


@click.command(
    name="selective", short_help="Tell what answers are worth when a model may decline, and if it knows when."
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--cost",
    type=click.FloatRange(0),
    default=1.0,
    show_default=True,
    metavar="C",
    help="Of a hallucination, in right answers.",
)
@click.option("--by", multiple=True, metavar="LABEL", help="A line for each value of this label too; may be repeated.")
@click.option(
    "--confidence",
    type=click.Choice(("words", "tokens")),
    default=None,
    help="As the answers state it, or by their tokens' probabilities. [default: as stated, where it is]",
)
@click.option(
    "--most-hallucinated",
    "risk",
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    default=None,
    metavar="PERCENT",
    help="Fit a threshold of confidence, above which no more of the answers given hallucinate.",
)
@click.option(
    "--certainty",
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    default=90.0,
    show_default=True,
    metavar="PERCENT",
    help="With which the threshold keeps to that.",
)
@click.option("--approximate", is_flag=True, help="Let that certainty hold for many images only: finds more.")
@options.outputs
@click.pass_obj
def command(
    workspace: Path,
    runs: tuple[str, ...],
    cost: float,
    by: tuple[str, ...],
    confidence: str | None,
    risk: float | None,
    certainty: float,
    approximate: bool,
    report: Path | None,
    as_json: bool,
) -> int:
    """Tell what the answers of RUN... are worth when a hallucination costs C right answers and silence nothing; whether
    declining tells questions without an answer from others; and, with a confidence, how much it is to be trusted.

    Each RUN is a judging RUN@JUDGE, or a run seen through its newest judging. Changed versions of items take no part.

    \b
    snellen run charthal --model qwen2.5-vl-7b --prompt confidence
    snellen selective charthal/qwen2.5-vl-7b-3f2a91 --cost 2 --most-hallucinated 10
    """
    with loading.quickly():
        from snellen import library
        from snellen.cli.finish import echo_json, piped
        from snellen.cli.plain import say
        from snellen.engine.certainty import source_of
        from snellen.engine.selective import selective
        from snellen.engine.withholding import Guarantee
        from snellen.engine.workspace import Workspace
        from snellen.errors import UsageError
        from snellen.report import page
        from snellen.report.selective import section, show

    sources = map(click.get_current_context().get_parameter_source, ("certainty", "approximate"))
    if risk is None and any(each is not ParameterSource.DEFAULT for each in sources):
        raise UsageError("--certainty and --approximate are of a threshold: ask for it with --most-hallucinated")
    guarantee = None if risk is None else Guarantee(risk / 100, 1 - certainty / 100, exact=not approximate)
    source = None if confidence is None else source_of(confidence)
    with Workspace(workspace) as opened:
        judged = [library.open_judged(opened, name) for name in runs]
        found = [selective(each, cost=cost, by=by, source=source, guarantee=guarantee) for each in judged]
        if as_json:
            plain = [each.to_json() for each in found]
            echo_json(plain[0] if len(plain) == 1 else plain)
        else:
            show(found, piped())
        if report is not None:
            page.write(judged, report, selected=section(found))
            say(f"report: {report}", err=as_json)
    return 0

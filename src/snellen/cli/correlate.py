"""snellen correlate"""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli import loading, options


@click.command(name="correlate", short_help="Correlate the numbers of a benchmark over runs of several models.")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option("--kendall", is_flag=True, help="Kendall's tau-b instead of Spearman's rho.")
@click.option(
    "--numbers",
    default="",
    metavar="LIST",
    help="Which numbers: parsing_recall:en, localization_accuracy, relation=normal, ... "
    "[default: the published ones on screens, else all]",
)
@click.option(
    "--figure",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE",
    help="Write the heat map as .png or .svg.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the resampling.")
@options.outputs
@click.pass_obj
def command(
    workspace: Path,
    runs: tuple[str, ...],
    kendall: bool,
    numbers: str,
    figure: Path | None,
    seed: int,
    report: Path | None,
    as_json: bool,
) -> int:
    """Correlate the numbers of a benchmark over RUN..., one run for each model, and on screens also tell item by item
    whether models hallucinate on what they failed to parse, for which one run is enough.

    Each RUN is a judging RUN@JUDGE, or a run seen through its newest judging.

    \b
    snellen correlate gui-demo/ocr-1b2c3d gui-demo/qwen2.5-vl-7b-3f2a91 ... --figure correlations.svg
    """
    with loading.quickly():
        from snellen import library
        from snellen.cli.finish import echo_json, piped
        from snellen.engine.correlation import correlate
        from snellen.engine.judged import read_ahead
        from snellen.engine.parse_association import associate
        from snellen.engine.workspace import Workspace
        from snellen.errors import UsageError
        from snellen.report import page
        from snellen.report.correlation import section, show, write_figure
        from snellen.report.heat_map import FORMATS

    if figure is not None and figure.suffix.lower() not in FORMATS:
        raise UsageError(f"a figure is written as {' or '.join(FORMATS)}, not as {figure.name!r}")
    wanted = [name for name in map(str.strip, numbers.split(",")) if name]
    with Workspace(workspace) as opened:
        judged = [library.open_judged(opened, name) for name in runs]
        read_ahead(judged)
        found = correlate(judged, numbers=wanted, method="kendall" if kendall else "spearman", seed=seed)
        associations = associate(judged)
        if as_json:
            echo_json({"correlation": found.to_json(), "association": [each.to_json() for each in associations]})
        else:
            show(found, associations, piped())
        if figure is not None:
            click.echo(f"figure: {write_figure(found, figure)}", err=as_json)
        if report is not None:
            page.write(judged, report, correlated=section(found, associations))
            click.echo(f"report: {report}", err=as_json)
    return 0

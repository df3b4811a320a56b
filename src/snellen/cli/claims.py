"""snellen claims"""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli import loading, options


@click.command(name="claims", short_help="Test what a benchmark's paper states, on runs and on its table.")
@click.argument("benchmark")
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@options.json_output
@click.pass_obj
def command(workspace: Path, benchmark: str, runs: tuple[str, ...], as_json: bool) -> int:
    """Test what BENCHMARK's paper states about scores: on the published table, with the rows that contradict it, and on
    RUN... where some are named.

    Each RUN is a judging RUN@JUDGE, or a run seen through its newest judging.

    \b
    snellen claims charthal
    snellen claims charthal charthal/qwen2.5-vl-7b-3f2a91 charthal/qwen2.5-vl-72b-81c0de
    """
    with loading.quickly():
        from snellen import discovery, library
        from snellen.cli.finish import echo_json, piped
        from snellen.engine.claims import claims
        from snellen.engine.workspace import Workspace
        from snellen.errors import UsageError
        from snellen.report.claims import show

    module = discovery.load("benchmarks", benchmark)
    stated = getattr(module, "CLAIMS", ())
    if runs:
        with Workspace(workspace) as opened:
            judged = [library.open_judged(opened, name) for name in runs]
            for each in judged:
                if each.run.spec["benchmark"] != benchmark:
                    raise UsageError(f"{each.name} is not a run on {benchmark}")
            found = claims(module.CARD, stated, judged, opened.models)
    else:
        found = claims(module.CARD, stated)
    if as_json:
        echo_json({"benchmark": benchmark, "claims": [each.to_json() for each in found]})
    else:
        show(found, piped())
    return 0

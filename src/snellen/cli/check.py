"""snellen check"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from snellen.cli import options
from snellen.cli.plain import say


@click.command(name="check", short_help="Look for mistakes and oddities in a benchmark's data.")
@click.argument("benchmark")
@click.option("--data", type=click.Path(path_type=Path), default=None, metavar="DIR", help="The benchmark's data.")
@options.json_output
@click.pass_obj
def command(workspace: Path, benchmark: str, data: Path | None, as_json: bool) -> int:
    """Check BENCHMARK's data: rows, images, references, counts, digest. Nothing is repaired.

    Exit status 1 if an item cannot be used as it is.
    """
    from snellen import discovery
    from snellen.cli.finish import echo_json
    from snellen.engine import check

    module = discovery.load("benchmarks", benchmark)
    folder = module.locate(data, workspace / "cache")
    findings = list(check.run(module, folder))
    serious = sum(finding.serious for finding in findings)
    if as_json:
        echo_json([{name: getattr(finding, name) for name in finding.__slots__} for finding in findings])
        return 1 if serious else 0
    for finding in findings:
        say(f"{'ERROR ' if finding.serious else ''}{finding.kind}: {finding.where}: {finding.what}")
    counts = Counter(finding.kind for finding in findings)
    summary = ", ".join(f"{kind} {count}" for kind, count in counts.most_common())
    say(f"{folder}: {len(findings)} findings, {serious} serious" + (f" ({summary})" if summary else ""), err=True)
    return 1 if serious else 0

"""snellen list"""

from __future__ import annotations

import click

from snellen import discovery
from snellen.cli import options
from snellen.cli.plain import say


@click.command(name="list", short_help="List benchmarks, prompts, judges, models and metrics.")
@click.argument("kind", required=False, type=click.Choice(discovery.KINDS))
@options.json_output
def command(kind: str | None, as_json: bool) -> int:
    """List what there is, by file name; a file that does not parse is marked."""
    from snellen.cli.finish import echo_json

    kinds = [kind] if kind else list(discovery.KINDS)
    found = {each: {name: discovery.broken(each, name) for name in discovery.names(each)} for each in kinds}
    if as_json:
        echo_json(found)
        return 0
    for each, names in found.items():
        if names or kind:
            say(f"{each}: {', '.join(name + (' (does not parse)' if why else '') for name, why in names.items())}")
    for names in found.values():
        for why in filter(None, names.values()):
            say(f"warning: {why}", err=True)
    return 0

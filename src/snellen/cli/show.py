"""snellen show"""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli import loading, options


@click.command(name="show", short_help="Show one item of a run: the whole way from its image to every verdict.")
@click.argument("run")
@click.argument("item")
@options.human
@click.option("--full", is_flag=True, help="Show long texts whole.")
@options.json_output
@click.pass_obj
def command(workspace: Path, run: str, item: str, human: tuple[Path, ...], full: bool, as_json: bool) -> int:
    """Tell everything about one ITEM of RUN.

    The image and what was sent of it, the messages and parameters, the answer and its thinking, what the readers take
    from it, of every judging the verdict, the judge's words and its rubric, people's labels, and what other runs said.
    With a judging RUN@JUDGE its verdict comes first, and its claims are marked on the answer.

    \b
    snellen show charthal/qwen2.5-vl-7b-3f2a91 charthal/2/0
    """
    with loading.quickly():
        from snellen.cli.finish import echo_json, piped
        from snellen.cli.plain import say
        from snellen.engine import human_labels
        from snellen.engine.item_chain import chain
        from snellen.engine.workspace import Workspace
        from snellen.report import item_text

    labels = human_labels.read(human) if human else None
    with Workspace(workspace) as opened:
        found = chain(opened, run, item, labels)
    if as_json:
        echo_json(found)
    else:
        item_text.show(found, piped(), full=full)
    for problem in labels.problems[:20] if labels is not None else ():
        say(f"warning: {problem}", err=True)
    return 0

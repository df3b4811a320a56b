"""Writes docs/cli.md from the command line's own help; `make cli-docs` runs it, and a test compares the two."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from snellen.cli import cli

PAGE = Path(__file__).with_name("cli.md")
WIDTH = 100

INTRODUCTION = """\
# Command line

<!-- Written by docs/make_cli.py from the help texts: `make cli-docs` writes it again. -->

Results go to stdout, progress and warnings to stderr.

| Exit code | Meaning |
| --- | --- |
| 0 | done; a judge that says it cannot tell is no failure |
| 1 | answers or verdicts failed or are missing |
| 2 | wrong usage, or data that are not as declared |
| 3 | stopped by a cap |
| 130 | interrupted |
"""


def helps(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[tuple[str, str]]:
    """(full name, help text) of a command and of every command below it, in the order of the help."""
    context = click.Context(
        command, parent=parent, info_name=name, **{**command.context_settings, "terminal_width": WIDTH}
    )
    yield context.command_path, click.unstyle(command.get_help(context))
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            if found is not None and not found.hidden:
                yield from helps(found, below, context)


def page() -> str:
    """The whole page, the same on every terminal."""
    sections = [f"## {name}\n\n```text\n{text.strip()}\n```\n" for name, text in helps(cli, "snellen")]
    return "\n".join([INTRODUCTION, *sections])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

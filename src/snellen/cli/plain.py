"""Says texts that come from outside: a file's name or a server's words must not move the cursor of a terminal."""

from __future__ import annotations

import unicodedata

import click


def plain(text: str) -> str:
    """A text with a replacement character for what is neither printed nor white space.

    These are control characters, invisible and direction-turning ones, and what no encoding can write.

    >>> plain("\\x1b[31mred\\u202e \\ud800"), plain("图中　有\\u00a0猫\\n")
    ('�[31mred� �', '图中　有\\xa0猫\\n')
    """
    return "".join(c if c in "\n\t" or _shows(c) else "\N{REPLACEMENT CHARACTER}" for c in text)


def say(text: str, *, err: bool = False) -> None:
    """A text, made `plain`, as lines on standard output, or with `err` on standard error."""
    click.echo(plain(text), err=err)


def _shows(character: str) -> bool:
    return character.isprintable() or unicodedata.category(character) == "Zs"

"""Escaping: foreign words made fit for Markdown and LaTeX, so that a model's name neither breaks a table nor runs."""

from __future__ import annotations

import re
from typing import Literal, get_args

from snellen.report.text import one_line

Style = Literal["text", "markdown", "latex"]

STYLES: tuple[Style, ...] = get_args(Style)
"""How a text for a paper can be written."""

_MARKDOWN = frozenset(r"\`*_{}[]<>|#~$&")
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "`": r"\textasciigrave{}", "\u27e8": r"\textlangle{}", "\u27e9": r"\textrangle{}",
}  # fmt: skip
_BACKTICKS = re.compile("`+")


def escape(text: str, style: Style) -> str:
    """Words on one line as they are to be read, whatever signs are in them.

    >>> escape("50%_of {x}", "latex"), escape("a|b_c", "markdown"), escape("a|b", "text")
    ('50\\\\%\\\\_of \\\\{x\\\\}', 'a\\\\|b\\\\_c', 'a|b')
    """
    line = one_line(text)
    if style == "latex":
        return "".join(_LATEX.get(character, character) for character in line).replace("--", "-{}-{}")
    if style == "markdown":
        return "".join(f"\\{character}" if character in _MARKDOWN else character for character in line)
    return line


def code(text: str) -> str:
    """Words as code in Markdown, behind a fence that is longer than any in them.

    >>> code("a"), code("a`b"), code("`")
    ('`a`', '``a`b``', '`` ` ``')
    """
    line = one_line(text)
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(line)), default=0))
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{space}{line}{space}{fence}"

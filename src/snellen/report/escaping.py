"""Escaping: foreign words made fit for Markdown and LaTeX, so that a model's name neither breaks a table nor runs."""

from __future__ import annotations

from typing import Literal, get_args

from snellen.report.text import one_line

Style = Literal["text", "markdown", "latex"]

STYLES: tuple[Style, ...] = get_args(Style)
"""How a text for a paper can be written."""

_MARKDOWN = frozenset(r"\`*_{}[]<>|#~$")
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}",
}  # fmt: skip


def escape(text: str, style: Style) -> str:
    """Words on one line as they are to be read, whatever signs are in them.

    >>> escape("50%_of {x}", "latex"), escape("a|b_c", "markdown"), escape("a|b", "text")
    ('50\\\\%\\\\_of \\\\{x\\\\}', 'a\\\\|b\\\\_c', 'a|b')
    """
    line = one_line(text)
    if style == "latex":
        return "".join(_LATEX.get(character, character) for character in line)
    if style == "markdown":
        return "".join(f"\\{character}" if character in _MARKDOWN else character for character in line)
    return line

"""Text and plain tables for the terminal, as every table there is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from snellen.report.text import one_line

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text


def text(words: str, style: str = "") -> Text:
    """Words as they are: no markup in them counts, and control characters are made visible."""
    from rich.text import Text

    return Text(one_line(words), style=style, overflow="fold")


def table(*headings: str, first: int = 12, least: int | None = None, tight: bool = False) -> Table:
    """A table without lines but one under its head: the first column for names, the others for figures.

    Args:
        headings: of the columns.
        first: least width of the first column.
        least: least width of the others; as narrow as need be if None.
        tight: leave less room between the columns.
    """
    from rich import box
    from rich.table import Table

    padding = (0, 1, 0, 0) if tight else (0, 1)
    found = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=padding, header_style="")
    for number, heading in enumerate(headings):
        if number:
            # Where columns have a least width, only the first may become narrower: rich takes from all that may wrap.
            fixed = least is not None
            found.add_column(text(heading), justify="right", overflow="fold", min_width=least, no_wrap=fixed)
        else:
            found.add_column(text(heading), overflow="fold", min_width=first)
    return found

"""The heat map of correlations, drawn by matplotlib: for a page, whose colours it takes, or as a file of its own.

Same input, same bytes, as in `snellen.report.figures`. Colours are blue for 1, white for 0 and orange for -1, which are
told apart without colour vision, and every cell says its number.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from snellen.errors import UsageError
from snellen.report.figures import GRID, INK, MUTED, for_page
from snellen.report.text import ends
from snellen.report.view import contrast

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg")

_LABEL = 34  # characters
_WIDE = 30 * 6.6  # points that they take
_CELL, _LEAST_CELL = 38, 17
_ORANGE, _WHITE, _BLUE = (0xC8, 0x5A, 0x10), (0xF7, 0xF7, 0xF7), (0x0B, 0x45, 0x87)
_BLACK = (0, 0, 0)
_ON_PAPER = {INK: "#1a1f27", MUTED: "#5b6572", GRID: "#e3e6ea"}


@dataclass(frozen=True, slots=True)
class Heat:
    """A cell.

    Attributes:
        value: in [-1, 1]; None where there is none.
        strong: drawn bold: it stands after correction.
        part: drawn with a frame: one number is a part of the other.
    """

    value: float | None
    strong: bool = False
    part: bool = False


def page(labels: Sequence[str], cells: Sequence[Sequence[Heat]], *, key: str, title: str) -> str:
    """The SVG element for a page: row i + 1 against columns 0 to i, so `cells[i]` has i + 1 cells.

    Args:
        labels: of the numbers, one more than there are rows of cells.
        cells: below the diagonal.
        key: prefix of all ids in it, unique in the page.
        title: for screen readers.
    """
    with _style():
        buffer = io.StringIO()
        figure = _draw(labels, cells, {INK: INK, MUTED: MUTED, GRID: GRID})
        figure.savefig(buffer, format="svg", metadata=_nothing(), transparent=True)
    natural = figure.get_figwidth() * 6  # rem: 72 points an inch, 16 pixels a rem
    drawn = for_page(buffer.getvalue(), key, title)
    return drawn.replace('class="figure"', f'class="figure wide" style="--natural: {natural:.1f}rem"', 1)


def write(labels: Sequence[str], cells: Sequence[Sequence[Heat]], path: Path) -> Path:
    """Write the heat map to a PNG or SVG file and return it. Arguments as in `page`.

    Raises:
        UsageError: another kind of file, or it cannot be written.
    """
    kind = path.suffix.lower()
    if kind not in FORMATS:
        raise UsageError(f"a figure is written as {' or '.join(FORMATS)}, not as {path.name!r}")
    with _style():
        figure = _draw(labels, cells, _ON_PAPER)
        metadata = _nothing() if kind == ".svg" else {"Software": None}
        buffer = io.BytesIO()
        figure.savefig(buffer, format=kind[1:], metadata=metadata, dpi=160, facecolor="white")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(buffer.getvalue())
    except OSError as error:
        raise UsageError(f"the figure cannot be written to {path}: {error.strerror or error}") from error
    return path


def _nothing() -> dict[str, Any]:
    return dict.fromkeys(("Date", "Creator", "Format", "Type"))


@contextmanager
def _style() -> Iterator[None]:
    import matplotlib as mpl

    with mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        mpl.rcdefaults()
        mpl.rcParams.update(
            {"svg.fonttype": "none", "svg.hashsalt": "snellen", "text.parse_math": False, "font.size": 11}
        )
        yield


def _draw(labels: Sequence[str], cells: Sequence[Sequence[Heat]], colours: dict[str, str]) -> Figure:
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    count = max(1, len(labels) - 1)
    cell = max(_LEAST_CELL, min(_CELL, 560 // count))
    size = 10.0 if cell >= 34 else 8.0 if cell >= 24 else 6.0
    width, height = _WIDE + count * cell + 20, _WIDE + count * cell + 20
    figure = Figure(figsize=(width / 72, height / 72), facecolor="none")
    axes = figure.add_axes(
        (_WIDE / width, _WIDE / height, count * cell / width, count * cell / height), facecolor="none"
    )
    axes.set_xlim(0, count)
    axes.set_ylim(count, 0)
    for y, row in enumerate(cells):
        for x, each in enumerate(row):
            fill = None if each.value is None else _colour(each.value)
            shade = colours[GRID] if fill is None else _hex(fill)
            edge = colours[INK] if each.part else "none"
            shape = Rectangle((x + 0.04, y + 0.04), 0.92, 0.92, facecolor=shade, edgecolor=edge, linewidth=1)
            axes.add_patch(shape)
            if each.value is None or fill is None:
                continue
            ink = max((_BLACK, _WHITE), key=lambda text: contrast(fill, text))
            axes.text(
                x + 0.5, y + 0.5, number(each.value), ha="center", va="center_baseline", fontsize=size,
                color=_hex(ink), fontweight="bold" if each.strong else "normal",
            )  # fmt: skip
    names = [ends(label, _LABEL) for label in labels]
    axes.set_yticks([y + 0.5 for y in range(len(names) - 1)], names[1:], color=colours[INK], fontsize=10)
    axes.set_xticks([x + 0.5 for x in range(len(names) - 1)], names[:-1], color=colours[INK], fontsize=10, rotation=90)
    axes.tick_params(length=0, pad=5)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure


def number(value: float) -> str:
    """``0.88``, ``-0.27``, ``1.00``: with a sign only where it is below 0."""
    text = f"{value:.2f}"
    return "0.00" if text == "-0.00" else text


def _colour(value: float) -> tuple[int, int, int]:
    end, share = (_BLUE if value >= 0 else _ORANGE), min(1.0, abs(value))
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(_WHITE, end, strict=True))
    return red, green, blue


def _hex(colour: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)

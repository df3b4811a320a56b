"""Figures beside dots and heat maps: slopes from clean to changed, lines by severity, points of two numbers.

Drawn as in `snellen.report.figures`: the page gives colours and fonts, the same input gives the same bytes. Lines are
named at their ends instead of in a legend, and told apart by dashes and marks, so that they read in grey.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from snellen.report.figures import ACCENT, GRID, INK, MUTED, PAPER, for_page
from snellen.report.text import ends, one_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH = 640
_NAME = 28  # characters at the end of a line
_ROOM = 210  # points that they take
_LEFT, _TOP, _BOTTOM = 62, 14, 40
_LEAST, _MOST = 240, 520
_APART = 15  # points between two names
_DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)))
_MARKS = "os^Dv"


@dataclass(frozen=True, slots=True)
class Place:
    """A value on a line, a share in [0, 1], with the ends of its interval where it has one."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Path:
    """A named line through places."""

    name: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """Two numbers of one model, shares in [0, 1], with (low, high) of each where there are intervals.

    Attributes:
        name: beside it.
        x, y: the numbers.
        across, along: their intervals.
        published: drawn hollow.
    """

    name: str
    x: float
    y: float
    across: tuple[float, float] | None = None
    along: tuple[float, float] | None = None
    published: bool = False


def slopes(paths: Sequence[Path], *, key: str, title: str, axis: str) -> str:
    """The SVG element of lines from a clean score (x 0) to a changed one (x 1).

    Lines that fall are full and dark, those that do not are dashed and quiet.

    Args:
        paths: of two places each.
        key: prefix of all ids in it, unique in the page.
        title: for screen readers.
        axis: words at the vertical axis.
    """
    with _style():
        figure, axes = _axes(len(paths), axis)
        axes.set_xlim(-0.03, 1)
        axes.set_xticks([0, 1], ["clean", "changed"], color=MUTED, fontsize=11.5)
        for path in paths:
            first, last = path.places
            falls = last.y < first.y
            colour, dashes = (ACCENT, "-") if falls else (MUTED, (0, (4, 2)))
            axes.plot([0, 1], [first.y, last.y], color=colour, linewidth=1.8, linestyle=dashes, clip_on=False)
            axes.plot([0, 1], [first.y, last.y], "o", color=colour, markersize=5, clip_on=False)
        _names(axes, [(path.places[-1].y, f"{path.places[-1].y * 100:.0f} {path.name}") for path in paths])
        return _drawn(figure, key, title)


def severities(paths: Sequence[Path], *, key: str, title: str, axis: str) -> str:
    """The SVG element of lines over severities 1 to 5, with intervals. Arguments as in `slopes`."""
    with _style():
        figure, axes = _axes(len(paths), axis)
        axes.set_xlim(0.85, 5.15)
        axes.set_xticks([1, 2, 3, 4, 5], ["1", "2", "3", "4", "5"], color=MUTED, fontsize=11.5)
        axes.set_xlabel("severity", color=MUTED, fontsize=11.5)
        for number, path in enumerate(paths):
            shift = 0.05 * (number % 5 - (min(len(paths), 5) - 1) / 2)
            xs, ys = [place.x + shift for place in path.places], [place.y for place in path.places]
            colour = ACCENT if number % 2 == 0 else INK
            for x, place in zip(xs, path.places, strict=True):
                if place.low is not None and place.high is not None:
                    axes.plot([x, x], [place.low, place.high], color=colour, linewidth=1, alpha=0.6)
            axes.plot(
                xs, ys, color=colour, linewidth=1.8, linestyle=_DASHES[number % 4], marker=_MARKS[number % 5],
                markersize=5,
            )  # fmt: skip
        _names(axes, [(path.places[-1].y, path.name) for path in paths])
        return _drawn(figure, key, title)


def scatter(points: Sequence[Point], *, key: str, title: str, across: str, along: str) -> str:
    """The SVG element of models as points of two numbers.

    Args:
        points: drawn in this order.
        key, title: as in `slopes`.
        across, along: words at the axes.
    """
    with _style():
        figure, axes = _axes(14, along)
        axes.set_xlim(0, 1)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25", "50", "75", "100 %"], color=MUTED, fontsize=11)
        axes.grid(axis="x", color=GRID, linewidth=1)
        axes.set_xlabel(one_line(across, 90), color=MUTED, fontsize=11.5)
        for point in points:
            colour = MUTED if point.published else ACCENT
            if point.across is not None:
                axes.plot(point.across, [point.y, point.y], color=colour, linewidth=1.5)
            if point.along is not None:
                axes.plot([point.x, point.x], point.along, color=colour, linewidth=1.5)
            axes.plot(
                [point.x], [point.y], "o", color=colour, markersize=7, clip_on=False, markeredgewidth=1.5,
                markerfacecolor=PAPER if point.published else colour,
            )  # fmt: skip
        _names(axes, [(point.y, point.name) for point in points], [(point.x, point.y) for point in points])
        return _drawn(figure, key, title)


@contextmanager
def _style() -> Iterator[None]:
    import matplotlib as mpl

    with mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # the browser's fonts draw, not matplotlib's
        mpl.rcdefaults()
        mpl.rcParams.update(
            {"svg.fonttype": "none", "svg.hashsalt": "snellen", "text.parse_math": False, "font.size": 12.5}
        )
        yield


def _drawn(figure: Figure, key: str, title: str) -> str:
    buffer = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(buffer, format="svg", metadata=nothing, transparent=True)
    return for_page(buffer.getvalue(), key, title)


def _axes(lines: int, axis: str) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure

    height = max(_LEAST, min(_MOST, lines * (_APART + 2) + _TOP + _BOTTOM))
    figure = Figure(figsize=(_WIDTH / 72, height / 72), facecolor="none")
    axes = figure.add_axes(
        (
            _LEFT / _WIDTH,
            _BOTTOM / height,
            (_WIDTH - _LEFT - _ROOM) / _WIDTH,
            (height - _TOP - _BOTTOM) / height,
        ),
        facecolor="none",
    )
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25", "50", "75", "100 %"], color=MUTED, fontsize=11)
    axes.set_ylabel(one_line(axis, 60), color=MUTED, fontsize=11.5)
    axes.tick_params(length=0, pad=8)
    axes.grid(axis="y", color=GRID, linewidth=1)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure, axes


def _names(axes: Any, names: Sequence[tuple[float, str]], places: Sequence[tuple[float, float]] | None = None) -> None:
    """Names at the right, moved apart, each with a thin line to what it names."""
    height = axes.figure.get_figheight() * 72 - _TOP - _BOTTOM
    order = sorted(range(len(names)), key=lambda number: (names[number][0], number))
    heights = spread([names[number][0] * height for number in order], min(_APART, height / max(1, len(names))), height)
    right = axes.get_xlim()[1]
    width = right - axes.get_xlim()[0]
    for number, y in zip(order, heights, strict=True):
        at = names[number][0]
        start = places[number][0] if places is not None else right
        if places is not None or abs(y / height - at) > 0.004:
            axes.plot(
                [start + 0.012 * width, right + 0.035 * width], [at, y / height], color=GRID, linewidth=1,
                clip_on=False, zorder=0.5,
            )  # fmt: skip
        axes.text(
            right + 0.045 * width, y / height, ends(names[number][1], _NAME), va="center_baseline", fontsize=11.5,
            color=INK, clip_on=False,
        )  # fmt: skip


def spread(heights: Sequence[float], apart: float, top: float) -> list[float]:
    """Ascending heights moved as little as need be, so that neighbours are `apart` and all lie in [0, top].

    >>> spread([0.0, 1.0, 50.0], 10, 100)
    [0.0, 10.0, 50.0]
    """
    blocks: list[tuple[float, int]] = []  # mean and size: the isotonic regression of heights less their distances
    for number, height in enumerate(heights):
        mean, size = height - number * apart, 1
        while blocks and blocks[-1][0] > mean:
            before, many = blocks.pop()
            mean, size = (mean * size + before * many) / (size + many), size + many
        blocks.append((mean, size))
    last = max(0.0, top - (len(heights) - 1) * apart)
    means = [min(max(0.0, mean), last) for mean, size in blocks for _ in range(size)]
    return [mean + number * apart for number, mean in enumerate(means)]

"""Two figures on confidence: risk over coverage, and the reliability diagram.

Drawn as in `snellen.report.figures`: the page gives colours and fonts, the same input gives the same bytes.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from snellen.engine.calibration import Bin
from snellen.engine.risk_coverage import Point
from snellen.report.figures import ACCENT, GRID, INK, MUTED, for_page
from snellen.report.text import one_line

_SIDE = 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 66, 18, 14, 46
_DASHED = (0, (4, 3))


def risk_curve(curve: Sequence[Point], *, key: str, title: str, given: Point | None = None) -> str:
    """The SVG element of the risk-coverage curve, with the risk at full coverage as a dashed line.

    Args:
        curve: by falling threshold.
        key: prefix of all ids in it, unique in the page.
        title: for screen readers.
        given: a point to mark: what a threshold leaves.
    """
    with _axes("answers given, surest first", "hallucinations among them") as (axes, done):
        xs, ys = [point.coverage for point in curve], [point.risk for point in curve]
        axes.axhline(ys[-1], color=MUTED, linewidth=1, linestyle=_DASHED)
        axes.plot([0.0, *xs], [ys[0], *ys], color=ACCENT, linewidth=2, clip_on=False)
        if given is not None:
            axes.plot([given.coverage], [given.risk], "o", color=INK, markersize=7, clip_on=False)
    return for_page(done[0], key, title)


def reliability(bins: Sequence[Bin], *, key: str, title: str) -> str:
    """The SVG element of the reliability diagram: the share of right answers, with its interval, over confidence.

    The dashed line is where a calibrated model lies; below it a model is surer than it should be.
    """
    with _axes("mean confidence", "right answers") as (axes, done):
        axes.plot([0, 1], [0, 1], color=MUTED, linewidth=1, linestyle=_DASHED)
        for each in bins:
            if each.right.low is not None and each.right.high is not None:
                ends = [each.right.low, each.right.high]
                axes.plot([each.confidence] * 2, ends, color=ACCENT, linewidth=1.5, alpha=0.7, clip_on=False)
        shares = [each.right.value for each in bins]
        axes.plot(
            [each.confidence for each in bins], shares, color=ACCENT, linewidth=1.2, marker="o", markersize=6,
            clip_on=False,
        )  # fmt: skip
    return for_page(done[0], key, title)


@contextmanager
def _axes(across: str, along: str) -> Iterator[tuple[Any, list[str]]]:
    """Square axes from 0 to 100 per cent; the drawing stands in the list afterwards."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    done: list[str] = []
    ticks = [0, 0.25, 0.5, 0.75, 1], ["0 %", "25", "50", "75", "100 %"]
    width, height = _SIDE + _LEFT + _RIGHT, _SIDE * 0.75 + _TOP + _BOTTOM
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # the browser's fonts draw, not matplotlib's
        mpl.rcdefaults()
        mpl.rcParams.update(
            {"svg.fonttype": "none", "svg.hashsalt": "snellen", "text.parse_math": False, "font.size": 12.5}
        )
        figure = Figure(figsize=(width / 72, height / 72), facecolor="none")
        box = (_LEFT / width, _BOTTOM / height, _SIDE / width, _SIDE * 0.75 / height)
        axes = figure.add_axes(box, facecolor="none")
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.set_xticks(*ticks, color=MUTED, fontsize=11)
        axes.set_yticks(*ticks, color=MUTED, fontsize=11)
        axes.set_xlabel(one_line(across, 60), color=MUTED, fontsize=11.5)
        axes.set_ylabel(one_line(along, 60), color=MUTED, fontsize=11.5)
        axes.tick_params(length=0, pad=6)
        axes.grid(color=GRID, linewidth=1)
        axes.set_axisbelow(True)
        for spine in axes.spines.values():
            spine.set_visible(False)
        yield axes, done
        buffer = io.StringIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(buffer, format="svg", metadata=nothing, transparent=True)
    done.append(buffer.getvalue())

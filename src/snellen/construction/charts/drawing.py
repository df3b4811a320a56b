"""Draws a chart as the bytes of an RGB PNG or JPEG, the same bytes every time on one machine.

Drawing is matplotlib's; nothing here is random. Only this module of the package imports matplotlib.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import matplotlib as mpl
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from snellen.construction.charts.questions import Chart
from snellen.errors import UsageError

_DPI = 100
_COLORS = ("#2f6db3", "#e08a2e", "#3f9b64", "#b8434e", "#7d5fa6", "#8a6d4f")
_CHINESE_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Microsoft YaHei",
    "PingFang SC",
    "SimHei",
)


def chinese_font(path: Path | None = None) -> str:
    """The family name of a font with Chinese characters: that of the file at `path`, else one that is installed.

    Raises:
        UsageError: the file is no font, or none is installed.
    """
    if path is not None:
        try:
            font_manager.fontManager.addfont(str(path))
            return str(font_manager.FontProperties(fname=str(path)).get_name())
        except (OSError, RuntimeError) as error:
            raise UsageError(f"cannot read a font from {path}: {error}") from error
    installed = {font.name for font in font_manager.fontManager.ttflist}
    for name in _CHINESE_FONTS:
        if name in installed:
            return name
    raise UsageError(
        "no font with Chinese characters is installed: install one (Debian: fonts-noto-cjk; then delete matplotlib's "
        "font cache) or name its file with --font"
    )


def draw(chart: Chart, font: str) -> bytes:
    """The chart as an encoded image.

    Args:
        font: family for its texts; must hold their characters.
    """
    settings: dict[str, Any] = {
        "font.family": [font],
        "font.size": 13,
        "axes.titlesize": 16,
        "axes.unicode_minus": False,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "grid.color": "#dddddd",
        "savefig.facecolor": "white",
    }
    with mpl.rc_context(cast(Any, settings)):
        figure = Figure(figsize=(chart.size[0] / _DPI, chart.size[1] / _DPI), dpi=_DPI)
        figure.set_layout_engine("constrained", w_pad=0.12, h_pad=0.12)  # inches
        axes = figure.add_subplot()
        axes.set_title(chart.title, pad=12)
        axes.set_xlabel(chart.x_label)
        axes.set_ylabel(chart.y_label)
        _KINDS[chart.kind](axes, chart)
        drawn = io.BytesIO()
        figure.savefig(drawn, format="png", metadata={"Software": None})
    image = Image.open(drawn).convert("RGB")  # an alpha channel would have to be converted for many models
    file = io.BytesIO()
    if chart.suffix == "jpg":
        image.save(file, "JPEG", quality=90, subsampling=0, optimize=True)
    else:
        image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _legend(axes: Axes, chart: Chart) -> None:
    if len(chart.series) > 1:
        # beside the data, so that it never covers any
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)


def _bars(axes: Axes, chart: Chart) -> None:
    horizontal = chart.kind == "horizontal-bar"
    axes.grid(axis="x" if horizontal else "y")
    count = 1 if chart.kind == "stacked-bar" else len(chart.series)
    width = 0.66 if count == 1 else 0.8 / count
    bottom = [0.0] * len(chart.categories)
    for number, (name, values) in enumerate(chart.series.items()):
        shift = (number - (count - 1) / 2) * width if count > 1 else 0.0
        places = [place + shift for place in range(len(values))]
        color = _COLORS[number]
        if horizontal:
            bars = axes.barh(places, values, height=width, color=color, label=name)
        else:
            bars = axes.bar(places, values, width=width, bottom=bottom, color=color, label=name)
        if chart.kind == "stacked-bar":
            bottom = [low + value for low, value in zip(bottom, values, strict=True)]
        if chart.labelled:
            inside = chart.kind == "stacked-bar"
            axes.bar_label(
                bars,
                fmt="{:g}",
                label_type="center" if inside else "edge",
                padding=0 if inside else 3,
                color="white" if inside else "black",
            )
    if horizontal:
        axes.set_yticks(range(len(chart.categories)), chart.categories)
        axes.invert_yaxis()
        axes.margins(x=0.1)
    else:
        axes.set_xticks(range(len(chart.categories)), chart.categories)
        axes.margins(y=0.1)
    _legend(axes, chart)


def _histogram(axes: Axes, chart: Chart) -> None:
    edges = [float(category.split("-")[0]) for category in chart.categories]
    edges.append(float(chart.categories[-1].split("-")[1]))
    (values,) = chart.series.values()
    widths = [high - low for low, high in pairwise(edges)]
    bars = axes.bar(edges[:-1], values, width=widths, align="edge", color=_COLORS[0], edgecolor="white")
    axes.set_xticks(edges)
    axes.grid(axis="y")
    if chart.labelled:
        axes.bar_label(bars, fmt="{:g}", padding=3)
        axes.margins(y=0.1)


def _lines(axes: Axes, chart: Chart) -> None:
    axes.grid(axis="y")
    for number, (name, values) in enumerate(chart.series.items()):
        if chart.kind == "area":
            axes.fill_between(range(len(values)), values, color=_COLORS[number], alpha=0.45)
        axes.plot(values, color=_COLORS[number], marker="osD"[number % 3], linewidth=2, label=name)
        if chart.labelled:
            _label_points(axes, values)
    axes.set_xticks(range(len(chart.categories)), chart.categories)
    axes.margins(y=0.12)
    if chart.kind == "area":
        axes.set_ylim(bottom=0)
    _legend(axes, chart)


def _label_points(axes: Axes, values: Sequence[float]) -> None:
    for place, value in enumerate(values):
        before = values[place - 1] if place else None
        after = values[place + 1] if place + 1 < len(values) else None
        # on the side of the point that the line does not run through
        if before is not None and after is not None and before < value < after:
            offset, side = (-6.0, 5.0), "right"
        elif before is not None and after is not None and before > value > after:
            offset, side = (6.0, 5.0), "left"
        elif all(neighbour is None or neighbour > value for neighbour in (before, after)):
            offset, side = (0.0, -18.0), "center"
        else:
            offset, side = (0.0, 8.0), "center"
        axes.annotate(f"{value:g}", (place, value), offset, textcoords="offset points", ha=side)


def _scatter(axes: Axes, chart: Chart) -> None:
    xs, ys = chart.series.values()
    axes.grid()
    axes.scatter(xs, ys, s=70, color=_COLORS[3])
    for name, x, y in zip(chart.categories, xs, ys, strict=True):
        axes.annotate(name, (x, y), (0, 9), textcoords="offset points", ha="center")
    axes.margins(0.12)


def _pie(axes: Axes, chart: Chart) -> None:
    (values,) = chart.series.values()
    axes.pie(
        values,
        labels=chart.categories,
        colors=_COLORS,
        autopct=(lambda share: f"{share:.0f}%") if chart.labelled else None,
        textprops={"fontsize": 14},
        startangle=90,
        counterclock=False,
        wedgeprops={"edgecolor": "white", "alpha": 0.75},
        pctdistance=0.72,
    )


def _heat_map(axes: Axes, chart: Chart) -> None:
    rows = list(chart.series.values())
    picture = axes.imshow(rows, cmap="YlGnBu", aspect="auto")
    axes.set_xticks(range(len(chart.categories)), chart.categories)
    axes.set_yticks(range(len(rows)), list(chart.series))
    axes.set_ylabel("")
    axes.figure.colorbar(picture, ax=axes, label=chart.y_label)
    if chart.labelled:
        middle = (max(map(max, rows)) + min(map(min, rows))) / 2
        for y, values in enumerate(rows):
            for x, value in enumerate(values):
                axes.text(x, y, f"{value:g}", ha="center", va="center", color="white" if value > middle else "black")


def _boxes(axes: Axes, chart: Chart) -> None:
    names = ("whislo", "q1", "med", "q3", "whishi")
    boxes = [dict(zip(names, column, strict=True)) for column in zip(*chart.series.values(), strict=True)]
    axes.grid(axis="y")
    axes.bxp(
        boxes,
        showfliers=False,
        patch_artist=True,
        widths=0.5,
        boxprops={"facecolor": "#bcd3ea"},
        medianprops={"color": _COLORS[3], "linewidth": 2.5},
    )
    axes.set_xticks(range(1, len(boxes) + 1), chart.categories)


_KINDS: Mapping[str, Callable[[Axes, Chart], None]] = {
    "bar": _bars,
    "horizontal-bar": _bars,
    "grouped-bar": _bars,
    "stacked-bar": _bars,
    "line": _lines,
    "area": _lines,
    "scatter": _scatter,
    "pie": _pie,
    "histogram": _histogram,
    "heat-map": _heat_map,
    "box": _boxes,
}

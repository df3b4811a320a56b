"""Dot-and-whisker figures, drawn by matplotlib as SVG that takes its colours and fonts from the page around it.

Same input, same bytes: no date, fixed ids, matplotlib's own defaults whatever the user's style file says. Texts are
never read as mathematics, so a ``$`` in a model's name is a dollar sign.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree

from snellen.report.text import ends, one_line

_WIDTH = 640
_LEFT = 205
_RIGHT = 128
_ROW = 25
_TOP = 8
_BOTTOM = 44
_REFERENCE = 18  # of height for the name of a reference line
_LABEL = 26  # characters of Latin text that fit
_LETTER = 7  # points that one takes in the name of a reference line

# Colours stand for CSS variables of the page (light, dark, print); they are exchanged after drawing.
INK, MUTED, ACCENT, GRID, PAPER = "#010203", "#010204", "#010205", "#010206", "#010207"
_VARIABLES = {
    INK: "var(--ink)",
    MUTED: "var(--muted)",
    ACCENT: "var(--accent)",
    GRID: "var(--line)",
    PAPER: "var(--paper)",
}
_COLOUR = re.compile("#0102[0-9a-f]{2}")
_FONT_FAMILY = re.compile(r"font-family: [^;]*;? ?")
_SVG = "http://www.w3.org/2000/svg"
_NOT_FOR_PAGE = (f"{{{_SVG}}}metadata", f"{{{_SVG}}}style")  # a style element would reach beyond the drawing
_XLINK = "http://www.w3.org/1999/xlink"


@dataclass(frozen=True, slots=True)
class Dot:
    """One line of a figure.

    Attributes:
        label: at the left.
        value: a share in [0, 1]; None draws no dot (nothing was scored, or the line is a heading).
        low: lower end of the interval, None where there is none.
        high: upper end.
        style: ``run`` (accent, filled), ``published`` (hollow) or ``heading``.
    """

    label: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    style: Literal["run", "published", "heading"] = "run"

    @property
    def text(self) -> str:
        """What stands at the right: ``27.1 [24.2, 30.2]``, in per cent."""
        if self.style == "heading":
            return ""
        if self.value is None:
            return "none scored"
        interval = "" if self.low is None or self.high is None else f" [{self.low * 100:.1f}, {self.high * 100:.1f}]"
        return f"{self.value * 100:.1f}{interval}"


def dots(
    lines: Sequence[Dot],
    *,
    key: str,
    title: str,
    axis: str,
    mark: float | None = None,
    references: Sequence[tuple[str, float]] = (),
) -> str:
    """The SVG element of a figure with one line per dot, on an axis from 0 to 100 per cent.

    Args:
        key: prefix of all ids in it, unique in the page; letters, digits and hyphens.
        title: for screen readers.
        axis: words under the axis.
        mark: a share at which a dashed vertical line is drawn, such as the overall value.
        references: names and shares at which dotted vertical lines are drawn, each named above the dots.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    top = _TOP + _REFERENCE * len(references)
    height = top + _BOTTOM + _ROW * max(1, len(lines))
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # the browser's fonts draw, not matplotlib's
        mpl.rcdefaults()
        mpl.rcParams.update(
            {"svg.fonttype": "none", "svg.hashsalt": "snellen", "text.parse_math": False, "font.size": 12.5}
        )
        figure = Figure(figsize=(_WIDTH / 72, height / 72), facecolor="none")
        axes = figure.add_axes(
            (_LEFT / _WIDTH, _BOTTOM / height, (_WIDTH - _LEFT - _RIGHT) / _WIDTH, 1 - (top + _BOTTOM) / height),
            facecolor="none",
        )
        axes.set_xlim(0, 1)
        axes.set_ylim(max(1, len(lines)) - 0.5, -0.5)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25", "50", "75", "100 %"], color=MUTED, fontsize=11)
        axes.set_yticks(range(len(lines)), [ends(line.label, _LABEL - 2 * (line.style == "heading")) for line in lines])
        axes.tick_params(length=0, pad=8)
        axes.set_xlabel(one_line(axis, 90), color=MUTED, fontsize=11.5)
        axes.grid(axis="x", color=GRID, linewidth=1)
        axes.set_axisbelow(True)
        for spine in axes.spines.values():
            spine.set_visible(False)
        if mark is not None:
            axes.axvline(mark, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
        for number, (name, share) in enumerate(references):
            above = -0.5 - (len(references) - number - 0.5) * _REFERENCE / _ROW
            axes.plot(
                [share, share], [above, max(1, len(lines)) - 0.5], color=MUTED, linewidth=1, linestyle=(0, (1, 2)),
                clip_on=False,
            )  # fmt: skip
            words = f"{one_line(name, 40)} {share * 100:.1f}"
            room = (1 - share) * (_WIDTH - _LEFT - _RIGHT) + _RIGHT  # lines of greater shares begin lower
            side, shift = ("left", 0.012) if len(words) * _LETTER < room else ("right", -0.012)
            axes.text(
                share + shift, above, words, ha=side, va="center_baseline",
                fontsize=11, color=MUTED, clip_on=False,
            )  # fmt: skip
        right = axes.get_yaxis_transform()
        for y, (line, label) in enumerate(zip(lines, axes.get_yticklabels(), strict=True)):
            quiet = line.style == "published" or line.value is None
            colour = MUTED if quiet else ACCENT
            label.set_color(MUTED if line.style == "published" else INK)
            label.set_fontweight("bold" if line.style == "heading" else "normal")
            if line.value is not None:
                if line.low is not None and line.high is not None:
                    axes.plot([line.low, line.high], [y, y], color=colour, linewidth=2, clip_on=False)
                axes.plot(
                    [line.value], [y], "o", color=colour, markersize=7, clip_on=False, markeredgewidth=1.5,
                    markerfacecolor=PAPER if line.style == "published" else colour,
                )  # fmt: skip
            axes.text(
                1.045, y, line.text, transform=right, va="center_baseline", fontsize=11.5,
                color=MUTED if quiet else INK,
            )  # fmt: skip
        buffer = io.StringIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(buffer, format="svg", metadata=nothing, transparent=True)
    return for_page(buffer.getvalue(), key, title)


def for_page(svg: str, key: str, title: str) -> str:
    """The drawing as an element that can stand several times in one HTML page."""
    ElementTree.register_namespace("", _SVG)
    root = ElementTree.fromstring(svg)
    ids = {element.get("id", "") for element in root.iter()}
    used = set(re.findall(r"#([\w-]+)", svg)) & ids
    for parent in list(root.iter()):
        for child in [c for c in parent if c.tag in _NOT_FOR_PAGE]:
            parent.remove(child)
    for element in root.iter():
        if element.tag != f"{{{_SVG}}}text":
            element.text = None
        element.tail = "\n" if element.tag == f"{{{_SVG}}}g" else None
        if element.get("transform", "").startswith("rotate(-0"):
            del element.attrib["transform"]
        name = element.attrib.pop("id", "")
        if name in used:
            element.set("id", f"{key}-{name}")
        if (target := element.attrib.pop(f"{{{_XLINK}}}href", None)) is not None:
            element.set("href", f"#{key}-{target.removeprefix('#')}")
        if "clip-path" in element.attrib:
            element.set("clip-path", element.attrib["clip-path"].replace("url(#", f"url(#{key}-"))
        for attribute in ("style", "fill", "stroke"):
            if attribute in element.attrib:
                element.set(attribute, _restyle(element.attrib[attribute]))
    for attribute in ("width", "height", "version"):
        root.attrib.pop(attribute, None)
    root.set("class", "figure")
    root.set("role", "img")
    root.set("aria-label", one_line(title, 200))
    return ElementTree.tostring(root, encoding="unicode")


def _restyle(style: str) -> str:
    style = _COLOUR.sub(lambda match: _VARIABLES.get(match[0], match[0]), style)
    return _FONT_FAMILY.sub("", style)

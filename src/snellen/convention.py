"""Convention: how a model writes coordinates, as declared for it, and the way back to pixels of the original.

A model's numbers mean nothing without it: the same ``[100, 200, 300, 400]`` is pixels of one picture, thousandths of
another, or has its axes the other way round. It is declared in ``models.toml`` (``convention = "qwen2.5-vl"``) by the
name of a preset or in full (``convention = "thousand:yxyx:yx"``) and never guessed from an image's size.

What a model saw differs from the original in two places: Snellen may have scaled or padded the image to what the model
takes (`Frame`), and some servers scale it once more, by a rule that the model's family publishes (`Resizing`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from snellen.box import Box
from snellen.errors import UsageError
from snellen.item import ImageRef

Unit = Literal["original", "sent", "resized", "fraction", "percent", "thousand"]
BoxOrder = Literal["xyxy", "xywh", "cxcywh", "yxyx"]
PointOrder = Literal["xy", "yx"]

_ROUNDING = 1e-9  # relative; far below what any model writes
_FULL: Mapping[str, float] = {"fraction": 1.0, "percent": 100.0, "thousand": 1000.0}


class CoordinateError(ValueError):
    """Numbers that are no place in the image: not finite, inverted, or outside. Says which."""


@dataclass(frozen=True, slots=True)
class Resizing:
    """How a family's image processor scales what it gets: both sides rounded to multiples of `factor`, within a budget.

    Qwen2-VL's ``smart_resize`` (arXiv 2409.12191, and the processor that ships with the weights).

    Attributes:
        factor: pixels that a merged patch covers.
        least, most: pixels in all.
    """

    factor: int = 28
    least: int = 56 * 56
    most: int = 12_845_056

    def size(self, width: int, height: int) -> tuple[int, int]:
        """(width, height) after scaling.

        >>> Resizing().size(1920, 1080)
        (1932, 1092)
        """
        f = self.factor
        w, h = max(f, round(width / f) * f), max(f, round(height / f) * f)
        if w * h > self.most:
            scale = math.sqrt(width * height / self.most)
            w, h = max(f, math.floor(width / scale / f) * f), max(f, math.floor(height / scale / f) * f)
        elif w * h < self.least:
            scale = math.sqrt(self.least / (width * height))
            w, h = math.ceil(width * scale / f) * f, math.ceil(height * scale / f) * f
        return w, h


@dataclass(frozen=True, slots=True)
class Frame:
    """What became of an image on its way to the model; all sizes are (width, height) in pixels.

    Attributes:
        original: of the upright original: what truths are in.
        sent: of what was sent, padding included.
        content: of that part of it which shows the original; padding lies to the right of it and below.
    """

    original: tuple[int, int]
    sent: tuple[int, int]
    content: tuple[int, int]

    @classmethod
    def of(cls, image: ImageRef, sent: Mapping[str, Any] | None = None) -> Frame:
        """From an item's image, and what an answer's ``sent`` says of that image (nothing: it was sent as it is).

        Raises:
            CoordinateError: the image's size is not known.
        """
        if sent is None:
            size = image.width, image.height
            if not image.width:
                raise CoordinateError(f"the size of {image.name} is not known, so no coordinate can be placed in it")
            return cls(size, size, size)
        canvas = sent["width"], sent["height"]
        source = sent.get("source")
        if source is None:
            return cls(canvas, canvas, canvas)
        content = source.get("content") or canvas
        return cls((source["width"], source["height"]), canvas, (content[0], content[1]))


@dataclass(frozen=True, slots=True)
class Convention:
    """How a model writes coordinates.

    Attributes:
        name: of the preset, or the full spelling.
        unit: ``original``, ``sent`` or ``resized`` pixels, or shares of the image that was sent: ``fraction`` (to 1),
            ``percent`` (to 100), ``thousand`` (to 1000).
        boxes: the order of four numbers.
        points: the order of two numbers.
        resizing: the server's own scaling; for ``resized`` alone.
        title: the models it fits, for people.
        source: where the family says so.
    """

    name: str
    unit: Unit
    boxes: BoxOrder = "xyxy"
    points: PointOrder = "xy"
    resizing: Resizing | None = None
    title: str = ""
    source: str = ""

    def __str__(self) -> str:
        return f"{self.unit}:{self.boxes}:{self.points}"

    def point(self, values: Sequence[float], frame: Frame) -> tuple[float, float]:
        """Two numbers of the model -> (x, y) in pixels of the original.

        Raises:
            CoordinateError: not finite, or outside the image. Nothing is clamped.
        """
        first, second = self._finite(values, 2)
        x, y = (first, second) if self.points == "xy" else (second, first)
        return self._place(x, y, frame)

    def box(self, values: Sequence[float], frame: Frame) -> Box:
        """Four numbers of the model -> a box in pixels of the original.

        Raises:
            CoordinateError: not finite, inverted, or outside the image. Nothing is clamped or turned round.
        """
        a, b, c, d = self._finite(values, 4)
        if self.boxes == "xywh":
            left, top, right, bottom = a, b, a + c, b + d
        elif self.boxes == "cxcywh":
            left, top, right, bottom = a - c / 2, b - d / 2, a + c / 2, b + d / 2
        elif self.boxes == "yxyx":
            left, top, right, bottom = b, a, d, c
        else:
            left, top, right, bottom = a, b, c, d
        if right < left or bottom < top:
            raise CoordinateError(f"the box {_spelt(values)} is inverted when read as {self}")
        return Box(*self._place(left, top, frame), *self._place(right, bottom, frame))

    def written(self, box: Box, frame: Frame) -> tuple[float, float, float, float]:
        """A box in pixels of the original -> the four numbers that a model of this convention would write."""
        left, top = self._shown(box.left, box.top, frame)
        right, bottom = self._shown(box.right, box.bottom, frame)
        if self.boxes == "xywh":
            return left, top, right - left, bottom - top
        if self.boxes == "cxcywh":
            return (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
        return (top, left, bottom, right) if self.boxes == "yxyx" else (left, top, right, bottom)

    def _extent(self, frame: Frame) -> tuple[float, float]:
        """The largest x and y that lie in the image that the model saw."""
        if self.unit == "original":
            return frame.original
        if self.unit == "sent":
            return frame.sent
        if self.unit == "resized":
            return (self.resizing or Resizing()).size(*frame.sent)
        full = _FULL[self.unit]
        return full, full

    def _place(self, x: float, y: float, frame: Frame) -> tuple[float, float]:
        width, height = self._extent(frame)
        x, y = _on_edge(x, width), _on_edge(y, height)
        if not (0 <= x <= width and 0 <= y <= height):
            raise CoordinateError(f"({x:g}, {y:g}) lies outside {width:g} x {height:g} when read as {self}")
        if self.unit == "original":
            return x, y
        # To pixels of what was sent, then from the part that shows the original to the original. Products come first:
        # then whole pixels of an image that is sent as it is stay whole, and a point on a target's edge stays on it.
        x = _on_edge(x * frame.sent[0] / width, frame.content[0])
        y = _on_edge(y * frame.sent[1] / height, frame.content[1])
        if x > frame.content[0] or y > frame.content[1]:
            raise CoordinateError(f"({x:g}, {y:g}) lies in the padding of what was sent")
        return x * frame.original[0] / frame.content[0], y * frame.original[1] / frame.content[1]

    def _shown(self, x: float, y: float, frame: Frame) -> tuple[float, float]:
        if self.unit == "original":
            return x, y
        width, height = self._extent(frame)
        x, y = x * frame.content[0] / frame.original[0], y * frame.content[1] / frame.original[1]
        return x * width / frame.sent[0], y * height / frame.sent[1]

    def _finite(self, values: Sequence[float], count: int) -> Sequence[float]:
        if len(values) != count:
            raise CoordinateError(f"{len(values)} numbers where {count} are needed: {_spelt(values)}")
        try:
            finite = all(math.isfinite(value) for value in values)
        except OverflowError:  # an integer beyond what a float holds
            finite = False
        if not finite:
            raise CoordinateError(f"not all of {_spelt(values)} are finite")
        return values


def _on_edge(value: float, edge: float) -> float:
    """A value that the arithmetic of floats took past 0 or the edge, put back on it; any other as it is."""
    slack = _ROUNDING * edge
    if -slack <= value < 0:
        return 0.0
    return edge if edge < value <= edge + slack else value


def _spelt(values: Sequence[float]) -> str:
    return "[" + ", ".join(_short(value) for value in values) + "]"


def _short(value: float) -> str:
    try:
        return f"{value:g}"
    except OverflowError:
        return "a huge number"


_QWEN2 = Resizing(28, 56 * 56, 12_845_056)

PRESETS: Mapping[str, Convention] = {
    each.name: each
    for each in (
        Convention("pixels", "sent", title="pixels of the image as it was sent"),
        Convention("original-pixels", "original", title="pixels of the original file"),
        Convention("fraction", "fraction", title="shares of the sides, from 0 to 1"),
        Convention("percent", "percent", title="percent of the sides"),
        Convention("thousand", "thousand", title="thousandths of the sides"),
        Convention("qwen2-vl", "thousand", title="Qwen2-VL", source="arXiv 2409.12191, section 2: [0, 1000)"),
        Convention(
            "qwen2.5-vl",
            "resized",
            resizing=_QWEN2,
            title="Qwen2.5-VL",
            source="arXiv 2502.13923, section 2.1.2: absolute pixels of the scaled image",
        ),
        Convention(
            "qwen3-vl", "thousand", title="Qwen3-VL", source="github.com/QwenLM/Qwen3-VL, cookbooks/2d_grounding.ipynb"
        ),
        Convention("internvl", "thousand", title="InternVL2 to 3.5", source="arXiv 2412.05271: <box>, 0 to 1000"),
        Convention("ui-tars", "thousand", title="UI-TARS 1.0", source="arXiv 2501.12326: 0 to 1000"),
        Convention(
            "ui-tars-1.5",
            "resized",
            resizing=Resizing(28, 100 * 28 * 28, 16384 * 28 * 28),
            title="UI-TARS 1.5",
            source="github.com/bytedance/UI-TARS, README_coordinates.md",
        ),
        Convention(
            "gui-owl",
            "resized",
            resizing=_QWEN2,
            title="GUI-Owl (on Qwen2.5-VL)",
            source="arXiv 2508.15144: as Qwen2.5-VL",
        ),
        Convention("os-atlas", "thousand", title="OS-Atlas", source="arXiv 2410.23218, appendix: 0 to 1000"),
        Convention("molmo", "percent", title="Molmo", source="arXiv 2409.17146: points from 0 to 100"),
        Convention("showui", "fraction", title="ShowUI", source="arXiv 2411.17465: points from 0 to 1"),
        Convention(
            "claude",
            "sent",
            title="Claude computer use",
            source="docs.anthropic.com, computer use: pixels of the screenshot that is sent; keep it within limits",
        ),
        Convention(
            "gemini",
            "thousand",
            boxes="yxyx",
            points="yx",
            title="Gemini 2.0 and later",
            source="ai.google.dev, image understanding: [ymin, xmin, ymax, xmax] from 0 to 1000",
        ),
        Convention(
            "gpt", "sent", title="GPT, computer-use-preview", source="platform.openai.com, computer use: pixels"
        ),
    )
}
"""Families' conventions by name; the first five are plain ones."""

DEFAULT = PRESETS["pixels"]
"""What a model is told to write where none is declared for it."""


def parse(text: str) -> Convention:
    """A convention from the name of a preset, or ``UNIT[:BOXES[:POINTS]]``.

    >>> str(parse("gemini"))
    'thousand:yxyx:yx'

    Raises:
        UsageError: neither.
    """
    preset = PRESETS.get(text.strip().lower())
    if preset is not None:
        return preset
    parts = [part.strip() for part in text.lower().split(":")]
    allowed = (get_args(Unit), get_args(BoxOrder), get_args(PointOrder))
    if len(parts) > 3 or any(part not in choices for part, choices in zip(parts, allowed, strict=False)):
        spelling = " : ".join("|".join(choices) for choices in allowed)
        raise UsageError(f"no convention {text!r}: there are {', '.join(PRESETS)}, or {spelling}")
    whole = (*parts, *("xyxy", "xy")[len(parts) - 1 :])
    unit, boxes, points = whole
    resizing = _QWEN2 if unit == "resized" else None
    return Convention(":".join(whole), unit, boxes, points, resizing)  # type: ignore[arg-type]

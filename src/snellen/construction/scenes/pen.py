"""Drawing for scenes: polygons, ellipses, strokes and words on a canvas, the same bytes every time.

Everything is drawn three times as large on whole pixels, then reduced by averaging, so edges are smooth and no rounding
of another machine's can show. Things are drawn in a frame of their own, about -1 to 1 with y downwards, which a `Pen`
places, scales, mirrors and turns.
"""

from __future__ import annotations

import importlib.util
import io
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from snellen.errors import UsageError

WIDTH, HEIGHT = 480, 360
_FACTOR = 3
_ROUND = 72  # corners of a whole ellipse

Points = Sequence[tuple[float, float]]
Box = tuple[int, int, int, int]

INK = "#222222"
COLORS = {
    "red": "#d62828",
    "blue": "#1d5fbf",
    "green": "#2a9d3f",
    "yellow": "#f6c90e",
    "orange": "#f0801a",
    "purple": "#7b2fa6",
    "pink": "#f49ac1",
    "brown": "#8a5a2b",
    "black": "#1c1c1c",
    "white": "#ffffff",
    "gray": "#9a9a9a",
}


class Canvas:
    """A picture of 480 x 360 pixels that is being drawn.

    Attributes:
        regions: name -> left, top, right, bottom of what was drawn under that name, in pixels.
    """

    def __init__(self, background: str = "#ffffff") -> None:
        self.regions: dict[str, Box] = {}
        self._image = Image.new("RGB", (WIDTH * _FACTOR, HEIGHT * _FACTOR), background)
        self._draw = ImageDraw.Draw(self._image)
        self._seen: list[tuple[float, float]] | None = None

    def at(self, x: float, y: float, size: float, *, flip: bool = False, turn: float = 0.0) -> Pen:
        """A pen whose frame has its origin at (x, y) and whose unit is `size` pixels.

        Args:
            flip: mirrored, so that what looks right looks left.
            turn: degrees clockwise.
        """
        return Pen(self, x, y, size, flip, turn)

    @contextmanager
    def region(self, name: str) -> Iterator[None]:
        """Everything that is drawn within becomes the region of that name."""
        self._seen = []
        yield
        xs, ys = [x for x, _ in self._seen], [y for _, y in self._seen]
        self._seen = None
        left, top = max(0, math.floor(min(xs))), max(0, math.floor(min(ys)))
        self.regions[name] = (left, top, min(WIDTH, math.ceil(max(xs))), min(HEIGHT, math.ceil(max(ys))))

    def seen(self, points: Points, margin: float = 0.0) -> None:
        """Takes note of where something was drawn."""
        if self._seen is not None:
            self._seen += [(x + sign * margin, y + sign * margin) for x, y in points for sign in (-1, 1)]

    def polygon(self, points: Points, fill: str) -> None:
        """A filled polygon, in pixels of the picture."""
        self.seen(points)
        self._draw.polygon([_whole(x, y) for x, y in points], fill=fill)

    def stroke(self, points: Points, color: str, width: float) -> None:
        """A line with round ends and joints, in pixels of the picture."""
        self.seen(points, width / 2)
        whole, thick = [_whole(x, y) for x, y in points], max(1, round(width * _FACTOR))
        self._draw.line(whole, fill=color, width=thick)
        if (radius := thick // 2) > 1:
            for x, y in whole:
                self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=color)

    def words(self, x: float, y: float, text: str, size: float, color: str) -> None:
        """Latin text around a middle, in pixels of the picture."""
        font = _font(round(size * _FACTOR))
        across, down = _whole(x, y)
        self._draw.text((across, down), text, fill=color, font=font, anchor="mm")
        left, top, right, bottom = self._draw.textbbox((across, down), text, font=font, anchor="mm")
        self.seen([(left / _FACTOR, top / _FACTOR), (right / _FACTOR, bottom / _FACTOR)])

    def png(self) -> bytes:
        """The finished picture as an RGB PNG."""
        file = io.BytesIO()
        self._image.reduce(_FACTOR).save(file, "PNG", optimize=True)
        return file.getvalue()


class Pen:
    """Draws in a frame of its own; see `Canvas.at`."""

    def __init__(self, canvas: Canvas, x: float, y: float, size: float, flip: bool, turn: float) -> None:
        self.canvas, self.size = canvas, size
        self._x, self._y, self._sign = x, y, -1 if flip else 1
        self._cos, self._sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def place(self, points: Points) -> list[tuple[float, float]]:
        """Points of the frame -> pixels of the picture."""
        placed = []
        for across, y in points:
            x = across * self._sign
            placed.append(
                (
                    self._x + (x * self._cos - y * self._sin) * self.size,
                    self._y + (x * self._sin + y * self._cos) * self.size,
                )
            )
        return placed

    def poly(self, points: Points, fill: str, edge: str = "", width: float = 0.04) -> None:
        """A polygon with an edge of `width` units, if it is given a color."""
        placed = self.place(points)
        self.canvas.polygon(placed, fill)
        if edge:
            self.canvas.stroke([*placed, placed[0]], edge, width * self.size)

    def rect(self, left: float, top: float, right: float, bottom: float, fill: str, edge: str = "") -> None:
        """A rectangle."""
        self.poly([(left, top), (right, top), (right, bottom), (left, bottom)], fill, edge)

    def oval(self, x: float, y: float, across: float, down: float, fill: str, edge: str = "") -> None:
        """An ellipse with these radii."""
        self.poly(arc(x, y, across, down, 0, 360)[:-1], fill, edge)

    def disc(self, x: float, y: float, radius: float, fill: str, edge: str = "") -> None:
        """A circle."""
        self.oval(x, y, radius, radius, fill, edge)

    def line(self, points: Points, color: str = INK, width: float = 0.06) -> None:
        """A line of `width` units with round ends."""
        self.canvas.stroke(self.place(points), color, width * self.size)

    def text(self, x: float, y: float, text: str, size: float, color: str = INK) -> None:
        """Upright Latin text around a middle, `size` units high."""
        ((across, down),) = self.place([(x, y)])
        self.canvas.words(across, down, text, size * self.size, color)


def arc(x: float, y: float, across: float, down: float, start: float, end: float) -> list[tuple[float, float]]:
    """Points of a part of an ellipse, from one angle to another in degrees, clockwise from the right."""
    steps = max(2, round(abs(end - start) / 360 * _ROUND))
    angles = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return [(x + across * math.cos(angle), y + down * math.sin(angle)) for angle in angles]


def star(x: float, y: float, radius: float, points: int = 5, inner: float = 0.382, turn: float = 0.0) -> Points:
    """The corners of a star that stands on two points; `inner` is the share of the radius where it is hollow."""
    corners = []
    for corner in range(2 * points):
        angle = math.radians(turn - 90 + 180 * corner / points)
        length = radius if corner % 2 == 0 else radius * inner
        corners.append((x + length * math.cos(angle), y + length * math.sin(angle)))
    return corners


def ring(x: float, y: float, radius: float, corners: int, turn: float = 0.0) -> Points:
    """The corners of a regular polygon, the first at the top."""
    angles = [math.radians(turn - 90 + 360 * corner / corners) for corner in range(corners)]
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def _whole(x: float, y: float) -> tuple[int, int]:
    return round(round(x * _FACTOR, 3)), round(round(y * _FACTOR, 3))


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    """DejaVu Sans Bold, which ships with matplotlib.

    Raises:
        UsageError: it is not there.
    """
    found = importlib.util.find_spec("matplotlib")  # not imported: a second is saved
    folders = found.submodule_search_locations if found is not None else None
    file = (
        Path(folders[0], "mpl-data", "fonts", "ttf", "DejaVuSans-Bold.ttf") if folders else Path("DejaVuSans-Bold.ttf")
    )
    if not file.is_file():
        raise UsageError(f"the font {file.name} of matplotlib is missing: install matplotlib again")
    return ImageFont.truetype(str(file), size, layout_engine=ImageFont.Layout.BASIC)

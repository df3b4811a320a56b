"""A scene: a background and what is placed on it, with a description that is true of the whole picture."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from snellen.construction.scenes.emblems import EMBLEMS
from snellen.construction.scenes.flags import flag
from snellen.construction.scenes.pen import COLORS, HEIGHT, INK, WIDTH, Canvas
from snellen.construction.scenes.people import face, person
from snellen.construction.scenes.signs import board, words
from snellen.construction.scenes.things import THINGS


@dataclass(frozen=True, slots=True)
class Said:
    """The same in both languages."""

    en: str
    zh: str

    def of(self, language: str) -> str:
        """In English (``en``) or Chinese (``zh``)."""
        return self.zh if language == "zh" else self.en


@dataclass(frozen=True, slots=True)
class Part:
    """Something in a scene.

    Attributes:
        key: name of its region; parts with one key are one region.
        draw: draws it.
        object: what it is, as readers of objects name it; empty for what is none of theirs, as a face or an emblem.
    """

    key: str
    draw: Callable[[Canvas], None]
    object: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture before it is drawn.

    Attributes:
        name: of the image and of the cluster.
        background: ``meadow``, ``water``, ``street``, ``room`` or ``plain``.
        parts: drawn one after the other.
        description: what is in it, completely.
    """

    name: str
    background: str
    parts: tuple[Part, ...]
    description: Said

    @property
    def objects(self) -> tuple[str, ...]:
        """Every object in it, each once; empty where not all parts are objects, so that they are not all of it."""
        names = [part.object for part in self.parts]
        return tuple(dict.fromkeys(names)) if all(names) else ()

    def drawn(self) -> Canvas:
        """The finished picture, with a region for every key."""
        canvas = Canvas("#fbfaf3")
        _BACKGROUNDS[self.background](canvas)
        for key in dict.fromkeys(part.key for part in self.parts):
            with canvas.region(key):
                for part in self.parts:
                    if part.key == key:
                        part.draw(canvas)
        return canvas


def thing(
    name: str, x: float, y: float, size: float, color: str, key: str = "", *, flip: bool = False, turn: float = 0.0
) -> Part:
    """One of `THINGS` at a place."""
    return Part(
        key or name, lambda canvas: THINGS[name](canvas.at(x, y, size, flip=flip, turn=turn), COLORS[color]), name
    )


def scattered(name: str, count: int, color: str, key: str, area: tuple[int, int, int, int], size: float) -> list[Part]:
    """So many of one kind in an area (left, top, right, bottom), one to a cell of a grid, a little off its middle."""
    left, top, right, bottom = area
    columns = max(1, min(count, int((right - left) / (2.3 * size))))
    rows = -(-count // columns)
    draw = random.Random(f"{name} {count} {color} {key}")
    parts = []
    for place in range(count):
        row, column = divmod(place, columns)
        x = left + (column + 0.5) * (right - left) / columns + draw.uniform(-0.12, 0.12) * size
        y = top + (row + 0.5) * (bottom - top) / rows + draw.uniform(-0.15, 0.15) * size
        parts.append(thing(name, x, y, size, color, key))
    return parts


def figure(posture: str, x: float, y: float, size: float, color: str, key: str = "person") -> Part:
    """A person in a posture."""
    return Part(key, lambda canvas: person(canvas.at(x, y, size), posture, COLORS[color]), "person")


def smiley(expression: str, x: float, y: float, size: float, color: str, key: str) -> Part:
    """A face with an expression."""
    return Part(key, lambda canvas: face(canvas.at(x, y, size), expression, COLORS[color]))


def sign(
    shape: str, x: float, y: float, size: float, color: str, key: str, text: str = "", height: float = 0.5
) -> Part:
    """A board on a post, with a text of `height` units."""

    def draw(canvas: Canvas) -> None:
        pen = canvas.at(x, y, size)
        board(pen, shape, COLORS[color])
        if text:
            words(pen, text, INK if color in ("yellow", "white", "orange") else "#ffffff", height)

    return Part(key, draw, "sign")


def emblem(name: str) -> Part:
    """One of `EMBLEMS`, filling the picture."""
    return Part(name, lambda canvas: EMBLEMS[name](canvas.at(WIDTH / 2, HEIGHT / 2, 150)))


def country(name: str, x: float, y: float, size: float) -> Part:
    """The flag of a country around a middle."""
    return Part(name, lambda canvas: flag(canvas.at(x, y, size), name))


def _band(canvas: Canvas, top: float, bottom: float, color: str) -> None:
    canvas.polygon([(0, top), (WIDTH, top), (WIDTH, bottom), (0, bottom)], color)


def _meadow(canvas: Canvas) -> None:
    _band(canvas, 0, 230, "#d8eefb")
    _band(canvas, 230, HEIGHT, "#b7dd8f")


def _water(canvas: Canvas) -> None:
    _band(canvas, 0, 150, "#e3f3fb")
    _band(canvas, 150, HEIGHT, "#8cc9e8")
    for row in range(5):
        for wave in range(6):
            x, y = wave * 90 + (row % 2) * 45, 185 + row * 38
            canvas.stroke([(x, y), (x + 12, y - 5), (x + 24, y)], "#ffffff", 2)


def _street(canvas: Canvas) -> None:
    _band(canvas, 0, 240, "#e6eef2")
    _band(canvas, 240, HEIGHT, "#8d9196")
    for dash in range(6):
        canvas.stroke([(20 + dash * 85, 330), (60 + dash * 85, 330)], "#ffffff", 5)


def _room(canvas: Canvas) -> None:
    _band(canvas, 0, 280, "#f4e9d8")
    _band(canvas, 280, HEIGHT, "#d2b48c")


def _plain(canvas: Canvas) -> None:
    _band(canvas, 0, HEIGHT, "#fbfaf3")


_BACKGROUNDS: Mapping[str, Callable[[Canvas], None]] = {
    "meadow": _meadow,
    "water": _water,
    "street": _street,
    "room": _room,
    "plain": _plain,
}

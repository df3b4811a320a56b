"""Animals, fruits, vehicles and what stands about in rooms and gardens. All look to the right; see `pen` for frames."""

from __future__ import annotations

from collections.abc import Callable

from snellen.construction.scenes.pen import COLORS, INK, Pen, arc, ring

_GLASS = "#bfe3f5"


def cat(pen: Pen, color: str) -> None:
    """Sitting, seen from the front."""
    pen.line(arc(0.55, 0.45, 0.35, 0.4, 90, -70), color, 0.16)
    pen.oval(0, 0.45, 0.5, 0.55, color)
    for x in (-0.24, 0.24):
        pen.oval(x, 0.92, 0.17, 0.1, color, INK)
    for side in (-1, 1):
        pen.poly([(side * 0.46, -0.98), (side * 0.44, -0.35), (side * 0.1, -0.62)], color)
        pen.poly([(side * 0.41, -0.84), (side * 0.38, -0.52), (side * 0.2, -0.64)], COLORS["pink"])
    pen.oval(0, -0.3, 0.5, 0.42, color)
    for side in (-1, 1):
        pen.oval(side * 0.2, -0.36, 0.1, 0.13, "#e9f5a8")
        pen.oval(side * 0.2, -0.36, 0.035, 0.12, INK)
        for y in (-0.16, -0.09):
            pen.line([(side * 0.15, -0.12), (side * 0.72, y * 2 + 0.15)], INK, 0.02)
    pen.poly([(-0.06, -0.2), (0.06, -0.2), (0, -0.12)], COLORS["pink"])
    pen.line([(-0.12, -0.02), (0, -0.1), (0.12, -0.02)], INK, 0.03)


def dog(pen: Pen, color: str) -> None:
    """Standing, from the side."""
    pen.line([(-0.72, -0.1), (-0.95, -0.5)], color, 0.13)
    for x in (-0.6, -0.38, 0.28, 0.5):
        pen.rect(x, 0.2, x + 0.16, 0.92, color)
    pen.oval(-0.05, 0.1, 0.76, 0.34, color)
    pen.poly([(0.3, 0.1), (0.42, -0.5), (0.78, -0.3), (0.68, 0.2)], color)
    pen.oval(0.62, -0.48, 0.32, 0.26, color)
    pen.oval(0.9, -0.4, 0.24, 0.14, color)
    pen.oval(1.1, -0.45, 0.07, 0.06, INK)
    pen.disc(0.72, -0.55, 0.045, INK)
    pen.oval(0.44, -0.4, 0.13, 0.32, "#5a3a1a")
    pen.line([(0.98, -0.3), (0.82, -0.29)], INK, 0.025)


def fish(pen: Pen, color: str) -> None:
    """From the side."""
    pen.poly([(-0.5, 0), (-1.05, -0.42), (-0.92, 0), (-1.05, 0.42)], color)
    pen.poly([(-0.1, -0.4), (0.1, -0.75), (0.35, -0.38)], color)
    pen.oval(0.1, 0, 0.75, 0.46, color)
    pen.line(arc(0.15, 0, 0.2, 0.34, -70, 70), INK, 0.03)
    pen.disc(0.55, -0.12, 0.09, "#ffffff")
    pen.disc(0.57, -0.12, 0.045, INK)
    pen.line([(0.84, 0.1), (0.66, 0.14)], INK, 0.03)


def duck(pen: Pen, color: str) -> None:
    """From the side."""
    pen.poly([(-0.5, 0.1), (-1.0, -0.22), (-0.75, 0.45)], color)
    pen.oval(-0.1, 0.3, 0.75, 0.45, color)
    pen.poly([(0.2, 0.15), (0.3, -0.5), (0.72, -0.4), (0.62, 0.35)], color)
    pen.disc(0.5, -0.5, 0.3, color)
    pen.poly([(0.74, -0.58), (1.15, -0.42), (0.74, -0.34)], COLORS["orange"])
    pen.disc(0.58, -0.58, 0.05, INK)
    pen.line(arc(-0.15, 0.2, 0.36, 0.25, 10, 150), INK, 0.03)


def turtle(pen: Pen, color: str) -> None:
    """From the side."""
    skin = "#8cab4a"
    for x in (-0.5, 0.42):
        pen.oval(x, 0.42, 0.15, 0.22, skin)
    pen.poly([(-0.7, 0.2), (-1.0, 0.38), (-0.6, 0.35)], skin)
    pen.oval(0.88, 0.1, 0.24, 0.18, skin)
    pen.disc(0.96, 0.05, 0.035, INK)
    pen.poly(arc(0, 0.32, 0.75, 0.75, 180, 360), color, INK)
    for x in (-0.35, 0, 0.35):
        pen.poly(ring(x, 0.02, 0.14, 6), "#d9c27a")


def apple(pen: Pen, color: str) -> None:
    """With a stalk and a leaf."""
    pen.oval(-0.3, 0.15, 0.52, 0.65, color)
    pen.oval(0.3, 0.15, 0.52, 0.65, color)
    pen.line([(0, -0.35), (0.08, -0.8)], COLORS["brown"], 0.1)
    pen.poly([(0.1, -0.55), (0.35, -0.85), (0.65, -0.75), (0.4, -0.5)], COLORS["green"])


def banana(pen: Pen, color: str) -> None:
    """One, bent."""
    pen.poly([*arc(0, -0.55, 1.0, 1.1, 160, 20), *arc(0, -0.65, 0.85, 0.62, 20, 160)], color, "#b58900")
    pen.line([(0.92, -0.2), (1.02, -0.42)], COLORS["brown"], 0.13)
    pen.disc(-0.88, -0.3, 0.09, COLORS["brown"])


def pear(pen: Pen, color: str) -> None:
    """With a stalk."""
    pen.line([(0, -0.7), (0.1, -1.0)], COLORS["brown"], 0.09)
    pen.oval(0, -0.35, 0.34, 0.45, color)
    pen.disc(0, 0.35, 0.6, color)
    pen.poly([(-0.33, -0.3), (0.33, -0.3), (0.56, 0.2), (-0.56, 0.2)], color)


def grapes(pen: Pen, color: str) -> None:
    """A bunch."""
    pen.line([(0, -0.6), (0.1, -1.0)], COLORS["brown"], 0.1)
    for row, count in enumerate((4, 3, 2, 1)):
        for place in range(count):
            pen.disc((place - (count - 1) / 2) * 0.42, -0.5 + row * 0.4, 0.24, color, "#ffffff")


def car(pen: Pen, color: str) -> None:
    """From the side: the bonnet and the yellow headlight are in front."""
    pen.poly([(-0.75, -0.05), (-0.55, -0.45), (0.2, -0.45), (0.5, -0.05)], color)
    pen.poly([(-1.0, -0.08), (0.55, -0.08), (0.98, 0.04), (1.0, 0.35), (-1.0, 0.35)], color)
    pen.poly([(-0.62, -0.08), (-0.48, -0.36), (-0.15, -0.36), (-0.15, -0.08)], _GLASS)
    pen.poly([(-0.07, -0.08), (-0.07, -0.36), (0.15, -0.36), (0.36, -0.08)], _GLASS)
    pen.oval(0.93, 0.12, 0.08, 0.07, COLORS["yellow"], INK)
    for x in (-0.55, 0.55):
        pen.disc(x, 0.36, 0.22, INK)
        pen.disc(x, 0.36, 0.1, "#cccccc")


def bus(pen: Pen, color: str) -> None:
    """From the side: the door and the yellow headlight are in front."""
    pen.rect(-1.2, -0.6, 1.2, 0.4, color)
    for place in range(4):
        pen.rect(-1.08 + place * 0.46, -0.45, -0.72 + place * 0.46, -0.08, _GLASS)
    pen.rect(0.78, -0.45, 1.08, 0.36, _GLASS, INK)
    pen.disc(1.14, 0.2, 0.07, COLORS["yellow"], INK)
    for x in (-0.7, 0.55):
        pen.disc(x, 0.42, 0.2, INK)
        pen.disc(x, 0.42, 0.09, "#cccccc")


def boat(pen: Pen, color: str) -> None:
    """A sailing boat."""
    pen.line([(0, 0.35), (0, -1.0)], COLORS["brown"], 0.07)
    pen.poly([(0.06, -0.95), (0.06, 0.2), (0.75, 0.2)], "#ffffff", INK)
    pen.poly([(-0.06, -0.75), (-0.06, 0.2), (-0.6, 0.2)], "#ffffff", INK)
    pen.poly([(-0.95, 0.35), (0.95, 0.35), (0.6, 0.8), (-0.6, 0.8)], color)


def bicycle(pen: Pen, color: str) -> None:
    """From the side."""
    for x in (-0.6, 0.6):
        pen.line(arc(x, 0.4, 0.42, 0.42, 0, 360), INK, 0.07)
        for spoke in range(0, 180, 45):
            one, other = arc(x, 0.4, 0.4, 0.4, spoke, spoke + 180)[:: max(1, len(arc(0, 0, 1, 1, 0, 180)) - 1)]
            pen.line([one, other], "#888888", 0.015)
    pen.line([(-0.6, 0.4), (-0.3, -0.2), (0.4, -0.2), (0, 0.4), (-0.6, 0.4)], color, 0.08)
    pen.line([(0, 0.4), (-0.36, -0.38)], color, 0.08)
    pen.line([(0.6, 0.4), (0.36, -0.45), (0.58, -0.55)], color, 0.08)
    pen.line([(-0.52, -0.4), (-0.2, -0.4)], INK, 0.1)


def rocket(pen: Pen, color: str) -> None:
    """Its tip to the right."""
    pen.poly([(-0.65, -0.22), (-1.15, 0), (-0.65, 0.22)], COLORS["orange"])
    pen.poly([(-0.65, -0.25), (-0.85, -0.6), (-0.2, -0.25)], COLORS["red"])
    pen.poly([(-0.65, 0.25), (-0.85, 0.6), (-0.2, 0.25)], COLORS["red"])
    pen.poly([(-0.65, -0.27), (0.4, -0.27), *arc(0.4, 0, 0.65, 0.27, -90, 90), (0.4, 0.27), (-0.65, 0.27)], color, INK)
    pen.disc(0.3, 0, 0.14, _GLASS, INK)


def arrow(pen: Pen, color: str) -> None:
    """Pointing right."""
    pen.poly([(-1, -0.2), (0.25, -0.2), (0.25, -0.55), (1, 0), (0.25, 0.55), (0.25, 0.2), (-1, 0.2)], color)


def tree(pen: Pen, color: str) -> None:
    """With a round crown."""
    pen.rect(-0.13, 0.1, 0.13, 1.0, COLORS["brown"])
    for x, y, radius in ((-0.35, -0.2, 0.42), (0.35, -0.2, 0.42), (0, -0.5, 0.48), (0, 0, 0.4)):
        pen.disc(x, y, radius, color)


def flower(pen: Pen, color: str) -> None:
    """With a stem."""
    pen.line([(0, 0), (0, 1.0)], COLORS["green"], 0.1)
    pen.oval(0.24, 0.62, 0.26, 0.1, COLORS["green"])
    for x, y in ring(0, -0.3, 0.38, 6):
        pen.disc(x, y, 0.25, color)
    pen.disc(0, -0.3, 0.24, COLORS["yellow"] if color != COLORS["yellow"] else COLORS["brown"])


def house(pen: Pen, color: str) -> None:
    """With a door and two windows."""
    pen.rect(-0.8, -0.1, 0.8, 0.9, color, INK)
    pen.poly([(-1.0, -0.1), (0, -0.9), (1.0, -0.1)], "#a03a2a", INK)
    pen.rect(-0.18, 0.3, 0.18, 0.9, COLORS["brown"])
    for x in (-0.5, 0.5):
        pen.rect(x - 0.17, 0.15, x + 0.17, 0.5, _GLASS, INK)


def table(pen: Pen, color: str) -> None:
    """From the front; its top is at -0.5."""
    for x in (-0.9, 0.76):
        pen.rect(x, -0.4, x + 0.14, 0.9, color)
    pen.rect(-1.1, -0.5, 1.1, -0.34, color)


def chair(pen: Pen, color: str) -> None:
    """From the side, its back on the left; the seat is at 0.1."""
    pen.rect(-0.5, -0.9, -0.36, 0.95, color)
    pen.rect(0.36, 0.1, 0.5, 0.95, color)
    pen.rect(-0.5, 0.05, 0.5, 0.2, color)


def cup(pen: Pen, color: str) -> None:
    """With a handle on the right."""
    pen.line(arc(0.5, 0.05, 0.36, 0.32, -90, 90), color, 0.13)
    pen.poly([(-0.6, -0.5), (0.6, -0.5), (0.48, 0.6), (-0.48, 0.6)], color, INK)


def umbrella(pen: Pen, color: str) -> None:
    """Open."""
    pen.line([(0, -0.6), (0, 0.75), *arc(0.16, 0.75, 0.16, 0.16, 180, 0)], INK, 0.07)
    pen.poly(arc(0, 0, 1.0, 0.9, 180, 360), color, INK)
    pen.line(arc(0, 0, 0.33, 0.9, 180, 360), INK, 0.03)


def ball(pen: Pen, color: str) -> None:
    """A plain ball."""
    pen.disc(0, 0, 1.0, color, INK)
    pen.line(arc(0, 0, 0.72, 0.72, 200, 250), "#ffffff", 0.1)


def box(pen: Pen, color: str) -> None:
    """A box with tape."""
    pen.rect(-0.8, -0.6, 0.8, 0.8, color, INK)
    pen.rect(-0.12, -0.6, 0.12, 0.8, "#e8d9a8")


def book(pen: Pen, color: str) -> None:
    """Closed, lying."""
    pen.rect(-0.95, -0.3, 0.95, 0.3, color, INK)
    pen.rect(-0.85, -0.14, 0.95, 0.14, "#f7f2e0", INK)


def lamp(pen: Pen, color: str) -> None:
    """A table lamp."""
    pen.line([(0, 0.85), (0, -0.1)], INK, 0.09)
    pen.oval(0, 0.88, 0.45, 0.1, INK)
    pen.poly([(-0.32, -0.9), (0.32, -0.9), (0.65, -0.1), (-0.65, -0.1)], color, INK)


def sun(pen: Pen, color: str) -> None:
    """With rays."""
    for inner, outer in zip(ring(0, 0, 0.68, 12), ring(0, 0, 1.0, 12), strict=True):
        pen.line([inner, outer], color, 0.1)
    pen.disc(0, 0, 0.55, color)


THINGS: dict[str, Callable[[Pen, str], None]] = {
    drawn.__name__: drawn
    for drawn in (
        cat,
        dog,
        fish,
        duck,
        turtle,
        apple,
        banana,
        pear,
        grapes,
        car,
        bus,
        boat,
        bicycle,
        rocket,
        arrow,
        tree,
        flower,
        house,
        table,
        chair,
        cup,
        umbrella,
        ball,
        box,
        book,
        lamp,
        sun,
    )
}
"""Name -> what draws it, given a pen and a color."""

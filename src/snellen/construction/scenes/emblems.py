"""What stands for a piece of knowledge: fields of play, symbols of religions, instruments, games, festivals and dishes.

Every drawing fills a frame of about -1.4 to 1.4 across and -1 to 1 down.
"""

from __future__ import annotations

from collections.abc import Callable

from snellen.construction.scenes import flags
from snellen.construction.scenes.pen import COLORS, INK, Pen, arc, ring, star

_GOLD = "#d4a017"
_WOOD = "#a8672a"


def tennis_court(pen: Pen) -> None:
    """From above, with its net, and a racket with a ball beside it."""
    pen.rect(-1.4, -1, 1.4, 1, "#2f7d4f")
    pen.rect(-1.15, -0.85, 1.15, 0.55, "#c0562f", "#ffffff")
    for y in (-0.67, 0.37):
        pen.line([(-1.15, y), (1.15, y)], "#ffffff", 0.025)
    for x in (-0.6, 0.6):
        pen.line([(x, -0.67), (x, 0.37)], "#ffffff", 0.025)
    pen.line([(-0.6, -0.15), (0.6, -0.15)], "#ffffff", 0.025)
    pen.line([(0, -0.92), (0, 0.62)], INK, 0.05)
    pen.line(arc(-0.5, 0.76, 0.3, 0.17, 0, 360), INK, 0.05)
    for step in (-0.2, -0.1, 0, 0.1, 0.2):
        pen.line([(-0.5 + step, 0.64), (-0.5 + step, 0.88)], "#ffffff", 0.015)
    pen.line([(-0.2, 0.76), (0.25, 0.76)], INK, 0.08)
    pen.disc(0.6, 0.76, 0.1, "#d7f23c", INK)


def football_pitch(pen: Pen) -> None:
    """From above, with both goals and a ball."""
    for stripe in range(7):
        pen.rect(-1.4 + stripe * 0.4, -1, -1.0 + stripe * 0.4, 1, "#2f9d44" if stripe % 2 else "#37ad4e")
    pen.line([(-1.3, -0.9), (1.3, -0.9), (1.3, 0.9), (-1.3, 0.9), (-1.3, -0.9)], "#ffffff", 0.03)
    pen.line([(0, -0.9), (0, 0.9)], "#ffffff", 0.03)
    pen.line(arc(0, 0, 0.27, 0.27, 0, 360), "#ffffff", 0.03)
    for side in (-1, 1):
        pen.line([(side * 1.3, -0.5), (side * 0.9, -0.5), (side * 0.9, 0.5), (side * 1.3, 0.5)], "#ffffff", 0.03)
        pen.line([(side * 1.3, -0.22), (side * 1.13, -0.22), (side * 1.13, 0.22), (side * 1.3, 0.22)], "#ffffff", 0.03)
        pen.line([(side * 1.3, -0.12), (side * 1.38, -0.12), (side * 1.38, 0.12), (side * 1.3, 0.12)], "#ffffff", 0.03)
    pen.disc(0, 0, 0.12, "#ffffff", INK)
    pen.poly(ring(0, 0, 0.055, 5), INK)


def basketball(pen: Pen) -> None:
    """A board with its hoop, and a ball."""
    pen.rect(-1.3, -0.95, 0.5, 0.25, "#ffffff", INK)
    pen.line([(-0.7, -0.45), (-0.1, -0.45), (-0.1, 0.05), (-0.7, 0.05), (-0.7, -0.45)], COLORS["red"], 0.05)
    for x in (-0.7, -0.5, -0.3, -0.1):
        pen.line([(x, 0.18), (-0.4 + (x + 0.4) * 0.5, 0.8)], "#777777", 0.03)
    for y, half in ((0.38, 0.25), (0.6, 0.2)):
        pen.line([(-0.4 - half, y), (-0.4 + half, y)], "#777777", 0.03)
    pen.line(arc(-0.4, 0.15, 0.34, 0.08, 0, 360), COLORS["orange"], 0.06)
    pen.disc(0.92, 0.45, 0.4, "#e0752a", INK)
    pen.line([(0.52, 0.45), (1.32, 0.45)], INK, 0.03)
    pen.line([(0.92, 0.05), (0.92, 0.85)], INK, 0.03)
    pen.line(arc(0.48, 0.45, 0.3, 0.36, -62, 62), INK, 0.03)
    pen.line(arc(1.36, 0.45, 0.3, 0.36, 118, 242), INK, 0.03)


def olympic_rings(pen: Pen) -> None:
    """Five linked rings."""
    placed = ((-0.9, -0.2, "#0085c7"), (-0.45, 0.22, "#f4c300"), (0, -0.2, "#111111"), (0.45, 0.22, "#009f3d"))
    for x, y, color in (*placed, (0.9, -0.2, "#df0024")):
        pen.line(arc(x, y, 0.4, 0.4, 0, 360), color, 0.09)
    # Each ring goes over its neighbor at one of the two places where they meet.
    for x, y, color, start in ((-0.9, -0.2, "#0085c7", -10), (0, -0.2, "#111111", -10), (0, -0.2, "#111111", 100)):
        pen.line(arc(x, y, 0.4, 0.4, start, start + 28), color, 0.09)


def red_cross(pen: Pen) -> None:
    """The emblem on a white flag."""
    pen.rect(-1.4, -1, 1.4, 1, "#ffffff", INK)
    pen.rect(-0.22, -0.66, 0.22, 0.66, "#e1001a")
    pen.rect(-0.66, -0.22, 0.66, 0.22, "#e1001a")


def peace_sign(pen: Pen) -> None:
    """A circle with the lines of the semaphore letters N and D."""
    pen.line(arc(0, 0, 0.85, 0.85, 0, 360), INK, 0.14)
    pen.line([(0, -0.85), (0, 0.85)], INK, 0.14)
    pen.line([(0, 0), (-0.6, 0.6)], INK, 0.14)
    pen.line([(0, 0), (0.6, 0.6)], INK, 0.14)


def piano(pen: Pen) -> None:
    """Two octaves of keys."""
    pen.rect(-1.4, -0.95, 1.4, -0.5, "#2a1a12")
    for key in range(14):
        pen.rect(-1.4 + key * 0.2, -0.5, -1.2 + key * 0.2, 0.9, "#fdfdf8", INK)
    for octave in (0, 7):
        for key in (1, 2, 4, 5, 6):
            x = -1.4 + (octave + key) * 0.2
            pen.rect(x - 0.065, -0.5, x + 0.065, 0.35, INK)


def guitar(pen: Pen) -> None:
    """An acoustic guitar, lying, its neck to the right."""
    pen.rect(0.1, -0.12, 1.1, 0.12, "#5a3a1a")
    pen.poly([(1.1, -0.16), (1.4, -0.2), (1.4, 0.2), (1.1, 0.16)], "#3d2712")
    pen.disc(-0.8, 0, 0.6, _WOOD, INK)
    pen.disc(-0.1, 0, 0.46, _WOOD, INK)
    pen.rect(-0.62, -0.38, -0.3, 0.38, _WOOD)
    pen.disc(-0.22, 0, 0.18, INK)
    pen.rect(-1.0, -0.2, -0.9, 0.2, "#3d2712")
    for string in range(6):
        y = -0.085 + string * 0.034
        pen.line([(-0.95, y), (1.35, y)], "#efe6cf", 0.011)
    for fret in range(1, 7):
        pen.line([(0.1 + fret * 0.15, -0.12), (0.1 + fret * 0.15, 0.12)], "#cfcfcf", 0.014)
    for x in (1.18, 1.26, 1.34):
        for side in (-1, 1):
            pen.disc(x, side * 0.24, 0.035, "#dddddd", INK)


def chess_board(pen: Pen) -> None:
    """An empty board, and two pawns beside it."""
    pen.rect(-1.2, -0.98, 0.76, 0.98, "#5a3a1a")
    for row in range(8):
        for column in range(8):
            x, y = -1.1 + column * 0.22, -0.88 + row * 0.22
            pen.rect(x, y, x + 0.22, y + 0.22, "#f0d9b5" if (row + column) % 2 == 0 else "#b58863")
    for y, color in ((-0.45, "#ffffff"), (0.5, "#333333")):
        pen.poly([(0.95, y + 0.35), (1.4, y + 0.35), (1.24, y), (1.11, y)], color, INK)
        pen.disc(1.175, y - 0.08, 0.15, color, INK)


def die(pen: Pen) -> None:
    """A die of which one, two and three show."""
    pen.poly([(-0.75, -0.35), (0, -0.75), (0.75, -0.35), (0, 0.05)], "#ffffff", INK)
    pen.poly([(-0.75, -0.35), (0, 0.05), (0, 0.95), (-0.75, 0.5)], "#eeeeee", INK)
    pen.poly([(0.75, -0.35), (0, 0.05), (0, 0.95), (0.75, 0.5)], "#dcdcdc", INK)
    pen.oval(0, -0.35, 0.14, 0.08, COLORS["red"])
    for x, y in ((-0.55, 0.05), (-0.2, 0.55)):
        pen.oval(x, y, 0.08, 0.12, INK)
    for x, y in ((0.18, 0.6), (0.375, 0.3), (0.57, 0.0)):
        pen.oval(x, y, 0.08, 0.12, INK)


def latin_cross(pen: Pen) -> None:
    """A cross with a longer foot."""
    pen.rect(-0.13, -0.95, 0.13, 0.95, _GOLD, INK)
    pen.rect(-0.55, -0.5, 0.55, -0.24, _GOLD, INK)
    pen.rect(-0.1, -0.6, 0.1, -0.1, _GOLD)


def crescent(pen: Pen) -> None:
    """A crescent with a star."""
    pen.disc(-0.15, 0, 0.85, "#0f8a4a")
    pen.disc(0.1, -0.05, 0.7, "#fbfaf3")
    pen.poly(star(0.35, -0.08, 0.36, turn=12), "#0f8a4a")


def star_of_david(pen: Pen) -> None:
    """Two triangles."""
    for turn in (0, 180):
        corners = list(ring(0, 0, 0.85, 3, turn))
        pen.line([*corners, corners[0]], "#1d4fa8", 0.11)


def dharma_wheel(pen: Pen) -> None:
    """A wheel with eight spokes."""
    pen.line(arc(0, 0, 0.72, 0.72, 0, 360), _GOLD, 0.14)
    for x, y in ring(0, 0, 0.9, 8):
        pen.line([(0, 0), (x, y)], _GOLD, 0.08)
        pen.disc(x, y, 0.09, _GOLD)
    pen.disc(0, 0, 0.22, _GOLD, INK)
    pen.disc(0, 0, 0.08, "#fbfaf3", INK)


def torii(pen: Pen) -> None:
    """A red gate with two beams."""
    red = "#c8321f"
    for x in (-0.65, 0.65):
        pen.poly([(x - 0.09, -0.6), (x + 0.09, -0.6), (x + 0.12, 0.95), (x - 0.12, 0.95)], red)
    pen.rect(-0.9, -0.3, 0.9, -0.13, red)
    pen.rect(-0.08, -0.62, 0.08, -0.25, red)
    pen.poly([(-1.2, -0.92), (0, -0.82), (1.2, -0.92), (1.08, -0.58), (-1.08, -0.58)], red)
    pen.poly([(-1.25, -1.0), (0, -0.9), (1.25, -1.0), (1.2, -0.88), (0, -0.78), (-1.2, -0.88)], INK)


def lantern(pen: Pen) -> None:
    """A round red lantern with a tassel."""
    pen.line([(0, -1.0), (0, -0.75)], INK, 0.05)
    pen.oval(0, -0.08, 0.85, 0.62, "#d81e1e", "#8d0f0f")
    for across in (0.28, 0.58):
        pen.line(arc(0, -0.08, across, 0.62, 0, 360), "#f2b632", 0.03)
    pen.rect(-0.35, -0.78, 0.35, -0.64, "#f2b632", INK)
    pen.rect(-0.35, 0.48, 0.35, 0.62, "#f2b632", INK)
    for x in (-0.14, 0, 0.14):
        pen.line([(x, 0.62), (x, 1.0)], "#f2b632", 0.05)


def carved_pumpkin(pen: Pen) -> None:
    """With eyes and a jagged mouth."""
    pen.poly([(-0.1, -0.6), (-0.05, -0.95), (0.18, -0.95), (0.12, -0.6)], COLORS["green"])
    for x, across in ((-0.55, 0.5), (0.55, 0.5), (-0.25, 0.5), (0.25, 0.5), (0, 0.42)):
        pen.oval(x, 0.15, across, 0.78, "#ef7d16", "#b85a08")
    for side in (-1, 1):
        pen.poly([(side * 0.6, 0.05), (side * 0.2, 0.05), (side * 0.38, -0.3)], "#33200a")
    pen.poly([(-0.09, 0.22), (0.09, 0.22), (0, 0.06)], "#33200a")
    teeth = [(-0.7, 0.35), (-0.4, 0.45), (-0.3, 0.55), (-0.2, 0.47), (0.2, 0.47), (0.3, 0.55), (0.4, 0.45), (0.7, 0.35)]
    pen.poly([*teeth, (0.4, 0.7), (0.12, 0.78), (0.05, 0.66), (-0.05, 0.66), (-0.12, 0.78), (-0.4, 0.7)], "#33200a")


def christmas_tree(pen: Pen) -> None:
    """A fir with balls, a star and two presents."""
    pen.rect(-0.1, 0.6, 0.1, 0.92, COLORS["brown"])
    for top, half, bottom in ((-0.8, 0.38, -0.25), (-0.5, 0.58, 0.18), (-0.15, 0.76, 0.66)):
        pen.poly([(0, top), (half, bottom), (-half, bottom)], "#1f7a3a")
    pen.poly(star(0, -0.84, 0.18), COLORS["yellow"])
    balls = (
        (-0.15, -0.35, "red"),
        (0.15, -0.1, "yellow"),
        (-0.3, 0.08, "blue"),
        (0.1, 0.3, "red"),
        (-0.4, 0.52, "yellow"),
    )
    for x, y, color in (*balls, (0.45, 0.52, "blue")):
        pen.disc(x, y, 0.075, COLORS[color])
    for x, color, ribbon in ((0.75, "red", "yellow"), (-0.8, "blue", "white")):
        pen.rect(x - 0.22, 0.55, x + 0.22, 0.92, COLORS[color], INK)
        pen.rect(x - 0.05, 0.55, x + 0.05, 0.92, COLORS[ribbon])


def pizza(pen: Pen) -> None:
    """A whole one, cut."""
    pen.disc(0, 0, 0.95, "#c98a3c", INK)
    pen.disc(0, 0, 0.82, "#f2cf63")
    for x, y in ((-0.4, -0.35), (0.35, -0.45), (0.48, 0.2), (-0.1, 0.5), (-0.52, 0.18), (0.02, -0.05)):
        pen.disc(x, y, 0.16, "#c8311f", "#8d1f12")
    for x, y in ((-0.05, -0.6), (0.25, 0.48), (-0.3, 0.0), (0.25, -0.15)):
        pen.oval(x, y, 0.09, 0.05, COLORS["green"])
    for one, other in ((0, 4), (1, 5), (2, 6), (3, 7)):
        corners = ring(0, 0, 0.94, 8, 22.5)
        pen.line([corners[one], corners[other]], "#a86a24", 0.025)


EMBLEMS: dict[str, Callable[[Pen], None]] = {
    drawn.__name__: drawn
    for drawn in (
        tennis_court,
        football_pitch,
        basketball,
        olympic_rings,
        flags.european_union,
        flags.united_states,
        red_cross,
        peace_sign,
        piano,
        guitar,
        chess_board,
        die,
        latin_cross,
        crescent,
        star_of_david,
        dharma_wheel,
        torii,
        lantern,
        carved_pumpkin,
        christmas_tree,
        pizza,
    )
}
"""Name -> what draws it."""

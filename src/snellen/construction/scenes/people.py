"""People as thick stick figures in a posture, and faces with an expression."""

from __future__ import annotations

from collections.abc import Mapping

from snellen.construction.scenes.pen import COLORS, INK, Pen, Points, arc

_SKIN = "#f2c9a0"
_HAIR = "#4a2f1b"

Joints = Mapping[str, tuple[float, float]]

POSTURES: Mapping[str, Joints] = {
    "standing": {
        "head": (0, -0.78), "neck": (0, -0.55), "hip": (0, 0.1),
        "hand1": (-0.3, 0.05), "elbow1": (-0.24, -0.25), "hand2": (0.3, 0.05), "elbow2": (0.24, -0.25),
        "knee1": (-0.13, 0.5), "foot1": (-0.16, 0.95), "knee2": (0.13, 0.5), "foot2": (0.16, 0.95),
    },
    "sitting": {
        "head": (-0.12, -0.6), "neck": (-0.15, -0.38), "hip": (-0.18, 0.25),
        "hand1": (0.28, 0.15), "elbow1": (0.05, 0.05), "hand2": (0.32, 0.12), "elbow2": (0.1, 0.0),
        "knee1": (0.36, 0.25), "foot1": (0.38, 0.92), "knee2": (0.42, 0.28), "foot2": (0.5, 0.92),
    },
    "lying": {
        "head": (-0.98, 0.0), "neck": (-0.74, 0.04), "hip": (-0.05, 0.08),
        "hand1": (-0.1, 0.16), "elbow1": (-0.42, 0.18), "hand2": (-0.15, 0.0), "elbow2": (-0.45, 0.0),
        "knee1": (0.45, 0.04), "foot1": (0.95, 0.08), "knee2": (0.45, 0.14), "foot2": (0.98, 0.12),
    },
    "running": {
        "head": (0.22, -0.78), "neck": (0.14, -0.55), "hip": (-0.08, 0.05),
        "hand1": (0.58, -0.45), "elbow1": (0.4, -0.2), "hand2": (-0.42, -0.05), "elbow2": (-0.22, -0.38),
        "knee1": (0.38, 0.2), "foot1": (0.3, 0.72), "knee2": (-0.3, 0.45), "foot2": (-0.82, 0.5),
    },
    "cheering": {
        "head": (0, -0.7), "neck": (0, -0.47), "hip": (0, 0.15),
        "hand1": (-0.42, -1.0), "elbow1": (-0.34, -0.6), "hand2": (0.42, -1.0), "elbow2": (0.34, -0.6),
        "knee1": (-0.16, 0.52), "foot1": (-0.24, 0.95), "knee2": (0.16, 0.52), "foot2": (0.24, 0.95),
    },
    "kneeling": {
        "head": (0, -0.5), "neck": (0, -0.28), "hip": (-0.02, 0.4),
        "hand1": (0.34, 0.2), "elbow1": (0.2, 0.02), "hand2": (0.38, 0.25), "elbow2": (0.24, 0.08),
        "knee1": (0.32, 0.88), "foot1": (-0.3, 0.9), "knee2": (0.4, 0.85), "foot2": (-0.35, 0.85),
    },
    "kicking": {
        "head": (-0.16, -0.78), "neck": (-0.12, -0.55), "hip": (0, 0.08),
        "hand1": (0.3, -0.35), "elbow1": (0.08, -0.22), "hand2": (-0.5, -0.2), "elbow2": (-0.34, -0.42),
        "knee1": (0.4, 0.3), "foot1": (0.8, 0.62), "knee2": (-0.08, 0.5), "foot2": (-0.12, 0.95),
    },
    "holding": {
        "head": (0, -0.78), "neck": (0, -0.55), "hip": (0, 0.1),
        "hand1": (-0.3, 0.05), "elbow1": (-0.24, -0.25), "hand2": (0.5, -0.5), "elbow2": (0.34, -0.2),
        "knee1": (-0.13, 0.5), "foot1": (-0.16, 0.95), "knee2": (0.13, 0.5), "foot2": (0.16, 0.95),
    },
    "riding": {
        "head": (0.18, -1.02), "neck": (0.1, -0.8), "hip": (-0.26, -0.3),
        "hand1": (0.5, -0.36), "elbow1": (0.28, -0.45), "hand2": (0.52, -0.34), "elbow2": (0.32, -0.42),
        "knee1": (0.2, -0.02), "foot1": (0.02, 0.5), "knee2": (0.12, 0.05), "foot2": (-0.05, 0.28),
    },
    "reading": {
        "head": (-0.1, -0.6), "neck": (-0.15, -0.38), "hip": (-0.18, 0.25),
        "hand1": (0.36, -0.18), "elbow1": (0.1, 0.05), "hand2": (0.4, -0.14), "elbow2": (0.14, 0.06),
        "knee1": (0.36, 0.25), "foot1": (0.38, 0.92), "knee2": (0.42, 0.28), "foot2": (0.5, 0.92),
    },
}  # fmt: skip
"""Posture -> joints in the figure's frame; a figure looks to the right."""


def person(pen: Pen, posture: str, color: str) -> None:
    """A figure with clothes of a color."""
    joint = POSTURES[posture]
    trousers = "#3b4a6b"
    for side in "21":
        pen.line([joint["hip"], joint[f"knee{side}"], joint[f"foot{side}"]], trousers, 0.15)
    pen.line([joint["neck"], joint["elbow2"], joint["hand2"]], color, 0.12)
    pen.line([joint["neck"], joint["hip"]], color, 0.3)
    pen.line([joint["neck"], joint["elbow1"], joint["hand1"]], color, 0.12)
    for side in "12":
        pen.disc(*joint[f"hand{side}"], 0.08, _SKIN)
        pen.disc(*joint[f"foot{side}"], 0.1, INK)
    x, y = joint["head"]
    pen.disc(x, y, 0.2, _SKIN, INK)
    pen.poly(arc(x, y - 0.02, 0.2, 0.2, 180, 360), _HAIR)


_MOUTHS: Mapping[str, Points] = {
    "happy": arc(0, 0.18, 0.45, 0.4, 15, 165),
    "sad": arc(0, 0.68, 0.38, 0.3, 200, 340),
    "angry": arc(0, 0.62, 0.34, 0.16, 195, 345),
    "sleepy": [(-0.14, 0.5), (0.14, 0.5)],
}


def face(pen: Pen, expression: str, color: str) -> None:
    """A round face: happy, sad, angry, surprised, or asleep."""
    pen.disc(0, 0, 1.0, color, INK)
    for side in (-1, 1):
        x = side * 0.36
        if expression == "asleep":
            pen.line(arc(x, -0.2, 0.2, 0.12, 10, 170), INK, 0.07)
        else:
            wide = 0.19 if expression == "surprised" else 0.13
            pen.oval(x, -0.18, wide * 0.85, wide, "#ffffff", INK)
            pen.disc(x, -0.16, 0.07, INK)
        brows = {
            "angry": [(side * 0.58, -0.58), (side * 0.16, -0.36)],
            "sad": [(side * 0.58, -0.4), (side * 0.2, -0.58)],
            "surprised": arc(x, -0.52, 0.2, 0.16, 200, 340),
            "happy": arc(x, -0.4, 0.2, 0.12, 200, 340),
        }
        if expression in brows:
            pen.line(brows[expression], INK, 0.08)
    if expression == "surprised":
        pen.oval(0, 0.5, 0.18, 0.25, "#7a1f1f", INK)
    elif expression == "happy":
        pen.poly(_MOUTHS["happy"], "#7a1f1f", INK)
    elif expression == "asleep":
        pen.line(_MOUTHS["sleepy"], INK, 0.07)
        for step, (x, y) in enumerate(((0.85, -0.95), (1.1, -1.2))):
            size = 0.12 + 0.05 * step
            pen.line([(x, y), (x + size, y), (x, y + size), (x + size, y + size)], INK, 0.05)
    else:
        pen.line(_MOUTHS[expression], INK, 0.09)
    if expression == "sad":
        pen.oval(-0.5, 0.18, 0.07, 0.13, COLORS["blue"])

"""Glyphs and pictures of the screens, as inline SVG of our own: nothing is fetched, and nobody's icons are copied.

``drawings.json`` holds them: glyphs are lines on a square of 24, pictures fill 100 by 60.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import orjson

_STRETCHED = ("line", "bars", "letter")  # nothing of them may be cut off at the sides


@cache
def _drawings() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = orjson.loads((files(__package__) / "drawings.json").read_bytes())
    return found


def glyph(name: str) -> str:
    """The glyph as an ``<svg>`` of the size of its text."""
    return (
        f'<svg viewBox="0 0 24 24" data-glyph="{name}" fill="none" stroke="currentColor" stroke-width="1.8" '
        f'stroke-linecap="round" stroke-linejoin="round">{_drawings()["glyphs"][name]}</svg>'
    )


def art(name: str) -> str:
    """The picture as an ``<svg>`` that fills its place."""
    fit = "none" if name in _STRETCHED else "xMidYMid slice"
    return f'<svg viewBox="0 0 100 60" preserveAspectRatio="{fit}">{_drawings()["pictures"][name]}</svg>'

"""What a screen is, and what is asked about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Platform = Literal["mobile", "web", "desktop"]
Likeness = Literal["look", "meaning"]
Kind = Literal["icon", "text", "button", "image", "input"]

LANGUAGES = ("en", "zh")
SIZES: dict[Platform, tuple[int, int, int]] = {
    "mobile": (390, 844, 2),
    "web": (1280, 800, 1),
    "desktop": (1440, 900, 1),
}
"""Platform -> width and height of the page in CSS pixels, and pixels of the picture to each."""


@dataclass(frozen=True, slots=True)
class Confused:
    """A target that is there, beside one that is taken for it.

    Attributes:
        instruction: names the target, and no distractor.
        target: what it says, in English: of a part that reacts as a whole, else of a single element.
        distractors: the same of what looks alike (has the same glyph) or means nearly the same; the nearest first.
        likeness: which of the two.
    """

    instruction: str
    target: str
    distractors: tuple[str, ...]
    likeness: Likeness


@dataclass(frozen=True, slots=True)
class Absent:
    """A target that is nowhere on the screen.

    Attributes:
        instruction: names it.
        element: what it would be.
        words: what it and its synonyms are called: no element of the screen says any of these.
        tempting: what is there and is nearest to it, in English; may be nothing.
    """

    instruction: str
    element: Kind
    words: tuple[str, ...]
    tempting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen in two languages.

    Attributes:
        name: names the files.
        platform: decides on the size.
        app: domain of the app.
        theme: ``light`` or ``dark``.
        accent: color of what stands out.
        body: HTML as `snellen.construction.screens.markup` writes it.
        asked: what is asked about it.
        tint: color behind everything; empty for the theme's own.
    """

    name: str
    platform: Platform
    app: str
    theme: Literal["light", "dark"]
    accent: str
    body: str
    asked: tuple[Confused | Absent, ...]
    tint: str = ""

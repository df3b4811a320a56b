"""Draws a phrase as a patch of pixels: fonts that hold its characters, lines, and a contrast that can be read.

DejaVu Sans comes with matplotlib and draws Latin, Greek and Cyrillic letters. For Chinese, Japanese and Korean an
installed font is looked for. Letters are laid out one after another, so scripts that join or reorder them are refused.
Contrast is that of WCAG 2.1: (lighter + 0.05) / (darker + 0.05) of the relative luminances; 4.5 is its level AA.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont, features

from snellen.errors import UsageError

Color = tuple[int, int, int]

LEAST_CONTRAST = 4.5
SMALLEST = {False: 10, True: 13}
"""Whether a phrase has Chinese, Japanese or Korean characters -> the smallest size, in pixels, at which it is drawn."""

_WIDE = re.compile(r"[\u1100-\u11ff\u2e80-\u303f\u3040-\ua4cf\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")
_PREFERRED = (
    "NotoSansCJK-Bold",
    "NotoSansCJK",
    "NotoSansSC",
    "SourceHanSans",
    "wqy-zenhei",
    "wqy-microhei",
    "msyh",
    "PingFang",
    "STHeiti",
    "Hiragino",
    "simhei",
    "DroidSansFallback",
    "simsun",
    "uming",
)
_MISSING = "\U0010fffd"  # a private character, which fonts draw as their box for what they lack
_FACES = 12  # more faces than any collection of CJK fonts has


def is_wide(text: str) -> bool:
    """Whether there is a Chinese, Japanese or Korean character in the text."""
    return _WIDE.search(text) is not None


def luminance(colors: NDArray[Any]) -> NDArray[np.float64]:
    """Relative luminance, 0 to 1, of sRGB colors of shape (..., 3) in 0 to 255 (WCAG 2.1)."""
    scaled = np.asarray(colors, dtype=np.float64) / 255
    linear = np.where(scaled <= 0.04045, scaled / 12.92, ((scaled + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(one: NDArray[Any] | Color, other: NDArray[Any] | Color) -> NDArray[np.float64]:
    """Contrast, 1 to 21, between colors of shape (..., 3).

    >>> float(contrast((255, 255, 255), (0, 0, 0)))
    21.0
    """
    first, second = luminance(np.asarray(one)), luminance(np.asarray(other))
    return np.asarray((np.maximum(first, second) + 0.05) / (np.minimum(first, second) + 0.05))


def _dejavu() -> Path:
    spec = importlib.util.find_spec("matplotlib")
    assert spec is not None, "matplotlib is a dependency"
    assert spec.submodule_search_locations, "it is a package"
    return Path(spec.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf" / "DejaVuSans-Bold.ttf"


@lru_cache(maxsize=1)
def _installed() -> tuple[Path, ...]:
    """The fonts of this machine, those with Chinese characters first, always in the same order."""
    from matplotlib.font_manager import findSystemFonts  # 0.2 s, and only for what DejaVu cannot draw

    def rank(path: Path) -> tuple[int, str, str]:
        places = [place for place, name in enumerate(_PREFERRED) if path.stem.casefold().startswith(name.casefold())]
        return (places[0] if places else len(_PREFERRED), path.name, str(path))

    return tuple(sorted((Path(name) for name in findSystemFonts()), key=rank))


@lru_cache(maxsize=64)
def _face(path: Path, index: int, size: int) -> ImageFont.FreeTypeFont | None:
    try:
        return ImageFont.truetype(str(path), size, index=index, layout_engine=ImageFont.Layout.BASIC)
    except (OSError, ValueError):
        return None


def _index(path: Path) -> int:
    """Which face of a collection is the one for simplified Chinese; the first where none says so."""
    if path.suffix.casefold() not in (".ttc", ".otc"):
        return 0
    for index in range(_FACES):
        face = _face(path, index, 24)
        if face is None:
            break
        if re.search(r"\bSC\b", face.getname()[0] or ""):
            return index
    return 0


def _drawn(face: ImageFont.FreeTypeFont, text: str) -> bytes:
    mask = face.getmask(text)
    return repr(mask.size).encode() + bytes(mask)


def _holds(path: Path, index: int, characters: frozenset[str]) -> bool:
    face = _face(path, index, 24)
    if face is None:
        return False
    box = _drawn(face, _MISSING)
    return all(_drawn(face, character) != box for character in characters if not character.isspace())


def _candidates() -> Iterator[Path]:
    yield _dejavu()
    yield from _installed()


@lru_cache(maxsize=1024)
def _font_of(characters: frozenset[str]) -> tuple[Path, int]:
    for path in _candidates():
        index = _index(path)
        if _holds(path, index, characters):
            return path, index
    shown = "".join(sorted(characters))[:40]
    raise UsageError(
        f"no font of this machine has all of the characters {shown!r}, so they cannot be written into a picture: "
        "install a font with them (for Chinese, Japanese and Korean on Debian and Ubuntu: fonts-noto-cjk)"
    )


_PROBES = ("A", "中文字", "かな", "한글")
"""Texts of the scripts that are drawn with one font each: letters, Chinese, Japanese, Korean."""


@cache
def fonts() -> str:
    """The fonts of this machine that draw, by the digests of their files, and what renders them.

    Another font gives other pixels, so what was drawn on another machine is not taken for what this one would draw. A
    script without a font is named so; an error comes where something in it is to be drawn.
    """
    found = []
    for probe in _PROBES:
        try:
            path, index = _font_of(frozenset(probe))
        except UsageError:
            found.append("none")
            continue
        digest = hashlib.sha256()
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
        found.append(f"{digest.hexdigest()[:16]}.{index}")
    return f"{' '.join(found)}, freetype {features.version('freetype2')}"


def font_for(text: str, size: int) -> ImageFont.FreeTypeFont:
    """A font that holds every character of a text.

    Raises:
        UsageError: none does, or the script joins or reorders its letters.
    """
    for character in text:
        if unicodedata.bidirectional(character) in ("R", "AL", "AN") or unicodedata.category(character) in ("Mn", "Mc"):
            raise UsageError(
                f"{text!r} cannot be written into a picture: the script of {character!r} joins or reorders its "
                "letters; Latin, Greek, Cyrillic, Chinese, Japanese and Korean can be drawn"
            )
    path, index = _font_of(frozenset(text))
    face = _face(path, index, size)
    assert face is not None, "it has been opened before"
    return face


def lines_of(text: str, font: ImageFont.FreeTypeFont, width: float) -> list[str] | None:
    """The text in lines no wider than `width` pixels, broken at spaces and wide characters; None if a word is."""
    pieces = re.findall(rf"{_WIDE.pattern}|(?:(?!{_WIDE.pattern})\S)+|\s+", text)
    lines, line = [], ""
    for piece in pieces:
        if font.getlength((line + piece).strip()) <= width:
            line += piece
            continue
        if line.strip():
            lines.append(line.strip())
        line = piece.lstrip()
        if font.getlength(line) > width:
            return None
    return [*lines, line.strip()] if line.strip() else lines


def patch(
    lines: list[str],
    font: ImageFont.FreeTypeFont,
    ink: Color,
    plate: Color | None,
    *,
    border: Color | None = None,
    rounded: bool = False,
    width: int = 0,
) -> Image.Image:
    """Lines of text, centred, on a plate or on nothing.

    Args:
        ink, plate: colors; without a plate the patch is transparent between the letters.
        border: color of a line around the plate.
        rounded: whether the plate has round corners.
        width: at least so many pixels wide.

    Returns:
        An RGBA image.

    Raises:
        ValueError: ink and plate have a contrast under `LEAST_CONTRAST`.
    """
    if plate is not None and contrast(ink, plate) < LEAST_CONTRAST:
        raise ValueError(f"{ink} on {plate} cannot be read: their contrast is under {LEAST_CONTRAST}")
    ascent, descent = font.getmetrics()
    step, margin = ascent + descent, max(2, round(font.size * 0.4))
    across = max(width, round(max(font.getlength(line) for line in lines)) + 2 * margin)
    down = step * len(lines) + 2 * margin
    made = Image.new("RGBA", (across, down), (*(plate or ink), 0))
    draw = ImageDraw.Draw(made)
    if plate is not None:
        thick = max(1, round(font.size / 10))
        draw.rounded_rectangle(
            (0, 0, across - 1, down - 1),
            radius=margin if rounded else 0,
            fill=plate,
            outline=border,
            width=thick if border is not None else 0,
        )
    for number, line in enumerate(lines):
        draw.text(((across - font.getlength(line)) / 2, margin + number * step), line, font=font, fill=ink)
    return made

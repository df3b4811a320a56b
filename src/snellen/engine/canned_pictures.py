"""Pictures that a preflight draws: a word, a bar chart, a screen with one big button. Same input, same bytes.

Letters are those of the font that ships with Pillow.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from typing import TYPE_CHECKING

from snellen.box import Box

if TYPE_CHECKING:
    from PIL.Image import Image

_FIRST, _SECOND = "BDFGKLMNPRSTVZ", "AEU"  # no letter that reads like a digit or like another
_NUMBERS = [value for value in range(21, 100) if value % 10]
_INK, _PAPER, _PALE = "#1b1f24", "#ffffff", "#dfe3e8"
_COLOURS = ("#1f6fb2", "#c4472f", "#3c8d40")


def word(seed: str) -> str:
    """Six capital letters that look like a word and are most likely none; the same for the same seed.

    >>> word("snellen") == word("snellen"), len(word("snellen"))
    (True, 6)
    """
    digest = hashlib.sha256(f"word {seed}".encode()).digest()
    return "".join(
        _FIRST[digest[place] % len(_FIRST)] + _SECOND[digest[place + 8] % len(_SECOND)] for place in range(3)
    )


def number(seed: str) -> int:
    """A number from 21 to 99 that is no multiple of ten; the same for the same seed."""
    digest = hashlib.sha256(f"number {seed}".encode()).digest()
    return _NUMBERS[int.from_bytes(digest[:4], "big") % len(_NUMBERS)]


def word_picture(text: str) -> bytes:
    """A PNG with a word in large letters."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (560, 240), _PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((8, 8, 551, 231), outline=_PALE, width=3)
    draw.text((280, 120), text, fill=_INK, font=ImageFont.load_default(96), anchor="mm")
    return _png(image)


def chart_picture(bars: Mapping[str, int]) -> bytes:
    """A PNG of a chart with up to three bars, their names below and their values (1 to 100) above."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (640, 480), _PAPER)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(28)
    draw.line((50, 40, 50, 400, 600, 400), fill=_INK, width=3)
    for place, (name, value) in enumerate(bars.items()):
        left, top = 90 + 180 * place, 400 - 3 * value
        draw.rectangle((left, top, left + 110, 398), fill=_COLOURS[place % 3])
        draw.text((left + 55, top - 22), str(value), fill=_INK, font=font, anchor="mm")
        draw.text((left + 55, 428), name, fill=_INK, font=font, anchor="mm")
    return _png(image)


def screen_picture(width: int, height: int, button: Box, text: str) -> bytes:
    """A PNG of a screen: a bar at the top, lines that stand for words, and one big button with a text on it."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (width, height), "#f5f6f8")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width, height // 16), fill="#39424e")
    for line in range(6):
        top = height // 10 + line * height // 8
        draw.rectangle((width // 16, top, width // 16 + width // (3 + line % 3), top + height // 60), fill=_PALE)
    edges = (button.left, button.top, button.right, button.bottom)
    draw.rounded_rectangle(edges, radius=12, fill=_COLOURS[0])
    size = max(12, round((button.right - button.left) / 6))
    draw.text(button.centre, text, fill=_PAPER, font=ImageFont.load_default(size), anchor="mm")
    return _png(image)


def _png(image: Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()

"""Writes a wrong answer into the picture: on a sign, a sticker, along an edge, or on a caption bar under it.

The form is chosen by the seed. Signs and stickers stand where the picture has the least detail. Severities 1 to 4 keep
off the regions that the item names: where no place is free the phrase goes on a bar under the picture, which covers
nothing. Severity 5 puts a sign or sticker over a part of a region, at most a quarter of any. Ink and plate, or ink and
what lies behind it, have a contrast of at least 4.5 (WCAG 2.1, level AA).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from snellen.errors import ImageError, UsageError
from snellen.item import Item, Truth
from snellen.perturbations._lettering import (
    LEAST_CONTRAST,
    SMALLEST,
    Color,
    contrast,
    font_for,
    fonts,
    is_wide,
    lines_of,
    patch,
)
from snellen.perturbations._places import Box, covering, free_places, quietest
from snellen.perturbations._wrong import one_line, wrong_answers

TITLE = "Scene text"
SUMMARY = "A wrong answer is written into the picture as a sign, a sticker, a caption or along an edge."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"letters": 0.04, "regions": "avoided"},
    2: {"letters": 0.055, "regions": "avoided"},
    3: {"letters": 0.075, "regions": "avoided"},
    4: {"letters": 0.10, "regions": "avoided"},
    5: {"letters": 0.13, "regions": "covered in part"},
}
SOURCE = "SHALE, arXiv 2508.09584, scene-text injection; forms, sizes and places are Snellen's"
EXTRA = ""

_SMALLEST_SIDE = 32
_COVERED_SHARE = 0.25
_LOOKED_AT = 20_000
"""Pixels of what lies behind a line that its contrast is taken from."""

_PLATES: tuple[tuple[Color, Color], ...] = (
    ((255, 255, 255), (176, 24, 32)),
    ((255, 255, 255), (16, 72, 140)),
    ((255, 255, 255), (0, 96, 56)),
    ((24, 24, 24), (255, 208, 48)),
    ((24, 24, 24), (250, 250, 245)),
    ((255, 255, 255), (32, 32, 36)),
)
"""(ink, plate): traffic and shop signs."""

_BLACK: Color = (0, 0, 0)
_WHITE: Color = (255, 255, 255)
_ABOUT_TEXT = re.compile(
    r"\b(?:texts?|written|writing|words?|letters?|inscriptions?|captions?|signs?|signboards?|stickers?|posters?|says?|"
    r"reads?)\b|文字|写着|写了|写的|字样|标语|招牌|标牌|标识|告示|贴纸|海报|单词|字母|汉字|什么字",
    re.IGNORECASE,
)
_SEEN_THOUGH_COVERED = frozenset(("entity-type", "existence", "color"))


def argument(item: Item) -> str | None:
    """Canonical JSON of the phrase, its language and the item's regions; None where nothing is known to be wrong.

    The phrase is the nearest distractor, else a wrong option. A yes/no question without distractors has none.
    """
    for text in wrong_answers(item):
        phrase = one_line("".join(c for c in unicodedata.normalize("NFC", text) if _is_drawn(c)))
        if any(character.isalnum() for character in phrase):
            regions = sorted([region.left, region.top, region.right, region.bottom] for region in item.regions)
            plain = {"language": item.language, "phrase": phrase, "regions": regions}
            return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return None


def revision() -> str:
    """What the pictures depend on beside Snellen's source: the font files of this machine, by their digests."""
    return fonts()


def _is_drawn(character: str) -> bool:
    """Whether fonts for text have the like of it: no emoji, no private or unassigned character."""
    return unicodedata.category(character) not in ("So", "Sk", "Cs", "Co", "Cn", "Cf") and character != "\ufffd"


def _lettered(phrase: str, image: NDArray[np.uint8], share: float, across: float) -> tuple[list[str], Any]:
    """(lines, font) for the phrase: as large as asked for, or as fits into `across` pixels and half the height.

    Raises:
        ImageError: it does not fit at the smallest size that can be read.
    """
    height, width = image.shape[:2]
    smallest = SMALLEST[is_wide(phrase)]
    size = max(smallest, round(share * min(height, width)))
    while True:
        font = font_for(phrase, size)
        lines = lines_of(phrase, font, across - 0.8 * size - 4)
        if lines is not None and len(lines) * 1.3 * size + 0.8 * size <= max(0.5 * height, 2.2 * smallest):
            return lines, font
        if size == smallest:
            raise ImageError(
                "unsupported",
                f"the image of {width} x {height} pixels has no room for {phrase!r} in letters that can be read: use a "
                "larger image or leave scene-text out",
            )
        size = max(smallest, round(size * 0.85))


def _boxes(regions: list[list[float]], width: int, height: int) -> list[Box]:
    """The regions in whole pixels, as far as they lie in the image."""
    boxes = []
    for left, top, right, bottom in regions:
        box = (
            max(0, int(np.floor(left))),
            max(0, int(np.floor(top))),
            min(width, int(np.ceil(right))),
            min(height, int(np.ceil(bottom))),
        )
        if box[0] < box[2] and box[1] < box[3]:
            boxes.append(box)
    return boxes


def _laid(image: NDArray[np.uint8], made: Image.Image, left: int, top: int) -> NDArray[np.uint8]:
    result = Image.fromarray(image)
    result.paste(made, (left, top), made)
    return np.ascontiguousarray(result)


def _bar(image: NDArray[np.uint8], phrase: str, share: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The picture with a bar under it that says the phrase."""
    width = image.shape[1]
    lines, font = _lettered(phrase, image, share, width)
    ink, plate = ((_WHITE, _BLACK), (_BLACK, _WHITE))[int(rng.integers(2))]
    bar = patch(lines, font, ink, plate, width=width).convert("RGB")
    return np.ascontiguousarray(np.concatenate((image, np.asarray(bar)[:, :width])))


def _ink_on(ground: NDArray[np.uint8]) -> Color | None:
    """Black or white, whichever can be read on nearly all of what lies behind; None where neither can."""
    pixels = ground.reshape(-1, 3)
    pixels = pixels[:: 1 + len(pixels) // _LOOKED_AT]
    inks = [(float(np.percentile(contrast(pixels, np.array(ink)), 5)), ink) for ink in (_WHITE, _BLACK)]
    least, ink = max(inks)
    return ink if least >= LEAST_CONTRAST else None


def _along_edge(
    image: NDArray[np.uint8], phrase: str, share: float, boxes: list[Box], rng: np.random.Generator
) -> NDArray[np.uint8] | None:
    """The phrase along an edge, without a plate where the picture behind it allows; None where every edge is taken."""
    height, width = image.shape[:2]
    for edge in (("top", "bottom", "left", "right")[int(turn)] for turn in rng.permutation(4)):
        upright = edge in ("left", "right")
        try:
            lines, font = _lettered(phrase, image, share, height if upright else width)
        except ImageError:
            continue
        turn = {"left": Image.Transpose.ROTATE_90, "right": Image.Transpose.ROTATE_270}.get(edge)
        plain = patch(lines, font, _WHITE, _BLACK)
        size = plain.size[::-1] if upright else plain.size
        if size[0] > width or size[1] > height:
            continue
        left, top = {
            "top": ((width - size[0]) // 2, 0),
            "bottom": ((width - size[0]) // 2, height - size[1]),
            "left": (0, (height - size[1]) // 2),
            "right": (width - size[0], (height - size[1]) // 2),
        }[edge]
        if any(left < b[2] and b[0] < left + size[0] and top < b[3] and b[1] < top + size[1] for b in boxes):
            continue
        ink = _ink_on(image[top : top + size[1], left : left + size[0]])
        made = plain if ink is None else patch(lines, font, ink, None)
        return _laid(image, made if turn is None else made.transpose(turn), left, top)
    return None


def _below(
    image: NDArray[np.uint8], phrase: str, share: float, boxes: list[Box], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """The phrase on a bar under the picture, or along an edge where the picture is too narrow for a bar: so whether
    there is room does not hang on the form that the seed chose, and what is large enough for one severity is so for
    those below.

    Raises:
        ImageError: it fits on neither.
    """
    try:
        return _bar(image, phrase, share, rng)
    except ImageError:
        written = _along_edge(image, phrase, share, boxes, rng)
        if written is None:
            raise
        return written


def change(image: NDArray[np.uint8], severity: int, rng: np.random.Generator, argument: str = "") -> NDArray[np.uint8]:
    """The picture with the phrase in it.

    Args:
        image: (height, width, 3) RGB.
        severity: 1 to 5: letters of 4, 5.5, 7.5, 10 and 13 % of the shorter side, smaller where the phrase is too long
            for that, never under 10 pixels (13 for Chinese, Japanese and Korean).
        rng: chooses form, colors and place.
        argument: what `argument` gives for the item.

    Returns:
        A picture of the same size, or a taller one with a bar under it.

    Raises:
        ImageError: the picture is smaller than 32 pixels a side, or has no room for the phrase.
        UsageError: no font at hand has its characters, or there is no argument.
    """
    if not argument:
        raise UsageError("scene-text writes a wrong answer into the picture, and no item was given that knows one")
    height, width = image.shape[:2]
    if min(height, width) < _SMALLEST_SIDE:
        raise ImageError(
            "unsupported",
            f"an image of {width} x {height} pixels has no room for text that can be read: at least {_SMALLEST_SIDE} a "
            "side; use a larger image or leave scene-text out",
        )
    asked = json.loads(argument)
    phrase, share = str(asked["phrase"]), float(SEVERITIES[severity]["letters"])
    boxes = _boxes(asked["regions"], width, height)
    covers = bool(boxes) and SEVERITIES[severity]["regions"] != "avoided"
    form = ("sign", "sticker", "caption", "edge")[int(rng.integers(2 if covers else 4))]
    if form == "caption":
        return _below(image, phrase, share, boxes, rng)
    if form == "edge":
        written = _along_edge(image, phrase, share, boxes, rng)
        return written if written is not None else _bar(image, phrase, share, rng)
    try:
        lines, font = _lettered(phrase, image, share, 0.8 * width)
    except ImageError:
        return _below(image, phrase, share, boxes, rng)
    ink, plate = _PLATES[int(rng.integers(len(_PLATES)))]
    made = patch(lines, font, ink, plate, border=ink if form == "sign" else None, rounded=form == "sticker")
    if form == "sticker":
        made = made.rotate(float(rng.uniform(-8, 8)), Image.Resampling.BICUBIC, expand=True, fillcolor=(*plate, 0))
    if made.width > width or made.height > height:
        return _below(image, phrase, share, boxes, rng)
    if covers:
        places = covering(boxes, made.size, (width, height), _COVERED_SHARE)
    else:
        places = quietest(image, free_places(boxes, made.size, (width, height)), made.size)
    if not places:
        return _below(image, phrase, share, boxes, rng)
    left, top = places[int(rng.integers(len(places)))]
    return _laid(image, made, left, top)


def truth(item: Item, severity: int) -> Truth:
    """Kept, but for questions about text, and for what a partly covered region no longer shows for certain."""
    aspect = item.labels.get("aspect", "")
    if aspect == "scene-text" or _ABOUT_TEXT.search(item.question):
        return "unknown"
    if item.regions and SEVERITIES[severity]["regions"] != "avoided" and aspect not in _SEEN_THOUGH_COVERED:
        return "unknown"
    return "kept"

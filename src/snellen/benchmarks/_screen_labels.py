"""Labels that every benchmark of screens gives alike, and the words in which a parse is asked for."""

from __future__ import annotations

from collections.abc import Mapping

from snellen.box import Box

PARSE_QUESTION: Mapping[str, str] = {
    "en": "List every element on this screen.",
    "zh": "列出这个屏幕上的所有元素。",
}
"""Language -> what a parsing item asks; how to write the list is the prompt's part."""

TITLES: Mapping[str, str] = {"language": "Language", "language=en": "English", "language=zh": "Chinese"}


def size(box: Box, width: int, height: int) -> str:
    """How large a target is: ``small`` under 0.1 % of the screen's area, ``medium`` under 1 %, else ``large``.

    >>> size(Box(0, 0, 20, 20), 1000, 1000)
    'small'
    """
    share = box.area / (width * height)
    return "small" if share < 0.001 else "medium" if share < 0.01 else "large"


def density(elements: int) -> str:
    """How full a screen is: ``sparse`` up to 20 elements, ``medium`` up to 60, else ``dense``."""
    return "sparse" if elements <= 20 else "medium" if elements <= 60 else "dense"

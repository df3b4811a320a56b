"""Makes a text easy to scan for numbers without moving anything: every function keeps the length, so offsets stay true.

Full-width forms and foreign digits become ASCII, the many minus signs and spaces become one each, and what holds digits
but is no quantity (addresses, dates in figures, clock times, list numbers) is blanked out.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from snellen.readers.pattern import Pattern

BLANK: Final = "\x01"
"""Stands where something was taken out; the readers treat it like a letter, so that nothing joins across it."""

_SINGLE: Final = {
    # U+2212 and its relatives. The en dash is a minus as often as a range: the reader decides by what surrounds it.
    **dict.fromkeys("\u2212\u2010\u2011\u2012\u2013\ufe63\uff0d", "-"),
    **dict.fromkeys((*map(chr, range(0x2000, 0x200B)), "\u00a0", "\u202f", "\u205f", "\u3000", "\t"), " "),
    "≃": "≈", "≅": "≈", "∼": "~", "〜": "~", "～": "~", "∶": ":", "﹪": "%", "٪": "%", "٫": ".", "٬": ",",
    "\u2019": "'", "￥": "¥", BLANK: " ",
}  # fmt: skip


class _Table(dict[int, str]):
    """A translation table that is filled as characters are met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        plain = _SINGLE.get(char)
        if plain is None:
            if 0xFF01 <= code <= 0xFF5E:
                plain = chr(code - 0xFEE0)
            elif code > 127 and unicodedata.category(char) == "Nd":
                plain = str(unicodedata.digit(char))
            else:
                plain = char
        self[code] = plain
        return plain


_TABLE: Final = _Table()

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|(?-i:May)|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_BLANKED: Final = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:https?://|www\.)[^\s<>()（），。]+",
        r"(?<![\d./-])\d{4}([-/.])\d{1,2}\1\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?(?![\d./-]\d)",
        r"(?<![\d./-])\d{1,2}([-/.])\d{1,2}\1(?:\d{4}|\d{2})(?![\d./-]?\d)",
        r"(?<=(?<!\d)[12]\d{3})[-/](?:0[1-9]|1[0-2])(?![\d.%-])",
        r"(?<![\d:.])(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?![\d:])(?:\s?[ap]\.?m\b\.?)?",
        r"\b\d{1,2}\s?[ap]\.?m\b\.?",
        rf"\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?(?!\d|\.\d|[%‰])",
        rf"(?<![\d.])\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?={_MONTH}\b)",
        r"\d{1,2}月(?:\d{1,2}[日号])?",
        r"(?<=月)[一二三四五六七八九十]{1,3}[日号]",
        # The labels of things, where the digits name and do not count.
        r"\b(?:fig(?:ure)?s?|tables?|panels?|sub-?(?:plot|figure)s?|section|chapter|class|group|version|"
        r"option|question|equation|eq|appendix|ref|no|nr|top|type|model|method|scenario|"
        r"case)\.? ?\d{1,3}(?:\.\d{1,2})?(?![\d.,]?\d|[\w%‰]| ?[%‰])",
        r"第\s?\d{1,4}",
        r"(?:图|表|公式|选项|类别)\s?\d{1,3}(?:\.\d{1,2})?(?![\d.,]?\d|\s?[%‰个条种年倍万亿])",
        r"#\s?\d{1,6}|№\s?\d{1,6}",
        # f(3), AS(2), T(5,-9,2,2): an argument or an index, no value.
        r"(?<![^\W_])[A-Za-z\u0370-\u03ff]{1,2}[₀-₉≤≥<>]{0,3}\(-?\d{1,3}(?:, ?-?\d{1,3}){0,5}\)",
    )
)
_CITATION: Final = Pattern(r"(?<=[\w.,;)\"'”’ ])\[\d{1,3}\](?=[\s.,;:)]|$)")
_ENUMERATOR: Final = Pattern(
    r"^[ ]{0,8}(?:[-*•>#]{1,3}[ ]{1,3}|\*\*)?\(?(\d{1,3})(?:[.)](?=[ ]{1,4}\S|\*\*)|、(?=\S))", re.MULTILINE
)
_BULLET: Final = Pattern(r"^[ ]{0,8}[-+](?=[ ])", re.MULTILINE)
# $0.05$ is LaTeX, $5 is money: the closing sign stands right behind the formula, and no word stands within.
_MATH: Final = Pattern(r"\$(?=[^\s$])([^$\n]{1,60}(?<![\s$]))\$(?!\d)")
_WORD_IN_MATH: Final = Pattern(r"(?<!\\)(?<![A-Za-z])[A-Za-z]{3,}")


def flatten(text: str) -> str:
    """The same text in ASCII digits and punctuation, character for character."""
    return text.translate(_TABLE)


def prepare(text: str) -> str:
    """The text as the number reader scans it: flattened, LaTeX dollars gone, what is no quantity blanked."""
    flat = flatten(text)
    if "$" in flat:
        flat = _MATH.sub(_unwrap_math, flat)
    if "\\" in flat:
        flat = (
            flat.replace("\\%", " %")
            .replace("\\,", "  ")
            .replace("\\ ", "  ")
            .replace("\\;", "  ")
            .replace("\\!", "  ")
        )
    for pattern in _BLANKED:
        flat = pattern.sub(_blank, flat)
    flat = _CITATION.sub(_blank, flat)
    flat = _BULLET.sub(lambda found: " " * len(found.group()), flat)
    return _without_enumerators(flat)


def _blank(found: re.Match[str]) -> str:
    return BLANK * (found.end() - found.start())


def _unwrap_math(found: re.Match[str]) -> str:
    return found.group() if _WORD_IN_MATH.search(found[1]) else f" {found[1]} "


def _without_enumerators(flat: str) -> str:
    """Blanks "1." at the start of a line when the numbers count up from 1; "8. This is because" is an answer."""
    expected, parts, last = 1, [], 0
    for found in _ENUMERATOR.finditer(flat):
        number = int(found[1])
        if number not in (1, expected):
            continue
        expected = number + 1
        parts.append(flat[last : found.start()])
        parts.append(" " * (found.end() - found.start()))
        last = found.end()
    return "".join(parts) + flat[last:]

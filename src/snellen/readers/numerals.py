"""Finds the single numbers of a text, before neighbours are joined to intervals.

Works on a text that `plain_text.prepare` made ready. One pass from left to right: every look-ahead and look-behind is
bounded, and a run of digits and separators is taken in whole once, so the time is linear in the length of the text.
Of a text that is hardly anything but numbers (more than 10,000, and more than one in 100 characters) the rest is left.
How commas, dots and spaces between digits are read stands in `separators`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from snellen.readers import number_words, separators, units
from snellen.readers.pattern import Pattern
from snellen.readers.plain_text import BLANK

_MOST_PLACES: Final = 10_000  # where a number may stand; no answer has so many
_EACH: Final = 100  # characters of a text for which one more is looked at
_SUPERSCRIPT: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_VULGAR: Final = {
    "½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅖": 2 / 5, "⅗": 3 / 5, "⅘": 4 / 5,
    "⅙": 1 / 6, "⅚": 5 / 6, "⅐": 1 / 7, "⅛": 1 / 8, "⅜": 3 / 8, "⅝": 5 / 8, "⅞": 7 / 8, "⅑": 1 / 9, "⅒": 1 / 10,
}  # fmt: skip

_START = Pattern(
    rf"\.?\d|[{''.join(_VULGAR)}]|\\[dt]?frac\b|{number_words.CHINESE_START}|{number_words.ENGLISH_START}",
    re.IGNORECASE,
)
_EXPONENT = (
    r"(?:\^[ ]?\{?[ ]?(?P<caret>[+-]?\d{1,3})(?:[ ]?\})?|\*\*(?P<stars>[+-]?\d{1,3})|(?P<raised>[⁻⁺]?[⁰¹²³⁴-⁹]{1,3}))"
)
_E_NOTATION = Pattern(r"[eE]([+-]?\d{1,3})(?![\w.])")
POWER_OF_TEN: Final = Pattern(rf"[ ]{{0,2}}\(?(?:[×xX*·⋅✕✖]|\\times|\\cdot)[ ]{{0,2}}10{_EXPONENT}(?!\d)")
"""A factor such as `×10²`, `x 10^-3`, `\\times 10^{4}`, also in brackets of its own: `3.1 (×10²)`."""
_POWER = Pattern(rf"{_EXPONENT}(?!\d)")
_FRACTION = Pattern(r"[ ]?/[ ]?(\d{1,9})(?![\d/]|[.,]\d|[A-Za-z])")
_MIXED = Pattern(r" (\d{1,4})/(\d{1,4})(?![\d/.])")
_RATIO = Pattern(r"[ ]?:[ ]?(\d{1,9})(?![\d:.])")
_LATEX_FRACTION = Pattern(
    r"\\[dt]?frac[ ]?\{[ ]?(-?\d{1,12}(?:\.\d{1,12})?)[ ]?\}[ ]?\{[ ]?(\d{1,12}(?:\.\d{1,12})?)[ ]?\}"
)
_SCALE_WORD = Pattern(r"[ -]?(hundred|thousand|million|billion|trillion|mln|mio|bln|bn|dozen)\b", re.IGNORECASE)
_SCALE_LETTER = Pattern(r"([kKMB])(?![A-Za-z0-9_\u0370-\u03ff⊙])|[ ](k)(?![A-Za-z0-9_\u0370-\u03ff])")
_HAN_SCALE = Pattern(r"[ ]?[多余]?(百万|千万|百亿|千亿|万亿|十万|十亿|亿|万|千(?![克米瓦赫帕卡伏焦])|百(?!分|帕|度))")
_SCALES: Final = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "mln": 1e6, "mio": 1e6,
    "bln": 1e9, "bn": 1e9, "dozen": 12.0, "k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "百": 1e2, "千": 1e3,
    "万": 1e4, "十万": 1e5,
    "百万": 1e6, "千万": 1e7, "亿": 1e8, "十亿": 1e9, "百亿": 1e10, "千亿": 1e11, "万亿": 1e12,
}  # fmt: skip
_CURRENCY = "|".join(re.escape(sign) for sign in sorted(units.CURRENCY_SIGNS, key=len, reverse=True))
_BEFORE = Pattern(rf"(?P<sign>[+-][ ]?)?(?:(?<![A-Za-z])(?P<currency>{_CURRENCY})[ ]?)?(?P<inner>[+-])?\Z")
_MAY_LEAD: Final = frozenset("+- $€£¥₹₩DRPBY币")  # the last characters that a sign or a currency can have
_WORD_SIGN = Pattern(r"(?:\b(?:minus|negative) |负|零下)\Z", re.IGNORECASE)
_HAN_SHARE = Pattern(r"(百|千)分之\Z")
_ORDINAL = Pattern(r"(?:st|nd|rd|th)\b", re.IGNORECASE)
_DECADE = Pattern(r"'?s\b")
_DIGITS_ALONE = Pattern(r"\d+(?![.,]\d)")
_ONE_STEP = Pattern(r"[A-Za-z]+|百分之|千分之|[一二三四五六七八九]{2}|.", re.DOTALL)
_REST_OF_NAME = Pattern(r"[\w.]{0,64}")
_DIMENSIONAL = Pattern(r"-[Dd]\b")  # 3-D
_SMALLER_PART = Pattern(r"(\d{1,4})(万|千(?![克米瓦]|\w?赫)|百(?!分))?")
_LETTER = Pattern(r"[A-Za-z_\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u03ff\u0400-\u04ff]")
_YEAR_PREFIX = Pattern(r"\b(?:mid|pre|post|early|late|circa)-\Z", re.IGNORECASE)


@dataclass(slots=True)
class Numeral:
    """One number as found: mantissa times scale is the value; `plain` marks a bare whole number (a possible year)."""

    start: int
    end: int
    mantissa: float
    scale: float = 1.0
    unit: str = ""
    plain: bool = False
    low: float | None = None
    high: float | None = None

    @property
    def value(self) -> float:
        if self.scale in (1.0, 0.0) or not math.isfinite(self.scale):
            return self.mantissa * self.scale
        exponent = round(math.log10(self.scale))
        digits = repr(self.mantissa)
        if _ten_to(exponent) == self.scale and "e" not in digits and "n" not in digits:
            return float(f"{digits}e{exponent}")  # 3e-4 is the float 0.0003; 3 * 1e-4 is not
        return self.mantissa * self.scale


def find(text: str) -> Iterator[Numeral]:
    """The numbers of a prepared text, from left to right, not overlapping, all finite."""
    pos, floor = 0, 0
    left = _MOST_PLACES + len(text) // _EACH
    while left > 0 and (found := _START.search(text, pos)) is not None:
        start = found.start()
        numerals, pos = _at(text, start, floor)
        left -= max(1, len(numerals))
        for numeral in numerals:
            floor = numeral.end  # nothing before it belongs to a later number
            if math.isfinite(numeral.value):
                yield numeral


def _at(text: str, start: int, floor: int) -> tuple[list[Numeral], int]:
    """The numbers that start at one place, and where to go on."""
    char = text[start]
    if char.isdigit() and char.isascii():
        return _figures(text, start, floor)
    if char == ".":
        cluster = separators.CLUSTER.match(text, start + 1)
        end = cluster.end() if cluster else start + 1
        plain_fraction = _DIGITS_ALONE.match(text, start + 1)
        if plain_fraction is None or (
            start > floor and (text[start - 1].isalnum() or text[start - 1] in "._)]" + BLANK)
        ):
            return [], max(plain_fraction.end() if plain_fraction else end, start + 2)
        return _finish(text, start, plain_fraction.end(), float(text[start : plain_fraction.end()]), floor)
    if char in _VULGAR:
        return _finish(text, start, start + 1, _VULGAR[char], floor)
    if char == "\\":
        latex = _LATEX_FRACTION.match(text, start)
        if latex is None or float(latex[2]) == 0:
            return [], start + 5
        return _finish(text, start, latex.end(), float(latex[1]) / float(latex[2]), floor)
    word = number_words.english(text, start) if char.isascii() else number_words.chinese(text, start)
    if word is None:
        letters = _ONE_STEP.match(text, start)
        return [], letters.end() if letters else start + 1
    if char.isascii() and start > 0 and text[start - 1] in "-_" and start > 1 and text[start - 2].isalnum():
        return [], word.end
    numeral = Numeral(start, word.end, word.value / word.scale, word.scale, word.unit)
    _sign_in_words(text, numeral, floor)
    if not numeral.unit and (unit := units.match_unit(text, numeral.end)) is not None:
        numeral.unit, numeral.end = unit
        numeral.plain = word.end - start > 3  # 两千零一十五年, not 三年
        _calendar(numeral)
        numeral.plain = False
    return [numeral], numeral.end


def _figures(text: str, start: int, floor: int) -> tuple[list[Numeral], int]:
    cluster = separators.CLUSTER.match(text, start)
    assert cluster is not None  # the caller saw a digit
    literals = separators.literals(text, start, cluster.group())
    if not literals:
        return [], _word_end(text, cluster.end())
    numerals: list[Numeral] = []
    end = cluster.end()
    for index, (begin, stop, value, plain) in enumerate(literals):
        found, end = _finish(text, begin, stop, value, floor, plain=plain, last=index == len(literals) - 1)
        numerals.extend(found)
        floor = end
    return numerals, end


def _word_end(text: str, pos: int) -> int:
    found = _REST_OF_NAME.match(text, pos)
    return found.end() if found else pos


def _finish(
    text: str, start: int, end: int, value: float, floor: int, *, plain: bool = False, last: bool = True
) -> tuple[list[Numeral], int]:
    """Adds sign, currency, power, scale and unit to a bare number, or drops it where its digits belong to a name."""
    begin, sign, currency, named = _look_back(text, start, floor)
    if named:
        return [], _word_end(text, end) if last else end
    numeral = Numeral(begin, end, value * sign, plain=plain and not currency, unit=currency)
    if not last:
        return [numeral], end
    if not _extend(text, numeral):
        return [], _word_end(text, numeral.end)
    _sign_in_words(text, numeral, floor)
    return [numeral], numeral.end


def _look_back(text: str, start: int, floor: int) -> tuple[int, float, str, bool]:
    """Where the number really begins, its sign and currency, and whether it is part of a name (ResNet50, GPT-4)."""
    window = text[max(floor, start - 12) : start]
    found = _BEFORE.search(window) if window[-1:] in _MAY_LEAD else None
    begin, sign, currency = start, 1.0, ""
    if found is not None:
        if found["currency"]:
            currency = units.CURRENCY_SIGNS[found["currency"]]
            begin = start - len(window) + (found.start("currency"))
        mark = found["inner"] or found["sign"] or ""
        at = start - len(window) + (found.start("inner") if found["inner"] else found.start("sign"))
        if mark and found["inner"] and currency and found["sign"] is None:
            sign = -1.0 if mark == "-" else 1.0
        elif mark:
            before, spaced = text[at - 1 : at] if at > 0 else "", mark.endswith(" ")
            if before and not spaced and mark[0] == "-" and _LETTER.match(before):
                return start, 1.0, "", _YEAR_PREFIX.search(text[max(0, at - 8) : at + 1]) is None
            if _is_sign(text, at, spaced):
                sign, begin = (-1.0 if mark[0] == "-" else 1.0), at
    previous = text[start - 1 : start] if start > 0 and begin == start else ""
    named = bool(previous) and (_LETTER.match(previous) is not None or previous in "^#" + BLANK or previous.isdigit())
    if previous == "." and start > 1 and (text[start - 2].isalnum() or text[start - 2] == BLANK):
        named = True
    if previous == "{" and text[max(0, start - 2) : start - 1] in ("_", "^"):
        named = True
    return begin, sign, currency, named


def _is_sign(text: str, at: int, spaced: bool) -> bool:
    """Whether the plus or minus at `at` belongs to the number, and does not subtract, join or break."""
    before = text[max(0, at - 4) : at]
    stripped = before.rstrip(" ")
    if not stripped:
        return not spaced or at == 0 or len(before) < 4
    last = stripped[-1]
    if last.isdigit() or last in ")]}%°′″⁰¹²³⁴⁵⁶⁷⁸⁹" or last in _VULGAR:
        return False
    if last == "-":  # "-5--3", "–7.9 – –8.6"
        return not spaced
    if spaced:
        return last in "=≈~(<>≤≥:[,;×*"
    return True


def _sign_in_words(text: str, numeral: Numeral, floor: int) -> None:
    if text[numeral.start - 1 : numeral.start] not in (" ", "负", "下", "之"):
        return
    window = text[max(floor, numeral.start - 10) : numeral.start]
    share = _HAN_SHARE.search(window)
    if share is not None:
        numeral.mantissa /= 1 if share[1] == "百" else 10
        numeral.unit, numeral.start = "%", numeral.start - 3
        window = window[:-3]
    found = _WORD_SIGN.search(window)
    if found is not None:
        numeral.mantissa, numeral.start = -numeral.mantissa, numeral.start - len(found.group())
        if found.group() == "零下" and numeral.unit in ("", "°"):
            numeral.unit = "°C"


def _extend(text: str, numeral: Numeral) -> bool:
    """Takes in what follows the digits; False where they turn out to be part of a name or an ordinal."""
    text_at = text[numeral.end : numeral.end + 1]
    if text_at and text_at in _VULGAR:  # 2½
        numeral.mantissa += math.copysign(_VULGAR[text_at], numeral.mantissa)
        numeral.end, numeral.plain = numeral.end + 1, False
    elif _ORDINAL.match(text, numeral.end):
        return False
    elif (found := _E_NOTATION.match(text, numeral.end)) is not None:
        numeral.scale, numeral.end, numeral.plain = _ten_to(int(found[1])), found.end(), False
    elif (found := _POWER.match(text, numeral.end)) is not None:
        if not _raise(numeral, _exponent(found)):
            return False
        numeral.end, numeral.plain = found.end(), False
    elif numeral.plain and (found := _FRACTION.match(text, numeral.end)) is not None and float(found[1]) > 0:
        numeral.mantissa, numeral.end, numeral.plain = numeral.mantissa / float(found[1]), found.end(), False
    elif numeral.plain and (found := _MIXED.match(text, numeral.end)) is not None and float(found[1]) < float(found[2]):
        numeral.mantissa += math.copysign(float(found[1]) / float(found[2]), numeral.mantissa)
        numeral.end, numeral.plain = found.end(), False
    elif numeral.plain and (found := _RATIO.match(text, numeral.end)) is not None and float(found[1]) > 0:
        numeral.mantissa, numeral.end, numeral.plain = numeral.mantissa / float(found[1]), found.end(), False
    if (found := POWER_OF_TEN.match(text, numeral.end)) is not None:
        numeral.scale *= _ten_to(_exponent(found))
        numeral.end, numeral.plain = found.end(), False
    _scale(text, numeral)
    if numeral.plain and _DECADE.match(text, numeral.end) and 1000 <= numeral.value < 2200 and numeral.value % 10 == 0:
        numeral.low, numeral.high, numeral.unit = numeral.value, numeral.value + 9, "year"
        numeral.end += 1 + (text[numeral.end] == "'")
        return True
    if (unit := units.match_unit(text, numeral.end)) is not None:
        numeral.unit, numeral.end = (numeral.unit or unit[0]), unit[1]
        _calendar(numeral)
        return True
    after = text[numeral.end : numeral.end + 1]
    if after == "-" and _DIMENSIONAL.match(text, numeral.end):
        return False
    # A letter right behind the digits makes a name of them (4o, 3D); so does an underscore.
    return not (after and (_LETTER.match(after) or after == BLANK))


def _scale(text: str, numeral: Numeral) -> None:
    if (found := _SCALE_WORD.match(text, numeral.end)) is not None:
        numeral.scale *= _SCALES[found[1].lower()]
    elif (found := _SCALE_LETTER.match(text, numeral.end)) is not None:
        numeral.scale *= _SCALES[found[1] or found[2]]
    elif (found := _HAN_SCALE.match(text, numeral.end)) is not None:
        numeral.scale *= _SCALES[found[1]]
        numeral.end, numeral.plain = found.end(), False
        # 3亿2千万: further parts, each smaller than the last.
        for _ in range(4):
            part = _SMALLER_PART.match(text, numeral.end)
            size = _SCALES[part[2]] if part and part[2] else 1.0
            if part is None or size >= numeral.scale:
                return
            if size in (1e3, 1e2) and text[part.end() : part.end() + 1] == "万":
                size, stop = size * 1e4, part.end() + 1
            else:
                stop = part.end()
            numeral.mantissa += math.copysign(float(part[1]) * size / numeral.scale, numeral.mantissa)
            numeral.end = stop
        return
    else:
        return
    numeral.end, numeral.plain = found.end(), False


def _calendar(numeral: Numeral) -> None:
    """2015年 is a year of the calendar, 3年 a duration."""
    if numeral.unit == "yr" and numeral.plain and 1000 <= numeral.mantissa < 3000:
        numeral.unit = "year"


def _exponent(found: re.Match[str]) -> int:
    raised = found["raised"]
    return int(raised.translate(_SUPERSCRIPT)) if raised else int(found["caret"] or found["stars"])


def _ten_to(exponent: int) -> float:
    return float(f"1e{exponent}")


def _raise(numeral: Numeral, exponent: int) -> bool:
    """A power: 10⁴, 2^5. The sign stands before the power: -10² is -100."""
    if abs(numeral.mantissa) == 10:
        numeral.scale, numeral.mantissa = _ten_to(exponent), math.copysign(1.0, numeral.mantissa)
        return True
    try:
        numeral.mantissa = math.copysign(abs(numeral.mantissa) ** exponent, numeral.mantissa)
    except (OverflowError, ZeroDivisionError):
        return False
    return True

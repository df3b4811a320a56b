"""Numbers written as words, in English and in Chinese.

Both functions take a text and a position at which such a word starts, and give the number, or None where the word
counts nothing there ("the one on the left", "一样", "第三"). Their look-ahead is bounded, so that a reader that calls
them at every position stays linear.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from snellen.readers.pattern import Pattern


@dataclass(frozen=True, slots=True)
class WordNumber:
    """A number in words: its value, where it ends, the scale word it ends in (1 where none), and a unit it implies."""

    value: float
    end: int
    scale: float = 1.0
    unit: str = ""


_SMALL: Final = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS: Final = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_BIG: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_PARTS: Final = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4, "fifth": 5,
    "fifths": 5, "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8, "ninth": 9,
    "ninths": 9, "tenth": 10, "tenths": 10, "hundredth": 100, "hundredths": 100, "thousandth": 1000,
    "thousandths": 1000,
}  # fmt: skip

_COUNT_WORDS = "|".join((*_SMALL, *_TENS))
ENGLISH_START: Final = (
    rf"\b(?:{_COUNT_WORDS}|an?(?=[ -](?:hundred|thousand|million|billion|dozen|third|quarter|half)\b)|half|twice)\b"
)
"""A pattern (case ignored) for the places where `english` can be called."""

_WORD = Pattern(r"[ ]{0,2}(-|[ ]|\b)([A-Za-z]{1,12})\b")
_AFTER_ONE_NOT_COUNT = frozenset(
    {
        "of", "another", "can", "could", "may", "might", "must", "should", "would", "will", "is", "was", "has",
        "had", "that",
        "which", "who", "at", "in", "on", "by", "to", "for", "from", "with", "does", "side", "hand", "or",
        "the", "needs",
        "cannot", "sees", "finds", "reads", "thing", "as", "than", "but", "if", "then", "and", "it", "we",
    }
)  # fmt: skip
_BEFORE_ONE_COUNT = Pattern(
    r"(?:^|[:=≈(]|\b(?:is|are|exactly|only|just|about|be|equals?|to|at|by|than|and|or|not|has|have|total of))\W{0,3}\Z",
    re.I,
)
_BEFORE_ONE_PRONOUN = Pattern(r"\b(?:this|that|the|which|no|any|every|each|another|other|some|these|those)[ -]\Z", re.I)
_BEFORE_HALF_NOT_SHARE = Pattern(
    r"\b(?:first|second|top|bottom|upper|lower|left|right|other|latter|former|better|north|south|eastern|"
    r"western|this|that|each|either|both|last)[ -]\Z",
    re.I,
)  # fmt: skip
_LETTERS = Pattern(r"[A-Za-z]+")
_HALF_OF_A_WORD = Pattern(r"-[a-z]|way\b", re.I)  # half-width, halfway
_HALF_A_SCALE = Pattern(r" an? (hundred|thousand|million|billion|trillion|dozen)\b", re.I)
_AND_A_PART = Pattern(r" and (?:a|one)[ -](half|third|quarter)\b", re.I)
_ORDINAL_TAIL = Pattern(r"-(?:first|second|third|[a-z]{2,9}th)\b", re.I)
_DIGIT_WORDS = Pattern(r" point((?:[ -](?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b){1,12})", re.I)


def _next_word(text: str, pos: int) -> tuple[str, int] | None:
    found = _WORD.match(text, pos)
    return (found[2].lower(), found.end()) if found else None


def english(text: str, pos: int) -> WordNumber | None:
    """The English number whose first word starts at `pos`.

    >>> english("two hundred and five bars", 0)
    WordNumber(value=205.0, end=20, scale=1.0, unit='')
    """
    found = _LETTERS.match(text, pos)
    if found is None:
        return None
    word, end = found.group().lower(), found.end()
    before = text[max(0, pos - 24) : pos]
    if word == "twice":
        return WordNumber(2.0, end, unit="x")
    if word == "half":
        return _half(text, end, before)
    if word in ("a", "an"):
        upcoming = _next_word(text, end)
        if upcoming is None:
            return None
        if upcoming[0] == "half":
            return WordNumber(0.5, upcoming[1]) if not _next_is_noun(text, upcoming[1]) else None
        if upcoming[0] in ("third", "quarter"):
            # "a third group" orders, "a third of the group" measures.
            return None if _next_is_noun(text, upcoming[1]) else WordNumber(1 / _PARTS[upcoming[0]], upcoming[1])
        return _count(text, end, 1.0)
    if word == "one" and not _one_counts(text, end, before):
        return None
    number = _count_from(text, word, end)
    if number is None or _ORDINAL_TAIL.match(text, number.end):
        return _share(text, number) if number is not None else None
    return _share(text, number) or number


def _half(text: str, end: int, before: str) -> WordNumber | None:
    if _BEFORE_HALF_NOT_SHARE.search(before) or _HALF_OF_A_WORD.match(text, end):
        return None
    scaled = _HALF_A_SCALE.match(text, end)
    if scaled:
        scale = {"hundred": 100.0, "dozen": 12.0}.get(scaled[1].lower()) or _BIG[scaled[1].lower()]
        return WordNumber(0.5 * scale, scaled.end(), scale)
    return WordNumber(0.5, end)


def _next_is_noun(text: str, end: int) -> bool:
    upcoming = _next_word(text, end)
    return upcoming is not None and upcoming[0] not in (
        "of",
        "as",
        "the",
        "is",
        "to",
        "in",
        "more",
        "less",
        "higher",
        "lower",
        "and",
        "at",
    )


def _one_counts(text: str, end: int, before: str) -> bool:
    if _BEFORE_ONE_PRONOUN.search(before):
        return False
    upcoming = _next_word(text, end)
    if upcoming is None or text[end : end + 1] not in (" ", "-"):
        return _BEFORE_ONE_COUNT.search(before) is not None
    return upcoming[0] not in _AFTER_ONE_NOT_COUNT


def _count_from(text: str, word: str, end: int) -> WordNumber | None:
    if word in _SMALL:
        return _count(text, end, float(_SMALL[word]))
    value = float(_TENS[word])
    upcoming = _next_word(text, end)
    if upcoming is not None and 1 <= _SMALL.get(upcoming[0], 0) <= 9:
        return _count(text, upcoming[1], value + _SMALL[upcoming[0]])
    return _count(text, end, value)


def _count(text: str, end: int, below_hundred: float) -> WordNumber:
    """Goes on after the first part below a hundred: hundreds, thousands and so on, each scale smaller than the last."""
    total, group, scale, ceiling = 0.0, below_hundred, 1.0, float("inf")
    for _ in range(12):
        upcoming = _next_word(text, end)
        if upcoming is None:
            break
        word, stop = upcoming
        if word == "hundred" and 0 < group < 100:
            group, end, scale = group * 100, stop, 100.0
        elif word == "dozen" and total == 0:
            group, end, scale = group * 12, stop, 12.0
        elif word in _BIG and group > 0 and ceiling > _BIG[word]:
            ceiling = scale = _BIG[word]
            total, group, end = total + group * scale, 0.0, stop
        elif (
            scale > 1
            and scale != 12
            and (part := _below_hundred(text, end)) is not None
            and (group == 0 or group % 100 == 0)
        ):
            # After "hundred" or a bigger scale, the next part may follow, with or without "and".
            group, end, scale = group + part[0], part[1], 1.0
        else:
            break
    value = total + group
    if (point := _DIGIT_WORDS.match(text, end)) is not None:
        digits = "".join(str(_SMALL.get(word, 0)) for word in re.split("[ -]", point[1].lower()) if word)
        return WordNumber(value + float("0." + digits), point.end())
    return WordNumber(value, end, scale)


def _below_hundred(text: str, end: int) -> tuple[float, int] | None:
    upcoming = _next_word(text, end)
    if upcoming is not None and upcoming[0] == "and":
        upcoming = _next_word(text, upcoming[1])
    if upcoming is None:
        return None
    word, stop = upcoming
    if word in _SMALL and word != "zero":
        return float(_SMALL[word]), stop
    if word in _TENS:
        after = _next_word(text, stop)
        if after is not None and 1 <= _SMALL.get(after[0], 0) <= 9:
            return float(_TENS[word] + _SMALL[after[0]]), after[1]
        return float(_TENS[word]), stop
    return None


def _share(text: str, number: WordNumber) -> WordNumber | None:
    """ "two thirds", "one-fifth", "two and a half": None where no such part follows."""
    mixed = _AND_A_PART.match(text, number.end)
    if mixed:
        value = number.value + 1 / _PARTS[mixed[1].lower()]
        after = _next_word(text, mixed.end())
        if after is not None and after[0] in _BIG:
            return WordNumber(value * _BIG[after[0]], after[1], _BIG[after[0]])
        return WordNumber(value, mixed.end())
    upcoming = _next_word(text, number.end)
    if upcoming is None or upcoming[0] not in _PARTS:
        return None
    plural = upcoming[0].endswith("s")
    if (number.value == 1) == plural or not 0 < number.value < 20:
        return None
    return WordNumber(number.value / _PARTS[upcoming[0]], upcoming[1])


_HAN_DIGIT: Final = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_UNIT: Final = {"十": 10, "百": 100, "千": 1000}
_HAN_BIG: Final = {"万": 10**4, "亿": 10**8}
CHINESE_START: Final = "[零〇一二两三四五六七八九十]|百分之|千分之|[百千](?=分之)"
"""A pattern for the places where `chinese` can be called."""

_RUN = Pattern(r"[零〇一二两三四五六七八九十百千万亿]{1,24}")
_DECIMALS = Pattern(r"点([零〇一二三四五六七八九]{1,16})")
_TENTH = Pattern(r"成(?![为了功果员本立分绩长熟])")
# Words that only look like numbers: the numeral is part of another word.
_NO_NUMBER_BEFORE = Pattern(r"(?:第|之|唯|另|同|某|每|这|那|单|统|任|其|不|周|星期|礼拜|进|专|初|万|逐|前所未有的?)\Z")
_ONE_COUNTS_BEFORE = Pattern(r"(?:^|[\s:：=≈，,。(（]|有|共|仅|只|恰好?|为|等于|约|多出?|少|加|了|到|至|和|或|差)\Z")
_CLASSIFIERS = Pattern(
    r"\s?(?:个(?!月?性)|"
    r"[条种项次倍年天名位人组类座款只支张件家台辆页行列块片层级段处根所对折元米秒克吨升度岁届期万亿周株棵颗粒篇本部门科份点句批幅栏簇格档轮步环圈]|分钟|小时|毫秒|公里|公斤|千克|百分点|成(?![为了功果员本立分绩长熟])|国|州|省|市|城)"
)
_NOT_A_COUNT_AFTER = Pattern(
    r"(?:[样般些直致定旦切起边面时向再律体维者角边形侧端方进氧字售件食共同并]|分(?!之|钟)|月|号|"
    r"点(?![零一二三四五六七八九〇钟])|年级|条件|级(?=标题))"
)
_ENDS = Pattern(r"\s{0,3}(?:[,，。.;；!！?？、)）\]」”\"'*~～\-—到至和与或]|$)")
_SAID_BEFORE = Pattern(r"(?:^\W{0,6}|[是为有共约于:：=≈到至和与或(（*少多出减增了达近负差在介]\s{0,2})\Z")


def chinese(text: str, pos: int) -> WordNumber | None:
    """The Chinese number that starts at `pos`.

    >>> chinese("百分之三十", 0)
    WordNumber(value=30.0, end=5, scale=1.0, unit='%')
    """
    if text.startswith(("百分之", "千分之"), pos):
        inner = _numeral(text, pos + 3)
        if inner is None and text.startswith("百分之百", pos) and not text.startswith("分", pos + 4):
            return WordNumber(100.0, pos + 4, 1.0, "%")
        if inner is None:
            return None  # 百分之30: the reader of figures looks back for it
        return WordNumber(inner.value / (1 if text[pos] == "百" else 10), inner.end, 1.0, "%")
    before = text[max(0, pos - 8) : pos]
    if _NO_NUMBER_BEFORE.search(before):
        return None
    if text.startswith("一半", pos):
        return WordNumber(0.5, pos + 2)
    number = _numeral(text, pos)
    if number is None:
        return None
    length = number.end - pos
    if text.startswith("分之", number.end):
        above = _numeral(text, number.end + 2)
        return WordNumber(above.value / number.value, above.end) if above is not None and number.value else None
    if text.startswith("又", number.end) and (part := chinese(text, number.end + 1)) is not None and 0 < part.value < 1:
        return WordNumber(number.value + part.value, part.end)
    if (tenths := _tenths(text, pos, number)) is not None:
        return tenths
    if length > 1:
        return number
    if _NOT_A_COUNT_AFTER.match(text, number.end):
        return None
    counted = _CLASSIFIERS.match(text, number.end) is not None
    if text[pos] == "一" and counted:
        # 一个, 一种 is mostly an article; it counts where something says so.
        return number if _ONE_COUNTS_BEFORE.search(before) else None
    if counted or (_ENDS.match(text, number.end) and _SAID_BEFORE.search(before)):
        return number
    return number if text[number.end : number.end + 1] in ("%", "‰") else None


def _tenths(text: str, pos: int, number: WordNumber) -> WordNumber | None:
    """三成 is 30 %, 三成五 35 %; 七折 (a price at seven tenths) is 70 %, 七五折 75 %."""
    if _TENTH.match(text, number.end) and 0 < number.value <= 10:
        extra = text[number.end + 1 : number.end + 2]
        if extra in _HAN_DIGIT and extra:
            return WordNumber(number.value * 10 + _HAN_DIGIT[extra], number.end + 2, 1.0, "%")
        return WordNumber(number.value * 10, number.end + 1, 1.0, "%")
    if text.startswith("折", number.end) and not text.startswith(("折线", "折叠", "折扣"), number.end):
        digits = text[pos : number.end]
        if len(digits) == 2 and all(c in _HAN_DIGIT for c in digits):
            return WordNumber(10.0 * _HAN_DIGIT[digits[0]] + _HAN_DIGIT[digits[1]], number.end + 1, 1.0, "%")
        if 0 < number.value < 10:
            return WordNumber(number.value * 10, number.end + 1, 1.0, "%")
    return None


def _numeral(text: str, pos: int) -> WordNumber | None:
    found = _RUN.match(text, pos)
    if found is None:
        return None
    run = found.group()
    if all(c in _HAN_DIGIT for c in run):
        return _digit_string(text, run, found.end())
    total, section, digit, last_unit, end, scale = 0, 0, -1, 1, found.start(), 1.0
    for index, char in enumerate(run):
        if char in _HAN_DIGIT:
            if digit > 0:  # two digits in a row: a new number starts
                break
            digit = _HAN_DIGIT[char]
            if digit == 0:
                last_unit = 1
        elif char in _HAN_UNIT:
            unit = _HAN_UNIT[char]
            if digit < 0 and not (char == "十" and (section == 0 or last_unit > 10)):
                break
            section += (1 if digit < 0 else digit) * unit
            digit, last_unit = -1, unit
        else:
            big = _HAN_BIG[char]
            section += max(digit, 0)
            if section == 0 and total == 0:
                break
            total = (total + section) * big if big > max(total, 1) else total + section * big
            section, digit, last_unit, scale = 0, -1, big, float(big)
        end = found.start() + index + 1
    if end == found.start():
        return None
    if digit > 0:
        # 一千二 is 1200 and 一万五 15000, while 一百零五 is 105: the zero sets last_unit back.
        section += digit * (last_unit // 10 if last_unit > 10 else 1)
    value = float(total + section)
    scale = scale if digit < 0 and section == 0 else 1.0
    if (point := _DECIMALS.match(text, end)) is not None:
        decimals = "".join(str(_HAN_DIGIT[c]) for c in point[1])
        return WordNumber(value + float("0." + decimals), point.end())
    return WordNumber(value, end, scale)


def _digit_string(text: str, run: str, end: int) -> WordNumber | None:
    """A single digit, a year read digit by digit (二〇一五), or decimals (零点五, 三点二万)."""
    value = float("".join(str(_HAN_DIGIT[c]) for c in run))
    if (point := _DECIMALS.match(text, end)) is not None:
        value += float("0." + "".join(str(_HAN_DIGIT[c]) for c in point[1]))
        scale = float(_HAN_BIG.get(text[point.end() : point.end() + 1], 1))
        return WordNumber(value * scale, point.end() + (scale > 1), scale)
    if len(run) == 2 and not text.startswith(("年", "折"), end):
        return None  # 三四个: "three or four", no number of two digits
    return WordNumber(value, end)

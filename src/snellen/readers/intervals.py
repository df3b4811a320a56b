"""Joins neighbouring numbers to intervals, and tells years from other numbers.

An interval is "5-10", "5~10", "3 to 5", "between 5 and 10", "[2, 4]", "5 到 10", "介于 5 和 10 之间", "3.2 ± 0.1",
"the 1990s". No interval: "from 5 to 10" (a change from one value to another, unless something "ranges", "spans" or
"varies" so), "the difference between 5 and 10", "12 - 8 = 4" and "23-16" (subtractions), "(10, 20)" (a pair).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from snellen.readers import numerals, units
from snellen.readers.numerals import Numeral
from snellen.readers.pattern import Pattern
from snellen.readers.plain_text import prepare
from snellen.readers.quantity import Quantity

_ABOUT = r"(?:(?:about|around|roughly|approximately|approx\.?|nearly|almost|some|~|≈|约|大约)[ ]{0,2}){0,2}"
_TO = Pattern(
    rf"[ ]{{0,2}}(?P<link>--?|~|…|\.{{2,3}}|—|(?:\b(?:up )?to\b|\bthrough\b|\bthru\b|\buntil\b|\btill\b)|到|"
    rf"至)[ ]{{0,2}}{_ABOUT}\Z",
    re.IGNORECASE,
)
_AND = Pattern(rf"[ ]{{0,2}}(?:\band\b|和|与|到|至|~|-)[ ]{{0,2}}{_ABOUT}\Z", re.IGNORECASE)
_COMMA = Pattern(rf"[ ]{{0,2}}[,;][ ]{{0,2}}{_ABOUT}\Z")
# A cheap first look at what stands between two numbers: only these can join them.
_LINK = Pattern(
    r"[ ]{0,2}(?:[-~…—,;±(+\\]|\.\.|and\b|to\b|up\b|through\b|thru\b|un?til+\b|[和与到至正])", re.IGNORECASE
)
_PLUS_MINUS = Pattern(r"[ ]{0,2}\(?[ ]?(?:±|\+/-|\+-|\\pm|正负)[ ]{0,2}\Z")
_PLUS_MINUS_ALONE = Pattern(r"(?:±|\+/-|\+-|\\pm|正负)[ ]{0,2}\Z")
_BETWEEN = Pattern(
    rf"\bbetween[ ]{{1,2}}(?:values? of[ ])?{_ABOUT}\Z|(?:介于|位于|处于|在)[ ]?{_ABOUT}\Z", re.IGNORECASE
)
_NO_INTERVAL_BETWEEN = Pattern(
    r"\b(?:difference|gap|distance|differences|increase|decrease|change|ratio|separation|sum|product|"
    r"correlation|comparison|interval|space|margin)\b[\w ]{0,24}between[ ]{1,2}(?:about |≈|~|roughly ){0,2}\Z",
    re.IGNORECASE,
)
_ZHIJIAN = Pattern(r"[ ]?之间(?!的?(?:差|间隔|距离|变化|比))")
_FROM = Pattern(rf"(?:\bfrom[ ]{{1,2}}|从|由|自)[ ]?{_ABOUT}\Z", re.IGNORECASE)
# "rises from 0.1 at p = 2 to 0.3 at p = 5": the words in between belong to the change.
_CHANGE = Pattern(r"(?:\b(?:from|at|for|when|where)\b|从|自)[^.;\n]{1,48}\Z", re.IGNORECASE)
_RANGES_FROM = Pattern(
    rf"(?:\b(?:rang(?:e|es|ed|ing)|spans?|spanning|spanned|var(?:y|ies|ied|ying)|anywhere|lies?|extends?|"
    rf"extending|runs?|interval|values)\b[\w ,]{{0,24}}from[ ]{{1,2}}|(?:范围|区间|跨度|分布|"
    rf"介于)[是为在：: ]{{0,3}}[从由自]?[ ]?){_ABOUT}\Z",
    re.IGNORECASE,
)
_SUBTRACTION_AFTER = Pattern(r"[ )|\]]{0,4}(?:=|≈|\bis\b|\bequals\b|等于)", re.IGNORECASE)
_OPEN_BRACKET = Pattern(rf"\[[ ]{{0,2}}{_ABOUT}\Z")
_CLOSE_PARENTHESIS = Pattern(r"[ ]?\)")
_CLOSE_BRACKET = Pattern(r"[ ]{0,2}\]")
_FIRST_YEAR, _LAST_YEAR = 1800, 2100
_YEAR_BEFORE: Final = Pattern(
    r"(?:\b(?:in|since|until|till|during|before|after|year|years|circa|fy|cy|early|late|mid|pre|post|"
    r"by the year|and|,)[ -]|"
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?,? |\x01,? |\bof (?=\Z)|自|于|在|到|"
    r"至|截至|年份[是为:：]?[ ]?)\Z",
    re.IGNORECASE,
)
_YEAR_BY: Final = Pattern(r"\b(?:by|from|to|around|year)[ ]\Z", re.IGNORECASE)
_COUNTED_AFTER: Final = Pattern(
    r"[ ](?!was\b|is\b|has\b|alas\b|as\b|this\b|its\b|sales\b)[a-z]{3,}s\b|[ ](?:people|data|steps?)\b|[ ]?[个条人名次]"
)


def read(text: str) -> list[Quantity]:
    """The quantities a text states, in order, not overlapping. Never raises; linear in the length of the text.

    >>> [(q.value, q.unit) for q in read("About 48 % of 1.5 million, in 2015")]
    [(48.0, '%'), (1500000.0, ''), (2015.0, 'year')]
    """
    return list(each(text))


def each(text: str) -> Iterator[Quantity]:
    """The same, each found when it is asked for: who wants to know whether there are many need not find them all."""
    prepared = prepare(text)
    numbers = numerals.find(prepared)
    found: list[Numeral] = []

    def there(index: int) -> bool:
        while len(found) <= index:
            if (number := next(numbers, None)) is None:
                return False
            found.append(number)
        return True

    index = 0
    while there(index):
        there(index + 1)  # a neighbour to join with
        first = found[index]
        if _tolerance_alone(prepared, first.start):
            index += 1  # a tolerance by itself measures nothing
            continue
        _name_year(prepared, first, found[index - 1] if index else None)
        joined = _join(prepared, found, index)
        if joined is None:
            yield _quantity(first)
            index += 1
        else:
            yield joined
            while there(index) and found[index].start < joined.span[1]:
                index += 1


def _tolerance_alone(text: str, start: int) -> bool:
    before = text[max(0, start - 6) : start]
    return before[-1:] not in ("", ",", ".") and _PLUS_MINUS_ALONE.search(before) is not None


def _quantity(numeral: Numeral, end: int | None = None) -> Quantity:
    value = numeral.value
    low = value if numeral.low is None else numeral.low
    high = value if numeral.high is None else numeral.high
    return Quantity(
        (low + high) / 2 if low != high else value, low, high, numeral.unit, (numeral.start, end or numeral.end)
    )


def _join(text: str, found: list[Numeral], index: int) -> Quantity | None:
    """The interval that two neighbours make, or None."""
    if index + 1 >= len(found):
        return None
    first, second = found[index], found[index + 1]
    if not 0 <= second.start - first.end <= 24:
        return None
    gap = text[first.end : second.start]
    if _LINK.match(gap) is None:
        return None
    if _PLUS_MINUS.match(gap) and second.value >= 0:
        return _plus_minus(text, first, second)
    if first.low is not None or second.low is not None:
        return None
    if first.start > 0 and text[first.start - 1] == "-" and first.start > 1 and text[first.start - 2].isdigit():
        return None  # 1-2-3 is no interval
    before = text[max(0, first.start - 64) : first.start]
    end = second.end
    comma = _COMMA.match(gap) is not None
    if comma and "[" in before[-24:] and (bracket := _OPEN_BRACKET.search(before)) is not None:
        closing = _CLOSE_BRACKET.match(text, second.end)
        if closing is None:
            return None
        power = numerals.POWER_OF_TEN.match(text, closing.end())
        start = first.start - len(bracket.group())
        unit_at = power.end() if power else closing.end()
        exponent = float("1" + _exponent_text(power)) if power else 1.0
        unit = units.match_unit(text, unit_at)
        if unit is not None and not (first.unit or second.unit):
            second.unit, unit_at = unit
        return _interval(first, second, (start, unit_at), exponent)
    if (not comma and _linked_by_and(text, before, gap, end)) or (
        not comma and _linked_by_to(text, before, gap, first, second)
    ):
        return _interval(first, second, (first.start, end), 1.0)
    return None


def _exponent_text(power: re.Match[str]) -> str:
    raised = power["raised"]
    return "e" + (
        raised.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")) if raised else power["caret"] or power["stars"]
    )


def _linked_by_and(text: str, before: str, gap: str, end: int) -> bool:
    if _AND.match(gap) is None:
        return False
    if _ZHIJIAN.match(text, end):
        return True
    found = _BETWEEN.search(before)
    return (
        found is not None
        and found.group().lower().startswith(("between", "介于"))
        and not _NO_INTERVAL_BETWEEN.search(before)
    )


def _linked_by_to(text: str, before: str, gap: str, first: Numeral, second: Numeral) -> bool:
    found = _TO.match(gap)
    if found is None:
        return False
    if text[second.end : second.end + 1] == "-" and text[second.end + 1 : second.end + 2].isdigit():
        return False
    link = found["link"]
    if not _RANGES_FROM.search(before) and (_FROM.search(before) or (link[-1].isalpha() and _CHANGE.search(before))):
        return False
    if link in ("-", "--"):
        if first.plain and second.plain and 1000 <= first.value < 3000 and second.value < 100:
            # 2019-20 is two years, 2020-05 a month.
            century = first.value - first.value % 100
            if second.end - second.start != 2 or century + second.value <= first.value:
                return False
            second.mantissa, first.unit, second.unit = century + second.value, "year", "year"
            return True
        if _SUBTRACTION_AFTER.match(text, second.end):
            return False
        if first.value > second.value and not (second.value < 0 and first.value < 0):
            return False
    return link != "—" or gap == "—"  # an em dash with spaces parts words


def _interval(first: Numeral, second: Numeral, span: tuple[int, int], factor: float) -> Quantity | None:
    """The two ends brought to one unit and one scale: "3-5 million", "5-10 %", "500 ms to 1 s"."""
    a, b, unit = first.value, second.value, second.unit or first.unit
    if first.unit and second.unit and first.unit != second.unit:
        convert = units.conversion(first.unit, second.unit)
        if convert is None:
            return None
        a *= convert
    if second.scale != 1 and first.scale == 1 and abs(first.mantissa) <= abs(second.mantissa) * 1000:
        a *= second.scale
    low, high = sorted((a * factor, b * factor))
    return Quantity((low + high) / 2, low, high, unit, span)


def _plus_minus(text: str, first: Numeral, second: Numeral) -> Quantity:
    # "1.5 ± 0.1 million" and "1.5 million ± 0.1" scale both; "1.2 × 10³ ± 50" says its tolerance in full.
    short = second.scale == 1 and first.scale != 1 and second.value < abs(first.mantissa)
    spread = second.value * first.scale if short else second.value
    value = first.value
    if first.scale == 1 and second.scale != 1:
        value *= second.scale  # 3.2 ± 0.1 × 10²
    closing = _CLOSE_PARENTHESIS.match(text, second.end)
    opened = "(" in text[first.end : second.start]
    end = closing.end() if closing and opened else second.end
    unit = first.unit or second.unit
    if second.unit == "%" and first.unit != "%" and (first.unit or first.scale != 1 or opened):
        spread, unit = value * second.value / 100, first.unit  # "3.5 million (±10 %)": a share of the value
    if not unit and end != second.end and (after := units.match_unit(text, end)) is not None:
        unit, end = after
    return Quantity(value, value - abs(spread), value + abs(spread), unit, (first.start, end))


def _name_year(text: str, numeral: Numeral, previous: Numeral | None) -> None:
    """Gives a bare four-digit number the unit "year" where the words around it say so."""
    if not (numeral.plain and not numeral.unit and _FIRST_YEAR <= numeral.mantissa <= _LAST_YEAR):
        return
    before = text[max(0, numeral.start - 16) : numeral.start]
    if _COUNTED_AFTER.match(text, numeral.end):
        return
    word = _YEAR_BEFORE.search(before)
    if word is not None and not (
        word.group().strip().lower() in ("and", ",") and (previous is None or previous.unit != "year")
    ):
        numeral.unit = "year"
    elif numeral.mantissa >= 1900 and (found := _YEAR_BY.search(before)) is not None:
        follows = previous is not None and previous.unit == "year"
        if found.group().strip().lower() != "to" or follows:
            numeral.unit = "year"

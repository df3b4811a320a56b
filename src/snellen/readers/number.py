"""Numbers: reading them, and telling whether an answer gives the number a reference asks for.

`read` finds the quantities of a text (see `numerals` and `intervals` for the rules of notation), `acceptable_ranges`
the ranges that a ChartHal reference allows, and `accepts` compares. Nothing here raises on any text, and the time is
linear in its length.

Tolerance: none but that of floating point (1e-9, relative). A reference that allows more says so by a range.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Final

from snellen.readers import intervals, units
from snellen.readers.declared import Mention, conclusion, mentions
from snellen.readers.pattern import Pattern
from snellen.readers.plain_text import flatten
from snellen.readers.quantity import Quantity

__all__ = ["Quantity", "Range", "acceptable_ranges", "accepts", "read", "without_ranges"]

_TOLERANCE: Final = 1e-9
_MOST_NUMBERS: Final = 1000  # an answer of so many numbers lists, whatever it says

# The wording of ChartHal, with what its annotators varied: full-width brackets, a missing bracket on either side, a
# missing tail, "range of"; and the same thing said in Chinese.
_RANGE: Final = Pattern(
    r"\(?\s{0,3}answers?\s{1,3}(?:in|within)\s{1,3}the\s{1,3}range\s{0,3}(?:of|"
    r":)?\s{0,3}[\[【(]?\s{0,3}(?P<ends>[^\[\]【】()\n]{1,80}?)\s{0,3}"
    r"(?:[\]】]|(?=\s{1,3}are\s{1,3}accept))(?:\s{0,3}(?:are|"
    r"is)\s{1,3}acceptable)?(?:\.(?=\s{0,3}\)))?(?:\s{0,3}\)|(?<=acceptable)\.?)?"
    r"|\(?\s{0,3}(?:答案|回答|数值)?(?:在|处于|位于)?(?:范围|区间)?(?:在|"
    r"为)?\s{0,3}[\[【]\s{0,3}(?P<zh>[^\[\]【】()\n]{1,80}?)\s{0,3}[\]】]\s{0,3}(?:这个|的)?(?:范围|"
    r"区间)?(?:之?[内间])?的?(?:答案)?(?:均|都|皆|即)?(?:可接受|可以接受|视为正确|算对|正确|可)(?:\s{0,3}\))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Range:
    """An acceptable range as a reference states it.

    Attributes:
        low, high: its ends, sorted, in `unit`.
        unit: the unit in the brackets, else that of the value before them.
        span: start and end offset of the whole remark in the reference, brackets included.
        reversed: whether the reference names the higher end first.
        stated: the value before the remark that the range is about (offsets in the reference), if there is one.
        contradicts: whether `stated` lies outside the range: the reference contradicts itself.
        decline: whether the reference speaks of a decrease, so that its sign may be written or said.
    """

    low: float
    high: float
    unit: str
    span: tuple[int, int]
    reversed: bool = False
    stated: Quantity | None = None
    contradicts: bool = False
    decline: bool = False


def read(text: str) -> list[Quantity]:
    """The quantities a text states, English or Chinese, in order; never raises.

    >>> [(q.low, q.high, q.unit) for q in read("between 5 and 10 seconds, 百分之三十")]
    [(5.0, 10.0, 's'), (30.0, 30.0, '%')]
    """
    return intervals.read(text)


def without_ranges(reference: str) -> str:
    """The reference as a person would give it as an answer: the remarks about acceptable ranges taken out.

    >>> without_ranges("About 42% (Answers in the range [41%, 43%] are ACCEPTABLE).")
    'About 42%.'
    """
    return _strip_ranges(reference)[0]


def _strip_ranges(reference: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without its remarks, and for each remark where it stood: (offset in the reference, in the result)."""
    parts: list[str] = []
    cuts: list[tuple[int, int]] = []
    last = length = 0
    for found in _RANGE.finditer(flatten(reference)):
        kept = reference[last : found.start()]
        if kept.endswith(" ") and (reference[found.end() : found.end() + 1] or " ") in " .,;:!?)）。，；":
            kept = kept[:-1]
        parts.append(kept)
        length += len(kept)
        cuts.append((found.start(), length))
        last = found.end()
    return "".join([*parts, reference[last:]]), cuts


def acceptable_ranges(reference: str) -> list[Range]:
    """The ranges that a reference calls acceptable, in order. A remark without two readable ends is left out.

    A range without a unit has that of the value before it. One that repeats only the mantissa of that value
    ("-2.9 × 10⁷ (Answers in the range [2.8, 2.95] ...)") has its power and sign too.

    >>> acceptable_ranges("About –6.6% (Answers in the range [–6.5%, –6.7%] are ACCEPTABLE).")[0].low
    -6.7
    """
    stripped, cuts = _strip_ranges(reference)
    if not cuts:
        return []
    stated = mentions(stripped)
    result: list[Range] = []
    removed = previous = 0
    for index, found in enumerate(_RANGE.finditer(flatten(reference))):
        cut = cuts[index][1]
        ends = _ends(found["ends"] or found["zh"])
        before = [m for m in stated if previous <= m.quantity.span[0] < cut]
        # What is said in the same breath: not a number sentences away.
        mention = before[-1] if before and cut - before[-1].quantity.span[0] <= 120 else None
        if ends is not None:
            value = mention.quantity if mention else None
            result.append(_range(ends, found.span(), stripped, value, removed, mention is not None and mention.decline))
        previous, removed = cut, found.end() - cut
    return result


def _ends(inside: str) -> tuple[Quantity, Quantity] | None:
    """The two ends of a range, read each for itself where the text has two parts."""
    for pattern in (r",\s+", r",", r";|，|、"):
        parts = re.split(pattern, inside)
        if len(parts) == 2:
            first, second = read(parts[0]), read(parts[1])
            if len(first) == len(second) == 1:
                return first[0], second[0]
    found = read(inside)
    if len(found) == 2:
        return found[0], found[1]
    if len(found) == 1 and found[0].low < found[0].high:
        one = found[0]
        return Quantity(one.low, one.low, one.low, one.unit, one.span), Quantity(
            one.high, one.high, one.high, one.unit, one.span
        )
    return None


def _range(
    ends: tuple[Quantity, Quantity],
    span: tuple[int, int],
    stripped: str,
    value: Quantity | None,
    removed: int,
    decline: bool,
) -> Range:
    first, second = ends[0].value, ends[1].value
    unit = ends[0].unit or ends[1].unit or (value.unit if value else "")
    low, high, reverse = min(first, second), max(first, second), first > second
    stated = None
    contradicts = False
    if value is not None:
        stated = Quantity(
            value.value, value.low, value.high, value.unit, (value.span[0] + removed, value.span[1] + removed)
        )
        bare = _mantissa_only(stripped[slice(*value.span)], value, low, high)
        if bare is not None:
            low, high = bare
        target = Range(low, high, unit, span, decline=decline)
        contradicts = not _overlaps(value, target, decline)
    return Range(low, high, unit, span, reverse, stated, contradicts, decline)


def _mantissa_only(text: str, value: Quantity, low: float, high: float) -> tuple[float, float] | None:
    """The range with the power and the sign of the stated value, where it fits the mantissa and not the value."""
    found = re.search(r"(\d+(?:\.\d+)?)\s*(?:[×xX]|\\times|e|E)", flatten(text))
    if found is None or value.value == 0 or low <= 0 or low <= value.value <= high:
        return None
    mantissa = float(found[1])
    if not (mantissa and low <= mantissa <= high):
        return None
    factor = value.value / mantissa
    scaled = sorted((low * factor, high * factor))
    return scaled[0], scaled[1]


def _overlaps(value: Quantity, target: Range, decline: bool) -> bool:
    """Whether the stated value touches its own range; only the plain number counts, no other notation of it."""
    factor = units.conversion(value.unit, target.unit)
    if factor is None:
        return True
    slack = _slack(target)
    for sign in (1, -1) if decline else (1,):
        low, high = sorted((value.low * factor * sign, value.high * factor * sign))
        if high >= target.low - slack and low <= target.high + slack:
            return True
    return False


def accepts(reference: str, answer: str) -> bool | None:
    """Whether an answer gives the number, or numbers, of a ChartHal reference.

    Args:
        reference: the reference text with its remarks about acceptable ranges, if it has any.
        answer: the visible text of an answer (thinking stripped).

    Returns:
        True if every range is met by a number the answer stands by, and what the answer comes to is such a number.
        Without ranges, the same for the numbers that the reference comes to, by equal value in whatever notation
        ("48 %" is 0.48, "1.5 million" is 1,500,000, 500 ms is 0.5 s), years exactly. An interval in the answer must
        lie within the range. Denied, withdrawn and merely listed numbers do not count. None where the reference holds
        no number.

    >>> accepts("About 0.048(Answers in the range [0.045, 0.050] are ACCEPTABLE).", "0.05 (roughly 0.048)")
    True
    >>> accepts("OPT.", "3") is None
    True
    """
    stripped = without_ranges(reference)
    stated = mentions(stripped)
    targets = acceptable_ranges(reference) or [_point(mention) for mention in _required(stripped, stated)]
    if not targets:
        return None
    known = [_point(mention) for mention in stated]
    return _meets(targets, known, answer)


def _point(mention: Mention) -> Range:
    quantity = mention.quantity
    return Range(quantity.low, quantity.high, quantity.unit, quantity.span, decline=mention.decline)


def _required(text: str, stated: list[Mention]) -> list[Mention]:
    """The numbers a reference without ranges comes to: those of its conclusion, else of its last sentence with one."""
    candidates = [m for m in stated if not m.supporting]
    if not candidates:
        candidates = [m for m in stated if not m.negated]
    if not candidates:
        return []
    where = conclusion(text, stated)
    if where is not None:
        inside = [m for m in candidates if where[0] <= m.quantity.span[0] < where[1]]
        candidates = inside or candidates
    last = candidates[-1].sentence
    candidates = [m for m in candidates if m.sentence == last]
    compared = [m for m in candidates if m.derived]
    candidates = compared or candidates
    return [m for m in candidates if not m.bound] or candidates


def _meets(targets: list[Range], known: list[Range], answer: str) -> bool:
    quantities = list(islice(intervals.each(answer), _MOST_NUMBERS + 1))
    if len(quantities) > _MOST_NUMBERS:
        return False
    found = mentions(answer, quantities)
    given = _declared(found, targets, known)
    if not given:
        return False
    if not all(any(_inside(mention, target) for mention in given) for target in targets):
        return False
    return _comes_to(answer, found, given, targets, known)


def _declared(found: list[Mention], targets: list[Range], known: list[Range]) -> list[Mention]:
    """The numbers the answer stands by: a list counts as a whole or not at all, a restatement with what it restates."""
    expected = [*targets, *known]
    bad_runs = {m.run for m in found if m.run >= 0 and not any(_inside(m, target) for target in expected)}
    result: list[Mention] = []
    for index, mention in enumerate(found):
        if mention.negated or mention.run in bad_runs:
            continue
        if mention.aside and index > 0 and _contradicts_head(found[index - 1], mention, expected):
            continue
        result.append(mention)
    return result


def _contradicts_head(head: Mention, aside: Mention, expected: list[Range]) -> bool:
    """ "0.06 (about 0.048)": brackets stand for the number before them, unless they hold the same more exactly."""
    a, b = head.quantity, aside.quantity
    if head.aside or aside.quantity.span[0] - a.span[1] > 24 or a.unit != b.unit:
        return False
    if any(_inside(head, target) for target in expected) or head.operand or head.context:
        return False
    return not _same_digits(a.value, b.value)


def _same_digits(short: float, exact: float) -> bool:
    """Whether `short` rounds `exact`, or differs from it by a power of ten (a chart's scale factor left out)."""
    if short == 0 or exact == 0:
        return short == exact
    first, second = f"{abs(short):.12e}".split("e")[0].rstrip("0"), float(f"{abs(exact):.12e}".split("e")[0])
    places = len(first.rstrip(".").partition(".")[2])
    return abs(round(second, places) - float(first)) < 10.0**-places / 1e3


def _comes_to(
    answer: str, found: list[Mention], given: list[Mention], targets: list[Range], known: list[Range]
) -> bool:
    """Whether the place where the answer decides holds an expected number, and is no mere list of candidates."""

    declared = set(given)

    def hit(mention: Mention) -> bool:
        return mention in declared and not mention.operand and any(_inside(mention, target) for target in targets)

    def stray(mention: Mention) -> bool:
        return not (mention.supporting or mention.bound) and not any(_inside(mention, t) for t in (*targets, *known))

    where = conclusion(answer, found)
    if where is not None:
        there = [m for m in found if where[0] <= m.quantity.span[0] < where[1] and not (m.negated or m.operand)]
        final = [m for m in there if not m.context] or there
        if any(hit(m) for m in final):
            return _few_strays(final, stray, len(targets))
        if any(stray(m) for m in final):
            return False
    computed = _computed(found)
    if computed is not None and not hit(computed) and stray(computed):
        return False
    if where is None and not _few_strays(found, stray, 3 + len(targets)):
        return False
    # Without such a place the first or the last sentence decides that has something to say: one that only repeats
    # numbers of the reference (where it looked, what the premise was) says nothing new.
    sentences: dict[int, list[Mention]] = {}
    for mention in found:
        sentences.setdefault(mention.sentence, []).append(mention)
    telling = [there for there in sentences.values() if any(hit(m) or stray(m) for m in there)]
    return any(any(map(hit, there)) and _few_strays(there, stray, len(targets)) for there in telling[:1] + telling[-1:])


def _few_strays(found: list[Mention], stray: Callable[[Mention], bool], expected: int) -> bool:
    return len({m.quantity.value for m in found if stray(m)}) <= 1 + expected


def _computed(found: list[Mention]) -> Mention | None:
    """The difference, sum or ratio of two earlier numbers that the answer works out, if it works one out."""
    plain = [m for m in found if not (m.negated or m.context)][:40]
    for index in range(len(plain) - 1, 1, -1):
        result = plain[index]
        if not result.derived or result.aside:
            continue
        values = [m.quantity.value for m in plain[max(0, index - 6) : index]]
        for i, a in enumerate(values):
            for b in values[i + 1 :]:
                options = [abs(a - b), a + b, *((a / b, b / a) if a and b else ())]
                if any(
                    abs(option - abs(result.quantity.value)) <= 1e-6 * max(abs(option), 1e-12) for option in options
                ):
                    return result
    return None


def _slack(target: Range) -> float:
    return _TOLERANCE * max(abs(target.low), abs(target.high), 1e-12)


def _inside(mention: Mention, target: Range) -> bool:
    quantity = mention.quantity
    factors = [units.conversion(quantity.unit, target.unit)]
    if {quantity.unit, target.unit} == {"%", ""}:
        factors.append(0.01 if quantity.unit == "%" else 100.0)
    slack = _slack(target)
    for factor in factors:
        if factor is None:
            continue
        low, high = quantity.low * factor, quantity.high * factor
        signs = [1.0]
        if (mention.decline and low > 0 > target.high) or (target.decline and high < 0 < target.low):
            signs.append(-1.0)
        for sign in signs:
            a, b = sorted((low * sign, high * sign))
            if a >= target.low - slack and b <= target.high + slack:
                return True
    return False

"""Which of the numbers in an answer it stands by.

An answer holds more numbers than the one it gives: coordinates ("at M = 2"), operands ("12 - 8 = 4"), what it denies
("not 0.5"), what it takes back ("I first read 0.05, but ..."), restatements in brackets. `mentions` marks each number
with the part it plays; `conclusion` finds the place where an answer says what it comes to. All by the words around a
number, in English and Chinese; windows are bounded, so the time is linear.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass, replace
from typing import Final

from snellen.readers import intervals
from snellen.readers.pattern import Pattern
from snellen.readers.plain_text import flatten
from snellen.readers.quantity import Quantity

_HEDGE_WORDS = (
    r"(?:(?:about|around|roughly|approximately|approx\.?|nearly|almost|close to|near|some|just|only|exactly|"
    r"maybe|perhaps|"
    r"possibly|likely|probably|an?|the|be|is|was|to|at|as|of|up|reaches|reach|value|even)\b|~|≈|=|约|大约|"
    r"大概|左右|近|约为|为|是|到|在|可能)"
)
_HEDGES = rf"(?:{_HEDGE_WORDS}[ ]{{0,2}}){{0,5}}"
# What softens or introduces a number is taken off once, so that the patterns below end at the word that matters.
_HEDGES_BEFORE: Final = Pattern(
    rf"(?:(?<![A-Za-z]){_HEDGE_WORDS}[ ]{{0,2}}){{1,5}}[\"'“‘(]?\Z|[\"'“‘(]\Z", re.IGNORECASE
)
_NEGATED: Final = Pattern(
    r"(?:\bnot\b|n't\b|\bnever\b|\brather than\b|\binstead of\b|\bas opposed to\b|\bcannot\b|\bno longer\b|\bwithout\b|"
    r"[不非]|不等于|不会|没有达到|未达到|并不|不到)[ ]{0,2}(?:(?:reach(?:es)?|hit|exceed|get up|go above|"
    r"equal|rise|drop(?:ping|s)?)[ ])?\Z",
    re.IGNORECASE,
)
_BOUND: Final = Pattern(
    r"(?:\b(?:above|below|over|under|exceed(?:s|ed|ing)?|less than|more than|greater than|fewer than|at least|"
    r"at most|up to|within|beyond|beat)|"
    r"[<>≤≥]|高于|低于|超过|少于|多于|大于|小于|不超过|至少|至多|最多|不足)[ ]{0,2}\Z",
    re.IGNORECASE,
)
_CONTEXT: Final = Pattern(
    r"(?:(?:\b(?:at|for|when|where|with|if|from|in|while|given|case of|to|and|between)\b|"
    r"[当在对从与和到,，(（→])[ ]{0,2}[^\s=≈<>,;:()（）]{1,24}(?: [^\s=≈<>,;:()（）]{1,12})?[ ]{0,2}[=≈][ ]{0,2}"
    r"|\b(?:iteration|step|band|bin|level|month|index|epoch|column|row|page|tick|line|task|band|variability|"
    r"age)s?[ ])\Z",
    re.IGNORECASE,
)
_TICK_AFTER: Final = Pattern(
    r"[ -](?:[a-z]{1,8}[ ])?(?:tick|mark|grid ?line|gridline|level line|reference line)", re.IGNORECASE
)
_DECLINE: Final = Pattern(
    r"(?:\b(?:decreas(?:e|es|ed|ing)|drop(?:s|ped|ping)?|declin(?:e|es|ed|ing)|fall(?:s|en)?|fell|reduc(?:e|"
    r"es|ed|tion)|loss|lost)\b|下降|减少|降低|下跌|减小)[^.。;；\d]{0,24}\Z",
    re.IGNORECASE,
)
_DECLINE_AFTER: Final = Pattern(
    r"[ ]?(?:[a-z%]+[ ]){0,2}(?:lower|less|fewer|smaller|decrease|drop|decline|below)\b", re.IGNORECASE
)
_DERIVED: Final = Pattern(
    r"(?:\b(?:by|(?:difference|gap|ratio|sum|total|increase|decrease|change|spread|separation|improvement|"
    r"rise|drop|gain|loss|margin|reduction)(?: between [\w ]{1,40}| in [\w ]{1,24})?(?: (?:is|of|was|would|"
    r"to be|comes?|equals?|=|≈))?|differs? by|totals?|gives?|yields?|equals?)|"
    r"相差|差[值距额]?[为是]?|之差[为是]|多了?|少了?|高出?了?|低了?|增加了?|减少了?|上升了?|下降了?|提高了?|"
    r"降低了?|总[计和共]|合计|比[值率]?[为是]?)[ ]{0,2}\Z",
    re.IGNORECASE,
)
_DERIVED_AFTER: Final = Pattern(
    r"[ ]?(?:[a-z-]+[ ]){0,2}(?:more|fewer|less|higher|lower|greater|larger|smaller|longer|shorter|faster|"
    r"slower|apart|quicker|bigger)\b|(?<=x)\b|[ ]?times\b",
    re.IGNORECASE,
)
_OPERATOR: Final = Pattern(
    r"[ ]{0,2}[)|]?[ ]{0,2}(?:[-+*/÷×⋅]|\\times|\\cdot|minus\b|plus\b|divided by\b|减去?|加上?|除以|"
    r"乘以)[ ]{0,2}[(|]?[ ]{0,2}\Z",
    re.IGNORECASE,
)
_LIST_GAP: Final = Pattern(
    rf"[\s]{{0,4}}(?:[,;、|/]|\band\b|和|与|及|以及|&|\n)[\s,;、|*•-]{{0,6}}(?:\band\b[ ])?{_HEDGES}\(?\Z|\s{{1,4}}\Z",
    re.IGNORECASE,
)
_OR_GAP: Final = Pattern(
    rf"[\s,.;]{{0,3}}(?:\(|\bor\b|\bor else\b|或者?|还是|抑或|\bversus maybe\b)[\s,]{{0,3}}(?:\bor\b[ ])?{_HEDGES}\Z",
    re.IGNORECASE,
)
_PURE_OR: Final = Pattern(r"\bor\b|或|还是", re.IGNORECASE)
_SENTENCE_END: Final = Pattern(
    r"(?<!\bi\.e)(?<!\be\.g)(?<!\bvs)(?<!\bapprox)(?<!\bca)(?<!\bFig)(?<!\bNo)(?<!\bcf)[.!?](?=[\s*)\"']|$)|"
    r"[。！？；;\n]"
)
_TAKEN_BACK: Final = Pattern(
    r"\b(?:wait|correction|scratch that|on (?:closer|second|careful) (?:look|inspection|thought|reading|"
    r"examination)|looking (?:more )?closely|"
    r"looking again|let me (?:re-?\w+|correct|check again)|i (?:misread|was wrong|made a mistake)|"
    r"to correct myself|actually,? no|no, actually)\b"
    r"|不对|更正|重新(?:看|读|检查|计算)|仔细(?:看|一看|观察)|再看一[下遍次]|纠正",
    re.IGNORECASE,
)
_FIRST_THOUGHT: Final = Pattern(
    r"(?:\b(?:at first|initially|at first glance|i first|first i|first,? i|i (?:initially|originally) \w+|"
    r"my first)\b|起初|乍一?看|一开始|最初[我看以])",
    re.IGNORECASE,
)
_BUT: Final = Pattern(r"\b(?:but|however|yet|then|although)\b|但|然而|不过|后来", re.IGNORECASE)
_FINAL_ANSWER: Final = Pattern(
    r"\bfinal (?:answer|value|result|estimate)\b[ :*=isa]{0,8}|\b(?:the )?(?:correct |right |"
    r"overall )?answer(?: is|:| would be|\*\*:|:\*\*)|\\boxed\{|"
    r"(?:最终|正确)?答案[是为:：]|最终(?:结果|答案|数值)|综上[,，]?",
    re.IGNORECASE,
)
_SO: Final = Pattern(
    r"\b(?:so(?![- ]called| far| much| that| many| on\b)|thus|therefore|hence|consequently|accordingly|"
    r"in total|overall|in summary|in short|in conclusion|altogether|which gives|giving|leaving|meaning)\b"
    r"|因此|所以|由此|故而?|总之|因而|从而|=>|⇒|∴|即(?![使便])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A quantity and the part it plays.

    Attributes:
        quantity: the number; alternatives ("3 or 4") are one interval from the least to the greatest.
        sentence: the number of the sentence it stands in.
        negated: denied or taken back.
        context: says where or when ("at M = 2"), not what.
        operand: goes into a calculation whose result follows.
        aside: stands in brackets behind another number.
        bound: a threshold ("more than 5").
        derived: compares or sums up ("by 5", "5 more", "a difference of 5").
        decline: a loss or a decrease, whose sign may be written or said.
        run: numbers of one list share a run; -1 outside lists.
    """

    quantity: Quantity
    sentence: int = 0
    negated: bool = False
    context: bool = False
    operand: bool = False
    aside: bool = False
    bound: bool = False
    derived: bool = False
    decline: bool = False
    run: int = -1

    @property
    def supporting(self) -> bool:
        """Whether it only helps another number."""
        return self.negated or self.context or self.operand or self.aside


def mentions(text: str, quantities: list[Quantity] | None = None) -> list[Mention]:
    """Every quantity of `text` with its part, in order; `quantities` are those of the text, where they are known.

    >>> [(m.quantity.value, m.negated) for m in mentions("It is 6, not 5")]
    [(6.0, False), (5.0, True)]
    """
    if quantities is None:
        quantities = intervals.read(text)
    flat = flatten(text)
    ends = [found.end() for found in _SENTENCE_END.finditer(flat)]
    taken_back = _taken_back(flat, quantities)
    depths = _bracket_starts(flat, quantities)
    result: list[Mention] = []
    for index, quantity in enumerate(quantities):
        start, end = quantity.span
        # The words that say what a number does stand between it and the number before.
        floor = quantities[index - 1].span[1] if index else 0
        before, after = flat[max(floor, start - 64) : start], flat[end : end + 40]
        sentence = bisect.bisect_right(ends, start)
        hedged = _HEDGES_BEFORE.search(before)
        lead = before[: hedged.start()] if hedged else before
        opened = depths[index]
        pair = opened >= 0 and _only_numbers(flat, opened, end)
        led = any(not m.aside and m.sentence == sentence for m in result[-1:]) if opened >= 0 else False
        led = led or (opened >= 0 and bool(result) and result[-1].aside and result[-1].sentence == sentence)
        result.append(
            Mention(
                quantity,
                sentence,
                negated=_NEGATED.search(lead) is not None or any(lo <= start < hi for lo, hi in taken_back),
                context=_CONTEXT.search(before) is not None or _TICK_AFTER.match(after) is not None,
                aside=opened >= 0 and led and not pair,
                bound=_BOUND.search(lead) is not None,
                derived=_DERIVED.search(lead) is not None
                or _DERIVED_AFTER.match(after) is not None
                or quantity.unit == "x",
                decline=_DECLINE.search(before) is not None or _DECLINE_AFTER.match(after) is not None,
            )
        )
    return _with_lists(flat, _with_operands(flat, _with_alternatives(flat, result)))


def conclusion(text: str, found: list[Mention]) -> tuple[int, int] | None:
    """Where the answer says what it comes to: the offsets after its last "final answer", else after its last "so".

    None where no such word is followed by a number.
    """
    flat = flatten(text)
    starts = [m.quantity.span[0] for m in found if not m.negated]
    best: tuple[int, int] | None = None
    for marker in _FINAL_ANSWER.finditer(flat):
        at = bisect.bisect_left(starts, marker.end())
        if at < len(starts) and starts[at] - marker.end() <= 120:
            closing = flat.find("}", marker.end()) if marker.group().endswith("{") else -1
            best = (marker.end(), closing if closing > starts[at] else len(flat))
    if best is not None:
        return best
    ends = [end.end() for end in _SENTENCE_END.finditer(flat)]
    for marker in _SO.finditer(flat):
        here = bisect.bisect_right(ends, marker.end() - 1)
        stop = ends[here] if here < len(ends) else len(flat)
        at = bisect.bisect_left(starts, marker.end())
        if at < len(starts) and starts[at] < stop:
            best = (marker.end(), stop)
    return best


def _taken_back(flat: str, quantities: list[Quantity]) -> list[tuple[int, int]]:
    """The stretches of text that the answer itself withdraws, when it gives another number afterwards."""
    if not quantities:
        return []
    last = quantities[-1].span[0]
    spans = [(0, found.start()) for found in _TAKEN_BACK.finditer(flat) if last >= found.end()][-1:]
    for found in _FIRST_THOUGHT.finditer(flat):
        but = _BUT.search(flat, found.end(), found.end() + 160)
        if but is not None and last >= but.end():
            spans.append((found.start(), but.start()))
    return spans


def _bracket_starts(flat: str, quantities: list[Quantity]) -> list[int]:
    """For each quantity the offset of the innermost open round bracket, or -1."""
    result: list[int] = []
    stack: list[int] = []
    brackets = re.compile(r"[()]").finditer(flat)
    bracket = next(brackets, None)
    for quantity in quantities:
        while bracket is not None and bracket.start() < quantity.span[0]:
            if bracket.group() == "(":
                stack.append(bracket.start())
            elif stack:
                stack.pop()
            bracket = next(brackets, None)
        result.append(stack[-1] if stack else -1)
    return result


_PAIR: Final = Pattern(r"\([\s\d.+\-−–]{1,24},[\s\d.,+\-−–]{1,48}\)")


def _only_numbers(flat: str, opened: int, end: int) -> bool:
    found = _PAIR.match(flat, opened)
    return found is not None and found.end() >= end


def _with_alternatives(flat: str, found: list[Mention]) -> list[Mention]:
    """Merges "3 or 4" into one interval: an answer that names two values has not decided between them."""
    result: list[Mention] = []
    for mention in found:
        if result:
            previous = result[-1]
            gap = flat[previous.quantity.span[1] : mention.quantity.span[0]]
            a, b = previous.quantity, mention.quantity
            same = a.unit == b.unit or not a.unit or not b.unit
            if len(gap) <= 40 and same and _OR_GAP.match(gap) and _PURE_OR.search(gap):
                low, high = min(a.low, b.low), max(a.high, b.high)
                merged = Quantity((low + high) / 2, low, high, b.unit or a.unit, (a.span[0], b.span[1]))
                result[-1] = replace(previous, quantity=merged, negated=previous.negated and mention.negated)
                continue
        result.append(mention)
    return result


def _with_operands(flat: str, found: list[Mention]) -> list[Mention]:
    result = list(found)
    for index in range(len(found) - 1):
        here, there = found[index].quantity, found[index + 1].quantity
        gap = flat[here.span[1] : there.span[0]]
        signed = flat[there.span[0] : there.span[0] + 1] in ("-", "+")
        if len(gap) <= 16 and (_OPERATOR.match(gap) or (signed and not gap.strip())):
            result[index] = replace(result[index], operand=True)
            result[index + 1] = replace(result[index + 1], operand=True)
    return result


def _with_lists(flat: str, found: list[Mention]) -> list[Mention]:
    """Numbers that follow each other with nothing but separators between them get a common run."""
    result = list(found)
    run = -1
    begun = False
    for index in range(len(found) - 1):
        here, there = found[index], found[index + 1]
        gap = flat[here.quantity.span[1] : there.quantity.span[0]]
        joined = (
            len(gap) <= 48
            and not here.context
            and here.negated == there.negated
            and not here.operand
            and not there.operand
            and _LIST_GAP.match(gap) is not None
            and (here.quantity.unit == there.quantity.unit or not here.quantity.unit)
        )
        if not joined:
            begun = False
            continue
        if not begun:
            run += 1
            begun = True
            result[index] = replace(result[index], run=run)
        result[index + 1] = replace(result[index + 1], run=run)
    return _without_false_pairs(result)


def _without_false_pairs(found: list[Mention]) -> list[Mention]:
    """ "Day 7, 3.4 km" is no list: two numbers, the second alone with a unit, and only a comma between them."""
    sizes: dict[int, int] = {}
    for mention in found:
        sizes[mention.run] = sizes.get(mention.run, 0) + 1
    result = list(found)
    for index in range(len(found) - 1):
        here, there = found[index], found[index + 1]
        if (
            here.run >= 0
            and here.run == there.run
            and sizes[here.run] == 2
            and here.quantity.unit != there.quantity.unit
        ):
            result[index] = replace(here, run=-1)
            result[index + 1] = replace(there, run=-1)
    return result

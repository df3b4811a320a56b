"""Premise correction: does an answer point out that the question takes something false for granted?

Either in so many words ("the premise is wrong", "contrary to the question", 前提有误), or by setting things right
("actually B is the lowest"), or by denying what the question says: a negation followed by words of the question ("it is
not below ResNet-1" where the question says "below"). What is said under a condition ("if you actually meant E2") or of
the picture's quality does not count.
"""

from __future__ import annotations

import re
from itertools import islice

from snellen.readers import phrases
from snellen.readers.phrases import any_of
from snellen.readers.sentences import clauses, sentences

_EXPLICIT = any_of(
    r"\b(?:premise|assumption|claim|statement|suggestion|assertion|interpretation|description|question|"
    r"implication)\b[^.;]{0,40}"
    r"\b(?:incorrect|false|wrong|mistaken|not (?:\w+ )?(?:correct|true|accurate|supported|right|hold)|inaccurate|"
    r"flawed|misleading|"
    r"does not (?:hold|match)|contradict\w*|misread\w*|reversed|backwards)\b",
    r"\b(?:false|incorrect|wrong|mistaken|flawed) (?:premise|assumption|claim|statement)\b",
    r"\b(?:contrary to|contradicts?|contradicted by|at odds with|inconsistent with)\b",
    r"\b(?:the|just the|quite the) (?:opposite|reverse)\b|\bthe other way (?:a)?round\b|\b(?:vice versa)\b",
    r"\b(?:this|that|it) is (?:\w+ly )?(?:not (?:\w+ly )?(?:correct|true|accurate|right|the case|so|what)|incorrect|"
    r"false|wrong|untrue|a mis\w+)\b",
    r"\b(?:misread\w*|misinterpret\w*|misstat\w*|mischaracteri\w*|mistaken)\b",
    r"\bnot (?:what|as) (?:\w+ )?(?:the|you|is|was|stated|described|claimed|suggested|the question)\b",
    r"(?:前提|假设|说法|描述|陈述|题目|问题)[^,。;!?]{0,16}(?:错误|有误|不正确|不成立|不对|不符|不准确|矛盾|不属实|相反|是错的|不实)",
    r"错误的(?:前提|假设|说法)|与(?:图|事实|实际|数据)[^,。;]{0,10}(?:不符|相反|矛盾|不一致)|恰恰相反|正好相反|并非如此|不是这样|这(?:是)?不(?:对|正确|准确)",
)
_SETS_RIGHT = any_of(
    r"\b(?<!which is )(?<!what is )(?<!who is )(?<!which are )(?<!what )(?<!that )(?<!if it )(?<!if you )(?:actually|"
    r"in fact|in reality|as a matter of fact)\b(?! (?:meant|mean|want|need|look|ask|read|intend))",
    r"实际上|其实|事实上|实则|实际(?:是|为)",
)
_NEGATION = re.compile(
    r"\b(?<!\bi do )(?:not|never|neither|nor|rather than)\b"
    r"|\bcannot(?= (?:\w+ ){0,2}(?:fall|rise|be lower|be higher|decrease|increase)\b)"
    r"|而不是|而非|并非|并不|并没有|不是|没有|未曾|不(?=[\u4e00-\u9fff])"
)
_UNSURE = any_of(
    r"\bnot (?:\w+ )?(?:sure|certain|legible|readable|visible|clear)\b|\bnot (?:only|just|necessarily)\b",
    r"不(?:确定|清楚|仅|但|只)",
)
_PICTURE = re.compile(r"\b(?:chart|figure|plot|graph|curve|image|panel)\b|图")
_OPENING = 3  # sentences: who explains at length what is not so has taken it for granted by then
_MOST_NEGATIONS = 20  # of one clause; text with more is no sentence
_REACH = 70  # characters after a negation in which a word of the question must stand
_WORDS = re.compile(r"[a-z][a-z'-]{2,}|\d+(?:\.\d+)?|[\u4e00-\u9fff]{2}")
_EMPTY = frozenset(
    """
    the and for that this with from what which how does chart figure plot graph image shown shows show shown
    based according indicates suggests value values much many are was were been has have its their than between
    when each all any per about approximately given where why might could would will can may explain factors
    underlying then there these those into also such
    """.split()  # noqa: SIM905 (a list of words is read more easily than a list of strings)
)


def corrects(answer: str, question: str = "") -> bool:
    """Whether the answer points out that a premise of the question is false.

    Args:
        answer: what the model said.
        question: what it was asked; without it, only corrections in so many words are found.

    >>> corrects("The premise is incorrect: E2 is the lowest.")
    True
    >>> corrects("It isn't below: ResNet-2 is higher.", "By how much is ResNet-2 below ResNet-1?")
    True
    """
    words = _content(question)
    return any(
        _says_so(clause, position) or (position < _OPENING and _denies(clause, words))
        for position, sentence in enumerate(s for s in sentences(answer) if not s.text.endswith(":"))
        if not sentence.listed or position < _OPENING
        if not phrases.OFFERS.match(sentence.text) and not phrases.MEANT_OTHERWISE.search(sentence.text)
        for clause in clauses(sentence.text)
    )


def _says_so(clause: str, position: int) -> bool:
    """In so many words; further down, "actually" must be said of the picture, since essays use it for emphasis."""
    if _EXPLICIT.search(clause):
        return True
    return bool(_SETS_RIGHT.search(clause)) and (position < _OPENING or bool(_PICTURE.search(clause)))


def _denies(clause: str, words: frozenset[str]) -> bool:
    meant = _UNSURE.sub(" ", clause)
    return any(
        words & _content(meant[negation.end() : negation.end() + _REACH])
        for negation in islice(_NEGATION.finditer(meant), _MOST_NEGATIONS)
    )


def _content(text: str) -> frozenset[str]:
    """Words and numbers that carry meaning; for Chinese every pair of characters, so that cuts do not matter."""
    lowered = text.lower()
    words = {word for word in _WORDS.findall(lowered) if word not in _EMPTY}
    pairs = (lowered[i : i + 2] for i in range(len(lowered) - 1))
    words |= {pair for pair in pairs if all("\u4e00" <= c <= "\u9fff" for c in pair)}
    return frozenset(words)

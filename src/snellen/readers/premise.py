"""Premise correction: does an answer point out that the question takes something false for granted?

Either in so many words ("the premise is wrong", "contrary to the question", 前提有误), or by setting things right
("actually B is the lowest"), or by denying what the question says: a negation followed by words of the question ("it is
not below ResNet-1" where the question says "below"). What is said under a condition ("if you actually meant E2") or of
the picture's quality does not count.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from snellen.readers import phrases
from snellen.readers.cues import any_of, cues
from snellen.readers.pattern import Pattern
from snellen.readers.sentences import clauses, most_pieces, sentences

_EXPLICIT = any_of(
    (
        "premise. assumption. claim. statement. suggestion. assertion. interpretation. "
        "description. question. implication.",
        r"\b(?:premise|assumption|claim|statement|suggestion|assertion|interpretation|description|question|"
        r"implication)\b[^.;]{0,40}"
        r"\b(?:incorrect|false|wrong|mistaken|not (?:\w+ )?(?:correct|true|accurate|supported|right|hold)|inaccurate|"
        r"flawed|misleading|"
        r"does not (?:hold|match)|contradict\w*|misread\w*|reversed|backwards)\b",
    ),
    (
        "premise. assumption. claim. statement. & false. incorrect. wrong. mistaken. flawed.",
        r"\b(?:false|incorrect|wrong|mistaken|flawed) (?:premise|assumption|claim|statement)\b",
    ),
    (
        "contrary. contradict odds. inconsistent.",
        r"\b(?:contrary to|contradicts?|contradicted by|at odds with|inconsistent with)\b",
    ),
    (
        "opposite. reverse. vice. way.",
        r"\b(?:the|just the|quite the) (?:opposite|reverse)\b|\bthe other way (?:a)?round\b|\b(?:vice versa)\b",
    ),
    (
        "not. incorrect. false. wrong. untrue. mis & is.",
        r"\b(?:this|that|it) is (?:\w+ly )?(?:not (?:\w+ly )?(?:correct|true|accurate|right|the case|so|what)|"
        r"incorrect|"
        r"false|wrong|untrue|a mis\w+)\b",
    ),
    (
        "misread misinterpret misstat mischaracteri mistaken.",
        r"\b(?:misread\w*|misinterpret\w*|misstat\w*|mischaracteri\w*|mistaken)\b",
    ),
    (
        "not. & what. as.",
        r"\bnot (?:what|as) (?:\w+ )?(?:the|you|is|was|stated|described|claimed|suggested|the question)\b",
    ),
    r"(?:前提|假设|说法|描述|陈述|题目|问题)[^,。;!?]{0,16}(?:错误|有误|不正确|不成立|不对|不符|不准确|矛盾|不属实|相反|是错的|不实)",
    r"错误的(?:前提|假设|说法)|与(?:图|事实|实际|数据)[^,。;]{0,10}(?:不符|相反|矛盾|不一致)|恰恰相反|正好相反|并非如此|不是这样|这(?:是)?不(?:对|正确|准确)",
)
_SETS_RIGHT = any_of(
    (
        "actually. fact. reality.",
        r"\b(?<!which is )(?<!what is )(?<!who is )(?<!which are )(?<!what )(?<!that )"
        r"(?<!if it )(?<!if you )(?:actually|"
        r"in fact|in reality|as a matter of fact)\b(?! (?:meant|mean|want|need|look|ask|read|intend))",
    ),
    r"实际上|其实|事实上|实则|实际(?:是|为)",
)
_NEGATION = any_of(
    ("not. never. neither. nor. rather.", r"\b(?<!\bi do )(?:not|never|neither|nor|rather than)\b"),
    ("cannot.", r"\bcannot(?= (?:\w+ ){0,2}(?:fall|rise|be lower|be higher|decrease|increase)\b)"),
    r"而不是|而非|并非|并不|并没有|不是|没有|未曾|不(?=[\u4e00-\u9fff])",
)
_UNSURE = any_of(
    (
        "not. & sure. certain. legible. readable. visible. clear. only. just. necessarily.",
        r"\bnot (?:\w+ )?(?:sure|certain|legible|readable|visible|clear)\b|\bnot (?:only|just|necessarily)\b",
    ),
    r"不(?:确定|清楚|仅|但|只)",
)
_PICTURE = Pattern(r"\b(?:chart|figure|plot|graph|curve|image|panel)\b|图")
_OPENING = 3  # sentences: who explains at length what is not so has taken it for granted by then
_MOST_NEGATIONS = 20  # of one clause; text with more is no sentence
_REACH = 70  # characters after a negation in which a word of the question must stand
_WORDS = Pattern(r"[a-z][a-z'-]{2,}|\d+(?:\.\d+)?|[\u4e00-\u9fff]{2}")
_PAIRS = Pattern(r"(?=([\u4e00-\u9fff]{2}))")
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
    left = most_pieces(answer)  # clauses
    spoken = (sentence for sentence in sentences(answer) if not sentence.text.endswith(":"))
    for position, sentence in enumerate(spoken):
        early = position < _OPENING
        if sentence.listed and not early:
            continue
        seen = sentence.seen
        if not (early and _NEGATION.may_stand(seen)) and not (_EXPLICIT.may_stand(seen) or _SETS_RIGHT.may_stand(seen)):
            continue
        if phrases.OFFERS.opens(sentence.text, seen) or phrases.MEANT_OTHERWISE.stands_in(sentence.text, seen):
            continue
        said = clauses(sentence.text, seen)[:left]
        if any(_says_so(clause, early) or (early and _denies(clause, question)) for clause in said):
            return True
        left -= len(said)
    return False


def _says_so(clause: str, early: bool) -> bool:
    """In so many words; further down, "actually" must be said of the picture, since essays use it for emphasis."""
    seen = cues(clause)
    if _EXPLICIT.stands_in(clause, seen):
        return True
    return _SETS_RIGHT.stands_in(clause, seen) and (early or _PICTURE.search(clause) is not None)


def _denies(clause: str, question: str) -> bool:
    seen = cues(clause)
    if not _NEGATION.may_stand(seen):
        return False
    meant = _UNSURE.sub(" ", clause, seen)
    words = _content(question)
    return any(
        words & _content(meant[negation.end() : negation.end() + _REACH])
        for negation in islice(_NEGATION.finditer(meant), _MOST_NEGATIONS)
    )


@lru_cache(maxsize=64)
def _content(text: str) -> frozenset[str]:
    """Words and numbers that carry meaning; for Chinese every pair of characters, so that cuts do not matter."""
    lowered = text.lower()
    words = {word for word in _WORDS.findall(lowered) if word not in _EMPTY}
    return frozenset(words if lowered.isascii() else words.union(_PAIRS.findall(lowered)))

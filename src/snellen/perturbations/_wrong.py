"""What is right and what is surely wrong of an item, and how a word in a text is exchanged for another.

A perturbation that tempts with a true answer would count a right answer as a fall. So a candidate is only taken for
wrong when it is not the right answer in another spelling, inflection or number format, holds it, is held by it, or is
above or below it in the table of near words.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache

from snellen.item import Item, OptionReference, TextReference, YesNoReference
from snellen.perturbations import _near_words

_YES_NO = frozenset(("yes", "no", "true", "false", "是", "否", "不是", "对", "不对", "有", "没有", "正确", "错误"))
_EMPTY = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "to",
        "is",
        "are",
        "was",
        "were",
        "be",
        "it",
        "its",
        "this",
        "that",
        "in",
        "on",
        "at",
        "there",
    ]
)
NEGATION = re.compile(
    r"\b(?:no|not|never|none|nothing|without|neither|nor|\w+n't)\b|不(?!丹)|没|并非|并未", re.IGNORECASE
)
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ENDING = re.compile(r"(?:ing|ed|es|s|er|ly|'s|e|i|y)$")
NUMBERS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
_DIGITS = "零一二三四五六七八九十"

_CHINESE_NUMBER = r"[零一二两三四五六七八九十]|十[一二三四五六七八九]|\d{1,6}"
_MEASURED = re.compile(rf"({_CHINESE_NUMBER})[{_near_words.MEASURES}](.+)", re.ASCII)

OF_ALL = re.compile(
    r"\b(?:all|none|neither|both|any) (?:of )?(?:the )?(?:above|below|these|those|options?|others?|choices)\b"
    r"|\bnone\b|以上|以下|上述|都不是|都是|都对|皆",
    re.IGNORECASE,
)
"""Options that speak of the other options."""

LONGEST = 80
"""Characters of a phrase that is used to tempt."""


def one_line(text: str) -> str:
    """The text without control characters and with single spaces."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def number_of(text: str) -> int | None:
    """The whole number that a text consists of: ``3``, ``three``, 三, 三个.

    >>> number_of("three"), number_of("12"), number_of("两只"), number_of("a dog")
    (3, 12, 2, None)
    """
    bare = text.strip(" .。,，!！").casefold()
    if re.fullmatch(r"\d{1,6}", bare, re.ASCII):
        return int(bare)
    if bare in NUMBERS:
        return NUMBERS.index(bare)
    counted = re.fullmatch(
        r"([零一二两三四五六七八九十]|十[一二三四五六七八九]|\d{1,6})[个只条张辆位人名朵本把]?", bare
    )
    if counted is None:
        return None
    digits = counted[1].replace("两", "二")
    if digits.isdecimal():
        return int(digits)
    return 10 + _DIGITS.index(digits[1]) if len(digits) == 2 else _DIGITS.index(digits)


def _stem(token: str) -> str:
    """A word without its endings: too much is taken off rather than too little, so that inflections meet."""
    shorter = token.casefold()
    while (bare := _ENDING.sub("", shorter)) != shorter and len(bare) >= 3:
        shorter = bare
    return re.sub(r"(.)\1$", r"\1", shorter)  # running, run


def tokens(text: str) -> frozenset[str]:
    """The words of a text without endings and without the words that say nothing; numbers as digits."""
    found = (token.casefold() for token in _TOKEN.findall(text))
    return frozenset(
        str(number) if (number := number_of(token)) is not None else _stem(token)
        for token in found
        if token not in _EMPTY
    )


def has_chinese(text: str) -> bool:
    """Whether there is a Chinese character in the text."""
    return re.search(r"[\u3400-\u9fff]", text) is not None


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _counted(text: str) -> tuple[int | None, str]:
    """(number, what is counted) of a Chinese text: 一只狗 -> (1, 狗); (None, the text) where nothing is counted."""
    match = _MEASURED.fullmatch(text.strip(" .。!！"))
    return (number_of(match[1]), match[2]) if match is not None else (None, text)


def _differs(candidate: str, right: str) -> bool:
    """Whether two texts say different things as far as their own words show; one that holds the other does not."""
    if has_chinese(candidate) or has_chinese(right):
        (count, what), (right_count, right_what) = _counted(candidate), _counted(right)
        if None not in (count, right_count) and count != right_count:
            return True
        one, other = _squeezed(what), _squeezed(right_what)
        return bool(one) and bool(other) and one not in other and other not in one
    mine, theirs = tokens(candidate), tokens(right)
    if not mine or not theirs:
        one, other = _squeezed(candidate), _squeezed(right)
        return bool(one) and bool(other) and one != other
    return not (mine <= theirs or theirs <= mine)


def _with_names_of(text: str, other: str, language: str) -> Iterator[str]:
    """The text with a word replaced by that of the other text which it spells differently, or stands above of."""
    for theirs in _near_words.find(other, language):
        said = other[theirs.start : theirs.end]
        for mine in _near_words.find(text, language):
            if _near_words.same(mine.word, language) & _near_words.same(theirs.word, language):
                yield text[: mine.start] + said + text[mine.end :]
        for name in _near_words.above(theirs.word, language):
            pattern = re.escape(name) if language == "zh" else rf"\b{re.escape(name)}(?:e?s)?\b"
            for match in re.finditer(pattern, text, re.IGNORECASE):
                if not (language == "zh" and _is_part(match.span(), text)):
                    yield text[: match.start()] + said + text[match.end() :]


def _is_part(span: tuple[int, int], text: str) -> bool:
    """Whether a Chinese word is a part of a longer one of the table, which says another thing: 船 in 帆船."""
    return any(
        word.start <= span[0] and span[1] <= word.end and word.end - word.start > span[1] - span[0]
        for word in _near_words.find(text, "zh")
    )


@lru_cache(maxsize=50_000)  # benchmarks ask for the same answers again and again
def is_wrong(candidate: str, right: str, language: str) -> bool:
    """Whether the candidate is surely no right answer where `right` is one."""
    numbers = number_of(candidate), number_of(right)
    if None not in numbers:
        return numbers[0] != numbers[1]
    if not _squeezed(candidate) or not _squeezed(right):
        return False
    if bool(NEGATION.search(candidate)) != bool(NEGATION.search(right)):
        return True
    return (
        _differs(candidate, right)
        and all(_differs(text, right) for text in _with_names_of(candidate, right, language))
        and all(_differs(candidate, text) for text in _with_names_of(right, candidate, language))
    )


def right_text(item: Item) -> str:
    """The right answer in words; of a yes/no question, its label ``answer`` where the benchmark gives one."""
    if isinstance(item.reference, (OptionReference, TextReference)):
        return item.reference.text
    answer = item.labels.get("answer", "")
    return "" if answer.strip().casefold() in _YES_NO else answer


def mentions(text: str, phrase: str) -> bool:
    """Whether the words of the phrase stand in the text, whatever their endings."""
    if has_chinese(phrase):
        return _squeezed(phrase) in _squeezed(text)
    return bool(words := tokens(phrase)) and words <= tokens(text)


def wrong_answers(item: Item) -> tuple[str, ...]:
    """What is surely wrong of an item, as one line each: its distractors, nearest first, else its wrong options.

    Of a yes/no question that is to be affirmed no distractor counts that stands in it; of one that is to be denied
    those come first that it names, since what it asks for is what tempts. Where the benchmark gives no right answer,
    its distractors are taken at their word. Empty where nothing is known.
    """
    right = right_text(item)
    if isinstance(item.reference, YesNoReference):
        named = [text for text in item.distractors if text.strip().casefold() not in _YES_NO]
        if item.reference.yes:
            named = [text for text in named if not mentions(item.question, text)]
        else:
            named.sort(key=lambda text: not mentions(item.question, text))  # the order stays within the two
        if right:
            named = [text for text in named if is_wrong(text, right, item.language)]
    elif not right:
        named = list(item.distractors)
    else:
        named = [text for text in item.distractors if is_wrong(text, right, item.language)]
        if not named:
            named = [text for _, text in item.options if is_wrong(text, right, item.language)]
            if named:  # the same one for the same item, without a bias to the first letter
                turn = hashlib.sha256(item.question.encode("utf-8", "surrogatepass")).digest()[0] % len(named)
                named = named[turn:] + named[:turn]
    lines = (one_line(text).rstrip(".。") for text in named if not OF_ALL.search(text))
    return tuple(line for line in lines if line and len(line) <= LONGEST)


def exchanged(text: str, start: int, end: int, new: str) -> str:
    """The text with ``text[start:end]`` replaced, the case of the old word and the article before it adapted.

    >>> exchanged("Is there a dog?", 11, 14, "owl")
    'Is there an owl?'
    """
    old, before = text[start:end], text[:start]
    if len(old) > 1 and old.isupper():
        new = new.upper()
    elif old[:1].isupper():
        new = new[:1].upper() + new[1:]
    article = re.search(r"\b([Aa])n?( +)$", before)
    if article is not None:
        vowel = re.match(r"[aeiou]|hour", new, re.IGNORECASE) and not re.match(r"uni|euro|uku|one|use", new, re.I)
        before = before[: article.start()] + article[1] + ("n" if vowel else "") + article[2]
    return before + new + text[end:]

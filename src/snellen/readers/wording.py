"""Wording: are two short texts the same words, and does an answer say what a short truth says?

Free of case, full-width signs, punctuation, markdown, articles and the way numbers are written ("two", 2, 两). Nothing
is understood: synonyms are other words.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from snellen.readers import number, yes_no
from snellen.readers.pattern import Pattern
from snellen.readers.sentences import plain

_WORD = Pattern(r"[\u4e00-\u9fff]|[^\W_\u4e00-\u9fff]+(?:[.'-][^\W_\u4e00-\u9fff]+)*|[%$€£¥°]")
_ARTICLES: Final = frozenset(("a", "an", "the"))
_NUMBERS: Final = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905 (in their order)
    )
} | dict(zip("零一二三四五六七八九十两", (*map(str, range(11)), "2"), strict=True))
_BEGINS = Pattern(
    r"(?:(?:the )?(?:final |correct |short )?answer(?: to the question)?(?: is|:| would be)?:?|answer:|(?:it|this|"
    r"that|they|these|"
    r"those|he|she)(?: is|'s| are| was| were)(?: called| named)?|i (?:think|believe|would say|can see|"
    r"see)(?: that)?(?: it is)?|"
    r"there (?:is|are)|答案(?:是|为|:)?:?|这是|那是|它是|是|图中(?:是|有)?|我认为是?|应该是)\s*",
    re.IGNORECASE,
)
_SENTENCE_END = Pattern(r"[.!?](?=\s|$)|[。！？；;\n]|,? \b(?:but|because|since|although)\b|，?(?:但|因为|不过)")
_DENIED = Pattern(
    r"(?:\bnot\b|\bno\b|\bcannot\b|\bnever\b|\bwithout\b|\bneither\b|\bnor\b|rather than|instead of|other than|"
    r"\bexcept\b|"
    r"不是|并非|没有|不|无|而非|除了)[^,，。.;；]{0,24}$",
    re.IGNORECASE,
)
_SUPPOSED = Pattern(
    r"\b(?:might|maybe|perhaps|could|may|possibly|either|whether|if)\b|可能|也许|或许|如果|是否|还是", re.IGNORECASE
)
_ANOTHER = Pattern(
    r"\s*(?:,|/|&|、|，|\band\b|\bor\b|和|与|或者?|及)\s*(?!(?:and|or|but|so|which|as|because|not|rather|instead|"
    r"unlike)\b|而|不)\w"
)
_BEFORE_ANOTHER = Pattern(r"\w\s*(?:,|/|&|、|，|\band\b|\bor\b|和|与|或者?|及)\s*(?:an? |the )?$")
_LONGEST: Final = 12  # words of a truth that may stand within a longer sentence
_WINDOW: Final = 60  # characters before a word in which a denial of it may stand
_MOST: Final = 64  # places at which a truth is looked for


def normal(text: str) -> str:
    """Words only, in one spelling, a space between them.

    >>> normal("**The** Red  Car.")
    'red car'
    >>> normal("两只狗。") == normal("2只狗")
    True
    """
    found = _WORD.findall(unicodedata.normalize("NFKC", plain(text)).casefold())
    words = [_NUMBERS.get(word, word) for word in found]
    kept = [word for word in words if word not in _ARTICLES]
    return " ".join(kept or words)


def same(one: str, other: str) -> bool:
    """Whether two texts are the same words; texts without words are not.

    >>> same("A dog.", "the dog")
    True
    """
    first = normal(one)
    return bool(first) and first == normal(other)


def says(truth: str, answer: str) -> bool:
    """Whether an answer says what a short truth says, in the same words.

    It does where it is the truth, or one of its sentences is once "the answer is", "it is", 这是 and the like are taken
    off; or where the truth, up to 12 words, stands in a sentence whole, neither denied ("not red"), nor supposed ("it
    may be red"), nor in a list with others ("red or blue"). A truth that is a number is compared as one, and yes or no
    as such.

    Args:
        truth: a word, a number, a phrase.
        answer: what the model said, its thinking stripped.

    >>> says("red", "The car is red."), says("red", "It is red or blue."), says("3", "There are three dogs.")
    (True, False, True)
    """
    wanted = normal(truth)
    if not wanted:
        return False
    if same(truth, answer):
        return True
    if (told := yes_no.read(truth)) != "unclear" and len(wanted.split()) == 1:
        return yes_no.read(answer) == told
    quantities = number.read(truth)
    if len(quantities) == 1 and _is_number(truth, quantities[0].span):
        return number.accepts(truth, answer) is True
    spelt = unicodedata.normalize("NFKC", plain(answer))
    sentences = [sentence.strip() for sentence in _SENTENCE_END.split(spelt)]
    if any(normal(bare(sentence)) == wanted for sentence in sentences[:_MOST] if sentence):
        return True
    if len(wanted.split()) > _LONGEST:
        return False
    return _stands_in(truth, spelt)


def _is_number(truth: str, span: tuple[int, int]) -> bool:
    outside = normal(truth[: span[0]] + " " + truth[span[1] :])
    return outside in ("", "about", "only", "just")


def bare(sentence: str) -> str:
    """The sentence without "the answer is", "it is", 这是 and the like before it."""
    begun = _BEGINS.match(sentence)
    return sentence[begun.end() :] if begun else sentence


def _stands_in(truth: str, answer: str) -> bool:
    """Whether the truth stands in the answer as something that is claimed, each time that it stands there."""
    words = [re.escape(word) for word in _WORD.findall(unicodedata.normalize("NFKC", plain(truth)))]
    first = words[0].casefold()
    if first in _ARTICLES and len(words) > 1:
        words = words[1:]
    phrase = re.compile(
        r"(?<![^\W\u4e00-\u9fff])" + r"[\s\W]{0,3}".join(words) + r"(?![^\W\u4e00-\u9fff])", re.IGNORECASE
    )
    found = False
    for place, match in enumerate(phrase.finditer(answer)):
        if place >= _MOST:
            break
        before = answer[max(0, match.start() - _WINDOW) : match.start()]
        clause = _SENTENCE_END.split(before)[-1]
        listed = _ANOTHER.match(answer[match.end() : match.end() + 16]) or _BEFORE_ANOTHER.search(clause)
        if _DENIED.search(clause) or _SUPPOSED.search(clause) or listed:
            return False
        found = True
    return found

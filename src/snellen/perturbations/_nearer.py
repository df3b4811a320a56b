"""Texts that are nearer to an item's right answer than its wrong ones and still surely wrong.

They come from the benchmark itself (distractors that are no options), else from a file of words that a model named,
else from the table of near words; counts get the numbers next to the right one. Embeddings, where they are chosen, put
the words of file and table in order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from snellen.item import Item, OptionReference
from snellen.perturbations import _near_words, _word_source
from snellen.perturbations._near_words import Found
from snellen.perturbations._option_list import parts
from snellen.perturbations._wrong import LONGEST, NUMBERS, OF_ALL, exchanged, is_wrong, mentions, number_of, one_line

_SECTIONS: Mapping[str, frozenset[str]] = {
    "color": frozenset(("color",)),
    "shape": frozenset(("shape",)),
    "posture": frozenset(("posture", "activity")),
    "expression": frozenset(("expression",)),
    "orientation": frozenset(("direction", "posture")),
    "spatial-relation": frozenset(("direction",)),
    "size-relation": frozenset(("size",)),
    "interaction-relation": frozenset(("activity", "posture")),
    "count": frozenset(),
}
"""Aspect -> where its answers stand in the table; the answers of other aspects may stand anywhere."""

_ATTRIBUTES = frozenset(("color", "direction", "size"))
_EXCLUSIVE = frozenset(("animal", "city"))
"""Sections in which words of different groups exclude each other too, unless the table says that one is the other."""

_MOST = 6
"""Words that are taken of a whole section in the order of embeddings."""

_CHINESE_NUMBERS = "零一二三四五六七八九十"
_COUNTS = re.compile(r"\bhow many\b|\bnumber of\b|\bcount\b|[几]|多少|数量", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|except|without|missing|absent|least)\b|n't\b|[不没]|除了", re.IGNORECASE)
_WHICH_IS_THERE = re.compile(
    r"\bwhich (?:one )?of (?:the following|these|them)\b.*\b(?:present|visible|shown|seen|appears?|depicted|included|"
    r"in (?:this|the) (?:image|picture|photo))\b"
    r"|(?:下列|以下|下面)(?:哪|的).*(?:出现|存在|包含|可以看到|在[^？]*[图画照])",
    re.IGNORECASE,
)


def squashed(text: str) -> str:
    """A text without its article, case and outer punctuation."""
    return re.sub(r"^(?:an?|the)\s+|[\W_]+$", "", text.strip().casefold())


def known(item: Item, right: str) -> list[str]:
    """The benchmark's distractors that can be used, nearest first: short, on one line, not of the other options."""
    lines = [one_line(text).rstrip(".。") for text in item.distractors if not OF_ALL.search(text)]
    return [
        line
        for line in dict.fromkeys(lines)
        if line and len(line) <= LONGEST and (not right or is_wrong(line, right, item.language))
    ]


def fresh(item: Item, right: str) -> list[str]:
    """The distractors that are no options of the item: the benchmark's own nearer words."""
    options = {squashed(text) for _, text in item.options}
    return [text for text in known(item, right) if squashed(text) not in options]


def found(item: Item, right: str, wrong: Sequence[str], rng: np.random.Generator) -> list[str]:
    """Texts like the right answer that are near to it and surely wrong, from numbers, file or table.

    Args:
        right: the right answer; nothing is found for an empty one.
        wrong: what the item has of wrong answers, which tells what the right one's words mean.
        rng: puts words in order, where nothing else does.
    """
    if not right:
        return []
    if number_of(right) is not None:
        exact = "aspect" in item.labels or _COUNTS.search(item.question) is not None
        texts = _numbers(right) if exact else []  # a value that is read off a chart has neighbours that are right too
    else:
        source = _word_source.chosen()
        texts = [*source.near.get((item.language, _word_source.key_of(right)), ())]
        texts = texts or _of_table(item, right, wrong, whole=source.embeddings)
        if source.embeddings:
            texts = _word_source.nearest_first(right, texts)[:_MOST]
        else:
            texts = [texts[int(place)] for place in rng.permutation(len(texts))]
    if _may_be_true_too(item):
        texts = [text for text in texts if any(mentions(text, distractor) for distractor in item.distractors)]
    return [text for text in texts if len(text) <= LONGEST and is_wrong(text, right, item.language)]


def near_in_table(item: Item, right: str, wrong: Sequence[str]) -> list[str]:
    """What the table has near to the right answer, whatever source is chosen."""
    return [*_numbers(right), *_of_table(item, right, wrong, whole=False)]


def distance(text: str, right: str, near: Sequence[str]) -> int:
    """How far a wrong answer is from the right one: the distance of counts, else 1 for what is near, more for the rest.

    >>> distance("7", "5", []), distance("a wolf", "a dog", ["wolf"]), distance("a car", "a dog", ["wolf"])
    (2, 1, 1000)
    """
    one, other = number_of(text), number_of(right)
    if one is not None and other is not None:
        return abs(one - other)
    return 1 if any(squashed(text) == squashed(word) for word in near) else 1_000


def _may_be_true_too(item: Item) -> bool:
    """Whether a near word could be true beside the answer: what is near to a thing may stand beside it."""
    question = parts(item)
    asked = item.question if question is None else question.asked
    return (
        item.labels.get("aspect") == "existence"
        or _NEGATED.search(asked) is not None
        or (isinstance(item.reference, OptionReference) and _WHICH_IS_THERE.search(asked) is not None)
    )


def _numbers(right: str) -> list[str]:
    """The numbers next to the right one, nearest first, written as it is."""
    value = number_of(right)
    if value is None:
        return []
    near = [number for step in (1, 2, 3, 4) for number in (value + step, value - step) if number >= 0]
    core = re.search(r"\d+|[A-Za-z]+|[零一二两三四五六七八九十]+", right)
    assert core is not None, "what has a value has a number in it"
    if core[0].isdecimal():
        written = {number: str(number) for number in near}
    elif core[0].isascii():
        written = {n: NUMBERS[n].capitalize() if core[0][0].isupper() else NUMBERS[n] for n in near if n < len(NUMBERS)}
    else:
        measured = core.end() < len(right.strip(" 。.")) or core[0] == "两"
        written = {n: "两" if n == 2 and measured else _CHINESE_NUMBERS[n] for n in near if n < 11}
    return [right[: core.start()] + written[number] + right[core.end() :] for number in near if number in written]


def _section(word: Found, item: Item, texts: Sequence[str]) -> str:
    """In which sense a word of the table stands here: the only one, the aspect's, or that of the wrong answers."""
    allowed = _near_words.sections(word.word, item.language)
    wanted = _SECTIONS.get(item.labels.get("aspect", ""))
    if wanted is not None:
        allowed &= wanted
    if len(allowed) > 1:
        around = (other for text in texts for other in _near_words.find(text, item.language))
        senses = [_near_words.sections(other.word, item.language) for other in around]
        allowed &= frozenset[str]().union(*(sense for sense in senses if len(sense) == 1))
    return next(iter(allowed)) if len(allowed) == 1 else ""


def _key_word(right: str, item: Item, wrong: Sequence[str]) -> tuple[Found, str] | None:
    """The word of the right answer that decides, and its section."""
    candidates = [(word, _section(word, item, wrong)) for word in _near_words.find(right, item.language)]
    candidates = [(word, section) for word, section in candidates if section]
    if len(candidates) > 1:  # what the wrong answers share with the right one does not decide
        own = [pair for pair in candidates if not all(mentions(text, pair[0].word) for text in wrong)]
        things = [pair for pair in own if pair[1] not in _ATTRIBUTES]
        candidates = things[-1:] or own[-1:]
    return candidates[0] if candidates else None


def _of_table(item: Item, right: str, wrong: Sequence[str], *, whole: bool) -> list[str]:
    """The right answer with its decisive word exchanged for one near to it; with `whole` also from further groups."""
    key = _key_word(right, item, wrong)
    if key is None:
        return []
    place, section = key
    words = _near_words.near(place.word, item.language, section)
    if whole and words and section in _EXCLUSIVE:
        words = tuple(dict.fromkeys((*words, *_near_words.others(place.word, item.language, section))))
    words = tuple(_near_words.plural_of(word) for word in words) if place.plural else words
    return [exchanged(right, place.start, place.end, word) for word in words]

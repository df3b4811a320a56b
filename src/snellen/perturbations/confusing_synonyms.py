"""Replaces wrong words by words nearer to the right answer that are still wrong.

SHALE's confusing synonyms: distractor options, and a wrong word that a question to be denied or a free-form question
names. The nearer words come from the table of near words (``data/near_words.txt``) and, for counts, from the numbers
next to the right one. A true synonym, a word above or below the answer, an inflection of it, and whatever already
stands among the options are left out; an item for which nothing is left is left out as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from snellen.item import Item, OptionReference, TextReference, Truth, YesNoReference
from snellen.perturbations import _near_words
from snellen.perturbations._near_words import Found
from snellen.perturbations._option_list import parts, with_options
from snellen.perturbations._wrong import (
    NUMBERS,
    OF_ALL,
    exchanged,
    is_wrong,
    mentions,
    number_of,
    right_text,
    wrong_answers,
)

TITLE = "Confusing synonyms"
SUMMARY = "Wrong options and wrong words in the question are replaced by ones nearer to the right answer."
KIND: Literal["image", "instruction"] = "instruction"
DOMAINS: tuple[str, ...] = ("photo", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {1: {}}
SOURCE = "SHALE, arXiv 2508.09584, confusing synonyms; the table of words is Snellen's own"
EXTRA = ""

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
_CHINESE_NUMBERS = "零一二三四五六七八九十"
_NEGATED = re.compile(r"\b(?:not|except|without|missing|absent|least)\b|n't\b|[不没]|除了", re.IGNORECASE)
_WHICH_IS_THERE = re.compile(
    r"\bwhich (?:one )?of (?:the following|these|them)\b.*\b(?:present|visible|shown|seen|appears?|depicted|included|"
    r"in (?:this|the) (?:image|picture|photo))\b"
    r"|(?:下列|以下|下面)(?:哪|的).*(?:出现|存在|包含|可以看到|在[^？]*[图画照])",
    re.IGNORECASE,
)


def _may_be_true_too(item: Item) -> bool:
    """Whether a near word could be true beside the answer: what is near to a thing may stand beside it."""
    found = parts(item)
    question = item.question if found is None else found.asked
    return (
        item.labels.get("aspect") == "existence"
        or _NEGATED.search(question) is not None
        or _WHICH_IS_THERE.search(question) is not None
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


def _section(found: Found, item: Item, texts: tuple[str, ...]) -> str:
    """In which sense a word of the table stands here: the only one, the aspect's, or that of the wrong answers."""
    allowed = _near_words.sections(found.word, item.language)
    wanted = _SECTIONS.get(item.labels.get("aspect", ""))
    if wanted is not None:
        allowed &= wanted
    if len(allowed) > 1:
        around = (other for text in texts for other in _near_words.find(text, item.language))
        senses = [_near_words.sections(other.word, item.language) for other in around]
        allowed &= frozenset[str]().union(*(sense for sense in senses if len(sense) == 1))
    return next(iter(allowed)) if len(allowed) == 1 else ""


def _key_word(right: str, item: Item, wrong: tuple[str, ...]) -> tuple[Found, str] | None:
    """The word of the right answer that decides, and its section."""
    candidates = [(found, _section(found, item, wrong)) for found in _near_words.find(right, item.language)]
    candidates = [(found, section) for found, section in candidates if section]
    if len(candidates) > 1:  # what the wrong answers share with the right one does not decide
        own = [pair for pair in candidates if not all(mentions(text, pair[0].word) for text in wrong)]
        things = [pair for pair in own if pair[1] not in _ATTRIBUTES]
        candidates = things[-1:] or own[-1:]
    return candidates[0] if candidates else None


def _nearer(item: Item, right: str, wrong: tuple[str, ...]) -> list[str]:
    """Texts like the right answer with its decisive word exchanged for one near to it; all surely wrong."""
    if numbers := _numbers(right):
        found = numbers
    elif (key := _key_word(right, item, wrong)) is not None:
        place, section = key
        words = _near_words.near(place.word, item.language, section)
        words = tuple(_near_words.plural_of(word) for word in words) if place.plural else words
        found = [exchanged(right, place.start, place.end, word) for word in words]
    else:
        return []
    if _may_be_true_too(item):
        found = [text for text in found if any(mentions(text, known) for known in item.distractors)]
    return [text for text in found if is_wrong(text, right, item.language)]


def _distance(text: str, right: str, near: list[str]) -> int:
    """How far a wrong answer is from the right one: the distance of counts, else 1 for what is near, 2 for the rest."""
    numbers = number_of(text), number_of(right)
    if numbers[0] is not None and numbers[1] is not None:
        return abs(numbers[0] - numbers[1])
    return 1 if any(_squash(text) == _squash(other) for other in near) else 1_000


def _squash(text: str) -> str:
    return re.sub(r"^(?:an?|the)\s+|[\W_]+$", "", text.strip().casefold())


def _options(item: Item, reference: OptionReference, rng: np.random.Generator) -> Item | None:
    right = reference.text
    wrong = tuple(text for letter, text in item.options if letter != reference.letter)
    if any(not is_wrong(text, right, item.language) for text in wrong) or not wrong:
        return None  # two options that may both be right: whatever replaces one makes another question
    near = _nearer(item, right, wrong)
    taken = {_squash(text) for text in wrong}
    fresh = [text for text in near if _squash(text) not in taken]
    if number_of(right) is None:
        fresh = [fresh[int(place)] for place in rng.permutation(len(fresh))]
    texts, changed = [], False
    for letter, text in item.options:
        old = _distance(text, right, near)
        if letter != reference.letter and fresh and not OF_ALL.search(text) and _distance(fresh[0], right, near) < old:
            text, changed = fresh.pop(0), True
        texts.append(text)
    return with_options(item, texts, reference) if changed else None


def _named(question: str, phrase: str, language: str) -> tuple[int, int] | None:
    """Where a phrase stands in a question, as whole words."""
    pattern = re.escape(phrase) if language == "zh" else rf"(?<![\w-]){re.escape(phrase)}(?![\w-])"
    match = re.search(pattern, question, re.IGNORECASE) if phrase else None
    return match.span() if match is not None else None


def _question(item: Item, rng: np.random.Generator) -> Item | None:
    """The item with the wrong word that its question names replaced by a nearer one."""
    right, known = right_text(item), wrong_answers(item)
    named = [(text, span) for text in known if (span := _named(item.question, text, item.language)) is not None]
    if not named:
        return None
    text, (start, end) = max(named, key=lambda pair: len(pair[0]))
    if right and mentions(item.question, right):
        return None  # it offers both: there the wrong one is an option, and the frame is not known
    near = [word for word in _nearer(item, right, known) if not mentions(item.question, word)] if right else []
    # Distractors are wrong by the benchmark's word, and stand nearest first.
    before = [word for word in known[: known.index(text)] if not mentions(item.question, word)]
    if _distance(text, right, near) == 1 and right:
        return None
    new = near[int(rng.integers(len(near)))] if near else before[0] if before else None
    if new is None:
        return None
    bare = re.sub(r"^(?:an?|the)\s+", "", new, flags=re.IGNORECASE)
    return replace(item, question=exchanged(item.question, start, end, bare))


def change(item: Item, severity: int, rng: np.random.Generator) -> Item | None:
    """The item with wrong words that are nearer to the right answer.

    Args:
        item: multiple choice; a yes/no question to be denied; or a free-form question that names a distractor.
        rng: chooses among several near words; numbers go by their distance.

    Returns:
        None where no nearer wrong word exists: the answer is not in the table or ambiguous, its wrong options are as
        near as can be, a near word might be true as well (whatever may stand beside the answer in one picture), or the
        item is a caption or a question to be affirmed.
    """
    reference = item.reference
    if isinstance(reference, OptionReference):
        return _options(item, reference, rng)
    if item.labels.get("task") == "caption":
        return None
    if isinstance(reference, YesNoReference):
        return None if reference.yes else _question(item, rng)
    return _question(item, rng) if isinstance(reference, TextReference) else None


def truth(item: Item, severity: int) -> Truth:
    """Kept: the words that are exchanged were wrong and stay wrong."""
    return "kept"

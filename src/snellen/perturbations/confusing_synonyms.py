"""Replaces wrong words by words nearer to the right answer that are still wrong.

SHALE's confusing synonyms: distractor options, the wrong word that a question to be denied names, and the wrong answer
that the wording of a free-form question suggests. The nearer words are the benchmark's own where it has any, else those
of the table of near words (``data/near_words.txt``) or of another source (`snellen.perturbations._word_source`), and
for counts the numbers next to the right one. A true synonym, a word above or below the answer, an inflection of it, and
whatever already stands among the options are left out; an item for which nothing is left is left out as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from snellen.item import Item, OptionReference, TextReference, Truth, YesNoReference
from snellen.perturbations import _nearer, _word_source
from snellen.perturbations._option_list import with_options
from snellen.perturbations._wrong import (
    LONGEST,
    NEGATION,
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
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {1: {}}
SOURCE = "SHALE, arXiv 2508.09584, confusing synonyms; the table of words is Snellen's own"
EXTRA = ""

_EXAMPLE = {"en": " (for example: {})", "zh": "（例如：{}）"}
_END = re.compile(r"[?？.。!！]?\s*$")
_MOST_WORDS = 4
"""Words of an answer of which one may be exchanged where nothing is known of what it is about: sentences have more."""

_ANSWERED = frozenset(("normal", ""))
"""ChartHal's relations of a question to its chart under which there is an answer that a word can be near to."""


def revision() -> str:
    """What the words depend on beside Snellen's source: a file of words, the package of embeddings; else empty.

    Raises:
        UsageError: the file cannot be read, or the package is not installed.
    """
    return _word_source.revision()


def _options(item: Item, reference: OptionReference, rng: np.random.Generator) -> Item | None:
    """The item with its wrong options replaced, those that lie farthest first."""
    right = reference.text
    wrong = [text for letter, text in item.options if letter != reference.letter]
    if any(not is_wrong(text, right, item.language) for text in wrong) or not wrong:
        return None  # two options that may both be right: whatever replaces one makes another question
    order = [_nearer.squashed(text) for text in _nearer.known(item, right)]
    own = _nearer.fresh(item, right)
    fresh = own or _nearer.found(item, right, wrong, rng)
    near = [*_nearer.near_in_table(item, right, wrong), *fresh]

    def rank(text: str) -> int:
        squashed = _nearer.squashed(text)
        if own:
            return order.index(squashed) if squashed in order else len(order)
        return _nearer.distance(text, right, near)

    texts = [text for _, text in item.options]
    letters = [letter for letter, _ in item.options]
    free = [place for place, text in enumerate(texts) if letters[place] != reference.letter and not OF_ALL.search(text)]
    changed = False
    for place in sorted(free, key=lambda each: -rank(texts[each])):
        others = [text for number, text in enumerate(texts) if number != place]
        nearer = (word for word in fresh if rank(word) < rank(texts[place]))
        new = next((word for word in nearer if _differs(word, [*others, texts[place]], item.language)), None)
        if new is not None:
            fresh.remove(new)
            texts[place], changed = new, True
    return with_options(item, texts, reference) if changed else None


def _differs(word: str, others: list[str], language: str) -> bool:
    """Whether a word is none of the others, in no spelling."""
    return all(OF_ALL.search(other) or is_wrong(word, other, language) for other in others)


def _named(question: str, phrase: str, language: str) -> tuple[int, int] | None:
    """Where a phrase stands in a question, as whole words."""
    pattern = re.escape(phrase) if language == "zh" else rf"(?<![\w-]){re.escape(phrase)}(?![\w-])"
    match = re.search(pattern, question, re.IGNORECASE) if phrase else None
    return match.span() if match is not None else None


def _question(item: Item, rng: np.random.Generator) -> Item | None:
    """The item with the wrong word that its question names replaced by a nearer one."""
    right, wrong = right_text(item), wrong_answers(item)
    if right and mentions(item.question, right):
        return None  # it offers both: there the wrong one is an option, and the frame is not known
    known = _nearer.known(item, right)
    named = [(text, span) for text in known if (span := _named(item.question, text, item.language)) is not None]
    if not named:
        if isinstance(item.reference, TextReference):
            return _with_example(item, right, wrong, rng)
        return None
    text, (start, end) = max(named, key=lambda pair: len(pair[0]))
    # Distractors are wrong by the benchmark's word, and stand nearest first; numbers go by their distance.
    before = [] if number_of(right) is not None else known[: known.index(text)]
    if not before and (len(known) == 1 or number_of(right) is not None):
        before = _nearer.found(item, right, wrong, rng)
        distance = _nearer.distance(text, right, [*_nearer.near_in_table(item, right, wrong), *before])
        before = [word for word in before if _nearer.distance(word, right, before) < distance]
    new = next((word for word in before if not mentions(item.question, word)), None)
    if new is None:
        return None
    bare = re.sub(r"^(?:an?|the)\s+", "", new, flags=re.IGNORECASE) if not _leads(text) else new
    return replace(item, question=exchanged(item.question, start, end, bare))


def _leads(text: str) -> bool:
    """Whether a phrase begins with an article of its own, which then stands in the question as part of it."""
    return re.match(r"(?:an?|the)\s", text, re.IGNORECASE) is not None


def _with_example(item: Item, right: str, wrong: tuple[str, ...], rng: np.random.Generator) -> Item | None:
    """The free-form item with the nearest wrong answer given as an example of an answer."""
    if not right or len(right) > LONGEST or item.labels.get("relation", "") not in _ANSWERED:
        return None
    if NEGATION.search(right) or ("aspect" not in item.labels and len(right.split()) > _MOST_WORDS):
        return None
    words = _nearer.known(item, right) if "aspect" in item.labels and number_of(right) is None else []
    words = words or _nearer.found(item, right, wrong, rng)
    new = next((word for word in words if not mentions(item.question, word)), None)
    if new is None:
        return None
    end = _END.search(item.question)
    assert end is not None, "the pattern fits everywhere"
    example = _EXAMPLE["zh" if item.language == "zh" else "en"].format(new.rstrip(" .。"))
    return replace(item, question=item.question[: end.start()] + example + item.question[end.start() :])


def change(item: Item, severity: int, rng: np.random.Generator) -> Item | None:
    """The item with wrong words that are nearer to the right answer.

    A question to be affirmed names what is so: another word there would ask for something else, so it is left out. So
    is a caption, whose instruction names nothing.

    Args:
        item: multiple choice; a yes/no question to be denied that names a distractor; or a free-form question.
        rng: chooses among several near words; the benchmark's own and numbers go by their distance.

    Returns:
        None where no nearer wrong word exists: the answer is not in the table or ambiguous, its wrong options are as
        near as can be, a near word might be true as well (whatever may stand beside the answer in one picture), or the
        item is a caption or a question to be affirmed.

    Raises:
        UsageError: the source of words that is chosen cannot be used.
    """
    reference = item.reference
    if isinstance(reference, OptionReference):
        return _options(item, reference, rng)
    if item.labels.get("task") == "caption" or (isinstance(reference, YesNoReference) and reference.yes):
        return None
    return _question(item, rng) if isinstance(reference, (YesNoReference, TextReference)) else None


def truth(item: Item, severity: int) -> Truth:
    """Kept: the words that are exchanged were wrong and stay wrong, and an example is no claim."""
    return "kept"

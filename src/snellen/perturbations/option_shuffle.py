"""Offers the same options in another order: a control that keeps the truth.

Letters stay in their order and the texts move, in the question's own list as well, so the right option gets another
letter. Options that speak of all or none of the others stay in their place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from snellen.item import Item, OptionReference, Truth
from snellen.perturbations._option_list import parts, with_options
from snellen.perturbations._wrong import OF_ALL

TITLE = "Option shuffle"
SUMMARY = "The options of a multiple-choice question stand in another order; the right one has another letter."
KIND: Literal["image", "instruction"] = "instruction"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {1: {}}
SOURCE = ""
EXTRA = ""

_LETTERS = re.compile(
    r"\b(?:options?|choices?|answers?) \(?[A-H]\b|\b[A-H] (?:and|or|&) [A-H]\b|\([A-H]\)"
    r"|选项\s*[A-H]|(?<![A-Za-z])[A-H]\s*[和与或、]\s*[A-H](?![A-Za-z])"
)


def change(item: Item, severity: int, rng: np.random.Generator) -> Item | None:
    """The item with its option texts under other letters, and the reference's letter following.

    Returns:
        None where there is no right option, where it is the only one that can move, where the question or an option
        speaks of letters, or where the question lists other options than the item has.
    """
    reference = item.reference
    if not isinstance(reference, OptionReference):
        return None
    letters, texts = [letter for letter, _ in item.options], [text for _, text in item.options]
    question = parts(item)
    if question is None or letters.count(reference.letter) != 1:
        return None
    if any(_LETTERS.search(text) for text in (question.asked, question.rest, *texts)):
        return None
    right = letters.index(reference.letter)
    free = [place for place, text in enumerate(texts) if not OF_ALL.search(text)]
    targets = [place for place in free if texts[place] != texts[right]]
    if right not in free or not targets:
        return None
    target = targets[int(rng.integers(len(targets)))]
    rest = [place for place in free if place != target]
    sources = [place for place in free if place != right]
    order = dict(zip(rest, (sources[int(turn)] for turn in rng.permutation(len(sources))), strict=True)) | {
        target: right
    }
    moved = [texts[order.get(place, place)] for place in range(len(letters))]
    return with_options(item, moved, OptionReference(letters[target], reference.text))


def truth(item: Item, severity: int) -> Truth:
    """Kept: the same text is right."""
    return "kept"

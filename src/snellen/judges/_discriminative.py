"""Yes or no, multiple choice, and free-form answers with a short truth: what a reader decides, with no model.

The published reading stands beside the corrected one: as measures, so that the items on which they differ can be
counted and listed, and in words in the reason of each of these.
"""

from __future__ import annotations

import string
from dataclasses import replace
from typing import Literal

from snellen.item import Item, OptionReference, TextReference, YesNoReference
from snellen.readers import abstention, option, wording, yes_no
from snellen.verdict import ABSTAINED, EMPTY, UNCLEAR, Verdict

_OF_SHALE = ("faithfulness", "factuality")

Task = Literal["yes-no", "multiple-choice", "free-form"]


def task_of(item: Item) -> Task | None:
    """Which of the three an item is, by its reference; None where it is none of them.

    A text as truth is compared word by word only where the benchmark calls the task ``free-form``.
    """
    if isinstance(item.reference, YesNoReference):
        return "yes-no"
    if isinstance(item.reference, OptionReference):
        return "multiple-choice"
    if isinstance(item.reference, TextReference) and item.labels.get("task") == "free-form":
        return "free-form"
    return None


def verdict_of(item: Item, text: str, *, parity: bool = False) -> Verdict:
    """The verdict on an answer to an item that `task_of` knows.

    Args:
        item: with a reference.
        text: the answer, its thinking stripped.
        parity: read yes, no and options as SHALE's published script does.

    Returns:
        The verdict; on a yes-or-no or multiple-choice item of SHALE that is not read in parity, with the measures
        ``published``, the value under the published reading, and ``published_differs``, 1 where the readings differ.

    Raises:
        ValueError: the item is of none of the three tasks.
    """
    flags = (EMPTY,) if not text.strip() else (ABSTAINED,) if abstention.read(text) else ()
    if isinstance(item.reference, YesNoReference | OptionReference):
        truth = item.reference.text if isinstance(item.reference, YesNoReference) else item.reference.letter
        published = published_reading(item, text)
        if parity:
            return _verdict(published, truth, flags, how="The published script reads")
        if isinstance(item.reference, YesNoReference):
            said, how = str(yes_no.read(text)), "It says"
        else:
            said = option.read(text, dict(item.options) or string.ascii_uppercase) or "unclear"
            how = "It chooses"
        verdict = _verdict(said, truth, flags, how=how)
        return _beside(verdict, said, published, truth) if item.labels.get("kind") in _OF_SHALE else verdict
    if isinstance(item.reference, TextReference):
        if not text.strip():
            return Verdict(0, "The answer is empty.", flags=flags)
        if matches(item, text):
            return Verdict(1, "It says the truth in its words.", flags=flags)
        if flags:
            return Verdict(0, "It declines.", flags=(*flags, UNCLEAR))
        return Verdict(0, "It does not say the truth in its words.")
    raise ValueError(f"item {item.id} has no reference to compare with")


def published_reading(item: Item, text: str) -> str:
    """What SHALE's published script reads: ``yes``, ``no``, a letter or ``unclear``."""
    if isinstance(item.reference, YesNoReference):
        return parity_yes_no(text)
    return parity_option(text) or "unclear"


def _beside(verdict: Verdict, said: str, published: str, truth: str) -> Verdict:
    differs = published.upper() != said.upper()
    measures = {
        "published": (float(published.upper() == truth.upper()), 1.0),
        "published_differs": (float(differs), 1.0),
    }
    reason = f"{verdict.reason} SHALE's published script reads {published}." if differs else verdict.reason
    return replace(verdict, reason=reason, measures=measures)


def matches(item: Item, text: str) -> bool:
    """Whether a free-form answer says the truth in its words."""
    return isinstance(item.reference, TextReference) and wording.says(item.reference.text, text)


def parity_yes_no(text: str) -> yes_no.Reading:
    """What SHALE's published script reads: "Yes", "yes" or 是 anywhere, else "No", "no" or 否 anywhere.

    Source: behaviour of ``Evaluation/evaluate.py`` in github.com/BeiiiY/SHALE at 372cef4. So "eyes" and 不是 are yes,
    "know" and "cannot" are no, and "NO" and 没有 are unclear.

    >>> parity_yes_no("I know."), parity_yes_no("不是"), parity_yes_no("NO")
    ('no', 'yes', 'unclear')
    """
    if any(word in text for word in ("Yes", "yes", "是")):
        return "yes"
    return "no" if any(word in text for word in ("No", "no", "否")) else "unclear"


def parity_option(text: str) -> str | None:
    """What SHALE's published script reads: the first of (A), (B), (C), (D), in this order, that stands anywhere.

    >>> parity_option("It is not (A); the answer is (C)."), parity_option("B")
    ('A', None)
    """
    return next((letter for letter in "ABCD" if f"({letter})" in text), None)


def _verdict(said: str, truth: str, flags: tuple[str, ...], *, how: str) -> Verdict:
    if said == "unclear":
        reason = "The answer is empty." if EMPTY in flags else "It commits to no answer that can be read."
        return Verdict(0, reason, flags=flags if EMPTY in flags else (*flags, UNCLEAR))
    if said.upper() == truth.upper():
        return Verdict(1, f"{how} {said}, which is right.", flags=flags)
    return Verdict(0, f"{how} {said}; {truth} is right.", flags=flags)

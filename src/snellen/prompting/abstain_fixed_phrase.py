"""Abstain with a fixed phrase: what cannot be answered is answered by words that are given, and by them alone.

As CharXiv asks its unanswerable questions (arXiv 2406.18521): "answer 'Not Applicable'". The phrase makes declining
easy to read, and says nothing about why.
"""

from __future__ import annotations

from snellen.convention import DEFAULT, Convention
from snellen.item import Item
from snellen.prompting._asking import asked, is_grounding, is_parsing, wording
from snellen.prompting._grounding import form
from snellen.request import Message

TITLE = "declining by a fixed phrase"

PHRASE = {"en": "Not Applicable", "zh": "不适用"}
"""What a model is told to say."""

_TOLD = {
    "en": 'If the question cannot be answered from the image, answer only "{phrase}".',
    "zh": "如果根据图像无法回答这个问题，请只回答“{phrase}”。",
}
_TOLD_PLACE = {
    "en": 'If the element is not on the screen, give no coordinates; answer only "{phrase}".',
    "zh": "如果该元素不在屏幕上，请不要给出坐标，只回答“{phrase}”。",
}


def messages(item: Item, convention: Convention = DEFAULT) -> tuple[Message, ...]:
    """One user message: every image, the question, then the phrase.

    Raises:
        UsageError: an image has no digest yet.
    """
    if is_parsing(item):
        return asked(item, form(item, convention))
    told = wording(item, _TOLD_PLACE if is_grounding(item) else _TOLD).format(phrase=wording(item, PHRASE))
    return asked(item, form(item, convention, reject=False), told)

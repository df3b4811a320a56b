"""Describe first: say what the image shows, then answer. One turn.

A description in the model's own words before the answer, without a list of parts to look for (`parse-first` and `pgp`
have one).
"""

from __future__ import annotations

from snellen.convention import DEFAULT, Convention
from snellen.item import Item
from snellen.prompting._asking import asked, is_parsing, wording
from snellen.prompting._grounding import form
from snellen.request import Message

TITLE = "describe first"

_FIRST = {
    "en": "First describe in a few sentences what the image shows, as far as it matters here. Then answer after the "
    'words "Final answer:".',
    "zh": "请先用几句话描述图像中与问题有关的内容，然后在“最终答案：”之后回答。",
}


def messages(item: Item, convention: Convention = DEFAULT) -> tuple[Message, ...]:
    """One user message: every image, the question, then both steps.

    Raises:
        UsageError: an image has no digest yet.
    """
    return asked(item, form(item, convention), "" if is_parsing(item) else wording(item, _FIRST))

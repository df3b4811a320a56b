"""Confidence: the question as in `direct`, and after the answer how sure the model is of it, from 0 to 100.

A confidence that is asked for in words, as in Lin, Hilton & Evans 2022 (arXiv 2205.14334) and Tian et al. 2023 (arXiv
2305.14975). It is taken off the answer before that is judged.
"""

from __future__ import annotations

from collections.abc import Mapping

from snellen.convention import DEFAULT, Convention
from snellen.item import Item
from snellen.prompting._asking import asked, is_parsing, wording
from snellen.prompting._grounding import form
from snellen.request import Message

TITLE = "with a confidence"

CONFIDENCE: Mapping[str, float] = {}
"""Words on the scale that the prompt offers, beside its numbers; a prompt without this asks for no confidence."""

_ASKED = {
    "en": "After the answer, write on a line of its own how sure you are that it is right, from 0 (a guess) to 100 "
    '(certain), in this form:\nConfidence: N\nwhere "N" is your number.',
    "zh": "回答之后，请另起一行写出你对该回答正确的把握，取值 0（纯属猜测）到 100（完全确定），格式为：\n置信度：N\n"
    "其中“N”是你给出的数字。",
}


def messages(item: Item, convention: Convention = DEFAULT) -> tuple[Message, ...]:
    """One user message: every image, the question, then what to say of one's confidence; lists of elements have none.

    Raises:
        UsageError: an image has no digest yet.
    """
    return asked(item, form(item, convention), "" if is_parsing(item) else wording(item, _ASKED))

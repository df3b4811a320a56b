"""Confidence in words: as `confidence`, on a scale of five words.

Models that are asked for numbers like to say 90 or 95 whatever they answer; words leave less to choose from (Tian et
al. 2023, arXiv 2305.14975).
"""

from __future__ import annotations

from collections.abc import Mapping

from snellen.convention import DEFAULT, Convention
from snellen.item import Item
from snellen.prompting._asking import asked, is_parsing, wording
from snellen.prompting._grounding import form
from snellen.request import Message

TITLE = "with a confidence in words"

_MIDDLES = (0.1, 0.3, 0.5, 0.7, 0.9)

CONFIDENCE: Mapping[str, float] = {
    **dict(zip(("very low", "low", "medium", "high", "very high"), _MIDDLES, strict=True)),
    **dict(zip(("很低", "低", "中", "高", "很高"), _MIDDLES, strict=True)),
}
"""The words of the scale: the middles of five equal parts of it."""

_ASKED = {
    "en": "After the answer, write on a line of its own how sure you are that it is right, in this form:\n"
    'Confidence: WORD\nwhere "WORD" is one of: very low (0 to 20 %), low (20 to 40 %), medium (40 to 60 %), high '
    "(60 to 80 %), very high (80 to 100 %).",
    "zh": "回答之后，请另起一行写出你对该回答正确的把握，格式为：\n置信度：词\n"
    "其中“词”是以下之一：很低（0 到 20 %）、低（20 到 40 %）、中（40 到 60 %）、高（60 到 80 %）、"
    "很高（80 到 100 %）。",
}


def messages(item: Item, convention: Convention = DEFAULT) -> tuple[Message, ...]:
    """One user message: every image, the question, then what to say of one's confidence; lists of elements have none.

    Raises:
        UsageError: an image has no digest yet.
    """
    return asked(item, form(item, convention), "" if is_parsing(item) else wording(item, _ASKED))

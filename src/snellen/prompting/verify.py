"""Verify: answer, check each claim against the image, revise. One turn.

After chain-of-verification (arXiv 2309.11495), without its further turns: what needs an earlier answer is a second run
that is built from a finished one.
"""

from __future__ import annotations

from snellen.convention import DEFAULT, Convention
from snellen.item import Item
from snellen.prompting._asking import asked, is_parsing, wording
from snellen.prompting._grounding import form
from snellen.request import Message

TITLE = "answer, check, revise"

_STEPS = {
    "en": "Work in three steps.\nStep 1: write a first answer.\nStep 2: list each claim that it makes or assumes, and "
    "check each one against the image: is it really there?\nStep 3: correct what does not hold, and write the revised "
    'answer after the words "Final answer:".',
    "zh": "请分三步完成。\n第一步：写出初步答案。\n第二步：逐条列出该答案所作或所依赖的断言，并对照图像逐条检查："
    "它真的在图中吗？\n第三步：改正不成立的内容，并在“最终答案：”之后写出修订后的答案。",
}


def messages(item: Item, convention: Convention = DEFAULT) -> tuple[Message, ...]:
    """One user message: every image, the question, then the three steps.

    Raises:
        UsageError: an image has no digest yet.
    """
    return asked(item, form(item, convention), "" if is_parsing(item) else wording(item, _STEPS))

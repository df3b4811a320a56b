"""Abstain: declining is allowed, and explained.

The question stands as in `direct`; what follows it says when not to answer. On screens that permission is part of
`direct` already, and is put more strongly here.
"""

from __future__ import annotations

from snellen.convention import DEFAULT, Convention
from snellen.item import Item
from snellen.prompting._asking import asked, is_grounding, is_parsing, wording
from snellen.prompting._grounding import form
from snellen.request import Message

TITLE = "declining allowed"

_ALLOWED = {
    "en": "Answer only from what the image shows. If it does not show what is needed, if the question assumes "
    "something that the image contradicts, or if the question has nothing to do with the image, do not guess: say so, "
    "and say why.",
    "zh": "只根据图像显示的内容回答。如果图像没有给出所需的信息、问题的前提与图像矛盾，或者问题与图像无关，"
    "请不要猜测：请直接说明，并说明原因。",
}
_ALLOWED_PLACE = {
    "en": "Do not point at what merely looks alike or means nearly the same: a wrong place is worse "
    "than none. Where you decline, you may add why.",
    "zh": "不要指向只是外观相似或含义相近的元素：给出错误的位置比不给出更糟。拒绝时可以说明原因。",
}


def messages(item: Item, convention: Convention = DEFAULT) -> tuple[Message, ...]:
    """One user message: every image, the question, then when to decline.

    Raises:
        UsageError: an image has no digest yet.
    """
    if is_parsing(item):
        return asked(item, form(item, convention))
    return asked(item, form(item, convention), wording(item, _ALLOWED_PLACE if is_grounding(item) else _ALLOWED))

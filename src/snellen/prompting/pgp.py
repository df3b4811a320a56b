"""Parsing-guided prompting: list what is on the screen first, then take the target from the list. One turn.

GUI-HalluBench (CVPR 2026): the model first lists every icon and text with its meaning and coordinates, then gives the
target's coordinates from that list. The wording is ours; the paper describes it, and reports parsing scores unchanged,
so the parsing task is asked as `direct` asks it.
"""

from __future__ import annotations

from snellen.convention import DEFAULT, Convention
from snellen.item import Item
from snellen.prompting._asking import asked, is_grounding, wording
from snellen.prompting._grounding import elements, form
from snellen.request import Message

TITLE = "parsing-guided"
DOMAINS = ("screen",)

_FIRST = {
    "en": "Work in two steps.\nStep 1: list every icon and every text on the screen. {elements}\n"
    "Step 2: choose from your list the element that the instruction is about, and write after the words "
    '"Final answer:". {target} If no element of your list is what the instruction names, it is not on the screen.',
    "zh": "请分两步完成。\n第一步：列出屏幕上的每个图标和每段文字。{elements}\n"
    "第二步：从你的列表中选出这条指令所指的元素，写在“最终答案：”之后。{target}"
    "如果列表中没有指令所说的元素，它就不在屏幕上。",
}


def messages(item: Item, convention: Convention = DEFAULT) -> tuple[Message, ...]:
    """One user message: every image, the instruction, then both steps.

    Raises:
        UsageError: an image has no digest yet.
    """
    if not is_grounding(item):
        return asked(item, form(item, convention))
    listed, target = elements(item, convention), form(item, convention)
    return asked(item, wording(item, _FIRST).format(elements=listed, target=target))

"""Parse first: read the chart or table off the image before answering, then answer from what was read. One turn.

For charts and pictures of tables what parsing-guided prompting is for screens (GUI-HalluBench, CVPR 2026): title, axes,
legend, series and readable values come first, and the answer is taken from that list, so that what is not in it is seen
to be missing.
"""

from __future__ import annotations

from snellen.convention import DEFAULT, Convention
from snellen.item import Item
from snellen.prompting._asking import asked, wording
from snellen.request import Message

TITLE = "parse first"
DOMAINS = ("chart",)

_FIRST = {
    "en": "Work in two steps.\nStep 1: write down what the image shows: its title, the axes with their labels and "
    "ranges, the legend, every series (or every row and column of a table), and the values that can be read. Write "
    '"not given" for what is missing.\nStep 2: after the words "Final answer:", answer the question from what you '
    "wrote down.",
    "zh": "请分两步完成。\n第一步：写下图中的内容：标题、各坐标轴的名称与范围、图例、每个系列（表格则为每行每列），"
    "以及能够读出的数值。缺少的写“未给出”。\n第二步：在“最终答案：”之后，根据你写下的内容回答问题。",
}


def messages(item: Item, convention: Convention = DEFAULT) -> tuple[Message, ...]:
    """One user message: every image, the question, then both steps.

    Raises:
        UsageError: an image has no digest yet.
    """
    return asked(item, wording(item, _FIRST))

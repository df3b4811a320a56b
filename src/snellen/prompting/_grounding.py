"""How a model is told to write places: in its own convention, and how to say that a target is not there.

Direct asking gives permission to decline here, unlike elsewhere: a rejection rate means nothing where a model was never
told that it may reject. The sentence that rejects stands in the prompt, so that every model has the same words for it.
"""

from __future__ import annotations

from snellen.convention import Convention
from snellen.item import Item
from snellen.prompting._asking import is_grounding, is_parsing, wording

ABSENT = {"en": "The target is not on the screen.", "zh": "目标不存在。"}
"""The sentence by which a model is told to reject."""

_BOXES = {
    "xyxy": "[x1, y1, x2, y2]",
    "yxyx": "[y1, x1, y2, x2]",
    "xywh": "[x, y, width, height]",
    "cxcywh": "[center_x, center_y, width, height]",
}
_POINTS = {"xy": "[x, y]", "yx": "[y, x]"}
_UNITS = {
    "en": {
        "fraction": "as fractions of the image's width and height, from 0 to 1",
        "percent": "in percent of the image's width and height, from 0 to 100",
        "thousand": "in thousandths of the image's width and height, from 0 to 1000",
        "pixels": "in pixels of the image, from its top left corner",
    },
    "zh": {
        "fraction": "以图像宽度和高度的比例表示，取值 0 到 1",
        "percent": "以图像宽度和高度的百分数表示，取值 0 到 100",
        "thousand": "以图像宽度和高度的千分之几表示，取值 0 到 1000",
        "pixels": "以图像像素为单位，从左上角算起",
    },
}
_TARGET = {
    "en": "Find the element on the screen that the instruction is about. Answer with its bounding box as JSON, "
    '{{"bbox_2d": {box}}}, or with a point inside it, {{"point_2d": {point}}}; coordinates {unit}.',
    "zh": '请在屏幕上找到这条指令所指的元素，用 JSON 给出它的边界框 {{"bbox_2d": {box}}}，'
    '或其中的一个点 {{"point_2d": {point}}}；坐标{unit}。',
}
_REJECT = {
    "en": 'The element may be absent. If it is not on the screen, give no coordinates; answer only: "{absent}"',
    "zh": "该元素可能不存在。如果屏幕上没有它，请不要给出坐标，只回答：“{absent}”",
}
_ELEMENTS = {
    "en": "Answer with a JSON list that has one object for each element: "
    '{{"type": "icon", "text", "button", "image" or "input", "description": what it says or what it is for, '
    '"bbox_2d": {box}}}; coordinates {unit}. List only what is really there.',
    "zh": '请用 JSON 列表回答，每个元素一个对象：{{"type": "icon"、"text"、"button"、"image" 或 "input"，'
    '"description": 它显示的文字或用途，"bbox_2d": {box}}}；坐标{unit}。只列出确实存在的元素。',
}


def form(item: Item, convention: Convention, *, reject: bool = True) -> str:
    """How to write the answer where places are asked for; empty for any other item.

    Args:
        item: grounding or parsing, by its reference.
        convention: of the model.
        reject: whether declining is offered where a target is asked for.
    """
    if is_parsing(item):
        return elements(item, convention)
    if not is_grounding(item):
        return ""
    text = wording(item, _TARGET).format(**_format(item, convention))
    if not reject:
        return text
    rejecting = wording(item, _REJECT).format(absent=wording(item, ABSENT))
    return f"{text}{'' if item.language == 'zh' else ' '}{rejecting}"


def elements(item: Item, convention: Convention) -> str:
    """How to write a list of elements."""
    return wording(item, _ELEMENTS).format(**_format(item, convention))


def _format(item: Item, convention: Convention) -> dict[str, str]:
    # A model cannot tell which of several sizes a picture had on its way: to it, pixels are those of what it sees.
    unit = convention.unit if convention.unit in _UNITS["en"] else "pixels"
    return {
        "box": _BOXES[convention.boxes],
        "point": _POINTS[convention.points],
        "unit": _UNITS.get(item.language, _UNITS["en"])[unit],
    }

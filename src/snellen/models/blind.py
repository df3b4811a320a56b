"""A model that never looks: it answers from the question alone, confidently, in the question's language.

What it scores is what guessing scores. It repeats a premise, takes a term or a number from the question or invents a
number, picks one of the options that it is offered, and never declines. The same question always gets the same answer.

Where a prompt asks for a place on a screen, it draws one from the instruction, and rejects every other instruction if
the prompt offers that. A prompt that wants pixels does not say how many there are, and it does not look: its places lie
within the first 720 x 720, which nearly every screen has. Asked for all elements, it lists what many screens have.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable

from snellen.errors import ModelError
from snellen.models._screen_form import Form, form
from snellen.request import Request

FAMILY = "embedded"

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_OPEN = re.compile(
    r"\b(why|explain|explains|reasons?|might|could|what drives|how (did|do|does|will|would|has|have))\b"
    r"|为什么|为何|可能|原因|因素|影响|怎样|如何|说明",
    re.IGNORECASE,
)
_CHOICE = re.compile(r"\b(which|who|what (color|colour|kind|type)|in which|where)\b|哪", re.IGNORECASE)
_YES_NO = re.compile(
    r"^\s*(is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b.*\?\s*$|(吗|是不是|是否)",
    re.IGNORECASE | re.DOTALL,
)
_OPTION = re.compile(r"(?:^|[\s(（])([A-H])\s?[).）、:：.．]\s*\S", re.MULTILINE)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_TERM = re.compile(r"(?<=[a-z,;:] )[A-Z][\w'-]*(?: [A-Z][\w'-]*)*")
_CHINESE_TERM = re.compile(r"(?:^|[，。；：、图中])([\u3400-\u9fff]{2,4}?)(?=的|在|比|高|低|是|与|和)")
_FALLBACK = ("the first one", "第一个")


def answer(request: Request, load: Callable[[str], bytes], argument: str = "") -> str:
    """A plausible answer that depends on nothing but the question; `load` is never called.

    Raises:
        ModelError: it was given an argument, of which it has no use.
    """
    if argument:
        raise ModelError("embedded", f"blind takes no argument, not {argument!r}: write --model blind")
    question = request.text("question") or request.text()
    chinese = bool(_CHINESE.search(question))
    draw = int.from_bytes(hashlib.sha256(question.encode("utf-8", "surrogatepass")).digest()[:8])
    if (asked := form(request)) is not None:
        return _on_screen(draw, asked)
    letters = sorted(set(_OPTION.findall(question)))
    if len(letters) > 1:
        return f"({letters[draw % len(letters)]})"
    if _YES_NO.search(question):
        return "是。" if chinese else "Yes."
    if _OPEN.search(question):
        return _OPENINGS[chinese][draw % len(_OPENINGS[chinese])]
    if _CHOICE.search(question):
        terms = _CHINESE_TERM.findall(question) if chinese else _TERM.findall(question)
        term = terms[draw % len(terms)] if terms else _FALLBACK[chinese]
        return f"是{term}。" if chinese else f"It is {term}."
    numbers = _NUMBER.findall(question)
    # every third time a number from the question, else an invented one of a usual size
    value = numbers[draw % len(numbers)] if numbers and draw % 3 == 0 else str((draw >> 8) % 19 * 5 + 5)
    return f"是{value}。" if chinese else f"It is {value}."


def _on_screen(draw: int, asked: Form) -> str:
    size = (_SIDE, _SIDE)
    if asked.target:
        if asked.reject and draw % 2:
            return asked.ended(asked.reject)
        return asked.point((draw >> 8) % _SIDE, (draw >> 32) % _SIDE, size)
    usual = [
        {"type": kind, "description": names[asked.chinese], "bbox_2d": asked.box(*edges, size)}
        for kind, names, edges in _USUAL
    ]
    return json.dumps(usual, ensure_ascii=False)


_SIDE = 720
_USUAL = (
    ("icon", ("Back", "返回"), (10, 10, 50, 50)),
    ("text", ("Title", "标题"), (70, 10, 300, 50)),
    ("input", ("Search", "搜索"), (10, 70, 710, 120)),
    ("button", ("Continue", "继续"), (10, 640, 710, 700)),
)
_OPENINGS = (
    (
        "This is due to a steady growth in demand, supported by better technology and favorable policy.",
        "The main reason is a change in people's habits, together with lower costs.",
        "It is caused by seasonal effects and by stronger competition.",
    ),
    (
        "这是由于需求持续增长，加上技术进步和政策支持。",
        "主要原因是人们的习惯发生了变化，同时成本有所下降。",
        "这是季节因素和竞争加剧造成的。",
    ),
)

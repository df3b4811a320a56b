"""What a prompt on a screen asks for, read off its wording: a target or a list, in which form, and how to reject.

A model that follows its prompt needs no more. `snellen.prompting` writes the wording; nothing of it is known here but
what any reader sees: ``bbox_2d`` with the order of its numbers, their unit, and the sentence that is to be quoted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from snellen.request import Request

_ORDERS = {
    "[x1, y1, x2, y2]": "xyxy",
    "[y1, x1, y2, x2]": "yxyx",
    "[x, y, width, height]": "xywh",
    "[center_x, center_y, width, height]": "cxcywh",
}
_BOX = re.compile(rf'"bbox_2d": ({"|".join(map(re.escape, _ORDERS))})')  # never the numbers of a list that is given
_POINT = re.compile(r'"point_2d": \[(x, y|y, x)\]')
_UNIT = re.compile(r"(?:from|取值) 0 (?:to|到) (1000|100|1)\b")
_REJECT = re.compile(r'answer only:? "([^"]+)"|只回答[:：]?\s*“([^”]+)”')
_FINAL = re.compile(r'"(Final answer:)"|“(最终答案：)”')
_CHINESE = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Form:
    """How an answer is to be written.

    Attributes:
        target: whether a target is asked for; else a list of all elements.
        listed: whether a list is to come before the target.
        order: of a box's numbers: ``xyxy``, ``yxyx``, ``xywh`` or ``cxcywh``.
        swapped: whether a point's y comes first.
        full: what the image's sides are: 1, 100 or 1000; 0 for pixels.
        reject: the sentence that rejects; empty where rejecting is not offered.
        final: the words before the answer, where such are asked for.
        chinese: whether the wording is.
    """

    target: bool
    listed: bool = False
    order: str = "xyxy"
    swapped: bool = False
    full: int = 0
    reject: str = ""
    final: str = ""
    chinese: bool = False

    def box(self, left: float, top: float, right: float, bottom: float, size: tuple[int, int]) -> list[float]:
        """Edges in pixels of an image of a size -> the numbers to write."""
        x1, x2 = self._number(left, size[0]), self._number(right, size[0])
        y1, y2 = self._number(top, size[1]), self._number(bottom, size[1])
        return {
            "xyxy": [x1, y1, x2, y2],
            "yxyx": [y1, x1, y2, x2],
            "xywh": [x1, y1, self._round(x2 - x1), self._round(y2 - y1)],
            "cxcywh": [(x1 + x2) / 2, (y1 + y2) / 2, self._round(x2 - x1), self._round(y2 - y1)],
        }[self.order]

    def edges(self, numbers: Sequence[float]) -> tuple[float, float, float, float]:
        """Four numbers as this form has them -> (left, top, right, bottom), in the same unit."""
        a, b, c, d = numbers
        if self.order == "yxyx":
            return b, a, d, c
        if self.order == "xywh":
            return a, b, a + c, b + d
        return (a, b, c, d) if self.order == "xyxy" else (a - c / 2, b - d / 2, a + c / 2, b + d / 2)

    def point(self, x: float, y: float, size: tuple[int, int]) -> str:
        """A point in pixels of an image of a size, as an answer."""
        place = [self._number(x, size[0]), self._number(y, size[1])]
        return self.ended(json.dumps({"point_2d": place[::-1] if self.swapped else place}))

    def ended(self, answer: str, before: Iterable[str] = ()) -> str:
        """An answer after the words that are to come before it."""
        return "\n".join((*before, f"{self.final} {answer}" if self.final else answer))

    def _number(self, value: float, side: int) -> float:
        # Within the image: an outline may touch its edge, and a place beyond is none.
        value = min(max(value, 0), side)
        return self._round(value / side * self.full) if self.full else self._round(value)

    def _round(self, value: float) -> float:
        return round(value, 4) if self.full == 1 else round(value, 1) if self.full == 100 else round(value)


def form(request: Request) -> Form | None:
    """The form that a request's frame asks for; None where it asks for no place."""
    frame = request.text("frame")
    box = _BOX.search(frame)
    if box is None:
        return None
    point, unit = _POINT.search(frame), _UNIT.search(frame)
    reject, final = _REJECT.search(frame), _FINAL.search(frame)
    return Form(
        target=point is not None,
        listed=point is not None and len(_BOX.findall(frame)) > 1,
        order=_ORDERS[box[1]],
        swapped=point is not None and point[1] == "y, x",
        full=int(unit[1]) if unit else 0,
        reject=next(filter(None, reject.groups()), "") if reject else "",
        final=next(filter(None, final.groups()), "") if final else "",
        chinese=bool(_CHINESE.search(frame)),
    )

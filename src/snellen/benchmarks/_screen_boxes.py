"""Boxes of truth files: read in the form that is declared for their layout, never in another one that would fit too."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.box import Box
from snellen.errors import DataError
from snellen.json_file import shown

ORDERS = ("xyxy", "xywh", "cxcywh", "yxyx")
"""Orders of four numbers: edges, corner and size, centre and size, edges with the vertical ones first."""

UNITS: Mapping[str, float] = {"pixels": 0, "fraction": 1, "percent": 100, "thousand": 1000}
"""Unit -> what a whole side comes to in it; pixels have none of their own."""

EDGE = 0.01
"""Share of a side by which a box may reach past the image, as rounding and detectors make it: it is kept as it is."""

_EDGE_PIXELS = 2


@dataclass(frozen=True, slots=True)
class Form:
    """How a file writes boxes.

    Attributes:
        order: one of `ORDERS`.
        unit: one of `UNITS`: pixels of the upright original, or shares of its sides.
    """

    order: str
    unit: str

    def __str__(self) -> str:
        return f"{self.order} in {self.unit}" if self.unit == "pixels" else f"{self.order} as {self.unit}"

    @property
    def declared(self) -> str:
        """As a declaration that `form_of` reads."""
        return f'{{"boxes": "{self.order}", "unit": "{self.unit}"}}'

    def edges(self, values: Sequence[float]) -> tuple[float, float, float, float]:
        """(left, top, right, bottom) in the form's unit, unchecked."""
        a, b, c, d = values
        if self.order == "xywh":
            return a, b, a + c, b + d
        if self.order == "cxcywh":
            return a - c / 2, b - d / 2, a + c / 2, b + d / 2
        return (b, a, d, c) if self.order == "yxyx" else (a, b, c, d)

    def unfit(self, values: Sequence[float], size: tuple[int, int] | None) -> str:
        """Why four numbers are no box of this form in an image of that size; empty where they are one."""
        left, top, right, bottom = self.edges(values)
        if right < left or bottom < top:
            return "it is inverted: right lies left of left, or bottom above top"
        if right == left or bottom == top:
            return "it has no area"
        full = UNITS[self.unit]
        if not full and max(values) <= 1:
            return "all of it lies within one pixel"
        limits = (full, full) if full else size
        if limits is None:
            if left < -_EDGE_PIXELS or top < -_EDGE_PIXELS:
                return "it begins outside the image"
            return ""
        for low, high, limit in ((left, right, limits[0]), (top, bottom, limits[1])):
            past = limit * EDGE if full else max(_EDGE_PIXELS, limit * EDGE)
            if low < -past or high > limit + past:
                what = f"the image, which has {size[0]} x {size[1]} pixels" if size else "the image"
                return f"it lies outside {what}" if low >= limit or high <= 0 else f"it leaves {what}"
        return ""


_SUGGESTED = tuple(Form(order, unit) for unit in ("pixels", "fraction") for order in ("xyxy", "xywh"))


def form_of(layout: Any) -> Form:
    """The form that a declaration ``{"boxes": "xywh", "unit": "pixels"}`` names.

    Raises:
        DataError: it is none, with what can be declared.
    """
    fields = dict(layout) if isinstance(layout, tuple | Mapping) else {}
    order, unit = fields.get("boxes"), fields.get("unit")
    if set(fields) != {"boxes", "unit"} or order not in ORDERS or unit not in tuple(UNITS):
        raise DataError(
            'must be {"boxes": ..., "unit": ...} and nothing else, with boxes one of '
            f"{', '.join(ORDERS)} and unit one of {', '.join(UNITS)}"
        )
    return Form(str(order), str(unit))


def read_box(value: Any, form: Form, size: tuple[int, int] | None, name: str, mend: str) -> Box:
    """A box of a truth file, in pixels of the upright original.

    Args:
        value: what stands in the file.
        form: as declared for it.
        size: (width, height) of the image in pixels; None where it is not known, so that less can be checked.
        name: of the field, for messages.
        mend: what to do where the numbers fit another form, as the end of a sentence; ``FORM`` in it stands for the
            declaration of that form.

    Raises:
        DataError: these are not four finite numbers, or no box of the form in the image. Nothing is clamped or turned.
    """
    values = _numbers(value, name)
    if reason := form.unfit(values, size):
        spelt = "[" + ", ".join(f"{number:g}" for number in values) + "]"
        what = f"{name} is {spelt}, and read as {form} {reason}"
        other = next((each for each in _SUGGESTED if not each.unfit(values, size)), None)
        if other is None:
            raise DataError(f"{what}; mend the row")
        raise DataError(f"{what}; these look like {other}: {mend.replace('FORM', other.declared)}")
    left, top, right, bottom = form.edges(values)
    if form.unit == "pixels":
        return Box(left, top, right, bottom)
    if size is None:
        raise DataError(f"{name} is given as {form}, and the image is missing or unreadable, so it cannot be placed")
    x, y = size[0] / UNITS[form.unit], size[1] / UNITS[form.unit]
    return Box(left * x, top * y, right * x, bottom * y)


def _numbers(value: Any, name: str) -> tuple[float, ...]:
    if not isinstance(value, list) or len(value) != 4:
        given = f"a list of {len(value)}" if isinstance(value, list) else shown(value)
        raise DataError(f"{name} is {given}, not a list of four numbers; mend the row")
    found = []
    for number in value:
        try:
            if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
                raise ValueError
            found.append(float(number))
        except (ValueError, OverflowError):
            raise DataError(f"{name} holds {shown(number)}, which is no finite number; mend the row") from None
    return tuple(found)

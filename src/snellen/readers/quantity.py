"""One number in a text: where it stands, what it is worth, in which unit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as a text states it.

    Attributes:
        value: the number, scale words and powers worked in ("1.5 million" is 1500000.0); of an interval its middle.
        low, high: the ends of an interval; both equal `value` for a point. ``low <= value <= high``.
        unit: normalised ("%", "USD", "s", "km", "x" for times, "year" for a calendar year); "" where none is stated.
            A percentage keeps its number: "48 %" is 48.0 with the unit "%".
        span: start and end offset in the text, sign, currency and unit included.
    """

    value: float
    low: float
    high: float
    unit: str
    span: tuple[int, int]

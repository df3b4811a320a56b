"""Placement: where a change that leaves upright boxes upright put what an image shows, so that truths can follow.

A perturbation that scales or cuts has a function ``placement`` with the arguments of its ``change``, but with width
and height in the image's stead; from a generator in the same state it draws the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from snellen.box import Box


@dataclass(frozen=True, slots=True)
class Placement:
    """From pixels of an image to pixels of the changed one.

    Attributes:
        scale: factors of x and y.
        shift: added to x and y after scaling.
        size: width and height of the changed image.
    """

    scale: tuple[float, float]
    shift: tuple[float, float]
    size: tuple[int, int]

    @classmethod
    def from_json(cls, data: Sequence[float]) -> Placement:
        """The inverse of `to_json`."""
        scale_x, scale_y, shift_x, shift_y, width, height = data
        return cls((scale_x, scale_y), (shift_x, shift_y), (int(width), int(height)))

    def to_json(self) -> list[float]:
        """Six numbers."""
        return [*self.scale, *self.shift, *self.size]

    def then(self, other: Placement) -> Placement:
        """This one, and another one after it.

        >>> Placement((0.5, 0.5), (0, 0), (20, 10)).then(Placement((1, 1), (-3, 0), (14, 10)))
        Placement(scale=(0.5, 0.5), shift=(-3.0, 0.0), size=(14, 10))
        """
        (a, b), (c, d), (x, y) = self.scale, other.scale, self.shift
        return Placement((a * c, b * d), (x * c + other.shift[0], y * d + other.shift[1]), other.size)

    def box(self, box: Box) -> Box:
        """Where a box lies now; what was cut off lies outside the image."""
        (a, b), (x, y) = self.scale, self.shift
        return Box(box.left * a + x, box.top * b + y, box.right * a + x, box.bottom * b + y)

    def visible(self, box: Box) -> Box | None:
        """What is left of a box within the image; None where that is nothing."""
        found, (width, height) = self.box(box), self.size
        left, top = max(0.0, found.left), max(0.0, found.top)
        right, bottom = min(float(width), found.right), min(float(height), found.bottom)
        return Box(left, top, right, bottom) if left < right and top < bottom else None

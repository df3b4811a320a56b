"""Box: an upright rectangle on an image, in pixels of the original bytes, turned as EXIF says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle; `right` and `bottom` are the first coordinates outside.

    Attributes:
        left, top, right, bottom: in pixels of the upright original, from its top left corner.
    """

    left: float
    top: float
    right: float
    bottom: float

    @property
    def area(self) -> float:
        """In square pixels; 0 for a box that is turned inside out."""
        return max(0.0, self.right - self.left) * max(0.0, self.bottom - self.top)

    @property
    def centre(self) -> tuple[float, float]:
        """(x, y) of its middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def contains(self, x: float, y: float) -> bool:
        """Whether a point lies in it; its own edges count, so that a click on the last pixel is a hit."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def iou(self, other: Box) -> float:
        """Intersection over union, from 0 to 1; 0 where both are without area.

        >>> Box(0, 0, 2, 2).iou(Box(1, 0, 3, 2))
        0.3333333333333333
        """
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        if width <= 0 or height <= 0:
            return 0.0
        common = width * height
        return common / (self.area + other.area - common)

"""What a model can take of images: the limits that a user declares for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from snellen.errors import UsageError
from snellen.image_headers import MEDIA_TYPES
from snellen.image_pixels import MOST_DECODED_PIXELS

_LIMITS = ("max_side", "max_pixels", "max_base64_bytes", "min_side")
_ALIASES = {"jpg": "jpeg", "tif": "tiff"}
WRITTEN_FORMATS = ("png", "jpeg", "webp")
"""What a converted image can be written as."""

_SMALLEST_LIMIT = 4096


def base64_length(size: int) -> int:
    """Characters that `size` bytes take in base64, padding included.

    >>> base64_length(4)
    8
    """
    return (size + 2) // 3 * 4


@dataclass(frozen=True, slots=True)
class ImagePolicy:
    """What a model can take. None is no limit; what lies within is sent as it is.

    Attributes:
        max_side: pixels of the longer side; larger images are scaled down (Lanczos), their proportions kept.
        max_pixels: width times height, likewise.
        max_base64_bytes: length of the image in base64 as it stands in the request, at least 4096; met by a JPEG of
            quality 95 down to 70, and then by scaling down.
        min_side: pixels of the shorter side; smaller images are padded with white on the right and below. No
            padding unless it is declared; models that merge 28-pixel patches (Qwen2-VL and 2.5-VL) need 28.
        formats: that the server reads. At least one of png, jpeg and webp, for what has to be converted.

    Raises:
        UsageError: for a limit below 1 or at odds with another, or an unknown format.
    """

    max_side: int | None = None
    max_pixels: int | None = None
    max_base64_bytes: int | None = None
    min_side: int | None = None
    formats: tuple[str, ...] = ("gif", "jpeg", "png", "webp")

    def __post_init__(self) -> None:
        for key in _LIMITS:
            value = getattr(self, key)
            least = _SMALLEST_LIMIT if key == "max_base64_bytes" else 1
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < least):
                raise UsageError(f"image limit {key} = {value!r}: it must be a whole number of at least {least}")
        if self.min_side is not None:
            if self.max_side is not None and self.min_side > self.max_side:
                raise UsageError(f"image limits: min_side {self.min_side} is above max_side {self.max_side}")
            if self.max_pixels is not None and self.min_side**2 > self.max_pixels:
                what = f"min_side {self.min_side} squared is above max_pixels {self.max_pixels}"
                raise UsageError(f"image limits: {what}")
            if self.min_side**2 > MOST_DECODED_PIXELS:
                raise UsageError(f"image limits: min_side {self.min_side} makes images of more pixels than are decoded")
        if not isinstance(self.formats, (tuple, list)) or not all(isinstance(name, str) for name in self.formats):
            raise UsageError(f"image limit formats = {self.formats!r}: it must be a list of names")
        names = {_ALIASES.get(name.lower(), name.lower()) for name in self.formats}
        if unknown := sorted(names - MEDIA_TYPES.keys()):
            raise UsageError(f"image limit formats: {', '.join(unknown)} unknown; there are {', '.join(MEDIA_TYPES)}")
        if not names & set(WRITTEN_FORMATS):
            raise UsageError("image limit formats: name at least one of png, jpeg and webp, for what must be converted")
        object.__setattr__(self, "formats", tuple(sorted(names)))

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, Any]) -> ImagePolicy:
        """From the ``image_limits`` of a model in ``models.toml``; the keys are the attributes above.

        Raises:
            UsageError: for unknown keys and for values that make no sense.
        """
        if not isinstance(mapping, Mapping):
            raise UsageError(f"image_limits = {mapping!r}: it must be a table, such as {{ max_side = 2000 }}")
        if unknown := sorted(str(key) for key in mapping if key not in (*_LIMITS, "formats")):
            known = ", ".join((*_LIMITS, "formats"))
            raise UsageError(f"image_limits: {', '.join(unknown)} unknown; there are {known}")
        values = dict(mapping)
        formats = values.pop("formats", cls().formats)
        if not isinstance(formats, (list, tuple)):
            raise UsageError(f"image limit formats = {formats!r}: it must be a list of names")
        return cls(**values, formats=tuple(formats))

    @property
    def name(self) -> str:
        """The limits that are set, spelt in a fixed order; it goes into the keys of requests."""
        limits = [f"{key}={getattr(self, key)}" for key in _LIMITS if getattr(self, key) is not None]
        return ",".join([f"formats={'+'.join(self.formats)}", *limits])

    def fits(self, width: int, height: int) -> bool:
        """Whether an image of this size is within `max_side` and `max_pixels`."""
        within_side = self.max_side is None or max(width, height) <= self.max_side
        return within_side and (self.max_pixels is None or width * height <= self.max_pixels)

    def canvas(self, width: int, height: int) -> tuple[int, int]:
        """The size after padding to `min_side`."""
        least = self.min_side or 1
        return max(width, least), max(height, least)

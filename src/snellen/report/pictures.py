"""Items' images made small enough to stand in one file, each embedded once however many examples show it."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from dataclasses import dataclass

from snellen.errors import SnellenError
from snellen.report.text import one_line

SIDE = 700
"""Longest side of an embedded picture in pixels."""

_PIXELS = 80_000_000
_JPEG_QUALITY = 82


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the report.

    Attributes:
        key: its id within the page: ``picture-3``; empty where it cannot be shown.
        uri: a ``data:`` URI; empty where it cannot be shown.
        width: in pixels, as embedded.
        height: in pixels, as embedded.
        note: why it cannot be shown; empty where it can.
    """

    key: str
    uri: str = ""
    width: int = 0
    height: int = 0
    note: str = ""


def shrink(data: bytes) -> tuple[str, int, int, str]:
    """``(data URI, width, height, note)`` of an image, made as `small` makes it.

    Raises:
        ImageError: the bytes cannot be shown.
    """
    media_type, encoded, width, height, note = small(data)
    uri = f"data:{media_type};base64,{base64.b64encode(encoded).decode('ascii')}" if encoded else ""
    return uri, width, height, note


def small(data: bytes) -> tuple[str, bytes, int, int, str]:
    """``(media type, bytes, width, height, note)`` of an image of at most `SIDE` pixels a side, always encoded anew.

    Encoding anew leaves metadata and whatever else hides in the original behind. Of PNG and JPEG the smaller is taken.

    Raises:
        ImageError: the bytes cannot be shown.
    """
    from PIL import Image

    from snellen import images

    info = images.identify(data)
    if info.width * info.height > _PIXELS:
        return "", b"", 0, 0, f"The picture ({info.width} × {info.height} pixels) is too large to be shown here."
    picture = images.canonical(data)
    picture.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)  # never enlarges
    png, jpeg = io.BytesIO(), io.BytesIO()
    picture.save(png, "PNG", compress_level=6)
    picture.save(jpeg, "JPEG", quality=_JPEG_QUALITY, subsampling=0, optimize=True)
    candidates = (("image/png", png.getvalue()), ("image/jpeg", jpeg.getvalue()))
    media_type, encoded = min(candidates, key=lambda candidate: len(candidate[1]))
    return media_type, encoded, picture.width, picture.height, ""


class Album:
    """The pictures of one report, by digest."""

    def __init__(self) -> None:
        self._pictures: dict[str, Picture] = {}

    def add(self, sha256: str, load: Callable[[str], bytes | None]) -> Picture:
        """The picture of a digest, loaded and shrunk when it is first asked for; never raises for a bad image.

        What cannot be shown is not remembered: another run may still have it.
        """
        if sha256 in self._pictures:
            return self._pictures[sha256]
        if not sha256:
            return Picture(key="", note="The picture was never read; the verdict says why.")
        try:
            data = load(sha256)
            if data is None:
                return Picture(key="", note=f"The picture is no longer in the workspace (SHA-256 {sha256[:16]}…).")
            uri, width, height, note = shrink(data)
        except (SnellenError, OSError) as error:
            return Picture(key="", note=f"The picture cannot be shown: {one_line(str(error), 300)}")
        if not uri:
            return Picture(key="", note=note)
        picture = Picture(f"picture-{len(self._pictures) + 1}", uri, width, height, note)
        self._pictures[sha256] = picture
        return picture

    @property
    def embedded(self) -> list[Picture]:
        """All pictures that have bytes, in the order in which they were first added."""
        return list(self._pictures.values())

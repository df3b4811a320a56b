"""Images: what is sent of them. The original bytes where the model can take them, else what a declared policy makes.

    identify(data)           what the header says; decodes nothing
    prepare(data, policy)    what is sent, and what was done to it
    canonical(data)          the decoded form that perturbations work on
    ImageStore(folder)       the original bytes by their SHA-256

>>> ImagePolicy(max_side=2000).name
'formats=gif+jpeg+png+webp,max_side=2000'
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from math import sqrt
from typing import TYPE_CHECKING, Any

from snellen.errors import ImageError
from snellen.image_headers import MEDIA_TYPES, ImageInfo, identify
from snellen.image_pixels import MOST_DECODED_PIXELS, MOST_PIXELS, canonical, upright
from snellen.image_policy import WRITTEN_FORMATS, ImagePolicy, base64_length
from snellen.image_store import ImageStore

if TYPE_CHECKING:
    from PIL import Image

__all__ = [
    "MOST_DECODED_PIXELS",
    "MOST_PIXELS",
    "ImageInfo",
    "ImagePolicy",
    "ImageStore",
    "SentImage",
    "canonical",
    "identify",
    "prepare",
]

_QUALITIES = (95, 90, 85, 80, 75, 70)  # below, the letters of charts fray: rather fewer pixels
_LONGEST_SIDE = {"jpeg": 65_500, "webp": 16_383}  # that the formats themselves can hold


@dataclass(frozen=True, slots=True)
class SentImage:
    """What is sent of an image, and how it came about.

    Attributes:
        data: the bytes.
        media_type: ``image/png`` and so on.
        width: pixels of what is sent, padding included.
        height: likewise.
        mode: as Pillow names it.
        sha256: hex digest of `data`.
        steps: what was done, in order; empty where the original bytes are sent.
        source_width: pixels of the original, upright: the frame that a benchmark's boxes are in.
        source_height: likewise.
        content_width: pixels of what is sent that show the original; padding lies to the right of them and below.
        content_height: likewise.
    """

    data: bytes = field(repr=False)
    media_type: str
    width: int
    height: int
    mode: str
    sha256: str
    steps: tuple[str, ...]
    source_width: int
    source_height: int
    content_width: int
    content_height: int

    def to_source(self, x: float, y: float) -> tuple[float, float]:
        """A point in pixels of what was sent -> the same point in pixels of the upright original.

        Edges map to edges: (content_width, content_height) -> (source_width, source_height). Nothing is clamped; a
        point in the padding comes out beyond the original.
        """
        return x * self.source_width / self.content_width, y * self.source_height / self.content_height

    def record(self) -> dict[str, Any]:
        """Plain values for the ledger: all but the data, whose length stands as ``bytes``."""
        return {
            "media_type": self.media_type,
            "width": self.width,
            "height": self.height,
            "mode": self.mode,
            "bytes": len(self.data),
            "sha256": self.sha256,
            "steps": list(self.steps),
            "source": [self.source_width, self.source_height],
            "content": [self.content_width, self.content_height],
        }


def prepare(data: bytes, policy: ImagePolicy, name: str = "") -> SentImage:
    """What is sent of an image under a policy. Pure: the same bytes and policy give the same result.

    The header alone decides whether anything is done, so most images are never decoded. Converted are: animations and
    pages (the first), orientations other than 1, all that declares transparency (over white, even where it turns out
    to be opaque), palettes (but for a still, opaque GIF where GIF is taken), CMYK, 1 and more than 8 bits per channel,
    formats that are not taken, and what lies beyond a limit.

    Args:
        data: the original bytes.
        policy: what the model can take.
        name: for error messages.

    Raises:
        ImageError: of any kind but ``missing``; ``too_large`` also where `max_base64_bytes` cannot be met.
    """
    info = identify(data, name)
    if info.pixels > MOST_PIXELS:
        what = f"an image of {info.width}x{info.height} pixels; up to {MOST_PIXELS:,} pixels are sent: make it smaller"
        raise ImageError("too_large", what, file=name)
    if _can_be_taken(info, policy):
        return _sent(data, info.format, info.mode, (info.width, info.height), (info.width, info.height), (), policy)
    try:
        return _converted(data, info, policy, name)
    except MemoryError:
        raise ImageError("too_large", "there is not enough memory to convert it: make it smaller", file=name) from None


def _converted(data: bytes, info: ImageInfo, policy: ImagePolicy, name: str) -> SentImage:
    image, steps = upright(data, info, name)
    size = _largest_size(image.size, policy)
    limit = policy.max_base64_bytes
    # A JPEG that is too long by itself only grows when it is written without loss.
    lossless = not (info.format == "jpeg" and size == image.size and limit and base64_length(len(data)) > limit)
    while True:
        picture, resizing = _render(image, size, policy)
        length = 0
        for written, quality, encoded in _encodings(picture, policy, lossless):
            length = base64_length(len(encoded))
            if limit is None or length <= limit:
                how = f"re-encoded as {written}" + (f" (quality {quality})" if quality else "")
                done = (*steps, *resizing, how)
                mode = "RGB" if written == "webp" else picture.mode  # WebP has no grey
                return _sent(encoded, written, mode, image.size, size, done, policy)
        lossless = not {"jpeg", "webp"} & set(policy.formats)
        longest = max(size)
        # Bytes go about with the area; 0.95 so that few rounds are needed. Nothing encoded: the format's own maximum.
        smaller = int(longest * sqrt(limit / length) * 0.95) if limit and length else _longest_written(policy)
        if longest == 1 or (policy.min_side and longest <= policy.min_side):  # from here on only padding would remain
            what = f"it stays above the image limit max_base64_bytes = {limit} however it is written: raise the limit"
            raise ImageError("too_large", what, file=name)
        size = _scaled(image.size, max(1, min(smaller, longest - 1)))


def _can_be_taken(info: ImageInfo, policy: ImagePolicy) -> bool:
    return (
        info.format in policy.formats
        and info.orientation == 1
        and info.frames == 1
        and not info.alpha
        and info.bits == 8
        and (info.mode in ("L", "RGB") or (info.mode == "P" and info.format == "gif"))
        and policy.fits(info.width, info.height)
        and policy.canvas(info.width, info.height) == (info.width, info.height)
        and (policy.max_base64_bytes is None or base64_length(info.bytes) <= policy.max_base64_bytes)
    )


def _sent(
    data: bytes,
    written: str,
    mode: str,
    source: tuple[int, int],
    content: tuple[int, int],
    steps: tuple[str, ...],
    policy: ImagePolicy,
) -> SentImage:
    digest = hashlib.sha256(data).hexdigest()
    return SentImage(data, MEDIA_TYPES[written], *policy.canvas(*content), mode, digest, steps, *source, *content)


def _scaled(size: tuple[int, int], longest: int) -> tuple[int, int]:
    """`size` with its longer side brought to `longest`; thin images keep one pixel. Integers, so that it is exact."""
    width, height = size
    long = max(size)
    return max(1, (2 * width * longest + long) // (2 * long)), max(1, (2 * height * longest + long) // (2 * long))


def _largest_size(size: tuple[int, int], policy: ImagePolicy) -> tuple[int, int]:
    """The largest size in the proportions of `size`, and not above it, that is within the limits once padded."""

    def fits(content: tuple[int, int]) -> bool:
        width, height = policy.canvas(*content)
        # The second: padding a line of a hundred million pixels to a height of 28 must not exhaust the memory.
        return policy.fits(width, height) and width * height <= MOST_DECODED_PIXELS

    if fits(size):
        return size
    low, high = 1, max(size)  # 1 fits: the policy checked that min_side does
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(_scaled(size, middle)) else (low, middle)
    return _scaled(size, low)


def _render(image: Image.Image, size: tuple[int, int], policy: ImagePolicy) -> tuple[Image.Image, list[str]]:
    from PIL import Image

    steps, picture = [], image
    if size != image.size:
        picture = image.resize(size, Image.Resampling.LANCZOS)
        steps.append(f"resized {image.width}x{image.height} to {size[0]}x{size[1]}")
    canvas = policy.canvas(*size)
    if canvas != size:
        padded = Image.new(picture.mode, canvas, 255 if picture.mode == "L" else (255, 255, 255))
        padded.paste(picture, (0, 0))
        picture = padded
        steps.append(f"padded {size[0]}x{size[1]} to {canvas[0]}x{canvas[1]}")
    return picture, steps


def _longest_written(policy: ImagePolicy) -> int:
    return max(_LONGEST_SIDE.get(name, 1 << 31) for name in policy.formats if name in WRITTEN_FORMATS)


def _encodings(image: Image.Image, policy: ImagePolicy, lossless: bool) -> Iterator[tuple[str, int, bytes]]:
    """(format, quality, bytes) from the best to the shortest, each made when it is asked for; quality 0 is lossless."""
    lossy = "jpeg" if "jpeg" in policy.formats else "webp" if "webp" in policy.formats else ""
    exact = "png" if "png" in policy.formats else "webp" if "webp" in policy.formats else ""
    tries = [(exact, 0)] if exact and (lossless or not lossy) else []
    tries += [(lossy, quality) for quality in _QUALITIES] if lossy else []
    for written, quality in tries:
        if max(image.size) > _LONGEST_SIDE.get(written, 1 << 31):
            continue
        stream = BytesIO()
        if written == "png":  # level 3: 3 % longer than level 6 on charts, half the time on photographs
            image.save(stream, "PNG", compress_level=3)
        elif written == "jpeg":  # 4:4:4, since thin colored lines of charts vanish at half the resolution
            image.save(stream, "JPEG", quality=quality, subsampling=0)
        else:
            from PIL import WebPImagePlugin  # noqa: F401  registers the writer

            image.save(stream, "WEBP", lossless=not quality, quality=quality or 75)
        yield written, quality, stream.getvalue()

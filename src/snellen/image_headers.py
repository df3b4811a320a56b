"""What an image says of itself: format, size, mode, orientation, frames. Nothing is decoded.

JPEG, PNG, WebP and GIF are read here, by their specifications (ITU-T T.81, W3C PNG, RFC 9649, GIF89a), since every
distinct image of a run passes through; BMP and TIFF, which are rare and always converted, are read by Pillow.
What a file is called plays no part: its first bytes decide.
"""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import dataclass

from snellen.errors import ImageError

MEDIA_TYPES = {
    "jpeg": "image/jpeg",
    "png": "image/png",
    "webp": "image/webp",
    "gif": "image/gif",
    "bmp": "image/bmp",
    "tiff": "image/tiff",
}
"""The formats that are read, and how each is announced to a server."""

_PNG = b"\x89PNG\r\n\x1a\n"
_TIFFS = (b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")
_SIGNATURES = (b"\xff\xd8\xff", _PNG, b"GIF87a", b"GIF89a", *_TIFFS)
_FOREIGN = (  # patterns, compiled when they are used: most runs meet none of these
    (rb"(?s).{4}ftyp(?:avif|avis)", "AVIF"),
    (rb"(?s).{4}ftyp(?:hei[cfmsx]|hev[cmx]|mif1|msf1)", "HEIC"),
    (rb"\x00\x00\x00\x0cjP  |\xff\x4f\xff\x51", "JPEG 2000"),
    (rb"\x00\x00\x00\x0cJXL |\xff\x0a", "JPEG XL"),
    (rb"8BPS", "Photoshop"),
    (rb"\x00\x00[\x01\x02]\x00", "icon"),
    (rb"%PDF-", "PDF"),
    (rb"%!PS|\xc5\xd0\xd3\xc6", "PostScript"),
    (rb"P[1-7]\s", "PNM"),
    (rb"v/1\x01", "OpenEXR"),
    (rb"(?s)(?:<\?xml[^>]*>|<!--.*?-->|<!DOCTYPE svg[^>]*>|\s)*<svg[\s>]", "SVG"),
)
_OTHER = (
    (rb"version https://git-lfs", "a Git LFS pointer: run `git lfs pull` in the folder of the data"),
    (rb"(?si)\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body)", "an HTML page"),
    (rb"\s*<", "a page of markup"),
    (rb"\s*[{\[]\s*[\"{\[\]}]", "JSON"),
    (rb"PK\x03\x04|\x1f\x8b|BZh|\xfd7zXZ|Rar!|7z\xbc\xaf", "an archive: unpack it"),
    (rb"\x00{16}", "a run of zeros, as an unfinished download leaves it"),
    (rb"[\t\r\n\x20-\x7e]{12}", "text"),
)


@dataclass(frozen=True, slots=True)
class ImageInfo:
    """What the header of an image says.

    Attributes:
        format: ``jpeg``, ``png``, ``webp``, ``gif``, ``bmp`` or ``tiff``.
        width: pixels as stored, before any orientation is applied.
        height: likewise.
        mode: as Pillow names it: ``1``, ``L``, ``LA``, ``P``, ``RGB``, ``RGBA``, ``CMYK``, ``I;16``, ``F``, ...
        orientation: EXIF 1 to 8; 1 where none is given, or none that exists.
        frames: pictures in an animation, pages in a TIFF; 1 for a still image.
        bytes: size of the file.
        alpha: whether it declares transparency in any way, used or not.
        bits: per channel.
    """

    format: str
    width: int
    height: int
    mode: str
    orientation: int = 1
    frames: int = 1
    bytes: int = 0
    alpha: bool = False
    bits: int = 8

    @property
    def pixels(self) -> int:
        """Width times height."""
        return self.width * self.height


def identify(data: bytes, name: str = "") -> ImageInfo:
    """Read the header of an image, and see whether its end is there.

    Args:
        data: the bytes of the file.
        name: for error messages.

    Raises:
        ImageError: of kind ``empty``, ``not_an_image``, ``unsupported``, ``truncated`` or ``broken``.
    """
    kind = _sniff(data, name)
    try:
        if kind == "jpeg":
            info = _jpeg(data)
        elif kind == "png":
            info = _png(data)
        elif kind == "gif":
            info = _gif(data)
        elif kind == "webp":
            info = _webp(data)
        else:
            from snellen.image_pixels import header_by_pillow

            info = header_by_pillow(data, kind, name)
    except _HeaderError as fault:
        raise ImageError(fault.kind, f"{_ARTICLES[kind]} {fault.what}", file=name) from None
    except (struct.error, IndexError):  # every field is read at its place: reading past the end is truncation
        raise ImageError("truncated", f"{_ARTICLES[kind]} that breaks off: {_FETCH}", file=name) from None
    if info.width < 1 or info.height < 1:
        raise ImageError("broken", f"an image of {info.width}x{info.height} pixels: there is nothing to see", file=name)
    return info


_ARTICLES = {"jpeg": "a JPEG", "png": "a PNG", "gif": "a GIF", "webp": "a WebP", "bmp": "a BMP", "tiff": "a TIFF"}
_FETCH = "fetch or save the file again"


class _HeaderError(Exception):
    """Something wrong with the file in hand; `identify` gives it the file's name."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(what)
        self.kind, self.what = kind, what


def _truncated(what: str) -> _HeaderError:
    return _HeaderError("truncated", f"{what}: {_FETCH}")


def _sniff(data: bytes, name: str) -> str:
    if not data:
        raise ImageError("empty", "the file has no bytes: fetch or save it again", file=name)
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if data.startswith(_PNG):
        return "png"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "webp"
    if data.startswith(b"BM") and len(data) >= 18 and data[15:18] == b"\x00\x00\x00":  # the inner header is < 256 long
        return "bmp"
    if data.startswith(_TIFFS):
        return "tiff"
    head = data[:1024].removeprefix(b"\xef\xbb\xbf")
    for pattern, what in _FOREIGN:
        if re.match(pattern, head):
            raise ImageError("unsupported", f"{what} is not among the formats that are read: save it as PNG", file=name)
    if len(data) < 18 and (any(s.startswith(data) for s in _SIGNATURES) or data.startswith((b"RIFF", b"BM"))):
        raise ImageError("truncated", f"only the first {len(data)} bytes of an image: {_FETCH}", file=name)
    unknown = f"unknown bytes ({data[:8].hex(' ')} ...)"
    what = next((what for pattern, what in _OTHER if re.match(pattern, head)), unknown)
    raise ImageError("not_an_image", f"this is no image but {what}; a download may have gone wrong", file=name)


# JPEG -----------------------------------------------------------------------------------------------------------------

_SOFS = {0xC0, 0xC1, 0xC2, 0xC9, 0xCA}  # baseline, extended, progressive; the same with arithmetic coding
_RARE_SOFS = {0xC3, 0xC5, 0xC6, 0xC7, 0xCB, 0xCD, 0xCE, 0xCF}  # lossless and hierarchical: hardly any decoder has them


def _jpeg(data: bytes) -> ImageInfo:
    position, orientation = 2, 0
    size: tuple[int, int, int] | None = None
    while True:
        position = data.find(b"\xff", position)  # decoders skip stray bytes between segments, so do we
        if position < 0:
            raise _truncated("that breaks off in its header")
        marker = data[position + 1]
        if marker == 0xFF:  # fill byte
            position += 1
            continue
        if marker in (0x00, 0x01) or 0xD0 <= marker <= 0xD8:
            position += 2
            continue
        if marker == 0xD9:
            raise _HeaderError("broken", f"without a picture in it: {_FETCH}")
        (length,) = struct.unpack_from(">H", data, position + 2)
        body, end = position + 4, position + 2 + length
        if length < 2:
            raise _HeaderError("broken", f"with a segment of length {length} at byte {position}: {_FETCH}")
        if end > len(data):
            raise _truncated("that breaks off in its header")
        if marker in _RARE_SOFS:
            raise _HeaderError(
                "unsupported", "of a lossless or hierarchical kind that decoders do not read: save it as PNG"
            )
        if marker in _SOFS and size is None:
            precision, height, width, channels = struct.unpack_from(">BHHB", data, body)
            if precision != 8 or channels not in (1, 3, 4) or height == 0:
                what = f"with {channels} channels of {precision} bits and a height of {height}"
                raise _HeaderError("unsupported", f"{what}, which decoders do not read: save it as PNG")
            size = width, height, channels
        elif marker == 0xE1 and not orientation and data.startswith(b"Exif\x00", body):
            orientation = exif_orientation(data[body + 6 : end])
        elif marker == 0xDA:
            break
        position = end
    if size is None:
        raise _HeaderError("broken", f"without a frame header: {_FETCH}")
    # Within the coded picture FF is followed by 00 or a restart, so this is its real end, whatever lies behind it
    # (padding, a second picture, a film); thumbnails have their ends before the scan.
    if data.rfind(b"\xff\xd9", position) < 0:
        raise _truncated("whose end is missing")
    mode = {1: "L", 3: "RGB", 4: "CMYK"}[size[2]]
    return ImageInfo("jpeg", size[0], size[1], mode, orientation or 1, 1, len(data))


def exif_orientation(tiff: bytes) -> int:
    """Orientation 1 to 8 from EXIF data (which has the shape of a TIFF); 0 where there is none that makes sense."""
    tiff = tiff.removeprefix(b"Exif\x00\x00")
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    try:
        if order is None or struct.unpack_from(order + "H", tiff, 2)[0] != 42:
            return 0
        (offset,) = struct.unpack_from(order + "I", tiff, 4)
        (count,) = struct.unpack_from(order + "H", tiff, offset)
        for entry in range(offset + 2, offset + 2 + 12 * count, 12):
            tag, kind = struct.unpack_from(order + "HH", tiff, entry)
            if tag == 0x0112:
                code = {1: "B", 3: "H", 4: "I"}.get(kind, "H")
                (value,) = struct.unpack_from(order + code, tiff, entry + 8)
                return value if 1 <= value <= 8 else 0
    except struct.error:
        pass
    return 0


# PNG ------------------------------------------------------------------------------------------------------------------

_PNG_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_PNG_BITS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_PNG_PIXELS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
_DEFLATE_RATIO = 1032  # the most that deflate can expand


def _png_chunks(data: bytes) -> list[tuple[bytes, int, int]]:
    """(type, start of the body, length of the body) of every chunk of a PNG up to its end."""
    chunks, position = [], 8
    while True:
        length, kind = struct.unpack_from(">I4s", data, position)
        if not kind.isalpha():
            raise _HeaderError("broken", f"whose chunks are damaged at byte {position}: {_FETCH}")
        if position + 12 + length > len(data):
            raise _truncated(f"that breaks off in its {kind.decode()} chunk")
        chunks.append((kind, position + 8, length))
        if kind == b"IEND":
            return chunks
        position += 12 + length


def png_pixels_only(data: bytes) -> bytes:
    """A PNG that was identified, without what is not its picture.

    Compressed texts, profiles and further frames can be bombs of their own, or damaged where the picture is not.
    """
    kept = [data[start - 8 : start + length + 4] for kind, start, length in _png_chunks(data) if kind in _PNG_PIXELS]
    return _PNG + b"".join(kept)


def _png(data: bytes) -> ImageInfo:
    chunks = _png_chunks(data)
    kind, start, length = chunks[0]
    if kind != b"IHDR" or length != 13 or zlib.crc32(data[12:29]) != struct.unpack_from(">I", data, 29)[0]:
        raise _HeaderError("broken", f"whose header is damaged: {_FETCH}")
    width, height, bits, color, _, _, interlaced = struct.unpack_from(">IIBBBBB", data, start)
    if bits not in _PNG_BITS.get(color, ()):
        raise _HeaderError("broken", f"of color type {color} with {bits} bits, which does not exist: {_FETCH}")
    alpha, frames, orientation, coded, before = color in (4, 6), 1, 0, 0, True
    for kind, start, length in chunks:
        if kind == b"IDAT":
            coded, before = coded + length, False
        elif kind == b"tRNS":
            alpha = True
        elif kind == b"acTL" and before and length == 8:
            frames = max(1, struct.unpack_from(">I", data, start)[0])
        elif kind == b"eXIf" and not orientation:
            orientation = exif_orientation(data[start : start + length])
    if not coded:
        raise _HeaderError("broken", f"without a picture in it: {_FETCH}")
    rows = height * (1 + (width * bits * _PNG_CHANNELS[color] + 7) // 8)
    if not interlaced and rows > _DEFLATE_RATIO * coded + 4096:
        raise _HeaderError("broken", f"that claims {width}x{height} pixels but is too short to hold them: {_FETCH}")
    mode = {0: "L", 2: "RGB", 3: "P", 4: "LA", 6: "RGBA"}[color]
    mode = {("L", 1): "1", ("L", 16): "I;16"}.get((mode, bits), mode)
    return ImageInfo("png", width, height, mode, orientation or 1, frames, len(data), alpha, bits)


# GIF ------------------------------------------------------------------------------------------------------------------


def _gif(data: bytes) -> ImageInfo:
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    position = 13 + (3 * (2 << (flags & 7)) if flags & 0x80 else 0)
    frames, alpha = 0, False
    while True:
        block = data[position]
        if block == 0x3B:  # trailer
            break
        if block == 0x2C:  # image descriptor
            left, top, wide, high, flags = struct.unpack_from("<HHHHB", data, position + 1)
            if frames == 0:  # as decoders do, the screen grows to hold the first picture
                width, height = max(width, left + wide), max(height, top + high)
            frames += 1
            position += 11 + (3 * (2 << (flags & 7)) if flags & 0x80 else 0)
        elif block == 0x21:  # extension
            if data[position + 1] == 0xF9 and frames == 0:
                alpha = bool(data[position + 3] & 1)
            position += 2
        elif block == 0x00:  # padding that some writers leave between blocks
            position += 1
            continue
        else:
            raise _HeaderError("broken", f"whose blocks are damaged at byte {position}: {_FETCH}")
        while size := data[position]:
            position += 1 + size
        position += 1
    if frames == 0:
        raise _HeaderError("broken", f"without a picture in it: {_FETCH}")
    return ImageInfo("gif", width, height, "P", 1, frames, len(data), alpha)


# WebP -----------------------------------------------------------------------------------------------------------------


def _webp(data: bytes) -> ImageInfo:
    end = 8 + struct.unpack_from("<I", data, 4)[0]
    if end > len(data) + 1:  # the last padding byte may be missing
        raise _truncated(f"that says it has {end} bytes and has {len(data)}")
    size: tuple[int, int] | None = None
    alpha, frames, orientation, picture, position = False, 0, 0, False, 12
    while position + 8 <= min(end, len(data)):
        kind, length = struct.unpack_from("<4sI", data, position)
        start = position + 8
        if kind == b"VP8X":
            flags, wide, high = data[start], data[start + 4 : start + 7], data[start + 7 : start + 10]
            size = 1 + int.from_bytes(wide, "little"), 1 + int.from_bytes(high, "little")
            alpha = bool(flags & 0x10)
        elif kind == b"VP8 ":
            picture = True
            if size is None:
                if data[start + 3 : start + 6] != b"\x9d\x01\x2a":
                    raise _HeaderError("broken", f"whose picture is damaged: {_FETCH}")
                wide_, high_ = struct.unpack_from("<HH", data, start + 6)
                size = wide_ & 0x3FFF, high_ & 0x3FFF
        elif kind == b"VP8L":
            picture = True
            if size is None:
                if data[start] != 0x2F:
                    raise _HeaderError("broken", f"whose picture is damaged: {_FETCH}")
                (fields,) = struct.unpack_from("<I", data, start + 1)
                size, alpha = (1 + (fields & 0x3FFF), 1 + (fields >> 14 & 0x3FFF)), bool(fields >> 28 & 1)
        elif kind == b"ANMF":
            frames, picture = frames + 1, True
        elif kind == b"EXIF" and not orientation:
            orientation = exif_orientation(data[start : start + length])
        position = start + length + (length & 1)
    if position > end + 1:
        raise _truncated("that breaks off in its last chunk")
    if size is None or not picture:
        raise _HeaderError("broken", f"without a picture in it: {_FETCH}")
    mode = "RGBA" if alpha else "RGB"
    return ImageInfo("webp", size[0], size[1], mode, orientation or 1, max(1, frames), len(data), alpha)

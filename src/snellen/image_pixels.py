"""The pixels of an image, decoded where they must be: upright, opaque over white, 8 bits, RGB or grey.

Pillow decodes, by the plugin of the format that the first bytes name: none of its other plugins (some of which start
programs) is ever asked, and a file that decodes to another size than its header said is refused. Whatever a plugin
raises on hostile bytes becomes an `ImageError`.
"""

from __future__ import annotations

import struct
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import TYPE_CHECKING, Any

from snellen.errors import ImageError
from snellen.image_headers import ImageInfo, identify, png_pixels_only

if TYPE_CHECKING:
    import numpy as np
    from PIL import Image
    from PIL.ImageFile import ImageFile

MOST_PIXELS = 500_000_000
"""An image that claims more is refused, even where it would be sent as it is."""

MOST_DECODED_PIXELS = 178_956_970
"""An image of more is never decoded: Pillow's own limit for a decompression bomb, about 0.7 GB in memory as RGB."""

_MOST_PAGES = 10_000


def canonical(data: bytes, name: str = "") -> Image.Image:
    """The image as a person sees it: RGB with 8 bits, upright, over white, the first frame. Perturbations start here.

    Args:
        data: the bytes of the file.
        name: for error messages.

    Returns:
        A Pillow image of mode ``RGB`` without metadata.

    Raises:
        ImageError: of any kind but ``missing``.
    """
    image, _ = upright(data, identify(data, name), name)
    return image if image.mode == "RGB" else image.convert("RGB")


def upright(data: bytes, info: ImageInfo, name: str = "") -> tuple[Image.Image, tuple[str, ...]]:
    """(the decoded image of mode ``L`` or ``RGB`` without metadata, what had to be done to make it so).

    Args:
        data: the bytes of the file.
        info: what `identify` said of them.
        name: for error messages.
    """
    if info.pixels > MOST_DECODED_PIXELS:
        raise ImageError(
            "too_large",
            f"an image of {info.width}x{info.height} pixels has to be converted, which is done up to "
            f"{MOST_DECODED_PIXELS:,} pixels: make it smaller",
            file=name,
        )
    steps: list[str] = [f"first of {info.frames} frames"] if info.frames > 1 else []
    try:
        with _quiet():
            image = _flatten(_decode(data, info), info, steps)
    except ImageError as error:
        raise ImageError(error.kind, error.what, file=name) from None
    except MemoryError:
        raise ImageError("too_large", "there is not enough memory to decode it: make it smaller", file=name) from None
    except Exception as error:  # a decoder given hostile bytes may raise anything; none of it may end the run
        kind = "truncated" if "truncated" in str(error) else "broken"
        if type(error).__name__ == "DecompressionBombError":  # a user of Pillow in this process may have lowered it
            kind = "too_large"
        what = f"the {info.format} cannot be decoded ({_shorten(error)}): fetch or save the file again"
        raise ImageError(kind, what, file=name) from error
    if info.orientation != 1:
        steps.append(f"orientation {info.orientation} applied")
    image.info = {}  # or Pillow would write profiles, comments and resolutions into what is sent
    return image, tuple(steps)


def header_by_pillow(data: bytes, kind: str, name: str) -> ImageInfo:
    """What Pillow reads in the header of a BMP or TIFF, with a look whether the pixels it points to are there."""
    frames, end = _pages(data) if kind == "tiff" else (1, 0)
    bits, orientation = 8, 1
    try:
        with _quiet():
            image = _open(data, kind)
            width, height = image.size
            if kind == "tiff":
                tags: Any = image.tag_v2  # type: ignore[attr-defined]
                bits = int((tags.get(258) or (1,))[0])
                orientation = tags.get(274) if tags.get(274) in range(1, 9) else 1
                if orientation >= 5:  # Pillow already swapped them, for it turns the image when it decodes
                    width, height = height, width
                offsets, counts = tags.get(273) or tags.get(324) or (), tags.get(279) or tags.get(325) or ()
                end = max((int(o) + int(c) for o, c in zip(offsets, counts, strict=False)), default=0)
            elif len(data) >= 34 and struct.unpack_from("<I", data, 14)[0] >= 40:
                depth, packing = struct.unpack_from("<HI", data, 28)
                if packing in (0, 3):  # rows of a fixed length; the last row's padding may be missing
                    row = (width * depth + 31) // 32 * 4
                    end = struct.unpack_from("<I", data, 10)[0] + row * (height - 1) + (width * depth + 7) // 8
            alpha = image.mode in ("LA", "PA", "RGBA", "La", "RGBa") or "transparency" in image.info
    except MemoryError:
        what = f"the header of this {kind} asks for more memory than there is: save the file again"
        raise ImageError("too_large", what, file=name) from None
    except Exception as error:  # as in `upright`
        cut = end > len(data) or isinstance(error, (EOFError, struct.error)) or "runcated" in str(error)
        what = f"the header of this {kind} cannot be read ({_shorten(error)}): fetch or save the file again"
        raise ImageError("truncated" if cut else "broken", what, file=name) from error
    if end > len(data):
        what = f"a {kind} that needs {end} bytes and has {len(data)}: fetch or save the file again"
        raise ImageError("truncated", what, file=name)
    return ImageInfo(kind, width, height, image.mode, orientation, frames, len(data), alpha, bits)


def _shorten(error: Exception) -> str:
    return (str(error) or type(error).__name__)[:120]


# What Pillow says to stderr of odd files is either an error of ours later on or of no use to the user. Filters belong
# to the whole process, so the first thread to come in sets them and the last one to leave takes them back.
_lock = threading.Lock()
_inside = 0
_filters = warnings.catch_warnings()


@contextmanager
def _quiet() -> Iterator[None]:
    global _inside, _filters
    with _lock:
        if _inside == 0:
            _filters = warnings.catch_warnings()
            _filters.__enter__()
            warnings.filterwarnings("ignore", module=r"PIL\.")
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _filters.__exit__(None, None, None)


def _open(data: bytes, kind: str) -> ImageFile:
    """Pillow's plugin of exactly this format, header read. `Image.open` would try formats we do not read."""
    stream = BytesIO(data)
    if kind == "jpeg":
        from PIL.JpegImagePlugin import JpegImageFile

        return JpegImageFile(stream)
    if kind == "png":
        from PIL.PngImagePlugin import PngImageFile

        return PngImageFile(stream)
    if kind == "webp":
        from PIL.WebPImagePlugin import WebPImageFile

        return WebPImageFile(stream)
    if kind == "gif":
        from PIL.GifImagePlugin import GifImageFile

        return GifImageFile(stream)
    if kind == "bmp":
        from PIL.BmpImagePlugin import BmpImageFile

        return BmpImageFile(stream)
    from PIL.TiffImagePlugin import TiffImageFile

    return TiffImageFile(stream)


def _decode(data: bytes, info: ImageInfo) -> Image.Image:
    image = _open(png_pixels_only(data) if info.format == "png" else data, info.format)
    turned = info.format == "tiff" and info.orientation >= 5
    if image.size != ((info.height, info.width) if turned else (info.width, info.height)):
        what = f"the header says {info.width}x{info.height}, the picture has {image.width}x{image.height} pixels"
        raise ImageError("broken", f"{what}: save the file again")
    inverted = False
    if info.format == "tiff":
        inverted = image.mode.startswith("I;16") and image.tag_v2.get(262) == 0  # type: ignore[attr-defined]
    image.load()
    if inverted:  # white is zero; Pillow minds this for 8 bits and fewer only
        from PIL import Image

        return Image.fromarray((2**info.bits - 1) - _array(image))
    return image


def _array(image: Image.Image) -> np.ndarray[Any, Any]:
    import numpy as np

    return np.asarray(image)


def _flatten(image: Image.Image, info: ImageInfo, steps: list[str]) -> Image.Image:
    """Mode L or RGB over white, turned upright; what was done is added to `steps`."""
    image = _eight_bits(image, info, steps)
    if info.bits == 16 and image.mode in ("RGB", "RGBA", "LA", "CMYK"):
        steps.append("16-bit to 8-bit")  # Pillow took the high byte of each channel when it decoded
    elif info.bits in (2, 4) and image.mode == "L":
        steps.append(f"{info.bits}-bit to 8-bit")  # likewise, spread over the whole range
    if image.mode == "1":
        steps.append("1-bit to L")
    if image.mode in ("P", "PA"):
        steps.append("palette to RGB")
        image = image.convert("RGBA" if info.alpha else "RGB")
    if image.mode == "CMYK":
        image, how = _from_cmyk(image)
        steps.append(how)
    elif image.mode == "LAB":
        image = _from_lab(image)
        steps.append("LAB to RGB")
    if info.alpha:
        steps.append("alpha over white")
        image = _over_white(image, info)
    if image.mode not in ("L", "RGB"):
        if image.mode != "1":
            steps.append(f"{image.mode} to RGB")
        image = image.convert("L" if image.mode == "1" else "RGB")
    if info.orientation != 1 and info.format != "tiff":  # Pillow turns a TIFF when it decodes
        image = image.transpose(_turn(info.orientation))
    return image


def _turn(orientation: int) -> Any:
    from PIL.Image import Transpose

    return {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }[orientation]


def _over_white(image: Image.Image, info: ImageInfo) -> Image.Image:
    from PIL import Image

    key = image.info.get("transparency")
    if image.mode in ("1", "L", "RGB") and key is not None:
        # The color that counts as transparent is given in the depth of the file: bring it to the 8 bits decoded.
        def scale(value: int) -> int:
            return value >> 8 if info.bits == 16 else value * 255 // (2**info.bits - 1)

        image.info["transparency"] = tuple(scale(v) for v in key) if isinstance(key, tuple) else scale(key)
        image = image.convert("L") if image.mode == "1" else image
    grey = image.mode in ("L", "LA", "La") or info.mode == "LA"  # Pillow decodes 16-bit LA as RGBA
    if image.mode in ("La", "RGBa"):  # color already multiplied by alpha
        image = image.convert(image.mode.upper())
    image = image.convert("RGBA")
    white = Image.new("RGB", image.size, (255, 255, 255))
    white.paste(image, mask=image.getchannel("A"))
    return white.convert("L") if grey else white


def _eight_bits(image: Image.Image, info: ImageInfo, steps: list[str]) -> Image.Image:
    """Grey of more than 8 bits scaled to 8: by its declared white where there is one, else by the values found."""
    if image.mode not in ("I", "F") and not image.mode.startswith("I;16"):
        return image
    import numpy as np
    from PIL import Image

    values = _array(image)
    if image.mode != "F" and info.bits <= 16:
        white = 2**info.bits - 1
        clipped = np.clip(values, 0, white).astype(np.uint32)
        grey = ((clipped * 255 + white // 2) // white).astype(np.uint8)
        key = image.info.get("transparency")
        if isinstance(key, int):  # done here, since the 8 bits left no longer tell it from its neighbors
            grey = np.where(values == key, np.uint8(255), grey)
        steps.append(f"{info.bits}-bit to 8-bit")
        return Image.fromarray(grey)
    finite = np.nan_to_num(values.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    low, high = float(finite.min()), float(finite.max())
    # No white is declared: take the narrowest usual range that holds every value, else stretch.
    usual = [white for white in ((1.0,) if image.mode == "F" else ()) + (255.0, 65535.0) if low >= 0 and high <= white]
    low, high = (0.0, usual[0]) if usual else (low, high)
    grey = np.floor((finite - low) * 255.0 / ((high - low) or 1.0) + 0.5).astype(np.uint8)
    steps.append(f"{'float' if image.mode == 'F' else '32-bit'} ({low:g} to {high:g}) to 8-bit")
    return Image.fromarray(grey)


def _from_cmyk(image: Image.Image) -> tuple[Image.Image, str]:
    """By the profile of the printer where one is embedded, else by Pillow's (255 - ink)(255 - black) / 255."""
    profile = image.info.get("icc_profile")
    if profile:
        from PIL import ImageCms

        try:
            source = ImageCms.ImageCmsProfile(BytesIO(profile))
            if source.profile.xcolor_space.strip() == "CMYK":
                converted = ImageCms.profileToProfile(
                    image,
                    source,
                    ImageCms.createProfile("sRGB"),
                    renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
                    outputMode="RGB",
                    flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
                )
                if converted is not None:
                    return converted, "CMYK to RGB by its profile"
        except (ImageCms.PyCMSError, OSError, TypeError, ValueError):
            pass  # a damaged profile says nothing about the pixels
    return image.convert("RGB"), "CMYK to RGB"


def _from_lab(image: Image.Image) -> Image.Image:
    from PIL import ImageCms

    lab, rgb = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
    converted = ImageCms.profileToProfile(image, lab, rgb, outputMode="RGB")
    if converted is None:
        raise ValueError("LAB could not be converted")
    return converted


def _pages(data: bytes) -> tuple[int, int]:
    """(directories of a TIFF, where the first one ends). A chain that bites its tail or breaks off ends there."""
    order = "<" if data.startswith(b"II") else ">"
    big = 43 in (data[2], data[3])
    seen: set[int] = set()
    end = 0
    with suppress(struct.error):
        (offset,) = struct.unpack_from(order + ("Q" if big else "I"), data, 8 if big else 4)
        while offset and offset not in seen and len(seen) < _MOST_PAGES:
            end = end or offset
            if offset >= len(data):
                break
            (count,) = struct.unpack_from(order + ("Q" if big else "H"), data, offset)
            seen.add(offset)
            after = offset + (8 + 20 * count if big else 2 + 12 * count)
            end = after if len(seen) == 1 else end
            (offset,) = struct.unpack_from(order + ("Q" if big else "I"), data, after)
    return max(1, len(seen)), end

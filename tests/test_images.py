"""Every kind of image that users have: sent as it is, converted as declared, or a typed error."""

from __future__ import annotations

import hashlib
import struct
import threading
import warnings
import zlib
from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms

import snellen.image_pixels
from snellen.errors import ImageError, UsageError
from snellen.images import ImageInfo, ImagePolicy, SentImage, canonical, identify, prepare

ANY = ImagePolicy()
Array = np.ndarray[Any, Any]


def save(image: Image.Image, kind: str, **options: Any) -> bytes:
    stream = BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def opened(sent: SentImage | bytes) -> Image.Image:
    image = Image.open(BytesIO(sent if isinstance(sent, bytes) else sent.data))
    image.load()
    return image


def pixels(image: Image.Image) -> Array:
    return np.asarray(image)


def noise(width: int, height: int, seed: int = 0) -> Image.Image:
    rng = np.random.default_rng(seed)
    return Image.fromarray(rng.integers(0, 256, (height, width, 3), dtype=np.uint8))


def smooth(width: int, height: int, mode: str = "RGB") -> Image.Image:
    return noise(4, 3).resize((width, height), Image.Resampling.BICUBIC).convert(mode)


def exif(orientation: int, order: str = "<", kind: str = "H") -> bytes:
    code = {"B": 1, "H": 3, "I": 4}[kind]
    value = struct.pack(order + kind, orientation).ljust(4, b"\0")
    head = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 8)
    return b"Exif\0\0" + head + struct.pack(order + "HHHI", 1, 0x0112, code, 1) + value + bytes(4)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width: int, height: int, bits: int, color: int, rows: bytes, *extra: bytes, interlace: int = 0) -> bytes:
    """A PNG by hand; every row of `rows` starts with its filter byte."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, color, 0, 0, interlace))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(extra) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def tiff(width: int, height: int, body: bytes, bits: int, photometric: int, sample_format: int = 1) -> bytes:
    """A TIFF of one uncompressed grey strip, by hand."""
    tags = [(256, 4, width), (257, 4, height), (258, 3, bits), (259, 3, 1), (262, 3, photometric), (273, 4, 8)]
    tags += [(277, 3, 1), (278, 4, height), (279, 4, len(body)), (339, 3, sample_format)]
    directory = struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", t, k, 1, v) for t, k, v in tags) + bytes(4)
    return b"II*\0" + struct.pack("<I", 8 + len(body)) + body + directory


def with_jpeg_size(data: bytes, width: int, height: int) -> bytes:
    """The same JPEG claiming another size."""
    at = data.index(b"\xff\xc0") + 5
    return data[:at] + struct.pack(">HH", height, width) + data[at + 4 :]


def fails(kind: str, call: Callable[[], object]) -> ImageError:
    with pytest.raises(ImageError) as caught:
        call()
    assert caught.value.kind == kind, caught.value
    return caught.value


ERRORS = ("empty", "not_an_image", "unsupported", "truncated", "broken", "too_large")


def outcome(call: Callable[..., object], *arguments: Any) -> str:
    """The kind of the `ImageError`, empty if there was none; anything else that is raised fails the test."""
    try:
        call(*arguments)
    except ImageError as error:
        return error.kind
    return ""


# Sent as it is --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "info"),
    [
        (save(smooth(60, 40), "JPEG"), ("jpeg", 60, 40, "RGB")),
        (save(smooth(60, 40), "JPEG", progressive=True), ("jpeg", 60, 40, "RGB")),
        (save(smooth(60, 40, "L"), "JPEG"), ("jpeg", 60, 40, "L")),
        (save(smooth(60, 40), "JPEG", exif=exif(1)), ("jpeg", 60, 40, "RGB")),
        (save(smooth(60, 40), "JPEG", restart_marker_blocks=1), ("jpeg", 60, 40, "RGB")),
        (save(smooth(60, 40), "PNG"), ("png", 60, 40, "RGB")),
        (save(smooth(60, 40, "L"), "PNG"), ("png", 60, 40, "L")),
        (save(smooth(60, 40), "WEBP"), ("webp", 60, 40, "RGB")),
        (save(smooth(60, 40), "WEBP", lossless=True), ("webp", 60, 40, "RGB")),
        (save(smooth(60, 40), "WEBP", exif=exif(1)), ("webp", 60, 40, "RGB")),
        (save(smooth(60, 40).quantize(16), "GIF"), ("gif", 60, 40, "P")),
        (save(smooth(1, 1), "PNG"), ("png", 1, 1, "RGB")),
    ],
)
def test_what_a_model_can_take_is_sent_untouched(data: bytes, info: tuple[str, int, int, str]) -> None:
    found = identify(data)
    assert (found.format, found.width, found.height, found.mode) == info
    assert (found.orientation, found.frames, found.bytes, found.alpha, found.bits) == (1, 1, len(data), False, 8)
    sent = prepare(data, ANY)
    assert sent.data is data
    assert sent.steps == ()
    assert (sent.media_type, sent.width, sent.height, sent.mode) == (f"image/{info[0]}", *info[1:])
    assert sent.sha256 == hashlib.sha256(data).hexdigest()
    assert sent.to_source(7, 3) == (7, 3)


def test_huge_images_within_the_limits_are_not_decoded() -> None:
    data = with_jpeg_size(save(smooth(8, 8), "JPEG"), 20_000, 20_000)  # decoding this could only fail
    assert prepare(data, ANY).data is data


@pytest.mark.parametrize("tail", [b"\0" * 5000, b"\r\n", b"ftypmp42" + bytes(range(256)) * 100])
def test_bytes_after_the_end_of_a_jpeg_are_tolerated(tail: bytes) -> None:
    data = save(smooth(60, 40), "JPEG") + tail
    assert prepare(data, ANY).data is data


def test_stray_and_fill_bytes_between_jpeg_segments_are_tolerated() -> None:
    data = save(smooth(60, 40), "JPEG")
    assert identify(data[:2] + b"\xff\xff\xff" + data[2:]).width == 60
    first = 4 + struct.unpack_from(">H", data, 4)[0]
    assert identify(data[:first] + b"\0\0junk" + data[first:]).width == 60


def test_the_thumbnail_in_a_jpeg_is_not_taken_for_the_picture() -> None:
    thumbnail = save(smooth(16, 8), "JPEG")
    segment = exif(1)[:-4] + thumbnail
    data = save(smooth(60, 40), "JPEG")
    data = data[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + data[2:]
    assert (identify(data).width, identify(data).height) == (60, 40)
    cut = data[: -len(data) // 3]
    assert b"\xff\xd9" in cut  # the thumbnail's
    fails("truncated", lambda: identify(cut))


def test_multi_picture_jpeg_is_one_still_image() -> None:
    data = save(smooth(60, 40), "MPO", save_all=True, append_images=[smooth(60, 40)])
    assert Image.open(BytesIO(data)).format == "MPO"
    assert prepare(data, ANY).data is data


# Orientation ----------------------------------------------------------------------------------------------------------

TURNS: dict[int, Callable[[Array], Array]] = {  # EXIF 2.32, tag 274: which visual edges row 0 and column 0 are
    1: lambda a: a,
    2: lambda a: a[:, ::-1],
    3: lambda a: a[::-1, ::-1],
    4: lambda a: a[::-1],
    5: lambda a: a.swapaxes(0, 1),
    6: lambda a: np.rot90(a, -1),
    7: lambda a: a[::-1, ::-1].swapaxes(0, 1),
    8: lambda a: np.rot90(a, 1),
}


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF", "JPEG"])
def test_every_orientation_is_applied(kind: str, orientation: int) -> None:
    picture = noise(5, 3) if kind != "JPEG" else smooth(40, 24)
    if kind == "TIFF":
        data = save(picture, "TIFF", tiffinfo={274: orientation})
    else:
        options = {"lossless": True} if kind == "WEBP" else {}
        data = save(picture, kind, exif=exif(orientation), **options)
    stored = pixels(picture) if kind != "JPEG" else pixels(opened(save(picture, "JPEG")))
    info = identify(data)
    assert (info.width, info.height, info.orientation) == (*picture.size, orientation)
    expected = TURNS[orientation](stored)
    assert np.array_equal(pixels(canonical(data)), expected)
    sent = prepare(data, ANY)
    assert (sent.width, sent.height) == expected.shape[1::-1] == (sent.source_width, sent.source_height)
    if orientation == 1:
        assert sent.steps == (() if kind != "TIFF" else ("re-encoded as png",))
    else:
        assert sent.steps == (f"orientation {orientation} applied", "re-encoded as png")
        assert np.array_equal(pixels(opened(sent)), expected)
        assert "exif" not in opened(sent).info  # or the next reader turns it again


def test_phone_photo_counts_in_its_upright_frame() -> None:
    sent = prepare(save(smooth(40, 20), "JPEG", exif=exif(6)), ANY)
    assert (sent.width, sent.height, sent.source_width, sent.source_height) == (20, 40, 20, 40)


@pytest.mark.parametrize(("order", "kind"), [("<", "H"), (">", "H"), ("<", "I"), (">", "B")])
def test_exif_of_either_byte_order(order: str, kind: str) -> None:
    assert identify(save(smooth(40, 20), "JPEG", exif=exif(6, order, kind))).orientation == 6


@pytest.mark.parametrize("bad", [exif(0), exif(9), exif(6)[:20], b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0rubbish"])
def test_orientations_that_do_not_exist_are_none(bad: bytes) -> None:
    data = save(smooth(40, 20), "JPEG", exif=bad)
    assert identify(data).orientation == 1
    assert prepare(data, ANY).data is data


# Modes ----------------------------------------------------------------------------------------------------------------


def test_alpha_lies_over_white() -> None:
    layer = np.array([[[255, 0, 0, 255], [0, 0, 0, 0], [0, 0, 0, 128], [10, 20, 30, 0]]], dtype=np.uint8)
    sent = prepare(save(Image.fromarray(layer), "PNG"), ANY)
    assert sent.steps == ("alpha over white", "re-encoded as png")
    assert sent.mode == opened(sent).mode == "RGB"
    assert pixels(opened(sent)).tolist() == [[[255, 0, 0], [255] * 3, [127] * 3, [255] * 3]]


def test_grey_with_alpha_stays_grey() -> None:
    layer = np.array([[[0, 255], [0, 0], [100, 255]]], dtype=np.uint8)
    sent = prepare(save(_la(layer), "PNG"), ANY)
    assert sent.mode == "L"
    assert pixels(opened(sent)).tolist() == [[0, 255, 100]]


def _la(layer: Array) -> Image.Image:
    return Image.merge("LA", (Image.fromarray(layer[..., 0].copy()), Image.fromarray(layer[..., 1].copy())))


def test_opaque_alpha_is_converted_too_since_the_header_cannot_tell() -> None:
    picture = noise(6, 5)
    sent = prepare(save(picture.convert("RGBA"), "PNG"), ANY)
    assert sent.steps == ("alpha over white", "re-encoded as png")
    assert np.array_equal(pixels(opened(sent)), pixels(picture))


@pytest.mark.parametrize("lossless", [True, False])
def test_webp_with_alpha(lossless: bool) -> None:
    layer = np.zeros((16, 16, 4), dtype=np.uint8)
    layer[:, 8:] = (200, 30, 40, 255)
    sent = prepare(save(Image.fromarray(layer), "WEBP", lossless=lossless), ANY)
    assert sent.steps == ("alpha over white", "re-encoded as png")
    assert pixels(opened(sent))[8, 2].tolist() == [255, 255, 255]
    assert np.abs(pixels(opened(sent))[8, 13].astype(int) - (200, 30, 40)).max() < 12


def palette_picture() -> Image.Image:
    image = Image.new("P", (4, 1))
    image.putpalette([255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30])
    image.putdata([0, 1, 2, 3])
    return image


def test_palette_becomes_rgb() -> None:
    sent = prepare(save(palette_picture(), "PNG"), ANY)
    assert sent.steps == ("palette to RGB", "re-encoded as png")
    assert pixels(opened(sent)).tolist() == [[[255, 0, 0], [0, 255, 0], [0, 0, 255], [10, 20, 30]]]


@pytest.mark.parametrize("transparency", [1, b"\xff\x00\xff\xff"])
def test_palette_with_transparency_lies_over_white(transparency: int | bytes) -> None:
    sent = prepare(save(palette_picture(), "PNG", transparency=transparency), ANY)
    assert sent.steps == ("palette to RGB", "alpha over white", "re-encoded as png")
    assert pixels(opened(sent)).tolist() == [[[255, 0, 0], [255, 255, 255], [0, 0, 255], [10, 20, 30]]]


def test_palette_with_graded_transparency() -> None:
    sent = prepare(save(palette_picture(), "PNG", transparency=b"\x80\xff\xff\x00"), ANY)
    assert pixels(opened(sent)).tolist() == [[[255, 127, 127], [0, 255, 0], [0, 0, 255], [255, 255, 255]]]


def test_gif_with_transparency() -> None:
    sent = prepare(save(palette_picture(), "GIF", transparency=1), ANY)
    assert sent.steps == ("palette to RGB", "alpha over white", "re-encoded as png")
    assert pixels(opened(sent))[0, 1].tolist() == [255, 255, 255]


def test_gif_is_converted_where_gif_is_not_taken() -> None:
    sent = prepare(save(palette_picture(), "GIF"), ImagePolicy(formats=("png",)))
    assert sent.steps == ("palette to RGB", "re-encoded as png")
    assert pixels(opened(sent)).tolist() == [[[255, 0, 0], [0, 255, 0], [0, 0, 255], [10, 20, 30]]]


@pytest.mark.parametrize("bits", [1, 2, 4])
def test_grey_of_few_bits(bits: int) -> None:
    top = 2**bits - 1
    data = png(8 // bits, 1, bits, 0, bytes([0, 0b01010101 if bits == 1 else 0b00011011 if bits == 2 else 0x0F]))
    sent = prepare(data, ANY)
    first = "1-bit to L" if bits == 1 else f"{bits}-bit to 8-bit"
    assert sent.steps == (first, "re-encoded as png")
    values = {1: [0, 1] * 4, 2: [0, 1, 2, 3], 4: [0, 15]}[bits]
    assert pixels(opened(sent)).tolist() == [[value * 255 // top for value in values]]


@pytest.mark.parametrize("bits", [1, 2, 4, 8])
def test_a_grey_that_counts_as_transparent(bits: int) -> None:
    """tRNS gives the grey in the file's own depth; a decoder that forgets to scale it blanks the wrong one."""
    data = png(8 // bits, 1, bits, 0, b"\0\x00", chunk(b"tRNS", b"\0\x01"))
    assert set(pixels(canonical(data)).ravel().tolist()) == {0}
    data = png(8 // bits, 1, bits, 0, b"\0" + bytes([1]), chunk(b"tRNS", b"\0\x01"))
    assert pixels(canonical(data))[0, -1].tolist() == [255, 255, 255]
    sent = prepare(data, ANY)
    assert "alpha over white" in sent.steps
    assert sent.mode == "L"


def test_a_color_that_counts_as_transparent() -> None:
    rows = b"\0" + bytes([1, 2, 3, 4, 5, 6])
    sent = prepare(png(2, 1, 8, 2, rows, chunk(b"tRNS", struct.pack(">HHH", 1, 2, 3))), ANY)
    assert sent.steps == ("alpha over white", "re-encoded as png")
    assert pixels(opened(sent)).tolist() == [[[255, 255, 255], [4, 5, 6]]]


def test_sixteen_bit_grey_is_scaled_not_clipped() -> None:
    ramp = np.linspace(0, 65535, 256).round().astype(np.uint16)[None]
    data = save(Image.fromarray(ramp), "PNG")
    assert identify(data).mode == "I;16"
    assert identify(data).bits == 16
    sent = prepare(data, ANY)
    assert sent.steps == ("16-bit to 8-bit", "re-encoded as png")
    assert sent.mode == "L"
    assert pixels(opened(sent))[0].tolist() == list(range(256))


def test_sixteen_bit_grey_with_a_transparent_value_tells_neighbors_apart() -> None:
    data = png(3, 1, 16, 0, b"\0" + struct.pack(">HHH", 1000, 1001, 65535), chunk(b"tRNS", struct.pack(">H", 1001)))
    sent = prepare(data, ANY)
    assert sent.steps == ("16-bit to 8-bit", "alpha over white", "re-encoded as png")
    assert pixels(opened(sent)).tolist() == [[4, 255, 255]]


@pytest.mark.parametrize(("color", "channels", "mode"), [(2, 3, "RGB"), (4, 2, "L"), (6, 4, "RGB")])
def test_sixteen_bit_color_and_alpha(color: int, channels: int, mode: str) -> None:
    values = [0x0000, 0x8000, 0xFFFF, 0xFFFF] if channels == 4 else [0x8000, 0xFFFF, 0x0000][:channels]
    data = png(1, 1, 16, color, b"\0" + struct.pack(f">{channels}H", *values))
    sent = prepare(data, ANY)
    assert sent.mode == mode
    assert sent.steps[0] == "16-bit to 8-bit"
    expected: Any = {"L": 0x80, "RGB": [0, 0x80, 0xFF] if channels == 4 else [0x80, 0xFF, 0]}[mode]
    assert pixels(opened(sent))[0, 0].tolist() == expected


@pytest.mark.parametrize(
    ("values", "kind", "bits", "photometric", "expected", "step"),
    [
        ([0, 257, 65535], "H", 16, 1, [0, 1, 255], "16-bit to 8-bit"),
        ([0, 257, 65535], "H", 16, 0, [255, 254, 0], "16-bit to 8-bit"),
        ([0, 32768, 65535], "i", 32, 1, [0, 128, 255], "32-bit (0 to 65535) to 8-bit"),
        ([0, 128, 255], "i", 32, 1, [0, 128, 255], "32-bit (0 to 255) to 8-bit"),
        ([-100, 0, 100], "i", 32, 1, [0, 128, 255], "32-bit (-100 to 100) to 8-bit"),
        ([0.0, 0.5, 1.0], "f", 32, 1, [0, 128, 255], "float (0 to 1) to 8-bit"),
        ([0.0, 100.4, 200.0], "f", 32, 1, [0, 100, 200], "float (0 to 255) to 8-bit"),
        ([-1.0, float("nan"), 1.0], "f", 32, 1, [0, 128, 255], "float (-1 to 1) to 8-bit"),
        ([7.5e6, 7.5e6, 7.5e6], "f", 32, 1, [0, 0, 0], "float (7.5e+06 to 7.5e+06) to 8-bit"),
    ],
)
def test_deep_tiffs(
    values: list[float], kind: str, bits: int, photometric: int, expected: list[int], step: str
) -> None:
    sample_format = {"H": 1, "i": 2, "f": 3}[kind]
    data = tiff(3, 1, struct.pack(f"<3{kind}", *values), bits, photometric, sample_format)
    sent = prepare(data, ANY)
    assert sent.steps == (step, "re-encoded as png")
    assert pixels(opened(sent))[0].tolist() == expected


def test_twelve_bit_tiff_has_its_own_white() -> None:
    packed = bytes([0xFF, 0xF0, 0x00, 0x80, 0x00])  # 4095, 0, 2048 at 12 bits each
    sent = prepare(tiff(3, 1, packed, 12, 1), ANY)
    assert sent.steps[0] == "12-bit to 8-bit"
    assert pixels(opened(sent))[0].tolist() == [255, 0, 128]


# CMYK -----------------------------------------------------------------------------------------------------------------


def inks(cyan: int, magenta: int, yellow: int, black: int, size: int = 16) -> Image.Image:
    return Image.new("CMYK", (size, size), (cyan, magenta, yellow, black))


@pytest.mark.parametrize("kind", ["JPEG", "TIFF"])
@pytest.mark.parametrize(
    ("ink", "color"),
    [
        ((0, 0, 0, 0), (255, 255, 255)),
        ((0, 0, 0, 255), (0, 0, 0)),
        ((255, 0, 0, 0), (0, 255, 255)),
        ((0, 255, 255, 0), (255, 0, 0)),
    ],
)
def test_cmyk_has_the_colors_it_prints(kind: str, ink: tuple[int, int, int, int], color: tuple[int, int, int]) -> None:
    sent = prepare(save(inks(*ink), kind, **({"quality": 95} if kind == "JPEG" else {})), ANY)
    assert sent.steps == ("CMYK to RGB", "re-encoded as png")
    assert opened(sent).mode == "RGB"
    assert np.abs(pixels(opened(sent)).astype(int) - color).max() <= 3


def test_tiny_cmyk_jpeg() -> None:
    assert prepare(save(inks(10, 20, 30, 40, 4), "JPEG"), ANY).mode == "RGB"


def cmyk_profile() -> bytes:
    """An ICC profile by hand (lut8, two grid points) in which every ink prints as grey: black ink wins, else light."""
    grid = b"".join(
        bytes([0 if black else 128 if (cyan or magenta or yellow) else 255, 128, 128])
        for cyan in (0, 1)
        for magenta in (0, 1)
        for yellow in (0, 1)
        for black in (0, 1)
    )
    matrix = struct.pack(">9i", *(65536 if i in (0, 4, 8) else 0 for i in range(9)))
    ramp = bytes(range(256))
    lut = b"mft1" + bytes(4) + bytes([4, 3, 2, 0]) + matrix + ramp * 4 + grid + ramp * 3
    text = b"desc" + bytes(4) + struct.pack(">I", 5) + b"inks\0" + bytes(8) + bytes(70)
    white = b"XYZ " + bytes(4) + struct.pack(">3i", 63190, 65536, 54061)
    tags, bodies, offset = b"", b"", 128 + 4 + 12 * 3
    for name, body in ((b"desc", text), (b"wtpt", white), (b"A2B0", lut)):
        body += bytes(-len(body) % 4)
        tags += name + struct.pack(">II", offset + len(bodies), len(body))
        bodies += body
    head = bytes(4) + struct.pack(">I", 0x02400000) + b"prtrCMYKLab " + bytes(12) + b"acsp" + bytes(28)
    head += struct.pack(">3i", 63190, 65536, 54061)
    profile = head.ljust(124, b"\0") + struct.pack(">I", 3) + tags + bodies
    return struct.pack(">I", len(profile) + 4) + profile


def test_cmyk_with_a_profile_is_converted_by_it() -> None:
    profile = cmyk_profile()
    ImageCms.ImageCmsProfile(BytesIO(profile))
    sent = prepare(save(inks(255, 0, 0, 0), "JPEG", quality=95, icc_profile=profile), ANY)
    assert sent.steps == ("CMYK to RGB by its profile", "re-encoded as png")
    color = pixels(opened(sent))[0, 0].astype(int)
    assert np.ptp(color) <= 3  # grey, as the profile says, where the plain formula gives cyan
    assert 90 <= color[0] <= 150
    assert "icc_profile" not in opened(sent).info


@pytest.mark.parametrize(
    "profile", [b"rubbish", cmyk_profile()[:300], ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()]
)
def test_a_useless_profile_is_ignored(profile: bytes) -> None:
    sent = prepare(save(inks(255, 0, 0, 0), "JPEG", quality=95, icc_profile=profile), ANY)
    assert sent.steps == ("CMYK to RGB", "re-encoded as png")
    assert np.abs(pixels(opened(sent)).astype(int) - (0, 255, 255)).max() <= 3


def test_lab_and_ycbcr_tiffs() -> None:
    lab = Image.new("LAB", (2, 2), (255, 128, 128))
    sent = prepare(save(lab, "TIFF"), ANY)
    assert "LAB to RGB" in sent.steps
    assert np.abs(pixels(opened(sent)).astype(int) - 255).max() <= 6
    sent = prepare(save(Image.new("RGB", (2, 2), (200, 30, 40)).convert("YCbCr"), "TIFF"), ANY)
    assert sent.steps == ("YCbCr to RGB", "re-encoded as png")
    assert np.abs(pixels(opened(sent)).astype(int) - (200, 30, 40)).max() <= 3


# Frames and other formats ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG", "TIFF"])
def test_the_first_frame_is_sent(kind: str) -> None:
    frames = [Image.new("RGB", (12, 10), color) for color in ((200, 0, 0), (0, 200, 0), (0, 0, 200))]
    options: dict[str, Any] = {"lossless": True} if kind == "WEBP" else {}
    data = save(frames[0], kind, save_all=True, append_images=frames[1:], **options)
    assert identify(data).frames == 3
    sent = prepare(data, ANY)
    assert sent.steps[0] == "first of 3 frames"
    assert sent.steps[-1] == "re-encoded as png"
    assert set(map(tuple, pixels(opened(sent)).reshape(-1, 3).tolist())) == {(200, 0, 0)}
    assert getattr(opened(sent), "n_frames", 1) == 1


def test_gif_whose_first_picture_is_larger_than_its_screen() -> None:
    data = bytearray(save(smooth(60, 40).quantize(16), "GIF"))
    data[6:10] = struct.pack("<HH", 10, 10)
    assert (identify(bytes(data)).width, identify(bytes(data)).height) == (60, 40)
    assert canonical(bytes(data)).size == (60, 40)


@pytest.mark.parametrize("mode", ["RGB", "L", "P", "1"])
@pytest.mark.parametrize("kind", ["BMP", "TIFF"])
def test_bmp_and_tiff_are_converted_exactly(kind: str, mode: str) -> None:
    picture = smooth(13, 7).quantize(16) if mode == "P" else smooth(13, 7).convert(mode)
    data = save(picture, kind)
    info = identify(data)
    assert (info.format, info.width, info.height, info.frames) == (kind.lower(), 13, 7, 1)
    sent = prepare(data, ANY)
    assert sent.media_type == "image/png"
    expected = picture.convert("RGB") if mode == "P" else picture.convert("L" if mode != "RGB" else "RGB")
    assert np.array_equal(pixels(opened(sent).convert("RGB")), pixels(expected.convert("RGB")))
    assert np.array_equal(pixels(canonical(data)), pixels(expected.convert("RGB")))


def test_a_format_that_is_declared_is_sent() -> None:
    data = save(smooth(13, 7), "BMP")
    assert prepare(data, ImagePolicy(formats=("bmp", "png"))).data is data
    data = save(smooth(13, 7), "WEBP")
    assert prepare(data, ImagePolicy(formats=("jpeg",))).media_type == "image/jpeg"


@pytest.mark.parametrize("compression", [None, "tiff_lzw", "jpeg", "tiff_deflate", "packbits"])
def test_compressed_tiffs(compression: str | None) -> None:
    picture = smooth(40, 30)
    shown = pixels(canonical(save(picture, "TIFF", compression=compression))).astype(int)
    assert np.abs(shown - pixels(picture)).max() <= (0 if compression != "jpeg" else 12)


def test_metadata_is_not_sent_on() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    data = save(smooth(40, 20), "JPEG", exif=exif(3), icc_profile=profile, comment=b"Score: 1", dpi=(300, 300))
    for policy in (ANY, ImagePolicy(formats=("jpeg",)), ImagePolicy(formats=("webp",))):
        sent = prepare(data, policy)
        assert not {"exif", "icc_profile", "comment", "dpi"} & opened(sent).info.keys()
        assert b"Score: 1" not in sent.data


def test_canonical_is_rgb_whatever_comes() -> None:
    for data in valid_files().values():
        image = canonical(data)
        assert image.mode == "RGB"
        assert image.info == {}


# Limits ---------------------------------------------------------------------------------------------------------------


def test_resized_to_the_declared_side() -> None:
    sent = prepare(save(smooth(400, 300), "PNG"), ImagePolicy(max_side=200))
    assert (sent.width, sent.height) == (200, 150) == opened(sent).size
    assert sent.steps == ("resized 400x300 to 200x150", "re-encoded as png")
    assert sent.to_source(100, 75) == (200, 150)
    assert sent.to_source(200, 150) == (400, 300)


def test_resized_to_the_declared_pixels() -> None:
    sent = prepare(save(smooth(400, 300), "PNG"), ImagePolicy(max_pixels=30_000))
    assert (sent.width, sent.height) == (200, 150)


def test_resizing_keeps_the_mean_color() -> None:
    picture = smooth(400, 300)
    sent = prepare(save(picture, "PNG"), ImagePolicy(max_side=40))
    assert np.abs(pixels(opened(sent)).mean((0, 1)) - pixels(picture).mean((0, 1))).max() < 1


def test_thin_images_keep_a_pixel() -> None:
    sent = prepare(save(smooth(3000, 2), "PNG"), ImagePolicy(max_side=100))
    assert (sent.width, sent.height) == (100, 1)
    assert sent.to_source(50, 0.5) == (1500, 1)


def test_tiny_images_are_padded_with_white_where_declared() -> None:
    for mode in ("RGB", "L"):
        picture = Image.new(mode, (5, 40), 0)
        sent = prepare(save(picture, "PNG"), ImagePolicy(min_side=28))
        assert sent.steps == ("padded 5x40 to 28x40", "re-encoded as png")
        assert (sent.width, sent.height, sent.content_width, sent.content_height) == (28, 40, 5, 40)
        assert pixels(opened(sent))[:, :5].max() == 0
        assert pixels(opened(sent))[:, 5:].min() == 255
        assert sent.to_source(5, 40) == (5, 40)
    assert prepare(save(Image.new("RGB", (1, 1)), "PNG"), ImagePolicy(min_side=28)).width == 28


def test_padding_and_pixel_limit_together() -> None:
    policy = ImagePolicy(min_side=28, max_pixels=28 * 1000, max_side=2000)
    sent = prepare(save(smooth(3000, 6), "PNG"), policy)
    assert (sent.content_width, sent.content_height) == (1000, 2)
    assert (sent.width, sent.height) == (1000, 28)
    assert sent.steps[0] == "resized 3000x6 to 1000x2"


def test_padding_a_very_long_line_cannot_exhaust_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snellen.images.MOST_DECODED_PIXELS", 28_000)
    sent = prepare(save(smooth(3000, 3), "PNG"), ImagePolicy(min_side=28))
    assert (sent.width, sent.height) == (1000, 28)


def test_bytes_are_counted_in_base64_and_brought_under_the_limit() -> None:
    data = save(noise(60, 60), "PNG")
    size = len(data)
    exact = 4 * -(-size // 3)
    assert prepare(data, ImagePolicy(max_base64_bytes=exact)).data is data
    sent = prepare(data, ImagePolicy(max_base64_bytes=exact - 1))
    assert sent.steps[-1].startswith("re-encoded as")
    assert 4 * -(-len(sent.data) // 3) <= exact - 1


def test_a_jpeg_just_over_the_limit_stays_a_jpeg_of_its_size() -> None:
    data = save(noise(200, 200), "JPEG", quality=90)
    limit = 4 * -(-len(data) // 3) - 30_000 // 100
    sent = prepare(data, ImagePolicy(max_base64_bytes=limit))
    assert (sent.media_type, sent.width, sent.height) == ("image/jpeg", 200, 200)
    assert len(sent.steps) == 1
    assert sent.steps[0].startswith("re-encoded as jpeg (quality ")
    assert 4 * -(-len(sent.data) // 3) <= limit


def test_quality_goes_first_then_size() -> None:
    data = save(noise(300, 200), "PNG")
    limits = (120_000, 30_000, 8_000)
    sents = [prepare(data, ImagePolicy(max_base64_bytes=limit)) for limit in limits]
    assert (sents[0].width, sents[0].height) == (300, 200)
    assert sents[0].width > sents[1].width > sents[2].width
    for sent, limit in zip(sents, limits, strict=True):
        assert 4 * -(-len(sent.data) // 3) <= limit
        assert opened(sent).size == (sent.width, sent.height)
    assert [step.split()[0] for step in sents[2].steps] == ["resized", "re-encoded"]
    assert sents[2].to_source(sents[2].width, sents[2].height) == (300, 200)


def test_byte_limit_without_a_lossy_format() -> None:
    sent = prepare(save(noise(100, 80), "PNG"), ImagePolicy(max_base64_bytes=5000, formats=("png",)))
    assert sent.media_type == "image/png"
    assert 4 * -(-len(sent.data) // 3) <= 5000


def test_byte_limit_by_webp() -> None:
    sent = prepare(save(noise(100, 80), "PNG"), ImagePolicy(max_base64_bytes=12_000, formats=("webp",)))
    assert sent.media_type == "image/webp"
    assert opened(sent).size == (sent.width, sent.height)


def test_a_byte_limit_that_cannot_be_met_is_an_error() -> None:
    policy = ImagePolicy(max_base64_bytes=4096, min_side=1500)
    assert "max_base64_bytes" in str(fails("too_large", lambda: prepare(save(noise(1500, 1500), "JPEG"), policy)))


def test_sides_beyond_what_a_format_can_hold() -> None:
    data = save(Image.new("L", (70_000, 1), 7), "PNG")
    assert prepare(data, ImagePolicy(formats=("jpeg",))).width == 65_500
    assert prepare(data, ImagePolicy(formats=("webp",))).width == 16_383


def test_the_same_input_gives_the_same_bytes() -> None:
    data = save(smooth(90, 70).convert("RGBA"), "PNG")
    policy = ImagePolicy(max_side=50, max_base64_bytes=4096)
    assert prepare(data, policy) == prepare(data, policy)


def test_the_record_is_plain_and_without_the_data() -> None:
    sent = prepare(save(smooth(400, 300), "PNG"), ImagePolicy(max_side=200))
    assert sent.record() == {
        "media_type": "image/png",
        "width": 200,
        "height": 150,
        "mode": "RGB",
        "bytes": len(sent.data),
        "sha256": hashlib.sha256(sent.data).hexdigest(),
        "steps": ["resized 400x300 to 200x150", "re-encoded as png"],
        "source": [400, 300],
        "content": [200, 150],
    }
    assert len(repr(sent)) < 500


# The policy -----------------------------------------------------------------------------------------------------------


def test_names_are_pinned_since_request_keys_hold_them() -> None:
    assert ANY.name == "formats=gif+jpeg+png+webp"
    policy = ImagePolicy(
        max_side=2000, max_pixels=1_003_520, max_base64_bytes=5_242_880, min_side=28, formats=("png", "jpg")
    )
    assert policy.name == ("formats=jpeg+png,max_side=2000,max_pixels=1003520,max_base64_bytes=5242880,min_side=28")


def test_policies_from_a_table() -> None:
    table = {"max_side": 1568, "formats": ["PNG", "jpg", "png"]}
    assert ImagePolicy.from_mapping(table) == ImagePolicy(max_side=1568, formats=("jpeg", "png"))
    assert ImagePolicy.from_mapping({}) == ANY


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"max_sides": 3}, "max_sides unknown"),
        ({"max_side": 0}, "max_side = 0"),
        ({"max_side": -5}, "max_side = -5"),
        ({"max_side": "2000"}, "max_side = '2000'"),
        ({"max_side": 20.5}, "max_side = 20.5"),
        ({"max_pixels": True}, "max_pixels = True"),
        ({"max_base64_bytes": 100}, "at least 4096"),
        ({"min_side": 30, "max_side": 20}, "above max_side"),
        ({"min_side": 30, "max_pixels": 800}, "above max_pixels"),
        ({"min_side": 1_000_000}, "more pixels than are decoded"),
        ({"formats": "png"}, "must be a list"),
        ({"formats": [1]}, "must be a list of names"),
        ({"formats": ["png", "psd"]}, "psd unknown"),
        ({"formats": []}, "at least one of png, jpeg and webp"),
        ({"formats": ["gif", "bmp"]}, "at least one of png, jpeg and webp"),
        (5, "must be a table"),
    ],
)
def test_what_makes_no_sense_in_a_policy_is_a_usage_error(table: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        ImagePolicy.from_mapping(table)


# Errors ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "kind", "said"),
    [
        (b"", "empty", "no bytes"),
        (b"<!DOCTYPE html><html><body>404</body></html>", "not_an_image", "HTML"),
        (b"\xef\xbb\xbf \n<html lang='zh'>", "not_an_image", "HTML"),
        (b"<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>", "not_an_image", "markup"),
        (b'{"error": "not found"}', "not_an_image", "JSON"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "not_an_image", "git lfs pull"),
        (b"Not found: this image does not exist", "not_an_image", "text"),
        (bytes(4096), "not_an_image", "zeros"),
        (b"PK\x03\x04" + bytes(40), "not_an_image", "archive"),
        (bytes(range(128, 228)), "not_an_image", "unknown bytes"),
        (b"%PDF-1.7\n" + bytes(40), "unsupported", "PDF"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n", "unsupported", "PostScript"),
        (b"<?xml version='1.0'?>\n<!-- a -->\n<svg xmlns='http://www.w3.org/2000/svg'/>", "unsupported", "SVG"),
        (b"\0\0\0\x1cftypavif" + bytes(40), "unsupported", "AVIF"),
        (b"\0\0\0\x1cftypheic" + bytes(40), "unsupported", "HEIC"),
        (b"8BPS\0\x01" + bytes(40), "unsupported", "Photoshop"),
        (b"P6\n2 2\n255\n" + bytes(12), "unsupported", "PNM"),
        (b"\x89PNG\r\n", "truncated", "first 6 bytes"),
        (b"\xff\xd8", "truncated", "first 2 bytes"),
        (b"\xff\xd8\xff\xd9", "broken", "without a picture"),
        (b"BM is how this begins, and it is text", "not_an_image", "text"),
    ],
)
def test_what_is_no_image(data: bytes, kind: str, said: str) -> None:
    for call in (identify, canonical, lambda d, n: prepare(d, ANY, n)):
        error = fails(kind, lambda call=call: call(data, "images/2.jpg"))  # type: ignore[misc]
        assert said in str(error)
        assert "images/2.jpg" in str(error)
        assert error.file == "images/2.jpg"


def test_names_and_endings_play_no_part() -> None:
    assert identify(save(smooth(8, 8), "PNG"), "chart.jpg").format == "png"


@cache
def valid_files() -> dict[str, bytes]:
    picture, small = smooth(48, 32), noise(9, 7)
    return {
        "jpeg": save(picture, "JPEG"),
        "progressive": save(picture, "JPEG", progressive=True),
        "cmyk": save(picture.convert("CMYK"), "JPEG"),
        "turned": save(picture, "JPEG", exif=exif(6)),
        "png": save(small, "PNG"),
        "rgba": save(small.convert("RGBA"), "PNG"),
        "16-bit": save(Image.fromarray(np.arange(63, dtype=np.uint16).reshape(7, 9) * 900), "PNG"),
        "palette": save(palette_picture(), "PNG", transparency=1),
        "apng": save(small, "PNG", save_all=True, append_images=[noise(9, 7, 1)]),
        "gif": save(picture.quantize(8), "GIF"),
        "animated": save(small, "GIF", save_all=True, append_images=[noise(9, 7, 1)]),
        "webp": save(picture, "WEBP", exif=exif(3)),
        "lossless": save(small.convert("RGBA"), "WEBP", lossless=True),
        "film": save(small, "WEBP", save_all=True, append_images=[noise(9, 7, 1)]),
        "bmp": save(small, "BMP"),
        "tiff": save(small, "TIFF", tiffinfo={274: 8}),
        "pages": save(small, "TIFF", save_all=True, append_images=[noise(9, 7, 1)], compression="tiff_lzw"),
        "float": tiff(3, 1, struct.pack("<3f", 0, 0.5, 1), 32, 1, 3),
    }


KINDS = sorted(valid_files())


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("bmp", "tiff", "pages", "float")])
@pytest.mark.parametrize("part", [0.3, 0.6, 0.9, 0.99])
def test_truncated_files_are_found_from_their_headers(kind: str, part: float) -> None:
    data = valid_files()[kind]
    fails("truncated", lambda: identify(data[: int(len(data) * part)]))


@pytest.mark.parametrize("kind", ["bmp", "tiff", "float"])
def test_truncated_bmp_and_tiff(kind: str) -> None:
    data = valid_files()[kind]
    error = fails("truncated", lambda: identify(data[: len(data) // 2], "a.file"))
    assert error.file == "a.file"


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(KINDS), st.floats(0, 1))
def test_any_truncation_is_an_image_error_or_nothing(kind: str, part: float) -> None:
    data = valid_files()[kind]
    found = outcome(prepare, data[: int(len(data) * part)], ImagePolicy(max_side=6))  # all have to be decoded
    whole = 0.48 if kind == "pages" else 0.6  # the first page, and pixels that end before the file does
    assert found in ("empty", "not_an_image", "truncated", "broken") or (found == "" and part >= whole)


@settings(max_examples=250, deadline=None)
@given(st.sampled_from(KINDS), st.data())
def test_any_damage_is_an_image_error_or_nothing(kind: str, data: st.DataObject) -> None:
    damaged = bytearray(valid_files()[kind])
    for _ in range(data.draw(st.integers(1, 6))):
        # Headers are where damage hurts.
        place = data.draw(st.integers(0, min(120, len(damaged) - 1)) | st.integers(0, len(damaged) - 1))
        damaged[place] = data.draw(st.sampled_from([0, 1, 0x7F, 0x80, 0xFF]) | st.integers(0, 255))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snellen.image_pixels, "MOST_DECODED_PIXELS", 4_000_000)  # what is claimed is not to take time
        for call in (identify, canonical, lambda d: prepare(d, ImagePolicy(max_side=6, min_side=3))):
            assert outcome(call, bytes(damaged)) in ("", *ERRORS)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(
        [
            b"",
            b"\xff\xd8\xff",
            b"\x89PNG\r\n\x1a\n",
            b"GIF89a",
            b"RIFF\x40\0\0\0WEBP",
            b"BM",
            b"II*\0",
            b"MM\0*",
            b"II+\0",
            b"\xff\xd8\xff\xe1\0\x20Exif\0\0",
            b"BM\0\0\0\0\0\0\0\0\x1a\0\0\0\x28\0\0\0",
        ]
    ),
    st.binary(max_size=300),
)
def test_any_bytes_are_an_image_error(start: bytes, rest: bytes) -> None:
    for call in (identify, canonical, lambda d: prepare(d, ANY)):
        assert outcome(call, start + rest) in ("", *ERRORS)


@settings(max_examples=120, deadline=None)
@given(
    kind=st.sampled_from(KINDS),
    max_side=st.none() | st.integers(5, 60),
    max_pixels=st.none() | st.integers(30, 3000),
    max_bytes=st.none() | st.integers(4096, 9000),
    min_side=st.none() | st.integers(1, 5),
    formats=st.sets(st.sampled_from(["png", "jpeg", "webp", "gif", "bmp", "tiff"])),
    written=st.sampled_from(["png", "jpeg", "webp"]),
)
def test_what_is_sent_satisfies_the_policy(
    kind: str,
    max_side: int | None,
    max_pixels: int | None,
    max_bytes: int | None,
    min_side: int | None,
    formats: set[str],
    written: str,
) -> None:
    policy = ImagePolicy(max_side, max_pixels, max_bytes, min_side, (*sorted(formats), written))
    data = valid_files()[kind]
    sent = prepare(data, policy)
    shown = opened(sent)
    assert (shown.size, shown.mode) == ((sent.width, sent.height), sent.mode)
    assert sent.media_type.removeprefix("image/") in policy.formats
    assert sent.media_type == Image.MIME[shown.format or ""]
    assert shown.mode in ("L", "RGB", "P")
    assert max_side is None or max(shown.size) <= max_side
    assert max_pixels is None or shown.width * shown.height <= max_pixels
    assert min_side is None or min(shown.size) >= min_side
    assert max_bytes is None or 4 * -(-len(sent.data) // 3) <= max_bytes
    assert sent.sha256 == hashlib.sha256(sent.data).hexdigest()
    assert (sent.data == data) == (sent.steps == ())
    assert (sent.source_width, sent.source_height) == canonical(data).size
    corner = sent.to_source(sent.content_width, sent.content_height)
    assert corner == pytest.approx((sent.source_width, sent.source_height))
    assert sent.content_width <= sent.width
    assert sent.content_height <= sent.height


# Bombs ----------------------------------------------------------------------------------------------------------------


def test_more_than_the_most_pixels_is_refused_even_untouched() -> None:
    data = with_jpeg_size(save(smooth(8, 8), "JPEG"), 65_000, 65_000)
    assert identify(data).width == 65_000
    assert "65000x65000" in str(fails("too_large", lambda: prepare(data, ANY)))


@pytest.mark.parametrize("options", [{"exif": exif(6)}, {}])
def test_a_bomb_that_would_have_to_be_decoded_is_refused_before(options: dict[str, Any]) -> None:
    data = with_jpeg_size(save(smooth(8, 8), "JPEG", **options), 20_000, 20_000)
    policy = ANY if options else ImagePolicy(max_side=1000)
    fails("too_large", lambda: prepare(data, policy))
    fails("too_large", lambda: canonical(data))


def test_a_real_png_bomb_is_refused_by_its_header() -> None:
    rows = bytes(1 + 2500) * 20_000  # one bit a pixel: 50 MB that shrink to 50 kB
    fails("too_large", lambda: prepare(png(20_000, 20_000, 1, 0, rows), ANY))


def test_a_header_that_promises_more_than_the_file_can_hold() -> None:
    fails("broken", lambda: identify(png(15_000, 15_000, 8, 2, b"\0" * 100)))


def test_pillows_own_bomb_limit_is_not_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 100)
    for kind in ("JPEG", "PNG", "BMP"):
        assert canonical(save(noise(30, 20), kind)).size == (30, 20)
    fails("too_large", lambda: canonical(valid_files()["webp"]))  # the only plugin that looks at it by itself


def test_compressed_texts_and_profiles_beside_the_picture_cost_nothing() -> None:
    bomb = zlib.compress(bytes(80_000_000))
    text = chunk(b"zTXt", b"Comment\0\0" + bomb)
    profile = chunk(b"iCCP", b"icc\0\0" + bomb)
    data = png(2, 1, 8, 6, b"\0" + bytes([1, 2, 3, 255, 4, 5, 6, 255]), profile, *[text] * 3)
    sent = prepare(data, ANY)
    assert pixels(opened(sent)).tolist() == [[[1, 2, 3], [4, 5, 6]]]
    assert len(sent.data) < 200


def test_a_directory_chain_that_bites_its_tail() -> None:
    data = bytearray(valid_files()["tiff"])
    (first,) = struct.unpack_from("<I", data, 4)
    (count,) = struct.unpack_from("<H", data, first)
    struct.pack_into("<I", data, first + 2 + 12 * count, first)
    assert identify(bytes(data)).frames == 1


def test_a_header_that_lies_about_the_picture() -> None:
    data = bytearray(save(noise(9, 7), "WEBP", exif=exif(3)))
    at = data.index(b"VP8X") + 12
    data[at : at + 3] = (5000).to_bytes(3, "little")
    fails("broken", lambda: prepare(bytes(data), ANY))


def test_no_other_plugin_of_pillow_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("Image.open tries every format")

    monkeypatch.setattr(Image, "open", refuse)
    for data in valid_files().values():
        assert canonical(data).mode == "RGB"


def test_whatever_a_decoder_raises_becomes_an_image_error(monkeypatch: pytest.MonkeyPatch) -> None:
    data = valid_files()["rgba"]
    expected = {
        OSError("image file is truncated (3 bytes not processed)"): "truncated",
        SyntaxError("broken PNG file"): "broken",
        IndexError("list index out of range"): "broken",
        OverflowError("too large"): "broken",
        ZeroDivisionError(): "broken",
        MemoryError(): "too_large",
    }
    for raised, kind in expected.items():

        def fail(*_: object, raised: BaseException = raised) -> None:
            raise raised

        monkeypatch.setattr(snellen.image_pixels, "_decode", fail)
        assert fails(kind, lambda: prepare(data, ANY, "a.png")).file == "a.png"


def test_memory_that_runs_out_while_writing_is_an_image_error(monkeypatch: pytest.MonkeyPatch) -> None:
    data = valid_files()["rgba"]

    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Image.Image, "save", fail)
    assert fails("too_large", lambda: prepare(data, ANY, "a.png")).file == "a.png"


def test_interruption_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(snellen.image_pixels, "_decode", stop)
    with pytest.raises(KeyboardInterrupt):
        canonical(valid_files()["png"])


def test_warnings_of_pillow_are_kept_back_and_filters_restored_across_threads() -> None:
    before = list(warnings.filters)
    broken = save(smooth(40, 20), "TIFF", tiffinfo={274: 6}) + b"\0"
    threads = [threading.Thread(target=canonical, args=(broken,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(warnings.filters) == before


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (png(0, 5, 8, 2, b""), "broken"),
        (png(5, 5, 3, 2, bytes(500)), "broken"),
        (png(1, 1, 8, 2, bytes(4)).replace(b"IDAT", b"ID@T"), "broken"),
        (png(1, 1, 8, 2, bytes(4)).replace(b"IDAT", b"juNk"), "broken"),
        (png(1, 1, 8, 2, bytes(4))[:20] + b"\x05" + png(1, 1, 8, 2, bytes(4))[21:], "broken"),
        (with_jpeg_size(save(smooth(8, 8), "JPEG"), 0, 8), "broken"),
        (with_jpeg_size(save(smooth(8, 8), "JPEG"), 8, 0), "unsupported"),
        (save(smooth(8, 8), "JPEG").replace(b"\xff\xc0\0\x11\x08", b"\xff\xc0\0\x11\x0c"), "unsupported"),
        (save(smooth(8, 8), "JPEG").replace(b"\xff\xc0", b"\xff\xc3"), "unsupported"),
        (b"GIF89a" + struct.pack("<HHBBB", 5, 5, 0, 0, 0) + b";", "broken"),
        (b"GIF89a" + struct.pack("<HHBBB", 5, 5, 0, 0, 0) + b"\x99" + bytes(30), "broken"),
        (b"RIFF\x04\0\0\0WEBP", "broken"),
    ],
)
def test_headers_that_make_no_sense(data: bytes, kind: str) -> None:
    fails(kind, lambda: identify(data))


def test_info_is_plain() -> None:
    info = identify(save(smooth(60, 40), "JPEG", exif=exif(6)))
    assert info == ImageInfo("jpeg", 60, 40, "RGB", 6, 1, info.bytes)
    assert info.pixels == 2400

"""Conventions: presets, the full spelling, the way to pixels of the original and back, and the published scaling."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.box import Box
from snellen.convention import DEFAULT, PRESETS, Convention, CoordinateError, Frame, Resizing, parse
from snellen.errors import UsageError
from snellen.item import ImageRef

FRAMES = {
    "as it is": Frame((1920, 1080), (1920, 1080), (1920, 1080)),
    "scaled": Frame((4000, 3000), (2044, 1533), (2044, 1533)),
    "padded": Frame((20, 300), (28, 300), (20, 300)),
    "scaled and padded": Frame((1170, 77), (585, 56), (585, 39)),
    "odd": Frame((1179, 2556), (333, 722), (333, 721)),
}
SPELLINGS = [
    f"{unit}:{boxes}:{points}"
    for unit in ("original", "sent", "resized", "fraction", "percent", "thousand")
    for boxes in ("xyxy", "xywh", "cxcywh", "yxyx")
    for points in ("xy", "yx")
]
ALL = [*PRESETS, *SPELLINGS]


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_found_by_its_name_and_says_whom_it_fits(name: str) -> None:
    preset = PRESETS[name]
    assert parse(name) is preset is parse(f" {name.upper()} ")
    assert preset.name == name
    assert preset.title
    assert (preset.unit == "resized") == (preset.resizing is not None)
    # The full spelling says the same, but for a scaling of one family.
    assert replace(parse(str(preset)), name=name, title="", source="", resizing=None) == replace(
        preset, title="", source="", resizing=None
    )


def test_families_name_their_source() -> None:
    plain = {"pixels", "original-pixels", "fraction", "percent", "thousand"}
    assert {name for name, preset in PRESETS.items() if not preset.source} == plain
    assert DEFAULT is PRESETS["pixels"]


@pytest.mark.parametrize(
    ("text", "unit", "boxes", "points"),
    [
        ("thousand:yxyx:yx", "thousand", "yxyx", "yx"),
        ("thousand:yxyx", "thousand", "yxyx", "xy"),
        ("Original:XYWH", "original", "xywh", "xy"),
        (" sent : cxcywh : yx ", "sent", "cxcywh", "yx"),
        ("resized", "resized", "xyxy", "xy"),
    ],
)
def test_the_full_spelling(text: str, unit: str, boxes: str, points: str) -> None:
    found = parse(text)
    assert (found.unit, found.boxes, found.points) == (unit, boxes, points)
    assert found.name == str(found) == f"{unit}:{boxes}:{points}"
    assert (found.resizing is not None) == (unit == "resized")
    assert parse(found.name) == found


@pytest.mark.parametrize(
    "text", ["", ":", "pixel", "sent:", "sent:yx", "sent:xyxy:xyxy", "sent:xyxy:xy:xy", "gemini:xy"]
)
def test_no_convention(text: str) -> None:
    with pytest.raises(UsageError, match="no convention") as caught:
        parse(text)
    assert "qwen2.5-vl" in str(caught.value)
    assert "thousand" in str(caught.value)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("name", ALL)
def test_what_is_written_is_read_back(name: str, frame: Frame) -> None:
    convention = parse(name)
    width, height = frame.original
    for box in (
        Box(0, 0, width, height),
        Box(0, 0, 0, 0),
        Box(width, height, width, height),
        Box(width * 0.1, height * 0.3, width * 0.7, height),
        Box(width / 3, 1, width, height / 7),
    ):
        _same(convention.box(convention.written(box, frame), frame), box)


shares = st.floats(0, 1)


@given(shares, shares, shares, shares, st.sampled_from(ALL), st.sampled_from(sorted(FRAMES)))
def test_any_box_is_read_back(a: float, b: float, c: float, d: float, name: str, frame: str) -> None:
    convention, shown = parse(name), FRAMES[frame]
    width, height = shown.original
    box = Box(min(a, c) * width, min(b, d) * height, max(a, c) * width, max(b, d) * height)
    _same(convention.box(convention.written(box, shown), shown), box)


def _same(read: Box, box: Box) -> None:
    got, wanted = (read.left, read.top, read.right, read.bottom), (box.left, box.top, box.right, box.bottom)
    assert got == pytest.approx(wanted, abs=1e-5)


HALF = Frame((2000, 1000), (1000, 500), (1000, 500))


@pytest.mark.parametrize(
    ("name", "written", "edges"),
    [
        ("pixels", (100, 200, 300, 400), (200, 400, 600, 800)),
        ("original-pixels", (100, 200, 300, 400), (100, 200, 300, 400)),
        ("fraction", (0.1, 0.2, 0.3, 0.4), (200, 200, 600, 400)),
        ("percent", (10, 20, 30, 40), (200, 200, 600, 400)),
        ("thousand", (100, 200, 300, 400), (200, 200, 600, 400)),
        ("gemini", (100, 200, 300, 400), (400, 100, 800, 300)),
        ("sent:xywh", (100, 200, 300, 100), (200, 400, 800, 600)),
        ("sent:cxcywh", (200, 300, 200, 200), (200, 400, 600, 800)),
        # 1000 x 500 is scaled to 1008 x 504.
        ("qwen2.5-vl", (504, 252, 1008, 504), (1000, 500, 2000, 1000)),
    ],
)
def test_boxes_by_hand(name: str, written: tuple[float, ...], edges: tuple[float, ...]) -> None:
    _same(parse(name).box(written, HALF), Box(*edges))
    assert parse(name).written(Box(*edges), HALF) == pytest.approx(written)


def test_b31_yxyx_thousandths() -> None:
    frame = Frame((1000, 500), (1000, 500), (1000, 500))
    assert PRESETS["gemini"].box((100, 200, 300, 400), frame) == Box(200, 50, 400, 150)


def test_b25_xywh_pixels() -> None:
    _same(parse("original:xywh").box((879, 75, 599, 269), FRAMES["as it is"]), Box(879, 75, 1478, 344))


@pytest.mark.parametrize("side", [720, 1000, 1080, 1440, 1920, 3000])
def test_whole_pixels_of_what_is_sent_as_it_is_stay_whole(side: int) -> None:
    frame = Frame((side, side), (side, side), (side, side))
    for value in range(side + 1):
        assert parse("pixels").point((value, value), frame) == (value, value)
        assert parse("pixels").written(Box(0, 0, value, value), frame) == (0, 0, value, value)


def test_points_have_an_order_too() -> None:
    assert PRESETS["thousand"].point((100, 200), HALF) == (200, 200)
    assert PRESETS["gemini"].point((100, 200), HALF) == (400, 100)


def test_padding_shows_nothing() -> None:
    frame = FRAMES["padded"]
    assert PRESETS["pixels"].point((20, 300), frame) == (20, 300)
    with pytest.raises(CoordinateError, match="padding"):
        PRESETS["pixels"].point((21, 300), frame)
    with pytest.raises(CoordinateError, match="padding"):
        PRESETS["thousand"].point((1000, 500), frame)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ((1, 2, 3), "3 numbers where 4 are needed"),
        ((300, 2, 200, 4), "inverted"),
        ((1, 400, 2, 300), "inverted"),
        ((1, 2, math.nan, 4), "finite"),
        ((1, 2, math.inf, 4), "finite"),
        ((1, 2, 10**400, 4), "finite"),
        ((-1, 2, 3, 4), "outside 1000 x 500"),
        ((1, 2, 1001, 4), "outside 1000 x 500"),
        ((1, 2, 3, 500.001), "outside"),
    ],
)
def test_nothing_is_clamped(values: tuple[float, ...], problem: str) -> None:
    with pytest.raises(CoordinateError, match=problem):
        PRESETS["pixels"].box(values, HALF)


@pytest.mark.parametrize("values", [(1.0,), (1, 2, 3), (math.nan, 1), (-0.1, 1), (1001, 1), (1, 501)])
def test_no_point(values: tuple[float, ...]) -> None:
    with pytest.raises(CoordinateError):
        PRESETS["pixels"].point(values, HALF)


def test_negative_sides_are_inverted() -> None:
    for name in ("sent:xywh", "sent:cxcywh"):
        with pytest.raises(CoordinateError, match="inverted"):
            parse(name).box((100, 100, -10, 10), HALF)


@pytest.mark.parametrize(
    ("resizing", "size", "scaled"),
    [
        # 1920 / 28 = 68.57 -> 69, 1080 / 28 = 38.57 -> 39
        (Resizing(), (1920, 1080), (69 * 28, 39 * 28)),
        (Resizing(), (28, 280), (28, 280)),
        # 2.5 is rounded to the even 2, as Python does
        (Resizing(), (70, 1000), (56, 1008)),
        # 8008 x 5992 is too much: sqrt(48,000,000 / 12,845,056) = 1.93310; 4138.4 / 28 -> 147, 3103.8 / 28 -> 110
        (Resizing(), (8000, 6000), (147 * 28, 110 * 28)),
        # 28 x 28 is too little: scale sqrt(3136 / 1600) = 1.4
        (Resizing(), (40, 40), (56, 56)),
        # 30 x 60 -> 28 x 56 is too little: scale sqrt(3136 / 1800) = 1.3199; 39.6 / 28 -> 2, 79.2 / 28 -> 3
        (Resizing(), (30, 60), (56, 84)),
        # 784,000 pixels allowed: scale sqrt(2,073,600 / 784,000) = 1.62631; 1180.6 / 28 = 42.2, 664.1 / 28 = 23.7
        (Resizing(28, 3136, 784_000), (1920, 1080), (42 * 28, 23 * 28)),
        # at least 78,400: 196 x 196 has 38,416; scale sqrt(78,400 / 40,000) = 1.4: 280 / 28 = 10
        (Resizing(28, 100 * 28 * 28, 16384 * 28 * 28), (200, 200), (280, 280)),
        (Resizing(32, 65_536, 16_777_216), (1920, 1080), (1920, 1088)),
    ],
)
def test_the_published_scaling(resizing: Resizing, size: tuple[int, int], scaled: tuple[int, int]) -> None:
    assert resizing.size(*size) == scaled


@given(st.integers(28, 9000), st.integers(28, 9000))
def test_scaling_keeps_to_its_budget(width: int, height: int) -> None:
    scaled = Resizing().size(width, height)
    assert all(side % 28 == 0 and side >= 28 for side in scaled)
    if max(width, height) / min(width, height) <= 200:  # beyond, the published function refuses
        assert 56 * 56 <= scaled[0] * scaled[1] <= 12_845_056


def test_presets_scale_as_their_families_do() -> None:
    assert PRESETS["qwen2.5-vl"].resizing == Resizing(28, 3136, 12_845_056)
    assert PRESETS["ui-tars-1.5"].resizing == Resizing(28, 78_400, 12_845_056)


def test_a_frame_of_an_image_that_was_sent_as_it_is() -> None:
    image = ImageRef("a.png", width=1920, height=1080)
    whole = Frame((1920, 1080), (1920, 1080), (1920, 1080))
    assert Frame.of(image) == whole
    assert Frame.of(ImageRef("a.png"), {"width": 1920, "height": 1080}) == whole


def test_a_frame_of_an_image_that_was_changed() -> None:
    sent = {"width": 585, "height": 56, "source": {"width": 1170, "height": 77, "content": [585, 39]}}
    assert Frame.of(ImageRef("a.png"), sent) == FRAMES["scaled and padded"]
    del sent["source"]["content"]  # type: ignore[attr-defined]
    assert Frame.of(ImageRef("a.png"), sent) == Frame((1170, 77), (585, 56), (585, 56))


def test_a_frame_needs_a_size() -> None:
    with pytest.raises(CoordinateError, match=r"a\.png"):
        Frame.of(ImageRef("a.png"))


def test_resized_without_a_rule_is_scaled_as_published() -> None:
    bare = Convention("bare", "resized")
    assert bare.point((1932, 1092), FRAMES["as it is"]) == (1920, 1080)

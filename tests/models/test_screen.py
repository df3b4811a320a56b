"""What the model that reads makes of screens, drawn here: elements, targets, rejections, in both languages."""

from __future__ import annotations

import importlib.util
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from snellen.box import Box
from snellen.convention import PRESETS, Frame, parse
from snellen.engine.ladder import written
from snellen.errors import ImageError
from snellen.item import Element, ImageRef, Item, TargetReference
from snellen.models import ocr
from snellen.models._page import Line
from snellen.models._screen import Screen, Shape, caption, look
from snellen.models._screen_answer import respond, target
from snellen.models._screen_form import Form
from snellen.models._screen_lines import separated
from snellen.perturbations import _lettering
from snellen.prompting import _given_parse
from snellen.readers import boxes
from snellen.request import ImagePart, Message, Request, TextPart

needs_ocr = pytest.mark.skipif(importlib.util.find_spec("rapidocr") is None, reason="rapidocr is not installed")
ASK = Form(True, reject="Not there.")
SIZE = (800, 600)
LABELS = {
    "en": ("Sailing club", "Search boats", "Book a berth", "Cancel berth", "Harbour", "Weather", "Tide times"),
    "zh": ("帆船俱乐部", "搜索船只", "预订泊位", "取消泊位", "港口地图", "天气预报", "潮汐时间"),
}


def draw(language: str) -> tuple[Image.Image, dict[str, Box], list[Line]]:
    """A screen with a title, an input, two buttons and three tiles with their labels; its boxes and its texts."""
    try:
        font = _lettering.font_for("".join(LABELS[language]), 20)
    except ImageError:
        pytest.skip("no font has the letters")
    page = Image.new("RGB", SIZE, "#f3f4f6")
    pen = ImageDraw.Draw(page)
    found: dict[str, Box] = {}
    lines: list[Line] = []

    def write(text: str, x: float, y: float, fill: str = "#202428") -> Box:
        pen.text((x, y), text, font=font, fill=fill)
        left, top, right, bottom = pen.textbbox((x, y), text, font=font)
        lines.append(Line(text, left - 4, top - 4, right + 4, bottom + 4))  # with air, as RapidOCR has it
        return Box(left, top, right, bottom)

    title, search, *buttons, first, second, third = LABELS[language]
    found[title] = write(title, 40, 20)
    pen.rounded_rectangle((40, 70, 760, 118), 8, fill="white", outline="#c0c4c8")
    write(search, 60, 80, "#70757a")
    found[search] = Box(40, 70, 760, 118)
    for x, text, fill in zip((40, 400), buttons, ("#2f6fd0", "#ffffff"), strict=True):
        pen.rounded_rectangle((x, 150, x + 220, 200), 8, fill=fill, outline="#c0c4c8")
        write(text, x + 30, 162, "#ffffff" if fill == "#2f6fd0" else "#202428")
        found[text] = Box(x, 150, x + 220, 200)
    for x, text, fill in zip((60, 300, 540), (first, second, third), ("#2f9a60", "#b8443f", "#d08a2a"), strict=True):
        pen.rounded_rectangle((x, 260, x + 90, 350), 18, fill=fill)
        pen.ellipse((x + 25, 285, x + 65, 325), outline="white", width=5)
        wide = pen.textlength(text, font=font)
        label = write(text, x + 45 - wide / 2, 362)
        found[text] = Box(min(x, label.left), 260, max(x + 90, label.right), label.bottom)
    return page, found, lines


def seen(language: str) -> tuple[Screen, dict[str, Box]]:
    page, found, lines = draw(language)
    return look(np.asarray(page), lines, SIZE), found


def box(shape: Line) -> Box:
    return Box(shape.left, shape.top, shape.right, shape.bottom)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_element_is_found_once_with_its_kind(language: str) -> None:
    screen, found = seen(language)
    title, search, book, cancel, *tiles = LABELS[language]
    kinds = {(shape.kind, shape.text) for shape in screen.shapes}
    assert kinds == {
        ("text", title),
        ("input", search),
        ("button", book),
        ("button", cancel),
        *(("icon", tile) for tile in tiles),
        *(("text", tile) for tile in tiles),
    }
    assert len(screen.shapes) == 10
    for shape in screen.shapes:
        if shape.kind in ("input", "button"):
            assert box(shape).iou(found[shape.text]) > 0.9
        if shape.kind == "icon":
            assert (
                box(shape).iou(Box(found[shape.text].centre[0] - 45, 260, found[shape.text].centre[0] + 45, 350)) > 0.8
            )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_right_one_of_two_is_the_target_with_its_icon(language: str) -> None:
    screen, found = seen(language)
    for label, truth in found.items():
        asked = {"en": f"Please tap {label}.", "zh": f"请点击{label}。"}[language]
        best = target(asked, screen)
        assert best is not None
        assert box(best[0]).iou(truth) > 0.6, label
        reading = boxes.read_target(respond(asked, screen, ASK), PRESETS["pixels"], Frame(SIZE, SIZE, SIZE))
        assert reading.point is not None
        assert truth.contains(*reading.point)


@pytest.mark.parametrize(
    ("language", "absent"),
    [("en", "Open the lighthouse list."), ("en", "Pay for the diesel"), ("zh", "打开灯塔列表。"), ("zh", "支付燃油费")],
)
def test_what_is_not_there_is_rejected_where_that_is_offered(language: str, absent: str) -> None:
    screen, _ = seen(language)
    assert respond(absent, screen, ASK) == "Not there."
    place = boxes.read_target(respond(absent, screen, Form(True)), PRESETS["pixels"], Frame(SIZE, SIZE, SIZE))
    assert place.point is not None


@pytest.mark.parametrize("language", ["en", "zh"])
def test_lists_are_read_back_and_come_before_the_target_where_both_are_asked_for(language: str) -> None:
    screen, found = seen(language)
    frame = Frame(SIZE, SIZE, SIZE)
    listed = respond("", screen, Form(False))
    assert [e.description for e in boxes.read_elements(listed, PRESETS["pixels"], frame).elements] == [
        shape.text for shape in screen.shapes
    ]
    book = LABELS[language][2]
    both = respond(book, screen, Form(True, True, reject="Not there.", final="Final answer:"))
    assert both.startswith(listed)
    reading = boxes.read_target(both, PRESETS["pixels"], frame)
    assert reading.point is not None
    assert found[book].contains(*reading.point)
    nothing = respond(
        "xylophone", screen, Form(True, True, reject="The target is not on the screen.", final="Final answer:")
    )
    assert boxes.read_target(nothing, PRESETS["pixels"], frame).kind == "rejected"


def test_a_page_that_was_scaled_down_is_answered_in_pixels_of_the_original() -> None:
    page, found, lines = draw("en")
    large = look(np.asarray(page), lines, (2400, 1800))
    best = target("Cancel berth", large)
    assert best is not None
    truth = found["Cancel berth"]
    assert box(best[0]).iou(Box(truth.left * 3, truth.top * 3, truth.right * 3, truth.bottom * 3)) > 0.9


def test_the_button_in_the_row_of_what_is_named_is_meant() -> None:
    rows = [
        Shape(text, *edges, kind)
        for y, name in ((100, "Oat soup"), (200, "Leek soup"), (300, "Pea soup"))
        for text, kind, edges in (
            (name, "text", (20, y, 120, y + 20)),
            ("Add", "button", (500, y - 8, 560, y + 28)),
        )
    ]
    screen = Screen(600, 400, tuple(rows))
    best = target("Add Leek soup.", screen)
    assert best is not None
    assert (best[0].left, best[0].top) == (500, 192)
    just_named = target("Show Leek soup.", screen)
    assert just_named is not None
    assert just_named[0].left == 20


@pytest.mark.parametrize("convention", ["pixels", "gemini", "fraction:xywh", "percent:cxcywh"])
def test_a_list_that_is_given_is_gone_by(convention: str) -> None:
    declared, frame = parse(convention), Frame(SIZE, SIZE, SIZE)
    elements = (Element("text", "Leek soup", Box(80, 60, 240, 90)), Element("icon", "Close", Box(720, 30, 760, 60)))
    item = Item(
        "x",
        "Close the window.",
        (ImageRef("s.png", sha256="ab"),),
        reference=TargetReference(Box(720, 30, 760, 60)),
        given=written(elements, declared, frame),
    )

    def ask(one: Item) -> boxes.TargetReading:
        request = Request(_given_parse.messages(one, declared), "ocr")
        return boxes.read_target(ocr.answer(request, str.encode), declared, frame)

    assert ask(item).point == pytest.approx((740, 45), abs=1)
    assert ask(replace(item, question="Print the page.")).kind == "rejected"
    for damaged in (
        "[",
        "[1, {}]",
        '[{"description": 1, "bbox_2d": [1, 2]}]',
        "no list",
        '[{"description": "Close", "bbox_2d": [1, NaN, 1e999, 3]}]',
    ):
        assert ask(replace(item, given=damaged)).kind == "rejected"


def test_icons_have_the_text_below_or_beside_them() -> None:
    icon = Line("", 100, 100, 140, 140)
    below, beside = Line("below", 90, 145, 150, 163), Line("beside", 150, 111, 220, 129)
    far = Line("far", 400, 111, 450, 129)
    assert caption(icon, [far, beside]) == beside
    assert caption(icon, [below, far, beside]) == below
    assert caption(icon, [far]) is None


def test_a_text_is_drawn_close_and_apart_from_its_icon() -> None:
    edges = np.zeros((60, 300), np.uint8)
    edges[20:36, 20:36] = 1
    edges[20:36, 60:160] = 1
    (written,), signs = separated([Line("口 家人", 10, 12, 170, 44), Line("☆", 200, 10, 220, 30)], edges)
    assert written.text == "家人"
    assert (written.left, written.right) == (60, 160)
    assert 14 < written.top < 20
    assert [sign.text for sign in signs] == ["☆"]


def test_an_icon_that_was_read_as_a_sign_is_named_after_it() -> None:
    page = Image.new("RGB", (400, 300), "white")
    pen = ImageDraw.Draw(page)
    pen.line((350, 20, 370, 40), fill="black", width=3)
    pen.line((350, 40, 370, 20), fill="black", width=3)
    lines = [Line("×", 344, 14, 376, 46)]
    screen = look(np.asarray(page), lines, (400, 300))
    assert [(shape.kind, shape.text) for shape in screen.shapes] == [("icon", "close")]
    best = target("Close the window", screen)
    assert best is not None
    assert Box(350, 20, 371, 41).contains(best[0].x, best[0].y)


@pytest.mark.parametrize("color", ["white", "#123456"])
def test_an_empty_screen_has_no_elements(color: str) -> None:
    screen = look(np.asarray(Image.new("RGB", (300, 200), color)), [], (300, 200))
    assert screen.shapes == ()
    assert respond("Open", screen, ASK) == "Not there."
    assert json.loads(respond("Open", screen, Form(True))) == {"point_2d": [150, 100]}
    assert respond("", screen, Form(False)) == "[]"


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 90), st.integers(1, 90))
def test_any_picture_and_any_lines_give_elements_within_it(seed: int, width: int, height: int) -> None:
    draws = np.random.default_rng(seed)
    page = draws.integers(0, 256, (height, width, 3), np.uint8)
    if seed % 2:
        page = np.kron(page[: height // 9 + 1, : width // 9 + 1], np.ones((9, 9, 1), np.uint8))[:height, :width]
    corners = draws.uniform(-10, 100, (4, 4))
    lines = [Line("文字 a", *sorted((a, c)), *sorted((b, d))) for a, b, c, d in corners]
    lines = [Line(line.text, line.left, line.right, line.top, line.bottom) for line in lines]
    size = page.shape[1], page.shape[0]
    frame = Frame(size, size, size)
    screen = look(page, lines, size)
    reading = boxes.read_elements(respond("", screen, Form(False)), PRESETS["pixels"], frame)
    assert len(reading.elements) + len(reading.problems) == len(screen.shapes)


@needs_ocr
@pytest.mark.parametrize("language", ["en", "zh"])
def test_ocr_grounds_and_rejects_from_pixels_alone(language: str) -> None:
    page, found, _ = draw(language)
    stream = io.BytesIO()
    page.save(stream, "PNG")
    frame = {
        "en": '"bbox_2d": [x1, y1, x2, y2] "point_2d": [x, y] answer only: "Not there."',
        "zh": '"bbox_2d": [x1, y1, x2, y2] "point_2d": [x, y] 只回答：“不在这里。”',
    }[language]
    asked = {"en": "Open {}.", "zh": "打开{}。"}[language]

    def ask(label: str) -> str:
        parts = (ImagePart(f"screen-{language}"), TextPart(asked.format(label)), TextPart(frame, role="frame"))
        return ocr.answer(Request((Message("user", parts),), "ocr"), lambda _: stream.getvalue())

    _, _, book, cancel, *tiles = LABELS[language]
    for label in (book, cancel, *tiles):
        reading = boxes.read_target(ask(label), PRESETS["pixels"], Frame(SIZE, SIZE, SIZE))
        assert reading.point is not None, label
        assert found[label].contains(*reading.point)
    assert ask({"en": "Lighthouse", "zh": "灯塔"}[language]) == {"en": "Not there.", "zh": "不在这里。"}[language]

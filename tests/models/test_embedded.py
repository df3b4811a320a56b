"""The embedded models: ocr really reads, blind really does not look, constant never changes."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import socket
import sys
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.benchmarks import charthal_demo
from snellen.errors import ModelError
from snellen.item import Item
from snellen.models import _rapidocr, blind, constant, ocr
from snellen.models._page import Line, Reading, reduced
from snellen.request import ImagePart, Message, Request, TextPart

FOLDER = charthal_demo.locate(None, Path("unused"))
ITEMS = [item for item in charthal_demo.items(FOLDER) if isinstance(item, Item)]
needs_ocr = pytest.mark.skipif(importlib.util.find_spec("rapidocr") is None, reason="rapidocr is not installed")


def asked(question: str, *images: str, frame: str = "") -> Request:
    texts = (TextPart(frame, role="frame"),) if frame else ()
    return Request((Message("user", (*map(ImagePart, images), *texts, TextPart(question))),), "embedded")


def unused(sha256: str) -> bytes:
    raise AssertionError("it looked")


def chart(name: str) -> tuple[str, bytes]:
    data = (FOLDER / "images" / name).read_bytes()
    return hashlib.sha256(data).hexdigest(), data


def about(name: str, question: str) -> str:
    digest, data = chart(name)
    return ocr.answer(asked(question, digest), {digest: data}.__getitem__)


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine and no readings yet; those of other tests come back afterwards."""
    monkeypatch.setattr(_rapidocr, "_engine", None)
    monkeypatch.setattr(ocr, "_readings", OrderedDict())


# constant


def test_constant_says_its_argument_or_the_default() -> None:
    assert constant.answer(asked("?"), unused) == constant.DEFAULT
    assert constant.answer(asked("多少？", "00"), unused, "No: never.") == "No: never."


# blind


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_blind_answers_in_the_language_of_the_question_without_looking(item: Item) -> None:
    answer = blind.answer(asked(item.question, "00"), unused)
    assert answer.strip()
    assert bool(re.search(r"[\u4e00-\u9fff]", answer)) == (item.language == "zh")
    assert answer == blind.answer(asked(item.question, "11", "22", frame="Look closely."), unused)


@given(st.text())
def test_blind_answers_anything(question: str) -> None:
    assert blind.answer(asked(question), unused).strip()


def test_blind_answers_by_kind_of_question() -> None:
    assert blind.answer(asked("Is Oslo colder than Lisbon?"), unused) == "Yes."
    assert blind.answer(asked("奥斯陆比里斯本冷吗？"), unused) == "是。"
    assert re.fullmatch(r"It is (Oslo|Lisbon)\.", blind.answer(asked("Which is colder, Oslo or Lisbon?"), unused))
    assert re.fullmatch(r"It is [\d.]+\.", blind.answer(asked("How many cups were sold in 2023?"), unused))
    assert re.fullmatch(r"是[\d.]+。", blind.answer(asked("一共卖出多少杯？"), unused))
    options = "(A) red (B) blue (C) green (D) black"
    assert {blind.answer(asked(f"What color is car {n}? {options}"), unused) for n in range(40)} == {
        "(A)",
        "(B)",
        "(C)",
        "(D)",
    }
    assert re.fullmatch(r"\([AB]\)", blind.answer(asked("车是什么颜色？\nA. 红色\nB．蓝色"), unused))
    assert len({blind.answer(asked(f"How many cups were sold in shop {shop}?"), unused) for shop in "ABCDEFGH"}) > 3


# ocr: on the shipped charts


@needs_ocr
def test_ocr_reads_printed_values() -> None:
    assert about("coffee-shops.png", "How many cups did the Station shop sell?") == "The answer is 580."
    assert about("coffee-shops.png", "Which shop sold the most cups?") == "The answer is 710 (Airport)."
    assert about("tea-sales.png", "南站店的销量是多少杯？") == "答案是640。"
    assert about("council-vote.jpg", "What share of votes did the Workers get?") == "The answer is 24.6."


@needs_ocr
def test_ocr_declines_what_does_not_stand_on_the_chart() -> None:
    assert "nothing about Madrid" in about("coffee-shops.png", "How many cups did the Madrid shop sell?")
    assert "没有关于鲸鱼" in about("tea-sales.png", "图中鲸鱼的平均寿命是多少年？")
    assert "does not print" in about("electricity-mix.png", "How much electricity did Coal generate in 2023?")


@needs_ocr
def test_ocr_depends_on_the_image_and_picks_the_one_that_fits() -> None:
    question = "How many cups did the Station shop sell?"
    assert about("coffee-shops.png", question) != about("tea-sales.png", question)
    images = dict([chart("tea-sales.png"), chart("coffee-shops.png")])
    assert ocr.answer(asked(question, *images), images.__getitem__) == "The answer is 580."


@needs_ocr
def test_ocr_needs_no_network_and_says_nothing(
    fresh: None, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("it reached for the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert about("coffee-shops.png", "How many cups did the Station shop sell?") == "The answer is 580."
    assert capfd.readouterr() == ("", "")


@needs_ocr
@pytest.mark.parametrize("data", [b"", b"<html></html>", b"\x89PNG\r\n\x1a\n", chart("coffee-shops.png")[1][:500]])
def test_ocr_says_that_an_image_cannot_be_read(fresh: None, data: bytes) -> None:
    with pytest.raises(ModelError) as error:
        ocr.answer(asked("How many?", "00"), lambda _: data)
    assert error.value.kind == "image"


def test_ocr_without_rapidocr_says_how_to_install_it(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    with pytest.raises(ModelError, match=r"pip install 'snellen\[ocr\]'"):
        about("coffee-shops.png", "How many?")


def test_ocr_wants_an_image_and_no_argument() -> None:
    with pytest.raises(ModelError, match="no image"):
        ocr.answer(asked("How many?"), unused)
    with pytest.raises(ModelError, match="takes no argument"):
        ocr.answer(asked("How many?", "00"), unused, "fast")
    with pytest.raises(ModelError, match="takes no argument"):
        blind.answer(asked("How many?", "00"), unused, "fast")


# ocr: what is kept


@pytest.fixture
def recognized(fresh: None, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    seen: list[bytes] = []

    def recognize(data: bytes) -> list[Line]:
        seen.append(data)
        return [Line(data.decode(), 0, 0, 10, 10)]

    monkeypatch.setattr(ocr, "_recognize", recognize)
    return seen


def test_an_image_is_read_once_by_many_threads(recognized: list[bytes]) -> None:
    with ThreadPoolExecutor(8) as pool:
        readings = list(pool.map(lambda _: ocr.read("aa", lambda _: b"one"), range(32)))
    assert recognized == [b"one"]
    assert {reading.title for reading in readings} == {"one"}


def test_only_the_last_readings_are_kept(recognized: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "_KEPT", 2)
    for name in ("a", "b", "a", "c", "a", "b"):
        assert ocr.read(name, str.encode).title == name
    assert recognized == [b"a", b"b", b"c", b"b"]


def test_a_failure_is_not_kept(recognized: list[bytes]) -> None:
    def fail(_: str) -> bytes:
        raise ModelError("image", "gone")

    with pytest.raises(ModelError):
        ocr.read("a", fail)
    assert ocr.read("a", str.encode).title == "a"


# ocr: what is made of the texts


def at(text: str, x: float, y: float) -> Line:
    half = 5.0 * len(text)
    return Line(text, x - half, y - 10, x + half, y + 10)


def row(texts: str, y: float, start: float = 100, step: float = 100) -> list[Line]:
    return [at(text, start + step * number, y) for number, text in enumerate(texts.split())]


TICKS = [Line(str(value), 20, 390 - value * 3, 50, 410 - value * 3) for value in (0, 25, 50, 75, 100)]
BARS = Reading(
    [at("Fruit sold", 300, 20), *TICKS, *row("60 35 80", 150), *row("Apples Pears Plums", 420), at("Fruit", 200, 450)]
)
GROUPS = Reading(
    [
        at("Repairs", 300, 20),
        *[
            line
            for number, pair in enumerate(("12 15", "18 14"))
            for line in row(pair, 150 + number, 80 + 200 * number, 40)
        ],
        *row("North South", 400, 100, 200),
        at("Old", 500, 60),
        at("New", 500, 90),
    ]
)
STACKS = Reading(
    [*row("30 40", 300), *row("10 20", 200), *row("East West", 400), at("Day", 400, 60), at("Eve", 400, 90)]
)
GRID = Reading(
    [at("Mon", 30, 100), at("Tue", 30, 200), *row("5 6 7", 100), *row("8 9 2", 200), *row("Ann Bob Cy", 300)]
)
YEARS = Reading([*row("3 9 4 6", 100), *row("2019 2020 2021 2022", 400)])


def test_ticks_are_no_values_and_years_along_an_axis_are_labels() -> None:
    assert [line.text for line in BARS.values] == ["60", "35", "80"]
    assert {line.text for line in BARS.places} >= {"Apples", "Pears", "Plums"}
    assert "Fruit" not in {line.text for line in BARS.places}
    assert [line.text for line in YEARS.values] == ["3", "9", "4", "6"]
    assert [line.text for line in GROUPS.legend] == ["Old", "New"]
    assert {line.text for line in GROUPS.places} == {"North", "South"}
    assert Reading([at("●", 10, 10), at("☆", 30, 10), at("é", 50, 10)]).lines == (at("é", 50, 10),)


@pytest.mark.parametrize(
    ("reading", "question", "answer"),
    [
        (BARS, "How many pears were sold?", "The answer is 35."),
        (BARS, "By how many do plums exceed pears?", "The answer is 45."),
        (BARS, "Which fruit sold least?", "The answer is 35 (Pears)."),
        (BARS, "How many fruit were sold in total, apples and plums?", "The answer is 140."),
        (BARS, "How many apples did Zurich buy?", "The chart shows nothing about Zurich, so this question cannot be "
                                                  "answered from it."),
        (GROUPS, "How many new repairs were there in the South?", "The answer is 14."),
        (GROUPS, "How many old repairs were there in the North?", "The answer is 12."),
        (STACKS, "How many came in the West on the Eve?", "The answer is 20."),
        (GRID, "What did Bob do on Tuesday?", "The answer is 9."),
        (GRID, "What did Cy do on Monday?", "The answer is 7."),
        (YEARS, "What was it in 2020?", "The answer is 9."),
        (YEARS, "What was it in 2031?", "The chart shows nothing about 2031, so this question cannot be "
                                        "answered from it."),
        (Reading([]), "How many?", "The chart shows nothing that answers this question."),
        (Reading([]), "有多少？", "图中没有相关信息，因此无法回答。"),
    ],
)  # fmt: skip
def test_what_is_answered(reading: Reading, question: str, answer: str) -> None:
    assert ocr.respond(question, reading) == answer


def test_reasons_are_only_guessed_at() -> None:
    assert "only a guess" in ocr.respond("Why were so few pears sold?", BARS)
    zh = Reading([at("城市销量", 300, 20), *row("120 80", 150), *row("杭州 成都", 400)])
    assert "只是一种猜测" in ocr.respond("杭州销量高的原因是什么？", zh)
    assert ocr.respond("成都的销量是多少？", zh) == "答案是80。"
    assert ocr.respond("杭州与成都的销量相差多少？", zh) == "答案是40。"
    assert ocr.respond("广州的销量是多少？", zh) == "图中没有关于广州的信息，因此无法回答这个问题。"


@pytest.mark.parametrize(
    ("text", "number"),
    [("42", 42), ("4,200", 4200), ("-5", -5), ("−5", -5), ("8.2%", 8.2), ("12 %", 12), ("4,20", None), ("Q1", None),
     ("", None), ("1.2.3", None), ("10-20", None)],
)  # fmt: skip
def test_printed_numbers(text: str, number: float | None) -> None:
    assert Line(text, 0, 0, 1, 1).number == number


def test_words_are_reduced() -> None:
    assert reduced("The Airport shop's sales, in June 2023: 4.5 glasses") == [
        "the", "airport", "shop", "sale", "in", "jun", "2023", "4.5", "glasse",
    ]  # fmt: skip
    days = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February September December"
    assert " ".join(reduced(days)) == "mon tue wed thu fri sat sun jan feb sep dec"


LINES = st.builds(
    lambda text, x, y, width, height: Line(text, x, y, x + width, y + height),
    st.text(min_size=1, max_size=6) | st.integers(-50, 3000).map(str) | st.sampled_from(["Q1", "销量", "9" * 400]),
    *[st.integers(0, 300)] * 2,
    *[st.integers(0, 60)] * 2,
)


@given(
    st.lists(LINES, max_size=9),
    st.text(max_size=30) | st.sampled_from(["Q1 total", "销量相差多少", "most Q1", "Q1 Q1"]),
)
def test_any_question_on_any_page_gets_an_answer(lines: list[Line], question: str) -> None:
    assert ocr.respond(question, Reading(lines)).strip()

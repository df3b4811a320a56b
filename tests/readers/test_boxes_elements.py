"""Lists of elements in answers, and hostile text for both readers of boxes."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.box import Box
from snellen.convention import PRESETS, Frame
from snellen.item import Element
from snellen.readers.boxes import ElementsReading, read_elements, read_target

FRAME = Frame((1000, 500), (1000, 500), (1000, 500))
A = Element("icon", "search", Box(1, 2, 3, 4))
B = Element("button", "Log in", Box(5, 6, 7, 8))

LISTS: list[str] = [
    '[{"type": "icon", "description": "search", "bbox_2d": [1, 2, 3, 4]},'
    ' {"type": "button", "description": "Log in", "bbox_2d": [5, 6, 7, 8]}]',
    '```json\n[\n  {"type": "icon", "index": 0, "description": "search", "coordinates": [1, 2, 3, 4]},\n'
    '  {"type": "button", "index": 1, "description": "Log in", "coordinates": [5, 6, 7, 8]},\n]\n```',
    "{'elements': [{'type': 'Icon', 'label': 'search', 'bbox': [1, 2, 3, 4]},"
    " {'type': 'Button', 'label': 'Log in', 'bbox': [5, 6, 7, 8]}]}",
    '{"type": "icon", "description": "search", "bbox": [1, 2, 3, 4]}\n'
    '{"type": "button", "description": "Log in", "bbox": [5, 6, 7, 8]}',
    '[{"kind": "icon", "name": "search", "bbox": {"x1": 1, "y1": 2, "x2": 3, "y2": 4}},'
    ' {"kind": "button", "name": "Log in", "bbox": {"x1": 5, "y1": 6, "x2": 7, "y2": 8}}]',
    '[{"type": "icon", "text": "search", "x1": 1, "y1": 2, "x2": 3, "y2": 4},'
    ' {"type": "button", "text": "Log in", "x1": 5, "y1": 6, "x2": 7, "y2": 8}]',
    '[{"bbox_2d": ["1", "2", "3", "4"], "type": "icon", "description": "search"},'
    ' {"bbox_2d": "[5, 6, 7, 8]", "type": "button", "description": "Log in"}]',
    '1. [icon] "search" (1, 2, 3, 4)\n2. [button] "Log in" (5, 6, 7, 8)',
    "- icon: search, bbox: [1, 2, 3, 4]\n- button: Log in, bbox: [5, 6, 7, 8]",
    "* **icon** | search | [1, 2, 3, 4]\n* **button** | Log in | [5, 6, 7, 8]",
    "| type | description | box |\n|---|---|---|\n| icon | search | [1, 2, 3, 4] |\n| button | Log in | [5, 6, 7, 8] |",
    "icon: search <box>(1,2),(3,4)</box>\nbutton: Log in <box>(5,6),(7,8)</box>",
    'Step 1:\n[{"type": "icon", "description": "search", "bbox_2d": [1, 2, 3, 4]},'
    ' {"type": "button", "description": "Log in", "bbox_2d": [5, 6, 7, 8]}]\n'
    'Final answer: {"bbox_2d": [5, 6, 7, 8]}',
    '[{"type": "图标", "描述": "search", "坐标": [1, 2, 3, 4]}, {"类型": "按钮", '
    '"描述": "Log in", "坐标": [5, 6, 7, 8]}]',
    "1、图标：search，坐标：［1，2，3，4］\n2、按钮：Log in，坐标：［5，6，7，8］",
    "- icon: search [1, 2, 3, 4]\n- button: Log in [5, 6, 7, 8]\nFinal answer: [5, 6, 7, 8]",
]


def read(text: str) -> ElementsReading:
    return read_elements(text, PRESETS["pixels"], FRAME)


@pytest.mark.parametrize("text", LISTS)
def test_lists(text: str) -> None:
    assert read(text) == ElementsReading((A, B), (), False)


def test_references_with_boxes() -> None:
    text = "<ref>search</ref><box>[[1, 2, 3, 4]]</box>, <ref>Log in</ref><box>(5,6),(7,8)</box>"
    assert [(e.description, e.box) for e in read(text).elements] == [("search", A.box), ("Log in", B.box)]


def test_a_bad_box_is_counted_and_the_rest_goes_on() -> None:
    reading = read(
        '[{"type": "icon", "description": "a", "bbox": [1, 2, 3, 4]},'
        ' {"type": "icon", "description": "b", "bbox": [9, 2, 3, 4]},'
        ' {"type": "icon", "description": "c", "bbox": [1, 2, 3]},'
        ' {"type": "icon", "description": "d", "bbox": [1, 2, 3000, 4]},'
        ' {"type": "icon", "description": "e", "bbox": null},'
        ' {"type": "icon", "description": "f", "bbox": [NaN, 2, 3, 4]},'
        ' {"type": "icon", "description": "g", "point": [1, 2]},'
        ' {"type": "icon", "description": "h", "bbox": [5, 6, 7, 8]}]'
    )
    assert [e.description for e in reading.elements] == ["a", "h"]
    assert [p.description for p in reading.problems] == list("bcdefg")
    said = [p.problem for p in reading.problems]
    for problem, word in zip(said, ("inverted", "3 numbers", "outside", "sentinel", "finite", "point"), strict=True):
        assert word in problem
    assert reading.problems[0].values == ("9", "2", "3", "4")


@pytest.mark.parametrize(
    "end", ["", ",", ', {"type', ', {"type": "text", "description": "He', ', {"bbox_2d": [5, 6, 7']
)
def test_a_list_that_is_cut_off_keeps_what_is_whole(end: str) -> None:
    reading = read('[{"type": "icon", "description": "search", "bbox_2d": [1, 2, 3, 4]}' + end)
    assert reading == ElementsReading((A,), (), True)


def test_descriptions_are_as_written() -> None:
    reading = read('[{"type": "text", "description": "He said \\"hi, [1, 2]\\"，第３章", "bbox": [1, 2, 3, 4]}]')
    assert reading.elements == (Element("text", 'He said "hi, [1, 2]"，第３章', A.box),)


def test_children_are_elements_of_their_own() -> None:
    reading = read(
        '[{"type": "image", "description": "card", "bbox": [1, 2, 30, 40],'
        ' "children": [{"type": "text", "description": "title", "bbox": [3, 4, 5, 6]}]}]'
    )
    assert sorted(e.description for e in reading.elements) == ["card", "title"]


@pytest.mark.parametrize("text", ["", "There is nothing.", "目标不存在", "[]", "I see 3 icons and 2 buttons."])
def test_no_list(text: str) -> None:
    assert read(text).elements == ()
    assert not read(text).truncated


PIECES = [
    "[", "]", "(", ")", "{", "}", "<", ">", '"', "'", ":", "=", ",", "，", " ", "\n", "\\", "/", "-", ".", "%",
    "|", "1", "23", "0.5", "4e2", "１２", "٣", "null", "NaN", "x", "y", "x1", "left", "top", "width", "bbox_2d",
    "point", "label", "<box>", "</box>", "<|box_start|>", "<|box_end|>", "<point x=", "<loc_12>", "<loc0012>",
    "click(", "pyautogui.click(", "not on the screen", "no such element", "at ", "answer:", "not ", "坐标",
    "左上角", "右下角", "目标不存在", "第", "//", "/*", "*/", "# ", "```json", "- ", "1. ", "Final answer:",
    "to", "°", "²", "½",
]  # fmt: skip
TEXTS = st.one_of(st.text(max_size=120), st.lists(st.sampled_from(PIECES), max_size=60).map("".join))


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.sampled_from(sorted(PRESETS)), st.booleans())
def test_fuzzed_text_never_raises_and_never_invents_a_coordinate(text: str, preset: str, offered: bool) -> None:
    reading = read_target(text, PRESETS[preset], FRAME, sentinel_offered=offered)
    start, end = reading.span
    assert 0 <= start <= end <= len(text)
    assert all(value and value in text[start:end] for value in reading.values)
    if reading.point is not None:
        assert reading.kind in ("point", "box", "contradicted")
        assert len(reading.values) in (2, 4)
        assert 0 <= reading.point[0] <= 1000.0001
        assert 0 <= reading.point[1] <= 500.0001
    assert (reading.kind == "format_error") <= bool(reading.problem)
    listed = read_elements(text, PRESETS[preset], FRAME)
    for problem in listed.problems:
        assert problem.problem
        assert all(value in text for value in problem.values)


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_the_numbers_of_a_place_are_those_of_the_text(text: str) -> None:
    reading = read_target(text, PRESETS["original-pixels"], FRAME)
    if reading.box is not None and "%" not in text and "％" not in text and not re.search("[wW]|宽|高|c[xy]", text):
        written = {float(value) for value in reading.values}
        assert {reading.box.left, reading.box.top, reading.box.right, reading.box.bottom} <= written


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["icon", "text", "button", "image", "input"]),
            st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=20),
            st.integers(0, 500), st.integers(0, 250), st.integers(1, 500), st.integers(1, 250),
        ),
        max_size=8,
    )
)  # fmt: skip
def test_whatever_a_json_list_says_is_read(rows: list[tuple[str, str, int, int, int, int]]) -> None:
    truth = [(kind, said.strip(), Box(x, y, x + w, y + h)) for kind, said, x, y, w, h in rows]
    text = json.dumps(
        [{"type": k, "description": said, "bbox_2d": [x, y, x + w, y + h]} for k, said, x, y, w, h in rows]
    )
    reading = read(text)
    assert [(e.kind, e.box) for e in reading.elements] == [(kind, box) for kind, _, box in truth]
    assert not reading.problems
    assert not reading.truncated


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"\u6253\u5f00", "打开"),
        (r"smile \ud83d\ude00", "smile 😀"),
        (r"half \ud83d and more", r"half \ud83d and more"),
        (r"half \ud83d\u0041\ude00", r"half \ud83dA\ude00"),
        (r"a \"b\" \\ \/ \n c", 'a "b" \\ / \n c'),
    ],
)
def test_escapes_mean_the_same_in_whole_and_in_broken_lists(written: str, meant: str) -> None:
    for end in ("]", ",]"):  # the short way for correct lists, and the tolerant one
        text = f'[{{"type": "text", "description": "{written}", "bbox_2d": [1, 2, 3, 4]}}{end}'
        (element,) = read_elements(text, PRESETS["pixels"], Frame((9, 9), (9, 9), (9, 9))).elements
        assert element.description == meant

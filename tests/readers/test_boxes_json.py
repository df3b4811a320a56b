"""The short way to elements reads what the tolerant reader reads, or leaves it to that."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.convention import PRESETS, Frame
from snellen.readers import boxes
from snellen.readers._box_json import elements
from snellen.readers.boxes import ElementsReading, read_elements

FRAME = Frame((1000, 500), (1000, 500), (1000, 500))
ROW = {"type": "icon", "description": "search", "bbox_2d": [1, 2, 3, 4]}


def tolerant(text: str, monkeypatch: pytest.MonkeyPatch) -> ElementsReading:
    with monkeypatch.context() as patch:
        patch.setattr(boxes, "_quick", lambda text: None)
        return read_elements(text, PRESETS["pixels"], FRAME)


KEYS = st.sampled_from(
    [
        *("type", "kind", "role", "category", "class", "description", "desc", "function", "label", "text", "name"),
        *("title", "index", "id", "bbox_2d", "bbox", "box", "coordinates", "point", "note", "类型", "描述"),
    ]
)
WORDS = st.text(st.sampled_from(list("ab Z5.,:[]{}()'\"“”#/-%·，【】中\n")), max_size=8) | st.sampled_from(
    ["Icon", "button", "图标", "5", "(1, 2)", "[1, 2, 3, 4]", "http://a/b", "null", "-1", "x=1, y=2", "not found", ""]
)
NUMBERS = st.integers(0, 499) | st.floats(0, 499).map(lambda value: round(value, 2)) | st.sampled_from([0, -1, 9999])
VALUES = WORDS | NUMBERS | st.lists(NUMBERS, min_size=2, max_size=5)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=5).map(lambda extra: {**ROW, **extra}) | st.dictionaries(KEYS, VALUES)
PLAIN = st.builds(
    lambda kind, said, box, index: {"type": kind, "index": index, "description": said, "bbox": box},
    WORDS,
    WORDS,
    st.lists(NUMBERS, min_size=4, max_size=4),
    st.integers(0, 40),
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(PLAIN | OBJECTS, max_size=4),
    st.sampled_from([None, 1, 2]),
    st.sampled_from(["{}", "```json\n{}\n```", "```\n{}\n```", " {}\n"]),
)
def test_both_ways_read_the_same(rows: list[dict[str, Any]], indent: int | None, around: str) -> None:
    text = around.replace("{}", json.dumps(rows, ensure_ascii=False, indent=indent))
    with pytest.MonkeyPatch.context() as patch:
        assert read_elements(text, PRESETS["pixels"], FRAME) == tolerant(text, patch)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[[1, 2, 3, 4]]",
        json.dumps(ROW),
        "[1]",
        json.dumps([ROW])[:-1],
        json.dumps([ROW]) + " and that is all",
        '[{"type": "icon", "type": "text", "bbox": [1, 2, 3, 4]}]',
        '[{"bbox": [1, 2, 3, 4], "bbox_2d": [5, 6, 7, 8]}]',
        '[{"bbox": [1, 2, 3, NaN]}]',
        '[{"bbox": [1, 2, true, 4]}]',
        '[{"bbox": [0, 0, 0, 0]}]',
        '[{"bbox": [1, 2, 3, -4]}]',
        '[{"bbox": [1, 2, 3]}]',
        '[{"description": "a \\" b", "bbox": [1, 2, 3, 4]}]',
        '[{"description": "a “ b", "bbox": [1, 2, 3, 4]}]',
        '[{"description": ["a"], "bbox": [1, 2, 3, 4]}]',
        '[{"description": "no box"}]',
        '[{"confidence": 0.5, "bbox": [1, 2, 3, 4]}]',
        "[" * 5000 + "]" * 5000,
    ],
)
def test_what_could_be_read_in_two_ways_is_left_alone(text: str) -> None:
    assert elements(text) is None


def test_what_is_read() -> None:
    text = json.dumps(
        [ROW, {"kind": "按钮", "label": " 登录 ", "index": 1, "coordinates": [5, 6.5, 7, 8]}], ensure_ascii=False
    )
    assert elements(text) == [("icon", "search", (1, 2, 3, 4)), ("button", "登录", (5, 6.5, 7, 8))]


def test_a_box_off_the_screen_is_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps([ROW, {**ROW, "bbox_2d": [1, 2, 3000, 4]}])
    reading = read_elements(text, PRESETS["pixels"], FRAME)
    assert len(reading.elements) == len(reading.problems) == 1
    assert reading.problems[0].values == ("1", "2", "3000", "4")
    assert reading == tolerant(text, monkeypatch)

"""JSON files from elsewhere: what is wrong with one is said in words that help."""

from __future__ import annotations

import contextlib
import gzip
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from snellen import json_file
from snellen.errors import DataError
from snellen.json_file import Pairs, elements, members, shown

GOOD = '{"a": {"x": 1, "x": 2}, "b": ["图", null]}'.encode()
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=4), VALUES, max_size=6)


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window of a few bytes: every member falls apart somewhere."""
    monkeypatch.setattr(json_file, "_PIECE", 3)


def at_once(body: bytes) -> tuple[list[tuple[str, Any]], tuple[int, int, str] | None]:
    """(members, line, column and nature of what is wrong) as the standard parser finds them."""
    try:
        return list(json.loads(body, object_pairs_hook=Pairs)), None
    except json.JSONDecodeError as error:
        return [], (error.lineno, error.colno, error.msg)


def streamed(file: Path) -> tuple[list[tuple[str, Any]], str]:
    """(members up to what is wrong, what is said about it)."""
    found = []
    try:
        for member in members(file):
            found.append(member)  # what came before the error is to be kept
    except DataError as error:
        return found, str(error)
    return found, ""


def test_objects_keep_order_and_repeated_keys(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b" \n" + GOOD + b"\n ")
    content = list(members(tmp_path / "a.json"))
    assert content == [("a", (("x", 1), ("x", 2))), ("b", ["图", None])]
    assert isinstance(content[0][1], Pairs)


def test_keys_at_the_top_come_as_often_as_they_stand_there(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'{"a": 1, "b": 2, "a": 3}')
    assert list(members(tmp_path / "a.json")) == [("a", 1), ("b", 2), ("a", 3)]


@pytest.mark.parametrize("blank", [b"", b" " * 100_000])
def test_an_empty_object_has_no_members(tmp_path: Path, blank: bytes) -> None:
    (tmp_path / "a.json").write_bytes(blank + b"{" + blank + b"}" + blank)
    assert list(members(tmp_path / "a.json")) == []


@pytest.mark.usefixtures("small_pieces")
@given(OBJECTS, st.sampled_from([None, 1]), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100, deadline=None)
def test_members_are_what_the_whole_file_holds(
    tmp_path: Path, content: dict[str, Any], indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(content, indent=indent, ensure_ascii=ascii_only)
    body = text.encode("utf-8", "replace")
    (tmp_path / "a.json").write_bytes(body)
    assert repr(list(members(tmp_path / "a.json"))) == repr(at_once(body)[0])


@pytest.mark.usefixtures("small_pieces")
@given(OBJECTS, st.sampled_from([None, 1]), st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200, deadline=None)
def test_what_is_wrong_is_found_where_the_whole_file_has_it(
    tmp_path: Path, content: dict[str, Any], indent: int | None, data: st.DataObject
) -> None:
    body = json.dumps(content, indent=indent).encode()
    place = data.draw(st.integers(1, len(body)))
    noise = data.draw(st.sampled_from(list(b'{}[]",:\\ 1e-tu\nx')).map(lambda byte: bytes([byte])) | st.just(b""))
    body = body[:place] + noise + body[place + data.draw(st.integers(0, 1)) :]
    (tmp_path / "a.json").write_bytes(body)
    expected, wrong = at_once(body)
    found, said = streamed(tmp_path / "a.json")
    if wrong is None:
        assert (repr(found), said) == (repr(expected), "")
    elif "ends in the middle" in said:
        assert f"(line {wrong[0]})" in said
    elif "trailing comma" in wrong[2]:  # newer parsers point at the comma, older ones at what follows it
        assert "not JSON" in said
    else:
        assert f"(line {wrong[0]}, column {wrong[1]})" in said


def test_lines_and_columns_are_those_of_the_file(tmp_path: Path) -> None:
    rows = ",\n".join(f'"{number}": {{"question": "{"图" * 500}"}}' for number in range(200))
    (tmp_path / "a.json").write_text(f"{{{rows},\n  oops}}", encoding="utf-8")
    with pytest.raises(DataError, match=r"line 201, column 3\)"):
        list(members(tmp_path / "a.json"))


def test_a_byte_that_is_no_utf_8_is_counted_from_the_files_beginning(tmp_path: Path) -> None:
    body = b"{" + b",".join(b'"%d": "%s"' % (number, "图".encode() * 300) for number in range(200))
    (tmp_path / "a.json").write_bytes(body + b', "a": "\xff"}')
    with pytest.raises(DataError, match=rf"not UTF-8 \(byte {len(body) + 8}\)"):
        list(members(tmp_path / "a.json"))


def test_what_is_wrong_further_down_comes_after_the_members_before_it(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'{"a": 1, "b": 2, oops')
    found = members(tmp_path / "a.json")
    assert [next(found), next(found)] == [("a", 1), ("b", 2)]
    with pytest.raises(DataError, match="Expecting property name"):
        next(found)


def counted(file: Path) -> tuple[int, str]:
    count = 0
    try:
        for _ in members(file):
            count += 1
    except DataError as error:
        return count, str(error)
    return count, ""


def test_memory_is_that_of_the_longest_member(tmp_path: Path) -> None:
    with (tmp_path / "a.json").open("w") as file:
        file.write("{")
        for number in range(2000):
            file.write(f'"{number}": "{"x" * 5000}",\n')
        file.write(f'"long": "{"y" * 300_000}", oops')
    tracemalloc.start()
    try:
        count, said = counted(tmp_path / "a.json")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (count, "line 2001" in said) == (2001, True)
    assert peak < 3_000_000


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "is empty"),
        (b" \n\t", "is empty"),
        (b"<!DOCTYPE html><html>", "is a web page"),
        (b"\n <HTML lang=en>", "is a web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n", "Git LFS pointer"),
        (gzip.compress(GOOD, mtime=0), "is compressed"),
        (b"PK\x03\x04rest", "is compressed"),
        (b"\xef\xbb\xbf" + GOOD, "byte order mark"),
        (GOOD.decode().encode("utf-16"), "byte order mark"),
        ('{"a": "图表里没有"}'.encode("gb18030"), "is not UTF-8"),
        (GOOD[:-1], "ends in the middle"),
        (GOOD[:20], "ends in the middle"),
        (b'{"a": "begun', "ends in the middle"),
        (b"{'a': 1}", r"not JSON: .*line 1, column 2"),
        (GOOD + b"\n{}", r"not JSON: Extra data \(line 2, column 1\)"),
        (b'{"a": ' + b"[" * 200_000, "not JSON|ends in the middle"),
        (b'{"a": ' + b"9" * 10_000 + b"}", "not JSON"),
        (b"hello", r"not JSON: Expecting value \(line 1, column 1\)"),
        (b"[1, 2]", "must hold rows by key"),
        (b"[" * 200_000, "must hold rows by key"),
        (b'"text"', "must hold rows by key"),
        (b"null", "must hold rows by key"),
        (b'{"a": tru', "not JSON: Expecting value"),
        (b'{"a": "\xe5\x9b', "is not UTF-8"),
    ],
)
def test_what_is_no_json_is_named(tmp_path: Path, body: bytes, says: str) -> None:
    (tmp_path / "a.json").write_bytes(body)
    with pytest.raises(DataError, match=rf"(?s)({says}).*\. Fetch it again\. \(file .*a\.json\)"):
        list(members(tmp_path / "a.json", "Fetch it again.", "rows by key"))


def test_an_absent_file_and_a_folder_are_typed_errors(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such file"):
        list(members(tmp_path / "a.json"))
    with pytest.raises(DataError, match="cannot be read"):
        list(members(tmp_path))


@given(st.binary(max_size=200), st.integers(0, len(GOOD)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
def test_no_content_raises_anything_else(tmp_path: Path, noise: bytes, cut: int) -> None:
    (tmp_path / "a.json").write_bytes(GOOD[:cut] + noise)
    with contextlib.suppress(DataError):
        list(members(tmp_path / "a.json"))


@pytest.mark.parametrize("value", ["a" * 1000, "\x1b[2J\n", 10**200, ["x"] * 500, Pairs((("a", 1),)), None, 1.5, "图"])
def test_shown_values_are_short_and_harmless(value: object) -> None:
    assert 0 < len(shown(value)) <= 80
    assert shown(value).isprintable()


# Lists


def listed(file: Path) -> tuple[list[Any], str]:
    """(elements up to what is wrong, what is said about it)."""
    found = []
    try:
        for element in elements(file):
            found.append(element)  # what came before the error is to be kept
    except DataError as error:
        return found, str(error)
    return found, ""


@given(values=st.lists(VALUES, max_size=6), indent=st.sampled_from((None, 1)))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_list_is_what_the_standard_parser_makes_of_it(
    small_pieces: None, tmp_path: Path, values: list[Any], indent: int | None
) -> None:
    text = json.dumps(values, indent=indent)
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    found, wrong = listed(tmp_path / "a.json")
    assert wrong == ""
    assert repr(found) == repr(json.loads(text, object_pairs_hook=Pairs))


@pytest.mark.parametrize(
    ("body", "before", "said"),
    [
        (b"", 0, "the file is empty"),
        (b"{}", 0, "must hold one JSON list"),
        (b'"a"', 0, "must hold one JSON list"),
        (b"[1, 2", 1, "ends in the middle"),
        (b"[1, 2,", 2, "ends in the middle"),
        (b"[1, 2] x", 2, "Extra data"),
        (b"[1 2]" + b" " * 40, 0, "Expecting ',' delimiter"),
        (b"[1,]" + b" " * 40, 1, "Expecting value"),
        (b"<html>", 0, "web page"),
    ],
)
def test_what_is_wrong_with_a_list_is_said(tmp_path: Path, body: bytes, before: int, said: str) -> None:
    (tmp_path / "a.json").write_bytes(body)
    found, wrong = listed(tmp_path / "a.json")
    assert len(found) == before
    assert said in wrong


def test_a_long_list_takes_little_memory(tmp_path: Path) -> None:
    row = {"question": "x" * 1_000}
    (tmp_path / "a.json").write_text(json.dumps([row] * 8_000), encoding="utf-8")
    tracemalloc.start()
    assert sum(1 for _ in elements(tmp_path / "a.json")) == 8_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3_000_000


# JSON Lines


def lines_of(folder: Path, body: bytes) -> list[tuple[int, Any]]:
    (folder / "rows.jsonl").write_bytes(body)
    return list(json_file.lines(folder / "rows.jsonl", "Take the right one."))


def test_lines_are_numbered_and_blank_ones_passed_over(tmp_path: Path) -> None:
    assert lines_of(tmp_path, '{"a": 1}\r\n\n  \n"图"'.encode()) == [(1, Pairs((("a", 1),))), (4, "图")]
    assert lines_of(tmp_path, b"") == []


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b'{"a": ', "not JSON: Expecting value (column 6)"),
        (b"1 2", "not JSON: Extra data"),
        (b'"\xff"', "not UTF-8 (byte 1)"),
        (b"[" * 100_000, "not JSON that can be read"),
        (b"1" * 5_000, "not JSON that can be read"),
    ],
)
def test_a_bad_line_is_an_error_in_its_place(tmp_path: Path, line: bytes, what: str) -> None:
    first, bad, last = lines_of(tmp_path, b"1\n" + line + b"\n2\n")
    assert (first, last) == ((1, 1), (3, 2))
    assert bad[0] == 2
    assert isinstance(bad[1], DataError)
    assert what in bad[1].what


@pytest.mark.parametrize(
    "body", [b"\xef\xbb\xbf{}", b"<html>", b"version https://git-lfs", gzip.compress(b"{}", mtime=0)]
)
def test_a_file_that_is_plainly_something_else_is_refused(tmp_path: Path, body: bytes) -> None:
    with pytest.raises(DataError, match="Take the right one"):
        lines_of(tmp_path, body)


def test_lines_of_no_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        list(json_file.lines(tmp_path / "absent.jsonl"))
    with pytest.raises(DataError, match="cannot be read"):
        list(json_file.lines(tmp_path))

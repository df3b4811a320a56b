"""JSON files from elsewhere: what is wrong with one is said in words that help."""

from __future__ import annotations

import contextlib
import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from snellen.errors import DataError
from snellen.json_file import Pairs, read, shown

GOOD = '{"a": {"x": 1, "x": 2}, "b": ["图", null]}'.encode()


def test_objects_keep_order_and_repeated_keys(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(GOOD)
    content = read(tmp_path / "a.json")
    assert content == (("a", (("x", 1), ("x", 2))), ("b", ["图", None]))
    assert isinstance(content, Pairs)
    assert isinstance(content[0][1], Pairs)


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
        (b"[" * 200_000, "not JSON|ends in the middle"),
        (b"[" + b"9" * 10_000 + b"]", "not JSON"),
    ],
)
def test_what_is_no_json_is_named(tmp_path: Path, body: bytes, says: str) -> None:
    (tmp_path / "a.json").write_bytes(body)
    with pytest.raises(DataError, match=rf"(?s)({says}).*\. Fetch it again\. \(file .*a\.json\)"):
        read(tmp_path / "a.json", "Fetch it again.")


def test_an_absent_file_and_a_folder_are_typed_errors(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such file"):
        read(tmp_path / "a.json")
    with pytest.raises(DataError, match="cannot be read"):
        read(tmp_path)


@given(st.binary(max_size=200), st.integers(0, len(GOOD)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
def test_no_content_raises_anything_else(tmp_path: Path, noise: bytes, cut: int) -> None:
    (tmp_path / "a.json").write_bytes(GOOD[:cut] + noise)
    with contextlib.suppress(DataError):
        read(tmp_path / "a.json")


@pytest.mark.parametrize("value", ["a" * 1000, "\x1b[2J\n", 10**200, ["x"] * 500, Pairs((("a", 1),)), None, 1.5, "图"])
def test_shown_values_are_short_and_harmless(value: object) -> None:
    assert 0 < len(shown(value)) <= 80
    assert shown(value).isprintable()

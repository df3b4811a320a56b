"""A pattern is compiled by its first use, and then is what `re` makes of it."""

from __future__ import annotations

import copy
import re

import pytest

from snellen.readers.pattern import Pattern


def test_it_does_what_re_does() -> None:
    pattern, plain = Pattern(r"([a-z])\d", re.IGNORECASE), re.compile(r"([a-z])\d", re.IGNORECASE)
    text = "x A1 b2 c"
    assert pattern.findall(text) == plain.findall(text)
    assert pattern.split(text) == plain.split(text)
    assert pattern.sub("_", text) == plain.sub("_", text)
    assert [found.span() for found in pattern.finditer(text)] == [found.span() for found in plain.finditer(text)]
    assert pattern.match(text) is None
    assert pattern.match(text, 2) is not None
    assert pattern.fullmatch("A1") is not None
    found = pattern.search(text)
    assert found is not None
    assert found[1] == "A"


def test_it_is_compiled_when_it_is_used() -> None:
    broken = Pattern("(")
    with pytest.raises(re.error):
        broken.search("x")


def test_it_has_nothing_else() -> None:
    with pytest.raises(AttributeError):
        _ = Pattern("x").groups
    assert copy.copy(Pattern("x+")).findall("xxyx") == ["xx", "x"]

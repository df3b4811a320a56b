"""What a terminal is spared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.cli.plain import plain, say


@given(st.text())
def test_nothing_that_steers_is_left(text: str) -> None:
    shown = plain(text)
    assert len(shown) == len(text)
    assert not set(shown) & set("\x00\x07\x08\r\x1b\x7f\x9b\u200b\u202e\u2066\ufeff")
    shown.encode("utf-8")


@pytest.mark.parametrize("text", ["", "a\tb\nc", "图中　有\u00a0猫？", "café – ½ µm", "日本語"])
def test_what_people_write_stays(text: str) -> None:
    assert plain(text) == text


def test_it_is_said_where_it_should(capsys: pytest.CaptureFixture[str]) -> None:
    say("one\x1b")
    say("two \udcff", err=True)
    assert capsys.readouterr() == ("one\ufffd\n", "two \ufffd\n")

"""Foreign text made fit to look at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.report.text import COLLAPSE, CUT, Passage, ends, language_tag, one_line, redact, visible

ANY_TEXT = st.text(alphabet=st.characters())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text\twith\nlines", "plain text\twith\nlines"),
        ("a\r\nb", "a\nb"),
        ("a\rb", "a⟨U+000D⟩b"),
        ("\x1b[31mred", "⟨U+001B⟩[31mred"),
        ("a\x00b\x7f\x85", "a⟨U+0000⟩b⟨U+007F⟩⟨U+0085⟩"),
        ("abc\u202edcba\u2066x", "abc⟨U+202E⟩dcba⟨U+2066⟩x"),
        ("zero\u200bwidth\ufeff", "zero⟨U+200B⟩width⟨U+FEFF⟩"),
        ("\U000e0041hidden", "⟨U+E0041⟩hidden"),
        ("\ud800 lone", "⟨U+D800⟩ lone"),
        ("图表（2023年）：λ₁ = 0.20 ± 3 %", "图表（2023年）：λ₁ = 0.20 ± 3 %"),
        ("👩\u200d🔬 نمی\u200cخواهم", "👩\u200d🔬 نمی\u200cخواهم"),  # joiners belong to the writing
    ],
)
def test_invisible_characters_become_signs(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(alphabet=st.characters(categories=None)))
def test_visible_text_is_stable_and_can_be_written(text: str) -> None:
    shown = visible(text)
    shown.encode("utf-8")
    assert visible(shown) == shown
    assert len(shown.splitlines()) <= len(text.splitlines()) + 1


@given(ANY_TEXT, st.integers(1, 50))
def test_one_line_is_one_line(text: str, length: int) -> None:
    line = one_line(text, length)
    assert len(line) <= length
    assert "\n" not in line


def test_one_line_shows_that_it_is_cut() -> None:
    assert one_line("abc def", 4) == "abc…"
    assert one_line("abc", 3) == "abc"


@given(ANY_TEXT, st.integers(2, 60))
def test_a_text_whose_middle_goes_keeps_both_ends(text: str, length: int) -> None:
    found, whole = ends(text, length), one_line(text)
    head, cut, tail = found.partition("…")
    assert len(found) <= length
    assert found == whole or (cut and whole.startswith(head) and whole.endswith(tail))


def test_han_characters_take_more_room() -> None:
    assert ends("图" * 12, 20) == "图" * 8 + "…" + "图" * 3
    assert ends("图" * 11, 20) == "图" * 11


@pytest.mark.parametrize(
    ("text", "default", "tag"),
    [
        ("no temperature", "en", "en"),
        ("图中没有温度", "en", "zh-Hans"),
        ("42", "zh", "en"),
        ("温度は示されていません", "en", "en"),
    ],
)
def test_language_tag(text: str, default: str, tag: str) -> None:
    assert language_tag(text, default) == tag


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("api_key", "sk-1234567890abcdefgh", "(hidden)"),
        ("Authorization", "Basic eHl6", "(hidden)"),
        ("X-Api-Key", "abc", "(hidden)"),
        ("password", "", ""),
        ("key_variable", "OPENAI_API_KEY", "OPENAI_API_KEY"),
        ("api_key_variable", "OPENAI_API_KEY", "OPENAI_API_KEY"),
        ("tokens", "12345", "12345"),
        ("max_tokens", "1024", "1024"),
        ("base_url", "https://user:secret@host/v1", "https://(hidden)@host/v1"),
        ("base_url", "http://localhost:8000/v1", "http://localhost:8000/v1"),
        ("note", "sent Bearer abcdefgh12345", "sent (hidden)"),
        ("note", "key sk-abcdefghijklmnopqrst here", "key (hidden) here"),
        ("model", "sk-small", "sk-small"),
    ],
)
def test_secrets_are_hidden(name: str, value: str, shown: str) -> None:
    assert redact(name, value) == shown


def test_short_texts_are_shown_whole() -> None:
    passage = Passage.of("a" * COLLAPSE)
    assert (passage.lead, passage.rest, passage.cut) == ("a" * COLLAPSE, "", False)


def test_long_texts_are_folded_and_very_long_ones_cut() -> None:
    folded = Passage.of("a" * (COLLAPSE + 1))
    assert len(folded.lead) < COLLAPSE
    assert folded.rest == "a" * (COLLAPSE + 1)
    assert not folded.cut
    cut = Passage.of("b" * (CUT + 1))
    assert (len(cut.rest), cut.length, cut.cut) == (CUT, CUT + 1, True)


def test_many_short_lines_are_folded() -> None:
    assert Passage.of("x\n" * 40).rest
    assert not Passage.of("x\n" * 5).rest


def test_the_language_of_an_answer_is_its_own() -> None:
    assert Passage.of("图中没有温度数据。", "en").language == "zh-Hans"
    assert Passage.of("It is 5.", "zh").language == "en"

"""Terms: same names, other names, and what words cannot tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.readers import terms

SAME = [
    ("PHY", "PHY — its blue box has the highest median.", "Which category is highest?"),
    ("quantized feedback", 'The orange line is labelled "quantized feedback".', ""),
    ("T(5,-9,2,2)", "It is T(5, −9, 2, 2).", ""),
    ("ρ", 'The label is the Greek letter "ρ".', ""),
    ("t (tritium) and ⁶He.", 'The band is "t, 6He": tritons and helium-6.', ""),
    ("Vox1 shows the higher bias.", "Voxel 1 has the higher bias.", "Which voxel shows the higher bias?"),
    ("Category (c), with its minimum around 0.9972.", "(c) has the lowest value.", "Which category is lowest?"),
    ("The red line.", "It is the red one, a dashed line.", ""),
    ("Yes.", "Yes, it does.", "Does it rise?"),
    ("RegDG (Answers in the range [1, 2] are ACCEPTABLE)", "regdg", ""),
    ("北京", "图中最高的是北京。", "哪个城市最高？"),
    ("Infidelity.", "**infidelity**", ""),
]
OTHER = [
    ("PHY", "CIT has the highest median.", "Which category is highest?"),
    ("VHRED+BOW shows the largest increase.", "The NEXUS model.", "Which model shows the largest increase?"),
    ("No.", "Yes, it does.", "Does it rise?"),
    ("AS(2)", "It is DS.", "Which one, AS(2) or DS?"),
    ("infidelity", "The axis shows temperature.", ""),
    ("是", "不是，它在下降。", "它在上升吗？"),
]
CANNOT_TELL = [
    ("", "Anything.", ""),
    ("7200 points.", "7200 points.", "How many points are there?"),
    ("It rises because of demand.", "", ""),
]


@pytest.mark.parametrize(("reference", "answer", "question"), SAME)
def test_same(reference: str, answer: str, question: str) -> None:
    assert terms.matches(reference, answer, question) is True


@pytest.mark.parametrize(("reference", "answer", "question"), OTHER)
def test_other(reference: str, answer: str, question: str) -> None:
    assert terms.matches(reference, answer, question) is False


def test_one_of_two_names_is_not_decided() -> None:
    assert terms.matches("PHY and MED", "PHY", "Which two are highest?") is None
    assert terms.matches("PHY and MED", "MED and PHY", "Which two are highest?") is True


def test_no_reference_or_only_numbers_cannot_be_told() -> None:
    assert terms.matches("", "Anything.") is None
    assert terms.matches("42", "It is 43.", "How many are there?") is None


def test_a_short_term_within_a_word_is_not_that_term() -> None:
    assert terms.matches("CS", "The macs are highest.", "Which?") is False


@given(st.text(), st.text(), st.text())
def test_any_text_is_compared(reference: str, answer: str, question: str) -> None:
    assert terms.matches(reference, answer, question) in (True, False, None)


@pytest.mark.parametrize("reference", ["_", "The `_`.", "**"])
def test_a_name_without_letters_is_no_match_and_no_error(reference: str) -> None:
    assert terms.matches(reference, "The NEXUS model.") is not True


def test_a_reference_of_many_words_is_left_to_others() -> None:
    words = [f"word{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(400)]
    assert terms.matches(" ".join(words[:200]), "no such thing") is False
    assert terms.matches(" ".join(words), "no such thing") is None
    assert terms.matches(" ".join(words), " ".join(words)) is True

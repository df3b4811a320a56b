"""Wording: the same words, and whether an answer says a short truth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.readers import wording

SAID = [
    ("red", "Red"),
    ("red", "red."),
    ("red", "The car is red."),
    ("red", "It's red"),
    ("red", "The car is red, not blue."),
    ("3", "3"),
    ("3", "three"),
    ("3", "There are three dogs."),
    ("three", "3 dogs"),
    ("two", "两只"),
    ("3", "三只狗。"),
    ("3", "图中有三只狗。"),
    ("红色", "红色"),
    ("红色", "红色。"),
    ("红色", "它是红色的。"),
    ("红色", "图中的车是红色的。"),
    ("yes", "Yes, it is."),
    ("no", "There is no dog"),
    ("a dog", "dog"),
    ("A dog.", "The animal is a dog."),
    ("to the left of", "The cup is to the left of the plate."),
    ("left", "The cup is on the left."),
    ("left", "The cup is on the left, rather than the right."),
    ("STOP", 'The sign says "STOP".'),
    ("STOP", "stop"),
    ("Eiffel Tower", "This is the Eiffel Tower in Paris."),
    ("happy", "She looks happy."),
    ("Lionel Messi", "**Lionel Messi**"),
    ("New York", "New-York"),
    ("50%", "50 %"),
    ("5 cm", "5 cm"),
    ("standing", "The man is standing."),
    ("埃菲尔铁塔", "这是埃菲尔铁塔。"),
    ("C++", "c++"),
    ("2008", "It was in 2008."),
    ("café", "CAFÉ"),
    ("red", "No, it is red."),
    ("black and white", "It is black and white."),
]

NOT_SAID = [
    ("red", "The car is not red."),
    ("red", "red or blue"),
    ("red", "It is red or blue."),
    ("red", "It may be red."),
    ("red", "blue"),
    ("red", "reddish"),
    ("red", "hundred"),
    ("blue", "The car is red, not blue."),
    ("3", "There are 4 dogs, not 3."),
    ("3", "33"),
    ("3", "3 or 4"),
    ("红色", "不是红色"),
    ("红色", "红色或蓝色"),
    ("红色", "可能是红色"),
    ("yes", "No."),
    ("right", "The cup is on the left, rather than the right."),
    ("Eiffel Tower", "This isn't the Eiffel Tower."),
    ("", "x"),
    ("red", ""),
    ("...", "..."),
    ("happy", "She looks happy and relaxed."),
    ("standing", "The man isn't standing; he sits."),
    ("red car", "The car is red"),
    ("pan", "pancake"),
    ("red", "I cannot tell whether it is red."),
    ("white", "It is black and white."),
]


@pytest.mark.parametrize(("truth", "answer"), SAID)
def test_what_is_said(truth: str, answer: str) -> None:
    assert wording.says(truth, answer)


@pytest.mark.parametrize(("truth", "answer"), NOT_SAID)
def test_what_is_not_said(truth: str, answer: str) -> None:
    assert not wording.says(truth, answer)


def test_a_long_truth_must_be_said_as_a_whole() -> None:
    truth = "a man in a red coat walks two dogs along the river bank at night in the rain"
    assert wording.says(truth, f"It is {truth}.")
    assert not wording.says(truth, f"In this picture {truth}, I believe.")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("A dog.", "the dog", True), ("RED", "ｒｅｄ", True), ("two dogs", "2 dogs", True), ("两只", "2只", True),
        ("a", "a", True), ("", "", False), ("...", "!", False), ("dog", "dogs", False), ("3.5", "35", False),
        ("No. 5", "no 5", True), ("红色。", "红色", True), ("5%", "5", False),
    ],
)  # fmt: skip
def test_the_same_words(one: str, other: str, same: bool) -> None:
    assert wording.same(one, other) is same


def test_what_stands_before_an_answer_is_taken_off() -> None:
    assert wording.bare("The answer is red") == "red"
    assert wording.bare("这是红色") == "红色"
    assert wording.bare("red") == "red"


@given(st.text(max_size=80), st.text())
def test_any_two_texts_can_be_compared(truth: str, answer: str) -> None:
    assert wording.says(truth, answer) in (True, False)
    assert wording.same(truth, truth) is bool(wording.normal(truth))


@pytest.mark.parametrize("unit", ["red ", "not ", "red, ", "是红色", "it is ", "a"])
def test_a_megabyte_is_read(unit: str) -> None:
    assert wording.says("red bird", unit * (1_000_000 // len(unit))) is False

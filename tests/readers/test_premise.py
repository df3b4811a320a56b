"""Premise correction: said, set right, denied; and what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.readers import premise

CORRECTS = [
    ("By how much is B below A?", "It isn't below: B is 0.5 points higher (not lower)."),
    ("Why does A peak in 2015?", "The premise is incorrect; A peaks in 2012."),
    ("Why is E1 the lowest bar?", "Actually, E2 is the lowest bar."),
    ("Why do sales fall?", "Contrary to the question, sales rise in every year."),
    ("Why do the two curves cross at 5?", "The curves do not cross at all in this chart."),
    ("Why does the TPR fall beyond 0.5?", "For one classifier the TPR cannot fall when the threshold is relaxed."),
    ("What is the maximum of 20 at 0.5?", "Almost zero: the peak of about 20 is at 0.0, not 0.5."),
    ("A is the highest. What is its value?", "About 7. Note that A is in fact the lowest of the set, not the highest."),
    ("Why is A flat?", "That is not what the chart shows."),
    ("为什么B低于A？", "问题的前提有误，B实际上高于A。"),
    ("为什么销量下降？", "图中销量并没有下降，而是逐年上升。"),
    ("A最高，它的数值是多少？", "其实最高的是B，A是12。"),
    ("为什么蓝线最高？", "与图中数据相反，蓝线是最低的。"),
]
TAKES_FOR_GRANTED = [
    ("By how much is B below A?", "About 0.5."),
    ("Why is E1 the lowest bar?", "If you actually meant E2, its value is 1.5."),
    ("Why do sales fall?", "Sales fall because demand is weak."),
    (
        "Why do sales fall?",
        "Several factors may be at work, which is actually common: demand is weak, prices are high.",
    ),
    ("What is the value at 0.5?", "I'm not sure; it could be 0.5."),
    ("Why is A flat?", "Because I do not have the text, I can only guess why A is flat."),
    ("为什么销量下降？", "可能是因为需求减少。"),
    ("A最高，它的数值是多少？", "大约是12。"),
    ("Why is A flat?", ""),
]


@pytest.mark.parametrize(("question", "answer"), CORRECTS)
def test_corrects(question: str, answer: str) -> None:
    assert premise.corrects(answer, question)


@pytest.mark.parametrize(("question", "answer"), TAKES_FOR_GRANTED)
def test_takes_for_granted(question: str, answer: str) -> None:
    assert not premise.corrects(answer, question)


def test_a_denial_deep_in_an_essay_is_no_correction() -> None:
    essay = "Demand drives it. Prices matter too. So does trade. " * 5
    assert not premise.corrects(essay + "It is not the sales of one year that matter.", "Why do sales fall?")
    assert premise.corrects(essay + "But the premise is wrong.", "Why do sales fall?")


def test_a_denial_needs_a_word_of_the_question() -> None:
    assert premise.corrects("It does not rise.", "Why does it rise?")
    assert not premise.corrects("It does not rain.", "Why does it rise?")
    assert not premise.corrects("It does not rise.")


@given(st.text(), st.text())
def test_any_text_is_read(answer: str, question: str) -> None:
    assert premise.corrects(answer, question) in (True, False)

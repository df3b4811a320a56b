"""Confidences as models write them: read, taken off the answer, and never guessed."""

from __future__ import annotations

import pytest

from snellen.prompting import confidence as asked
from snellen.prompting import confidence_words
from snellen.readers.confidence import read, strip

WORDS = confidence_words.CONFIDENCE


@pytest.mark.parametrize(
    ("text", "rest", "value"),
    [
        ("It is 5.\nConfidence: 85%", "It is 5.", 0.85),
        ("It is 5.\nConfidence: 85", "It is 5.", 0.85),
        ("It is 5.\n\n**Confidence:** 85 %", "It is 5.", 0.85),
        ("It is 5.\n**Confidence level: 90**", "It is 5.", 0.9),
        ("It is 5.\n- Confidence: 70.", "It is 5.", 0.7),
        ("It is 5. (Confidence: 85%)", "It is 5.", 0.85),
        ("It is 5. Confidence: 85", "It is 5.", 0.85),
        ("5\nMy confidence in this answer is 85 percent.", "5", 0.85),
        ("5\nConfidence (0-100): 95", "5", 0.95),
        ("5\nConfidence = 95", "5", 0.95),
        ("5\nConfidence: about 80 %", "5", 0.8),
        ("5\nConfidence: 85% - the line is clear", "5", 0.85),
        ("5\nConfidence: 85 (fairly sure)", "5", 0.85),
        ("5\nConfidence: 0.85", "5", 0.85),
        ("5\nConfidence: 1.0", "5", 1.0),
        ("5\nConfidence: 1", "5", 0.01),
        ("5\nConfidence: 0", "5", 0.0),
        ("5\nConfidence: 0.5%", "5", 0.005),
        ("5\nConfidence: 17/20", "5", 0.85),
        ("5\nConfidence: 85/100", "5", 0.85),
        ("5\nConfidence: 9 out of 10", "5", 0.9),
        ("5\nConfidence: 85\\%", "5", 0.85),
        ("5\nConfidence: ８５％", "5", 0.85),
        ("5\n\nConfidence: 85\n\nThe axis ends there.", "5\nThe axis ends there.", 0.85),
        ('{"answer": "5", "confidence": 85}', '{"answer": "5"}', 0.85),
        ('{\n "answer": "5",\n "confidence": "85%"\n}', '{\n "answer": "5"\n}', 0.85),
        ('{"bbox_2d": [1, 2, 3, 4], "confidence": 0.85}', '{"bbox_2d": [1, 2, 3, 4]}', 0.85),
        ("<answer>5</answer><confidence>85</confidence>", "<answer>5</answer>", 0.85),
        ("It is 5. I'm 90 % sure.", "It is 5.", 0.9),
        ("It is 5. I am 85% confident in this.", "It is 5.", 0.85),
        ("是五。\n置信度：85", "是五。", 0.85),
        ("是五。\n置信度：85分", "是五。", 0.85),
        ("是五。\n置信度：八成", "是五。", 0.8),
        ("是五。\n置信度：百分之八十五", "是五。", 0.85),
        ("是五。\n我的置信度是90%。", "是五。", 0.9),
        ("是五。我有八成五的把握。", "是五。", 0.85),
        ("Confidence: 20\nOn second thoughts:\nConfidence: 40", "Confidence: 20\nOn second thoughts:", 0.4),
    ],
)
def test_a_statement_is_read_and_taken_off(text: str, rest: str, value: float) -> None:
    found, said = strip(text)
    assert said == pytest.approx(value)
    assert found == rest


@pytest.mark.parametrize("said", ["150", "-5", "high", "80-90 %", "80 - 90", "80, 90", "N", "3/0", "5/4", "九九"])
def test_what_is_no_number_of_the_scale_is_none_and_no_part_of_the_answer(said: str) -> None:
    assert strip(f"It is 5.\nConfidence: {said}") == ("It is 5.", None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "It is 5.",
        "The chart uses a confidence level of 95%.",
        "The band is the 95% confidence interval.",
        "Confidence interval: 95%",
        "It is 5, I am sure.",
        "该图展示了消费者信心指数。",
        "Confidence: 85\n" + "It goes on for long. " * 300,
    ],
)
def test_what_states_none_stays_as_it_is(text: str) -> None:
    assert strip(text) == (text, None)


@pytest.mark.parametrize(
    ("said", "value"), [("high", 0.7), ("Very high (80 to 100 %)", 0.9), ("**low**", 0.3), ("很高", 0.9), ("中", 0.5)]
)
def test_words_count_where_the_scale_has_them(said: str, value: float) -> None:
    text = f"5\nConfidence: {said}"
    assert read(text, WORDS) == value
    assert read(text) is None
    assert read("5\nConfidence: certain", WORDS) is None


def test_both_scales_are_those_that_the_prompts_offer() -> None:
    assert not asked.CONFIDENCE
    assert sorted(set(WORDS.values())) == [0.1, 0.3, 0.5, 0.7, 0.9]
    for language, words in (("en", "very low"), ("zh", "很低")):
        assert words in confidence_words._ASKED[language]


@pytest.mark.parametrize("piece", ["Confidence: ", "\n", "I am 85% ", "置信度", '"confidence":', "*", "我有八成"])
def test_a_million_characters_are_read(piece: str) -> None:
    text = piece * (1_000_000 // len(piece)) + " confidence"
    rest, _ = strip(text)
    assert len(text) - 4_000 < len(rest) + 4_000 <= len(text) + 4_000

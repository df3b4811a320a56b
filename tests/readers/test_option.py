"""The option reader: which letter an answer chooses, English and Chinese, and when it chooses none."""

from __future__ import annotations

import json
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.readers import option

OPTIONS = {"A": "a dog", "B": "a cat", "C": "a red bird", "D": "none of the above"}

CHOSEN = {
    "A": [
        "I see a dog",
        "dog",
        "A dog",
        "Which one? (A) dog (B) cat. The answer is (A).",
        "A",
        "A.",
        "A)",
        "(A)",
        "A, because it barks.",
        "A is correct.",
        "A because it barks",
        "a",
        "a.",
        "The answer is A",
        "The answer is a.",
        "选A",
        "答案A",
        "Not B. The answer is A.",
    ],
    "B": [
        "B",
        "B.",
        "(B)",
        "b",
        "(b)",
        "b.",
        "b)",
        "[B]",
        "**B**",
        "**(B)**",
        "B) cat",
        "B. A cat",
        "B: a cat",
        "Option B",
        "option b",
        "The answer is B",
        "The answer is B.",
        "The answer is (B).",
        "The answer is: (B)",
        "The answer is **B**.",
        "Answer: B",
        "Answer: $B",
        "Answer: (B) a cat",
        "answer: b",
        "Final answer: B",
        "\\\\boxed{B}",
        "\\\\boxed{(B)}",
        "The correct answer is (B).",
        "The correct option is B.",
        "the correct answer is option B.",
        "I choose B.",
        "I would go with (B).",
        "I'd pick B",
        "I think it is B.",
        "It's B.",
        "B is correct.",
        "B is the correct answer.",
        "(B) is the right choice.",
        "Option B is correct.",
        "The reference point is on the lower leg. The correct answer is (B).",
        "答案是（B）",
        "答案：B",
        "答案:B。",
        "答案为B",
        "选B",
        "选 B。",
        "我选B",
        "应选B",
        "故选：B。",
        "正确答案是B。",
        "正确选项是（B）",
        "B选项正确",
        "B项正确。",
        "选项B",
        "选择B",
        "Ｂ",
        "（Ｂ）",
        "【答案】B",
        "Ⓑ",
        "不选A，选B。",
        "A错误，B正确。",
        "排除A和C，选B。",
        "不是A，是(B)。",
        "B，因为图中是猫。",
        "答案是B，不是A。",
        "Cat",
        "A cat.",
        "a cat",
        "The cat",
        "It is a cat.",
        "The answer is a cat.",
        "Options: A. dog B. cat. The answer is B.",
        "The answer is A. Wait, actually it is B.",
        "A. No wait, B.",
        "B. a cat because it has whiskers",
        "B\nThe animal has whiskers; (A) is wrong.",
        "B. Because A is a dog and it is not a dog.",
        "A and C are wrong, so B.",
        "We can rule out A and D. The answer is B.",
        "<answer>B</answer>",
        '{"answer": "B"}',
        '{"answer": "B", "reason": "A is wrong"}',
        '"B"',
        "'B'",
        "`B`",
        "My answer is B because it is a cat.",
        "Therefore, the answer is B",
        "Thus B",
        "So, (B).",
        "Looking at the image, (B) a cat.",
        "The best answer is choice (B).",
        "The animal in the picture is a cat, so the answer is B.",
        "Correct answer: B) a cat",
        "答案是选项B",
        "我认为答案是B，因为它有胡须。",
        "图中是猫，所以选B。",
        "正确的是B",
        "应该选择B项。",
        "答案：（B）a cat",
        "**Answer:** B",
        "**Answer: (B)**",
        "### Answer\nB",
        "Answer:\nB",
        "Answer:\n\n(B) a cat",
        "The answer is\n\nB",
        "B\n\nB",
        "Between B and C, B is better, so the answer is B.",
        "Is it A? No, the answer is B.",
        "Answer - B",
        "ANSWER: B",
        "the answer would be (b)",
        "B。",
        "B、猫",
        "（B）猫",
        "B.猫",
        "选b",
        "Option (B): a cat",
        "I'd say B.",
        "The most likely answer is B.",
        "Based on the image, the answer would be option B, a cat.",
        "B - a cat",
        "B – a cat",
        "B) a cat.",
        "B: it has whiskers",
        "Answer is B",
        "answer (b)",
        "My choice: B",
        "Choice B",
        "**B. a cat**",
        "**Answer: B. a cat**",
        "The answer is B, not A.",
        "(A) is wrong because it is not a dog. (B) is right.",
        "A is incorrect; C is incorrect; the answer must be B.",
        "First, A: no. B: yes. So the answer is B.",
        "A or B? I pick B.",
        "选择：B",
        "答：B",
        "回答：B",
        "正确答案：(B)",
        "答案应该是B",
        "应为B",
        "B。因为它有胡须。",
        "B 因为它有胡须",
        "所以，正确答案是B：猫。",
        "选项A不符合，选项B符合。",
        "答案不是A，而是B。",
        "The letter of the correct answer is B.",
        "The correct letter is B.",
        "Letter: B",
        "Selected option: B",
        "I select option (B)",
        "I have chosen B.",
        "We select B.",
        "\\text{B}",
        "\\(\\boxed{\\mathbf{B}}\\)",
        "The answer is \\textbf{(B)}",
        "$$\\boxed{\\text{(B) a cat}}$$",
        "\\boxed{a cat}",
        "The final answer is: $\\boxed{B}$. I hope it is correct.",
        "[[B]]",
        "<option>B</option>",
        '{"choice": "B"}',
        '{"option":"B","text":"a cat"}',
        '["B"]',
        "B?",
        "Hmm, B!",
        "Sure! The answer is B.",
        "B\n\nExplanation: A is a dog. C is a bird.",
        "B\n\nA: not a dog\nC: not a bird",
        "Let me think.\nA is a dog, no.\nB is a cat, yes.\nC is a bird, no.\nB",
    ],
    "C": [
        "It is not (A); the answer is (C).",
        "A red bird",
        "(A) dog (B) cat (C) bird\nI choose (C).",
        "A. dog\nB. cat\nC. bird\n\nAnswer: C",
        "A. dog\nB. cat\nC. bird\n\nC",
        "A... sorry, I mean C.",
        "The answer is A. On second thought, the answer is C.",
        "答案是A。不对，应该是C。",
        "Neither A nor B; it is C.",
        "(A) is incorrect, (B) is incorrect, so (C).",
        "The answer is not A but C.",
        "The final answer is $\\\\boxed{C}$.",
        "First I considered A. The final answer is C. The answer is A in another case.",
        "B is wrong. C is right.",
        "Answer is (C) a red bird.",
        "After looking closely, I believe the correct option is (C).",
        "It must be C.",
        "Rather than B, I choose C.",
        "I was going to say A, but the answer is C.",
        "综上所述，选C。",
        "A、B都不对，选C。",
        "A和B都错，C对。",
        "Ｃ．",
        "（Ｃ）红鸟",
    ],
    "D": [
        "None of the above.",
        "D. None of the above",
        "D",
        "(D)",
        "The dog in the picture is labelled (A) but the correct choice is (D).",
        "Option D is the best answer",
        "(d) none of the above",
        "D, none of the above",
        "none of the above",
        "It's none of the above.",
        "the answer is none of the above",
    ],
}

NONE = [
    "B和C",
    "B, C",
    "B and C",
    "B or C",
    "(A) and (B)",
    "The answer is B and C.",
    "The answer is A or B.",
    "答案：B和C",
    "选B、C",
    "答案：AB",
    "AB",
    "选BC",
    "A man is riding a horse.",
    "A dog runs.",
    "A cat and a dog",
    "I think a bird is there.",
    "Answer: A man",
    "The answer is a man.",
    "E",
    "(E)",
    "The answer is E.",
    "答案是E",
    "I don't know.",
    "I cannot determine the answer.",
    "无法确定",
    "",
    "...",
    "a bird",
    "a cat or a dog",
    "(A) dog (B) cat (C) bird (D) none",
    "A. dog\nB. cat\nC. bird\nD. none",
    "B. A dog",
    "(B) a dog",
    "The answer is not A.",
    "Vitamin C is healthy.",
    "Plan B is shown.",
    "The player wears a T-shirt.",
    "B > the rest",
    "A\nB\nC\nD",
    "Option A, Option B",
    "Both A and B",
    "Either A or B.",
    "All of them.",
    "None of them.",
    "A. dog, B. cat, C. bird, D. none",
    "It could be A or B.",
    "I am unsure between B and C.",
    "Either (B) or (C)",
    "The cat is sitting on a mat.",
    "A beautiful day",
    "An apple",
    "I",
    "Is it B?",
    "答案不是A",
    "可能是A或B",
    "选A还是B？",
    "选A或B",
    '["A","B"]',
    "F",
    "(F) a fish",
    "1",
]


@pytest.mark.parametrize(("letter", "text"), [(letter, text) for letter, texts in CHOSEN.items() for text in texts])
def test_a_choice(letter: str, text: str) -> None:
    assert option.read(text, OPTIONS) == letter


@pytest.mark.parametrize("text", NONE)
def test_no_choice(text: str) -> None:
    assert option.read(text, OPTIONS) is None


def test_letters_alone_are_enough() -> None:
    assert option.read("The answer is (C).", "ABCD") == "C"
    assert option.read("The answer is (C).", ["A", "B"]) is None
    assert option.read("A cat.", "ABCD") is None
    assert option.read("c", ("A", "B", "C")) == "C"
    assert option.read("B Cat", "ABCD") is None
    assert option.read("B Cat", OPTIONS) == "B"
    assert option.read("B a dog", OPTIONS) is None


def test_the_letter_comes_back_as_it_was_offered() -> None:
    assert option.read("The answer is B.", {"a": "a dog", "b": "a cat"}) == "b"


def test_numbers_may_stand_for_options() -> None:
    offered = {"1": "a dog", "2": "a cat"}
    assert option.read("The answer is 2.", offered) == "2"
    assert option.read("(1)", offered) == "1"
    assert option.read("(1) and (2)", offered) is None
    assert option.read("a cat", offered) == "2"


def test_a_text_that_two_options_share_chooses_none() -> None:
    assert option.read("a dog", {"A": "A dog", "B": "a dog."}) is None


def test_a_letter_is_a_letter_even_where_letters_are_texts() -> None:
    assert option.read("A", {"A": "B", "B": "A"}) == "A"


def test_a_text_of_one_option_may_stand_within_anothers() -> None:
    offered = {"A": "left", "B": "left of the dog"}
    assert option.read("Left of the dog.", offered) == "B"
    assert option.read("Left", offered) == "A"


@pytest.mark.parametrize("letter", string.ascii_uppercase[:10])
@pytest.mark.parametrize(
    "form",
    [
        "{}",
        "({})",
        "{}.",
        "**{}**",
        "Answer: {}",
        "The answer is {}.",
        "答案：{}",
        "选{}",
        "Option {}",
        "\\boxed{{{}}}",
        "（{}）",
    ],
)
def test_every_form_with_every_letter(letter: str, form: str) -> None:
    assert option.read(form.format(letter), string.ascii_uppercase[:10]) == letter
    assert option.read(form.format(letter), [other for other in string.ascii_uppercase[:10] if other != letter]) is None


def test_the_cases_that_broke_other_tools(test_data: Path) -> None:
    path = test_data.parent / "cases" / "inputs.jsonl"
    if not path.is_file():
        pytest.skip(f"no cases at {path}")
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    cases = [case for case in cases if case["area"].startswith("MCQ")]
    assert len(cases) >= 4
    for case in cases:
        assert option.read(case["input"], "ABCD") == case["expected"], case["id"]


@given(st.text())
def test_any_text_gives_an_offered_letter_or_none(text: str) -> None:
    assert option.read(text, OPTIONS) in (None, *OPTIONS)


@given(
    st.lists(
        st.sampled_from(
            [
                "A",
                "B",
                "(C)",
                "d",
                "answer",
                "is",
                "not",
                "the",
                "or",
                "and",
                "选",
                "答案",
                "是",
                "不",
                ",",
                ".",
                ":",
                "\n",
                "wait",
                "correct",
            ]
        ),
        max_size=30,
    )
)
def test_any_mixture_gives_an_offered_letter_or_none(parts: list[str]) -> None:
    assert option.read(" ".join(parts), "ABC") in (None, "A", "B", "C")


@pytest.mark.parametrize("unit", ["B ", "(B) ", "the answer is ", "选", "B and ", "not ", "A. dog\n", "\\boxed{", '"'])
def test_a_megabyte_is_read(unit: str) -> None:
    assert option.read(unit * (1_000_000 // len(unit)), OPTIONS) in (None, *OPTIONS)

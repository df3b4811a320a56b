"""Options in the layouts that instructions come in, and what a truth names of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.benchmarks import _shale_options as options_in

FOUR = (("A", "a pan"), ("B", "a pot"), ("C", "a cup"), ("D", "a bowl"))
ZH = (("A", "锅"), ("B", "碗"), ("C", "杯子"))

LAYOUTS = [
    ("What is it? (A) a pan (B) a pot (C) a cup (D) a bowl", FOUR),
    ("What is it?\n(A) a pan\n(B) a pot\n(C) a cup\n(D) a bowl", FOUR),
    ("What is it? (A) a pan, (B) a pot, (C) a cup, (D) a bowl", FOUR),
    ("What is it? (A) a pan; (B) a pot; (C) a cup; (D) a bowl.\nAnswer with the letter only.", FOUR),
    ("What is it?\nA. a pan\nB. a pot\nC. a cup\nD. a bowl\nAnswer with the option's letter.", FOUR),
    ("What is it? A. a pan B. a pot C. a cup D. a bowl. Please answer with the letter.", FOUR),
    ("What is it? A: a pan B: a pot C: a cup D: a bowl", FOUR),
    ("What is it? A) a pan B) a pot C) a cup D) a bowl", FOUR),
    ("What is it? [A] a pan [B] a pot [C] a cup [D] a bowl", FOUR),
    ("What is it? (A)a pan(B)a pot(C)a cup(D)a bowl", FOUR),
    ("What is it? ( A ) a pan ( B ) a pot ( C ) a cup ( D ) a bowl", FOUR),
    ("What is it? (A). a pan (B). a pot (C). a cup (D). a bowl", FOUR),
    ("Answer with (A) or (B) and so on. What is it? (A) a pan (B) a pot (C) a cup (D) a bowl", FOUR),
    ("What is it?\n(A)\ta  pan\n(B) a pot\r\n(C) a cup\n(D) a bowl", FOUR),
    ("图中是什么？（A）锅（B）碗（C）杯子", ZH),
    ("图中是什么？\n（A）锅\n（B）碗\n（C）杯子\n请只回答字母。", ZH),
    ("图中是什么？A.锅 B.碗 C.杯子", ZH),
    ("图中是什么？A．锅；B．碗；C．杯子。", ZH),
    ("图中是什么？Ａ、锅，Ｂ、碗，Ｃ、杯子", ZH),
    ("图中是什么？A：锅 B：碗 C：杯子。请回答字母。", ZH),
    ("图中是什么？【A】锅【B】碗【C】杯子", ZH),
    ("Which vitamin? (A) Vitamin A. (B) Vitamin B.", (("A", "Vitamin A"), ("B", "Vitamin B"))),
    ("Who? (A) J. B. Smith (B) A. B. Jones", (("A", "J. B. Smith"), ("B", "A. B. Jones"))),
    ("Where? (A) in France (B) in the U.S.", (("A", "in France"), ("B", "in the U.S."))),
    ("How much? (A) 1.5 m (B) 2.5 m", (("A", "1.5 m"), ("B", "2.5 m"))),
]


@pytest.mark.parametrize(("instruction", "expected"), LAYOUTS, ids=range(len(LAYOUTS)))
def test_options_are_found_in_every_layout(instruction: str, expected: tuple[tuple[str, str], ...]) -> None:
    assert options_in.parse(instruction) == expected


@pytest.mark.parametrize(
    "instruction",
    ["", "Is this a pan?", "Is it a (B) grade?", "(A) only one", "(A) (B) (C)", "(B) b (C) c", "A. ", "图中是什么？"],
)
def test_where_there_are_no_options_none_are_found(instruction: str) -> None:
    assert options_in.parse(instruction) == ()


WORDS = st.lists(
    st.text("abcdefghijklmnopqrstuvwxyz 锅碗杯子", min_size=1, max_size=12).filter(lambda text: text.strip() == text),
    min_size=2,
    max_size=6,
)


@given(texts=WORDS, layout=st.sampled_from(("({}) {} ", "{}. {}\n", "（{}）{}\n", "{}: {}\n", "[{}] {} ")))
@settings(max_examples=150, deadline=None)
def test_what_is_written_is_read_again(texts: list[str], layout: str) -> None:
    listed = [(letter, " ".join(text.split())) for letter, text in zip(options_in.LETTERS, texts, strict=False)]
    written = "".join(layout.format(letter, text) for letter, text in listed)
    tail = [text for _, text in listed if text.casefold().startswith(("please", "answer", "choose"))]
    if not tail:
        assert options_in.parse(f"What is it?\n{written}") == tuple(listed)
        assert options_in.parse(options_in.written(tuple(listed))) == tuple(listed)


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_no_text_breaks_the_parser(text: str) -> None:
    found = options_in.parse(text)
    assert [letter for letter, _ in found] == list(options_in.LETTERS[: len(found)])
    assert all(option.strip() == option != "" for _, option in found)
    assert len(found) != 1


@pytest.mark.parametrize("piece", ["A. ", "(A) ", "(", " ", "(A) x (B) ", ". ", "A\u3000", "\n", "B) A) "])
def test_a_long_hostile_text_is_read(piece: str) -> None:
    found = options_in.parse(f"(A) a pan (B) a pot{piece * 60_000}")
    assert found == () or found[0][0] == "A"
    assert options_in.parse(f"{piece * 60_000}\nWhat is it?\n(A) a pan (B) a pot (C) a cup (D) a bowl")[:1] != ()


@pytest.mark.parametrize(
    ("truth", "letter"),
    [
        ("(A)", "A"),
        ("B", "B"),
        (" (c) ", ""),
        ("（D）", "D"),
        ("Ｂ", "B"),
        ("B.", "B"),
        ("a pot", "B"),
        ("A Pot.", "B"),
        ("(B) a pot", "B"),
        ("B: a pot", "B"),
        ("(B) a pan", ""),
        ("a spoon", ""),
        ("", ""),
        ("E", "E"),
    ],
)
def test_a_truth_names_an_option(truth: str, letter: str) -> None:
    assert options_in.chosen(truth, FOUR) == letter


def test_a_truth_that_could_be_a_letter_or_a_text_names_none() -> None:
    """Which letter stands on the sign?"""
    options = (("A", "B"), ("B", "C"))
    assert options_in.chosen("B", options) == ""
    assert options_in.chosen("(B)", options) == "B"
    assert options_in.chosen("C", options) == "B"
    assert options_in.chosen("(B) C", options) == "B"
    assert options_in.chosen("A", (("A", "A"), ("B", "B"))) == "A"


def test_options_of_a_field_of_their_own() -> None:
    assert options_in.given(["a pan", "a pot"]) == FOUR[:2]
    assert options_in.given(["(A) a pan", "B. a pot"]) == FOUR[:2]
    assert options_in.given({"A": "a pan", "(b)": "a pot"}) == FOUR[:2]
    for wrong in (None, "A B", {"B": "a pot"}, ["a pan", None], [" ", "a pot"], ["x"] * 11):
        assert options_in.given(wrong) == ()

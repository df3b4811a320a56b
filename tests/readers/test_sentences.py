"""One spelling, sentences and clauses."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from snellen.readers.sentences import clauses, plain, sentences


def test_plain_spells_out() -> None:
    assert plain("It **isn’t** shown; I can't tell.") == "It is not shown; I cannot tell."
    assert (
        plain("I'm sure there's more; they'll say we've won't")
        == "I am sure there is more; they will say we have will not"
    )
    assert plain("can not, cannot, cant") == "cannot, cannot, cannot"


def test_sentences_know_lists_blocks_and_abbreviations() -> None:
    found = list(sentences("See e.g. Fig. 2, vs. 3.5. Next!\n\n- one\n2) two\n图中没有。看不清！真的吗？是"))
    assert [s.text for s in found] == [
        "see e.g. fig. 2, vs. 3.5.", "next!", "one", "two", "图中没有。", "看不清!", "真的吗?", "是",
    ]  # fmt: skip
    assert [s.listed for s in found[:4]] == [False, False, True, True]
    assert [s.block for s in found[:4]] == [0, 0, 1, 1]
    assert [s.opens for s in found[:2]] == [True, False]


def test_code_claims_nothing_unless_it_is_all_there_is() -> None:
    assert [s.text for s in sentences("Not shown.\n```python\nx = 5\n```\nSorry.")] == ["not shown.", "sorry."]
    assert [s.text for s in sentences("```\nunknown\n```")] == ["unknown"]


def test_clauses() -> None:
    assert clauses("i cannot read it, but it is about 5 — roughly; yes") == [
        "i cannot read it", "but it is about 5", "roughly", "yes",
    ]  # fmt: skip
    assert clauses("看不清,但大约是5") == ["看不清", "但大约是5"]


@given(st.text())
def test_no_piece_is_empty(text: str) -> None:
    for sentence in sentences(text):
        assert sentence.text.strip()
        assert all(clause.strip() for clause in clauses(sentence.text))

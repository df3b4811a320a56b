"""The table of near words, and what counts as wrong: no answer in another form ever passes for a wrong one."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.item import Item, OptionReference, TextReference, YesNoReference
from snellen.perturbations import _near_words
from snellen.perturbations._wrong import LONGEST, exchanged, is_wrong, number_of, wrong_answers

GROUPS = _near_words.groups()
SPELLINGS = sorted({spelling for group in GROUPS for word in group.words for spelling in word[0]})
CHINESE = sorted({spelling for group in GROUPS for word in group.words for spelling in word[1]})


def test_the_table_is_large_and_two_languages_stand_side_by_side() -> None:
    assert len(GROUPS) > 300
    assert sum(len(group.words) for group in GROUPS) > 1_500
    for group in GROUPS:
        assert group.section
        assert len(group.words) > 1, group
        for english, chinese in group.words:
            assert english, group
            assert chinese, group
            assert all(spelling.isascii() for spelling in english), english
            assert all(re.search(r"[\u4e00-\u9fff]|^Lady Gaga$", spelling) for spelling in chinese), chinese


@pytest.mark.parametrize("column", [0, 1])
def test_no_group_has_a_word_twice_or_beside_what_is_true_of_it(column: int) -> None:
    for group in GROUPS:
        spellings = [spelling.casefold() for word in group.words for spelling in word[column]]
        twice = [spelling for spelling, count in Counter(spellings).items() if count > 1]
        assert not twice, f"{group.section}: {twice}"
        assert not set(spellings) & group.above, f"{group.section}: {set(spellings) & group.above}"


def test_a_word_is_found_with_its_plural_its_longest_form_and_nowhere_inside_another() -> None:
    found = _near_words.find("Two polar bears, a fox and carpets", "en")
    assert [(word.word, word.plural) for word in found] == [("polar bear", True), ("fox", False)]
    assert [word.word for word in _near_words.find("一只狗", "zh")] == ["狗"]
    assert [word.word for word in _near_words.find("一只黑色的狗", "zh")] == ["黑色", "狗"]
    assert [word.word for word in _near_words.find("红色的汽车", "zh")] == ["红色", "汽车"]
    assert _near_words.find("马上就来", "zh") == []
    assert _near_words.find("dog " * 100, "en") == []


def test_the_search_sees_the_longest_spellings() -> None:
    assert max(len(spelling.split()) for spelling in SPELLINGS) <= _near_words._MOST_WORDS
    assert max(len(spelling) for spelling in CHINESE) <= _near_words._MOST_CHARACTERS
    for column, spellings in enumerate((SPELLINGS, CHINESE)):
        language = "zh" if column else "en"
        for spelling in spellings:
            found = _near_words.find(spelling, language)
            assert [_near_words.same(word.word, language) for word in found] == [_near_words.same(spelling, language)]


def test_what_is_near_excludes_the_word_and_what_is_true_of_it() -> None:
    near = _near_words.near("dog", "en", "animal")
    assert "wolf" in near
    assert not {"dog", "puppy", "animal", "husky"} & set(near)
    assert "狼" in _near_words.near("狗", "zh", "animal")
    assert _near_words.near("to the left of", "en", "direction") == ("to the right of",)
    assert _near_words.near("左侧", "zh", "direction") == ("右侧",)
    assert _near_words.near("no such word", "en", "animal") == ()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_other_spelling_of_a_word_is_wrong(language: str) -> None:
    column = 1 if language == "zh" else 0
    for group in GROUPS:
        for word in group.words:
            for one in word[column]:
                assert not any(is_wrong(other, one, language) for other in word[column])
                for name in (name for name in group.above if name.isascii() == (language == "en")):
                    assert not is_wrong(name, one, language)
                    assert not is_wrong(one, name, language)


@pytest.mark.parametrize(
    ("candidate", "right"),
    [
        ("dogs", "dog"),
        ("A dog.", "the dog"),
        ("running", "runs"),
        ("smiling", "smile"),
        ("puppy", "dog"),
        ("animal", "a cat"),
        ("husky", "dog"),
        ("3", "three"),
        ("三个", "3"),
        ("两只", "2"),
        ("grey", "Gray"),
        ("car", "a red car"),
        ("a red car", "car"),
        ("two puppies", "two dogs"),
        ("two animals", "two dogs"),
        ("a red automobile", "a red car"),
        ("一头水牛", "一头牛"),
        ("轿车", "小汽车"),
        ("红色", "红色的"),
        ("", "dog"),
        ("dog", ""),
        ("!!", "dog"),
    ],
)
def test_what_may_be_right_is_not_wrong(candidate: str, right: str) -> None:
    assert not is_wrong(candidate, right, "zh" if re.search(r"[\u4e00-\u9fff]", right) else "en")


@pytest.mark.parametrize(
    ("candidate", "right"),
    [
        ("wolf", "dog"),
        ("12", "2"),
        ("four", "3"),
        ("not red", "red"),
        ("狼", "狗"),
        ("七只", "三只"),
        ("两只狗", "三只狗"),
        ("two cats", "three cats"),
        ("blue", "red"),
    ],
)
def test_what_is_wrong_is_wrong(candidate: str, right: str) -> None:
    assert is_wrong(candidate, right, "zh" if re.search(r"[\u4e00-\u9fff]", right) else "en")


@given(st.text(max_size=40), st.sampled_from(["en", "zh"]))
def test_no_text_is_wrong_where_it_is_right(text: str, language: str) -> None:
    assert not is_wrong(text, text, language)
    assert not is_wrong(f" {text.upper()} ", text.upper(), language)


@given(st.sampled_from(sorted(_near_words._plurals())))
def test_no_plural_is_wrong(plural: str) -> None:
    word = _near_words._plurals()[plural]
    assert not is_wrong(plural, word, "en")
    assert not is_wrong(word, f"the {plural}", "en")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("Three.", 3),
        ("十二", 12),
        ("两只", 2),
        ("12个", 12),
        ("", None),
        ("三色猫", None),
        ("3.5", None),
        ("²", None),
    ],
)
def test_a_whole_number_is_read(text: str, value: int | None) -> None:
    assert number_of(text) == value


def test_wrong_answers_are_the_distractors_else_the_wrong_options() -> None:
    options = (("A", "a cat"), ("B", "a dog"), ("C", "None of the above"))
    item = Item(id="x", question="What?", options=options, reference=OptionReference("A", "a cat"))
    assert wrong_answers(item) == ("a dog",)
    named = Item(id="x", question="What?", reference=TextReference("cat"), distractors=("kitten", "cat", "a\nlynx."))
    assert wrong_answers(named) == ("a lynx",)
    assert (
        wrong_answers(Item(id="x", question="What?", reference=TextReference("cat"), distractors=("y" * LONGEST * 2,)))
        == ()
    )
    assert wrong_answers(Item(id="x", question="What?", distractors=("dog",))) == ("dog",)
    assert wrong_answers(Item(id="x", question="What?", options=options)) == ()


def test_of_a_question_to_be_affirmed_nothing_that_stands_in_it_is_wrong() -> None:
    yes = Item(id="x", question="Is the car red?", reference=YesNoReference(True), distractors=("red", "no", "blue"))
    assert wrong_answers(yes) == ("blue",)
    no = Item(id="x", question="Is the car blue?", reference=YesNoReference(False), distractors=("blue",))
    assert wrong_answers(no) == ("blue",)
    assert wrong_answers(Item(id="x", question="Is the car blue?", reference=YesNoReference(False))) == ()


@pytest.mark.parametrize(
    ("text", "old", "new", "result"),
    [
        ("Is there a dog?", "dog", "owl", "Is there an owl?"),
        ("An apple", "apple", "pear", "A pear"),
        ("DOG", "DOG", "wolf", "WOLF"),
        ("Dog", "Dog", "wolf", "Wolf"),
        ("a dog", "dog", "unicorn", "a unicorn"),
        ("a dog", "dog", "hourglass", "an hourglass"),
    ],
)
def test_the_article_and_the_case_follow_the_new_word(text: str, old: str, new: str, result: str) -> None:
    start = text.index(old)
    assert exchanged(text, start, start + len(old), new) == result

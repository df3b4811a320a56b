"""Paraphrase, option shuffle and typos: the truth stays, the wording does not, and what matters is untouched."""

from __future__ import annotations

import dataclasses
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.item import Item, OptionReference, TextReference, YesNoReference
from snellen.perturbations import confusing_synonyms, misleading_prefix, option_shuffle, paraphrase, typos

DATA = Path(os.environ.get("SNELLEN_TEST_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
CHARTHAL = DATA / "charthal" / "data" / "charthal.json"


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def ask(question: str, language: str = "en") -> Item:
    return Item(id="q", question=question, reference=TextReference("?"), language=language)


def choice(texts: list[str], right: int, question: str = "Which?") -> Item:
    letters = "ABCDEFGH"[: len(texts)]
    return Item(
        id="m",
        question=question,
        options=tuple(zip(letters, texts, strict=True)),
        reference=OptionReference(letters[right], texts[right]),
    )


# Paraphrase


@pytest.mark.parametrize(
    ("question", "language", "rewrites"),
    [
        ("Is there a dog in the image?", "en", ("Does the image show a dog?", "Can a dog be seen in the image?")),
        (
            "Are there any dogs in the picture?",
            "en",
            ("Does the picture show any dogs?", "Can any dogs be seen in the picture?"),
        ),
        ("Does the image contain an owl?", "en", ("Is there an owl in the image?", "Can an owl be seen in the image?")),
        (
            "How many dogs are in the image?",
            "en",
            ("What is the number of dogs in the image?", "Count the dogs in the image: how many are there?"),
        ),
        ("What color is the car?", "en", ("What is the color of the car?", "Which color does the car have?")),
        ("What color are the cars?", "en", ("What is the color of the cars?", "Which color do the cars have?")),
        ("What is the shape of the table?", "en", ("State the shape of the table.", "Tell me the shape of the table.")),
        (
            "Describe this image in detail.",
            "en",
            ("Give a description of this image in detail.", "Say in detail what this image shows."),
        ),
        ("图中有狗吗？", "zh", ("图中是否有狗？", "图中能看到狗吗？")),
        ("图中正好有5朵花吗？", "zh", ("图中是否正好有5朵花？", "请问图中正好有5朵花吗？")),
        (
            "Is the cat in the picture orange?",
            "en",
            (
                "Is it true that the cat in the picture is orange?",
                "Would it be right to say that the cat in the picture is orange?",
            ),
        ),
        ("图中有没有狗?", "zh", ("图中是否有狗？", "图中有狗吗？")),
        ("图中有几只狗？", "zh", ("图中狗的数量是多少？", "请数一数图中的狗，一共有多少只？")),
        ("汽车是什么颜色的？", "zh", ("汽车的颜色是什么？", "汽车是哪种颜色？")),
        ("请描述这张图片。", "zh", ("请对这张图片进行描述。", "请用文字说明这张图片的内容。")),
        ("Does the face in the picture look sad?", "en", ("In the picture, does the face look sad?",)),
        (
            "What can be seen under the table in the picture?",
            "en",
            ("What does the picture show under the table?", "In the picture, what is there under the table?"),
        ),
        ("Is the box under the table in the picture?", "en", ("In the picture, is the box under the table?",)),
        ("Does the sport of the court in the picture have 2 players?", "en", ()),
        ("图中的猫在树的右边吗？", "zh", ("图中的猫是否在树的右边？", "请问图中的猫在树的右边吗？")),
        ("图中的猫不在树的右边吗？", "zh", ()),
        ("图中的牌子上写着什么？", "zh", ("图中的牌子上写的是什么？", "请说出图中的牌子上写着什么。")),
        (
            "图中的运动，每队有几名球员？",
            "zh",
            ("请说出图中的运动，每队有几名球员。", "请问图中的运动，每队有几名球员？"),
        ),
        ("What is the airspeed velocity", "en", ()),
        ("Is there a dog and a cat in the image?", "en", ()),
        ("What color is the car that the man washes?", "en", ()),
        ("图中有几种水果？", "zh", ()),
        ("", "en", ()),
    ],
)
def test_a_form_is_rewritten_exactly_or_left_out(question: str, language: str, rewrites: tuple[str, ...]) -> None:
    assert sorted(paraphrase.rewrites(question, language)) == sorted(rewrites)
    changed = paraphrase.change(ask(question, language), 1, rng())
    assert (changed is None) == (not rewrites)
    if changed is not None:
        assert changed.question in rewrites
        assert dataclasses.replace(changed, question=question) == ask(question, language)


# Option shuffle


@given(st.lists(st.sampled_from(["red", "blue", "green", "a dog", "红", "7"]), min_size=1, max_size=6), st.data())
def test_the_right_text_gets_another_letter_and_keeps_its_words(texts: list[str], data: st.DataObject) -> None:
    right = data.draw(st.integers(0, len(texts) - 1))
    seed = data.draw(st.integers(0, 50))
    item = choice(texts, right)
    changed = option_shuffle.change(item, 1, rng(seed))
    assert changed == option_shuffle.change(item, 1, rng(seed))
    if len(set(texts)) == 1:
        assert changed is None
        return
    assert changed is not None
    assert isinstance(changed.reference, OptionReference)
    assert dict(changed.options)[changed.reference.letter] == texts[right] == changed.reference.text
    assert changed.reference.letter != "ABCDEFGH"[right]
    assert [letter for letter, _ in changed.options] == [letter for letter, _ in item.options]
    assert sorted(text for _, text in changed.options) == sorted(texts)
    assert changed.options != item.options
    assert dataclasses.replace(changed, options=item.options, reference=item.reference) == item


@pytest.mark.parametrize(
    ("question", "changed"),
    [
        ("Which?\n(A) red (B) blue", "Which?\n(A) blue (B) red"),
        ("Which?\nA. red\nB. blue\nAnswer with a letter.", "Which?\nA. blue\nB. red\nAnswer with a letter."),
        ("哪一个？Ａ．red；Ｂ．blue", "哪一个？Ａ．blue；Ｂ．red"),
        ("Is red (A) red or (B) blue?", "Is red (A) red or (B) blue?"),
        ("Which?", "Which?"),
    ],
)
def test_the_list_in_the_question_follows(question: str, changed: str) -> None:
    item = choice(["red", "blue"], 0, question)
    after = option_shuffle.change(item, 1, rng())
    if question == changed and "(A)" in question:
        assert after is None, "what stands between the options is not understood"
    else:
        assert after is not None
        assert (after.question, after.options) == (changed, (("A", "blue"), ("B", "red")))


def test_a_question_that_lists_other_options_is_left_out() -> None:
    assert option_shuffle.change(choice(["red", "blue"], 0, "Which?\n(A) one (B) two"), 1, rng()) is None


def test_a_question_with_options_is_put_in_other_words_and_its_options_stay() -> None:
    item = choice(["red", "blue"], 0, "What color is the car?\n(A) red (B) blue")
    changed = paraphrase.change(item, 1, rng())
    assert changed is not None
    assert changed.question.endswith("?\n(A) red (B) blue")
    assert changed.question != item.question
    assert changed.options == item.options


def test_every_place_but_its_own_is_reached() -> None:
    item = choice(["a", "b", "c", "d"], 1)
    reached = set()
    for seed in range(60):
        changed = option_shuffle.change(item, 1, rng(seed))
        assert changed is not None
        assert isinstance(changed.reference, OptionReference)
        reached.add(changed.reference.letter)
    assert reached == {"A", "C", "D"}


def test_what_speaks_of_the_other_options_stays_at_its_place() -> None:
    changed = option_shuffle.change(choice(["red", "blue", "None of the above"], 0), 1, rng())
    assert changed is not None
    assert changed.options == (("A", "blue"), ("B", "red"), ("C", "None of the above"))
    assert option_shuffle.change(choice(["red", "blue", "以上都不是"], 2), 1, rng()) is None


@pytest.mark.parametrize(
    "item",
    [
        choice(["red"], 0),
        choice(["red", "Both A and B", "blue"], 0),
        choice(["red", "blue"], 0, "Is option A right, or (B)?"),
        choice(["红", "选项A和B"], 0),
        ask("What?"),
        Item(id="y", question="Is it?", reference=YesNoReference(True)),
        Item(id="m", question="?", options=(("A", "x"), ("B", "y")), reference=OptionReference("C", "z")),
    ],
)
def test_where_the_order_means_something_it_stays(item: Item) -> None:
    assert option_shuffle.change(item, 1, rng()) is None


# Typos


@pytest.mark.parametrize("severity", range(1, 6))
def test_as_many_words_are_misspelt_as_the_severity_says(severity: int) -> None:
    question = "According to the image, which animal shown in this picture does not appear in the description?"
    for seed in range(20):
        changed = typos.change(ask(question), severity, rng(seed))
        assert changed is not None
        assert changed == typos.change(ask(question), severity, rng(seed))
        pairs = list(zip(question.split(), changed.question.split(), strict=True))
        different = [(old, new) for old, new in pairs if old != new]
        assert len(different) == severity
        assert not {"not", "animal", "the"} & {old for old, _ in different}
        assert all(old[0] == new[0] for old, new in different)


def test_no_slip_makes_a_number_or_another_question_of_a_word() -> None:
    for word in sorted(typos._FRAME):
        made = typos.slips(word)
        assert made, word
        assert not set(made) & (typos._FRAME | typos._REAL)
    assert "three" not in typos.slips("there")
    assert "That" not in typos.slips("What")


def test_options_distractors_quotes_and_the_answer_stay_letter_by_letter() -> None:
    item = Item(
        id="t",
        question='Is "what is shown" the picture that is present in the chart?',
        options=(("A", "the picture"),),
        reference=TextReference("present"),
        distractors=("chart",),
    )
    changed = typos.change(item, 5, rng())
    assert changed is not None
    for kept in ('"what is shown"', "the picture", "present", "chart"):
        assert kept in changed.question
    assert dataclasses.replace(changed, question=item.question) == item


def test_chinese_words_become_others_that_sound_alike() -> None:
    question = "请问图片中不是红色的有什么？"
    seen = {getattr(typos.change(ask(question, "zh"), severity, rng()), "question", "") for severity in range(1, 6)}
    assert "清问图偏中不是红色的有什末？" in seen
    assert all("不是红色的" in text for text in seen)


@pytest.mark.parametrize(
    ("question", "language"), [("Is it red?", "en"), ("", "en"), ("几只狗？", "zh"), ("两?", "zh")]
)
def test_a_question_without_such_words_is_left_out(question: str, language: str) -> None:
    assert typos.change(ask(question, language), 3, rng()) is None


@pytest.mark.parametrize("module", [paraphrase, option_shuffle, typos])
def test_controls_keep_the_truth(module: object) -> None:
    assert getattr(module, "truth")(ask("What?"), 1) == "kept"  # noqa: B009 the three share no type


@given(st.text(max_size=80), st.sampled_from(["en", "zh"]), st.integers(1, 5), st.integers(0, 9))
def test_whatever_the_question_nothing_else_changes(question: str, language: str, severity: int, seed: int) -> None:
    item = Item(
        id="h",
        question=question,
        options=(("A", "a dog"), ("B", question), ("C", "三只狗")),
        reference=OptionReference("A", "a dog"),
        distractors=(question, "a cow"),
        language=language,
    )
    for module in (paraphrase, typos, option_shuffle, misleading_prefix, confusing_synonyms):
        changed = module.change(item, severity, rng(seed))
        assert changed == module.change(item, severity, rng(seed))
        if changed is not None:
            assert changed != item
            rest = dataclasses.replace(changed, question=item.question, options=item.options, reference=item.reference)
            assert rest == item
            assert isinstance(changed.reference, OptionReference)
            assert dict(changed.options)[changed.reference.letter] == "a dog" == changed.reference.text


# Questions that people wrote


@pytest.mark.skipif(not CHARTHAL.is_file(), reason="ChartHal's data are not at hand (SNELLEN_TEST_DATA)")
def test_in_charthals_questions_numbers_and_names_survive() -> None:
    rows = json.loads(CHARTHAL.read_text(encoding="utf-8"))
    rewritten = misspelt = 0
    for key, row in rows.items():
        item = Item(id=key, question=row["question"], reference=TextReference(row["ref_answer"]))
        numbers = re.findall(r"\d+(?:\.\d+)?", item.question)
        for rewrite in paraphrase.rewrites(item.question, "en"):
            rewritten += 1
            assert re.findall(r"\d+(?:\.\d+)?", rewrite) == numbers
        changed = typos.change(item, 5, rng(len(key)))
        if changed is not None:
            misspelt += 1
            assert re.findall(r"\d+(?:\.\d+)?", changed.question) == numbers
            assert len(changed.question.split()) == len(item.question.split())
    assert rewritten > 300
    assert misspelt > 1_000

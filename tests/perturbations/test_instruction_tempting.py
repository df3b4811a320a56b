"""Misleading prefix and confusing synonyms: what tempts is false, near and well-formed, in both languages."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.benchmarks import shale_demo
from snellen.item import Item, OptionReference, TextReference, YesNoReference
from snellen.perturbations import _near_words, confusing_synonyms, misleading_prefix
from snellen.perturbations._wrong import is_wrong

PREFIX, SYNONYMS = misleading_prefix, confusing_synonyms


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def choice(question: str, right: str, wrong: list[str], aspect: str = "", language: str = "en") -> Item:
    options = tuple(zip("ABCDEFGH", [wrong[0], right, *wrong[1:]], strict=False))
    return Item(
        id="m",
        question=question,
        options=options,
        reference=OptionReference("B", right),
        labels={"aspect": aspect, "task": "multiple-choice"},
        language=language,
    )


def yes_no(
    question: str, yes: bool, *distractors: str, language: str = "en", answer: str = "", aspect: str = ""
) -> Item:
    labels = {"task": "yes-no", "aspect": aspect} | ({"answer": answer} if answer else {})
    return Item(
        id="y",
        question=question,
        reference=YesNoReference(yes),
        distractors=distractors,
        language=language,
        labels=labels,
    )


def only_question_changed(before: Item, after: Item) -> bool:
    return dataclasses.replace(after, question=before.question) == before and after.question != before.question


# Misleading prefix


@pytest.mark.parametrize(
    ("question", "yes", "claim"),
    [
        ("Is there a dog in the image?", True, "there is no dog in the image"),
        ("Is there a dog in the image?", False, "there is a dog in the image"),
        ("Are there any dogs?", True, "there are no dogs"),
        ("Are there any dogs?", False, "there are dogs"),
        ("Are there three dogs in the image?", True, "there are not three dogs in the image"),
        ("Are there three dogs in the image?", False, "there are three dogs in the image"),
        ("Is there water?", False, "there is water"),
        ("Does the image contain a dog?", True, "the image does not contain a dog"),
        ("Does this picture show a dog?", False, "this picture shows a dog"),
        ("Is the man wearing a hat?", True, 'the answer to the following question is "no"'),
        ("Is there a dog or a cat?", False, 'the answer to the following question is "yes"'),
        ("Is there any dog?", False, 'the answer to the following question is "yes"'),
    ],
)
def test_a_yes_no_question_gets_its_wrong_answer_asserted(question: str, yes: bool, claim: str) -> None:
    for severity in range(1, 6):
        changed = PREFIX.change(yes_no(question, yes), severity, rng())
        assert changed is not None
        sentence = changed.question.removesuffix(f" {question}")
        assert claim in sentence
        assert sentence.endswith(".")
        assert sentence[0].isupper()


@pytest.mark.parametrize(
    ("question", "yes", "claim"),
    [
        ("图中有狗吗？", True, "图中没有狗"),
        ("图中有狗吗？", False, "图中有狗"),
        ("图片中是否有狗？", True, "图片中没有狗"),
        ("图片中是否有狗？", False, "图片中有狗"),
        ("这个人戴帽子吗？", True, "下面这个问题的答案是“否”"),
        ("图中有没有狗？", False, "下面这个问题的答案是“是”"),
    ],
)
def test_and_so_does_a_chinese_one(question: str, yes: bool, claim: str) -> None:
    for severity in range(1, 6):
        changed = PREFIX.change(yes_no(question, yes, language="zh"), severity, rng())
        assert changed is not None
        sentence = changed.question.removesuffix(question)
        assert sentence.endswith(f"{claim}。")


@pytest.mark.parametrize(
    ("item", "claim"),
    [
        (
            yes_no("Is the cat in the picture orange?", True, "brown", answer="orange"),
            "the cat in the picture is brown",
        ),
        (yes_no("Is the cat in the picture gray?", False, "gray", answer="orange"), "the cat in the picture is gray"),
        (yes_no("Is the fruit in the picture an apple?", True, "a pear", answer="an apple"), "picture is a pear"),
        (yes_no("Is the fruit in the picture an apple?", True, "a pear"), "the fruit in the picture is not an apple"),
        (yes_no("Does the face in the image look sad?", True, "happy", answer="sad"), "in the image looks happy"),
        (yes_no("Does the face in the image look sad?", True), 'the answer to the following question is "no"'),
        (yes_no("Is the tall cat in the picture a cat?", True, "a dog", answer="a cat"), "is not a cat"),
        (yes_no("图中的猫是橙色的吗？", True, "棕色", language="zh", answer="橙色"), "图中的猫是棕色的"),
        (yes_no("图中的猫在树的右边吗？", False, "树的右边", language="zh"), "图中的猫在树的右边"),
        (yes_no("图中的猫不在树上吗？", False, language="zh"), "下面这个问题的答案是“是”"),
    ],
)
def test_the_false_sentence_names_the_distractor_in_the_place_of_what_is_so(item: Item, claim: str) -> None:
    changed = PREFIX.change(item, 3, rng())
    assert changed is not None
    assert only_question_changed(item, changed)
    assert claim in changed.question.removesuffix(item.question)


def test_multiple_choice_names_the_text_of_a_wrong_option_and_no_letter() -> None:
    item = choice("Which animal?", "a dog", ["a cow", "a tree"])
    for severity in range(1, 6):
        changed = PREFIX.change(item, severity, rng(severity))
        assert changed is not None
        assert only_question_changed(item, changed)
        assert '"a cow"' in changed.question or '"a tree"' in changed.question
        assert "a dog" not in changed.question


def test_free_form_and_captions_name_a_distractor() -> None:
    free = Item(
        id="f", question="What is it?", reference=TextReference("a dog"), distractors=("puppy", 'the "big" cow')
    )
    changed = PREFIX.change(free, 1, rng())
    assert changed is not None
    assert "is \"the 'big' cow\"" in changed.question
    caption = dataclasses.replace(free, labels={"task": "caption"}, question="描述这张图片。")
    changed = PREFIX.change(caption, 1, rng())
    assert changed is not None
    assert "speaks of \"the 'big' cow\"" in changed.question


def test_the_tones_differ_and_a_seed_gives_one_wording() -> None:
    item = choice("Which animal?", "a dog", ["a cow"])
    seen = set()
    for severity in range(1, 6):
        one, two = PREFIX.change(item, severity, rng(3)), PREFIX.change(item, severity, rng(3))
        assert one == two
        assert one is not None
        seen.add(one.question)
    assert len(seen) == 5
    assert PREFIX.truth(item, 5) == "kept"


@pytest.mark.parametrize(
    "item",
    [
        Item(id="n", question="What is it?", reference=TextReference("a dog")),
        Item(id="n", question="What is it?"),
        Item(id="n", question="What is it?", reference=TextReference("a dog"), distractors=("dogs", "animal", "puppy")),
        choice("Which?", "a dog", ["the dog"]),
    ],
)
def test_where_nothing_is_surely_wrong_nothing_is_said(item: Item) -> None:
    assert PREFIX.change(item, 3, rng()) is None


words = st.sampled_from(
    ["dog", "wolf", "red", "blue", "three", "4", "sitting", "left", "狗", "狼", "红色", "三只", "Paris"]
)


@given(words, st.lists(words, min_size=1, max_size=5), st.sampled_from(["en", "zh"]), st.integers(0, 99))
@settings(max_examples=150)
def test_the_right_answer_is_never_named_as_a_wrong_one(right: str, wrong: list[str], language: str, seed: int) -> None:
    item = choice("?", right, wrong, language=language)
    changed = PREFIX.change(item, 1 + seed % 5, rng(seed))
    if changed is None:
        assert not any(is_wrong(text, right, language) for text in wrong)
    else:
        assert right.casefold() not in changed.question.casefold().replace("clearly", "").replace("official", "")
        assert any(text in changed.question for text in wrong)


# Confusing synonyms


@pytest.mark.parametrize(
    ("item", "allowed"),
    [
        (
            choice("What animal is it?", "dog", ["car", "tree"], "entity-type"),
            {"wolf", "fox", "coyote", "jackal", "hyena"},
        ),
        (
            choice("What animal is it?", "a Dog", ["a car", "a tree"]),
            {"a Wolf", "a Fox", "a Coyote", "a Jackal", "a Hyena"},
        ),
        (
            choice("What are they?", "two dogs", ["two cars"]),
            {f"two {w}" for w in ("wolves", "foxes", "coyotes", "jackals", "hyenas")},
        ),
        (choice("What color is it?", "Red", ["Blue", "Green"], "color"), {"Orange", "Pink", "Blue", "Green"}),
        (choice("What color is it?", "orange", ["blue"], "color"), {"red", "pink", "yellow", "brown"}),
        (choice("How many?", "three", ["one", "nine"], "count"), {"two", "four"}),
        (choice("How many?", "0", ["5"], "count"), {"1"}),
        (
            choice("Where?", "to the left of the car", ["above the car"], "spatial-relation"),
            {"to the right of the car"},
        ),
        (choice("Which country?", "Turkey", ["Brazil"], "geography"), set(_near_words.near("Turkey", "en", "country"))),
        (
            choice("什么动物？", "一只狗", ["一辆汽车", "一棵树"], language="zh"),
            {f"一只{w}" for w in ("狼", "狐狸", "郊狼", "豺", "鬣狗")},
        ),
        (choice("几只？", "三只", ["七只", "九只"], "count", "zh"), {"两只", "四只"}),
        (choice("在哪里？", "左边", ["上方"], "spatial-relation", "zh"), {"右边"}),
    ],
)
def test_wrong_options_come_nearer_and_stay_wrong(item: Item, allowed: set[str]) -> None:
    for seed in range(10):
        changed = SYNONYMS.change(item, 1, rng(seed))
        assert changed is not None
        assert changed == SYNONYMS.change(item, 1, rng(seed))
        assert dataclasses.replace(changed, options=item.options) == item
        assert changed.options != item.options
        assert changed.options[1] == item.options[1], "the right option stays"
        texts = [text.casefold() for letter, text in changed.options if letter != "B"]
        assert set(texts) <= {text.casefold() for text in allowed}
        assert len(set(texts)) == len(texts)
        assert all(is_wrong(text, item.options[1][1], item.language) for text in texts)


@pytest.mark.parametrize(
    "item",
    [
        choice("What?", "something else", ["car", "tree"]),
        choice("What?", "wolf", ["fox", "coyote"], "entity-type"),
        choice("What is it?", "turkey", ["a chair", "a rock"]),  # a bird, a country, a meat
        choice("What color is it?", "apple", ["pear"], "color"),
        choice("Which of the following is shown in the image?", "dog", ["car", "tree"]),
        choice("Which is not there?", "dog", ["car", "tree"]),
        choice("What is there?", "dog", ["car", "tree"], "existence"),
        choice("What?", "dog", ["puppy", "tree"], "entity-type"),
        choice("What?", "dog", ["None of the above"], "entity-type"),
        yes_no("Is there a dog?", True, "cat"),
        yes_no("Is the car blue?", False, "blue"),
        yes_no("Is the car blue?", False),
        Item(
            id="c",
            question="Describe the dog.",
            reference=TextReference("a wolf"),
            distractors=("dog",),
            labels={"task": "caption"},
        ),
        Item(id="c", question="Is it a dog or a wolf?", reference=TextReference("wolf"), distractors=("dog",)),
        Item(id="c", question="What?", distractors=("dog",)),
        Item(
            id="c", question="What is the highest value?", reference=TextReference("12")
        ),  # 13 may be read off as well
        Item(id="c", question="What is missing?", reference=TextReference("dog"), labels={"relation": "inexistent"}),
        Item(id="c", question="What?", reference=TextReference("The dog that the man with a hat leads is shown.")),
        Item(id="c", question="What?", reference=TextReference("no dog")),
    ],
)
def test_where_no_nearer_wrong_word_is_certain_the_item_is_left_out(item: Item) -> None:
    assert SYNONYMS.change(item, 1, rng()) is None


def test_the_list_in_the_question_follows() -> None:
    item = choice("What animal is it?\n(A) car (B) dog (C) tree", "dog", ["car", "tree"], "entity-type")
    changed = SYNONYMS.change(item, 1, rng())
    assert changed is not None
    listed = " ".join(f"({letter}) {text}" for letter, text in changed.options)
    assert changed.question == f"What animal is it?\n{listed}"
    assert SYNONYMS.change(dataclasses.replace(item, question="What?\n(A) x (B) y (C) z"), 1, rng()) is None


def test_of_what_may_stand_in_one_picture_only_known_distractors_are_taken() -> None:
    item = choice("What is there?", "dog", ["car", "tree"], "existence")
    changed = SYNONYMS.change(dataclasses.replace(item, distractors=("wolf",)), 1, rng())
    assert changed is not None
    assert sorted(text for _, text in changed.options) in (["dog", "tree", "wolf"], ["car", "dog", "wolf"])


@pytest.mark.parametrize(
    ("item", "allowed"),
    [
        (yes_no("Is the car blue?", False, "orange", "blue"), {"Is the car orange?"}),
        (yes_no("Is the car a blue one?", False, "orange", "blue"), {"Is the car an orange one?"}),
        (
            yes_no("Is this a chair?", False, "chair", answer="dog"),
            {f"Is this a {w}?" for w in ("wolf", "fox", "coyote", "jackal", "hyena")},
        ),
        (
            yes_no("Are there nine dogs?", False, "nine", answer="three", aspect="count"),
            {
                "Are there four dogs?",
                "Are there two dogs?",
                "Are there five dogs?",
                "Are there one dogs?",
                "Are there six dogs?",
                "Are there zero dogs?",
                "Are there seven dogs?",
            },
        ),
        (
            yes_no("这是椅子吗？", False, "椅子", language="zh", answer="狗"),
            {f"这是{w}吗？" for w in ("狼", "狐狸", "郊狼", "豺", "鬣狗")},
        ),
    ],
)
def test_the_wrong_word_of_a_question_to_be_denied_comes_nearer(item: Item, allowed: set[str]) -> None:
    for seed in range(10):
        changed = SYNONYMS.change(item, 1, rng(seed))
        assert changed is not None
        assert only_question_changed(item, changed)
        assert changed.question in allowed


def test_so_does_the_one_that_a_free_form_question_names() -> None:
    item = Item(
        id="f", question="Which animal stands beside the car?", reference=TextReference("dog"), distractors=("car",)
    )
    changed = SYNONYMS.change(item, 1, rng())
    assert changed is not None
    assert changed.question in {
        f"Which animal stands beside the {w}?" for w in ("wolf", "fox", "coyote", "jackal", "hyena")
    }
    assert SYNONYMS.truth(item, 1) == "kept"


SAMPLE = [(word, group.section) for group in _near_words.groups() for word in group.words]


@given(st.sampled_from(SAMPLE), st.sampled_from([0, 1]), st.integers(0, 9))
@settings(max_examples=300)
def test_no_word_of_the_table_gets_a_true_word_as_its_near_one(
    sample: tuple[tuple[tuple[str, ...], tuple[str, ...]], str], column: int, seed: int
) -> None:
    word, _ = sample
    language = "zh" if column else "en"
    right = word[column][seed % len(word[column])]
    item = choice("?", right, ["qqq", "vvv", "www"], language=language)
    changed = SYNONYMS.change(item, 1, rng(seed))
    if changed is not None:
        barred = _near_words.same(right, language) | _near_words.above(right, language)
        texts = [text for letter, text in changed.options if letter != "B"]
        assert not {text.casefold() for text in texts} & barred
        assert all(is_wrong(text, right, language) for text in texts)


# The benchmark's own words, free-form questions, and what never may happen


def test_words_that_the_benchmark_knows_to_be_nearer_come_alone_and_replace_the_farthest() -> None:
    item = dataclasses.replace(
        choice("What animal is it?", "dog", ["car", "cat", "tree"], "entity-type"),
        distractors=("wolf", "cat", "car", "tree"),
    )
    changed = SYNONYMS.change(item, 1, rng())
    assert changed is not None
    assert [text for _, text in changed.options] == ["car", "dog", "cat", "wolf"]
    nearest = dataclasses.replace(item, distractors=("car", "cat", "tree", "wolf"))
    assert SYNONYMS.change(nearest, 1, rng()) is None, "the benchmark says that the wolf is the farthest"


def test_numbers_of_a_question_come_nearer_by_their_distance_only() -> None:
    for asked, new in (("9", "4"), ("5", "4"), ("4", None), ("2", None)):
        item = yes_no(f"Are there {asked} dogs?", False, "9", "5", "4", "2", answer="3", aspect="count")
        changed = SYNONYMS.change(item, 1, rng())
        assert (changed and changed.question) == (new and f"Are there {new} dogs?")


@pytest.mark.parametrize(
    ("item", "questions"),
    [
        (
            Item(
                id="f",
                question="What color is the cat?",
                reference=TextReference("orange"),
                distractors=("brown", "blue"),
                labels={"aspect": "color"},
            ),
            {"What color is the cat (for example: brown)?"},
        ),
        (
            Item(id="f", question="Name the color. ", reference=TextReference("orange"), labels={"aspect": "color"}),
            {f"Name the color (for example: {word}). " for word in ("red", "pink", "yellow", "brown")},
        ),
        (
            Item(
                id="f", question="有几只狗？", reference=TextReference("3"), labels={"aspect": "count"}, language="zh"
            ),
            {"有几只狗（例如：4）？"},
        ),
        (
            Item(id="f", question="How many dogs are shown?", reference=TextReference("Three.")),
            {"How many dogs are shown (for example: Four)?"},
        ),
        (
            Item(id="f", question="这是什么", reference=TextReference("狗"), language="zh"),
            {f"这是什么（例如：{word}）" for word in ("狼", "狐狸", "郊狼", "豺", "鬣狗")},
        ),
    ],
)
def test_a_free_form_question_that_names_nothing_wrong_gets_the_nearest_wrong_answer_as_an_example(
    item: Item, questions: set[str]
) -> None:
    for seed in range(8):
        changed = SYNONYMS.change(item, 1, rng(seed))
        assert changed is not None
        assert only_question_changed(item, changed)
        assert changed.question in questions


TRUE_SYNONYMS = [
    ("en", pair.split("="))
    for pair in (
        "car=automobile",
        "couch=sofa",
        "gray=grey",
        "soccer=football",
        "bicycle=bike",
        "mobile phone=cell phone",
        "dog=puppy",
        "cat=kitten",
        "rabbit=bunny",
        "aeroplane=airplane",
        "rhinoceros=rhino",
        "ship=boat",
        "taxi=cab",
        "oval=ellipse",
        "diamond=rhombus",
        "sitting=seated",
        "happy=joyful",
        "sad=unhappy",
        "angry=mad",
        "lying down=lying",
        "Kyiv=Kiev",
        "Myanmar=Burma",
        "the Netherlands=Holland",
        "rectangle=rectangles",
        "running=runs",
    )
] + [
    ("zh", pair.split("="))
    for pair in (
        "狗=犬",
        "猫=猫咪",
        "红色=红",
        "粉色=粉红色",
        "公共汽车=公交车",
        "自行车=单车",
        "土豆=马铃薯",
        "西红柿=番茄",
        "菠萝=凤梨",
        "椅子=座椅",
        "长方形=矩形",
        "高兴=开心",
        "难过=伤心",
        "生气=愤怒",
        "吃惊=惊讶",
        "走路=行走",
        "跑步=奔跑",
        "坐着=坐姿",
        "蹲着=下蹲",
        "手机=移动电话",
        "医生=大夫",
    )
]


@pytest.mark.parametrize(("language", "pair"), TRUE_SYNONYMS)
def test_a_true_synonym_of_the_answer_is_never_offered(language: str, pair: list[str]) -> None:
    """Whichever source offers it but the benchmark: the table knows the pair, or does not know the word at all."""
    for right, synonym in (pair, pair[::-1]):
        for seed in range(12):
            item = choice("?", right, ["qqq", "vvv", "www"], language=language)
            free = Item(id="f", question="?", reference=TextReference(right), language=language)
            for changed in (SYNONYMS.change(item, 1, rng(seed)), SYNONYMS.change(free, 1, rng(seed))):
                if changed is not None:
                    example = re.search(r"(?:example: |例如：)(.+?)[)）]", changed.question)
                    offered = [text for letter, text in changed.options if letter != "B"]
                    offered += [example[1]] if example is not None else []
                    assert offered
                    assert not {synonym.casefold(), right.casefold()} & {text.casefold() for text in offered}


def test_a_word_is_not_offered_beside_another_name_of_itself() -> None:
    item = choice("What is it?", "couch", ["armchair", "easy chair"], "entity-type")
    for seed in range(10):
        changed = SYNONYMS.change(item, 1, rng(seed))
        if changed is not None:
            texts = [text for letter, text in changed.options]
            assert all(is_wrong(one, two, "en") for one in texts for two in texts if one is not two), texts


@pytest.fixture(scope="module")
def demo() -> list[Item]:
    found = list(shale_demo.items(shale_demo.locate(None, Path())))
    return [item for item in found if isinstance(item, Item)]


def test_on_the_demonstration_set_it_applies_to_all_three_tasks_in_both_languages(demo: list[Item]) -> None:
    applied: Counter[tuple[str, str]] = Counter()
    for item in demo:
        changed = SYNONYMS.change(item, 1, rng())
        if changed is None:
            continue
        kind = item.labels["task"] if item.reference != YesNoReference(True) else "affirmed"
        applied[kind, item.language] += 1
        assert changed.reference == item.reference
        right = item.labels.get("answer") or (item.reference.text if item.reference is not None else "")
        assert right not in {text for _, text in changed.options} - {text for _, text in item.options}
        if not item.options:
            assert not any(text in changed.question for text in (right,) if text not in item.question), changed.question
    least = {"multiple-choice": 28, "yes-no": 30, "free-form": 37}
    assert set(applied) == {(task, language) for task in least for language in ("en", "zh")}
    assert all(count >= least[task] for (task, _), count in applied.items()), applied


def test_every_yes_no_question_of_the_demonstration_set_gets_a_false_sentence(demo: list[Item]) -> None:
    quoted = 0
    for item in demo:
        if item.labels["task"] == "yes-no":
            changed = PREFIX.change(item, 5, rng())
            assert changed is not None
            sentence = changed.question.removesuffix(item.question)
            quoted += "following question" in sentence or "下面这个问题" in sentence
            if "following question" not in sentence and "下面" not in sentence:
                assert any(text in sentence for text in item.distractors), sentence
    assert quoted < 40

"""Which objects a text claims: synonyms, plurals, compounds, denials, in English and Chinese."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.readers import objects
from snellen.readers.object_words import NO_OBJECTS, NO_OBJECTS_ZH, OBJECTS
from snellen.readers.objects import Account, account


def named(text: str) -> list[str]:
    return [mention.name for mention in objects.read(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A cat sits on a chair.", ["cat", "chair"]),
        ("Two kittens and three puppies.", ["cat", "dog"]),
        ("Men, women and children", ["person", "person", "person"]),
        ("mice, geese, knives, sheep, wolves", ["mouse", "goose", "knife", "sheep"]),
        ("Boxes, buses and cherries on benches", ["box", "bus", "bench"]),
        ("A Dog. DOGS! **dog**", ["dog", "dog", "dog"]),
        ("The dog's tail is long, and the dogs’ ears are short.", ["dog", "dog"]),
        ("He is concatenating; the cattle and the category are here.", ["cow"]),
        # compounds
        ("A traffic light hangs above the street.", ["traffic light"]),
        ("traffic-lights", ["traffic light"]),
        ("A man eats a hot dog beside a teddy bear.", ["person", "hot dog", "teddy bear"]),
        ("They wait at a bus stop near a train station.", []),
        ("a bus driver in a parking lot", ["person"]),
        ("an apple tree and a banana box", ["tree", "box"]),
        ("a wine glass, a tennis racket and a baseball bat", ["wine glass", "tennis racket", "baseball bat"]),
        ("a computer mouse and a mouse", ["computer mouse", "mouse"]),
        ("They are playing football on a football field.", []),
        ("He kicks a football.", ["ball"]),
        ("table tennis on a table", ["table"]),
        ("a cat-shaped lamp and a dog-like toy", ["lamp"]),
        # words that may be something else
        ("An orange cat; the orange one is larger.", ["cat"]),
        ("oranges and a slice of cake", ["orange", "cake"]),
        ("The sign bears the text below.", ["sign"]),
        ("He is about to board a train to fish.", ["person", "train"][1:]),
        ("no sign of a dog, no doubt", []),
        # denials
        ("There is no dog in the picture.", []),
        ("There is no dog, cat, or bird.", []),
        ("There is no dog, and a cat sleeps.", ["cat"]),
        ("There are no dogs and no cats, only a bird.", ["bird"]),
        ("There isn't a dog.", []),
        ("I don't see any dogs or cats here.", []),
        ("The image does not contain a dog, a cat, or a bird.", []),
        ("It does not show a dog but a cat.", ["cat"]),
        ("It is not a dog; it is a cat.", ["cat"]),
        ("Not only a dog but also a cat can be seen.", ["dog", "cat"]),
        ("A street without cars or people.", []),
        ("Neither a dog nor a cat.", []),
        ("A boat instead of a car.", ["boat"]),
        ("A dog is not visible.", []),
        ("Cars cannot be seen, and a bus is absent.", []),
        ("A dog and a cat are not present.", []),
        ("No people are in the boat.", ["boat"]),
        ("The cat is not on the table.", ["cat", "table"]),
        ("The man is not riding a bicycle.", ["person"]),
        ("There is nothing but a cat.", ["cat"]),
        ("No doubt there is a cat.", ["cat"]),
        ("If there were a dog, it would bark at the cat.", ["cat"]),
        ("It is unclear whether there is a dog.", []),
        ("Is there a dog? Yes: a dog.", ["dog"]),
        # what is written in the picture
        ('A sign that says "CAT" and a cat.', ["sign", "cat"]),
        ("A board reading “DOG FOOD”", ["sign"]),
        # lists
        ("- dog\n- cat\n\n1. **bird**", ["dog", "cat", "bird"]),
        ("", []),
        ("?", []),
    ],
)
def test_english(text: str, expected: list[str]) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("一只橙色的猫坐在草地上。", ["cat"]),
        ("红色的公共汽车和蓝色的小汽车", ["bus", "car"]),
        ("穿红衣的人在看一本书", ["person", "book"]),
        ("一个人撑着太阳伞", ["person", "umbrella"]),
        ("太阳下的向日葵", ["sun", "flower"]),
        # compounds
        ("红绿灯", ["traffic light"]),
        ("一只熊猫在吃热狗", ["panda", "hot dog"]),
        ("猫头鹰和泰迪熊", ["owl", "teddy bear"]),
        ("马路上有一匹马", ["horse"]),
        ("斑马走过斑马线", ["zebra"]),
        ("机器人走在人行道上", []),
        ("迷人的花园", []),
        ("地球是星球", []),
        ("红色的鸟居", []),
        ("拿着网球拍的运动员在网球场上", ["tennis racket", "person"]),
        ("书架上的书", ["book"]),
        ("火箭和箭头", ["rocket", "arrow"]),
        ("花瓶里的花", ["vase", "flower"]),
        # denials
        ("图中没有狗。", []),
        ("图中没有狗、猫和鸟，但有一辆自行车。", ["bicycle"]),
        ("没有狗，只有一只猫。", ["cat"]),
        ("看不到人，也没有汽车。", []),
        ("街上无人，有无数的树。", ["tree"]),
        ("这不是狗，而是猫。", ["cat"]),
        ("没有尾巴的狗", ["dog"]),
        ("没有红色的汽车", []),
        ("狗不在图中。", []),
        ("桌子上没有狗", ["table"]),
        ("没有狗在桌子上", ["table"]),
        ("图中有狗吗？没有。", []),
        ("图中是否有狗无法确定。", []),
        ("街上没人。", []),
        # what is written in the picture
        ("写着“大米”的牌子", ["sign"]),
        ("牌子上写着“猫”", ["sign"]),
    ],
)
def test_chinese(text: str, expected: list[str]) -> None:
    assert named(text) == expected


def test_both_languages_in_one_text_are_read_in_order() -> None:
    assert named("A dog和一只猫, and a bird。") == ["dog", "cat", "bird"]


def test_a_mention_keeps_its_word() -> None:
    assert [(mention.name, mention.word) for mention in objects.read("Sailboats and 帆船")] == [
        ("boat", "sailboats"),
        ("boat", "帆船"),
    ]


@pytest.mark.parametrize(
    ("text", "present", "expected"),
    [
        ("A cat and a dog.", ("cat",), Account(2, 1, 1, 1)),
        ("A cat, a dog, another dog.", ("cat",), Account(3, 2, 1, 1)),
        ("A kitten.", ("cat", "tree"), Account(1, 0, 2, 1)),
        ("It is sunny.", ("cat",), Account(0, 0, 1, 0)),
        ("", ("cat",), Account(0, 0, 1, 0)),
        ("A bird swims.", ("duck",), Account(1, 0, 1, 1)),  # true, if less exact
        ("A duck swims.", ("bird",), Account(1, 1, 1, 0)),  # more than is known
        ("A plant and a tree.", ("tree",), Account(2, 0, 1, 1)),
        ("No dog, no cat.", ("cat",), Account(0, 0, 1, 0)),
        ("A ship.", ("sailing-boat", "Sailboat"), Account(1, 0, 1, 1)),  # two words for one object
        ("一只猫和一只狗", ("猫",), Account(2, 1, 1, 1)),
        ("Two zebra crossings and a zebra.", ("zebra crossing",), Account(2, 1, 1, 1)),
        ("一条斑马线", ("斑马线", "car"), Account(1, 0, 2, 1)),
        ("A cat.", (), Account(1, 1, 0, 0)),
    ],
)
def test_a_text_beside_what_is_there(text: str, present: tuple[str, ...], expected: Account) -> None:
    assert account(text, present) == expected


def test_objects_that_one_picture_adds_are_not_looked_for_in_the_next() -> None:
    assert account("A crossing.", ("crossing",)).mentions == 1
    assert account("A crossing.", ("cat",)).mentions == 0


def test_every_word_of_the_vocabulary_is_read_as_its_object() -> None:
    vocabulary = objects._vocabulary(())
    for word, (name, _) in vocabulary.english.items():
        assert named(f"here {word} here") == ([name] if name else []), word
    for word, name in vocabulary.names.items():
        assert named(word) == ([name] if name else []), word


def test_the_vocabulary_says_everything_once() -> None:
    entries = OBJECTS.replace("\n    ", " ").splitlines()
    names = [entry.partition(":")[0].partition(" <")[0] for entry in entries]
    assert len(set(names)) == len(names) > 100
    words = [word for entry in entries for word in entry.partition("|")[2].split()]
    words += NO_OBJECTS_ZH.split()
    assert sorted(words) == sorted(set(words))
    english = [word.strip() for entry in entries for word in entry.partition(": ")[2].partition("|")[0].split(",")]
    english += [word.strip() for word in NO_OBJECTS.split(",")]
    assert sorted(english) == sorted(set(english))
    general = {entry.partition(":")[0].partition(" < ")[2] for entry in entries} - {""}
    assert general <= set(names)


@given(st.text(alphabet=st.sampled_from("no dog cat,.;?有没狗猫的 \"'\n-人"), max_size=200))
def test_any_text_is_read(text: str) -> None:
    found = account(text, ("dog",))
    assert 0 <= found.hallucinated <= found.mentions
    assert found.covered <= found.objects == 1

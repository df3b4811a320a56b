"""What readers decide for the rules judge: yes or no, options, free-form answers; and the published reading."""

from __future__ import annotations

import pytest

from snellen.answer import Answer
from snellen.errors import UsageError
from snellen.item import Item, OptionReference, TextReference, YesNoReference
from snellen.judges import rules
from snellen.judges._discriminative import parity_option, parity_yes_no, task_of, verdict_of
from snellen.verdict import ABSTAINED, EMPTY, UNCLEAR, Verdict

YES = Item("x/1", "Is it a pan?", reference=YesNoReference(yes=True), labels={"task": "yes-no", "kind": "faithfulness"})
NO = Item("x/2", "Is it a pot?", reference=YesNoReference(yes=False))
OPTIONS = (("A", "a pan"), ("B", "a pot"), ("C", "a bowl"))
CHOICE = Item("x/3", "What is it?", options=OPTIONS, reference=OptionReference("B", "a pot"))
FREE = Item("x/4", "What color is it?", reference=TextReference("red"), labels={"task": "free-form"})


def judge(item: Item, text: str) -> Verdict:
    return rules.read(item, Answer("answered", text=text))


@pytest.mark.parametrize(
    ("item", "text", "value", "flags"),
    [
        (YES, "Yes, it is.", 1, ()),
        (YES, "No.", 0, ()),
        (YES, "是的", 1, ()),
        (YES, "不是", 0, ()),
        (YES, "I know his eyes.", 0, (UNCLEAR,)),
        (YES, "I cannot determine that from this image.", 0, (ABSTAINED, UNCLEAR)),
        (YES, "", 0, (EMPTY,)),
        (YES, " \n", 0, (EMPTY,)),
        (NO, "NO", 1, ()),
        (NO, "Yes... actually, no.", 1, ()),
        (NO, "Yes", 0, ()),
        (NO, "没有", 1, ()),
        (NO, "Maybe.", 0, (UNCLEAR,)),
        (CHOICE, "B", 1, ()),
        (CHOICE, "It is not (A); the answer is (B).", 1, ()),
        (CHOICE, "A pot.", 1, ()),
        (CHOICE, "(A)", 0, ()),
        (CHOICE, "D", 0, (UNCLEAR,)),
        (CHOICE, "B and C", 0, (UNCLEAR,)),
        (CHOICE, "无法判断", 0, (ABSTAINED, UNCLEAR)),
        (CHOICE, "", 0, (EMPTY,)),
        (FREE, "The pan is red.", 1, ()),
        (FREE, "Red", 1, ()),
        (FREE, "Blue", 0, ()),
        (FREE, "It is crimson.", 0, ()),
        (FREE, "I cannot tell.", 0, (ABSTAINED, UNCLEAR)),
        (FREE, "", 0, (EMPTY,)),
    ],
)
def test_the_rules_judge_reads(item: Item, text: str, value: int, flags: tuple[str, ...]) -> None:
    verdict = judge(item, text)
    assert (verdict.value, verdict.flags) == (value, flags)
    assert verdict.reason.endswith(".")
    assert not verdict.unscored


def test_a_reason_names_what_was_read_and_what_is_right() -> None:
    assert judge(NO, "Yes").reason == "It says yes; no is right."
    assert judge(CHOICE, "(A)").reason == "It chooses A; B is right."
    assert judge(CHOICE, "B").reason == "It chooses B, which is right."


def test_an_option_without_its_list_is_judged_by_its_letter() -> None:
    bare = Item("x/5", "What is it?", reference=OptionReference("B", "a pot"))
    assert judge(bare, "The answer is B.").value == 1
    assert judge(bare, "The answer is C.").value == 0


def test_items_of_other_kinds_are_refused_or_left_to_the_cells() -> None:
    caption = Item("x/6", "Describe it.", reference=TextReference("A red pan."), labels={"task": "caption"})
    assert task_of(caption) is None
    assert judge(caption, "A red pan.").unscored == "judge_cannot_tell"
    with pytest.raises(UsageError, match="question_type"):
        judge(Item("x/9", "Tell me.", reference=TextReference("A red pan.")), "A red pan.")
    cell = Item("x/7", "?", reference=TextReference("5"), labels={"question_type": "descriptive", "relation": "normal"})
    assert task_of(cell) is None
    assert judge(cell, "It is 5.").value == 1
    with pytest.raises(ValueError, match="x/8"):
        verdict_of(Item("x/8", "?"), "text")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Yes", "yes"), ("yes, no", "yes"), ("His eyes are blue.", "yes"), ("不是", "yes"), ("是", "yes"),
        ("No yes", "yes"),
        ("No", "no"), ("I know.", "no"), ("I cannot tell.", "no"), ("否", "no"), ("Nothing", "no"),
        ("NO", "unclear"), ("YES", "unclear"), ("没有", "unclear"), ("", "unclear"), ("It is.", "unclear"),
    ],
)  # fmt: skip
def test_the_published_reading_of_yes_and_no(text: str, said: str) -> None:
    assert parity_yes_no(text) == said


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("(B)", "B"), ("B", None), ("The answer is B.", None), ("It is not (A); the answer is (C).", "A"),
        ("(C) not (B)", "B"), ("（B）", None), ("(b)", None), ("(E)", None), ("(D)", "D"),
    ],
)  # fmt: skip
def test_the_published_reading_of_options(text: str, letter: str | None) -> None:
    assert parity_option(text) == letter


def test_the_two_readings_differ_where_the_published_one_is_wrong() -> None:
    differ = [
        (item.id, text)
        for item, text in [(YES, "eyes"), (YES, "Yes."), (NO, "NO"), (NO, "No."), (CHOICE, "B"), (CHOICE, "(B)")]
        if verdict_of(item, text).value != verdict_of(item, text, parity=True).value
    ]
    assert differ == [("x/1", "eyes"), ("x/2", "NO"), ("x/3", "B")]


SHALE_NO = Item("shale/1", "Is it?", reference=YesNoReference(yes=False), labels={"kind": "factuality"})
SHALE_CHOICE = Item(
    "shale/2", "What?", options=OPTIONS, reference=OptionReference("B", "a pot"), labels={"kind": "faithfulness"}
)


@pytest.mark.parametrize(
    ("item", "text", "value", "published", "reading"),
    [
        (SHALE_NO, "No.", 1, 1, ""),
        (SHALE_NO, "Yes.", 0, 0, ""),
        (SHALE_NO, "NO", 1, 0, "unclear"),
        (SHALE_NO, "不是", 1, 0, "yes"),
        (SHALE_NO, "I know his face.", 0, 1, "no"),
        (SHALE_NO, "It is not there, as my eyes tell.", 1, 0, "yes"),
        (SHALE_NO, "", 0, 0, ""),
        (SHALE_CHOICE, "(B)", 1, 1, ""),
        (SHALE_CHOICE, "B", 1, 0, "unclear"),
        (SHALE_CHOICE, "It is not (A); it is (B).", 1, 0, "A"),
        (SHALE_CHOICE, "(C)", 0, 0, ""),
    ],
)
def test_the_published_reading_stands_beside_ours(
    item: Item, text: str, value: int, published: int, reading: str
) -> None:
    verdict = verdict_of(item, text)
    assert verdict.value == value
    assert verdict.measures == {"published": (published, 1), "published_differs": (int(bool(reading)), 1)}
    said = f"SHALE's published script reads {reading}."
    assert verdict.reason.endswith(said) if reading else "published" not in verdict.reason
    in_parity = verdict_of(item, text, parity=True)
    assert (in_parity.value, in_parity.measures) == (published, {})


def test_no_published_script_reads_other_benchmarks_and_free_form() -> None:
    free = Item("shale/3", "?", reference=TextReference("red"), labels={"task": "free-form", "kind": "faithfulness"})
    assert not verdict_of(free, "Red").measures
    assert not verdict_of(NO, "NO").measures

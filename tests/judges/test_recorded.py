"""Verdicts recorded elsewhere: strict about their form."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.answer import Answer
from snellen.errors import UnreadableReplyError, UsageError
from snellen.item import Item
from snellen.judges import recorded
from snellen.verdict import ABSTAINED, EMPTY, Verdict

ITEM = Item("x/1", "How many?")


def read(reply: str, text: str = "7") -> Verdict:
    return recorded.read(ITEM, Answer("answered", text=text), [Answer("answered", text=reply)])


def test_it_asks_nothing() -> None:
    assert not hasattr(recorded, "ask")


def test_values_reasons_and_flags() -> None:
    assert read('{"value": 1}') == Verdict(1, "As recorded.")
    assert read('{"value": 0, "reason": "猜测"}') == Verdict(0, "猜测")
    assert read('{"value": null, "reason": "two labels"}') == Verdict(None, "two labels", unscored="judge_cannot_tell")
    assert read('{"value": null}').unscored == "judge_cannot_tell"
    assert read('{"value": 1}', "I cannot tell.").flags == (ABSTAINED,)
    assert read('{"value": 0}', "").flags == (EMPTY,)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "1",
        "null",
        "[]",
        "{}",
        '{"value": 2}',
        '{"value": -1}',
        '{"value": 1.0}',
        '{"value": true}',
        '{"value": "1"}',
        '{"value": 1, "reason": 5}',
        '{"value": 1, "reason": null}',
        '{"value": 1, "score": 1}',
        '{"score": 1}',
        '{"value": 1',
        "Score: 1",
        '{"reason": "x"}',
        "[" * 100_000,
        '{"value": ' + "1" * 6_000 + "}",
        '{"value": NaN}',
    ],
)
def test_any_other_form_is_unreadable(reply: str) -> None:
    with pytest.raises(UnreadableReplyError):
        read(reply)


def test_no_reply_is_unreadable_and_no_option_exists() -> None:
    with pytest.raises(UnreadableReplyError, match="import"):
        recorded.read(ITEM, Answer("answered", text="7"), [])
    with pytest.raises(UsageError):
        recorded.read(ITEM, Answer("answered", text="7"), [], scoring="parity")


@given(st.sampled_from([0, 1, None]), st.text())
def test_what_was_written_is_read(value: int | None, reason: str) -> None:
    verdict = read(json.dumps({"value": value, "reason": reason}))
    assert verdict.value == value
    assert verdict.reason == reason or not reason


@given(st.text())
def test_nothing_but_unreadable_is_raised(reply: str) -> None:
    with contextlib.suppress(UnreadableReplyError):
        read(reply)

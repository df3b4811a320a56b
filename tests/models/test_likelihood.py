"""Log-probabilities of a completion: summed up in the answer, streamed or not, and kept in the ledger."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from fake_server import completion
from snellen.answer import Answer, Likelihood
from snellen.ledger import Ledger
from snellen.models._completion import answer
from snellen.models._streamed import Chunks

TOKENS = [{"token": "fi", "logprob": -0.25, "top_logprobs": []}, {"token": "ve", "logprob": -1.5}]


def read(logprobs: Any) -> Answer:
    body = completion("five")
    body["choices"][0]["logprobs"] = logprobs
    return answer(body, lambda: "", 0.0, {"parameters": {"logprobs": True}})


def test_by_hand() -> None:
    found = read({"content": TOKENS}).likelihood
    assert found == Likelihood(-1.75, 2, -1.5)
    assert found.mean == pytest.approx(math.sqrt(math.exp(-0.25) * math.exp(-1.5)))
    assert read({"tokens": ["fi", "ve"], "token_logprobs": [-0.25, -1.5]}).likelihood == found


@pytest.mark.parametrize(
    "logprobs",
    [
        None,
        {},
        [],
        "many",
        {"content": None},
        {"content": []},
        {"content": [None, "x", {"logprob": None}, {"logprob": "-1"}]},
        {"content": [{"logprob": math.nan}, {"logprob": 3.0}, {"logprob": -math.inf}]},
        {"token_logprobs": "abc"},
        {"token_logprobs": 7},
    ],
)
def test_what_cannot_be_read_is_none_and_the_answer_stays(logprobs: Any) -> None:
    found = read(logprobs)
    assert found.text == "five"
    assert found.likelihood is None


def test_a_stream_gives_what_a_body_gives() -> None:
    chunks = Chunks("key")
    for token in TOKENS:
        choice = {"index": 0, "delta": {"content": token["token"]}, "logprobs": {"content": [token]}}
        chunks.add((b"", orjson.dumps({"choices": [choice]})))
    chunks.add((b"", orjson.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})))
    found = answer(chunks.reply(b""), lambda: "", 0.0, {})
    assert (found.text, found.likelihood) == ("five", Likelihood(-1.75, 2, -1.5))


def test_the_ledger_keeps_it_apart_from_what_was_sent(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    first = read({"content": TOKENS})
    answers = {b"a" * 16: first, b"b" * 16: replace(first, likelihood=None), b"c" * 16: replace(first, sent={})}
    for key, each in answers.items():
        ledger.claim([key])
        ledger.store([(key, each)])
    for key, each in answers.items():
        assert ledger.final(key) == each
    ledger.close()

"""What is made of the body of a chat completion: tokens as they are paid, thinking apart, nothing broken off."""

from __future__ import annotations

import contextlib
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_server import completion
from snellen.answer import Answer, Usage
from snellen.errors import ModelError
from snellen.model_spec import Price
from snellen.models._completion import answer, load


def read(body: Any) -> Answer:
    return answer(body, lambda: "the body", 0.0, {})


def counted(**usage: Any) -> Usage:
    return read({**completion("x"), "usage": usage}).usage


def details(**tokens: int) -> dict[str, int]:
    return tokens


@pytest.mark.parametrize(
    ("usage", "read_as"),
    [
        ({"prompt_tokens": 9, "completion_tokens": 8, "total_tokens": 17}, Usage(9, 8)),
        ({"input_tokens": 9, "output_tokens": 8}, Usage(9, 8)),
        ({"prompt_tokens": 9, "completion_tokens": 8, "prompt_tokens_details": {"cached_tokens": 7}}, Usage(9, 8, 7)),
        ({"input_tokens": 9, "output_tokens": 8, "input_tokens_details": {"cached_tokens": 7}}, Usage(9, 8, 7)),
        ({"prompt_tokens": 9, "completion_tokens": 8, "prompt_cache_hit_tokens": 7}, Usage(9, 8, 7)),  # DeepSeek
        ({"prompt_tokens": 9, "completion_tokens": 8, "cached_tokens": 7}, Usage(9, 8, 7)),  # Moonshot
        ({"prompt_tokens": 9, "completion_tokens": 8, "prompt_tokens_details": None}, Usage(9, 8)),
        ({"prompt_tokens": 9, "completion_tokens": 8, "prompt_cache_hit_tokens": 12}, Usage(9, 8, 9)),
        ({"total_tokens": 5, "prompt_tokens": 9, "completion_tokens": 8}, Usage(9, 8)),
        ({"total_tokens": 20, "prompt_tokens": 9}, Usage(9, 11)),
        ({"total_tokens": 5, "prompt_tokens": 9}, Usage(9, None)),
        ({"prompt_tokens": -1, "completion_tokens": True, "total_tokens": "9"}, Usage()),
        ({"prompt_tokens": 2**60, "completion_tokens": 1.5}, Usage()),
        (None, Usage()),
        ([], Usage()),
        ("many", Usage()),
    ],
)
def test_tokens_are_counted(usage: Any, read_as: Usage) -> None:
    assert read({**completion("x"), "usage": usage}).usage == read_as


def test_thinking_within_the_completion_is_a_part_of_it() -> None:
    inside = details(reasoning_tokens=60)
    usage = {"prompt_tokens": 10, "completion_tokens": 80, "total_tokens": 90}
    assert counted(**usage, completion_tokens_details=inside) == Usage(10, 80, None, 60)
    assert counted(**usage, output_tokens_details=inside) == Usage(10, 80, None, 60)
    assert counted(**usage, reasoning_tokens=60) == Usage(10, 80, None, 60)


def test_thinking_beside_the_completion_is_paid_as_completion() -> None:
    beside = details(reasoning_tokens=60)
    assert counted(prompt_tokens=10, completion_tokens=20, total_tokens=90, completion_tokens_details=beside) == Usage(
        10, 80, None, 60
    )
    assert counted(prompt_tokens=10, completion_tokens=20, completion_tokens_details=beside) == Usage(10, 80, None, 60)
    assert counted(prompt_tokens=10, completion_tokens=20, total_tokens=90) == Usage(10, 80)  # and not told of
    # A total that says otherwise, or is explained by the cache, adds nothing.
    assert counted(prompt_tokens=10, completion_tokens=50, total_tokens=60, completion_tokens_details=beside) == Usage(
        10, 50, None, 60
    )
    assert counted(prompt_tokens=10, completion_tokens=50, total_tokens=99, completion_tokens_details=beside) == Usage(
        10, 50, None, 60
    )
    assert counted(prompt_tokens=10, completion_tokens=20, total_tokens=37, cached_tokens=7) == Usage(10, 20, 7)


COUNTS = st.none() | st.integers(-5, 2000) | st.booleans() | st.text(max_size=2) | st.floats()
NESTED = COUNTS | st.dictionaries(st.sampled_from(["cached_tokens", "reasoning_tokens"]), COUNTS)
NAMES = [
    "prompt_tokens", "completion_tokens", "total_tokens", "input_tokens", "output_tokens", "cached_tokens",
    "prompt_cache_hit_tokens", "reasoning_tokens", "prompt_tokens_details", "completion_tokens_details",
    "input_tokens_details", "output_tokens_details",
]  # fmt: skip


@given(st.dictionaries(st.sampled_from(NAMES), NESTED))
def test_no_usage_costs_less_than_nothing(usage: dict[str, Any]) -> None:
    read_as = counted(**usage)
    if read_as.prompt is not None:
        assert Price(3.0, 15.0, 0.3).cost(read_as.prompt, read_as.completion or 0, read_as.cached or 0) >= 0


@pytest.mark.parametrize("finish", ["error", "abort", "insufficient_system_resource"])
def test_what_the_server_broke_off_is_no_answer(finish: str) -> None:
    with pytest.raises(ModelError, match=finish) as caught:
        read(completion("half of", finish))
    assert (caught.value.kind, caught.value.retry) == ("server", True)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"message": "overloaded"}, "server"),
        ("overloaded", "server"),
        ({"code": 429, "message": "slow down"}, "rate_limit"),
        ({"type": "rate_limit_exceeded"}, "rate_limit"),
    ],
)
def test_an_error_with_status_200_has_a_kind(error: Any, kind: str) -> None:
    with pytest.raises(ModelError) as caught:
        read({"error": error})
    assert (caught.value.kind, caught.value.retry) == (kind, True)


def test_thinking_among_the_parts_of_the_content_is_kept_apart() -> None:
    parts: Any = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "let me "}, {"type": "text", "text": "see"}]},
        {"type": "thinking", "thinking": "."},
        {"type": "reference", "reference_ids": [1]},
        {"type": "text", "text": "three"},
    ]
    found = read(completion(parts))
    assert (found.text, found.thinking) == ("three", "let me see.")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "error", "usage", "finish_reason", "type", "text"]), inner
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_json_is_an_answer_or_a_model_error(value: Any) -> None:
    with contextlib.suppress(ModelError):
        assert isinstance(read(value).text, str)


def test_deep_nesting_is_an_answer_or_a_model_error() -> None:
    shallow = orjson.dumps(completion("x"))[:-1] + b',"extra":' + b"[" * 500 + b"]" * 500 + b"}"
    assert read(load(shallow)).text == "x"
    with pytest.raises(ModelError, match="no JSON"):
        read(load(b"[" * 200_000 + b"]" * 200_000))

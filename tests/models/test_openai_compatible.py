"""The client of OpenAI-compatible servers, against a server that says what servers say."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import orjson
import pytest

from fake_server import FakeServer, Script, completion
from snellen.answer import Answer, Failure, Usage
from snellen.errors import ModelError, UsageError
from snellen.model_spec import ModelSpec
from snellen.models.openai_compatible import OpenAICompatible, _proxied
from snellen.request import ImagePart, Message, Request, TextPart


class OnePixel:
    url_json = b'"data:image/png;base64,AAAA"'
    record: Mapping[str, Any] = {"width": 1}


async def picture(_sha256: str) -> OnePixel:
    return OnePixel()


REQUEST = Request(
    (Message("user", (ImagePart("ab" * 32), TextPart("How many bars?"))),), "m", parameters={"temperature": 0}
)


def ask(script: Script, requests: int = 1, request: Request = REQUEST, **spec: Any) -> tuple[list[Answer], FakeServer]:
    async def work(url: str) -> list[Answer]:
        client = OpenAICompatible(ModelSpec("m", base_url=url, **spec), picture, 4)
        try:
            return [await client.ask(request) for _ in range(requests)]
        finally:
            await client.close()

    with FakeServer(script) as server:
        return asyncio.run(work(server.url)), server


def test_what_is_sent() -> None:
    [answer], server = ask(lambda body, n: completion("three"))
    assert server.requests == [
        {
            "model": "m",
            "temperature": 0,
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
                        {"type": "text", "text": "How many bars?"},
                    ],
                }
            ],
        }
    ]
    assert answer.text == "three"
    assert answer.status == "answered"
    assert answer.usage == Usage(100, 10)
    assert answer.server_model == "served-model"
    assert answer.sent == {"parameters": {"temperature": 0}, "images": [{"width": 1}]}


def test_the_key_is_sent_and_never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "secret-key")
    refusal: Any = (401, {"error": {"message": "no such key: secret-key"}}, {})
    with pytest.raises(ModelError) as caught:
        ask(lambda body, n: refusal, key_variable="A_KEY")
    assert "secret-key" not in str(caught.value)
    assert caught.value.kind == "authentication"
    assert not caught.value.retry
    _, server = ask(lambda body, n: completion("x"), key_variable="A_KEY")
    assert server.headers[0]["Authorization"] == "Bearer secret-key"


def test_a_key_that_is_not_set_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("A_KEY", raising=False)
    with pytest.raises(UsageError, match="A_KEY"):
        ask(lambda body, n: completion("x"), key_variable="A_KEY")


def refuse(name: str, message: str, **error: Any) -> Script:
    def script(body: dict[str, Any], n: int) -> Any:
        if name in body:
            return (400, {"error": {"message": message, "type": "invalid_request_error", **error}}, {})
        return completion("fine")

    return script


@pytest.mark.parametrize(
    ("message", "error"),
    [
        (
            "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is"
            " supported.",
            {"param": "temperature", "code": "unsupported_value"},
        ),
        ("Unsupported parameter: 'temperature' is not supported with this model.", {}),
        ("temperature: Extra inputs are not permitted", {}),
        ("unknown field `temperature`", {}),
    ],
)
def test_a_refused_parameter_is_left_out_once_and_recorded(message: str, error: dict[str, Any]) -> None:
    answers, server = ask(refuse("temperature", message, **error), requests=3)
    assert [answer.sent["parameters"] for answer in answers] == [{}, {}, {}]
    assert ["temperature" in body for body in server.requests] == [True, False, False, False]


def test_max_tokens_is_renamed_where_the_server_asks_for_it() -> None:
    message = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
    request = Request(REQUEST.messages, "m", parameters={"max_tokens": 50, "temperature": 0})
    answers, server = ask(refuse("max_tokens", message, param="max_tokens"), request=request)
    assert answers[0].sent["parameters"] == {"max_completion_tokens": 50, "temperature": 0}
    assert len(server.requests) == 2


def test_a_400_about_something_else_is_no_negotiation() -> None:
    outcome: Any = (400, {"error": {"message": "This model's maximum context length is 4096 tokens"}}, {})
    with pytest.raises(ModelError, match="context length") as caught:
        ask(lambda body, n: outcome)
    assert not caught.value.retry
    assert caught.value.kind == "bad_request"


@pytest.mark.parametrize(
    ("outcome", "kind", "retry"),
    [
        ((429, {"error": {"message": "slow down"}}, {"Retry-After": "7"}), "rate_limit", True),
        ((429, {"error": {"message": "x", "code": "insufficient_quota"}}, {}), "rate_limit", False),
        ((500, b"oops", {}), "server", True),
        ((502, b"<html><body>Bad gateway</body></html>", {"content-type": "text/html"}), "server", True),
        ((503, {"error": "loading"}, {}), "server", True),
        ((403, {"error": {"message": "no"}}, {}), "authentication", False),
        ((404, {"detail": "Not Found"}, {}), "not_found", False),
        ((302, b"", {"Location": "http://elsewhere"}), "not_found", False),
        ((200, b"<html>login</html>", {}), "malformed", True),
        ((200, b'{"choices": [{"message": {"content": "cut', {}), "malformed", True),
        ((200, {"choices": []}, {}), "malformed", True),
        ((200, {"choices": [{"message": {"content": 5}}]}, {}), "malformed", True),
        ((200, {"error": {"message": "overloaded"}}, {}), "server", True),
        ((200, [], {}), "malformed", True),
        ((200, b"", {}), "malformed", True),
    ],
)
def test_failures_are_typed(outcome: Any, kind: str, retry: bool) -> None:
    with pytest.raises(ModelError) as caught:
        ask(lambda body, n: outcome)
    assert (caught.value.kind, caught.value.retry) == (kind, retry)


def test_retry_after_is_read() -> None:
    with pytest.raises(ModelError) as caught:
        ask(lambda body, n: (429, {}, {"Retry-After": "7"}))
    assert caught.value.retry_after == 7


def test_a_closed_port_is_a_connection_failure() -> None:
    async def work() -> None:
        client = OpenAICompatible(ModelSpec("m", base_url="http://127.0.0.1:9/v1"), picture, 1)
        try:
            await client.ask(REQUEST)
        finally:
            await client.close()

    with pytest.raises(ModelError) as caught:
        asyncio.run(work())
    assert (caught.value.kind, caught.value.retry) == ("connection", True)


def test_a_slow_server_times_out() -> None:
    async def work(url: str) -> None:
        client = OpenAICompatible(ModelSpec("m", base_url=url, timeout=0.2), picture, 1)
        try:
            await client.ask(REQUEST)
        finally:
            await client.close()

    with FakeServer(lambda body, n: completion("late"), delay=1.0) as server, pytest.raises(ModelError) as caught:
        asyncio.run(work(server.url))
    assert (caught.value.kind, caught.value.retry) == ("timeout", True)


@pytest.mark.parametrize(
    ("body", "status", "text", "thinking"),
    [
        (completion("cut", "length"), "truncated", "cut", ""),
        (completion(None, "content_filter"), "blocked", "", ""),
        (completion(None), "answered", "", ""),
        (completion("", reasoning_content="hm"), "answered", "", "hm"),
        (completion("a", reasoning="hm"), "answered", "a", "hm"),
        (completion(None, refusal="I can't help."), "answered", "I can't help.", ""),
        (completion([{"type": "text", "text": "in "}, {"type": "text", "text": "parts"}]), "answered", "in parts", ""),  # type: ignore[arg-type]
    ],
)
def test_replies_are_read(body: dict[str, Any], status: str, text: str, thinking: str) -> None:
    [answer], _ = ask(lambda _body, n: body)
    assert (answer.status, answer.text, answer.thinking) == (status, text, thinking)


def test_a_content_filter_on_the_request_is_a_blocked_answer() -> None:
    outcome: Any = (400, {"error": {"code": "content_filter", "message": "filtered"}}, {})
    [answer], _ = ask(lambda body, n: outcome)
    assert (answer.status, answer.finish_reason) == ("blocked", "content_filter")


def test_details_of_usage_and_lone_surrogates() -> None:
    body = (
        b'{"model": "m", "choices": [{"message": {"content": "a\\ud800b"}, "finish_reason": "stop"}], "usage":'
        b'{"prompt_tokens": 9, "completion_tokens": 8, "prompt_tokens_details": {"cached_tokens": 7},'
        b' "completion_tokens_details": {"reasoning_tokens": 6}}}'
    )
    [answer], _ = ask(lambda _body, n: (200, body, {}))
    assert answer.usage == Usage(9, 8, 7, 6)
    assert answer.text == "a\ufffdb"


def test_no_failure_text_is_ever_an_answer() -> None:
    with pytest.raises(ValueError, match="no answer text"):
        Answer("failed", text="Request failed: 500", failure=Failure("server", "HTTP 500"))


@pytest.mark.parametrize(
    ("url", "variables", "proxied"),
    [
        ("https://api.example.com/v1", {}, False),
        ("https://api.example.com/v1", {"https_proxy": "http://proxy:3128"}, True),
        ("https://api.example.com/v1", {"https_proxy": "http://proxy:3128", "no_proxy": "example.com"}, False),
        ("https://api.example.com/v1", {"http_proxy": "http://proxy:3128"}, False),
        ("http://localhost:8000/v1", {"http_proxy": "http://proxy:3128"}, False),
        ("http://[::1]:8000/v1", {"http_proxy": "http://proxy:3128"}, False),
    ],
)
def test_proxies_of_the_environment_are_used_for_servers_elsewhere(
    url: str, variables: dict[str, str], proxied: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert _proxied(url) is proxied


def test_a_request_goes_through_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> Answer:
        client = OpenAICompatible(ModelSpec("m", base_url="http://api.example.invalid/v1"), picture, 1)
        try:
            return await client.ask(REQUEST)
        finally:
            await client.close()

    with FakeServer(lambda body, n: completion("three")) as proxy:
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        assert asyncio.run(work()).text == "three"
    assert proxy.headers[0]["Host"] == "api.example.invalid"


def test_a_long_word_that_holds_the_name_of_a_parameter_is_no_refusal_of_it() -> None:
    outcome: Any = (400, {"error": {"message": "Invalid subtop_picture"}}, {})
    request = Request(REQUEST.messages, "m", parameters={"top_p": 1})
    with pytest.raises(ModelError) as caught:
        ask(lambda body, n: outcome, request=request)
    assert caught.value.kind == "bad_request"


def test_cookies_are_not_sent_back() -> None:
    _, server = ask(lambda body, n: (200, completion("x"), {"Set-Cookie": "a=b; Path=/"}), requests=2)
    assert "Cookie" not in server.headers[1]


def test_a_body_and_a_reply_can_be_had_apart() -> None:
    async def work() -> Answer:
        client = OpenAICompatible(ModelSpec("m", base_url="http://127.0.0.1:9/v1"), picture, 1)
        try:
            body, sent = await client.body(REQUEST)
            assert orjson.loads(body)["temperature"] == 0
            return client.read_reply(orjson.dumps(completion("three")), 0.5, sent)
        finally:
            await client.close()

    answer = asyncio.run(work())
    assert (answer.text, answer.latency) == ("three", 0.5)
    assert answer.sent == {"parameters": {"temperature": 0}, "images": [{"width": 1}]}

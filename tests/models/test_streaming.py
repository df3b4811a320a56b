"""Streamed answers: the same as unstreamed ones, whole or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterable
from itertools import pairwise
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fake_server import FakeServer, Script, Stream, chunk, chunks, completion, event
from snellen.answer import Answer, Usage
from snellen.errors import ModelError
from snellen.model_spec import ModelSpec
from snellen.models import _streamed
from snellen.models._completion import answer
from snellen.models.openai_compatible import MAX_REPLY_BYTES, OpenAICompatible, Picture
from snellen.request import Message, Request, TextPart

REQUEST = Request((Message("user", (TextPart("How many bars?"),)),), "m", parameters={"temperature": 0})


async def no_picture(sha256: str) -> Picture:
    raise AssertionError(sha256)


async def asked(url: str, requests: int = 1, request: Request = REQUEST, **spec: Any) -> list[Answer]:
    client = OpenAICompatible(ModelSpec("m", base_url=url, **{"stream": True, **spec}), no_picture, 4)
    try:
        return [await client.ask(request) for _ in range(requests)]
    finally:
        await client.close()


def ask(outcome: Any, requests: int = 1, request: Request = REQUEST, **spec: Any) -> tuple[list[Answer], FakeServer]:
    script: Script = outcome if callable(outcome) else lambda body, n: outcome
    with FakeServer(script) as server:
        return asyncio.run(asked(server.url, requests, request, **spec)), server


def refused(outcome: Any, **spec: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        ask(outcome, **spec)
    return caught.value


def put_together(pieces: Iterable[bytes], limit: int = MAX_REPLY_BYTES) -> Any:
    async def come() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    return asyncio.run(_streamed.follow(come(), "a-key", limit))


def read(body: Any) -> Answer:
    return answer(body, lambda: "", 0.0, {})


# what is asked for, and what comes


def test_what_is_sent_and_recorded() -> None:
    [found], server = ask(Stream(chunks("th", "ree")))
    [body] = server.requests
    assert body["stream"] is True
    assert body["stream_options"] == {"include_usage": True}
    assert found.sent["parameters"] == {
        "stream_options": {"include_usage": True}, "stream": True, "temperature": 0,
    }  # fmt: skip
    assert (found.text, found.status, found.finish_reason) == ("three", "answered", "stop")
    assert found.usage == Usage(100, 10)
    assert found.server_model == "served-model"


def test_without_the_word_nothing_is_streamed() -> None:
    _, server = ask(completion("three"), stream=False)
    assert "stream" not in server.requests[0]
    assert "stream_options" not in server.requests[0]


def test_a_body_for_others_is_not_streamed() -> None:
    async def work() -> tuple[bytes, dict[str, Any]]:
        client = OpenAICompatible(ModelSpec("m", base_url="http://127.0.0.1:9/v1", stream=True), no_picture, 1)
        try:
            return await client.body(REQUEST)
        finally:
            await client.close()

    body, sent = asyncio.run(work())
    assert orjson.loads(body) == {
        "model": "m", "messages": [{"role": "user", "content": "How many bars?"}], "temperature": 0,
    }  # fmt: skip
    assert sent == {"parameters": {"temperature": 0}}


def test_stream_among_the_parameters_is_understood_too() -> None:
    request = Request(REQUEST.messages, "m", parameters={"stream": True})
    [found], _ = ask(Stream(chunks("three")), request=request, stream=False)
    assert (found.text, found.sent["parameters"]) == ("three", {"stream": True})


@pytest.mark.parametrize(
    ("name", "error", "left"),
    [
        ("stream_options", {"message": "Unknown parameter: 'stream_options'."}, {"stream", "temperature"}),
        (
            "stream_options",
            {"message": "Unrecognized request argument supplied: stream_options", "param": "stream_options"},
            {"stream", "temperature"},
        ),
        (
            "stream_options",
            {"message": "not allowed", "param": "stream_options.include_usage"},
            {"stream", "temperature"},
        ),
        ("stream", {"message": "'stream' does not support true with this model", "param": "stream"}, {"temperature"}),
        ("stream", {"message": "Invalid value: stream is not supported"}, {"temperature"}),
    ],
)
def test_what_is_refused_is_left_out(name: str, error: dict[str, Any], left: set[str]) -> None:
    def script(body: dict[str, Any], n: int) -> Any:
        if name in body:
            return (400, {"error": error}, {})
        return Stream(chunks("three")) if body.get("stream") else completion("three")

    found, server = ask(script, requests=2)
    assert [one.text for one in found] == ["three", "three"]
    assert set(found[1].sent["parameters"]) == left
    assert len(server.requests) == 3


def test_an_error_upstream_is_no_refusal_to_stream() -> None:
    error = refused((400, {"error": {"message": "Invalid response from upstream"}}, {}))
    assert (error.kind, error.retry) == ("bad_request", False)


@pytest.mark.parametrize("kind", ["text/event-stream; charset=utf-8", "text/plain", "application/json", "x/y"])
def test_the_content_type_of_a_stream_does_not_matter(kind: str) -> None:
    [found], _ = ask(Stream(chunks("th", "ree"), kind))
    assert found.text == "three"


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream", "text/plain"])
def test_a_server_that_does_not_stream_is_understood(kind: str) -> None:
    body = orjson.dumps(completion("three"))
    [found], _ = ask(Stream([b"\n", b" \n", body[:30], body[30:]], kind))
    assert (found.text, found.usage) == ("three", Usage(100, 10))


def test_thinking_and_usage_arrive() -> None:
    usage = {
        "prompt_tokens": 9, "completion_tokens": 8, "prompt_tokens_details": {"cached_tokens": 7},
        "completion_tokens_details": {"reasoning_tokens": 6},
    }  # fmt: skip
    thoughts = [event(chunk(reasoning_content="let ")), event(chunk(reasoning_content="me see"))]
    [found], _ = ask(Stream([*thoughts, *chunks("three", usage=usage)]))
    assert (found.text, found.thinking, found.usage) == ("three", "let me see", Usage(9, 8, 7, 6))


@pytest.mark.parametrize(
    ("pieces", "status", "text", "thinking"),
    [
        (chunks("cut", finish="length"), "truncated", "cut", ""),
        (chunks(finish="content_filter"), "blocked", "", ""),
        (chunks(), "answered", "", ""),
        (
            [event(chunk(refusal="I can")), event(chunk(refusal="not.")), event(chunk("stop"))],
            "answered", "I cannot.", "",
        ),
        ([event(chunk(reasoning="hm")), event(chunk("stop", content="a"))], "answered", "a", "hm"),
        ([event(chunk(content="a")), event(b"[DONE]")], "answered", "a", ""),
        ([event(chunk("stop", content="a"))[:-1]], "answered", "a", ""),
        ([event(chunk("stop", content="a"))[:-2]], "answered", "a", ""),
        ([event(b" "), event({"choices": None}), *chunks("a")], "answered", "a", ""),
        ([event(completion("whole")), event(b"[DONE]")], "answered", "whole", ""),
        ([event(chunk(content="wh")), event(completion("whole"))], "answered", "whole", ""),
        ([b": a\r\n\r\n", b"data: ", orjson.dumps(chunk("stop", content="a")), b"\r\n\r\n"], "answered", "a", ""),
        (
            [event({"choices": [{"index": 1, "delta": {"content": "b"}}]}), *chunks("a")],
            "answered", "a", "",
        ),
        (
            [
                event(chunk(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}])),
                event(chunk("stop", content=[{"type": "text", "text": "a"}])),
            ],
            "answered", "a", "hm",
        ),
    ],
)  # fmt: skip
def test_streams_are_read(pieces: list[bytes], status: str, text: str, thinking: str) -> None:
    [found], _ = ask(Stream(pieces))
    assert (found.status, found.text, found.thinking) == (status, text, thinking)


HALF = event(chunk(content="half of"))


@pytest.mark.parametrize(
    ("stream", "kind"),
    [
        (Stream([HALF]), "malformed"),
        (Stream([HALF, event({"choices": [], "usage": {"prompt_tokens": 1}})]), "malformed"),
        (Stream([event(b"[DONE]")]), "malformed"),
        (Stream([]), "malformed"),
        (Stream([b": only alive\n\n"]), "malformed"),
        (Stream([HALF, b"data: {\"choices\": [{\"del"]), "malformed"),
        (Stream([HALF, event(b"[1]"), *chunks()]), "malformed"),
        (Stream([HALF, event(b"{\"choices\": [}"), *chunks()]), "malformed"),
        (Stream([HALF, event({"choices": [5]}), *chunks()]), "malformed"),
        (Stream([HALF, event({"choices": [{"delta": "x"}]}), *chunks()]), "malformed"),
        (Stream([event(chunk(content=5)), *chunks()]), "malformed"),
        (Stream([event(chunk(reasoning=["x"])), *chunks()]), "malformed"),
        (Stream([event(chunk({"type": "stop"}, content="a"))]), "malformed"),  # type: ignore[arg-type]
        (Stream([b"<html><p>sign in</p></html>"], "text/html"), "malformed"),
        (Stream([b"{\"choices\": [{\"message\""]), "malformed"),
        (Stream([HALF, event({"error": {"message": "overloaded"}}), *chunks()]), "server"),
        (Stream([HALF, event({"error": "overloaded", "choices": []}), *chunks()]), "server"),
        (Stream([HALF, b"event: error\ndata: {\"message\": \"overloaded\"}\n\n", *chunks()]), "server"),
        (Stream([HALF, event({"error": {"code": 429, "message": "slow down"}})]), "rate_limit"),
        (Stream([HALF, event(chunk("error")), event(b"[DONE]")]), "server"),
        (Stream([HALF, event(chunk("abort")), event(b"[DONE]")]), "server"),
        (Stream([HALF, 0.05], end="cut"), "connection"),
        (Stream([HALF, 0.05], end="reset"), "connection"),
        (Stream([0.05], end="cut"), "connection"),
    ],
)  # fmt: skip
def test_half_an_answer_is_no_answer(stream: Stream, kind: str) -> None:
    error = refused(stream)
    assert (error.kind, error.retry) == (kind, True)


def test_a_refusal_of_a_stream_is_read_as_ever() -> None:
    error = refused((429, {"error": {"message": "slow down"}}, {"Retry-After": "7"}))
    assert (error.kind, error.retry, error.retry_after) == ("rate_limit", True, 7)
    headers = {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s"}
    assert refused((429, {}, headers)).retry_after == 360
    assert refused((503, {}, headers)).retry_after == 360


def test_the_key_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "secret-key")
    for pieces in ([event({"error": "no: secret-key"})], [event(b"secret-key")], [b"<p>secret-key</p>"]):
        error = refused(Stream(pieces), key_variable="A_KEY")
        assert "[key]" in str(error)
        assert "secret-key" not in str(error)


# time


def test_a_slow_answer_is_waited_for_as_long_as_it_goes_on() -> None:
    slowly = [piece for word in range(12) for piece in (0.1, event(chunk(content=f"{word} ")))]
    [found], _ = ask(Stream([*slowly, *chunks()]), timeout=0.6)
    assert found.text.split() == [str(word) for word in range(12)]


def test_signs_of_life_are_waited_for() -> None:
    alive: list[bytes | float] = [b": alive\n\n", 0.1] * 12
    [found], _ = ask(Stream([*alive, *chunks("three")]), timeout=0.6)
    assert found.text == "three"


@pytest.mark.parametrize("before", [[], [HALF], [b": alive\n\n"], [*chunks("a")[:-1]]])
def test_silence_is_not(before: list[bytes]) -> None:
    error = refused(Stream([*before, 0.9, *chunks("three")]), timeout=0.3)
    assert (error.kind, error.retry) == ("timeout", True)
    assert "nothing within 0.3 s" in str(error)


def test_without_streaming_it_is_the_time_in_all() -> None:
    body = orjson.dumps(completion("three"))
    slowly = [piece for place in range(0, len(body), 20) for piece in (0.1, body[place : place + 20])]
    error = refused(Stream(slowly, "application/json"), timeout=0.5, stream=False)
    assert (error.kind, error.retry) == ("timeout", True)


@pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning")
def test_a_server_that_takes_nothing_is_given_up() -> None:
    long = Request((Message("user", (TextPart("x" * (16 << 20)),)),), "m")

    async def work() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
            with pytest.raises(ModelError) as caught:
                await asked(url, request=long, timeout=0.3)
            assert (caught.value.kind, caught.value.retry) == ("timeout", True)
        await asyncio.sleep(0.1)  # what was not sent goes with the connection, which ends with the server

    asyncio.run(work())


def test_an_answer_is_complete_at_done_whatever_follows() -> None:
    [found], _ = ask(Stream([*chunks("three"), event({"error": "late"}), 1.0]), timeout=0.8)
    assert found.text == "three"
    [found], _ = ask(Stream([*chunks("three"), 0.05], end="reset"))
    assert found.text == "three"


def test_a_connection_serves_again_after_a_stream() -> None:
    found, server = ask(Stream([*chunks("three"), 0.02]), requests=3)
    assert len(found) == 3
    assert len(set(server.peers)) == 1


# size


def test_a_megabyte_is_the_same_streamed_and_not() -> None:
    text = "".join(f"{number} 数 \U0001f600\r\n" for number in range(70_000))
    assert len(text.encode()) > 1 << 20
    [unstreamed], _ = ask(completion(text), stream=False)
    [streamed], _ = ask(Stream(chunks(*(text[place : place + 100] for place in range(0, len(text), 100)))))
    assert streamed.text == unstreamed.text == text
    assert streamed.usage == unstreamed.usage


@pytest.mark.slow
def test_a_megabyte_in_two_hundred_thousand_chunks() -> None:
    [found], _ = ask(Stream(chunks(*["abcde"] * 200_000)))
    assert found.text == "abcde" * 200_000


@pytest.mark.parametrize(
    "pieces",
    [
        [b"data: ", *[b"x" * 100] * 100],
        [b"data: x\n" * 200],
        [event(chunk(content="x" * 100))] * 100,
        [event(chunk(reasoning="x" * 100))] * 100,
        [b"{", *[b"x" * 100] * 100],
    ],
)
def test_what_is_too_long_is_given_up(pieces: list[bytes]) -> None:
    with pytest.raises(ModelError, match="more than 5000 bytes"):
        put_together(pieces, 5000)


def test_a_stream_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_streamed, "MAX_STREAM_BYTES", 5000)
    with pytest.raises(ModelError, match="more than"):
        put_together([b": alive\n\n"] * 1000)


def test_deep_nesting_in_a_chunk() -> None:
    deep = event(b'{"choices": [], "extra": ' + b"[" * 500 + b"]" * 500 + b"}")
    assert read(put_together([deep, *chunks("a")])).text == "a"
    with pytest.raises(ModelError, match="no JSON object"):
        put_together([event(b"[" * 200_000), *chunks("a")])


# the same as unstreamed


def test_a_character_in_two_chunks_is_one() -> None:
    pieces = [event(b'{"choices": [{"delta": {"content": "\\ud83d"}}]}')]
    pieces += [event(b'{"choices": [{"delta": {"content": "\\ude00"}, "finish_reason": "stop"}]}')]
    assert read(put_together(pieces)).text == "\U0001f600"
    assert read(put_together([pieces[0], event(b"[DONE]")])).text == "\ufffd"


FIELDS = ["content", "reasoning_content", "reasoning", "refusal"]
COUNTED = st.none() | st.fixed_dictionaries({"prompt_tokens": st.integers(0, 99), "total_tokens": st.integers(0, 99)})


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(FIELDS), st.text(max_size=5)), max_size=12),
    st.sampled_from(["stop", "length", "content_filter", "tool_calls"]),
    COUNTED,
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
    st.lists(st.integers(0, 4000), max_size=12),
    st.booleans(),
)
def test_a_stream_in_any_pieces_is_the_unstreamed_answer(
    deltas: list[tuple[str, str]], finish: str, usage: Any, line_end: bytes, cuts: list[int], done: bool
) -> None:
    message = {name: "".join(text for field, text in deltas if field == name) for name in FIELDS}
    expected = {"model": "served-model", "choices": [{"message": message, "finish_reason": finish}], "usage": usage}
    body = b"".join(event(chunk(**{name: text})) for name, text in deltas) + b": alive\n\n" + event(chunk(finish))
    body += event({"choices": [], "usage": usage}) + (event(b"[DONE]") if done else b"")
    body = body.replace(b"\n", line_end)
    places = sorted({0, len(body), *(cut for cut in cuts if cut < len(body))})
    pieces = [body[start:end] for start, end in pairwise(places)]
    assert read(put_together(pieces)) == read(expected)


@settings(deadline=None)
@given(st.integers(0, 2000))
def test_a_stream_that_is_cut_anywhere_is_whole_or_no_answer(place: int) -> None:
    body = b"".join(chunks("the ", "whole ", "ansŵer", finish="length"))
    with contextlib.suppress(ModelError):
        found = read(put_together([body[:place]]))
        assert (found.text, found.status) == ("the whole ansŵer", "truncated")


@given(st.lists(st.binary(max_size=20) | st.sampled_from([b"data: ", b"\n\n", b"{", b"[DONE]", HALF]), max_size=12))
def test_any_bytes_are_a_body_or_a_model_error(pieces: list[bytes]) -> None:
    with contextlib.suppress(ModelError):
        assert isinstance(put_together(pieces), bytes | dict)

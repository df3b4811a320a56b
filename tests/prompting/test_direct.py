"""The direct prompt: image and question, nothing else."""

from __future__ import annotations

import pytest

from snellen.errors import UsageError
from snellen.item import ImageRef, Item
from snellen.prompting import direct
from snellen.request import ImagePart, Message, Request, TextPart

A, B = "a" * 64, "b" * 64


def test_one_user_message_with_the_image_and_the_bare_question() -> None:
    item = Item("x/1", "How high is the bar?", images=(ImageRef("a.png", sha256=A),))
    assert direct.messages(item) == (Message("user", (ImagePart(A), TextPart("How high is the bar?"))),)


def test_images_keep_their_order_and_the_question_its_role() -> None:
    item = Item("x/1", "这两张图有什么不同？", images=(ImageRef("b.png", sha256=B), ImageRef("a.png", sha256=A)))
    (message,) = direct.messages(item)
    request = Request((message,), model="m")
    assert request.images == (B, A)
    assert request.text("question") == request.text() == "这两张图有什么不同？"


def test_the_question_is_sent_as_it_stands() -> None:
    question = "  Is it\n{5} % or <b>6</b>?\t"
    (message,) = direct.messages(Item("x/1", question))
    assert message.parts == (TextPart(question),)


def test_an_image_without_a_digest_is_refused() -> None:
    item = Item("x/1", "?", images=(ImageRef("a.png", sha256=A), ImageRef("b.png")))
    with pytest.raises(UsageError, match=r"b\.png of item x/1 has no digest"):
        direct.messages(item)

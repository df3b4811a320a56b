"""Server-sent events as the standard has them, in pieces of any size."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from snellen.models._event_stream import Event, EventStream


def read(*pieces: bytes) -> list[Event]:
    stream = EventStream()
    return [event for piece in pieces for event in stream.feed(piece)] + stream.close()


@pytest.mark.parametrize(
    ("data", "events"),
    [
        (b"data: one\n\ndata: two\n\n", [(b"", b"one"), (b"", b"two")]),
        (b"data: one\r\n\r\ndata: two\r\rdata:three\n\r", [(b"", b"one"), (b"", b"two"), (b"", b"three")]),
        (b"data: {\ndata:  1\ndata\ndata: }\n\n", [(b"", b"{\n 1\n\n}")]),
        (b": alive\n\n:\n\ndata: x\n: alive\ndata: y\n\n", [(b"", b"x\ny")]),
        (b"event: error\nid: 7\nretry: 10\ndata: x\n\ndata: y\n\n", [(b"error", b"x"), (b"", b"y")]),
        (b"event: ping\n\ndata: x\n\n", [(b"", b"x")]),
        (b"\xef\xbb\xbfdata: x\n\n\xef\xbb\xbfdata: y\n\n", [(b"", b"x")]),
        (b"data:\n\n", [(b"", b"")]),
        (b"data: a:b\nDATA: c\n data: d\ndatas: e\n\n", [(b"", b"a:b")]),
        (b"data: x", [(b"", b"x")]),  # kinder than the standard
        (b"data: x\n", [(b"", b"x")]),
        (b"event: error", []),
        (b"", []),
        (b"<html>\n\n</html>", []),
    ],
)
def test_what_is_read(data: bytes, events: list[Event]) -> None:
    assert read(data) == events
    assert read(*(data[place : place + 1] for place in range(len(data)))) == events


def by_the_book(data: bytes) -> list[Event]:
    """The standard's rules on the whole text, and the one kindness."""
    events: list[Event] = []
    name: bytes = b""
    lines: list[bytes] = []
    for line in [*re.split(b"\r\n|\n|\r", data.removeprefix(b"\xef\xbb\xbf")), b""]:
        field, value = re.fullmatch(b"([^:]*)(?:: ?)?(.*)", line, re.S).groups()  # type: ignore[union-attr]
        if not line:
            events += [(name, b"\n".join(lines))] if lines else []
            name, lines = b"", []
        elif field == b"data":
            lines.append(value)
        elif field == b"event":
            name = value
    return events


SCRAPS = st.sampled_from(
    [b"data", b"event", b":", b" ", b"\n", b"\r", b"\r\n", b"\xef\xbb\xbf", "é".encode(), b"x", b"data: y\n\n"]
)


@given(st.lists(SCRAPS, max_size=30).map(b"".join), st.lists(st.integers(0, 60), max_size=6))
@example(b"data: x\r\n\r\n", [8, 9, 10])
@example(b"data: x\r", [8])
def test_any_bytes_in_any_pieces_are_read_by_the_book(data: bytes, cuts: list[int]) -> None:
    places = sorted({0, *cuts, len(data)})
    pieces = [data[start:end] for start, end in pairwise(places)]
    assert read(*pieces, data[places[-1] :]) == by_the_book(data)


def test_what_is_held_is_counted() -> None:
    stream = EventStream()
    stream.feed(b"data: " + b"x" * 1000)
    assert stream.held >= 1000
    stream.feed(b"\ndata: " + b"y" * 500)
    assert stream.held >= 1500
    assert len(stream.feed(b"\n\n")) == 1
    assert stream.held == 0
    stream.feed(b"data\n" * 100)
    assert stream.held > 100  # lines without a byte are held too

"""What a server wishes, from its headers."""

from __future__ import annotations

import email.utils
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.models._retry_after import duration, retry_after


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 -0000"}, 0),
        ({"retry-after": "Wed, 99 Oct 2015 07:28:00 GMT"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after-ms": "inf", "retry-after": "2"}, 2),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s"}, 360),
        ({"x-ratelimit-remaining-requests": "1", "x-ratelimit-reset-requests": "6m0s"}, None),
        ({"x-ratelimit-reset-requests": "6m0s"}, None),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "250ms", "retry-after": "9"}, 9),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1792000000"}, None),
        (
            {
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "250ms",
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-tokens": "1s",
            },
            1,
        ),
    ],
)
def test_what_a_server_wishes(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_date_is_counted_from_now() -> None:
    wish = retry_after({"retry-after": email.utils.formatdate(time.time() + 3600, usegmt=True)})
    assert wish is not None
    assert 3000 < wish <= 3601


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1s", 1), ("6m0s", 360), ("250ms", 0.25), ("1h2m3.5s", 3723.5), ("7.66", 7.66), ("0s", 0), (" 2s ", 2),
     ("500µs", 0.0005), ("2d", None), ("1d", 86400), ("", None), ("s", None), ("1x", None), ("1s later", None),
     ("1 s", None), ("2026-01-01T00:00:00Z", None)],
)  # fmt: skip
def test_durations(text: str, seconds: float | None) -> None:
    assert duration(text) == seconds


@given(st.text(max_size=12), st.sampled_from(["retry-after", "retry-after-ms", "x-ratelimit-reset-tokens"]))
def test_any_header_is_a_wish_or_none(text: str, name: str) -> None:
    wish = retry_after({"x-ratelimit-remaining-tokens": "0", name: text})
    assert wish is None or 0 <= wish < float("inf")

"""What a session is expected to take, in words."""

from __future__ import annotations

import pytest

from snellen.engine.expect import expect
from snellen.model_spec import ModelSpec


@pytest.mark.parametrize(
    ("requests", "free", "said"),
    [
        (1, True, "model m: 1 answer from this machine (0 stored)"),
        (1_200, True, "model m: 1,200 answers from this machine (0 stored)"),
        (1, False, "model m: 1 request (0 stored), about 3 s (assuming 3 s an answer), cost unknown"),
        (2, False, "model m: 2 requests (0 stored), about 3 s (assuming 3 s an answer), cost unknown"),
        (0, False, "model m: nothing to ask, 0 stored"),
    ],
)
def test_one_is_one_and_many_are_many(requests: int, free: bool, said: str) -> None:
    found = expect(
        "model",
        ModelSpec("m"),
        requests=requests,
        stored=0,
        concurrency=4,
        seen={},
        prompt_characters=100,
        images=1,
        free=free,
    )
    assert str(found).removesuffix(": no price declared") == said

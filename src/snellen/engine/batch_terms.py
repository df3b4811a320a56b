"""What batches cost, how large they may be and how long they are waited for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from snellen.errors import UsageError
from snellen.model_spec import Price

BATCH_PRICE = 0.5
"""Of the declared price, for answers obtained by batch."""

ROUNDS = 3
"""How often a request is put into a batch in one session."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Of batches with one provider; the defaults are OpenAI's limits.

    Attributes:
        window: in which the provider is to be done; OpenAI knows ``24h`` only.
        first_pause, longest_pause: seconds between two looks at what is open, at first and at most.
        max_bytes, max_requests: of one input file.
    """

    window: str = "24h"
    first_pause: float = 1.0
    longest_pause: float = 60.0
    max_bytes: int = 200_000_000
    max_requests: int = 50_000

    def __post_init__(self) -> None:
        if not 0 <= self.first_pause <= self.longest_pause:
            raise UsageError("the pause between two looks at a batch must be 0 or more, at first and at most")
        if self.max_bytes < 1 or self.max_requests < 1:
            raise UsageError("a batch file must be allowed one byte and one request at least")


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is waited for: open batches, the requests in them, those done and those failed as the provider counts, and
    the provider's word for how most of the batches stand (empty where none is known)."""

    batches: int
    requests: int
    completed: int
    failed: int
    status: str = ""


def halved(price: Price | None) -> Price | None:
    """The price of tokens in a batch."""
    if price is None:
        return None
    cached = None if price.cached_input is None else price.cached_input * BATCH_PRICE
    return replace(price, input=price.input * BATCH_PRICE, output=price.output * BATCH_PRICE, cached_input=cached)

"""What a session is expected to take, told before its first request: requests, time and cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from snellen.engine.batch_terms import BATCH_PRICE
from snellen.model_spec import ModelSpec, Price

ASSUMED_SECONDS = 3.0
"""For one answer, where the ledger has seen none of this model."""

ASSUMED_IMAGE_TOKENS = 1100
"""For one image: the order of what common models count for a chart of a paper."""

ASSUMED_ANSWER_TOKENS = {"model": 250, "judge": 20}

CHARACTERS_A_TOKEN = 3.5


@dataclass(frozen=True, slots=True)
class Expectation:
    """Of one role.

    Attributes:
        role: ``model`` or ``judge``.
        name: the model's.
        requests: that are still to be made.
        stored: that need not be made, since their answers are there.
        seconds: in all, at the chosen concurrency and within the declared limits, if the server keeps up.
        cost: in the currency of the declared price; None where none is declared.
        observed: whether time and tokens are this model's own figures from the ledger, or assumptions.
        cost_single: of one request that is made by itself, 0 where no price is declared.
        tokens_each: of one request, prompt and completion together.
        free: whether asking costs nothing and needs no network.
        batch: whether requests go into batches: cheaper, and in the provider's own time.
        seconds_each: of each of many requests, at the chosen concurrency and within the declared limits.
    """

    role: str
    name: str
    requests: int
    stored: int
    seconds: float
    cost: float | None
    observed: bool
    cost_single: float
    tokens_each: float
    free: bool
    batch: bool = False
    seconds_each: float = 0.0

    def of(self, requests: int, stored: int, name: str) -> Expectation:
        """As this one, of so many requests, under another name."""
        cost = None
        if self.cost is not None:
            cost = self.cost_single * requests * (BATCH_PRICE if self.batch else 1.0)
        seconds = self.seconds if requests == self.requests else self.seconds_each * requests
        return replace(self, name=name, requests=requests, stored=stored, seconds=seconds, cost=cost)

    def __str__(self) -> str:
        if not self.requests:
            return f"{self.role} {self.name}: nothing to ask, {self.stored:,} stored"
        time = f"{self.seconds:.0f} s" if self.seconds < 90 else f"{self.seconds / 60:.0f} min"
        if self.free:
            answers = "1 answer" if self.requests == 1 else f"{self.requests:,} answers"
            return f"{self.role} {self.name}: {answers} from this machine ({self.stored:,} stored)"
        basis = "as so far" if self.observed else f"assuming {ASSUMED_SECONDS:g} s an answer"
        if self.batch:
            time, basis = "by batch", "up to a day"
        cost = "cost unknown: no price declared" if self.cost is None else f"cost about {self.cost:.2f}"
        count = f"{'1 request' if self.requests == 1 else f'{self.requests:,} requests'} ({self.stored:,} stored)"
        return f"{self.role} {self.name}: {count}, {'' if self.batch else 'about '}{time} ({basis}), {cost}"


def expect(
    role: str,
    spec: ModelSpec,
    *,
    requests: int,
    stored: int,
    concurrency: int,
    seen: Mapping[str, float],
    prompt_characters: float,
    images: float,
    free: bool,
    batch: bool = False,
) -> Expectation:
    """Expect.

    Args:
        role: ``model`` or ``judge``.
        spec: the model.
        requests, stored: counts.
        concurrency: requests in flight.
        seen: sums over this model's answers in the ledger (`snellen.ledger.Ledger.usage`).
        prompt_characters, images: of a typical request.
        free: whether asking costs nothing and needs no network.
        batch: whether requests go into batches.
    """
    n = seen.get("requests", 0.0)
    each = seen["latency"] / n if n else ASSUMED_SECONDS
    if n and seen.get("prompt"):
        tokens_in, tokens_out = seen["prompt"] / n, seen["completion"] / n
    else:
        tokens_in = prompt_characters / CHARACTERS_A_TOKEN + images * ASSUMED_IMAGE_TOKENS
        tokens_out = float(ASSUMED_ANSWER_TOKENS[role])
    price: Price | None = Price(0.0, 0.0) if free else spec.price
    cost_single = price.cost(round(tokens_in), round(tokens_out)) if price else 0.0
    tokens_each = tokens_in + tokens_out
    waits = [each * requests / max(1, min(concurrency, requests)), *_paces(spec, requests, tokens_each)]
    return Expectation(
        role=role,
        name=spec.name,
        requests=requests,
        stored=stored,
        seconds=max(waits),
        cost=None if price is None else cost_single * requests * (BATCH_PRICE if batch else 1.0),
        observed=n > 0,
        cost_single=cost_single,
        tokens_each=tokens_each,
        free=free,
        batch=batch,
        seconds_each=max(each / concurrency, *_paces(spec, 1, tokens_each)),
    )


def _paces(spec: ModelSpec, requests: int, tokens_each: float) -> list[float]:
    """Seconds that so many requests take at least, by the declared limits."""
    return [
        requests * 60 / spec.requests_per_minute if spec.requests_per_minute is not None else 0.0,
        requests * tokens_each * 60 / spec.tokens_per_minute if spec.tokens_per_minute is not None else 0.0,
    ]

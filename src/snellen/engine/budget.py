"""Budget and tally: what has been done, what it cost, and when to stop."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from snellen.answer import Answer
from snellen.errors import ModelError
from snellen.model_spec import Price


@dataclass(slots=True)
class Tally:
    """Counters of one role (asking or judging) in one session.

    Attributes:
        planned: items in the view that can be asked.
        to_ask: requests expected in this session.
        asked: requests finished, failed ones included.
        failed: requests that got no answer.
        retries: requests asked again after a failure.
        in_flight: requests on their way.
        elsewhere: requests that another process is asking, and that are waited for.
        tokens_in, tokens_out: as the servers counted.
        cost: in the currency of the declared prices.
        last_error: the newest failure, for people.
    """

    planned: int = 0
    to_ask: int = 0
    asked: int = 0
    failed: int = 0
    retries: int = 0
    in_flight: int = 0
    elsewhere: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    last_error: str = ""
    started: float = field(default_factory=time.monotonic)


HOPELESS = {
    "authentication": "name the environment variable that holds a key of this server (--key-variable, for a judge "
    "--judge-key-variable, or key_variable in models.toml), and see whether the key may use this model",
    "not_found": "mind the /v1 at the end of the base URL, and the name by which the server knows the model (name = "
    '"..." in its entry of models.toml)',
    "connection": "start the server, or mend the base URL (port; http:// or https://); behind a proxy, mind "
    "HTTPS_PROXY and NO_PROXY",
}
"""Kinds of failure that, when nothing else has come yet, every further request will share, with what to change."""

HOPELESS_AFTER = 8

QUOTA = "quota"
"""Kind of failure of requests that the server wants asked much later: what was answered before says nothing then."""


@dataclass(slots=True)
class Budget:
    """The user's caps, shared by model and judge.

    Attributes:
        max_cost: in the currency of the declared prices; None for no cap.
        max_failures: requests without an answer; None for no cap.
        stopped: why no more requests are made; empty while they are.
        live: requests in flight one by one, whose cost will soon be known; what is in batches is reserved for longer.
    """

    max_cost: float | None = None
    max_failures: int | None = None
    stopped: str = ""
    spent: float = 0.0
    reserved: float = 0.0
    live: int = 0
    failures: int = 0
    answers: dict[str, int] = field(default_factory=dict)
    hopeless: dict[str, int] = field(default_factory=dict)
    exhausted: dict[str, int] = field(default_factory=dict)

    def reserve(self, expected: float) -> bool:
        """Whether a request of that expected cost may be made; what is in flight counts as spent."""
        if self.stopped:
            return False
        if self.max_cost is not None and self.spent + self.reserved + expected > self.max_cost:
            # Sums that went up and down leave a rest behind, which is nobody's reservation.
            if self.reserved <= 1e-6 * expected or self.spent >= self.max_cost:
                self.stopped = f"the cap on cost ({self.max_cost:g}) is reached: {self.spent:.4f} spent"
            return False
        self.reserved += expected
        return True

    def settle(self, role: str, expected: float, answer: Answer, tally: Tally, price: Price | None) -> None:
        """Book a finished request."""
        self.reserved = max(0.0, self.reserved - expected)
        tally.asked += 1
        usage = answer.usage
        tally.tokens_in += usage.prompt or 0
        tally.tokens_out += usage.completion or 0
        if answer.failure is not None:
            tally.failed += 1
            self.failures += 1
            tally.last_error = f"{answer.failure.kind}: {answer.failure.message}"
            if answer.failure.kind in HOPELESS and not self.answers.get(role):
                self.hopeless[role] = self.hopeless.get(role, 0) + 1
                if self.hopeless[role] >= HOPELESS_AFTER:
                    advice = HOPELESS[answer.failure.kind]
                    self.stopped = f"every request failed alike ({role}: {tally.last_error}): {advice}"
            if answer.failure.kind == QUOTA:
                self.exhausted[role] = self.exhausted.get(role, 0) + 1
                if self.exhausted[role] >= HOPELESS_AFTER:
                    self.stopped = f"the {role}'s server gives no more for now ({tally.last_error}); run again later"
            if self.max_failures is not None and self.failures > self.max_failures:
                self.stopped = f"the cap on failures ({self.max_failures}) is reached; the last: {tally.last_error}"
            return
        self.answers[role] = self.answers.get(role, 0) + 1
        self.exhausted[role] = 0
        if price is not None:
            # A server that counts nothing is charged what was expected, so that a cap on cost still holds.
            counted = usage.prompt is not None or usage.completion is not None
            cost = price.cost(usage.prompt or 0, usage.completion or 0, usage.cached or 0) if counted else expected
            tally.cost += cost
            self.spent += cost

    def unreserve(self, expected: float) -> None:
        """Give back a reservation whose request was not made."""
        self.reserved = max(0.0, self.reserved - expected)

    def note_retry(self, tally: Tally, error: ModelError) -> None:
        """Count a failure that is asked again."""
        tally.retries += 1
        tally.last_error = str(error)

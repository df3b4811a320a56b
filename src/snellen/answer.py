"""Answer: what came back for a request. The text of an error is never an answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

Status = Literal["answered", "truncated", "blocked", "failed"]

FINAL: frozenset[Status] = frozenset(("answered", "truncated", "blocked"))
"""Statuses that are stored and never asked again."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counted them, None where it did not say.

    `cached` is a part of `prompt`, `reasoning` of `completion`.
    """

    prompt: int | None = None
    completion: int | None = None
    cached: int | None = None
    reasoning: int | None = None

    def __add__(self, other: Usage) -> Usage:
        """Of both; None only where neither says."""
        pairs = ((getattr(self, f.name), getattr(other, f.name)) for f in fields(self))
        return Usage(*(None if a is None and b is None else (a or 0) + (b or 0) for a, b in pairs))


@dataclass(frozen=True, slots=True)
class Likelihood:
    """How likely the model found the tokens of its answer, where the server was asked for log-probabilities.

    Attributes:
        total: sum of the natural logarithms of the tokens' probabilities, at most 0.
        tokens: how many, at least 1.
        least: the least of them.
    """

    total: float
    tokens: int
    least: float

    @property
    def mean(self) -> float:
        """The geometric mean of the probabilities, in [0, 1], whatever the answer's length."""
        return math.exp(self.total / self.tokens)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer: `kind` is one word for counting, `message` for people."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's text, or why there is none.

    Attributes:
        status: ``answered``, ``truncated`` (length limit) or ``blocked`` (content filter) are final; ``failed`` is
            recorded and always asked again.
        text: as the server sent it, thinking included; empty for a failure.
        thinking: reasoning that the server sent in a field of its own.
        finish_reason: the server's word.
        usage: tokens.
        latency: seconds from the first byte sent to the last received.
        sent: what was really sent: ``parameters`` after negotiation, ``images`` (size, mode, bytes, digest, steps).
        server_model: the name that the server gave itself.
        failure: set exactly when the status is ``failed``.
        likelihood: of the tokens that the server counts as the answer's; None where it gave no log-probabilities.
    """

    status: Status
    text: str = ""
    thinking: str = ""
    finish_reason: str = ""
    usage: Usage = field(default_factory=Usage)
    latency: float = 0.0
    sent: Mapping[str, Any] = field(default_factory=dict)
    server_model: str = ""
    failure: Failure | None = None
    likelihood: Likelihood | None = None

    def __post_init__(self) -> None:
        if (self.status == "failed") != (self.failure is not None):
            raise ValueError("an answer has a failure exactly when its status is 'failed'")
        if self.status == "failed" and (self.text or self.thinking):
            raise ValueError("a failed request has no answer text")

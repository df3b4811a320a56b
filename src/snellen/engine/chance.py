"""Chance: whether a server refuses a share of all requests, however fast or slowly they come.

A limit on the rate lets the same number in at any pace above it, so the share that is refused depends on the pace.
Where it does not (a server that sheds load at random, or serves many), slowing down only costs. Which of the two it is
shows at a pace that is much lower or much higher: a sequential test of two probabilities (Wald 1945, "Sequential tests
of statistical hypotheses") holds what is let in there against what was let in before.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from math import log, sqrt
from typing import Final, Literal

_ENOUGH: Final = 20  # requests of which a share is taken
_REMEMBERED: Final = 100  # requests
_LEAST_LET_IN: Final = 0.02  # of requests; a server that refuses more is taken for one that is asked too fast
_MOST_LET_IN: Final = 0.92  # likewise; above, nothing has to be explained
_LEAST_REFUSED: Final = 0.03  # of the requests remembered; below, hardly anything is refused by chance any more
_ALL: Final = 0.97  # of what a limit lets in that is kept to
_CHANCE, _LIMIT = 5.0, -5.0  # log-likelihood ratios at which it is decided
_EXACT, _LONG = 100, 5.0  # requests, or seconds, after which a test ends that has been decided
_MOST_TESTED, _LONGEST_TEST = 300, 30.0  # requests and seconds after which it ends without being decided


@dataclass(frozen=True, slots=True)
class Seen:
    """What a server did at one pace: the share of requests that it let in, and the pace, in requests a second."""

    let_in: float
    pace: float


class Chance:
    """The share of requests that a server refuses by chance, and how it is learnt.

    Attributes:
        share: of all requests, from 0 to 1; 0 until a test has shown it.
    """

    def __init__(self) -> None:
        self.share = 0.0
        self._known_from = _EXACT  # requests
        self._recent: deque[tuple[float, bool]] = deque(maxlen=_REMEMBERED)  # since the pace changed
        self._since = 0.0
        self._before: Seen | None = None  # at the pace before, while a test is on
        self._first = 0.0  # when the first request of the test left
        self._tried = self._let_in = 0  # in the test

    @property
    def testing(self) -> bool:
        """Whether what is refused at the present pace is being compared."""
        return self._before is not None

    @property
    def few(self) -> bool:
        """Whether too few requests have left at the present pace to tell what share of them is refused."""
        return len(self._recent) < _ENOUGH

    def bears(self, refused: int, count: int, more: float) -> bool:
        """Whether so many refusals of so many requests are chance.

        Args:
            more: the share of the requests not refused by chance that may be refused besides.
        """
        spread = sqrt(self.share * (1 - self.share) * count * (1 + count / self._known_from))
        return refused <= (self.share + (1 - self.share) * more) * count + 2 * spread

    def note(self, at: float, refused: bool) -> Literal["chance", "limit"] | None:
        """A request that left at that time was refused or let in; the outcome of a test, if this has decided one.

        To be called in the order in which requests left.
        """
        if at <= self._since:
            return None
        self._recent.append((at, refused))
        if self._before is not None:
            if not self._tried:
                self._first = at
            self._tried += 1
            self._let_in += not refused
            return self._decide(self._before)
        if self.share and len(self._recent) == _REMEMBERED:
            refusals = sum(was_refused for _, was_refused in self._recent) / _REMEMBERED
            spread = sqrt(self.share * (1 - self.share) / _REMEMBERED)
            if refusals < max(self.share - 4 * spread, _LEAST_REFUSED):
                self.share, self._known_from = refusals, _REMEMBERED
        return None

    def comparable(self) -> Seen | None:
        """What was seen at the present pace; None where it is too little, or came in rows as no chance does."""
        seen = self._seen()
        if seen is None or not _LEAST_LET_IN <= seen.let_in <= _MOST_LET_IN or not self._is_mixed(seen.let_in):
            return None
        return seen

    def test(self, before: Seen, now: float) -> None:
        """The pace changes much, and is kept until it is decided whether as much is refused as before."""
        self._before = before
        self.forget(now)

    def forget(self, now: float) -> None:
        """The pace changes: what left before is not counted with what leaves from here on."""
        self._since, self._tried, self._let_in = now, 0, 0
        self._recent.clear()

    def _seen(self) -> Seen | None:
        count = len(self._recent)
        if count < _ENOUGH:
            return None
        seconds = max(0.02, self._recent[-1][0] - self._recent[0][0])
        return Seen(1 - sum(refused for _, refused in self._recent) / count, (count - 1) / seconds)

    def _is_mixed(self, let_in: float) -> bool:
        """Whether refusals stand among what was let in; a full window refuses all in a row."""
        changes = sum(one[1] != other[1] for one, other in pairwise(self._recent))
        return changes >= len(self._recent) * let_in * (1 - let_in)  # half of what is expected

    def _expected(self, before: Seen) -> float | None:
        """The share that a limit would let in at the present pace; None where that is too much like before."""
        pace = (self._tried - 1) / max(0.02, self._recent[-1][0] - self._first)
        expected = min(_ALL, before.let_in * before.pace / pace)
        return expected if expected >= min(_ALL, 2 * before.let_in) or expected <= before.let_in / 2 else None

    def _decide(self, before: Seen) -> Literal["chance", "limit"] | None:
        if self._tried < _ENOUGH // 2:
            return None
        seconds, refused, chance = self._recent[-1][0] - self._first, self._tried - self._let_in, before.let_in
        limit = self._expected(before)
        if limit is not None:
            ratio = self._let_in * log(chance / limit) + refused * log((1 - chance) / (1 - limit))
            if ratio <= _LIMIT:
                self._before = None
                if limit > chance:
                    self.share = min(self.share, refused / self._tried)
                return "limit"
            exact = self._tried >= _EXACT or (self._tried >= _ENOUGH and seconds >= _LONG)
            if (
                ratio >= _CHANCE
                and exact
                and self._let_in >= max(2, self._tried * chance / 2)
                and self._is_mixed(chance)
            ):
                self._before = None
                self.share, self._known_from = refused / self._tried, self._tried
                return "chance"
        if self._tried >= _MOST_TESTED or seconds >= _LONGEST_TEST:
            self._before = None
        return None

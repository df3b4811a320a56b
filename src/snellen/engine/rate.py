"""Rate: the pace of one model's requests, by the limits that the user declares and by the one that is learnt.

Even spacing keeps to a limit however the server counts it: by fixed or sliding windows, or by a bucket (generic cell
rate algorithm, ITU-T I.371). Without a declared limit the rate is the one at which the server let requests in while it
refused others; it rises again while little is refused. Where a slower pace is refused as much, `chance` finds out.
"""

from __future__ import annotations

from collections import deque

from snellen.answer import Usage
from snellen.engine.chance import Chance

MARGIN = 0.98
"""Of a limit that is used: clocks differ, and requests do not arrive as evenly as they leave."""

LONGEST_GATE = 120.0
"""Seconds that are waited for at most when a server asks for it; what is to wait longer is left for a later run."""

_BURST = 0.05  # seconds of spacing that may be caught up with after a late wake-up
_TOLERATED = 0.08  # share of refusals beyond those by chance: a pace that is nearly right is not changed
_TESTED = 5.0  # seconds until it is tested again whether refusals come by chance, doubled each time
_CHECKED, _RARELY = 60.0, 900.0  # the same at least where they do, and at most
_LEAST_TESTED = 4.0  # requests a second; a test at half of that takes long enough
_MUCH = 1 / 3  # of requests that are let in
_FASTEST = 5_000.0  # requests a second; a pace beyond is no bound
_PROBES = 1.0  # requests a second: how often a server that refuses everything is tried
_SLOWEST = 0.05  # requests a second
_STEP = 4.0  # to a pace at which it shows whether there is a limit
_REMEMBERED = 64


class _Spacing:
    """Units (requests or tokens) that may pass evenly over time."""

    def __init__(self, per_second: float) -> None:
        self.per_second = per_second
        self._next = 0.0

    def pause(self, now: float) -> float:
        """Seconds until the next may pass."""
        return self._next - now

    def book(self, units: float, now: float) -> None:
        """So many pass now."""
        self._next = max(self._next, now - _BURST) + units / self.per_second

    def correct(self, units: float) -> None:
        """So many more (or fewer, if negative) passed than were booked."""
        self._next += units / self.per_second


class Pass:
    """A request that was let through: when, as which of so many in flight, and with how many tokens it was booked."""

    __slots__ = ("at", "in_flight", "refused", "tokens")

    def __init__(self, at: float, in_flight: int, tokens: float) -> None:
        self.at, self.in_flight, self.tokens, self.refused = at, in_flight, tokens, False


class Rate:
    """The pace of one model's requests. All times are the event loop's, in seconds.

    Args:
        requests: declared limit a minute; None for none.
        tokens: declared limit a minute, prompt and completion together; None for none.
        tokens_each: expected of one request, until answers tell.

    Attributes:
        accepted: answers so far.
        chance: what the server refuses at any pace.
    """

    def __init__(self, requests: float | None = None, tokens: float | None = None, tokens_each: float = 0.0) -> None:
        self._requests = _Spacing(requests * MARGIN / 60) if requests else None
        self._tokens = _Spacing(tokens * MARGIN / 60) if tokens else None
        self._learnt: _Spacing | None = None
        self._tokens_each = tokens_each
        self._gate = 0.0
        self._plateau = 0.0  # the rate that the server was last seen to bear
        self._changed_at = self._reduced_at = 0.0
        self._borne: deque[float] = deque(maxlen=_REMEMBERED)  # when requests left that the server let in
        self._closed = False  # everything is refused
        self._let_in = self._refused = 0  # since the last reduction
        self._first_refused_at = 0.0  # likewise
        self._noted = self._noted_refused = 0  # likewise, of those requests of which it is known
        self.chance = Chance()
        self._raised = False  # the test that is on is one of a higher pace
        self._test_at, self._test_every = 0.0, _TESTED
        self._tested = 0.0  # the pace before the last test, in requests a second
        self.accepted = 0

    @property
    def learnt(self) -> float | None:
        """Requests a second that were learnt; None while nothing was refused for coming too fast."""
        return self._learnt.per_second if self._learnt is not None else None

    def limited(self, now: float) -> bool:
        """Whether requests have to wait for their turn at all."""
        declared = self._requests is not None or self._tokens is not None
        return declared or self._learnt is not None or now < self._gate

    def pause(self, now: float) -> float:
        """Seconds until the next request may pass, at most 0 if it may now."""
        spacings = (self._requests, self._tokens, self._learnt)
        return max(self._gate - now, *(spacing.pause(now) if spacing is not None else 0.0 for spacing in spacings))

    def book(self, now: float) -> float:
        """A request passes; returns the tokens that it was booked with."""
        tokens = self._tokens_each
        for spacing, units in ((self._requests, 1.0), (self._tokens, tokens), (self._learnt, 1.0)):
            if spacing is not None:
                spacing.book(units, now)
        return tokens

    def note(self, passing: Pass, now: float) -> None:
        """It is known now whether the server let that request in; to be called in the order in which they left."""
        if passing.at > self._reduced_at:
            self._noted += 1
            self._noted_refused += passing.refused
        outcome = self.chance.note(passing.at, passing.refused)
        if outcome == "chance":
            if not self._raised:
                self._learnt = None
            self._plateau, self._closed = float("inf"), False
            self._test_every = max(_CHECKED, self._test_every)
            self._test_at = now + self._test_every
            self._restart(now)
        elif outcome == "limit":
            self._tested = self.learnt or 0.0
            if self._raised and self._learnt is not None:
                self._learnt.per_second /= _STEP
            self._restart(now)
        elif self.chance.share and now >= self._test_at and not self.chance.testing:
            self._test(now)

    def _test(self, now: float) -> bool:
        """Change the pace for some requests, to see whether they are refused as before; if it is time and can show."""
        fallen = self._learnt is not None and self._learnt.per_second * _STEP < self._tested
        if now < self._test_at and not fallen:
            return False
        before = self.chance.comparable()
        if before is None:
            return False
        let_in = before.let_in * before.pace
        # Where little is let in it soon shows that more is at a lower pace; where much is, that less is at a higher.
        self._raised = self._learnt is not None and (let_in < _LEAST_TESTED or before.let_in > _MUCH)
        if not self._raised and let_in < _LEAST_TESTED:
            return False
        self.chance.test(before, now)
        self._tested = before.pace
        self._test_at = now + self._test_every
        self._test_every = min(_RARELY, 2 * self._test_every)
        if self._raised and self._learnt is not None:
            self._learnt.per_second *= _STEP
        else:
            self._plateau = max(let_in, (self.learnt or 0.0) / 2)
            self._learnt = _Spacing(let_in / 2)
        self._restart(now)
        return True

    def _restart(self, now: float) -> None:
        self._changed_at = self._reduced_at = now
        self._let_in = self._refused = self._noted = self._noted_refused = 0

    def bear(self, at: float, now: float) -> None:
        """The server let a request in that left then."""
        self._borne.append(at)
        self._let_in += 1
        if self._closed and self._learnt is not None and at > self._reduced_at:
            self._closed = False
            if self._plateau < float("inf"):
                self._learnt.per_second = max(self._learnt.per_second, self._plateau)
            self._changed_at = now

    def rise(self, now: float) -> None:
        """Once a second: quickly up to what the server bore before, then slowly, and faster the longer it bears it."""
        if self._learnt is None or self._closed or self.chance.testing or now - self._changed_at < 1.0:
            return
        self._changed_at = now
        if self._learnt.per_second < 0.9 * self._plateau:
            self._learnt.per_second = min(2 * self._learnt.per_second, self._plateau)
        else:
            self._learnt.per_second *= 1 + min(0.2, 0.002 * (now - self._reduced_at))
        if self._learnt.per_second > _FASTEST:
            self._learnt = None

    def accept(self, passing: Pass, usage: Usage) -> None:
        """The request that passed then was answered, with this usage."""
        self.accepted += 1
        used = (usage.prompt or 0) + (usage.completion or 0)
        if used:
            self._tokens_each += (used - self._tokens_each) * 0.1
            if self._tokens is not None:
                self._tokens.correct(used - passing.tokens)

    def give_back(self, passing: Pass) -> None:
        """The request was refused: its tokens were not used."""
        if self._tokens is not None:
            self._tokens.correct(-passing.tokens)

    def close(self, until: float, now: float) -> None:
        """Nothing may pass before that time, as the server asked."""
        self._gate = max(self._gate, min(until, now + LONGEST_GATE))

    def slow_down(self, passing: Pass, undecided: float, now: float) -> None:
        """The server refused that request for coming too soon; of those of the last seconds it is not known yet."""
        # What left before the last reduction says nothing about the rate since.
        if self._learnt is not None and (passing.at <= self._reduced_at or now - self._reduced_at < 0.5):
            return
        self._refused += 1
        if self._refused == 1:
            self._first_refused_at = now
        # Some of those that left with the first refused one may have been let in, which is known a little later.
        if now - self._first_refused_at < undecided or self._tolerable or self.chance.testing:
            return
        if self._test(now):
            return
        if self._learnt is not None and self._let_in and self.chance.few:
            return
        before = self.learnt
        seen = self._seen(now)
        if seen is None:
            self._plateau = float("inf")
            self._closed, self._learnt = True, self._learnt or _Spacing(_PROBES)
        elif self._learnt is None:
            self._plateau = seen
            self._learnt = _Spacing(seen)
        elif self._let_in:
            held = self._learnt.per_second
            self._plateau = min(held, max(seen, held / 2))
            self._learnt.per_second = max(_SLOWEST, self._plateau * MARGIN)
        else:
            self._closed = True
            self._learnt.per_second = min(_PROBES, self._learnt.per_second)
        if self.learnt != before:
            self.chance.forget(now)
        self._restart(now)

    @property
    def _tolerable(self) -> bool:
        """Whether so few of the requests since the last reduction were refused that the pace may stay."""
        if self.chance.share:
            return self.chance.bears(self._noted_refused, self._noted, _TOLERATED)
        return self._refused <= _TOLERATED * (self._refused + self._let_in)

    def _seen(self, now: float) -> float | None:
        """The pace at which the server would refuse by chance only: of the last 5 s, or longer where those are few."""
        let_in = self._seen_let_in(now)
        return None if let_in is None else let_in / (1 - self.chance.share)

    def _seen_let_in(self, now: float) -> float | None:
        recent = [at for at in self._borne if now - at <= 5.0]
        if len(recent) == self._borne.maxlen:
            return len(recent) / max(0.25, now - recent[0])
        if len(recent) >= 20:
            return len(recent) / 5.0
        older = [at for at in self._borne if now - at <= 60.0]
        return len(older) / max(0.25, now - older[0]) if older else None

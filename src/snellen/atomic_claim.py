"""Atomic claims of an answer: the smallest statements that it makes, each with a verdict and its place in the answer.

A judge quotes the words that make a claim; where these stand is found here, so that a claim can be shown on the answer.
Quoting is tolerated as judges quote: white space, full width and half width, straight and curly quotation marks, and
the signs of Markdown's emphasis do not matter, and capitals only where the quote occurs as it is written.

`segments` cuts an answer into stretches by the claims on them: all that a page or a terminal needs to colour it.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal, get_args

ClaimVerdict = Literal["contradicted", "absent", "cannot tell", "supported"]

CLAIM_VERDICTS: Final[tuple[ClaimVerdict, ...]] = get_args(ClaimVerdict)
"""What can be said of a claim, the worst first: ``absent`` is a claim that nothing in the image supports."""

HALLUCINATED: Final[frozenset[ClaimVerdict]] = frozenset(("contradicted", "absent"))
"""The verdicts that make a claim a hallucination."""

_SAME: Final = str.maketrans("‘’‚′“”„″«»「」『』–—―−‐‑", '\'\'\'\'""""""""""------')
_NOTHING: Final = frozenset("*_`~")
_LOOKED_AT = 1_000  # places at which a short quote occurs, until one is a word of its own


@dataclass(frozen=True, slots=True)
class AtomicClaim:
    """One claim of an answer.

    Attributes:
        text: the claim in words of its own, as the judge puts it; may be empty.
        quote: the words of the answer that make it, as the judge quotes them.
        verdict: of the judge.
        reason: why, in a few words; may be empty.
        start, end: where it stands in the answer, in characters; both -1 where the quote does not occur in it.
    """

    text: str
    quote: str
    verdict: ClaimVerdict
    reason: str = ""
    start: int = -1
    end: int = -1

    @property
    def located(self) -> bool:
        """Whether its words were found in the answer."""
        return self.start >= 0

    @property
    def hallucinated(self) -> bool:
        """Whether the image contradicts it, or holds nothing that supports it."""
        return self.verdict in HALLUCINATED


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of an answer.

    Attributes:
        text: its characters; those of all segments together are the answer.
        verdict: the worst of the claims that it is a part of; empty where it is a part of none.
        claims: places of these claims in their list, from 0.
    """

    text: str
    verdict: ClaimVerdict | Literal[""] = ""
    claims: tuple[int, ...] = ()


def locate(answer: str, claims: Sequence[AtomicClaim]) -> tuple[AtomicClaim, ...]:
    """The claims with their places in an answer; what places they had before does not matter.

    Claims with the same quote get its occurrences in order, and the last one where there are not enough. Where a quote
    occurs as words of its own, an occurrence within a longer word is passed over.

    >>> claims = [AtomicClaim("", quote, "supported") for quote in ("cat", "a red cat", "cat", "dog")]
    >>> found = locate("A cat,  a **red** cat.", claims)
    >>> [(claim.start, claim.end) for claim in found]
    [(2, 5), (8, 21), (18, 21), (-1, -1)]
    """
    exact = _Plain(answer, folded=False)
    folded: _Plain | None = None
    wanted = Counter(claim.quote for claim in claims)
    places: dict[str, list[tuple[int, int]]] = {}
    for quote, count in wanted.items():
        places[quote] = exact.find(quote, count)
        if not places[quote] and quote.strip():
            folded = folded or _Plain(answer, folded=True)
            places[quote] = folded.find(quote, count)
    taken: Counter[str] = Counter()
    found = []
    for claim in claims:
        spans = places[claim.quote]
        start, end = spans[min(taken[claim.quote], len(spans) - 1)] if spans else (-1, -1)
        taken[claim.quote] += 1
        found.append(replace(claim, start=start, end=end))
    return tuple(found)


def segments(answer: str, claims: Sequence[AtomicClaim]) -> tuple[Segment, ...]:
    """The answer cut where a claim begins or ends, in order and whole; claims without a place are left out.

    >>> claims = locate("A red cat.", [AtomicClaim("", "red", "absent"), AtomicClaim("", "red cat", "supported")])
    >>> [(segment.text, segment.verdict, segment.claims) for segment in segments("A red cat.", claims)]
    [('A ', '', ()), ('red', 'absent', (0, 1)), (' cat', 'supported', (1,)), ('.', '', ())]
    """
    starts: dict[int, list[int]] = {}
    ends: dict[int, list[int]] = {}
    for number, claim in enumerate(claims):
        start, end = max(claim.start, 0), min(claim.end, len(answer))
        if claim.located and start < end:
            starts.setdefault(start, []).append(number)
            ends.setdefault(end, []).append(number)
    cuts = sorted({0, len(answer), *starts, *ends})
    found, open_now = [], set[int]()
    for start, end in pairwise(cuts):
        open_now.difference_update(ends.get(start, ()))
        open_now.update(starts.get(start, ()))
        numbers = tuple(sorted(open_now))
        verdicts = {claims[number].verdict for number in numbers}
        worst: ClaimVerdict | Literal[""] = next((verdict for verdict in CLAIM_VERDICTS if verdict in verdicts), "")
        found.append(Segment(answer[start:end], worst, numbers))
    return tuple(found)


class _Plain:
    """A text without what does not matter when it is quoted, and the way back to its places."""

    def __init__(self, text: str, *, folded: bool) -> None:
        self._text, self._folded = text, folded
        parts: list[str] = []
        self._places: list[int] = []
        for place, character in enumerate(text):
            plain = _plain(character, folded)
            if plain:
                parts.append(plain)
                self._places += [place] * len(plain)
        self._plain = "".join(parts)

    def find(self, quote: str, most: int) -> list[tuple[int, int]]:
        """Up to so many (start, end) of a quote, in order, none overlapping another."""
        plain = "".join(_plain(character, self._folded) for character in quote)
        if not plain:
            return []
        spans, others = list[tuple[int, int]](), list[tuple[int, int]]()
        at = self._plain.find(plain)
        for _ in range(max(_LOOKED_AT, most)):
            if at < 0 or len(spans) == most:
                break
            span = self._places[at], self._places[at + len(plain) - 1] + 1
            (spans if self._is_whole(*span) else others).append(span)
            at = self._plain.find(plain, at + len(plain))
        return spans or others[:most]

    def _is_whole(self, start: int, end: int) -> bool:
        """Whether no word goes on beyond the span; words of scripts without spaces have no such ends."""
        text = self._text
        return not (_joins(text[start - 1 : start], text[start]) or _joins(text[end - 1], text[end : end + 1]))


def _joins(before: str, after: str) -> bool:
    return before.isalnum() and after.isalnum() and max(before, after) < "\u2e80"


@lru_cache(4096)
def _plain(character: str, folded: bool) -> str:
    """A character as it is compared: nothing for what does not matter."""
    if character.isspace() or character in _NOTHING or unicodedata.category(character) == "Cf":
        return ""
    plain = unicodedata.normalize("NFKC", character).translate(_SAME)
    plain = "".join(plain.split())
    return plain.casefold() if folded else plain

"""How atomic claims are marked on an answer: by sign and word as well as by colour, so that both can be missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from snellen.atomic_claim import AtomicClaim, ClaimVerdict, Segment, segments


@dataclass(frozen=True, slots=True)
class ClaimMark:
    """How one verdict on a claim looks.

    Attributes:
        sign: one character.
        name: of its class on a page.
        word: for people.
        style: on a terminal, as `rich` names it.
    """

    sign: str
    name: str
    word: str
    style: str


CLAIM_MARKS: Final[dict[ClaimVerdict, ClaimMark]] = {
    "supported": ClaimMark("+", "supported", "supported", "green"),
    "contradicted": ClaimMark("-", "contradicted", "contradicted", "bold red underline"),
    "absent": ClaimMark("!", "absent", "absent: nothing in the image supports it", "bold magenta underline"),
    "cannot tell": ClaimMark("?", "cannot-tell", "the judge cannot tell", "yellow"),
}
"""Verdict -> its mark, in the order of a legend."""


def marked(answer: str, claims: Sequence[AtomicClaim]) -> tuple[tuple[str, str], ...]:
    """The answer as (text, verdict) in order and whole; the verdict is empty where no claim stands.

    Args:
        answer: as it is shown.
        claims: with their places in it.

    >>> claim = AtomicClaim("", "red", "absent", start=2, end=5)
    >>> marked("A red cat.", [claim])
    (('A ', ''), ('red', 'absent'), (' cat.', ''))
    """
    return tuple((segment.text, segment.verdict) for segment in segments(answer, claims))


def label(numbers: Sequence[int], claims: Sequence[AtomicClaim]) -> str:
    """Claims by sign and number, as their list has them: ``+1 -3``.

    Args:
        numbers: places in the list, from 0.
        claims: the list.
    """
    return " ".join(f"{CLAIM_MARKS[claims[number].verdict].sign}{number + 1}" for number in numbers)


def clipped(parts: Sequence[Segment], head: int, tail: int) -> Iterator[tuple[Segment, int]]:
    """The first `head` and the last `tail` characters of a cut-up text, each stretch with 0.

    What is left out between them comes as one stretch without text, with the number of its characters.
    """
    length = sum(len(part.text) for part in parts)
    stop, start = (head, length - tail) if head + tail < length else (length, length)
    at, told = 0, stop >= start
    for part in parts:
        end = at + len(part.text)
        if at < stop:
            yield Segment(part.text[: stop - at], part.verdict, part.claims), 0
        if not told and end >= stop:
            told = True
            yield Segment(""), start - stop
        if end > start and stop < start:
            yield Segment(part.text[max(0, start - at) :], part.verdict, part.claims), 0
        at = end

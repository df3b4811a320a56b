"""An answer with the claims that a judge found in it, as a page shows it: by colour, underline and a label in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from snellen.atomic_claim import CLAIM_VERDICTS, HALLUCINATED, AtomicClaim, Segment, segments
from snellen.report.claim_marks import CLAIM_MARKS, ClaimMark, clipped, label
from snellen.report.text import COLLAPSE, CUT, language_tag, one_line

_LINES = 14
_LISTED = 100


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the answer.

    Attributes:
        text: its characters.
        mark: of the worst of its claims; None where no claim stands.
        label: of the claims that end with it, by sign and number.
        word: of the worst of these, where it is a hallucination.
    """

    text: str
    mark: ClaimMark | None
    label: str = ""
    word: str = ""


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """A claim in the list below the answer."""

    number: int
    mark: ClaimMark
    said: str
    quote: str
    reason: str
    located: bool


@dataclass(frozen=True, slots=True)
class ClaimedAnswer:
    """An answer cut up by its claims.

    Attributes:
        lead: its beginning, shown at once; all of it unless it is long.
        rest: what is shown on demand, up to `snellen.report.text.CUT` characters; empty unless it is long.
        length: characters of the original.
        cut: whether the end is missing from `rest`.
        language: for the ``lang`` attribute.
        lines: the claims, up to a hundred of them.
        total: how many claims there are.
        legend: the marks that occur, in the order of a legend.
    """

    lead: tuple[Stretch, ...]
    rest: tuple[Stretch, ...]
    length: int
    cut: bool
    language: str
    lines: tuple[ClaimLine, ...]
    total: int
    legend: tuple[ClaimMark, ...]

    @classmethod
    def of(cls, text: str, claims: Sequence[AtomicClaim], language: str = "en") -> ClaimedAnswer:
        """Folded and cut as `snellen.report.text.Passage` is; the text and the claims' words are as they came."""
        parts, length = segments(text, claims), len(text)
        lines = text[:CUT].split("\n", _LINES)
        short = length <= COLLAPSE and len(lines) <= _LINES
        head = length if short else len("\n".join(lines[:4])[: COLLAPSE // 2].rstrip())
        said = {claim.verdict for claim in claims}
        return cls(
            _stretches(parts, claims, head),
            () if short else _stretches(parts, claims, CUT),
            length,
            not short and length > CUT,
            language_tag(text[:2_000], language),
            tuple(_line(number, claim) for number, claim in enumerate(claims[:_LISTED], 1)),
            len(claims),
            tuple(mark for verdict, mark in CLAIM_MARKS.items() if verdict in said),
        )


def _stretches(parts: Sequence[Segment], claims: Sequence[AtomicClaim], head: int) -> tuple[Stretch, ...]:
    shown = [part for part, _ in clipped(parts, head, 0) if part.text]
    following = [set(part.claims) for part in shown[1:]] + [set[int]()]
    found = []
    for part, after in zip(shown, following, strict=True):
        ending = [number for number in part.claims if number not in after]
        said = {claims[number].verdict for number in ending}
        word = next((verdict for verdict in CLAIM_VERDICTS if verdict in said & HALLUCINATED), "")
        mark = CLAIM_MARKS[part.verdict] if part.verdict else None
        found.append(Stretch(part.text, mark, label(ending, claims), word))
    return tuple(found)


def _line(number: int, claim: AtomicClaim) -> ClaimLine:
    said, quote = one_line(claim.text or claim.quote, 300), one_line(claim.quote, 300)
    mark = CLAIM_MARKS[claim.verdict]
    return ClaimLine(number, mark, said, "" if quote == said else quote, one_line(claim.reason, 300), claim.located)

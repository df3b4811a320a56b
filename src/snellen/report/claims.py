"""Claims in words, on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from snellen.engine.claims import ClaimTest, Outcome, PublishedTest, Tested
from snellen.report.comparison import chance, points
from snellen.report.text import one_line

if TYPE_CHECKING:
    from rich.console import Console

_WORDS: dict[Outcome, str] = {"supports": "supports it", "contradicts": "contradicts it", "open": "leaves it open"}

NOTE = (
    "Differences in points with their 95 % intervals, p by Holm's correction within a claim. Of published rows only "
    "shares are known: 'by chance' is how far two of them could lie apart with nothing behind it."
)


def show(found: Sequence[ClaimTest], console: Console) -> None:
    """Prints every claim with what contradicts it in the published table, and what each run says."""
    from rich.text import Text

    for number, each in enumerate(found):
        if number:
            console.print()
        console.print(Text(each.claim.text, style="bold"))
        for line in lines(each):
            console.print(Text(one_line(line), overflow="fold"))
    console.print()
    console.print(Text(NOTE))


def lines(test: ClaimTest) -> Iterator[str]:
    """What was found of one claim."""
    against = [each for each in test.published if not each.agrees]
    if test.published:
        what = "rows" if len(test.published[0].rows) == 1 else "pairs of rows"
        yield f"- published table: {len(test.published) - len(against):,} of {len(test.published):,} {what} agree"
    else:
        yield "- published table: it has no numbers for this"
    yield from (f"- contradicted by {_published(each)}" for each in against)
    if test.tested:
        counts = {outcome: sum(each.outcome == outcome for each in test.tested) for outcome in _WORDS}
        yield f"- your runs: {', '.join(f'{count:,} {outcome}' for outcome, count in _counted(counts))}"
        yield from (f"- {_tested(each)}" for each in test.tested)


def _counted(counts: dict[Outcome, int]) -> Iterator[tuple[str, int]]:
    words = {"supports": "in support", "contradicts": "against", "open": "open"}
    return ((words[outcome], count) for outcome, count in counts.items() if count)


def _published(each: PublishedTest) -> str:
    by_chance = "" if each.chance is None else f"; by chance up to {100 * each.chance:.1f}"
    rates = f"{100 * each.lower:.1f} to {100 * each.higher:.1f}, {points(each.value)}{by_chance}"
    return f"{' and '.join(each.rows)}: {rates}"


def _tested(each: Tested) -> str:
    found = each.found
    named = " and ".join(each.runs) + (f" ({each.about})" if each.about else "")
    if found.value is None:
        return f"{named}: nothing is scored; {_WORDS[each.outcome]}"
    ends = "" if found.low is None or found.high is None else f" [{points(found.low)}, {points(found.high)}]"
    tail = ", ".join(filter(None, (f"{points(found.value)}{ends}", chance(found.p_holm))))
    return f"{named}: {tail}; {_WORDS[each.outcome]}"

"""What a report shows beside the judge's numbers: CHAIR of captions, and the items that are decided differently."""

from __future__ import annotations

from dataclasses import dataclass

from snellen.engine.differences import WORDS, Differences, Differing
from snellen.estimate import Estimate
from snellen.report import view
from snellen.report.source import ReportSource
from snellen.report.text import Passage, one_line

_SHOWN = 200  # items of a difference on the page

CAPTION_HEADINGS = ("judged", "CHAIR_i", "CHAIR_s", "covered")


@dataclass(frozen=True, slots=True)
class CaptionLine:
    """Captions in words: the judge's share, CHAIR over mentions and over captions, the share of objects mentioned."""

    title: str
    estimates: tuple[Estimate, Estimate, Estimate, Estimate]

    @property
    def shares(self) -> tuple[view.Share, ...]:
        """The estimates in words."""
        return tuple(map(view.Share.of, self.estimates))


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """An item that is decided differently, in words."""

    item: str
    here: str
    here_reason: Passage
    there: str
    there_reason: Passage


@dataclass(frozen=True, slots=True)
class DifferenceGroup:
    """Differences to one other judging or reading, and how many there are."""

    title: str
    there: str
    summary: str
    total: int
    lines: tuple[DifferenceLine, ...]


def caption_lines(source: ReportSource) -> tuple[CaptionLine, ...]:
    """Of all captions that are compared with objects, then of the values by which they differ."""
    return tuple(
        CaptionLine(
            view.title_of(source.card, label, value) if label else "All captions",
            (part.judged, part.chair_i, part.chair_s, part.coverage),
        )
        for (label, value), part in list(source.results.captions.items())[: view.VALUES]
    )


def published_text(source: ReportSource) -> str:
    """Accuracy as SHALE's published script reads answers beside that here; empty where nothing was read so."""
    found = source.results.published
    if found is None or found.published.value is None:
        return ""
    return (
        f"Yes, no and options as SHALE's published script reads them: {found.published:value} instead of "
        f"{found.accuracy:value} right, of {found.published.n:,} items; {len(found.differing):,} of {found.read:,} "
        "answers are read differently."
    )


def difference_groups(source: ReportSource) -> tuple[DifferenceGroup, ...]:
    """The differences of a run as the page shows them."""
    return tuple(
        DifferenceGroup(
            one_line(each.title[:1].upper() + each.title[1:], 120),
            one_line(each.there, 120),
            counted(each),
            len(each),
            tuple(map(_line, each.items(_SHOWN))),
        )
        for each in source.differences
    )


def counted(differences: Differences) -> str:
    """``3 of 234 items: right here and wrong there 2, wrong here and right there 1``."""
    said = ", ".join(
        f"decided alike {count:,}" if here == there else f"{WORDS[here]} here and {WORDS[there]} there {count:,}"
        for (here, there), count in sorted(differences.counts.items(), key=lambda each: each[0][0] == each[0][1])
    )
    return f"{len(differences):,} of {differences.compared:,} items{f': {said}' if said else ''}"


def _line(each: Differing) -> DifferenceLine:
    return DifferenceLine(
        one_line(each.item, 120),
        each.here.words,
        Passage.of(each.here.reason),
        each.there.words,
        Passage.of(each.there.reason),
    )

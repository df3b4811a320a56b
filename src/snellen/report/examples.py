"""Which items a report shows: a seeded sample of every kind of outcome, spread over the benchmark's cells.

The table tells how many there are of each kind, and which are picked (`snellen.report.choosing`); only those are read.
On screens, what was hit is told by the rows alone: there one pass over them keeps, for every kind and cell, the
positions with the smallest hashes of seed and item id.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from snellen.card import Card
from snellen.item import Item
from snellen.report import choosing
from snellen.report.claimed import ClaimedAnswer
from snellen.report.pictures import Album, Picture
from snellen.report.screen_pictures import OUTCOMES, Reading, Screen, is_on_screen, outcome_of, screen_of
from snellen.report.source import ReportSource, Row, rows_at
from snellen.report.text import Passage, one_line
from snellen.table import LANGUAGE
from snellen.verdict import ABSTAINED, EMPTY, FORMAT_ERROR, UNCLEAR, Verdict


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of outcome: its heading, what it means, and how many of its items are picked at a turn."""

    name: str
    title: str
    meaning: str
    weight: int = 1


KINDS = (
    Kind("hallucinated", "Hallucinated", "An answer was given, and the picture does not bear it out.", 3),
    Kind("over_refusal", "Declined although the answer is there", "Over-refusal: the question can be answered."),
    Kind("declined", "Declined, but not as the rubric asks", "For example without naming the false premise."),
    Kind("unclear", "Unclear", "The answer commits to nothing. It counts as 0 and is flagged."),
    Kind("format_error", "Not in the agreed form", "The answer could not be read in the form that was asked for."),
    Kind("empty", "Empty", "The model stopped without a word. It counts as 0."),
    Kind("right", "Right", "For comparison."),
    Kind("judge_cannot_tell", "Not scored: the judge cannot tell", "Counts neither for nor against the model."),
    Kind("judge_error", "Not scored: the judge failed", "Counts neither for nor against the model."),
    Kind("truncated", "Not scored: the answer was cut", "Counts neither for nor against the model."),
    Kind("blocked", "Not scored: a content filter stopped it", "Counts neither for nor against the model."),
    Kind("model_error", "Not scored: the model gave no answer", "Counts neither for nor against the model."),
    Kind("data_error", "Not scored: broken data", "The item's own row or picture cannot be used."),
)
"""Every kind that is shown, in the order of the page. Items that are not asked or judged yet have nothing to show."""

_PICTURES_OF_AN_ITEM = 6
_VALUES = {0: "Wrong (0)", 1: "Right (1)"}


@dataclass(frozen=True, slots=True)
class Example:
    """One item as the page shows it; all texts are as they came, to be escaped by the template."""

    id: str
    language: str
    tags: tuple[str, ...]
    pictures: tuple[Picture, ...]
    pictures_left_out: int
    question: Passage
    reference: Passage | None
    answer: Passage | None
    no_answer: str
    thinking: int
    outcome: str
    value: int | None
    flags: tuple[str, ...]
    reason: Passage | None
    screen: Screen | None = None
    claimed: ClaimedAnswer | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The examples of one kind, and how many items of that kind there are in the run."""

    kind: Kind
    total: int
    examples: tuple[Example, ...]


def answerable(item: Item, card: Card) -> bool:
    """Whether an answer exists, so that declining is over-refusal: as `snellen.table.TableBuilder` decides it."""
    labels = {LANGUAGE: item.language, **item.labels}
    exists = bool(card.answerable) and all(labels.get(name) in values for name, values in card.answerable.items())
    return exists and not any(change.truth == "removed" for change in item.changes)


def kind_of(item: Item, verdict: Verdict, card: Card) -> str:
    """The name of the one kind that a row belongs to (``missing`` is no kind of the page)."""
    if verdict.value is None:
        return verdict.unscored
    if ABSTAINED in verdict.flags and answerable(item, card):
        return "over_refusal"
    if verdict.value == 1:
        return "right"
    for flag in (EMPTY, UNCLEAR, FORMAT_ERROR):
        if flag in verdict.flags:
            return flag
    return "declined" if ABSTAINED in verdict.flags else "hallucinated"


def _cell(item: Item, verdict: Verdict, card: Card) -> tuple[int, ...]:
    # Positions in the card, so that a hostile file with a label of its own per row opens no strata without end.
    place = []
    for label, values in list(card.labels.items())[:2]:
        value = item.labels.get(label)
        place.append(values.index(value) if value in values else len(values))
    if is_on_screen(item):  # a distractor, elsewhere, and what is absent are all hallucinated
        place.append(list(OUTCOMES).index(outcome_of(item, verdict)))
    return tuple(place)


def _priority(seed: int, item: Item) -> int:
    text = f"{seed}\0{item.id}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")


def _in_turns(strata: list[list[int]]) -> Iterator[int]:
    for turn in range(max(map(len, strata), default=0)):
        for stratum in strata:
            if turn < len(stratum):
                yield stratum[turn]


def choose(source: ReportSource, *, seed: int, sample: int) -> tuple[Counter[str], dict[str, list[int]]]:
    """How many rows there are of every kind, and the positions chosen for each: `sample` in all at the most.

    Kinds take turns, hallucinations three at a time; within a kind the cells take turns.
    """
    if source.card.domain == "screen":
        counts, strata = _by_rows(source, seed, sample)
    else:
        counts, strata = choosing.strata(source.table, source.card, seed=seed, sample=sample)
    queues = {
        kind.name: _in_turns([positions for (name, _), positions in sorted(strata.items()) if name == kind.name])
        for kind in KINDS
    }
    chosen: dict[str, list[int]] = {kind.name: [] for kind in KINDS}
    left = min(sample, sum(counts[kind.name] for kind in KINDS))
    while left:
        for kind in KINDS:
            for _ in range(min(kind.weight, left)):
                if (position := next(queues[kind.name], None)) is None:
                    break
                chosen[kind.name].append(position)
                left -= 1
    return counts, chosen


def _by_rows(source: ReportSource, seed: int, sample: int) -> tuple[Counter[str], choosing.Strata]:
    """As `snellen.report.choosing.strata`, with what was hit on a screen, which the rows alone tell."""
    counts: Counter[str] = Counter()
    heaps: dict[tuple[str, tuple[int, ...]], list[tuple[int, int]]] = {}
    for row in source.rows():
        name = kind_of(row.item, row.verdict, source.card)
        counts[name] += 1
        heap = heaps.setdefault((name, _cell(row.item, row.verdict, source.card)), [])
        entry = (-_priority(seed, row.item), -row.position)
        if len(heap) < sample:
            heapq.heappush(heap, entry)
        elif heap and entry > heap[0]:
            heapq.heapreplace(heap, entry)
    return counts, {place: [-p for _, p in sorted(heap, reverse=True)] for place, heap in heaps.items()}


def _no_answer(row: Row) -> str:
    if row.answer is None:
        return "There is no answer: it has not been asked, or the item itself cannot be used."
    if row.answer.failure is not None:
        return f"No answer ({row.answer.failure.kind}): {one_line(row.answer.failure.message, 300)}"
    if not row.visible.strip():
        return "The answer is empty." if not row.answer.text.strip() else "The answer holds nothing but thinking."
    return ""


def example(row: Row, source: ReportSource, album: Album, title: Callable[[str, str], str]) -> Example:
    """A row as the page shows it; its pictures go into the album."""
    item, verdict = row.item, row.verdict
    screen = None
    if is_on_screen(item):
        screen = screen_of(item, row.answer, row.visible, verdict, Reading.of(source.manifest))
    drawn = screen is not None and screen.parts  # every element of the truth stands in its lists
    no_answer = _no_answer(row)
    thinking = 0
    if row.answer is not None:
        thinking = len(row.answer.thinking) + max(0, len(row.answer.text) - len(row.visible))
    claims = () if no_answer else source.claims(row.position)
    outcome = f"Not scored: {verdict.unscored.replace('_', ' ')}" if verdict.value is None else _VALUES[verdict.value]
    tags = [title(label, value) for label, value in item.labels.items()]
    if screen is not None:  # a size and a density are both called medium
        tags = [f"{title(label, '')}: {tag}" for label, tag in zip(item.labels, tags, strict=True)]
    changes = tuple(f"{change.name}, severity {change.severity}, truth {change.truth}" for change in item.changes)
    return Example(
        id=one_line(item.id, 120),
        language=item.language,
        tags=tuple(tags) + changes,
        pictures=tuple(album.add(image.sha256, source.image) for image in item.images[:_PICTURES_OF_AN_ITEM]),
        pictures_left_out=max(0, len(item.images) - _PICTURES_OF_AN_ITEM),
        question=Passage.of(item.question, item.language),
        reference=None if item.reference is None or drawn else Passage.of(item.reference.text, item.language),
        answer=None if no_answer else Passage.of(row.visible, item.language),
        no_answer=no_answer,
        thinking=thinking,
        outcome=outcome,
        value=verdict.value,
        flags=tuple(flag.replace("_", " ") for flag in verdict.flags),
        reason=Passage.of(verdict.reason) if verdict.reason else None,
        screen=screen,
        claimed=ClaimedAnswer.of(row.visible, claims, item.language) if claims else None,
    )


def collect(
    source: ReportSource, album: Album, *, seed: int, sample: int, title: Callable[[str, str], str]
) -> tuple[Group, ...]:
    """The examples of a run, by kind; pictures go into the album.

    Args:
        title: (label, value) -> words for people.
    """
    counts, chosen = choose(source, seed=seed, sample=sample)
    wanted = {position for positions in chosen.values() for position in positions}
    found: dict[int, Example] = {}
    if wanted:
        for row in rows_at(source, wanted):
            found[row.position] = example(row, source, album, title)
    return tuple(
        Group(kind, counts[kind.name], tuple(found[position] for position in chosen[kind.name] if position in found))
        for kind in KINDS
        if counts[kind.name]
    )

"""Going through the shown items of a run on screens: filters by task, language and outcome; the next, the one before.

The page holds no script. A filter is a set of radio buttons and a rule of style; since whatever is shown agrees with
the filter, an item's neighbours depend only on which of the three filters are set. So every item has up to eight links
forward and eight back, and the style shows the one that fits.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from snellen.report.examples import Example, Group
from snellen.report.screen_pictures import OUTCOMES

_VALUES = 12  # of a filter; the rest are one more

FILTERS = ("task", "language", "outcome")
STATES = tuple(product((False, True), repeat=len(FILTERS)))
"""Which filters are set; the place of a state is the number in its class."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of a filter: its number (0 for all), title, and how many of the shown items have it."""

    number: int
    title: str
    count: int


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter and its values, "all" the first of them."""

    name: str
    title: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A link to a neighbour, or a place in the row of what is shown, in the states of its classes."""

    text: str
    classes: str


@dataclass(frozen=True, slots=True)
class Shot:
    """An item of the run as it is browsed.

    Attributes:
        key: its id within the page.
        example: the item.
        title: its outcome in words.
        numbers: of its value in each filter.
        before, after: links to the keys of its neighbours.
        places: ``3 of 17``.
    """

    key: str
    example: Example
    title: str
    numbers: tuple[int, ...]
    before: tuple[Step, ...]
    after: tuple[Step, ...]
    places: tuple[Step, ...]

    @property
    def classes(self) -> str:
        """Its values, for the rules of style."""
        return " ".join(f"{name}-{number}" for name, number in zip(FILTERS, self.numbers, strict=True))


@dataclass(frozen=True, slots=True)
class Browsing:
    """All that is browsed of a run.

    Attributes:
        filters: in the order of `FILTERS`.
        shots: the items, in the order in which they are gone through.
        empty: settings of filters that no item agrees with, as name -> number; of each setting only its least part.
    """

    filters: tuple[Filter, ...]
    shots: tuple[Shot, ...]
    empty: tuple[tuple[tuple[str, int], ...], ...]


def browsing(
    groups: Sequence[Group], anchor: str, labels: Mapping[str, Sequence[str]], title: Callable[[str, str], str]
) -> Browsing | None:
    """The shown items of a run; None where none of them is on a screen.

    Args:
        groups: the items that are shown.
        anchor: of the run within the page.
        labels: of the card, in whose order values stand.
        title: (label, value) -> words for people.
    """
    examples = [example for group in groups for example in group.examples]
    if not any(example.screen is not None for example in examples):
        return None
    values = [_values(example) for example in examples]
    filters, numbers = [], []
    for name, column in zip(FILTERS, zip(*values, strict=True), strict=True):
        one, found = _filter(name, column, OUTCOMES if name == "outcome" else labels.get(name, ()), title)
        filters.append(one)
        numbers.append(found)
    rows = list(zip(*numbers, strict=True))
    return Browsing(tuple(filters), tuple(_shots(examples, rows, anchor)), tuple(_empty(filters, rows)))


def _values(example: Example) -> tuple[str, str, str]:
    screen = example.screen
    return (screen.task, example.language, screen.outcome) if screen is not None else ("", example.language, "unscored")


def _filter(
    name: str, column: Sequence[str], order: Iterable[str], title: Callable[[str, str], str]
) -> tuple[Filter, list[int]]:
    """The filter over a column of values, and the number of each of them."""
    counts = Counter(column)
    kept = [value for value in dict.fromkeys((*order, *counts)) if value and value in counts][:_VALUES]
    known = {value: number for number, value in enumerate(kept, 1)}
    choices = [Choice(0, "All", len(column))]
    for value, number in known.items():
        words = OUTCOMES[value] if name == "outcome" else title(name, value)
        choices.append(Choice(number, words, counts[value]))
    rest = len(column) - sum(counts[value] for value in kept)
    if rest:
        choices.append(Choice(len(kept) + 1, "Other", rest))
    numbers = [known.get(value, len(kept) + 1) for value in column]
    return Filter(name, title(name, ""), tuple(choices)), numbers


def _shots(examples: Sequence[Example], rows: Sequence[tuple[int, ...]], anchor: str) -> Iterator[Shot]:
    keys = [f"{anchor}-screen-{number}" for number in range(1, len(examples) + 1)]
    before: list[dict[int, list[int]]] = [defaultdict(list) for _ in rows]
    after: list[dict[int, list[int]]] = [defaultdict(list) for _ in rows]
    places: list[dict[tuple[int, int], list[int]]] = [defaultdict(list) for _ in rows]
    for state, used in enumerate(STATES):
        alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for index, row in enumerate(rows):
            alike[tuple(number for number, is_set in zip(row, used, strict=True) if is_set)].append(index)
        for shown in alike.values():
            for place, index in enumerate(shown):
                places[index][place + 1, len(shown)].append(state)
                if place:
                    before[index][shown[place - 1]].append(state)
                if place + 1 < len(shown):
                    after[index][shown[place + 1]].append(state)
    for index, (example, row) in enumerate(zip(examples, rows, strict=True)):
        yield Shot(
            keys[index],
            example,
            OUTCOMES[_values(example)[2]],
            row,
            tuple(Step(keys[other], _of_states(states)) for other, states in before[index].items()),
            tuple(Step(keys[other], _of_states(states)) for other, states in after[index].items()),
            tuple(Step(f"{place:,} of {of:,}", _of_states(s)) for (place, of), s in places[index].items()),
        )


def _of_states(states: Sequence[int]) -> str:
    return " ".join(f"in-{state}" for state in states)


def _empty(filters: Sequence[Filter], rows: Sequence[tuple[int, ...]]) -> Iterator[tuple[tuple[str, int], ...]]:
    found: set[frozenset[tuple[str, int]]] = set()
    for size in (2, 3):
        for chosen in combinations(range(len(filters)), size):
            there = {tuple(row[place] for place in chosen) for row in rows}
            choices = ([choice.number for choice in filters[place].choices[1:]] for place in chosen)
            for numbers in product(*choices):
                setting = [(filters[place].name, number) for place, number in zip(chosen, numbers, strict=True)]
                if numbers in there or any(frozenset(part) in found for part in combinations(setting, 2)):
                    continue
                found.add(frozenset(setting))
                yield tuple(setting)

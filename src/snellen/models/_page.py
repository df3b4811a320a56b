"""What stands on an image: lines of text with their places, sorted into values, labels and a legend.

The sorting knows how charts are laid out and nothing else: axes count evenly, legends stand to the right, one entry
below the other, and the title of an axis stands alone or on its side.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

WORD = re.compile(r"[a-z0-9]+(?:[.,'’-][a-z0-9]+)*", re.IGNORECASE)
_CALENDAR = re.compile(
    r"(jan|feb)(?:ruary|uary)|(mar)ch|(apr)il|(jun)e|(jul)y|(aug)ust|(oct)ober|(sep|nov|dec)(?:t?ember)"
    r"|(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?day"
)


@dataclass(frozen=True)
class Line:
    """A line of text on an image and its upright box in pixels, y downwards."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def x(self) -> float:
        """The middle."""
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        """The middle."""
        return (self.top + self.bottom) / 2

    @cached_property
    def number(self) -> float | None:
        """Its value where it is one printed number, percent sign allowed."""
        match = re.fullmatch(r"([-−–]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s*%?", self.text)
        return float(f"{'-' if match[1] else ''}{match[2].replace(',', '')}{match[3] or ''}") if match else None


class Reading:
    """The lines of one image, sorted into values, labels and the rest.

    Attributes:
        lines: all, from top to bottom.
        values: printed numbers that are not ticks of an axis.
        labels: all the rest: texts, and years and other numbers along an axis.
        legend: labels right of all values, one below the other.
        places: labels without the legend, titles and the ticks of an upright axis: what a value can belong to.
        words: English words on it, reduced as `reduced` does.
        text: everything, without spaces, for Chinese.
    """

    def __init__(self, lines: Iterable[Line]) -> None:
        written = (line for line in lines if any(map(str.isalnum, line.text)))  # markers are read as ● or ☆
        self.lines = tuple(sorted(written, key=lambda line: (line.top, line.left)))
        numbers = [line for line in self.lines if line.number is not None]
        rising, lying = _ticks(numbers)
        ticks = rising | lying
        self.values = tuple(line for line in numbers if line not in ticks)
        self.labels = tuple(line for line in self.lines if line.number is None or line in ticks)
        self.legend = _legend(self.labels, self.values)
        beside = {*_titles(self.labels, self.lines), *self.legend, *rising}
        self.places = tuple(line for line in self.labels if line not in beside)
        self.words = frozenset(word for line in self.lines for word in reduced(line.text))
        self.text = "\n".join(re.sub(r"\s", "", line.text) for line in self.lines)

    @property
    def title(self) -> str:
        """The highest line that is no number."""
        return next((line.text for line in self.lines if line.number is None), "")


def reduced(text: str) -> list[str]:
    """English words and numbers in lower case, without a plural or possessive s, months and days by three letters.

    >>> reduced("Sales in June, 2021")
    ['sale', 'in', 'jun', '2021']
    """
    words = []
    for match in WORD.finditer(text):
        word = re.sub(r"['’]s$", "", match[0].lower())
        if _CALENDAR.fullmatch(word):
            word = word[:3]
        elif len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
            word = word[:-1]
        words.append(word)
    return words


def _ticks(numbers: Sequence[Line]) -> tuple[set[Line], set[Line]]:
    """Numbers of upright and of lying axes: four or more in line whose values grow evenly with their place."""
    rising: set[Line] = set()
    lying: set[Line] = set()
    alignments: tuple[tuple[set[Line], Callable[[Line], float], Callable[[Line], float]], ...] = (
        (rising, lambda line: line.right, lambda line: line.y),
        (rising, lambda line: line.left, lambda line: line.y),
        (lying, lambda line: line.y, lambda line: line.x),
    )
    for ticks, across, along in alignments:
        for first in numbers:
            near = (first.bottom - first.top) / 3
            group = sorted((line for line in numbers if abs(across(line) - across(first)) <= near), key=along)
            values = [line.number or 0.0 for line in group]
            steps = [b - a for a, b in pairwise(values)]
            gaps = [along(b) - along(a) for a, b in pairwise(group)]
            if len(group) < 4 or not all(steps) or not all(gaps):
                continue
            slope = (values[-1] - values[0]) / (along(group[-1]) - along(group[0]))
            if all(abs(step - slope * gap) <= 0.12 * abs(slope * gap) for step, gap in zip(steps, gaps, strict=True)):
                ticks.update(group)
    return rising, lying


def _legend(labels: Sequence[Line], values: Sequence[Line]) -> tuple[Line, ...]:
    edge = max((line.right for line in values), default=0.0)
    beyond = [line for line in labels if values and line.left > edge and line.number is None]
    column = [line for line in beyond if sum(abs(line.left - other.left) < 6 for other in beyond) >= 2]
    return tuple(sorted(column, key=lambda line: line.y))


def _titles(labels: Sequence[Line], lines: Sequence[Line]) -> set[Line]:
    """Texts on their side, and one alone in its row that is the highest of all or right under a row of labels."""
    titles = {line for line in labels if len(line.text) > 1 and line.bottom - line.top > 1.5 * (line.right - line.left)}
    for line in labels:
        height = line.bottom - line.top
        if any(other is not line and abs(other.y - line.y) < height / 2 for other in lines):
            continue
        highest = line.number is None and all(other.y >= line.y for other in lines)
        above = [other for other in labels if 0 < line.y - other.y < 2.5 * height]
        if highest or len(above) >= 3:
            titles.add(line)
    return titles

"""Items and answers as a report's folder keeps them: JSON arrays whose places mean what `items.js` reads there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import orjson

from snellen.item import Item
from snellen.report.examples import KINDS
from snellen.report.screen_pictures import OUTCOMES, Line, Mark, Part, Reading, Screen, is_on_screen, screen_of
from snellen.report.source import Row
from snellen.report.text import language_tag, one_line, visible
from snellen.verdict import UNCLEAR, Verdict

KIND_NAMES = tuple(dict.fromkeys((*(kind.name for kind in KINDS), "missing", *OUTCOMES)))
"""Every outcome that a row can have: those of the page's examples, and those on screens."""

LONG = 20_000
"""Characters of a text that stand in its row, and are searched; the rest stands in a file of its own."""

_LONG_FILE = 4_000_000
_TAGGED = 2_000
_MANY = 60  # entries of a list

_UNCLEAR, _UNSCORED = 2, 3


class Texts:
    """Texts made safe to look at; the rest of a long one goes into files ``long-1.js``, ``long-2.js``, ...

    Args:
        put: writes the file of that number.
    """

    def __init__(self, put: Callable[[int, bytes], None]) -> None:
        self._put, self._rests, self._size, self._number = put, list[str](), 0, 1

    def __call__(self, text: str) -> Any:
        """The text, or ``[beginning, length of all, number of the file of the rest, place in it]``."""
        shown = visible(text)
        if len(shown) <= LONG:
            return shown
        self._rests.append(shown[LONG:])
        self._size += len(shown) - LONG
        found = [shown[:LONG], len(text), self._number, len(self._rests) - 1]
        if self._size >= _LONG_FILE:
            self.flush()
        return found

    def flush(self) -> None:
        """Writes what is left."""
        if self._rests:
            self._put(self._number, orjson.dumps(self._rests))
            self._rests, self._size, self._number = [], 0, self._number + 1


def value_of(verdict: Verdict) -> int:
    """1 right, 0 wrong, 2 unclear (wrong too), 3 not scored."""
    if verdict.value is None:
        return _UNSCORED
    return _UNCLEAR if UNCLEAR in verdict.flags and verdict.value == 0 else verdict.value


def item_record(item: Item, images: Sequence[int], texts: Texts) -> bytes:
    """``[question, reference, options, images, images left out, language, changes, facts, given, cluster]``.

    Args:
        item: as it was asked.
        images: numbers of its pictures.
        texts: of the folder.
    """
    reference = None if item.reference is None else texts(item.reference.text)
    return orjson.dumps(
        [
            texts(item.question),
            reference,
            [[one_line(letter, 20), texts(text)] for letter, text in item.options[:_MANY]],
            list(images),
            len(item.images) - len(images),
            language_tag(item.question[:_TAGGED], one_line(item.language, 20) or "en"),
            [[one_line(change.name, 80), change.severity, change.truth] for change in item.changes[:_MANY]],
            [texts(fact) for fact in item.facts[:_MANY]],
            texts(item.given),
            one_line(item.cluster, 200),
        ]
    )


def row_record(row: Row, reading: Reading, texts: Texts) -> bytes:
    """``[answer or null, why there is none, language, length of the thinking, the judge's words, screen or null]``."""
    answer, visible_text = row.answer, row.visible
    why, thinking = "", 0
    if answer is None:
        why = "not_asked"
    elif answer.failure is not None:
        why = f"{one_line(answer.failure.kind, 60)}: {one_line(answer.failure.message, 300)}"
    elif not visible_text.strip():
        why = "empty" if not answer.text.strip() else "only_thinking"
    if answer is not None:
        thinking = len(answer.thinking) + max(0, len(answer.text) - len(visible_text))
    screen = None
    if is_on_screen(row.item):
        screen = screen_of(row.item, answer, visible_text, row.verdict, reading)
    return orjson.dumps(
        [
            None if why else texts(visible_text),
            why,
            language_tag(visible_text[:_TAGGED], row.item.language if row.item.language in ("en", "zh") else "en"),
            thinking,
            texts(row.verdict.reason),
            None if screen is None else _screen(screen),
        ]
    )


def _screen(screen: Screen) -> list[Any]:
    return [
        screen.width,
        screen.height,
        int(screen.unread),
        [_mark(mark) for mark in screen.places],
        [_part(part) for part in screen.parts],
    ]


def _part(part: Part) -> list[Any]:
    return [part.kind, part.sign, part.total, [_line(line) for line in part.lines]]


def _line(line: Line) -> list[Any]:
    return [
        line.number,
        line.type,
        line.true,
        line.listed,
        int(line.same),
        line.note,
        None if line.mark is None else _mark(line.mark),
        None if line.theirs is None else _mark(line.theirs),
    ]


def _mark(mark: Mark) -> list[Any]:
    numbers = [float(each) for each in (mark.left, mark.top, mark.width, mark.height)]
    return [mark.kind, *numbers, int(mark.point)]

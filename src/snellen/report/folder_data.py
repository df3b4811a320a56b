"""The data files of a report's folder: columns to filter by in `head.js`, items and answers in files of 500 rows.

Every file is one call, ``snellen("items-1", '[...]')``, of JSON in a string: a browser parses that faster than a
literal, and no name in it can mean anything to JavaScript. Items that several runs share stand once.
"""

from __future__ import annotations

import base64
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from snellen.card import Card
from snellen.engine.human_labels import WORDS as MEANINGS
from snellen.item import Item
from snellen.report import view
from snellen.report.chinese import book
from snellen.report.examples import kind_of
from snellen.report.folder_images import Images
from snellen.report.folder_records import KIND_NAMES, Texts, item_record, row_record, value_of
from snellen.report.folder_words import WORDS
from snellen.report.review_words import WORDS as REVIEW_WORDS
from snellen.report.screen_pictures import Reading, is_on_screen, outcome_of
from snellen.report.source import ReportSource, Row
from snellen.report.text import one_line
from snellen.table import LANGUAGE
from snellen.verdict import FLAGS

CHUNK = 500
"""Rows of a data file."""

_ABSENT = 255
_NO_ROW = 2**32 - 1
_VALUES = 500  # of a label that are told apart: a hostile file may bring one for each item
_LABELS = 24
_CONDITION = "@condition"
_BENCHMARK = "@benchmark"


class Chunks:
    """Files of rows that are written as they fill: ``items-1.js``, ``items-2.js``, ..."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._rows: list[bytes] = []
        self.count = 0

    def add(self, row: bytes) -> None:
        """One row, as JSON."""
        self._rows.append(row)
        self.count += 1
        if len(self._rows) == CHUNK:
            self.flush()

    def flush(self) -> None:
        """Writes what is left."""
        if self._rows:
            number = (self.count - 1) // CHUNK + 1
            put(self._folder, f"{self._name}-{number}", b"[" + b",".join(self._rows) + b"]")
            self._rows.clear()


def put(folder: Path, name: str, data: bytes) -> None:
    """Writes a data file of JSON."""
    text = data.replace(b"\\", b"\\\\").replace(b"'", b"\\'")
    (folder / f"{name}.js").write_bytes(b"snellen('" + name.encode("ascii") + b"','" + text + b"')\n")


class Column:
    """Values of a label, a code for each item in the order of the items."""

    def __init__(self, name: str, title: str, values: Sequence[str] = ()) -> None:
        self.name, self.title = name, title
        self._code: dict[str, int] = {value: code for code, value in enumerate(values)}
        self._titles: dict[str, str] = {}
        self._codes = array("H")

    def add(self, place: int, value: str | None, title: str = "") -> None:
        """The value of the item at that place; places come in order, and those passed over have none."""
        while len(self._codes) < place:
            self._codes.append(0)
        if value is None:
            return
        if value not in self._code and len(self._code) >= _VALUES:
            value, title = "…", "…"
        code = self._code.setdefault(value, len(self._code))
        if title and value not in self._titles:
            self._titles[value] = title
        self._codes.append(code + 1)

    @property
    def titles(self) -> list[str]:
        """Words for the values that occur."""
        return [self._titles.get(value, one_line(value, 60)) for value in self._code]

    def to_json(self, count: int) -> dict[str, Any]:
        """Names, titles and codes (0 for none), values that occur."""
        self.add(count, None)
        return {
            "name": one_line(self.name, 80),
            "title": self.title,
            "values": [one_line(value, 120) for value in self._code],
            "titles": self.titles,
            "codes": _packed(self._codes, "<u2"),
        }


class RunColumns:
    """What is known of each row of a run."""

    def __init__(self) -> None:
        self.item, self.length = array("I"), array("I")
        self.kind, self.value, self.flags = bytearray(), bytearray(), bytearray()

    def add(self, item: int, kind: int, value: int, flags: int, length: int) -> None:
        """One row."""
        self.item.append(item)
        self.length.append(min(length, _NO_ROW))
        self.kind.append(kind)
        self.value.append(value)
        self.flags.append(flags)

    def to_json(self, count: int) -> dict[str, Any]:
        """Columns over all items: number of the row, outcome (255: not in this run), value, flags, answer's length."""
        where = np.frombuffer(self.item, np.uint32).astype(np.int64)

        def spread(values: Any, dtype: str, absent: int) -> str:
            column = np.full(count, absent, dtype)
            column[where] = values
            return _packed(column, dtype)

        return {
            "rows": len(where),
            "row": spread(np.arange(len(where)), "<u4", _NO_ROW),
            "kind": spread(np.frombuffer(self.kind, np.uint8), "<u1", _ABSENT),
            "value": spread(np.frombuffer(self.value, np.uint8), "<u1", 3),
            "flags": spread(np.frombuffer(self.flags, np.uint8), "<u1", 0),
            "length": spread(np.frombuffer(self.length, np.uint32), "<u4", 0),
        }


def _packed(values: Any, dtype: str) -> str:
    return base64.b64encode(np.asarray(values, dtype).tobytes()).decode("ascii")


class Data:
    """Everything in `data/`.

    Args:
        folder: where the files go.
        sources: the runs.
        images: the folder's pictures.
        drawn: of each run the positions that people are asked to label, in this order.
    """

    def __init__(
        self, folder: Path, sources: Sequence[ReportSource], images: Images, drawn: Sequence[Sequence[int]] = ()
    ) -> None:
        self._folder, self._sources, self._images = folder, sources, images
        self._texts = Texts(lambda number, data: put(folder, f"long-{number}", data))
        self._items = Chunks(folder, "items")
        self._known: dict[bytes, int] = {}
        self._ids: list[str] = []
        self._namesakes: Counter[str] = Counter()
        self._pairs: dict[str, int] = {}
        self._pair = array("I")
        self._columns: dict[str, Column] = {}
        self._runs: list[RunColumns] = []
        self._ids_as_given: dict[str, str] = {}
        self._drawn = [dict.fromkeys(positions, _NO_ROW) for positions in drawn] or [{} for _ in sources]

    def rows(self) -> Iterator[None]:
        """Writes all rows, a step for each."""
        for number, source in enumerate(self._sources, 1):
            columns, chunks = RunColumns(), Chunks(self._folder, f"run{number}")
            self._runs.append(columns)
            reading = Reading.of(source.manifest)
            seen: set[int] = set()
            drawn = self._drawn[number - 1]
            for row in source.rows():
                place = self._place(row.item, source, seen)
                if row.position in drawn:
                    drawn[row.position] = place
                chunks.add(row_record(row, reading, self._texts))
                columns.add(
                    place,
                    KIND_NAMES.index(_outcome(row, source.card)),
                    value_of(row.verdict),
                    sum(1 << FLAGS.index(flag) for flag in row.verdict.flags),
                    len(row.visible),
                )
                yield
            chunks.flush()

    def _place(self, item: Item, source: ReportSource, seen: set[int]) -> int:
        """The place of an item among all; a new one is written. Twice in one run, it has two."""
        key = _key(item, source.card)
        place = self._known.get(key)
        if place is not None and place not in seen:
            seen.add(place)
            return place
        place = len(self._ids)
        self._known.setdefault(key, place)
        seen.add(place)
        self._ids.append(self._name(item))
        if self._ids[-1] != item.id and item.id.isprintable():
            self._ids_as_given[str(place)] = item.id
        self._pair.append(self._pairs.setdefault(item.groups.get("pair") or item.id, len(self._pairs)))
        numbers = [self._images.number(image.sha256, source.image) for image in item.images[:12]]
        self._items.add(item_record(item, numbers, self._texts))
        self._label(place, item, source.card)
        return place

    def _name(self, item: Item) -> str:
        """The item's id; where runs differ in what stands under it, the second and later ones are numbered."""
        name = one_line(item.id, 300)
        self._namesakes[name] += 1
        return name if self._namesakes[name] == 1 else f"{name} ({self._namesakes[name]})"

    def _label(self, place: int, item: Item, card: Card) -> None:
        self._column(_BENCHMARK, "").add(place, card.name, one_line(card.title, 80))
        condition = "+".join(f"{change.name}:{change.severity}" for change in item.changes)
        self._column(_CONDITION, "").add(place, condition)
        labels: Mapping[str, str] = {LANGUAGE: item.language, **item.labels}
        for label, value in labels.items():
            if label in self._columns or len(self._columns) < _LABELS:
                column = self._column(label, view.title_of(card, label), card.labels.get(label, ()))
                column.add(place, value, view.title_of(card, label, value))

    def _column(self, name: str, title: str, values: Sequence[str] = ()) -> Column:
        if name not in self._columns:
            self._columns[name] = Column(name, title, values)
        return self._columns[name]

    def finish(self) -> None:
        """Writes what can be known only at the end; the pictures are all made."""
        self._items.flush()
        self._texts.flush()
        count, sources = len(self._ids), self._sources
        ordered = [name for source in sources for name in source.card.labels if name in self._columns]
        names = dict.fromkeys((_BENCHMARK, _CONDITION, *ordered, LANGUAGE, *self._columns))
        cards = {source.card.name: source.card for source in sources}
        head = {
            "title": ", ".join(one_line(card.title, 120) for card in cards.values()),
            "chunk": CHUNK,
            "ids": self._ids,
            "given": self._ids_as_given,
            "pair": _packed(self._pair, "<u4"),
            "columns": [self._columns[name].to_json(count) for name in names if name in self._columns],
            "kinds": list(KIND_NAMES),
            "flags": list(FLAGS),
            "images": self._images.entries,
            "runs": [
                {
                    "name": one_line(source.name, 200),
                    "short": short,
                    "score": source.card.score,
                    "drawn": [place for place in drawn.values() if place != _NO_ROW],
                    **columns.to_json(count),
                }
                for source, short, columns, drawn in zip(
                    sources, view.short_names(sources), self._runs, self._drawn, strict=True
                )
            ],
            "chinese": self._chinese(cards),
            "words": {language: {**WORDS[language], **REVIEW_WORDS[language]} for language in WORDS},
            "meanings": [[value, list(written)] for value, written in MEANINGS.items()],
        }
        put(self._folder, "head", orjson.dumps(head))

    def _chinese(self, cards: Mapping[str, Card]) -> dict[str, str]:
        """Titles of benchmarks, labels and values that the phrase book knows."""
        known = book().exact
        titles = [card.title for card in cards.values()]
        for column in self._columns.values():
            titles += [column.title, *column.titles]
        return {title: known[title] for title in dict.fromkeys(titles) if title in known}


def _outcome(row: Row, card: Card) -> str:
    if is_on_screen(row.item) and row.verdict.value is not None:
        return outcome_of(row.item, row.verdict)
    return kind_of(row.item, row.verdict, card)


def _key(item: Item, card: Card) -> bytes:
    try:
        return item.snapshot()[0] + card.name.encode()
    except TypeError:  # what cannot be written as UTF-8
        return repr(item).encode("utf-8", "surrogatepass") + card.name.encode()

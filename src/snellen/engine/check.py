"""What is odd in a benchmark's data: its own check, and what is true of any benchmark's items.

Nothing is repaired here. A finding is serious when the item cannot be used as it is: it will stay unscored, or its
result stands in the wrong place. Everything else is a remark.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

from snellen import image_store
from snellen.card import Card, Finding
from snellen.engine import check_boxes
from snellen.errors import DataError, ImageError
from snellen.item import ElementsReference, ImageRef, Item, TargetReference
from snellen.readers.number import acceptable_ranges

SMALL_SIDE = 28
"""Pixels: below this, common vision encoders (patches of 14, merged two by two) see less than one patch."""


def run(benchmark: ModuleType, data: Path) -> Iterator[Finding]:
    """Everything that is odd, the benchmark's own findings first, then the items in their order, then the whole.

    Args:
        benchmark: a module as described in `snellen.benchmarks`.
        data: what its `locate` gave.

    Raises:
        DataError: the data as a whole cannot be read.
    """
    if hasattr(benchmark, "check"):
        yield from benchmark.check(data)
    card: Card = benchmark.CARD
    seen: set[str] = set()
    asked: dict[tuple[str, tuple[str, ...]], str] = {}
    cells: Counter[tuple[str, ...]] = Counter()
    images: dict[str, ImageRef] = {}
    clusters: defaultdict[str, set[str]] = defaultdict(set)
    for item in benchmark.items(data):
        if isinstance(item, DataError):
            where = " ".join(part for part in (item.file, item.row, item.id) if part)
            yield Finding("bad row", where, item.what, serious=True)
            continue
        if item.id in seen:
            yield Finding(
                "id used twice", item.id, "two items have this id: results cannot be told apart", serious=True
            )
        seen.add(item.id)
        key = (" ".join(item.question.split()).casefold(), tuple(image.name for image in item.images))
        if (first := asked.setdefault(key, item.id)) != item.id:
            yield Finding("question asked twice", item.id, f"{first} asks the same about the same image: both count")
        yield from _labels(item, card)
        yield from _texts(item)
        yield from references((item,))
        yield from check_boxes.findings(item)
        cells[tuple(item.labels.get(label, "") for label in list(card.labels)[:2])] += 1
        for image in item.images:
            images.setdefault(image.name, image)
            clusters[image.name].add(item.cluster)
    yield from _empty(card, cells)
    yield from _images(images, clusters)


def _empty(card: Card, cells: Counter[tuple[str, ...]]) -> Iterator[Finding]:
    """Cells of the first two labels that no item is in; where a value of the first has no item at all, that is told."""
    rows, columns = [*list(card.labels.values())[:2], (), ()][:2]
    for row in rows:
        own: list[tuple[str, ...]] = [(row, column) for column in columns] or [(row,)]
        lacking = [cell for cell in own if not cells[cell]]
        if len(lacking) == len(own) > 1:
            yield Finding("empty cell", row, f"the card declares {len(own)} cells of it, and no item is in any")
            continue
        for cell in lacking:
            yield Finding("empty cell", " / ".join(cell), "the card declares this cell, and no item is in it")


def references(items: Iterable[Item]) -> Iterator[Finding]:
    """What is odd in the acceptable ranges that references spell out.

    A range written from high to low is read from low to high. A reference whose own value lies outside the range that
    follows it is used as it is (the range decides), so that an answer which repeats the reference's value fails.
    """
    for item in items:
        if item.reference is None or isinstance(item.reference, TargetReference | ElementsReference):
            continue
        for accepted in acceptable_ranges(item.reference.text):
            start, end = accepted.span
            written = " ".join(item.reference.text[start:end].split())
            if accepted.reversed:
                what = f"{written!r} runs from high to low: read as {accepted.low:g} to {accepted.high:g}"
                yield Finding("range reversed", item.id, what)
            if accepted.contradicts and accepted.stated is not None:
                said = accepted.stated
                value = f"{said.value:g}" + ("" if said.unit == accepted.unit else f" {said.unit}")
                what = f"says {value} and accepts {accepted.low:g} to {accepted.high:g}: the range decides"
                yield Finding("reference outside its own range", item.id, what)


def _labels(item: Item, card: Card) -> Iterator[Finding]:
    for label, values in card.labels.items():
        value = item.labels.get(label)
        if value not in values:
            what = f"{label} is {value!r}, and the card knows {', '.join(values)}: in no row of the table of cells"
            yield Finding("label not in the card", item.id, what, serious=True)
    if item.language not in card.languages:
        yield Finding("language not in the card", item.id, f"{item.language!r} is none of {', '.join(card.languages)}")


def _texts(item: Item) -> Iterator[Finding]:
    if not item.question.strip():
        yield Finding("empty question", item.id, "there is nothing to ask", serious=True)
    texts = {"question": item.question, "reference": "" if item.reference is None else item.reference.text}
    for name, text in texts.items():
        if text.strip() and text != text.strip():
            yield Finding("outer white space", item.id, f"the {name} begins or ends with white space: kept as it is")
        odd = sorted({char for char in set(text) if _is_odd(char)})
        if odd:
            listed = ", ".join(f"U+{ord(char):04X} {unicodedata.name(char, 'control character')}" for char in odd)
            yield Finding("unusual character", item.id, f"the {name} holds {listed}: kept as it is")


def _is_odd(char: str) -> bool:
    """Control and invisible format characters, and the sign that a decoder puts where it lost something."""
    return (unicodedata.category(char) in ("Cc", "Cf", "Co", "Cn", "Cs") and char not in "\n\t\r") or char == "\ufffd"


def _images(images: dict[str, ImageRef], clusters: dict[str, set[str]]) -> Iterator[Finding]:
    from snellen.images import identify

    digests: dict[str, str] = {}
    for name, image in sorted(images.items()):
        if len(clusters[name]) > 1:
            several = sorted(clusters[name])
            what = f"used in {len(several)} clusters ({', '.join(several[:5])}), which count as independent"
            yield Finding("image in several clusters", name, what)
        try:
            raw = image_store.read(Path(image.path))
        except ImageError as error:
            yield Finding("image missing", name, f"{error.what}; its items stay unscored", serious=True)
            continue
        try:
            info = identify(raw, name)
        except ImageError as error:
            what = f"{error.kind.replace('_', ' ')}: {error.what}; its items stay unscored"
            yield Finding("image unusable", name, what, serious=True)
            continue
        first = digests.setdefault(hashlib.sha256(raw).hexdigest(), name)
        if first != name and clusters[first] != clusters[name]:
            yield Finding("image in several clusters", name, f"the same bytes as {first}, which counts as independent")
        if min(info.width, info.height) < SMALL_SIDE:
            what = f"{info.width} x {info.height} pixels: less than a patch of common vision encoders"
            yield Finding("image very small", name, what)
        if info.frames > 1:
            yield Finding("image moves", name, f"{info.frames} frames, of which models see the first")
        if info.orientation != 1:
            what = f"is to be turned (EXIF orientation {info.orientation}): models are sent the turned image"
            yield Finding("image to be turned", name, what)

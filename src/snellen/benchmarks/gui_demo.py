"""The GUI-HalluBench-shaped demonstration set: screens of our own, drawn by a browser, so every box is known exactly.

Layout of a data folder: ``parsing_en.json`` and ``parsing_zh.json`` in GUI-HalluBench's released layout, and
``hallucination.json`` in the layout that Snellen declares for its hallucination subset; rows have ``screen`` (the same
in both languages), ``theme`` and ``likeness`` beside its fields; ``images/`` holds the screens. It ships with the
package and was written by ``python -m snellen.construction.screens.demo``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from snellen.benchmarks import _gui_rows as gui
from snellen.benchmarks import _shipped
from snellen.benchmarks._screen_fields import text
from snellen.benchmarks._screen_files import Repeated, Row, digest_of
from snellen.benchmarks._screen_labels import TITLES
from snellen.card import Card, Finding
from snellen.errors import DataError
from snellen.item import Item, TargetReference, escape_id

_FILES = ("hallucination.json", "parsing_en.json", "parsing_zh.json")
_ADVICE = "Restore it, or leave --data out"

CARD = Card(
    name="gui-demo",
    title="GUI-HalluBench demonstration",
    summary=(
        "44 drawn screens of phones, web pages and desktops, each in English and Chinese: does a model list what is on "
        "them, find the right one of two look-alikes, and say so when what is asked for is not there?"
    ),
    authors="The Snellen authors",
    licence="Apache-2.0 (pages and glyphs made for Snellen; letters are those of Liberation Sans and Noto Sans CJK)",
    languages=("en", "zh"),
    domain="screen",
    judge="gui",
    labels={"task": ("parsing", *gui.KINDS), "language": ("en", "zh")},
    label_titles={
        "task": "Task",
        "task=parsing": "Parsing",
        "task=confusion": "Confusion",
        "task=fabricated": "Fabricated",
        **TITLES,
    },
    answerable={"task": ("parsing", "confusion")},
    notes=(
        "This is a demonstration set, small and clean: it shows that everything works, and is no measure to publish.",
        "A target is all that reacts to a click, such as an icon with its label; the elements of a parse are single.",
    ),
)


class _Records(gui.Records):
    """The rows as items of this benchmark: a screen's two languages are one cluster."""

    def _item(self, row: Row) -> Item:
        try:
            item = super()._item(row)
            screen = text(row.fields, "screen")
            more = {name: text(row.fields, name, "") for name in ("theme", "likeness")}
        except DataError as error:
            raise DataError(error.what, id=_own(error.id)) from None
        last = escape_id(screen) if item.labels["task"] == "parsing" else item.id.rsplit("/", 1)[1]
        return replace(
            item,
            id=f"{CARD.name}/{item.labels['task']}/{item.language}/{last}",
            labels={**item.labels, **{name: value for name, value in more.items() if value}},
            groups={"screen": screen},
            cluster=f"{CARD.name}/{escape_id(screen)}",
        )


def _own(id_: str) -> str:
    return CARD.name + id_.removeprefix(gui.NAME) if id_ else ""


def locate(data: Path | None, cache: Path) -> Path:
    """The folder of the data: the user's, else the one in the package; nothing is ever written into `cache`.

    Raises:
        DataError: a file of rows is missing in the folder.
    """
    return _shipped.located(data, "gui_demo_data", _FILES).resolve()


def digest(data: Path) -> str:
    """Hex SHA-256 of what ``sha256sum`` prints for the JSON files and then for the images their rows name, by name."""
    return digest_of(data, _Records(data, _ADVICE).images())


def items(data: Path) -> Iterator[Item | DataError]:
    """Every row, in the order of the files; a row that is not as declared is yielded as a `DataError`.

    Raises:
        DataError: no file holds a row.
    """
    for item in _Records(data, _ADVICE).items():
        if not isinstance(item, Repeated):
            yield item


def check(data: Path) -> Iterator[Finding]:
    """Look-alikes that are not told; everything else is `snellen.engine.check`'s part."""
    for item in _Records(data, _ADVICE).items():
        truth = item.reference if isinstance(item, Item) else None
        if isinstance(item, Item) and isinstance(truth, TargetReference) and truth.box and not truth.distractors:
            what = "no distractor is given: a miss cannot be told apart from a hit on the look-alike"
            yield Finding("confusion without distractor", item.id, what)

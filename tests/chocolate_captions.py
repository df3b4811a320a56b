"""CHOCOLATE as a benchmark of its own for tests: sentences of charts' captions that machines wrote, judged by people.

An item is one sentence, and the sentence is its recorded answer; people's label is 0 where they named an error that is
one of fact. Only captions whose chart is in the data folder are taken, the first of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from snellen.card import Card
from snellen.errors import DataError
from snellen.item import ImageRef, Item

CAPTIONS = 30
CARD = Card(
    name="chocolate",
    title="CHOCOLATE",
    summary="Sentences about charts.",
    labels={"task": ("caption",), "writer": ("bard", "chartt5", "deplot", "gpt4v", "matcha", "unichart")},
    judge="shale",
)


def rows(data: Path) -> Iterator[tuple[str, str, int, str, str]]:
    """Id, sentence, people's label, writer, image."""
    captions = 0
    for number, row in enumerate(json.loads((data / "chocolate.json").read_text("utf-8"))):
        image = f"images/{Path(row['image_path']).name}"
        if (data / image).is_file() and captions < CAPTIONS:
            captions += 1
            for place, (sentence, errors) in enumerate(zip(row["sentences"], row["labels"], strict=True)):
                if sentence.strip():
                    label = int(not set(errors) - {"grammatical_error"})
                    yield f"chocolate/{number}/{place}", sentence, label, row["model"], image


def locate(data: Path | None, cache: Path) -> Path:
    """The user's folder."""
    assert data is not None
    return data


def digest(data: Path) -> str:
    """Of the file of captions."""
    return hashlib.sha256((data / "chocolate.json").read_bytes()).hexdigest()


def items(data: Path) -> Iterator[Item | DataError]:
    """Every sentence."""
    for id_, _, _, writer, image in rows(data):
        path = data / image
        yield Item(
            id_,
            "Say one thing about this chart.",
            images=(ImageRef(image, str(path), hashlib.sha256(path.read_bytes()).hexdigest()),),
            labels={"task": "caption", "writer": writer},
            cluster=f"chocolate/{image}",
        )

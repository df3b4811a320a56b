"""The SHALE-shaped demonstration set: drawn pictures, so every truth is known exactly, over SHALE's tasks and aspects.

Layout of a data folder: ``items.json`` is a list of rows in SHALE's own layout, with ``language``, ``distractors`` (the
nearest first, those nearer than any option before these), ``right_answer`` (what is so, where the truth is only yes or
no) and ``regions`` (left, top, right, bottom in pixels of the picture) beside its fields; ``images/`` holds the
pictures. It ships with the package and was written by ``python -m snellen.construction.scenes.demo``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from snellen.aspects import ASPECTS, DOMAINS
from snellen.benchmarks import _shale_names as names
from snellen.benchmarks import _shipped
from snellen.benchmarks._shale_rows import Row, rows
from snellen.card import Card, Finding
from snellen.errors import DataError
from snellen.item import ImageRef, Item, Region, escape_id

_ITEMS = "items.json"

CARD = Card(
    name="shale-demo",
    title="SHALE demonstration",
    summary=(
        "Drawn pictures and questions on them over SHALE's four tasks, twelve aspects and six domains, in English and "
        "Chinese: does a model say what a picture does not show, or what is not so?"
    ),
    authors="The Snellen authors",
    licence="Apache-2.0 (drawn for Snellen; the facts are common knowledge, with a source for each domain)",
    languages=("en", "zh"),
    labels={
        "aspect": (*ASPECTS, *DOMAINS),
        "task": names.TASKS,
        "kind": names.KINDS,
        "language": ("en", "zh"),
    },
    split="kind",
    label_titles={**names.TITLES, "language": "Language", "language=en": "English", "language=zh": "Chinese"},
    judge="shale",
    resistance=True,
    answerable={"kind": names.KINDS},
    notes=(
        "This is a demonstration set, small and easy: it shows that everything works, and is no measure to publish.",
        "Guessing without looking is right in a half of the yes-or-no questions and a quarter of the multiple-choice "
        "ones: 25.8 % of all items where every free-form answer and caption is wrong.",
    ),
)


def locate(data: Path | None, cache: Path) -> Path:
    """The folder of the data: the user's, else the one in the package; nothing is ever written into `cache`.

    Raises:
        DataError: the folder holds no ``items.json``.
    """
    return _shipped.located(data, "shale_demo_data", [_ITEMS])


def digest(data: Path) -> str:
    """Hex SHA-256 over ``items.json`` and every image, names included."""
    return _shipped.digest_of(data, _ITEMS)


def items(data: Path) -> Iterator[Item | DataError]:
    """Every question, in the order of the file; a row that is not as declared is yielded as a `DataError`.

    Raises:
        DataError: ``items.json`` cannot be read at all.
    """
    seen: set[str] = set()
    for where, row in rows(data / _ITEMS, _ITEMS, "Restore it, or leave --data out"):
        if isinstance(row, DataError):
            yield row
            continue
        id_ = "/".join((CARD.name, *(escape_id(part) for part in row.id.split("/"))))
        try:
            if id_ in seen:
                raise DataError("this id occurred before: give every row its own")
            seen.add(id_)
            yield _item(data, id_, row)
        except DataError as error:
            yield DataError(error.what, file=_ITEMS, row=where, id=id_)


def check(data: Path) -> Iterator[Finding]:
    """Labels and truths that contradict each other; everything else is `snellen.engine.check`'s part."""
    for _, row in rows(data / _ITEMS, _ITEMS, ""):
        if isinstance(row, Row):
            where = f"{CARD.name}/{row.id}"
            if row.other_truth:
                what = f"the row's other word on it is {row.other_truth!r}: {row.reference.text!r} counts"
                yield Finding("truth against its task", where, what)
            if names.kind_of(row.aspect) not in ("", row.kind):
                yield Finding("kind against its aspect", where, f"{row.aspect} is asked for {row.kind}: kept as it is")


def _item(data: Path, id_: str, row: Row) -> Item:
    for image in row.images:
        if ".." in image.split("/"):
            raise DataError("images holds a path that leaves the data folder")
    language = row.fields.get("language")
    if language not in CARD.languages:
        raise DataError(f"language is {language!r:.40}, none of {', '.join(CARD.languages)}")
    scene = Path(row.images[0]).stem
    return Item(
        id=id_,
        question=row.question,
        images=tuple(ImageRef(name=image, path=str(data / image)) for image in row.images),
        options=row.options,
        reference=row.reference,
        labels={
            "aspect": row.aspect,
            "task": row.task,
            "kind": row.kind,
            "language": language,
            **({"entity_type": row.entity} if row.entity else {}),
            **_answer(row),
        },
        groups={"image": scene},
        cluster=f"{CARD.name}/{escape_id(scene)}",
        language=language,
        facts=row.facts,
        distractors=_texts("distractors", row.fields.get("distractors")),
        regions=tuple(_region(box) for box in _list("regions", row.fields.get("regions"))),
        objects=_texts("objects", row.fields.get("objects")),
    )


def _answer(row: Row) -> dict[str, str]:
    """The label ``answer`` of a yes/no question: what is so, in words; its reference says only yes or no."""
    value = row.fields.get("rightanswer")
    if value is None or row.task != "yes-no":
        return {}
    if not isinstance(value, str) or not value.strip():
        raise DataError("right_answer is no text")
    return {"answer": value.strip()}


def _list(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list | None):
        raise DataError(f"{name} is no list")
    return value or []


def _texts(name: str, value: Any) -> tuple[str, ...]:
    texts = _list(name, value)
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise DataError(f"{name} holds what is no text")
    return tuple(texts)


def _region(box: Any) -> Region:
    if not isinstance(box, list) or len(box) != 4 or not all(type(edge) in (int, float) for edge in box):
        raise DataError("regions holds what is no list of left, top, right, bottom")
    left, top, right, bottom = box
    if not (0 <= left < right and 0 <= top < bottom):
        raise DataError(f"a region runs from {left}, {top} to {right}, {bottom}: it holds no pixel")
    return Region(left, top, right, bottom)

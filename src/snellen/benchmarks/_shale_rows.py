"""The rows of SHALE's files, one by one: what is as declared, and what is wrong with the others.

Two layouts are read, also mixed: that of the authors' README (``ground_truth``) and that of their scorer (``Ground
Truth``, ``Ground Truth Option``, ``image_prompt``, ``Facts``). Names of fields are compared by their letters only. The
scorer's ``answer`` is what a model said; it is no part of an item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from snellen.benchmarks import _shale_names as names
from snellen.benchmarks import _shale_options as options_in
from snellen.errors import DataError
from snellen.item import OptionReference, Reference, TextReference, YesNoReference, escape_id
from snellen.json_file import Pairs, elements, shown

_MEND = "mend the row, or take the published file"
_HOLDS = "one JSON list of rows (objects with id, task, images, instruction, ground_truth)"
_HALF = re.compile("[\ud800-\udfff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_YES = re.compile(r"\W*(?:(?:yes|true|correct)\b|是|对|有|正确)", re.IGNORECASE)
_NO = re.compile(r"\W*(?:(?:no|not|false|incorrect)\b|不|否|没|错|无)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """A row whose fields are as declared; `task`, `kind`, `aspect` and `entity` are normalised names.

    Attributes:
        id: as the file gives it.
        task_name: as the file gives it: ``PosYNQ``.
        images: as the file gives them, with ``/`` between the parts.
        options: of a multiple-choice question, which are in the question's text too.
        other_truth: what the row's second word on the truth says, where it is another than the reference.
        fields: all that the row holds, by the letters of its names in lower case.
    """

    id: str
    task: str
    task_name: str
    kind: str
    aspect: str
    entity: str
    images: tuple[str, ...]
    question: str
    options: tuple[tuple[str, str], ...]
    reference: Reference
    facts: tuple[str, ...]
    other_truth: str
    fields: Mapping[str, Any]

    @property
    def language(self) -> str:
        return "zh" if _HAN.search(self.question) else "en"


def rows(file: Path, name: str, advice: str) -> Iterator[tuple[str, Row | DataError]]:
    """(place in the file, row) in the file's order; a row that is not as declared is a `DataError`.

    Args:
        file: where it lies.
        name: what messages call it.
        advice: added to the error of a file that is none of SHALE's.

    Raises:
        DataError: the file as a whole cannot be read.
    """
    for number, row in enumerate(elements(file, advice, _HOLDS)):
        where = f"[{number}]"
        try:
            yield where, _row(row)
        except DataError as error:
            yield where, DataError(error.what, file=name, row=where, id=error.id)


def _row(row: Any) -> Row:
    if not isinstance(row, Pairs):
        raise DataError(f"the row is {shown(row)}, not an object with fields; {_MEND}")
    fields = _fields(row)
    id_ = _id(fields)
    try:
        return _known(fields, id_)
    except DataError as error:
        raise DataError(error.what, id=f"shale/{escape_id(id_)}") from None


def _known(fields: Mapping[str, Any], id_: str) -> Row:
    task_name = _text(fields, "task")
    task = names.task(task_name)
    if not task:
        raise DataError(f"task is {shown(task_name)}, none of PosYNQ, NegYNQ, MCQ, OpenVQA, Caption; {_MEND}")
    aspect = names.aspect(_text(fields, "evaluation_dimension"))
    kind = names.kind(_text(fields, "hallucination_type", "")) or names.kind_of(aspect)
    if not kind:
        raise DataError(f"hallucination_type is missing, and {shown(aspect)} is no known aspect or domain; {_MEND}")
    question = _text(fields, "instruction")
    options: tuple[tuple[str, str], ...] = ()
    if task == "multiple-choice":
        options = options_in.parse(question)
        if not options and (options := options_in.given(_plain(fields.get("options")))):
            question = f"{question.rstrip()}\n{options_in.written(options)}"
        if not options:
            raise DataError(f"no options (A), (B) and so on are found in the instruction {shown(question)}; {_MEND}")
    reference, other = _reference(fields, task, options)
    return Row(
        id=id_,
        task=task,
        task_name=task_name,
        kind=kind,
        aspect=aspect,
        entity=names.entity(_text(fields, "entity_type", "")),
        images=_images(fields),
        question=question,
        options=options,
        reference=reference,
        facts=_facts(fields),
        other_truth=other,
        fields=fields,
    )


@lru_cache(1024)
def _folded(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())


_ALSO = {"groundtruth": "gt", "images": "image", "instruction": "question", "options": "choices"}
"""Folded name of a field -> another under which it is found."""


def _fields(row: Pairs) -> dict[str, Any]:
    """The fields by the letters of their names.

    Raises:
        DataError: one stands there twice, with two values.
    """
    found: dict[str, Any] = {}
    for name, value in row:
        key = _folded(name)
        if key in found and found[key] != value:
            raise DataError(f"the row has {shown(name)} twice, so it is unclear what counts; {_MEND}")
        found[key] = value
    return {**{main: found[also] for main, also in _ALSO.items() if also in found}, **found}


def _id(fields: Mapping[str, Any]) -> str:
    value = fields.get("id")
    if type(value) is int or (isinstance(value, str) and 0 < len(value.strip()) <= 200 and not _HALF.search(value)):
        return str(value).strip()
    what = "missing" if value is None else shown(value)
    raise DataError(f"id is {what}, not a number or a short text; {_MEND}")


def _text(fields: Mapping[str, Any], name: str, missing: str | None = None) -> str:
    """A field as a text; `missing` where it is absent, null or blank.

    Raises:
        DataError: it is absent or blank and must not be, or no text.
    """
    value = fields.get(_folded(name))
    if value is None or (isinstance(value, str) and not value.strip()):
        if missing is None:
            raise DataError(f"the field {name} is {'missing' if value is None else 'empty'}; {_MEND}")
        return missing
    if not isinstance(value, str):
        raise DataError(f"{name} is {shown(value)}, not a text; {_MEND}")
    return _whole(name, value)


def _whole(name: str, value: str) -> str:
    if not value.isascii() and _HALF.search(value):  # half of a surrogate pair can be neither stored nor sent
        raise DataError(f"{name} holds half a character (an unpaired surrogate): {shown(value)}; {_MEND}")
    return value


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Pairs) else value


def _images(fields: Mapping[str, Any]) -> tuple[str, ...]:
    value = fields.get("images")
    several = [value] if isinstance(value, str) else value
    if not isinstance(several, list) or not several:
        what = "missing" if value is None else "an empty list" if value == [] else shown(value)
        raise DataError(f"images is {what}, not a list of paths; {_MEND}")
    return tuple(_path(one) for one in several)


def _path(value: Any) -> str:
    if not isinstance(value, str):
        raise DataError(f"images holds {shown(value)}, which is no path inside the data folder; {_MEND}")
    return _path_inside(value)


@lru_cache(4096)
def _path_inside(value: str) -> str:
    """The path with ``/``, as text only; whether it stays inside the folder is seen where it is looked for."""
    if value.strip() and value.isprintable() and ":" not in value:
        path = PurePosixPath(_whole("images", value).strip().replace("\\", "/"))
        if path.parts and path.parts[0] not in ("/", "//"):
            return str(path)
    raise DataError(f"images holds {shown(value)}, which is no path inside the data folder; {_MEND}")


def _facts(fields: Mapping[str, Any]) -> tuple[str, ...]:
    value = fields.get("facts")
    several = value if isinstance(value, list) else [value]
    texts = [one for one in several if one is not None]
    for one in texts:
        if not isinstance(one, str):
            raise DataError(f"Facts holds {shown(one)}, not a text; {_MEND}")
    return tuple(_whole("Facts", one.strip()) for one in texts if one.strip())


def _truth(fields: Mapping[str, Any]) -> str:
    value = fields.get("groundtruth")
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, int | float):
        return str(value)
    return _text({"groundtruth": value}, "ground_truth", "")


def _reference(fields: Mapping[str, Any], task: str, options: tuple[tuple[str, str], ...]) -> tuple[Reference, str]:
    """The truth, and what else the row says of it where that differs."""
    truth = _truth(fields)
    if task == "multiple-choice":
        return _option(truth, _text(fields, "Ground Truth Option", ""), options)
    if not truth and task == "caption":
        truth = _text(fields, "image_prompt", "")
    if not truth:
        raise DataError(f"the field ground_truth is missing or empty; {_MEND}")
    if task != "yes-no":
        return TextReference(truth), ""
    yes, no = _YES.match(truth), _NO.match(truth)
    if bool(yes) == bool(no):
        raise DataError(f"ground_truth is {shown(truth)}, neither yes nor no; {_MEND}")
    promised = names.promised(_text(fields, "task"))
    return YesNoReference(bool(yes)), "" if promised in (None, bool(yes)) else "yes" if promised else "no"


def _option(truth: str, marked: str, options: tuple[tuple[str, str], ...]) -> tuple[Reference, str]:
    letter, by_truth = options_in.chosen(marked, options), options_in.chosen(truth, options)
    named = dict(options)
    if marked and letter not in named:
        raise DataError(f"Ground Truth Option is {shown(marked)}, none of {', '.join(named)}; {_MEND}")
    if not marked and by_truth not in named:
        what = (
            f"the truth {shown(truth)} names none of the options {', '.join(named)}" if truth else "there is no truth"
        )
        raise DataError(f"{what}; {_MEND}")
    letter = letter if marked else by_truth
    differs = bool(marked and truth) and by_truth != letter
    return OptionReference(letter, named[letter]), truth if differs else ""

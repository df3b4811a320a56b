"""The rows of ``charthal.json``, one by one: what is as declared, and what is wrong with the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from snellen.errors import DataError
from snellen.json_file import Pairs, members, shown

TYPES = {"desc": "descriptive", "reason": "reasoning", "open": "open-ended"}
RELATIONS = {"irrel": "irrelevant", "inexist": "inexistent", "contra": "contradictory", "normal": "normal"}

_MEND = "mend the row, or take the published file"
_KEY = re.compile(r"(\d{1,9})_(\d{1,9})", re.ASCII)
_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Row:
    """A row whose fields are as declared."""

    figure: int
    template: int
    path: str
    type: str
    relation: str
    question: str
    reference: str

    @property
    def id(self) -> str:
        return f"charthal/{self.figure}/{self.template}"


def rows(file: Path, advice: str) -> Iterator[Row | DataError]:
    """The rows of ``charthal.json`` in the file's order; one that is not as declared is a `DataError`.

    Args:
        file: where it lies.
        advice: added to the error of a file that is none.

    Raises:
        DataError: the file as a whole cannot be read.
    """
    holds = "one JSON object with rows by key (figure_id and subq_idx, joined by _)"
    seen = _Keys()
    for key, row in members(file, advice, holds):
        if not seen.add(key):  # without an id: that is the first row's
            what = f"the key stands there twice: only the first row counts; {_MEND}"
            yield DataError(what, file=str(file), row=_where(key))
            continue
        record: Row | DataError
        try:
            record = _record(key, row)
        except DataError as error:
            match = _KEY.fullmatch(key)
            known = f"charthal/{match[1]}/{match[2]}" if match else ""
            record = DataError(error.what, file=str(file), row=_where(key), id=known)
        yield record
    if not seen:
        raise DataError(f"the file must hold {holds}. {advice}", file=str(file))


class _Keys:
    """The keys of the rows so far: of those that are as they should be 64 neighbours in one number, any other whole."""

    def __init__(self) -> None:
        self._blocks: dict[int, int] = {}
        self._odd: set[str] = set()

    def add(self, key: str) -> bool:
        """Take a key in; False where it is there already."""
        figure, _, question = key.partition("_")
        if _KEY.fullmatch(key) is None or key != f"{int(figure)}_{int(question)}":  # 007_1 is another key than 7_1
            before = len(self._odd)
            self._odd.add(key)
            return len(self._odd) > before
        block, place = divmod(int(figure) * 10**9 + int(question), 64)
        bits = self._blocks.get(block, 0)
        self._blocks[block] = bits | 1 << place
        return not bits >> place & 1

    def __bool__(self) -> bool:
        return bool(self._blocks or self._odd)


def _where(key: str) -> str:
    return key if key.isprintable() and len(key) <= 80 else shown(key)


def _record(key: str, row: Any) -> Row:
    if not isinstance(row, Pairs):
        raise DataError(f"the row is {shown(row)}, not an object with fields; {_MEND}")
    fields = dict(row)
    if len(fields) != len(row):
        twice = sorted(name for name, count in Counter(name for name, _ in row).items() if count > 1)
        raise DataError(f"the row has {shown(', '.join(twice))} twice, so it is unclear what counts; {_MEND}")
    figure, template = _number(fields, "figure_id"), _number(fields, "subq_idx")
    if key != f"{figure}_{template}":
        raise DataError(f"the key does not fit figure_id {figure} and subq_idx {template}; {_MEND}")
    question = _text(fields, "question")
    if not question.strip():
        raise DataError(f"the question is empty; {_MEND}")
    return Row(
        figure=figure,
        template=template,
        path=_path(fields),
        type=_one_of(fields, "q_type", TYPES),
        relation=_one_of(fields, "q_relation", RELATIONS),
        question=question,
        reference=_text(fields, "ref_answer"),
    )


def _field(fields: dict[str, Any], name: str) -> Any:
    if name not in fields:
        raise DataError(f"the field {name} is missing; {_MEND}")
    return fields[name]


def _number(fields: dict[str, Any], name: str) -> int:
    value = _field(fields, name)
    if type(value) is not int or not 0 <= value < 10**9:  # a bool is an int, and no id
        raise DataError(f"{name} is {shown(value)}, not a whole number from 0; {_MEND}")
    return value


def _text(fields: dict[str, Any], name: str) -> str:
    value = _field(fields, name)
    if not isinstance(value, str):
        raise DataError(f"{name} is {shown(value)}, not a text; {_MEND}")
    if not value.isascii() and _HALF.search(value):  # half of a surrogate pair can be neither stored nor sent
        raise DataError(f"{name} holds half a character (an unpaired surrogate): {shown(value)}; {_MEND}")
    return value


def _one_of(fields: dict[str, Any], name: str, names: dict[str, str]) -> str:
    value = _text(fields, name)
    if value not in names:
        raise DataError(f"{name} is {shown(value)}, which is none of {', '.join(names)}; {_MEND}")
    return names[value]


def _path(fields: dict[str, Any]) -> str:
    return _path_inside(_text(fields, "figure_path"))


@lru_cache(4096)
def _path_inside(value: str) -> str:
    """The path as text only: a link inside the folder that leads elsewhere is the wish of whoever made the folder."""
    parts = PurePosixPath(value).parts
    if not parts or parts[0] == "/" or ".." in parts or not value.isprintable() or re.search(r"[\\:]", value):
        raise DataError(f"figure_path is {shown(value)}, which is no path inside the data folder; {_MEND}")
    return str(PurePosixPath(value))

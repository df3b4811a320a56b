"""Fields of rows about screens: texts, paths and languages as declared; what is not is a `DataError` that says what."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from snellen.errors import DataError
from snellen.json_file import Pairs, shown

MEND = "mend the row, or take the published file"

LANGUAGES: Mapping[str, str] = {
    "en": "en",
    "english": "en",
    "zh": "zh",
    "zh-cn": "zh",
    "cn": "zh",
    "chinese": "zh",
}
"""What a field or a part of a file's name may call a language -> its code."""

_HALF = re.compile("[\ud800-\udfff]")
_LONGEST_PART, _LONGEST_PATH = 255, 1024  # bytes, below what the file systems in use refuse


def fields_of(row: Any) -> dict[str, Any]:
    """The fields of a row.

    Raises:
        DataError: it is no object, or has a field twice with two values.
    """
    if not isinstance(row, Pairs):
        raise DataError(f"the row is {shown(row)}, not an object with fields; {MEND}")
    found: dict[str, Any] = {}
    for name, value in row:
        if name in found and found[name] != value:
            raise DataError(f"the row has {shown(name)} twice, so it is unclear what counts; {MEND}")
        found[name] = value
    return found


def text(row: Mapping[str, Any], name: str, missing: str | None = None) -> str:
    """A field as a text without white space around it; `missing` where it is absent, null or blank.

    Raises:
        DataError: it is absent or blank and must not be, or no text that can be stored and sent.
    """
    value = row.get(name)
    if value is None or (isinstance(value, str) and not value.strip()):
        if missing is None:
            raise DataError(f"the field {name} is {'missing' if value is None else 'empty'}; {MEND}")
        return missing
    if not isinstance(value, str):
        raise DataError(f"{name} is {shown(value)}, not a text; {MEND}")
    return whole(name, value).strip()


def whole(name: str, value: str) -> str:
    """The text itself.

    Raises:
        DataError: it holds half a character, which can be neither stored nor sent.
    """
    if not value.isascii() and _HALF.search(value):
        raise DataError(f"{name} holds half a character (an unpaired surrogate): {shown(value)}; {MEND}")
    return value


def id_of(row: Mapping[str, Any]) -> str:
    """The field ``id``: a whole number or a short text.

    Raises:
        DataError: it is absent or something else.
    """
    value = row.get("id")
    if type(value) is int:
        return str(value)
    named = text(row, "id")
    if len(named) > 200:
        raise DataError(f"id is {shown(value)}, longer than 200 characters; {MEND}")
    return named


def path(row: Mapping[str, Any], name: str) -> str:
    """A field as a path inside the data, with ``/`` between its parts; whether it leaves them is seen later.

    Raises:
        DataError: it is absent, no text, absolute, or no path at all.
    """
    return _path(name, text(row, name))


@lru_cache(4096)
def _path(name: str, value: str) -> str:
    if value.isprintable() and ":" not in value:
        parts = PurePosixPath(value.replace("\\", "/"))
        short = len(value.encode()) <= _LONGEST_PATH and all(len(p.encode()) <= _LONGEST_PART for p in parts.parts)
        if parts.parts and not parts.is_absolute() and short:
            return str(parts)
    raise DataError(
        f"{name} is {shown(value)}, which is no path inside the data folder: it must be relative, as in images/1.png; "
        f"{MEND}"
    )


def language(row: Mapping[str, Any], file: str) -> str:
    """``en`` or ``zh``: the field ``language``, else what the name of the file or of a folder above it says.

    Args:
        row: its fields.
        file: relative to the data, as ``zh/parsing.json`` or ``parsing_zh.json``; the name counts before the folders.

    Raises:
        DataError: neither says it, the field names another language, or the file's name names both.
    """
    given = text(row, "language", "")
    if given:
        if found := LANGUAGES.get(given.casefold().replace("_", "-")):
            return found
        raise DataError(f"language is {shown(given)}, neither en nor zh; {MEND}")
    return language_of_name(file)


@lru_cache(1024)
def language_of_name(file: str) -> str:
    """The language that the name of a file, or else of the nearest folder above it, says.

    Raises:
        DataError: none does, or one says both.
    """
    for part in reversed(PurePosixPath(file).parts):
        found = {LANGUAGES[word] for word in re.split(r"[^a-z]+", part.casefold()) if word in LANGUAGES}
        if len(found) == 1:
            return found.pop()
        if found:
            raise DataError(f"{part} names both languages: add the field language (en or zh) to the rows")
    raise DataError("no language is given: add the field language (en or zh), or call the file parsing_en.json")

"""The short way to elements: an answer that is one flat list of objects in correct JSON, as most answers are.

It reads only what cannot be read in two ways, and gives what `snellen.readers._box_elements` gives, ten times faster;
everything else, a slip of the pen included, is left to that.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from snellen.readers._box_elements import KIND_KEYS, TEXT_KEYS, kind_of
from snellen.readers.plain_text import flatten

Quick = tuple[str, str, tuple[float, ...]]
"""Kind, description and four numbers of an element."""

_BOX_KEYS: Final = frozenset(("bbox_2d", "bbox", "box", "coordinates"))
_KINDS: Final = tuple(key for key in KIND_KEYS if key.isascii())
_TEXTS: Final = tuple(key for key in TEXT_KEYS if key.isascii() and key not in ("content", "element", "ref", "alt"))
_WORDS: Final = frozenset((*_KINDS, *_TEXTS)) - {"class", "elementtype"}
_COUNTS: Final = frozenset(("index", "id"))
_FENCES: Final = ("```json\n", "```\n")
_QUOTES: Final = frozenset("“”")


def elements(text: str) -> list[Quick] | None:
    """The elements of such an answer; None for any other.

    >>> elements('[{"type": "icon", "description": "search", "bbox_2d": [1, 2, 3, 4]}]')
    [('icon', 'search', (1.0, 2.0, 3.0, 4.0))]
    """
    listed = text.strip()
    for fence in _FENCES:
        if listed.startswith(fence) and listed.endswith("\n```"):
            listed = listed[len(fence) : -4].strip()
    # Escapes, and quotes in the text that the tolerant reader takes for quotes of JSON, are its business.
    if listed[:2] == "[]" or listed[:1] != "[" or listed[-1:] != "]" or "\\" in listed:
        return None
    if not listed.isascii() and (_QUOTES & set(listed) or flatten(listed).count('"') != listed.count('"')):
        return None
    try:
        rows = json.loads(listed, object_pairs_hook=_Pairs, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None
    found = [_element(row) for row in rows]
    return None if not found or None in found else found  # type: ignore[return-value]


class _Pairs(list[tuple[str, Any]]):
    """An object, with keys that stand twice."""


def _element(row: object) -> Quick | None:
    if not isinstance(row, _Pairs):
        return None
    box: tuple[float, ...] | None = None
    said: dict[str, str] = {}
    for key, value in row:
        if key in _WORDS and isinstance(value, str) and len(value) < 1000 and key not in said:
            said[key] = value.strip()
        elif key in _BOX_KEYS and box is None and isinstance(value, list):
            box = _box(value)
            if box is None:
                return None
        elif not (key in _COUNTS and type(value) is int and value >= 0):
            return None
    if box is None:
        return None
    kind = next((said[key] for key in _KINDS if said.get(key)), "")
    return kind_of(kind), next((said[key] for key in _TEXTS if said.get(key)), ""), box


def _box(values: Sequence[Any]) -> tuple[float, ...] | None:
    if len(values) != 4 or not all(type(value) in (int, float) and 0 <= value < 1e9 for value in values):
        return None
    return tuple(map(float, values)) if any(values) else None


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is no number of JSON")

"""What the commas, dots, spaces and apostrophes between digits mean.

`1,234` and `1 234` and `1'234` group thousands, `12,34,567` does so the Indian way; `0,48` and `3,5` are European
decimals (one comma, and not three digits behind it or a zero before it); `1,2,3` is a list; `1.234.567` groups
thousands, `1.2.3` is a version and no number. `[100,200]` and `(100,200)` hold two numbers. A dot with three digits
behind it, `1.234`, is a decimal.
"""

from __future__ import annotations

import re
from typing import Final

from snellen.readers.pattern import Pattern

CLUSTER: Final = Pattern(r"\d+(?>(?:[,.'_]\d+|[ ]\d++(?![ ]?/)|\{,\}\d+){0,999})")
"""A run of digits and separators; atomic, so that it is taken in whole once and never given back. No possessive repeat:
up to Python 3.11.4 that one matches too much where what is repeated can itself give back.

Of a thousand groups at most: what is found in it is worked out at once, however few numbers are asked for.
"""


_MOST_GROUPS: Final = 8  # no chart holds a number of 22 digits; the limit keeps long rows of ticks linear
_THREE: Final = Pattern(r"\d{3}\Z")
_THREE_AND_DECIMALS: Final = Pattern(r"\d{3}(?:[.,]\d{1,12})?\Z")


def literals(text: str, start: int, cluster: str) -> list[tuple[int, int, float, bool]]:
    """The numbers in one run of digits and separators: (start, end, value, whether it is a bare whole number)."""
    chunks: list[tuple[int, str]] = []
    offset = start
    for chunk in cluster.split(" "):
        chunks.append((offset, chunk))
        offset += len(chunk) + 1
    result: list[tuple[int, int, float, bool]] = []
    index = 0
    while index < len(chunks):
        count, one_number = _spaced_thousands(chunks, index)
        if one_number:
            begin, end = chunks[index][0], chunks[index + count - 1][0] + len(chunks[index + count - 1][1])
            digits = "".join(chunk for _, chunk in chunks[index : index + count]).replace(",", ".")
            result.append((begin, end, float(digits), False))
        else:
            for begin, piece in chunks[index : index + count]:
                result.extend(_chunk(text, begin, piece))
        index += count
    return result


def _spaced_thousands(chunks: list[tuple[int, str]], index: int) -> tuple[int, bool]:
    """How many chunks from `index` on belong together, and whether they are one number with its thousands set apart.

    Axis ticks ("100 200 300 400") look the same: with three digits in front, only two chunks are taken for one number.
    """
    first = chunks[index][1]
    if not (first.isdigit() and len(first) <= 3 and not first.startswith("0")):
        return 1, False
    count = 1
    while index + count < len(chunks) and count < _MOST_GROUPS and _THREE.match(chunks[index + count][1]):
        count += 1
    following = chunks[index + count][1] if index + count < len(chunks) else ""
    if following and not following.isdigit():
        count += _THREE_AND_DECIMALS.match(following) is not None
    elif following and len(following) <= 3:
        return count, False  # 1 234 56: no grouping, or too many groups
    return count, count > 1 and not (len(first) == 3 and count > 2)


def _chunk(text: str, start: int, chunk: str) -> list[tuple[int, int, float, bool]]:
    end = start + len(chunk)
    if chunk.isdigit():
        return [(start, end, float(chunk), True)]
    plain = chunk.replace("{,}", ",")
    separators = {c for c in plain if not c.isdigit()}
    pieces = re.split(r"[,.'_]", plain)
    grouped = 0 < len(pieces[0]) <= 3 and pieces[0][0] != "0" and all(len(piece) == 3 for piece in pieces[1:])
    if separators == {","}:
        enclosed = text[start - 1 : start] in ("(", "[") and text[end : end + 1] in (")", "]")
        if len(pieces) == 2 and enclosed and "{" not in chunk:
            return _list(start, chunk)
        indian = (
            len(pieces) > 2 and len(pieces[0]) <= 2 and len(pieces[-1]) == 3 and {len(p) for p in pieces[1:-1]} == {2}
        )
        if grouped or indian:
            return [(start, end, float("".join(pieces)), False)]
        if len(pieces) == 2 and (pieces[0] == "0" or len(pieces[1]) <= 2) and len(pieces[0]) <= 3:
            return [(start, end, float(".".join(pieces)), False)]
        return _list(start, chunk)
    if separators == {"."}:
        if len(pieces) == 2:
            return [(start, end, float(plain), False)]
        address = len(pieces) == 4 and all(len(piece) <= 3 and int(piece) < 256 for piece in pieces)
        return [(start, end, float("".join(pieces)), False)] if grouped and not address else []
    if separators in ({"'"}, {"_"}):
        return [(start, end, float("".join(pieces)), False)] if grouped else []
    whole, last = pieces[:-1], pieces[-1]
    seps = [c for c in plain if not c.isdigit()]
    if (
        len(whole[0]) <= 3
        and all(len(piece) == 3 for piece in whole[1:])
        and len(set(seps[:-1])) == 1
        and seps[-1] in ".,"
    ):
        return [(start, end, float("".join(whole) + "." + last), False)]
    return _list(start, chunk)


def _list(start: int, chunk: str) -> list[tuple[int, int, float, bool]]:
    """Numbers set apart by commas without a space: `1,2,3`, `1.5,2.5`."""
    result = []
    for found in re.finditer(r"[^,{}]+", chunk):
        piece = found.group()
        if re.fullmatch(r"\d+(?:\.\d+)?", piece):
            result.append((start + found.start(), start + found.end(), float(piece), piece.isdigit()))
    return result

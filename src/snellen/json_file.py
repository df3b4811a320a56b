"""Reading a JSON file that came from elsewhere: what is wrong with it is said in words that help.

A file that "is not JSON" is nearly always something nameable: a web page that was saved instead of the raw file, a Git
LFS pointer, half a download, an archive, a text that some program saved again in another encoding.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from snellen.errors import DataError


class Pairs(tuple[tuple[str, Any], ...]):
    """A JSON object as it stands in the file: unlike a dict, it still shows a key that stands there twice.

    >>> json.loads('{"a": 1, "a": 2}', object_pairs_hook=Pairs)
    (('a', 1), ('a', 2))
    """


def read(file: Path, advice: str = "") -> Any:
    """The file's content, every object in it as `Pairs`, in the file's order.

    Args:
        file: UTF-8 without a byte order mark.
        advice: added to every error, as a sentence: where to get the right file.

    Raises:
        DataError: the file is absent, unreadable, empty, or something else than JSON, with what it seems to be.
    """

    def refuse(what: str) -> DataError:
        return DataError(f"{what}. {advice}" if advice else what, file=str(file))

    try:
        raw = file.read_bytes()
    except FileNotFoundError as error:
        raise refuse("there is no such file") from error
    except OSError as error:
        raise refuse(f"the file cannot be read: {error.strerror or error}") from error
    if seems := _seems(raw):
        raise refuse(seems)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise refuse(f"the file is not UTF-8 (byte {error.start}): save it as UTF-8") from error
    try:
        return json.loads(text, object_pairs_hook=Pairs)
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            raise refuse(f"the file ends in the middle, so it is not complete (line {error.lineno})") from error
        raise refuse(f"the file is not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, thousands of nested brackets
        raise refuse(f"the file is not JSON that can be read: {error}") from error


def _seems(raw: bytes) -> str:
    """What a file plainly is instead of JSON, by its first bytes; empty if nothing."""
    start = raw[:200].lstrip().lower()
    if not start:
        return "the file is empty"
    if start.startswith(b"version https://git-lfs"):
        return "the file is a Git LFS pointer, not the data (run `git lfs pull`)"
    if start.startswith((b"<!doctype", b"<html", b"<?xml")):
        return "the file is a web page, not the data (the page was saved instead of the raw file)"
    if raw.startswith((b"\x1f\x8b", b"PK\x03\x04")):
        return "the file is compressed: unpack it first"
    if raw.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return "the file begins with a byte order mark, so some program has saved it again: save it as plain UTF-8"
    return ""


def shown(value: Any) -> str:
    """A value from a file for a message: at most 80 characters, and nothing that could steer a terminal.

    >>> shown("a\\x1bb")
    "'a\\\\x1bb'"
    """
    if isinstance(value, Pairs):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = repr(value[:80] if isinstance(value, str) else value)
    return text if len(text) <= 80 else text[:77] + "..."

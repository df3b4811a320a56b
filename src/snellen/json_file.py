"""Reading a JSON file that came from elsewhere, in little memory: what is wrong with it is said in words that help.

A file that "is not JSON" is nearly always something nameable: a web page that was saved instead of the raw file, a Git
LFS pointer, half a download, an archive, a text that some program saved again in another encoding.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from snellen.errors import DataError

_PIECE = 1 << 18
_BEGUN = 16  # the longest word that means nothing before it is whole, "-Infinity", with a \uXXXX escape to spare
_blank = re.compile(r"[ \t\n\r]*").match


class Pairs(tuple[tuple[str, Any], ...]):
    """A JSON object as it stands in the file: unlike a dict, it still shows a key that stands there twice.

    >>> json.loads('{"a": 1, "a": 2}', object_pairs_hook=Pairs)
    (('a', 1), ('a', 2))
    """


def members(file: Path, advice: str = "", holds: str = "one JSON object") -> Iterator[tuple[str, Any]]:
    """The members of the object that a file holds, in its order: key and value, every object in a value as `Pairs`.

    The file is read as far as it is asked for, and no more of it is kept than the longest member (256 KiB at least), so
    what is wrong further down is found after the members before it. A key that stands there twice comes twice.

    Args:
        file: UTF-8 without a byte order mark.
        advice: added to every error, as a sentence: where to get the right file.
        holds: what the file must hold, for the error where it is a list, a number or a text.

    Raises:
        DataError: the file is absent, unreadable, empty, or something else than JSON, with what it seems to be.
    """

    yield from _parts(file, advice, holds, "{", _member)


def elements(file: Path, advice: str = "", holds: str = "one JSON list") -> Iterator[Any]:
    """The elements of the list that a file holds, in its order, every object in them as `Pairs`.

    Read as `members` reads: in little memory, and what is wrong further down is found after the elements before it.

    Args:
        file: UTF-8 without a byte order mark.
        advice: added to every error, as a sentence: where to get the right file.
        holds: what the file must hold, for the error where it is an object, a number or a text.

    Raises:
        DataError: the file is absent, unreadable, empty, or something else than JSON, with what it seems to be.
    """
    yield from _parts(file, advice, holds, "[", _element)


def lines(file: Path, advice: str = "") -> Iterator[tuple[int, Any | DataError]]:
    """(number of the line from 1, its value) of a JSON Lines file, every object in a value as `Pairs`.

    Blank lines are passed over. A line that is not JSON is a `DataError` in its place, and the lines after it go on. No
    more is kept than the longest line.

    Args:
        file: UTF-8 without a byte order mark, one JSON value a line.
        advice: added to every error, as a sentence: where to get the right file.

    Raises:
        DataError: the file is absent, unreadable, or plainly something else, with what it seems to be.
    """

    def refuse(what: str) -> DataError:
        return DataError(f"{what}. {advice}" if advice else what, file=str(file))

    decode = json.JSONDecoder(object_pairs_hook=Pairs).decode
    try:
        with file.open("rb") as stream:
            if seems := _seems(stream.peek(200)):
                raise refuse(seems)
            for number, raw in enumerate(stream, 1):
                if not raw.strip():
                    continue
                try:
                    yield number, decode(raw.decode().strip())
                except UnicodeDecodeError as error:
                    yield number, DataError(f"the line is not UTF-8 (byte {error.start}): save it as UTF-8")
                except json.JSONDecodeError as error:
                    yield number, DataError(f"the line is not JSON: {error.msg} (column {error.colno})")
                except (ValueError, RecursionError) as error:
                    yield number, DataError(f"the line is not JSON that can be read: {error}")
    except FileNotFoundError as error:
        raise refuse("there is no such file") from error
    except OSError as error:
        raise refuse(f"the file cannot be read: {error.strerror or error}") from error


_Found = tuple[tuple[Any] | None, int, bool]
"""(what begins there, the place after the comma or bracket behind it, whether it is the last); None: nothing is in."""


def _parts(file: Path, advice: str, holds: str, bracket: str, one: Callable[..., _Found]) -> Iterator[Any]:
    def refuse(what: str) -> DataError:
        return DataError(f"{what}. {advice}" if advice else what, file=str(file))

    try:
        with file.open("rb") as stream:
            yield from _within(_Window(stream, refuse), holds, bracket, one)
    except FileNotFoundError as error:
        raise refuse("there is no such file") from error
    except OSError as error:
        raise refuse(f"the file cannot be read: {error.strerror or error}") from error


class _Window:
    """The part of a file that is being parsed, as text; what lies before `start` is let go of when more is read."""

    def __init__(self, stream: BinaryIO, refuse: Callable[[str], DataError]) -> None:
        self.text, self.start, self.complete = "", 0, False
        self.refuse = refuse
        self._stream, self._bytes = stream, 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._line, self._column = 1, 0  # of the text's first character, from 1 and from 0

    def more(self) -> bool:
        """Read on, twice as far where one member fills the window; False at the file's end."""
        if self.complete:
            return False
        raw = self._stream.read(max(_PIECE, len(self.text) - self.start))
        if not self._bytes and (seems := _seems(raw)):
            raise self.refuse(seems)
        self.complete = not raw
        pending = len(self._decoder.getstate()[0])
        try:
            text = self._decoder.decode(raw, final=self.complete)
        except UnicodeDecodeError as error:
            place = self._bytes - pending + error.start
            raise self.refuse(f"the file is not UTF-8 (byte {place}): save it as UTF-8") from error
        self._bytes += len(raw)
        self._line, self._column = self._place(self.start)
        self.text, self.start = self.text[self.start :] + text, 0
        return True

    def blank(self) -> str:
        """Go past white space, and give the character behind it; nothing at the file's end."""
        while True:
            self.start = _after_blank(self.text, self.start)
            if self.start < len(self.text) or not self.more():
                return self.text[self.start : self.start + 1]

    def wrong(self, error: json.JSONDecodeError) -> DataError:
        """What the parser's error means."""
        line, column = self._place(error.pos)
        if error.pos >= len(self.text.rstrip()) or error.msg.startswith("Unterminated string"):
            return self.refuse(f"the file ends in the middle, so it is not complete (line {line})")
        return self.refuse(f"the file is not JSON: {error.msg} (line {line}, column {column + 1})")

    def _place(self, at: int) -> tuple[int, int]:
        newline = self.text.rfind("\n", 0, at)
        column = at - newline - 1 if newline >= 0 else self._column + at
        return self._line + self.text.count("\n", 0, at), column


def _within(window: _Window, holds: str, bracket: str, one: Callable[..., _Found]) -> Iterator[Any]:
    decode = json.JSONDecoder(object_pairs_hook=Pairs).raw_decode
    first = window.blank()
    if not first:
        raise window.refuse("the file is empty")
    if first != bracket:
        if first in '{["-0123456789tfnIN':
            raise window.refuse(f"the file must hold {holds}")
        raise window.wrong(json.JSONDecodeError("Expecting value", window.text, window.start))
    window.start, opened = window.start + 1, True
    while True:
        try:
            part = one(decode, window.text, window.start, opened)
        except json.JSONDecodeError as error:
            # Half a part is no error yet; one well before the end of the window will not be mended by more text.
            begun = error.pos >= len(window.text) - _BEGUN or error.msg.startswith("Unterminated string")
            if begun and window.more():
                continue
            raise window.wrong(error) from error
        except (ValueError, RecursionError) as error:  # a number of thousands of digits, thousands of nested brackets
            raise window.refuse(f"the file is not JSON that can be read: {error}") from error
        window.start, opened = part[1], False
        if part[0] is not None:
            yield part[0][0]
        if part[2]:
            break
    if window.blank():
        raise window.wrong(json.JSONDecodeError("Extra data", window.text, window.start))


def _member(decode: Callable[[str, int], tuple[Any, int]], text: str, at: int, opened: bool) -> _Found:
    """The member of an object that begins there, as (key, value). Raises as `json.loads` does."""
    at = _after_blank(text, at)
    if opened and text[at : at + 1] == "}":
        return None, at + 1, True
    if text[at : at + 1] != '"':
        raise json.JSONDecodeError("Expecting property name enclosed in double quotes", text, at)
    key, at = decode(text, at)
    at = _after_blank(text, at)
    if text[at : at + 1] != ":":
        raise json.JSONDecodeError("Expecting ':' delimiter", text, at)
    value, at = decode(text, _after_blank(text, at + 1))
    at = _after_blank(text, at)
    if text[at : at + 1] not in (",", "}"):
        raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
    return ((key, value),), at + 1, text[at] == "}"


def _element(decode: Callable[[str, int], tuple[Any, int]], text: str, at: int, opened: bool) -> _Found:
    """The element of a list that begins there. Raises as `json.loads` does."""
    at = _after_blank(text, at)
    if opened and text[at : at + 1] == "]":
        return None, at + 1, True
    value, at = decode(text, at)
    at = _after_blank(text, at)
    if text[at : at + 1] not in (",", "]"):
        raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
    return (value,), at + 1, text[at] == "]"


def _after_blank(text: str, at: int) -> int:
    match = _blank(text, at)
    return match.end() if match else at


def _seems(raw: bytes) -> str:
    """What a file plainly is instead of JSON, by its first bytes; empty if nothing."""
    start = raw.lstrip()[:200].lower()
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

    >>> shown("a\\x1bb"), shown(None)
    ("'a\\\\x1bb'", 'null')
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]  # as the file spells it
    if isinstance(value, Pairs):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = repr(value[:80] if isinstance(value, str) else value)
    return text if len(text) <= 80 else text[:77] + "..."

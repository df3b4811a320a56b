"""The page in Chinese: its words are exchanged in the finished page, text by text, by a phrase book.

Words of the page come from many places, and most are shared with the terminal, which speaks English. So the page is
made in English, and every text between two tags is looked up, as a whole or sentence by sentence, in
`templates/chinese.txt`. What models, judges and benchmarks said stands in elements of its own (`_FOREIGN`) and is left
alone, as are names and commands; what the book does not know stays English. Texts are taken out of their escapes,
looked up and escaped anew, so that nothing that was text becomes markup.

The book has an English line, then its Chinese line after ``= ``. In both, ``{n}``, ``{n2}`` are numbers, ``{t}`` words
that are looked up in turn, ``{l}`` a list of such, and ``{x}`` what stays as it is.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

_TAG = re.compile(r"(<[^>]*>)")
_NAME = re.compile(r"</?([a-zA-Z0-9]+)")
_CLASS = re.compile(r'\sclass="([^"]*)"')
_LABEL = re.compile(r'(\saria-label=")([^"]*)(")')
_LETTERS = re.compile(r"[A-Za-z]{2}")
_SENTENCE = re.compile(r"(?<=[.?!;])\s+(?=[A-Z0-9])")
_HOLE = re.compile(r"\{([a-z])(\d*)\}")
_VOID = frozenset(("meta", "link", "img", "br", "image", "use", "path", "rect", "circle", "line", "hr", "input", "col"))
_FOREIGN = frozenset(("text", "name", "run-name"))
_UNTOUCHED = frozenset(("style", "script", "code", "cite", "defs", "i"))
_OUTCOMES = frozenset(("Right", "Wrong", "Unclear"))  # a benchmark's label may have these names too
_HOLES = {"n": r"[-+−]?\d[\d,.]*", "t": ".+?", "l": ".+?", "x": ".+?"}
_DEPTH = 4
_LONGEST = 4_000  # characters of a text that is taken apart: nobody but others wrote a longer one
_LOOSE = 8  # characters of a phrase that fits nearly anything


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A phrase with holes, and how many characters it has besides them."""

    pattern: re.Pattern[str]
    holes: tuple[tuple[str, str], ...]
    chinese: str
    words: int


@dataclass(slots=True)
class _Book:
    """What is known, and what was looked up."""

    exact: dict[str, str] = field(default_factory=dict)
    phrases: list[_Phrase] = field(default_factory=list)


@cache
def book() -> _Book:
    """The phrase book."""
    found = _Book()
    for english, chinese in entries():
        if not _HOLE.search(english):
            found.exact[english] = chinese
            continue
        pattern, at, holes = "", 0, []
        for hole in _HOLE.finditer(english):
            pattern += re.escape(english[at : hole.start()]) + f"({_HOLES[hole[1]]})"
            holes.append((hole[0], hole[1]))
            at = hole.end()
        whole = re.compile(pattern + re.escape(english[at:]), re.DOTALL)
        found.phrases.append(_Phrase(whole, tuple(holes), chinese, len(_HOLE.sub("", english))))
    found.phrases.sort(key=lambda phrase: -phrase.words)  # "{t}: {t2}" comes after what begins with a word and a colon
    return found


def entries() -> Iterator[tuple[str, str]]:
    """(English, Chinese) in the order of the book."""
    text = (resources.files("snellen.report") / "templates" / "chinese.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    for english, chinese in zip(lines[::2], lines[1::2], strict=True):
        yield english, chinese.removeprefix("= ")


class Translator:
    """Puts pages into Chinese; it remembers what it looked up."""

    def __init__(self) -> None:
        self._known: dict[str, str | None] = {}
        self._titles: list[str] = []
        self.unknown: dict[str, None] = {}

    def page(self, text: str) -> str:
        """A whole page, whose language becomes Chinese."""
        pieces = _TAG.split(text.replace('<html lang="en">', '<html lang="zh-Hans">', 1))
        inside: list[tuple[str, bool, bool]] = []
        self._titles = [html.unescape(piece).strip() for piece in pieces[::2] if "…" not in piece and len(piece) < 120]
        for number, piece in enumerate(pieces):
            if number % 2:
                pieces[number] = self._tag(piece, inside)
            elif _LETTERS.search(piece) and not (inside and inside[-1][1]):
                where = inside[-1] if inside else ("", False, False)
                pieces[number] = self._text(piece, where[0] in ("li", "h4") and not where[2])
        return "".join(pieces)

    def _tag(self, tag: str, inside: list[tuple[str, bool, bool]]) -> str:
        name = _NAME.match(tag)
        if name is None:
            return tag
        kind = name[1].lower()
        if tag.startswith("</"):
            while inside and inside.pop()[0] != kind:
                pass
        elif kind not in _VOID and not tag.endswith("/>"):
            classes = frozenset(found[1].split()) if (found := _CLASS.search(tag)) else frozenset()
            before = inside[-1] if inside else ("", False, False)
            drawn = kind == "title" and any(each == "svg" for each, _, _ in inside)  # what an element on a screen says
            left = before[1] or drawn or kind in _UNTOUCHED or ' dir="auto"' in tag or bool(classes & _FOREIGN)
            inside.append((kind, left, before[2] or "tags" in classes))
        return _LABEL.sub(lambda label: label[1] + html.escape(self.words(html.unescape(label[2]))) + label[3], tag)

    def _text(self, piece: str, outcome: bool) -> str:
        text = html.unescape(piece)
        lead, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        middle = text.strip()
        if middle in _OUTCOMES and not outcome:
            return piece
        said = self.words(middle)
        return piece if said == middle else html.escape(lead + said + tail, quote=False)

    def words(self, text: str) -> str:
        """Chinese for a text; itself where the book does not know it."""
        plain = " ".join(text.split())
        found = self._look(plain, 0)
        if found is None:
            self.unknown[plain] = None
        return text if found is None else found

    def _look(self, text: str, depth: int) -> str | None:
        if not _LETTERS.search(text):
            return text
        if text not in self._known:
            self._known[text] = None  # in case a phrase leads back to itself
            self._known[text] = self._found(text, depth)
        return self._known[text]

    def _found(self, text: str, depth: int) -> str | None:
        known = book()
        if text in known.exact or len(text) > _LONGEST:
            return known.exact.get(text)
        if (said := self._phrased(text, depth, loose=False)) is not None:
            return said
        sentences = _SENTENCE.split(text)
        if len(sentences) > 1:
            parts = [self._look(each, depth + 1) for each in sentences]
            if any(part is not None and part != each for part, each in zip(parts, sentences, strict=True)):
                self.unknown |= dict.fromkeys(each for part, each in zip(parts, sentences, strict=True) if part is None)
                return "".join(part or f" {each} " for part, each in zip(parts, sentences, strict=True)).strip()
        elif (said := self._phrased(text, depth, loose=True)) is not None:
            return said
        if "…" in text:
            return self._cut(text, depth)
        lower = text[:1].lower() + text[1:]
        upper = text[:1].upper() + text[1:]
        return known.exact.get(lower) or known.exact.get(upper)

    def _phrased(self, text: str, depth: int, *, loose: bool) -> str | None:
        """By a phrase with holes; in a loose one all that is looked up in turn must be known."""
        for phrase in book().phrases if depth < _DEPTH else ():
            if (phrase.words <= _LOOSE) is not loose or not (match := phrase.pattern.fullmatch(text)):
                continue
            said = phrase.chinese
            for (hole, kind), words in zip(phrase.holes, match.groups(), strict=True):
                if loose and kind == "t" and self._look(words, depth + 1) is None:
                    break
                said = said.replace(hole, self._filled(kind, words, depth))
            else:
                return said
        return None

    def _filled(self, kind: str, words: str, depth: int) -> str:
        if kind == "t":
            return self._look(words, depth + 1) or words
        if kind == "l":
            parts = re.split(r"(, |; | and )", words)
            marks = {", ": "，", "; ": "；", " and ": "、"}
            return "".join(
                marks[each] if k % 2 else self._look(each, depth + 1) or each for k, each in enumerate(parts)
            )
        return words

    def _cut(self, text: str, depth: int) -> str | None:
        """A title that a figure cut, by the whole of it elsewhere on the page."""
        begin, _, end = text.partition("…")
        for title in self._titles:
            if len(title) > len(text) and title.startswith(begin.strip()) and title.endswith(end.strip()):
                found = self._look(title, depth + 1)
                if found is not None and found != title:
                    return found
        return None

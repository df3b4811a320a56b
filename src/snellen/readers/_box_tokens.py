"""Answers about places as a tree of tokens: brackets, names, strings and numbers, whatever is wrong with the syntax.

JSON that is cut off, has comments, single quotes or trailing commas, Python calls, tags and prose all become the same
kind of tree, so that one reader does for all of them. What has digits and is no number of its own (``2d``, ``3rd``,
``9:41``, ``1920x1080``, ``1.2.3``, list numbers) is set apart here. One pass, linear in the length of the text.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Final, Literal

from snellen.readers.pattern import Pattern
from snellen.readers.plain_text import flatten

Kind = Literal["number", "word", "string", "separator", "assign", "tag", "line", "junk", "mark"]

DEEPEST: Final = 40
"""Brackets within brackets that are told apart; deeper ones are left out."""

_CLOSES: Final = {")": "(", "]": "[", "}": "{", "】": "【", ">": "<"}
_NOT_FINITE: Final = frozenset({"nan", "inf", "infinity"})
_NULLS: Final = frozenset({"null", "none", "undefined", "nil"})
_QUOTES: Final = {ord("“"): '"', ord("”"): '"'}
_TOKEN: Final = Pattern(
    r"(?P<loc><loc_?\d{1,4}>)"
    r"|(?P<tag></?\|?/?[A-Za-z][\w-]{0,39}\|?/?>)"
    r"|(?P<open>[\[({【]|<(?=[A-Za-z][\w-]{0,30}\s))"
    r"|(?P<close>[\])}】>])"
    r"|(?P<quote>[\"'])"
    r"|(?P<junk>(?:(?<=\n)|\A)[ ]{0,8}(?:[-*•·>]{1,2}[ ]{1,3})?(?:\*\*)?\(?\d{1,3}(?:[.):](?=[ ]{0,4}[^\s\d.])|"
    r"、(?=\D))"
    r"|(?<![\w.])\d++:\d++(?::\d++)?"
    r"|\d++(?:\.\d++)?+[ ]?[x×X*][ ]?\d++"
    r"|\d++\.\d++(?:\.\d++)++|\d++(?:[/]\d++)++|\d{4}-\d{1,2}-\d{1,2}(?!\d)"
    r"|[#$№€£¥][ ]?\d++|第[ ]?\d++"
    r"|\d++(?:\.\d++)?+(?!(?:px|pt|dp)(?![0-9A-Za-z_])|[eE][-+]?\d)[A-Za-z_][0-9A-Za-z_]*+|"
    r"\d++(?:\.\d++)?+[ ]?[个号项行列月日年秒]"
    r"|https?://[^\s\"'<>]++)"
    r"|(?P<number>(?:(?<![0-9A-Za-z_)\]])[-+])?(?:\d++(?:\.\d++)?+|\.\d++)(?:[eE][-+]?\d{1,5}(?!\d))?+"
    r"(?:[ ]?%|(?:px|pt|dp)(?![0-9A-Za-z_]))?)"
    r"|(?P<word>[A-Za-z_][0-9A-Za-z_]*+(?:\.[0-9A-Za-z_]++)*+|[\u4e00-\u9fff]++)"
    r"|(?P<separator>[,;、])"
    r"|(?P<assign>[:=])"
    r"|(?P<line>\n)"
    r"|(?P<comment>//|/\*|\#(?=[ ]))"
    r"|(?P<mark>\\[A-Za-z]*|[^\s])"
)  # fmt: skip
_STRING_ENDS: Final = {
    quote: Pattern(rf"(?<!\\){quote}(?=[^\S\n]*+(?:[,:\]}})>=;\n]|\Z|//|\#))") for quote in ('"', "'")
}
_BEFORE_STRING: Final = frozenset("[{(,:=【")


@dataclass(slots=True)
class Token:
    """A piece of the text that stands for itself.

    Attributes:
        kind: what it is; ``mark`` is any other sign.
        start, end: its place in the text.
        text: in ASCII digits and punctuation; of a string, what stands between the quotes.
        value: of a number; NaN for words like ``NaN`` and ``null``.
        percent: whether a percent sign follows.
        null: whether it is a word for nothing.
        bins: 1000 or 1024 for a location token, else 0.
    """

    kind: Kind
    start: int
    end: int
    text: str = ""
    value: float = math.nan
    percent: bool = False
    null: bool = False
    bins: int = 0


@dataclass(slots=True, eq=False)
class Group:
    """What stands between brackets, or the whole text.

    Attributes:
        bracket: the opening one; empty for the whole text or a string.
        start, end: with the brackets.
        parent: the group around it.
        children: in order.
        closed: whether its closing bracket is there.
    """

    bracket: str
    start: int
    end: int
    parent: Group | None = None
    children: list[Token | Group] = field(default_factory=list)
    closed: bool = False


def flat(text: str) -> str:
    """The same text, character for character, in ASCII digits, punctuation and double quotes."""
    return flatten(text).translate(_QUOTES)


def tree(text: str, offset: int = 0) -> Group:
    """The tokens of a text that `flat` has seen, in groups; `offset` is added to every place.

    >>> [type(node).__name__ for node in tree("at (1, 2)").children]
    ['Token', 'Group']
    """
    return _Builder(text, offset).build()


class _Builder:
    def __init__(self, text: str, offset: int) -> None:
        self.text = text
        self.offset = offset
        self.root = self.here = Group("", offset, offset + len(text), closed=True)
        self.depth = 0
        self.open_brackets = dict.fromkeys("([{【<", 0)
        self.ends: dict[str, list[int]] = {}
        self.before = "\n"  # the last sign that was no space

    def build(self) -> Group:
        text, position = self.text, 0
        search = _TOKEN.search
        while (found := search(text, position)) is not None:
            kind = found.lastgroup or ""
            start, position = found.start(), found.end()
            if kind == "open":
                self._open(text[start], start)
            elif kind == "close":
                self._close(text[start], position)
            elif kind == "quote":
                position = self._quote(text[start], start)
            elif kind == "comment":
                position = self._comment(found[0], start)
            else:
                self._add(kind, start + self.offset, position + self.offset, found[0])
            if text[position - 1] != "\\":
                self.before = text[position - 1]
        while self.here.parent is not None:
            self.here = self.here.parent
        return self.root

    def _add(self, kind: str, start: int, end: int, said: str) -> None:
        add = self.here.children.append
        if kind == "number":
            percent = said.endswith("%")
            digits = said.rstrip("% pxtd")
            add(Token("number", start, start + len(digits), digits, float(digits), percent))
        elif kind == "word":
            low = said.lower()
            if low in _NULLS or low in _NOT_FINITE:
                add(Token("number", start, end, said, null=low in _NULLS))
            else:
                add(Token("word", start, end, said))
        elif kind == "loc":
            digits = "".join(filter(str.isdigit, said))
            bins = 1000 if "_" in said else 1024
            add(Token("number", end - 1 - len(digits), end - 1, digits, float(digits), bins=bins))
        else:
            add(Token(kind, start, end, said))  # type: ignore[arg-type]

    def _open(self, bracket: str, start: int) -> None:
        if self.depth >= DEEPEST:
            return
        group = Group(bracket, start + self.offset, self.root.end, self.here)
        self.here.children.append(group)
        self.here = group
        self.depth += 1
        self.open_brackets[bracket] += 1

    def _close(self, sign: str, end: int) -> None:
        bracket = _CLOSES[sign]
        if not self.open_brackets[bracket]:
            if bracket not in "([" or self.here.bracket not in ("(", "["):
                return
            bracket = self.here.bracket  # "(1, 2]": one of them is a slip
        while True:
            group = self.here
            assert group.parent is not None
            group.end = end + self.offset
            self.here = group.parent
            self.depth -= 1
            self.open_brackets[group.bracket] -= 1
            if group.bracket == bracket:
                group.closed = True
                return

    def _quote(self, quote: str, start: int) -> int:
        """Adds the string that starts here, or takes the quote for a mark; where to go on."""
        attribute = self.here.bracket == "<" or (self.before == "=" and not self.depth)
        if not (self.before in _BEFORE_STRING or (self.before == "\n" and self.depth)) or not (self.depth or attribute):
            self._add("mark", start + self.offset, start + 1 + self.offset, quote)
            return start + 1
        end = self.text.find(quote, start + 1, start + 4000) if attribute else self._end(quote, start + 1)
        closing = end >= 0
        if not closing:
            end = self.text.find("\n", start)
            end = len(self.text) if end < 0 else end
        said = self.text[start + 1 : end]
        self._add("string", start + 1 + self.offset, end + self.offset, said)
        return end + closing

    def _end(self, quote: str, start: int) -> int:
        if quote not in self.ends:
            self.ends[quote] = [found.start() for found in _STRING_ENDS[quote].finditer(self.text)]
        ends = self.ends[quote]
        at = bisect_left(ends, start)
        return ends[at] if at < len(ends) else -1

    def _comment(self, sign: str, start: int) -> int:
        """Passes over a comment within brackets; where to go on."""
        if not self.depth or self.here.bracket == "(":
            return start + len(sign)
        if sign == "/*":
            end = self.text.find("*/", start, start + 4000)
            return end + 2 if end >= 0 else start + 2
        end = self.text.find("\n", start)
        return len(self.text) if end < 0 else end

"""Places in an answer: every pair or four of numbers that its syntax or its words declare to be one.

Works on the tree of `snellen.readers._box_tokens`. A place is found, not yet read: what its numbers mean is the
convention's to say, unless they have names (``x=1, y=2``, ``left 1, top 2, ...``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from snellen.readers import _box_words as words
from snellen.readers._box_place import FILLERS, NUMBER, THOUGHT, Finder, Form, Place, Setting, bare, chain_of, is_pair
from snellen.readers._box_tokens import Group, Token, tree
from snellen.readers.pattern import Pattern

_NESTED_STRINGS: Final = 3
_NAMES: Final[tuple[tuple[Form, tuple[str, ...]], ...]] = (
    ("xyxy", ("left", "top", "right", "bottom")),
    ("xyxy", ("x0", "y0", "left", "top")),  # x0 beside x1: the second of them is the right one
    ("xywh", ("left", "top", "width", "height")),
    ("xywh", ("x", "y", "width", "height")),
    ("cxcywh", ("cx", "cy", "width", "height")),
    ("xy", ("cx", "cy")),
    ("xy", ("x", "y")),
)
_LINKS: Final = frozenset(
    [
        "is",
        "are",
        "of",
        "at",
        "the",
        "coordinate",
        "coordinates",
        "coord",
        "position",
        "pos",
        "edge",
        "value",
        "about",
        "approximately",
        "为",
        "是",
        "坐标",
        "坐标为",
        "坐标是",
    ]
)
_PLACE_TAG: Final = Pattern(
    r"(?:box|bbox|bounding_box|points?|det|quad|click|coordinates?|coord|loc|position)(?:_start)?"
)
_GOES_ON: Final = Pattern(r"[\s,;]*(?:and|or|&|和|及|或|、)?\s*", 2)
_NOTHING: Final = Pattern(r"\s*(?:null|none|nil|n/?a|nan|undefined|无|空|-1)?\s*", 2)


def places(flat: str, root: Group) -> list[Place]:
    """Every place in a text, in the order in which they end.

    Args:
        flat: the text, as `snellen.readers._box_tokens.flat` gives it.
        root: its tree.
    """
    finder = Finder(flat)
    _Level(finder, root, Setting()).read()
    return sorted(finder.found, key=lambda place: place.end)


def _read_group(finder: Finder, group: Group, setting: Setting) -> None:
    """Everything within one pair of brackets."""
    if group.bracket == "{":
        setting = replace(setting, owner=group)
    inner = bare(group)
    if inner is None:
        _Level(finder, group, setting).read()
        return
    numbers, groups = inner
    if numbers:
        finder.numbers(numbers, group.start, group.end, setting, closed=group.closed)
    elif not groups:
        if setting.announced == "place" or finder.alone(group.start, group.end):
            finder.add("nothing", (), group.start, group.end, setting)
    elif len(groups) == 2 and all(map(is_pair, groups)) and not words.names_points(setting.key):
        finder.corners(groups[0], groups[1], setting, group)
    else:
        for each in groups:
            _read_group(finder, each, setting)


class _Level:
    """Reads the children of one group from left to right."""

    def __init__(self, finder: Finder, group: Group, setting: Setting) -> None:
        self.finder, self.parent, self.setting = finder, group, setting
        self.run: list[Token] = []
        self.commas = 0
        self.run_setting: Setting | None = None
        self.names: dict[str, Token] = {}
        self.axis: str | None = None
        self.name: Token | None = None  # the last word or string, which may turn out to be a key
        self.key: str | None = None  # what the next value belongs to
        self.floor = group.start  # where the last place or key ended: words before it announce nothing any more
        self.declared = -1  # where the last announced group ended
        self.tag: Token | None = None
        self.tagged = 0  # places found before the tag
        self.corner: int | None = None  # where the first corner stands among the places found
        self.last: Token | Group | None = None
        self.in_points = False
        first = group.children[0] if group.bracket == "<" and group.children else None
        if isinstance(first, Token):
            kind = "place" if _PLACE_TAG.fullmatch(first.text.lower()) else ""
            self.setting = replace(setting, announced=kind)
            self.in_points = first.text.lower() == "points"
        self.begun = len(finder.found)

    def read(self) -> None:
        nodes = self.parent.children
        at = 0
        while at < len(nodes):
            node = nodes[at]
            if isinstance(node, Group):
                at = self._group(nodes, at)
            else:
                getattr(self, f"_{node.kind}")(node)
                at += 1
            self.last = node
        self._flush()
        self._close_tag()
        self._flush_names()

    # What stands between numbers

    def _separator(self, token: Token) -> None:
        if self.run:
            self.commas += 1
        elif token.text != ";":
            self.axis = None
        if self.parent.bracket and not self.run:
            self.key = self.name = None

    def _line(self, token: Token) -> None:
        if not self.parent.bracket:
            self._flush()
            self.key = self.name = self.axis = None
            self.floor = token.end

    def _mark(self, token: Token) -> None:
        if (token.text == "|" and not self.parent.bracket) or (token.text in "-~→" and token.text):
            self._flush()

    def _assign(self, token: Token) -> None:
        self._flush()
        self.key = self.name.text.strip("\\ ") if self.name is not None else None

    def _junk(self, token: Token) -> None:
        self._flush()
        self.axis = self.name = None

    def _tag(self, token: Token) -> None:
        self._flush()
        self._close_tag()
        name = token.text.strip("<|>").lower()
        if _PLACE_TAG.fullmatch(name):
            self.tag, self.tagged = token, len(self.finder.found)
        self.floor = token.end

    def _close_tag(self) -> None:
        if self.tag is not None and len(self.finder.found) == self.tagged:
            end = self.last.end if self.last is not None else self.tag.end
            setting = replace(self.setting, announced="place")
            problem = f"no coordinates after {self.tag.text}"
            self.finder.add("bad", (), self.tag.start, max(end, self.tag.end), setting, problem)
        self.tag = None

    # Words

    def _word(self, token: Token) -> None:
        text = token.text
        low = text.lower()
        if low in FILLERS and self.run:
            return
        self._flush()
        if not text.isascii():
            if (axis := words.axis(text, han=True)) is not None:
                self.axis = axis
            elif text not in _LINKS and text.strip("坐标为是约的在") != "":
                self.axis = None
        elif low not in _LINKS:
            self.axis = words.axis(text)
            if self.axis and len(text) == 1 and low not in "xy":
                self.axis = None if not self._followed_by_assign(token) else self.axis
        self.name = token
        self.key = None

    def _followed_by_assign(self, token: Token) -> bool:
        return self.finder.flat[token.end : token.end + 3].lstrip()[:1] in (":", "=")

    def _string(self, token: Token) -> None:
        if self.finder.flat[token.end + 1 : token.end + 4].lstrip()[:1] in (":", "=") and self.parent.bracket != "<":
            self._flush()
            self.name, self.key = token, None
            self.axis = words.axis(token.text.strip("\\"))
            return
        numeric = NUMBER.fullmatch(token.text)
        if numeric is not None:
            start = token.start + numeric.start(1)
            value = float(numeric[1])
            number = Token("number", start, start + len(numeric[1]), numeric[1], value, numeric[2] == "%")
            self._number(number)
            return
        self._flush()
        kind = words.key_kind(self.key) if self.key is not None else ""
        if kind == "place" and _NOTHING.fullmatch(token.text):
            self.finder.add("nothing", (), token.start, token.end, replace(self.setting, announced="place"))
        elif kind in ("", "place", "thought") and self.parent.bracket != "<":
            self._descend(token, kind)
        self.key = self.axis = None
        self.name = token
        self.floor = token.end

    def _descend(self, token: Token, kind: str) -> None:
        """Looks for places within a string."""
        finder, setting = self.finder, self.setting
        before = len(finder.found)
        if setting.strings < _NESTED_STRINGS and any(map(str.isdigit, token.text)):
            inner = token.text.replace('\\"', ' "').replace("\\'", " '").replace("\\n", " \n")
            root = tree(inner, token.start)
            announced = kind if kind == "place" else words.announced(finder.flat, token.start, self.floor)
            most = min(setting.most, THOUGHT) if kind == "thought" else setting.most
            _read_group(
                finder,
                root,
                replace(
                    setting,
                    announced=announced if kind == "place" or bare(root) else "",
                    key=self.key or "",
                    most=most,
                    strings=setting.strings + 1,
                ),
            )
        if kind == "place" and len(finder.found) == before:
            setting = replace(setting, announced="place")
            finder.add("bad", (), token.start, token.end, setting, f"no coordinates in {token.text[:40]!r}")

    # Numbers

    def _number(self, token: Token) -> None:
        if self.axis is not None:
            self._named(self.axis, token)
            return
        if self.key is not None and not self.run:
            kind = words.key_kind(self.key)
            if kind == "place":
                self.run_setting = replace(self.setting, announced="place", key=self.key)
            elif self.parent.bracket:
                self.key = self.name = None
                return  # a value of its own: "index": 3
        self.run.append(token)

    def _named(self, axis: str, token: Token) -> None:
        if axis in self.names or (self.names and token.start - max(n.end for n in self.names.values()) > 160):
            self._flush_names()
        self.names[axis] = token
        self.axis = self.key = self.name = None
        if self.in_points and len(self.names) == 2:
            self._flush_names()
        self.floor = token.end

    def _flush_names(self) -> None:
        names, self.names = self.names, {}
        if not names:
            return
        if self.in_points:
            names = dict(zip(("x", "y"), names.values(), strict=False))
        start, end = min(n.start for n in names.values()), max(n.end for n in names.values())
        if self.parent.bracket:
            start, end = self.parent.start, self.parent.end
        setting = replace(self.setting, announced="place")
        half = len({"width", "height"} & names.keys()) == 1
        for form, needed in _NAMES:
            if all(name in names for name in needed):
                numbers = [names[name] for name in needed]
                if all(n.null or n.value == -1 for n in numbers):
                    form = "nothing"
                elif form == "xy" and half:
                    break
                elif not self.parent.closed and numbers[-1].end >= self.finder.length:
                    self.finder.add(
                        "bad", numbers, start, end, setting, "the text ends within the coordinates", cut=True
                    )
                    return
                self.finder.add(form, numbers, start, end, setting)
                return
        if (half and len(names) > 2) or (self.setting.announced == "place" and len(self.finder.found) == self.begun):
            given = ", ".join(names)
            self.finder.add("bad", tuple(names.values()), start, end, setting, f"only {given} is given")

    def _flush(self) -> None:
        """Reads the numbers that have been gathered, if they are a place."""
        run, commas, setting = self.run, self.commas, self.run_setting
        self.run, self.commas, self.run_setting = [], 0, None
        if not run:
            return
        finder = self.finder
        start, end = run[0].start, run[-1].end
        if setting is None and (self.tag is not None or any(number.bins for number in run)):
            setting = replace(self.setting, announced="place")
        if setting is None and self.setting.announced == "place" and self.parent.bracket == "(":
            setting = self.setting
        if setting is not None:
            finder.numbers(run, start, end, setting, closed=end < finder.length or self.parent.closed)
        elif len(run) in (1, 2, 4):
            self._unmarked(run, commas, start, end)
        self.floor = end
        self.key = self.name = None

    def _unmarked(self, run: list[Token], commas: int, start: int, end: int) -> None:
        """Numbers without brackets of their own: the words before them, or an empty line around them, must say so."""
        finder = self.finder
        alone = not self.parent.bracket and finder.alone(start, end)
        if len(run) == 1:
            if alone and (run[0].null or run[0].value == -1):
                finder.add("nothing", run, start, end, self.setting)
            return
        announced = words.announced(finder.flat, start, self.floor)
        listed = len(run) == 4 and commas == 3 and isinstance(self.last, Token) and not self.setting.strings
        if announced == "" and not alone and not listed:
            return
        if announced == "place" and not alone and not commas:
            return
        finder.numbers(run, start, end, replace(self.setting, announced=announced))

    # Groups

    def _group(self, nodes: Sequence[Token | Group], at: int) -> int:
        """Reads a group, and those that go on with it; where to go on."""
        group = nodes[at]
        assert isinstance(group, Group)
        pending = self.name if isinstance(self.last, Token) and self.last.kind == "word" else None
        self._flush()
        finder = self.finder
        setting = self._around(group, pending)
        chain, after = chain_of(nodes, at)
        self.axis = None
        if len(chain) == 2 and not words.names_points(setting.key) and setting.announced not in ("other", "negated"):
            finder.corners(chain[0], chain[1], setting)
        elif len(chain) > 1:
            for each in chain:
                _read_group(finder, each, setting)
        else:
            after = at + 1
            self._single(group, setting)
        self.key = self.name = None
        self.floor = chain[-1].end if chain else group.end
        self.declared = self.floor if setting.announced == "place" else -1
        return after

    def _single(self, group: Group, setting: Setting) -> None:
        finder = self.finder
        before = len(finder.found)
        _read_group(finder, group, setting)
        if not is_pair(group) or len(finder.found) != before + 1:
            return
        which = words.corner(finder.flat[max(self.floor, group.start - 40) : group.start])
        if which == "start":
            self.corner = before
        elif which == "stop" and self.corner is not None and self.corner < before:
            first, last = finder.found[self.corner], finder.found.pop()
            finder.found[self.corner] = replace(
                last, form="corners", numbers=first.numbers + last.numbers, start=first.start
            )
            self.corner = None

    def _around(self, group: Group, call: Token | None) -> Setting:
        """What announces a group: its tag, its key, the function it is called with, or the words before it."""
        setting = replace(self.setting, positional=False) if self.setting.positional else self.setting
        if self.tag is not None:
            return replace(setting, announced="place")
        kind = words.key_kind(self.key) if self.key is not None else ""
        if kind == "saying" and not self.parent.bracket:
            kind = ""  # "text: [1, 2, 3, 4]" in a list of elements
        if kind:
            if kind == "saying":
                return replace(setting, announced="other")
            if kind == "thought":
                return replace(setting, announced="", most=THOUGHT)
            return replace(setting, announced=kind, key=self.key or "")
        if call is not None and group.bracket == "(" and group.start - call.end <= 1:
            kind = words.call_kind(call.text)
            if kind:
                return replace(setting, announced=kind, positional=call.text.lower().startswith("pyautogui"))
        if group.bracket == "{" and self.parent.bracket:
            return replace(setting, announced="")
        if self.declared == self.floor and _GOES_ON.fullmatch(self.finder.flat, self.floor, group.start):
            return replace(setting, announced="place")
        inherited = setting.announced if self.parent.bracket in ("[", "") and setting.announced else ""
        announced = words.announced(self.finder.flat, group.start, self.floor) or inherited
        return setting if announced == setting.announced else replace(setting, announced=announced)

"""Places as they are found, before a convention says what they mean; and the rules by which numbers make one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from snellen.readers._box_tokens import Group, Token
from snellen.readers.pattern import Pattern

Form = Literal["box", "point", "corners", "xyxy", "xywh", "cxcywh", "xy", "nothing", "bad"]
"""What the numbers are: in the convention's order (`box`, `point`, `corners`: two points), in their names' order, a
sentinel for nothing, or unreadable."""

DECLARED: Final = 2
"""Rank of a place that a key, a tag, a call or the words before it announce, or that stands alone in its line."""
FOUND: Final = 1
THOUGHT: Final = 0
"""Rank of a place in the reasons that an object gives."""

FILLERS: Final = frozenset(
    [
        "pixels",
        "pixel",
        "about",
        "around",
        "approximately",
        "roughly",
        "at",
        "normalized",
        "percent",
        "approx",
        "left",
        "right",
        "约",
        "大约",
        "像素",
        "左右",
        "处",
    ]
)
NUMBER: Final = Pattern(r"\s*([-+]?(?:\d+(?:\.\d+)?|\.\d+))\s*(%|px)?\s*")
_WORD: Final = Pattern(r"\w")
_LINE_REACH: Final = 80
_JOINS: Final = frozenset(("to", "到", "至", "-", "~", "→", "|"))


@dataclass(frozen=True, slots=True)
class Place:
    """A place that an answer gives.

    Attributes:
        form: what its numbers are.
        numbers: as tokens of the text.
        start, end: offsets of what gives it, brackets included.
        rank: how surely it is meant as one.
        problem: of a bad one: why it cannot be read.
        owner: the innermost object (braces) that it stands in.
        cut: whether the text ends within it.
    """

    form: Form
    numbers: tuple[Token, ...]
    start: int
    end: int
    rank: int = FOUND
    problem: str = ""
    owner: Group | None = None
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """What the surroundings say of the numbers in a group."""

    announced: str = ""  # as `snellen.readers._box_words.announced` has it
    key: str = ""
    owner: Group | None = None
    most: int = DECLARED  # no place within ranks higher
    strings: int = 0  # how many strings this stands in
    positional: bool = False  # the numbers are x and y by the definition of the function


class Finder:
    def __init__(self, flat: str) -> None:
        self.flat = flat
        self.length = len(flat.rstrip())
        self.found: list[Place] = []

    def corners(self, first: Group, last: Group, setting: Setting, around: Group | None = None) -> None:
        """A box by two of its corners."""
        numbers = (*numbers_of(first), *numbers_of(last))
        start, end = (around.start, around.end) if around else (first.start, last.end)
        self.numbers(numbers, start, end, setting, closed=last.closed, form="corners")

    def numbers(
        self,
        numbers: Sequence[Token],
        start: int,
        end: int,
        setting: Setting,
        *,
        closed: bool = True,
        form: Form | None = None,
    ) -> None:
        """Numbers that belong together."""
        if setting.announced in ("other", "negated"):
            return
        count = len(numbers)
        last = numbers[-1].end
        if all(number.null for number in numbers) or all(number.value == -1 for number in numbers):
            if setting.announced == "place" or count > 1 or self.alone(start, end):
                self.add("nothing", numbers, start, end, setting)
            return
        if not closed and end >= self.length and (last >= self.length or count != 4):
            # An unclosed pair is half a box as likely as a point, and a number at the very end may go on.
            self.add("bad", numbers, start, end, setting, "the text ends within the coordinates", cut=True)
        elif count == 4 and not any(number.value for number in numbers):
            self.add("nothing", numbers, start, end, setting)
        elif form is not None:
            self.add(form, numbers, start, end, setting)
        elif count in (2, 4):
            shape: Form = "box" if count == 4 else "xy" if setting.positional else "point"
            self.add(shape, numbers, start, end, setting)
        elif setting.announced == "place":
            if count == 3 and setting.positional:
                self.add("xy", numbers[:2], start, end, setting)
            elif count % 4 == 0 and all(number.bins for number in numbers):
                for at in range(0, count, 4):
                    four = numbers[at : at + 4]
                    self.add("box", four, four[0].start, four[-1].end, setting)
            else:
                self.add("bad", numbers, start, end, setting, f"{count} numbers where 2 or 4 are needed")

    def add(
        self,
        form: Form,
        numbers: Sequence[Token],
        start: int,
        end: int,
        setting: Setting,
        problem: str = "",
        *,
        cut: bool = False,
    ) -> None:
        rank = DECLARED if setting.announced == "place" or self.alone(start, end) else FOUND
        owner = setting.owner
        self.found.append(Place(form, tuple(numbers), start, end, min(rank, setting.most), problem, owner, cut))

    def alone(self, start: int, end: int) -> bool:
        """Whether a stretch of text has its line for itself."""
        low = max(0, start - _LINE_REACH)
        begin = self.flat.rfind("\n", low, start) + 1
        if not begin and low:
            return False
        stop = self.flat.find("\n", end, end + _LINE_REACH)
        if stop < 0:
            if end + _LINE_REACH < len(self.flat):
                return False
            stop = len(self.flat)
        return not (_WORD.search(self.flat, begin or low, start) or _WORD.search(self.flat, end, stop))


def bare(group: Group) -> tuple[list[Token], list[Group]] | None:
    """(numbers, groups) of a group that holds only the ones or only the others; None for any other."""
    numbers: list[Token] = []
    groups: list[Group] = []
    for node in group.children:
        if isinstance(node, Group):
            groups.append(node)
        elif node.kind == "number":
            numbers.append(node)
        elif node.kind == "string":
            found = NUMBER.fullmatch(node.text)
            if found is None:
                return None
            start = node.start + found.start(1)
            numbers.append(Token("number", start, start + len(found[1]), found[1], float(found[1]), found[2] == "%"))
        elif node.kind == "word":
            if node.text.lower() not in FILLERS:
                return None
        elif node.kind in ("assign", "tag", "junk"):
            return None
        if numbers and groups:
            return None
    if group.bracket == "<" or (groups and group.bracket == "{" and len(groups) > 1):
        return None
    return numbers, groups


def is_pair(group: Group) -> bool:
    if len(group.children) > 12:
        return False
    inner = bare(group)
    return inner is not None and len(inner[0]) == 2


def numbers_of(group: Group) -> list[Token]:
    inner = bare(group)
    return inner[0] if inner is not None else []


def chain_of(nodes: Sequence[Token | Group], at: int) -> tuple[list[Group], int]:
    """The pairs that follow each other from here with nothing but separators between them, and where they end."""
    first = nodes[at]
    if not isinstance(first, Group) or not is_pair(first):
        return [], at + 1
    chain = [first]
    after = at + 1
    here = after
    while here < len(nodes) and here - after < 4:
        node = nodes[here]
        here += 1
        if isinstance(node, Group):
            if not is_pair(node):
                break
            chain.append(node)
            after = here
        elif node.kind != "separator" and node.text.lower() not in _JOINS:
            break
    return chain, after

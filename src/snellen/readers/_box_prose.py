"""What an answer says in words: its lines of prose, and the strings and flags of its objects."""

from __future__ import annotations

from dataclasses import dataclass

from snellen.readers import _box_words as words
from snellen.readers._box_tokens import Group, Token
from snellen.readers.pattern import Pattern

_THERE = Pattern(
    r"(?:is_?|target_?|element_?)*(?:exists?|found|present|visible|on_?screen|available)(?:_on_screen)?|存在|可见|找到",
    2,
)
_NOT_THERE = Pattern(
    r"(?:is_?|target_?|element_?)*(?:absent|missing|not_?found|not_?present|rejected?|rejection|infeasible|nonexistent|"
    r"not_?on_?screen)|不存在|未找到",
    2,
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A line of prose, or a string of an object.

    Attributes:
        text: what it says.
        start, end: its place in the answer.
        key: what it belongs to, in an object; else empty.
    """

    text: str
    start: int
    end: int
    key: str = ""


def passages(plain: str, root: Group) -> list[Passage]:
    """What an answer says in words, in order; what objects quote from the screen (labels, descriptions) is left out."""
    found: list[Passage] = []
    holes: list[tuple[int, int]] = []
    _collect(root, plain, found, holes, "")
    parts: list[str] = []
    last = 0
    for start, end in holes:
        parts += (plain[last:start], "\x01" * (end - start))
        last = end
    open_text = "".join(parts) + plain[last:]
    start = 0
    for line in open_text.split("\n"):
        said = line.replace("\x01", " ")
        if said.strip():
            found.append(Passage(said, start, start + len(line)))
        start += len(line) + 1
    return sorted(found, key=lambda passage: passage.start)


def says_absent(passage: Passage) -> bool:
    """Whether a flag of an object says that the target is not there: ``"exists": false``."""
    if not passage.key:
        return False
    value = passage.text.strip().lower()
    if value in ("false", "no", "否", "0"):
        return _THERE.fullmatch(passage.key) is not None
    return value in ("true", "yes", "是", "1") and _NOT_THERE.fullmatch(passage.key) is not None


def _collect(group: Group, plain: str, found: list[Passage], holes: list[tuple[int, int]], key: str) -> None:
    """Takes the objects and lists out of the prose, and the strings out of the objects."""
    for child in group.children:
        if not isinstance(child, Group):
            continue
        if child.bracket == "{" or (child.bracket in "[<" and _holds_data(child)):
            holes.append((child.start, child.end))
            _strings(child, found, key)
        else:
            _collect(child, plain, found, holes, key)


def _holds_data(group: Group) -> bool:
    return group.bracket == "<" or not all(
        isinstance(node, Token) and node.kind in ("word", "mark", "separator", "line") for node in group.children
    )


def _strings(group: Group, found: list[Passage], key: str) -> None:
    name: Token | None = None
    said = key
    for node in group.children:
        if isinstance(node, Group):
            if words.key_kind(said) != "saying" or node.bracket == "{":
                _strings(node, found, said if node.bracket != "{" else "")
            said = key
        elif node.kind == "assign":
            said = name.text.strip("\\ ") if name is not None else key
            name = None
        elif node.kind in ("word", "string"):
            if said and name is None and said != key:
                _say(node, said, found)
                said = key
            elif group.bracket == "[" and node.kind == "string":
                _say(node, key, found)
            name = node
        elif node.kind == "separator":
            name, said = None, key


def _say(node: Token, key: str, found: list[Passage]) -> None:
    if words.key_kind(key) != "saying":
        text = node.text.replace("\\n", " \n").replace("_", " ")
        found.append(Passage(text, node.start, node.end, key))

"""Elements that an answer lists: objects of JSON, references with boxes, lines of a list or of a table."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from snellen.readers._box_place import FOUND, Place
from snellen.readers._box_tokens import Group, Token
from snellen.readers.pattern import Pattern

_KINDS = {
    **dict.fromkeys(("icon", "图标"), "icon"),
    **dict.fromkeys(("text", "文本", "文字", "statictext", "static text", "heading", "paragraph"), "text"),
    **dict.fromkeys(("button", "按钮", "按键", "btn"), "button"),
    **dict.fromkeys(("image", "图片", "图像", "picture", "photo", "img"), "image"),
    **dict.fromkeys(("input", "输入框", "输入", "input field", "input box", "text field", "text box"), "input"),
    **dict.fromkeys(("textfield", "textbox", "edittext", "搜索框", "文本框"), "input"),
}  # fmt: skip
KIND_KEYS = ("type", "kind", "role", "category", "class", "element_type", "elementtype", "类型", "类别")
TEXT_KEYS = (
    "description", "desc", "function", "label", "text", "name", "caption", "title", "content", "alt", "element", "ref",
    "描述", "功能", "标签", "文本", "文字", "名称", "内容",
)  # fmt: skip
_LISTED = Pattern(r"[ ]{0,8}(?:[-*•·|]|\(?\d{1,3}[.):、\]]|\[\d{1,3}\])")
_REFERENCE = Pattern(
    r"<\|?(?:ref|object_ref_start)\|?>([^<>]{0,300})</?\|?/?(?:ref|object_ref_end)\|?>\s*(?:<[^<>]{0,40}>)?[\s\[(]*\Z"
)
_LEADING = Pattern(r"^[\s\-*•·|>#]*(?:\(?\d{1,3}[.):、\]]|\[\d{1,3}\])?[\s*|]*")
_TRAILING = Pattern(
    r"(?:<[^<>]{0,40}>)?[\s:：,，、;；|\-–—*=(（\[<\"'“”]*(?:\b(?:bbox_2d|bbox|box|bounding box|coordinates?|"
    r"position|located|location|at)\b|"
    r"坐标|位置|边界框|位于|在)?[\s:：,，、;；|\-–—*=(（\[<\"'“”]*(?:<[^<>]{0,40}>)?[\s\[(]*\Z",
    2,
)
_KIND_LEAD = Pattern(
    r"^[\[(【*]{0,3}\s*(static text|input field|text field|text box|input box|icon|text|button|image|input|textbox|"
    r"picture|"
    r"图标|文本框|文本|文字|按钮|图片|图像|输入框|搜索框)\s*[\])】*]{0,3}\s*(?:[:：|\-–—,，]\s*|(?=[\"'“「])|\s(?=\S))",
    2,
)
_FINAL_LINE = Pattern(r"[\s*#]*(?:final (?:answer|target)|answer|target|最终|答案|目标)", 2)


@dataclass(frozen=True, slots=True)
class Row:
    """An element as it is listed.

    Attributes:
        kind: ``icon``, ``text``, ``button``, ``image``, ``input``, or another word as written, in lower case.
        description: as written.
        place: where it is said to be.
    """

    kind: str
    description: str
    place: Place


def rows(text: str, plain: str, root: Group, found: Sequence[Place]) -> tuple[list[Row], bool]:
    """The listed elements, and whether the text ends within the list.

    Objects in a list are the elements where there are any: a target that follows the list is none. Else every object,
    else every line with a place.
    """
    given = [place for place in found if place.form != "nothing" or place.owner is not None]
    owned = [place for place in given if place.owner is not None]
    inside = [place for place in owned if _in_list(place)]
    cut = _is_cut(root, found)
    if inside or owned:
        return _objects(text, inside or owned), cut
    lines = _lines(plain, given)
    return [_row(text, plain, place, start) for place, start in lines], cut


def listed(plain: str, found: Sequence[Place]) -> list[Place]:
    """Places that belong to a list of two or more elements."""
    inside = [place for place in found if _in_list(place)]
    if len(inside) > 1:
        return inside
    marked = [
        p
        for p, start in _lines(plain, found)
        if _LISTED.match(plain, start) or _REFERENCE.search(plain, max(0, p.start - 400), p.start)
    ]
    return marked if len(marked) > 1 else []


def _in_list(place: Place) -> bool:
    group = place.owner
    while group is not None:
        if group.bracket == "[":
            return True
        group = group.parent
    return False


def _objects(text: str, found: Sequence[Place]) -> list[Row]:
    """One row for each object: its last box, or else its last place."""
    best: dict[int, Place] = {}
    for place in found:
        described = _described(place.owner)
        before = best.get(id(described))
        if before is None or _weight(place) >= _weight(before):
            best[id(described)] = place
    result = []
    for place in sorted(best.values(), key=lambda place: place.start):
        if place.cut:
            continue
        fields = _fields(text, _described(place.owner))
        kind = next((fields[key] for key in KIND_KEYS if fields.get(key)), "")
        said = next((fields[key] for key in TEXT_KEYS if fields.get(key)), "")
        result.append(Row(kind_of(kind), said, place))
    return result


def _weight(place: Place) -> int:
    return 2 if len(place.numbers) == 4 else 1 if place.form != "nothing" else 0


def _described(owner: Group | None) -> Group:
    """The object that a place's own object describes: ``{"bbox": {"x1": ...}}`` is about the outer one."""
    assert owner is not None
    outer = owner.parent
    if outer is not None and outer.bracket == "{" and not _has_words(owner) and _has_words(outer):
        return outer
    return owner


def _has_words(group: Group) -> bool:
    return any(
        isinstance(node, Token)
        and node.kind in ("word", "string")
        and node.text.lower().strip("\\ ") in KIND_KEYS + TEXT_KEYS
        for node in group.children
    )


def _fields(text: str, group: Group) -> dict[str, str]:
    """The strings of an object by their keys, in lower case; the first of each."""
    fields: dict[str, str] = {}
    key: str | None = None
    name: Token | None = None
    for node in group.children:
        if isinstance(node, Group):
            name = key = None
        elif node.kind == "assign":
            key, name = (name.text.lower().strip("\\ "), None) if name is not None else (None, None)
        elif node.kind in ("string", "word", "number", "junk"):
            if key is not None:
                fields.setdefault(key, _unescaped(text[node.start : node.end]))
                key = None
            name = node
        elif node.kind == "separator":
            name = key = None
    return fields


_ESCAPE = re.compile(r"\\(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "", "f": ""}


def _unescaped(said: str) -> str:
    """A string's text, with JSON's escapes; half of a pair of surrogates stays as it is written."""
    return _ESCAPE.sub(_meant, said).strip() if "\\" in said else said.strip()


def _meant(found: re.Match[str]) -> str:
    escape = found[1]
    if len(escape) < 5:
        return _ESCAPED.get(escape, escape)
    units = b"".join(int(unit, 16).to_bytes(2, "big") for unit in escape.replace("\\", "").split("u") if unit)
    try:
        return units.decode("utf-16-be")
    except UnicodeDecodeError:
        return found[0]


def kind_of(said: str) -> str:
    low = " ".join(said.lower().split())
    return _KINDS.get(low, low)


def _lines(plain: str, found: Sequence[Place]) -> list[tuple[Place, int]]:
    """Each place outside final answers, and where its line, or what follows the place before it, starts."""
    starts = [0]
    at = plain.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = plain.find("\n", at + 1)
    result: list[tuple[Place, int]] = []
    last = -1
    for place in found:
        if place.form == "nothing" or place.rank < FOUND or place.cut:
            continue
        line = bisect_right(starts, place.start) - 1
        begin = starts[line]
        if _FINAL_LINE.match(plain, begin):
            continue
        result.append((place, max(begin, last)))
        last = place.end
    return result


def _row(text: str, plain: str, place: Place, start: int) -> Row:
    low = max(start, place.start - 400)
    reference = _REFERENCE.search(plain, low, place.start)
    if reference is not None:
        return Row("", text[reference.start(1) : reference.end(1)].strip(), place)
    said = text[low : place.start]
    said = said[_found_end(_LEADING, said) :]
    kind = _KIND_LEAD.match(said)
    said = said[kind.end() :] if kind else said
    ending = _TRAILING.search(said)
    said = said[: ending.start()] if ending else said
    return Row(kind_of(kind[1]) if kind else "", said.strip(" \"'“”*`|"), place)


def _found_end(pattern: Pattern, said: str) -> int:
    found = pattern.match(said)
    return found.end() if found else 0


def _is_cut(root: Group, found: Sequence[Place]) -> bool:
    """Whether the text ends within brackets, or within the coordinates of something."""
    if any(place.cut for place in found):
        return True
    last: Group | None = root
    while last is not None:
        inner = next((node for node in reversed(last.children) if isinstance(node, Group)), None)
        if inner is not None and not inner.closed and inner.bracket in "[{":
            return True
        last = inner if inner is not None and not inner.closed else None
    return False

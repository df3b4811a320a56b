"""From drawn screens to records: what every one holds, what is asked about it, and whether that is sound."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from snellen.construction.screens.browser import Hit, Leaf, Shot
from snellen.construction.screens.markup import english, said_in
from snellen.construction.screens.screen import Absent, Confused, Screen

SOURCE = "snellen-demo"


def image_name(screen: Screen, language: str) -> str:
    """Where a picture lies, relative to the data: ``images/phone-home-en.png``."""
    return f"images/{screen.name}-{language}.png"


def parsing(screen: Screen, language: str, shot: Shot) -> dict[str, Any]:
    """The record of all elements."""
    return {
        "image_path": image_name(screen, language),
        "screen": screen.name,
        "platform": screen.platform,
        "app": screen.app,
        "theme": screen.theme,
        "source": SOURCE,
        "elements": [
            {"type": leaf.role, "index": index, "description": leaf.said, "coordinates": list(leaf.edges)}
            for index, leaf in enumerate(shot.leaves)
        ],
    }


def hallucination(screen: Screen, language: str, shot: Shot) -> Iterator[dict[str, Any]]:
    """The records of what is asked.

    Raises:
        ValueError: a target is not named, named twice, or on the screen though it must not be.
    """
    for number, one in enumerate(screen.asked):
        where = f"{screen.name}-{number}-{language}"
        instruction = said_in(language, one.instruction)
        likeness = ""
        if isinstance(one, Confused):
            target = _find(shot, one.target, where)
            distractors = [_find(shot, key, where) for key in one.distractors]
            _check_confused(instruction, target.said, [d.said for d in distractors], where)
            _check_apart(target, distractors, where)
            _check_likeness(one, target, distractors[0], where)
            element, box, likeness = _role(shot, target), list(target.edges), str(one.likeness)
        else:
            distractors = [_find(shot, key, where) for key in one.tempting]
            _check_absent(instruction, one, language, shot, where)
            element, box = one.element, None
        yield {
            "id": where,
            "image": image_name(screen, language),
            "screen": screen.name,
            "instruction": instruction,
            "language": language,
            "kind": "confusion" if isinstance(one, Confused) else "fabricated",
            **({"likeness": likeness} if likeness else {}),
            "target": box,
            "distractors": [list(d.edges) for d in distractors],
            "platform": screen.platform,
            "app": screen.app,
            "theme": screen.theme,
            "element": element,
            "source": SOURCE,
        }


def _find(shot: Shot, key: str, where: str) -> Hit | Leaf:
    """The only part that reacts as a whole and says so in English, or else the only element that does."""
    found: list[Hit | Leaf] = [hit for hit in shot.hits if hit.key == key]
    found = found or [leaf for leaf in shot.leaves if leaf.key == key]
    if len(found) != 1:
        raise ValueError(f"{where}: {key!r} is on the screen {len(found)} times, not once")
    return found[0]


def _role(shot: Shot, target: Hit | Leaf) -> str:
    return target.role if isinstance(target, Leaf) else shot.leaves[target.leaves[0]].role


def _check_confused(instruction: str, target: str, distractors: list[str], where: str) -> None:
    told = instruction.casefold()
    if target.casefold() not in told:
        raise ValueError(f"{where}: {instruction!r} does not name {target!r}")
    rest = told.replace(target.casefold(), " ")
    for distractor in distractors:
        if distractor.casefold() in rest or distractor.casefold() == target.casefold():
            raise ValueError(f"{where}: {instruction!r} names {distractor!r} too")


def _check_apart(target: Hit | Leaf, distractors: list[Hit | Leaf], where: str) -> None:
    left, top, right, bottom = target.edges
    for one in distractors:
        if min(right, one.edges[2]) > max(left, one.edges[0]) and min(bottom, one.edges[3]) > max(top, one.edges[1]):
            raise ValueError(f"{where}: {target.key!r} and {one.key!r} share pixels")


def _check_likeness(one: Confused, target: Hit | Leaf, nearest: Hit | Leaf, where: str) -> None:
    if one.likeness == "look" and not set(target.glyphs) & set(nearest.glyphs):
        raise ValueError(f"{where}: {one.target!r} and {one.distractors[0]!r} have no glyph in common")


def says(description: str, word: str) -> bool:
    """Whether a description has a word: as a whole word, or, in Chinese, anywhere.

    >>> says("Map layers", "map"), says("Steak", "tea"), says("地图图层", "地图")
    (True, False, True)
    """
    edge = r"\b" if word.isascii() else ""
    return re.search(f"{edge}{re.escape(word.casefold())}{edge}", description.casefold()) is not None


def _check_absent(instruction: str, one: Absent, language: str, shot: Shot, where: str) -> None:
    words = [said_in(language, word) for word in one.words]
    if not any(says(instruction, word) for word in words):
        raise ValueError(f"{where}: {instruction!r} has none of {words}")
    for said in (*(leaf.said for leaf in shot.leaves), *(hit.said for hit in shot.hits)):
        for word in words:
            if says(said, word):
                raise ValueError(f"{where}: {english(one.instruction)!r} is absent, but {said!r} is on the screen")

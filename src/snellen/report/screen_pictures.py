"""What an answer about a screen says, to be drawn over its picture: targets, distractors, where it points, its list.

What is drawn is what was judged: answers are read as the judge ``gui`` reads them, in the convention under which the
judging read them, and nothing is drawn of an answer that it did not read. Coordinates are pixels of the original, as
the truth's are; the picture beneath is scaled to them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from snellen.answer import Answer
from snellen.box import Box
from snellen.convention import DEFAULT, Convention, CoordinateError
from snellen.convention import parse as parse_convention
from snellen.engine.screen_answers import matched
from snellen.item import Element, ElementsReference, Item, TargetReference
from snellen.judges import _matching, gui
from snellen.readers import boxes
from snellen.report.text import one_line
from snellen.verdict import ABSTAINED, FORMAT_ERROR, UNCLEAR, Verdict

OUTCOMES: Mapping[str, str] = {
    "hit": "Hit",
    "distractor": "Hit a distractor",
    "elsewhere": "Hit elsewhere",
    "pointed": "Pointed at what is absent",
    "rejected": "Rejected, rightly",
    "false_rejection": "Rejected, wrongly",
    "faithful": "Nothing invented",
    "invented": "Something invented",
    "format_error": "Format error",
    "unclear": "Unclear",
    "right": "Right",
    "wrong": "Wrong",
    "unscored": "Not scored",
}
"""Outcomes on screens and their titles; ``right`` and ``wrong`` where a verdict says no more than that."""

WORDS: Mapping[str, str] = {
    "target": "target",
    "distractor": "distractor",
    "hit": "answer, hit",
    "miss": "answer, missed",
    "there": "on the screen",
    "invented": "invented: listed, not there",
    "missed": "missed: there, not listed",
    "matched": "matched: listed, and there",
}
"""Kinds of marks, in words."""

SIGNS: Mapping[str, str] = {"there": "", "invented": "+", "missed": "−", "matched": "✓"}
"""What stands before an element's number, so that kinds are told apart without colour."""

EACH = 150
"""Elements of a kind that are shown of one item."""

BITS = (3 * EACH).bit_length()
"""Bits of the highest number of an element."""

_DISTRACTORS = 20
_TEXT = 160  # characters of a description
_TALLEST = 38  # rem
_LABEL = 0.04  # of the longer side: room that a label needs
_LETTER = 0.021  # of the longer side: how wide a letter of it is, on a phone


@dataclass(frozen=True, slots=True)
class Label:
    """Where a mark's words stand: an anchor point and a shift in lines of text."""

    x: str
    y: str
    anchor: str
    shift: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A box or a point on the picture.

    Attributes:
        kind: one of `WORDS`.
        left, top, width, height: in pixels of the original; a point has no width and no height.
        corner: where the number of an element begins.
        point: whether it is a point.
        label: where its words stand.
    """

    kind: str
    left: str
    top: str
    width: str
    height: str
    corner: str
    point: bool
    label: Label

    @property
    def words(self) -> str:
        """Its kind in words."""
        return WORDS[self.kind]


@dataclass(frozen=True, slots=True)
class Line:
    """An element of a parse.

    Attributes:
        number: on the picture and in the list; unique within the item.
        type: ``icon``, ``text`` and so on; of what is listed where it is not there.
        true: what it is; empty where it is not there.
        listed: what the answer calls it; empty where it is not listed.
        same: whether both are the same words.
        mark: None where the box is no place on the screen.
        theirs: the answer's own box, of a matched element.
        note: how far both boxes overlap, or why there is no box.
    """

    number: int
    type: str
    true: str
    listed: str
    same: bool
    mark: Mark | None
    theirs: Mark | None = None
    note: str = ""

    @property
    def bits(self) -> str:
        """A class for each bit of its number: the rules of style put a number together from them."""
        return " ".join(f"bit-{bit}" for bit in range(BITS) if self.number >> bit & 1)


@dataclass(frozen=True, slots=True)
class Part:
    """The elements of one kind: how many there are, and those that are shown."""

    kind: str
    total: int
    lines: tuple[Line, ...]

    @property
    def title(self) -> str:
        """Its kind in words."""
        return WORDS[self.kind]

    @property
    def sign(self) -> str:
        """What stands before its numbers."""
        return SIGNS[self.kind]


@dataclass(frozen=True, slots=True)
class Screen:
    """All that is drawn over one picture.

    Attributes:
        task: as the benchmark labels it.
        outcome: one of `OUTCOMES`.
        width, height: pixels of the original; 0 where they are not known, so that nothing is drawn.
        places: truth and answer where a target is asked for.
        parts: elements by kind where all are asked for.
        unread: whether the answer was not read, so that only the truth is drawn.
    """

    task: str
    outcome: str
    width: int = 0
    height: int = 0
    places: tuple[Mark, ...] = ()
    parts: tuple[Part, ...] = ()
    unread: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of the marks that are drawn, for the legend of places."""
        return tuple(kind for kind in WORDS if any(mark.kind == kind for mark in self.places))

    @property
    def longest(self) -> int:
        """The longer side."""
        return max(self.width, self.height)

    @property
    def rem(self) -> str:
        """Greatest width on the page, so that a tall screen fits a window."""
        return f"{_TALLEST * self.width / self.height:.1f}"


@dataclass(frozen=True, slots=True)
class Reading:
    """How a judging reads answers.

    Attributes:
        convention: how the model writes coordinates.
        matching: as the judge's option.
    """

    convention: Convention = DEFAULT
    matching: str = "optimal"

    @classmethod
    def of(cls, manifest: Mapping[str, Any]) -> Reading:
        """From a run's manifest: the judging's own convention, else the run's."""
        judging, plan = _mapping(manifest.get("judging")), _mapping(manifest.get("plan"))
        name = judging.get("convention") or plan.get("convention") or DEFAULT.name
        return cls(parse_convention(str(name)), str(_mapping(judging.get("options")).get("matching", "optimal")))


def is_on_screen(item: Item) -> bool:
    """Whether an item asks for a target or for the elements of a screen."""
    return isinstance(item.reference, TargetReference | ElementsReference)


def outcome_of(item: Item, verdict: Verdict) -> str:
    """The one of `OUTCOMES` that a verdict on such an item says."""
    if verdict.value is None:
        return "unscored"
    if FORMAT_ERROR in verdict.flags:
        return "format_error"
    if UNCLEAR in verdict.flags:
        return "unclear"
    if ABSTAINED in verdict.flags:
        return "rejected" if verdict.value else "false_rejection"
    measures = verdict.measures
    for name, outcome in (("hit", "hit"), ("hit_distractor", "distractor"), ("hit_elsewhere", "elsewhere")):
        if measures.get(name, (0, 0))[0]:
            return outcome
    if "recall" in measures:
        return "faithful" if verdict.value else "invented"
    if "rejected" in measures and not verdict.value:
        return "pointed"
    return "right" if verdict.value else "wrong"


def screen_of(item: Item, answer: Answer | None, visible: str, verdict: Verdict, reading: Reading) -> Screen | None:
    """What is drawn of an item; None where it asks for nothing on a screen.

    Args:
        item: as it was asked.
        answer: of the model; None while there is none.
        visible: its text without thinking.
        verdict: the judge's; an answer that has no measures was not read by rules.
        reading: of the judging.
    """
    truth, image = item.reference, item.images[0] if item.images else None
    if not isinstance(truth, TargetReference | ElementsReference):
        return None
    screen = Screen(item.labels.get("task", ""), outcome_of(item, verdict))
    if image is None or image.width <= 0 or image.height <= 0:
        return screen
    screen = replace(screen, width=image.width, height=image.height)
    said = None if answer is None or answer.failure is not None else replace(answer, text=visible)
    if said is not None and not {"recall", "rejected"} & verdict.measures.keys():
        said = None
    try:
        if isinstance(truth, TargetReference):
            places = tuple(_places(item, truth, said, verdict, reading, screen))
            return replace(screen, places=places, unread=said is None)
        return replace(screen, parts=tuple(_parts(item, truth, said, reading, screen)), unread=said is None)
    except CoordinateError:  # what was sent of the image is not known
        return replace(screen, unread=True)


def _places(
    item: Item, truth: TargetReference, said: Answer | None, verdict: Verdict, reading: Reading, screen: Screen
) -> Iterator[Mark]:
    for box in truth.distractors[:_DISTRACTORS]:
        yield from _marked("distractor", box, screen)
    if truth.box is not None:
        yield from _marked("target", truth.box, screen)
    if said is None:
        return
    found = boxes.read_target(said.text, reading.convention, gui.frame_of(item, said))
    if found.point is not None:
        kind = "hit" if verdict.measures.get("hit", (0, 0))[0] else "miss"
        yield from _marked(kind, found.box or Box(*found.point, *found.point), screen, point=found.box is None)


def _parts(
    item: Item, truth: ElementsReference, said: Answer | None, reading: Reading, screen: Screen
) -> Iterator[Part]:
    true = truth.elements
    if said is None:
        yield Part("there", len(true), tuple(_one("there", n, e, screen) for n, e in enumerate(true[:EACH], 1)))
        return
    found = boxes.read_elements(said.text, reading.convention, gui.frame_of(item, said))
    listed = found.elements
    iou = _matching.overlaps([each.box for each in listed], [each.box for each in true])
    pairs = matched(iou, reading.matching)
    theirs, ours = {i for i, _ in pairs}, {j for _, j in pairs}
    invented = [_one("invented", n, each, screen) for n, each in _numbered(listed, theirs, 1)]
    for n, problem in enumerate(found.problems[: EACH - len(invented)], len(invented) + 1):
        invented.append(_nowhere(n, problem))
    yield Part("invented", len(listed) - len(pairs) + len(found.problems), tuple(invented))
    missed = [_one("missed", n, each, screen) for n, each in _numbered(true, ours, len(invented) + 1)]
    yield Part("missed", len(true) - len(pairs), tuple(missed))
    first = len(invented) + len(missed) + 1
    both = [_pair(n, listed[i], true[j], float(iou[i, j]), screen) for n, (i, j) in enumerate(pairs[:EACH], first)]
    yield Part("matched", len(pairs), tuple(both))


def _numbered(elements: Sequence[Element], taken: set[int], first: int) -> Iterator[tuple[int, Element]]:
    """Those that are shown of the elements that have no partner, with their numbers."""
    return enumerate(islice((each for place, each in enumerate(elements) if place not in taken), EACH), first)


def _nowhere(number: int, problem: boxes.ElementProblem) -> Line:
    note = f"no box on the screen: {one_line(problem.problem, _TEXT)}"
    said = one_line(problem.description, _TEXT)
    return Line(number, one_line(problem.kind, 20), "", said, same=False, mark=None, note=note)


def _pair(number: int, listed: Element, true: Element, iou: float, screen: Screen) -> Line:
    mark, theirs = (next(_marked("matched", each.box, screen), None) for each in (true, listed))
    same = gui.same_words(listed.description, true.description)
    words = one_line(true.description, _TEXT), one_line(listed.description, _TEXT)
    return Line(number, one_line(true.kind, 20), *words, same, mark, theirs, f"overlap {iou:.2f}")


def _one(kind: str, number: int, each: Element, screen: Screen) -> Line:
    said = one_line(each.description, _TEXT)
    true, listed = ("", said) if kind == "invented" else (said, "")
    return Line(number, one_line(each.kind, 20), true, listed, False, next(_marked(kind, each.box, screen), None))


def _marked(kind: str, box: Box, screen: Screen, *, point: bool = False) -> Iterator[Mark]:
    """The mark of a box; none where it is no box at all."""
    edges = (box.left, box.top, box.right, box.bottom)
    if not all(map(math.isfinite, edges)) or box.right < box.left or box.bottom < box.top:
        return
    left, top, width, height = box.left, box.top, box.right - box.left, box.bottom - box.top
    corner = _px(max(0.0, min(left, screen.width - 3 * _LETTER * screen.longest)))
    label = _label(kind, box, screen, point=point)
    yield Mark(kind, _px(left), _px(top), _px(width), _px(height), corner, point, label)


def _label(kind: str, box: Box, screen: Screen, *, point: bool) -> Label:
    """Above the box, below it for an answer, so that both can be read where they lie on each other; else within."""
    room = _LABEL * screen.longest
    above, below = box.top >= room, box.bottom <= screen.height - room
    answered, away = kind in ("hit", "miss"), 0.6 if point else 0.0
    if below and (answered or not above):
        y, shift = box.bottom, 1.15 + away
    elif above:
        y, shift = box.top, -0.4 - away
    else:
        y, shift = box.top, 1.15
    words = min(float(screen.width), len(WORDS[kind]) * _LETTER * screen.longest)
    if box.centre[0] < screen.width / 2:
        return Label(_px(min(max(0.0, box.left), screen.width - words)), _px(y), "start", f"{shift:.2f}em")
    return Label(_px(max(min(float(screen.width), box.right), words)), _px(y), "end", f"{shift:.2f}em")


def _px(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}

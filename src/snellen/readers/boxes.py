"""Boxes: where an answer points, or that it says the target is not there; and the elements that it lists.

Reads JSON in any state (nested, cut off, in fences, with comments, single quotes, trailing commas, numbers as
strings), the tags of model families (``<|box_start|>(x,y)<|box_end|>``, ``<box>``, ``<point x= y=>``), calls
(``pyautogui.click``, ``click(start_box=...)``, tool calls), prose and lists, in English and Chinese. What the numbers
mean is said by the declared `Convention`, and by names where they have them (``x=1, y=2``; ``left 1, top 2, right 3,
bottom 4``; a percent sign), never guessed from their size. Of several places the last declared one counts, of several
answers what follows the last "final answer".

A place outside the image, inverted or not finite is a format error: nothing is clamped, and nothing becomes (0, 0).
``-1``, ``null``, ``[]`` and four zeros are sentinels: they reject beside words that do, or where a sentinel was
offered; two zeros are a corner of the image like any other point. Location tokens are read only where they fit the
convention: ``<loc_12>`` (thousandths) with ``thousand``, ``<loc0012>`` (1024ths, y first) with fractions or thousandths
in ``yxyx``.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from snellen.box import Box
from snellen.convention import Convention, CoordinateError, Frame
from snellen.item import Element
from snellen.readers import _box_elements as listing
from snellen.readers import _box_json
from snellen.readers._box_place import DECLARED, Place
from snellen.readers._box_places import places
from snellen.readers._box_prose import Passage, passages, says_absent
from snellen.readers._box_rejections import rejects
from snellen.readers._box_tokens import Group, flat, tree
from snellen.readers.pattern import Pattern

Kind = Literal["point", "box", "rejected", "contradicted", "format_error", "unclear"]

_FINAL = Pattern(
    r"\bfinal (?:answer|target|coordinates?|box|result|output)\b|(?<![\w])answer\**\"?\s*[:=]|最终(?:答案|坐标|结果|"
    r"目标)|(?:答案|回答)\s*[:是为]|"
    r"\bstep 2\b|第二步",
    2,
)
_SENTINELS = frozenset(
    ("-1", "null", "none", "nil", "n/a", "na", "[]", "{}", "()", "[null]", "[none]", "[-1]", "(-1)", "nan", "[[]]")
)
_DRESSING = Pattern(r"```\w*|[\s`*\"'.。;]")


@dataclass(frozen=True, slots=True)
class TargetReading:
    """Where an answer points.

    Attributes:
        kind: ``point`` or ``box``; ``rejected``: it says that the target is not there; ``contradicted``: it says so and
            gives a place as well; ``format_error``: what it gives as a place is none; ``unclear``: it neither gives a
            place nor rejects.
        box: in pixels of the original; of a contradicted reading too; None for a point.
        point: (x, y) in pixels of the original: the point, or the centre of the box.
        span: of the text that was read, from start to end; (0, 0) for none.
        problem: why a place is none; else empty.
        values: the numbers as written; none where words reject.
    """

    kind: Kind
    box: Box | None = None
    point: tuple[float, float] | None = None
    span: tuple[int, int] = (0, 0)
    problem: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ElementProblem:
    """An element that is listed with something that is no box on the screen.

    Attributes:
        problem: what is wrong.
        kind, description: of the element, as far as it says.
        span: of the text that was read.
        values: the numbers as written.
    """

    problem: str
    kind: str = ""
    description: str = ""
    span: tuple[int, int] = (0, 0)
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ElementsReading:
    """The elements that an answer lists.

    Attributes:
        elements: with boxes in pixels of the original, in the order of the answer.
        problems: elements whose box is none, one for each.
        truncated: whether the text ends within the list; what is cut off is neither an element nor a problem.
    """

    elements: tuple[Element, ...] = ()
    problems: tuple[ElementProblem, ...] = ()
    truncated: bool = False


def read_target(text: str, convention: Convention, frame: Frame, *, sentinel_offered: bool = False) -> TargetReading:
    """Where an answer points, or that it rejects.

    Args:
        text: the answer, without thinking.
        convention: how its model writes coordinates.
        frame: what became of the image on its way to the model.
        sentinel_offered: whether the prompt told it to write a sentinel where there is no target.

    >>> from snellen.convention import PRESETS
    >>> frame = Frame((1000, 500), (1000, 500), (1000, 500))
    >>> read_target('{"bbox_2d": [100, 200, 300, 400]}', PRESETS["pixels"], frame).point
    (200.0, 300.0)
    >>> read_target("The target is not on the screen.", PRESETS["pixels"], frame).kind
    'rejected'
    """
    plain, _root, found, prose = _seen(text)
    final = max((marker.end() for marker in _FINAL.finditer(plain)), default=0)
    chosen = _chosen([place for place in found if place.start >= final])
    rejected = _rejection([passage for passage in prose if passage.end > final], final, chosen)
    if final and chosen is None and not rejected:
        chosen = _chosen(found)
        rejected = _rejection(prose, 0, chosen)
    if rejected and chosen is not None and chosen.form not in ("nothing", "bad"):
        listed = listing.listed(plain, found)
        if chosen in listed and rejected.start >= chosen.end:
            chosen = None  # a list of what there is, and then that the target is not among it
    if rejected:
        span = (rejected.start, rejected.end)
        if chosen is None or _is_empty(chosen):
            return TargetReading("rejected", span=_trimmed(plain, span))
        reading = _placed(text, chosen, convention, frame)
        return replace(reading, kind="contradicted")
    if chosen is None:
        bare = _DRESSING.sub("", plain).lower()
        if bare in _SENTINELS:
            return _sentinel(text, None, (0, len(text)), sentinel_offered)
        return TargetReading("unclear")
    if chosen.form == "nothing":
        return _sentinel(text, chosen, (chosen.start, chosen.end), sentinel_offered)
    return _placed(text, chosen, convention, frame)


def read_elements(text: str, convention: Convention, frame: Frame) -> ElementsReading:
    """The elements that an answer lists, each with its box.

    Args:
        text: the answer, without thinking.
        convention: how its model writes coordinates.
        frame: what became of the image on its way to the model.

    >>> from snellen.convention import PRESETS
    >>> frame = Frame((1000, 500), (1000, 500), (1000, 500))
    >>> answer = '[{"type": "icon", "description": "search", "bbox_2d": [1, 2, 3, 4]}, {"type": "te'
    >>> reading = read_elements(answer, PRESETS["pixels"], frame)
    >>> reading.elements[0].description, reading.truncated
    ('search', True)
    """
    quick = _quick(text)
    if quick is not None:
        with suppress(CoordinateError):
            return ElementsReading(tuple(Element(kind, said, convention.box(box, frame)) for kind, said, box in quick))
    elements: list[Element] = []
    problems: list[ElementProblem] = []
    rows, truncated = _rows(text)
    for row in rows:
        place = row.place
        span, values = (place.start, place.end), _values(text, place)
        box, point, problem = _located(place, convention, frame)
        if box is not None:
            elements.append(Element(row.kind, row.description, box))
        else:
            problem = problem or (f"a point where a box is needed: {point}" if point else "no box")
            problems.append(ElementProblem(problem, row.kind, row.description, span, values))
    return ElementsReading(tuple(elements), tuple(problems), truncated)


# The last texts are kept, since one answer is read for its pairs and for its verdict, and under several conventions.
_quick = lru_cache(16)(_box_json.elements)


Seen = tuple[str, Group, list[Place], list[Passage]]
_LONGEST_KEPT = 50_000  # characters: what is seen of a text takes some hundred times its memory


def _seen(text: str) -> Seen:
    return _kept(text) if len(text) <= _LONGEST_KEPT else _look(text)


def _look(text: str) -> Seen:
    plain = flat(text)
    root = tree(plain)
    return plain, root, places(plain, root), passages(plain, root)


_kept = lru_cache(16)(_look)


def _rows(text: str) -> tuple[list[listing.Row], bool]:
    plain, root, found, _ = _seen(text)
    return listing.rows(text, plain, root, found)


def _chosen(found: list[Place]) -> Place | None:
    """The last place of the highest rank; beside a place in the same object, a sentinel or a bad one says nothing."""
    best: Place | None = None
    for place in found:
        if (
            place.form in ("nothing", "bad")
            and best is not None
            and best.rank == DECLARED
            and place.owner is not None
            and place.owner is best.owner
            and not place.cut
        ):
            continue
        if best is None or place.rank >= best.rank:
            best = place
    return best


def _rejection(prose: list[Passage], final: int, chosen: Place | None) -> Passage | None:
    """The last passage that rejects, from an offset on."""
    placed = chosen is not None and chosen.form != "nothing"
    for passage in reversed(prose):
        start = max(passage.start, final)
        said = passage.text[start - passage.start :] if passage.start < final else passage.text
        if says_absent(passage) or rejects(said.lstrip(" :*"), placed=placed):
            return replace(passage, start=start)
    return None


def _sentinel(text: str, place: Place | None, span: tuple[int, int], offered: bool) -> TargetReading:
    values = _values(text, place)
    if offered:
        return TargetReading("rejected", span=span, values=values)
    return TargetReading("format_error", span=span, problem="a sentinel, and none was offered", values=values)


def _placed(text: str, place: Place, convention: Convention, frame: Frame) -> TargetReading:
    span, values = (place.start, place.end), _values(text, place)
    box, point, problem = _located(place, convention, frame)
    kind: Kind = "format_error" if point is None else "box" if box is not None else "point"
    return TargetReading(kind, box, point, span, problem, values)


def _located(place: Place, convention: Convention, frame: Frame) -> tuple[Box | None, tuple[float, float] | None, str]:
    """(box, point, problem) of a place in pixels of the original."""
    if place.form == "bad":
        return None, None, place.problem
    if place.form == "nothing":
        return None, None, "a sentinel where a place is needed"
    try:
        convention, values = _meant(place, convention)
        if len(values) == 2:
            return None, convention.point(values, frame), ""
        box = convention.box(values, frame)
    except CoordinateError as error:
        return None, None, str(error)
    return box, box.centre, ""


def _meant(place: Place, convention: Convention) -> tuple[Convention, list[float]]:
    """The convention that a place's own names and signs leave, and its numbers."""
    values = [number.value for number in place.numbers]
    percent = [number.percent for number in place.numbers]
    if any(percent):
        if not all(percent):
            raise CoordinateError("some of the numbers are percent, and some are not")
        convention = replace(convention, unit="percent", resizing=None)
    bins = {number.bins for number in place.numbers}
    if bins != {0}:
        if bins == {1000} and convention.unit == "thousand":
            pass
        elif bins == {1024} and convention.boxes == "yxyx" and convention.unit in ("thousand", "fraction"):
            convention, values = replace(convention, unit="fraction"), [value / 1024 for value in values]
        else:
            raise CoordinateError(f"location tokens do not fit the convention {convention}")
    if place.form in ("xyxy", "xywh", "cxcywh"):
        convention = replace(convention, boxes=place.form)
    elif place.form == "xy":
        convention = replace(convention, points="xy")
    elif place.form == "corners":
        convention = replace(convention, boxes="xyxy" if convention.points == "xy" else "yxyx")
    return convention, values


def _is_empty(place: Place) -> bool:
    """Whether a place says nothing beside a rejection: a sentinel, only zeros, or no numbers."""
    return place.form == "nothing" or not any(number.value for number in place.numbers)


def _values(text: str, place: Place | None) -> tuple[str, ...]:
    return tuple(text[number.start : number.end] for number in place.numbers) if place is not None else ()


def _trimmed(plain: str, span: tuple[int, int]) -> tuple[int, int]:
    said = plain[span[0] : span[1]]
    return span[0] + len(said) - len(said.lstrip()), span[1] - len(said) + len(said.rstrip())

"""Ladder: second runs on screens, built from a finished one, in which a parse is handed over with each question.

Models that parse a screen badly also hallucinate on it. Whether the one causes the other is tested by giving the same
question with the model's own parse (``own``), with the true one (``true``), and with the true one without the target
(``dropped``): if parsing matters, the true parse helps, and without the target a model points at something else
although the screen has it.

A parse belongs to a question when it is of the same picture in the same language. All are written in one form, as a
list in the model's convention, so that they differ in what they list and in nothing else. What cannot be asked is left
out and counted: it stands in the source run, but in no comparison with the second one.
"""

from __future__ import annotations

import fnmatch
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from snellen import discovery
from snellen.box import Box
from snellen.convention import Convention, CoordinateError, Frame
from snellen.engine.clients import revision
from snellen.engine.plan import Plan, View
from snellen.engine.prepare import register_run
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.item import Element, ElementsReference, Item, TargetReference
from snellen.ledger import Ledger, PlannedRow, ResultRow, RunRow
from snellen.model_spec import ModelSpec, resolve
from snellen.prompting import _given_parse
from snellen.readers import boxes, thinking
from snellen.request import Request

if TYPE_CHECKING:
    from snellen.images import ImageStore

RUNGS: Mapping[str, str] = {
    "own": "from-own-parse",
    "true": "from-true-parse",
    "dropped": "from-parse-without-target",
}
"""Rung -> the prompt's name under which its run is filed."""

_PART = 0.5  # of an element that lies in the target's box, from which on it is a part of the target
_DIGITS = {"fraction": 4, "percent": 2}

NO_ANSWER = "the first run has no answer to it"
NO_PARSE = "no parse of its screen was asked for"
CUT = "the model's parse of its screen failed or was cut"
UNREADABLE = "no element of the model's parse of its screen can be read"
NO_TARGET = "there is no target to drop"
NOT_LISTED = "the true parse does not hold its target"
NO_SIZE = "the size of its screen is not known"

Screen = tuple[str, str]
"""Digest of the picture, and language."""


@dataclass(frozen=True, slots=True)
class _Parse:
    """What a question on a screen can be given: elements, or the reason why there are none."""

    elements: tuple[Element, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Rung(Plan):
    """A second run, before anything is asked.

    Attributes:
        ledger: that holds the first run.
        source: the first run.
        rung: of `RUNGS`.
        with_image: whether the screen is shown beside the parse.
        parses: of each screen.
        given: digest of every question with what is given.
        count: questions that are asked.
        left_out: reason -> questions that are not.
    """

    ledger: Ledger = field(kw_only=True, compare=False)
    source: RunRow = field(kw_only=True)
    rung: str = field(kw_only=True)
    with_image: bool = field(kw_only=True)
    parses: Mapping[Screen, _Parse] = field(kw_only=True, compare=False, repr=False)
    given: str = field(default="", kw_only=True)
    count: int = field(default=0, kw_only=True)
    left_out: Mapping[str, int] = field(default_factory=dict, kw_only=True)

    def identity(self) -> dict[str, Any]:
        """As any run's, with the first run, the rung, and a digest of what is given."""
        given = {"run": self.source.plan.hex(), "rung": self.rung, "image": self.with_image, "parses": self.given}
        return {**super().identity(), "given": given}

    def request(self, item: Item) -> Request:
        """What is asked for an item with a parse."""
        messages = _given_parse.messages(item, self.convention, image=self.with_image)
        policy = self.image_policy if self.with_image else ""
        return Request(messages, self.model.name, self.revision, self.parameters, policy)

    def rows(self, images: ImageStore, view: View) -> Iterator[PlannedRow]:
        """The questions of the first run that can be asked, each at the place that it has there."""
        for row, item in self.questions():
            if isinstance(item, Item) and (not view.items or fnmatch.fnmatchcase(item.id, view.items)):
                yield PlannedRow(row.position, item, self.request(item).key)

    def questions(self) -> Iterator[tuple[ResultRow, Item | str]]:
        """Every question for a place in the first run, with its parse, or why it is left out."""
        for row in _rows(self.ledger, self.source):
            if isinstance(row.item.reference, TargetReference):
                yield row, self._given(row, row.item.reference)

    def _given(self, row: ResultRow, truth: TargetReference) -> Item | str:
        if row.answer is None:
            return NO_ANSWER
        parse = self.parses.get(_screen(row.item)) if row.item.images else None
        if parse is None:
            return NO_PARSE
        if parse.reason:
            return parse.reason
        elements = parse.elements
        if self.rung == "dropped":
            if truth.box is None:
                return NO_TARGET
            elements = without(elements, truth.box)
            if len(elements) == len(parse.elements):
                return NOT_LISTED
        try:
            # Beside the picture, coordinates are those of what is sent, which is what was sent before. Without one, the
            # judge reads them on the original.
            frame = _frame(row) if self.with_image else Frame.of(row.item.images[0])
        except CoordinateError:
            return NO_SIZE
        return replace(row.item, given=written(elements, self.convention, frame))


def plan_of(
    workspace: Workspace, run: str, rung: str, *, with_image: bool = False, base_url: str = "", key_variable: str = ""
) -> Rung:
    """The second run of that rung, from names.

    Args:
        workspace: that holds the first run.
        run: its name.
        rung: of `RUNGS`.
        with_image: whether the screen is shown beside the parse.
        base_url: of the model's server; else the declared one, else that of the first run.
        key_variable: environment variable that holds the key.

    Raises:
        UsageError: as `rung_of`; there is no such run; nobody knows where the model runs.
    """
    source = workspace.ledger.find_run(run.partition("@")[0])
    name = source.spec["model"]
    declared = workspace.models.get(name)
    if not base_url and (declared is None or not declared.base_url):
        base_url = source.manifest.get("model", {}).get("base_url", "")
    written_in = source.spec.get("convention", "")
    if "recorded" in source.spec:
        model = ModelSpec(name, convention=written_in)
    else:
        model = resolve(name, workspace.models, base_url=base_url, key_variable=key_variable, convention=written_in)
    return rung_of(workspace.ledger, source, model, rung, with_image=with_image)


def register(workspace: Workspace, plan: Rung) -> RunRow:
    """The second run's row in the ledger, made if it is new, with what was left out."""
    row = register_run(workspace, plan)
    ladder = {"first_run": plan.source.name, "asked": plan.count, "left_out": dict(plan.left_out)}
    recorded = {**row.manifest, "ladder": ladder}
    workspace.ledger.record(row.id, recorded)
    return replace(row, manifest=recorded)


def rung_of(ledger: Ledger, source: RunRow, model: ModelSpec, rung: str, *, with_image: bool = False) -> Rung:
    """The second run of that rung.

    Args:
        ledger: that holds the first run.
        source: the first run: of a benchmark of screens, answered.
        model: that answered it.
        rung: of `RUNGS`.
        with_image: whether the screen is shown beside the parse.

    Raises:
        UsageError: no such rung; the first run is not of screens, is a second run itself or an import, lost its
            images, or has nothing that can be asked so.
    """
    module = discovery.load("benchmarks", source.spec["benchmark"])
    if rung not in RUNGS:
        raise UsageError(f"no rung is named {rung!r}; there are: {', '.join(RUNGS)}")
    if module.CARD.domain != "screen":
        raise UsageError(f"{source.name} asks about {module.CARD.domain}s: a ladder is for runs on screens")
    if "given" in source.spec:
        raise UsageError(f"{source.name} is a second run itself: name the run that it was built from")
    if "recorded" in source.spec:
        raise UsageError(f"{source.name} holds answers that were recorded elsewhere: nobody can be asked again")
    if with_image and "images" in source.manifest.get("purged", {}):
        raise UsageError(f"the images of {source.name} were purged: run it again with the data at hand first")
    plan = Rung(
        benchmark=module,
        name=source.spec["benchmark"],
        data=Path(source.manifest.get("data_folder", "")),
        data_digest=source.spec["data"],
        prompt=RUNGS[rung],
        prompting=_given_parse,
        model=model,
        revision=revision(model),
        seed=source.spec["seed"],
        ledger=ledger,
        source=source,
        rung=rung,
        with_image=with_image,
        parses={},
    )
    plan = replace(plan, parses=_parses(ledger, source, rung, plan.convention))
    if not plan.parses:
        raise UsageError(f"{source.name} has no parse of a screen: a ladder needs the items of the task parsing, too")
    digest, left_out, count = hashlib.sha256(), Counter[str](), 0
    for row, item in plan.questions():
        if isinstance(item, str):
            left_out[item] += 1
            continue
        count += 1
        digest.update(orjson.dumps([row.position, item.id, item.given]))
    if not count:
        why = "; ".join(f"{reason} ({number:,})" for reason, number in left_out.most_common())
        raise UsageError(f"no question of {source.name} can be asked {RUNGS[rung]}: {why or 'it asks for no place'}")
    return replace(plan, given=digest.hexdigest()[:16], count=count, left_out=dict(left_out.most_common()))


def without(elements: Sequence[Element], target: Box) -> tuple[Element, ...]:
    """The elements that are no part of the target.

    A part lies with half its area or more in the target's box (the icon and the label of one button), or overlaps it by
    half. Where nothing does, the smallest element that covers half of the target is the target.
    """
    parts = [
        _common(e.box, target) >= _PART * e.box.area if e.box.area else target.contains(*e.box.centre) for e in elements
    ]
    parts = [part or e.box.iou(target) >= _PART for e, part in zip(elements, parts, strict=True)]
    if not any(parts):
        holders = [e for e in elements if _common(e.box, target) >= _PART * target.area]
        smallest = min(holders, key=lambda e: e.box.area, default=None)
        parts = [e is smallest for e in elements]
    return tuple(e for e, part in zip(elements, parts, strict=True) if not part)


def written(elements: Sequence[Element], convention: Convention, frame: Frame) -> str:
    """A list of elements as a model of that convention would write it, an element a line; no ``<`` is in it."""
    digits = _DIGITS.get(convention.unit, 0)
    lines = []
    for element in elements:
        numbers = [round(value, digits) if digits else round(value) for value in convention.written(element.box, frame)]
        line = orjson.dumps({"type": element.kind, "description": element.description, "bbox_2d": numbers}).decode()
        lines.append(line.replace("<", "\\u003c"))  # the list's own end stands in such brackets
    return "[" + ",\n".join(lines) + "]"


def _common(one: Box, other: Box) -> float:
    """Area in both."""
    width = min(one.right, other.right) - max(one.left, other.left)
    height = min(one.bottom, other.bottom) - max(one.top, other.top)
    return max(0.0, width) * max(0.0, height)


def _rows(ledger: Ledger, source: RunRow) -> Iterator[ResultRow]:
    """Every clean row of a run, streamed."""
    after = -1
    while rows := ledger.results(source.id, None, after):
        after = rows[-1].position
        yield from (row for row in rows if not row.item.changes)


def _parses(ledger: Ledger, source: RunRow, rung: str, convention: Convention) -> dict[Screen, _Parse]:
    found: dict[Screen, _Parse] = {}
    for row in _rows(ledger, source):
        truth = row.item.reference
        if isinstance(truth, ElementsReference) and row.item.images:
            parse = _own(row, convention) if rung == "own" else _Parse(truth.elements)
            found.setdefault(_screen(row.item), parse)
    return found


def _own(row: ResultRow, convention: Convention) -> _Parse:
    """What a model listed, as far as it can be read."""
    answer = row.answer
    if answer is None or answer.status != "answered":
        return _Parse(reason=CUT)
    visible, cut = thinking.strip(answer.text, answer.finish_reason or None)
    if cut:
        return _Parse(reason=CUT)
    try:
        elements = boxes.read_elements(visible, convention, _frame(row)).elements
    except CoordinateError:
        return _Parse(reason=NO_SIZE)
    return _Parse(elements, "" if elements else UNREADABLE)


def _screen(item: Item) -> Screen:
    return item.images[0].sha256 or item.images[0].name, item.language


def _frame(row: ResultRow) -> Frame:
    sent = (row.answer.sent.get("images") if row.answer is not None else None) or [None]
    return Frame.of(row.item.images[0], sent[0])

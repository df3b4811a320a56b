"""The lists in answers of parsing-guided prompting, scored as parses.

The prompt `pgp` has a model list what is on the screen before it points. That list is read as a parse of the screen and
compared with the true elements, which stand in the parsing item of the same screen and language: of the same run, or of
another one.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from snellen.answer import Answer
from snellen.convention import Convention
from snellen.engine.judged import Judged
from snellen.engine.screen_answers import Ratios, parse_of
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.estimate import Estimate
from snellen.item import Element, ElementsReference, Item
from snellen.ledger import RunRow, planned

PROMPTS = ("pgp",)
"""Prompts whose answers hold such a list."""

_KEPT = 256  # screens' elements in memory: neighbours in a plan often share a screen


@dataclass(frozen=True, slots=True)
class Listed:
    """What the lists came to.

    Attributes:
        answers: that were compared with the true elements of their screen.
        empty: those of them that list nothing.
        unknown: answers whose screen has no parsing item in their language.
        source: name of the run whose parsing items were used.
        recall, precision: of the lists, as of parses.
        label_agreement: share of the matched elements with the same words.
    """

    answers: int
    empty: int
    unknown: int
    source: str
    recall: Estimate
    precision: Estimate
    label_agreement: Estimate

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "answers": self.answers,
            "empty": self.empty,
            "unknown": self.unknown,
            "source": self.source,
            "recall": self.recall.to_json(),
            "precision": self.precision.to_json(),
            "label_agreement": self.label_agreement.to_json(),
        }


class Truths:
    """True elements of screens by screen and language, looked up in the plan of a run.

    Args:
        workspace: that holds the run.
        run: with parsing items.
    """

    def __init__(self, workspace: Workspace, run: RunRow) -> None:
        self._ledger, self.run = workspace.ledger, run
        self._kept: OrderedDict[int, tuple[Element, ...]] = OrderedDict()
        self._places: dict[tuple[str, str], int] = {}
        for row in planned.lean_results(self._ledger, run.id, None):
            item = row.item
            reference = item["reference"]
            if reference and reference["kind"] == "elements" and not item["changes"] and "screen" in item["groups"]:
                self._places.setdefault((item["groups"]["screen"], item["language"]), row.position)

    def __len__(self) -> int:
        return len(self._places)

    def of(self, item: Item) -> tuple[Element, ...] | None:
        """The true elements of an item's screen in its language; None where no item has them."""
        place = self._places.get((item.groups.get("screen", ""), item.language))
        if place is None:
            return None
        if place not in self._kept:
            reference = self._ledger.at(self.run.id, None, [place])[0].item.reference
            assert isinstance(reference, ElementsReference)
            self._kept[place] = reference.elements
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return self._kept[place]


class Listing:
    """Collects lists in answers, a row at a time.

    Args:
        truths: of the screens.
        matching: as the judge's option.
    """

    def __init__(self, truths: Truths, matching: str) -> None:
        self._truths, self._matching = truths, matching
        self._ratios = Ratios("recall", "precision", "label_agreement")
        self._answers = self._empty = self._unknown = 0

    def place(self, item: Item, answer: Answer, convention: Convention) -> None:
        """One answer about a target, there or absent."""
        true = self._truths.of(item)
        parse = parse_of(item, true, answer, convention) if true is not None else None
        if parse is None:
            self._unknown += 1
            return
        self._answers += 1
        self._empty += not parse.count
        pairs, add = parse.pairs(self._matching), self._ratios.add
        add(item.cluster, "recall", len(pairs), len(parse.true))
        add(item.cluster, "precision", len(pairs), parse.count)
        add(item.cluster, "label_agreement", parse.same_words(pairs), len(pairs))

    def result(self) -> Listed:
        """What was collected."""
        names = ("recall", "precision", "label_agreement")
        estimates = (self._ratios.estimate(name) for name in names)
        return Listed(self._answers, self._empty, self._unknown, self._truths.run.name, *estimates)


def listing_of(judged: Judged, workspace: Workspace, parses: RunRow | None, matching: str) -> Listing | None:
    """What collects the lists of a run; None for a run that asks for none.

    Args:
        judged: the run.
        workspace: that holds it.
        parses: another run, with the parsing items of its screens; its own if None.
        matching: as the judge's option.

    Raises:
        UsageError: the run that is named has no parsing items, or the run asks for no lists.
    """
    asks = judged.run.spec.get("prompt") in PROMPTS
    if parses is not None and not asks:
        raise UsageError(f"{judged.run.name} was not asked with the prompt {' or '.join(PROMPTS)}: it holds no lists")
    if not asks:
        return None
    truths = Truths(workspace, parses or judged.run)
    if not len(truths) and parses is not None:
        raise UsageError(f"{parses.name} has no parsing items: name a run of the whole benchmark")
    return Listing(truths, matching) if len(truths) else None

"""What the judge is shown: an answer without the confidence that its prompt asked for, and of a changed item the
changed image and instruction, or those of its clean version.

Judging on the clean version asks whether the answer to a disturbed question is true of the undisturbed one. What is
right stays the changed item's own: its reference, and its options, whose letters the answer uses. Where a change
altered the truth or removed what is asked for, the reference is true of the changed image alone, and the item is judged
on that in both cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, get_args

from snellen.engine.stated import Stated
from snellen.errors import UsageError
from snellen.item import Item
from snellen.ledger import Ledger, ResultRow

JudgedOn = Literal["changed", "clean"]
JUDGED_ON: Final[tuple[JudgedOn, ...]] = get_args(JudgedOn)
"""Which version of a changed item the judge is shown; the first is the default."""


def judged_on(value: str) -> JudgedOn:
    """The value as one of `JUDGED_ON`.

    Raises:
        UsageError: it is none.
    """
    for known in JUDGED_ON:
        if value == known:
            return known
    raise UsageError(f"an item is judged on its {' or '.join(JUDGED_ON)} version, not on {value!r}")


def on_clean(changed: Item, clean: Item) -> Item:
    """A changed item with the image and the instruction of its clean version.

    The clean instruction of a multiple-choice item holds its options; where these were changed, the changed one stays.
    """
    if any(change.truth in ("altered", "removed") for change in changed.changes):
        return changed
    question = clean.question if clean.options == changed.options else changed.question
    return replace(changed, question=question, images=clean.images, regions=clean.regions)


class AsJudged:
    """Rows of one run with the items and the answers as its judge is shown them.

    Args:
        ledger: that holds the run.
        run_id: the run's number there.
        on: which version of a changed item the judge is shown.
    """

    def __init__(self, ledger: Ledger, run_id: int, on: JudgedOn) -> None:
        self._ledger, self._run_id, self._on = ledger, run_id, on
        self._versions = 0  # of an item in the plan, the clean one included; 0: not looked up yet
        self._stated: Stated | None = None

    def __call__(self, rows: Sequence[ResultRow]) -> Sequence[ResultRow]:
        """The same rows, as the judge is shown them."""
        if not rows:
            return rows
        if self._stated is None:
            self._stated = Stated.of(self._spec().get("prompt", ""))
        if self._stated.asked:
            rows = [replace(row, answer=self._stated.without(row.answer)) for row in rows]
        if self._on == "changed" or not any(row.item.changes for row in rows):
            return rows
        clean = self._clean([row.position for row in rows if row.item.changes])
        return [self._shown(row, clean) for row in rows]

    def _shown(self, row: ResultRow, clean: dict[int, Item]) -> ResultRow:
        original = clean.get(self._of(row.position))
        if not row.item.changes or original is None or original.id != row.item.groups.get("pair"):
            return row
        return replace(row, item=on_clean(row.item, original))

    def _of(self, position: int) -> int:
        """Place of the clean item: its changed versions follow it, each condition at a place of its own."""
        return position - position % self._versions

    def _clean(self, positions: Sequence[int]) -> dict[int, Item]:
        if not self._versions:
            self._versions = 1 + len(self._spec().get("perturbations", ()))
        wanted = sorted({self._of(position) for position in positions})
        return {row.position: row.item for row in self._ledger.at(self._run_id, None, wanted)}

    def _spec(self) -> Mapping[str, Any]:
        return next(run.spec for run in self._ledger.runs() if run.id == self._run_id)

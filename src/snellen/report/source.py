"""What a report needs of one judged run. The engine's runs fulfil these protocols; tests bring their own."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from snellen.answer import Answer
from snellen.atomic_claim import AtomicClaim
from snellen.card import Card
from snellen.engine.results import Results
from snellen.item import Item
from snellen.table import VerdictTable
from snellen.verdict import Verdict

if TYPE_CHECKING:
    from snellen.engine.differences import Differences
    from snellen.engine.repeated import Repeated
    from snellen.engine.rereading import Rereading  # with the readers of places, which a table of numbers does without


class Row(Protocol):
    """One item with what was answered and judged."""

    @property
    def position(self) -> int:
        """Place in the plan; unique within a run."""

    @property
    def item(self) -> Item:
        """The item as it was asked."""

    @property
    def answer(self) -> Answer | None:
        """None while it has not been asked."""

    @property
    def visible(self) -> str:
        """The answer without its thinking; empty where there is none."""

    @property
    def verdict(self) -> Verdict:
        """The judgement; unscored with a reason where there is none."""


class ReportSource(Protocol):
    """One judged run: ``charthal/qwen2.5-vl-7b-3f2a@rules``."""

    @property
    def name(self) -> str:
        """As the user names it on the command line."""

    @property
    def card(self) -> Card:
        """The benchmark's identity: gives titles, order of labels and published rows."""

    @property
    def table(self) -> VerdictTable:
        """The verdicts as columns, which paired comparisons need."""

    @property
    def results(self) -> Results:
        """The numbers."""

    @property
    def manifest(self) -> Mapping[str, Any]:
        """How it came about, as nested plain values: model, judge, prompt, data digest, parameters, versions, costs."""

    @property
    def remarks(self) -> Sequence[str]:
        """Sentences that a reader must see beside the numbers."""

    @property
    def differences(self) -> Sequence[Differences]:
        """Items that another judging or reading decides differently."""

    @property
    def rereading(self) -> Rereading | None:
        """What is found by reading answers about screens again; None for other benchmarks."""

    @property
    def repeats(self) -> Repeated | None:
        """What several repeats of the run come to; None where it is not the first of several."""

    def rows(self) -> Iterator[Row]:
        """All rows in order of position, streamed; can be called several times."""

    def claims(self, position: int) -> Sequence[AtomicClaim]:
        """The atomic claims that the judge found in the answer at a position; empty where it does not look for them."""

    def image(self, sha256: str) -> bytes | None:
        """The original bytes of an image, or None when they are lost."""


def rows_at(source: ReportSource, positions: Collection[int]) -> Iterator[Row]:
    """The rows at these positions, in the order of the plan: of a ledger's run without reading the others."""
    pick = getattr(source, "rows_at", None)
    if pick is not None:
        yield from pick(positions)
        return
    wanted = set(positions)
    yield from (row for row in source.rows() if row.position in wanted)

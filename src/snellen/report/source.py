"""What a report needs of one judged run. The engine's runs fulfil these protocols; tests bring their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from snellen.answer import Answer
from snellen.card import Card
from snellen.engine.results import Results
from snellen.item import Item
from snellen.table import VerdictTable
from snellen.verdict import Verdict

if TYPE_CHECKING:
    from snellen.engine.differences import Differences
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

    def rows(self) -> Iterator[Row]:
        """All rows in order of position, streamed; can be called several times."""

    def image(self, sha256: str) -> bytes | None:
        """The original bytes of an image, or None when they are lost."""

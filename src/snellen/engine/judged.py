"""Judged: a run seen through one of its judgings, read from the ledger alone; what tables, reports and exports take."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from snellen import discovery
from snellen.answer import Answer
from snellen.card import Card
from snellen.engine import provenance
from snellen.engine.choice import judge_from_row
from snellen.engine.judge import Judge
from snellen.engine.judging import reread, settled
from snellen.engine.results import Results, summarise
from snellen.engine.verdict_columns import read_table
from snellen.engine.workspace import Workspace
from snellen.errors import ImageError
from snellen.item import Item
from snellen.ledger import ResultRow, RunRow, looking
from snellen.ledger.columns import OpenRow
from snellen.readers import thinking
from snellen.table import VerdictTable
from snellen.verdict import Verdict

if TYPE_CHECKING:
    from snellen.atomic_claim import AtomicClaim
    from snellen.engine.claimed import Claimed
    from snellen.engine.differences import Differences
    from snellen.engine.repeated import Family, Repeated
    from snellen.engine.rereading import Rereading


_PAGE = 500


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """One item with what was answered and judged."""

    position: int
    item: Item
    answer: Answer | None
    visible: str
    verdict: Verdict


class Judged:
    """A run seen through one of its judgings.

    Args:
        workspace: where they are.
        run: the run.
        judging: one of its judgings; None shows answers alone, every item unjudged.
        judge: of the judging, with its present source: verdicts made under another one are read anew first.
        positions: the view; None for everything that was ever planned.
    """

    def __init__(
        self,
        workspace: Workspace,
        run: RunRow,
        judging: RunRow | None,
        judge: Judge | None,
        positions: Container[int] | None = None,
    ) -> None:
        self._workspace, self.run, self.judging, self._positions = workspace, run, judging, positions
        self.judge = judge
        if judging is not None and judge is not None:
            self.judging = self._refresh(judging, judge)

    @property
    def name(self) -> str:
        """As on the command line: ``charthal/qwen2.5-vl-7b-3f2a@rules``."""
        return (self.judging or self.run).name

    @property
    def workspace(self) -> Workspace:
        """Where the run is."""
        return self._workspace

    @cached_property
    def card(self) -> Card:
        """The benchmark's card."""
        card = discovery.load("benchmarks", self.run.spec["benchmark"]).CARD
        assert isinstance(card, Card)
        return card

    @cached_property
    def table(self) -> VerdictTable:
        """All verdicts, as columns; clean items and their changed versions."""
        unreplied = self._unreplied()
        judging_id = self.judging.id if self.judging is not None else None

        def unscored(row: OpenRow) -> Verdict:
            return self._unscored(row, unreplied)

        with self._workspace.facts(self.card.answerable) as facts:
            return read_table(self._workspace.ledger, self.run.id, judging_id, facts, unscored, self._positions)

    @cached_property
    def results(self) -> Results:
        """The numbers."""
        return summarise(self.table, self.card, len(self.table), self.run.spec.get("perturbations", ()))

    @cached_property
    def differences(self) -> Sequence[Differences]:
        """Items that the published reading, or a judging with one other setting, decides differently."""
        if self.judging is None:
            return []
        # Most runs have one judging, and need none of it.
        from snellen.engine.differences import between, from_published

        ledger, found = self._workspace.ledger, []
        if self.results.published is not None and len(self.results.published.differing):
            found.append(from_published(ledger, self.run, self.judging, self.table, self.results.published))
        return found + between(ledger, self.run, self.judging, self.table, self._refresh_other)

    def _refresh_other(self, judging: RunRow) -> None:
        self._refresh(judging, judge_from_row(judging))

    def _refresh(self, judging: RunRow, judge: Judge) -> RunRow:
        """The judging, whose verdicts are read anew where they were made under another source of the judge."""
        ledger, source = self._workspace.ledger, judge.source()
        if judging.spec.get("source") == source:
            return judging
        reread(ledger, self.run.id, judging.id, judge)
        spec = {**judging.spec, "source": source}
        ledger.respecify(judging.id, spec)
        return replace(judging, spec=spec)

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """How the numbers came about."""
        return provenance.manifest(self._workspace.ledger, self.run, self.judging)

    @cached_property
    def remarks(self) -> Sequence[str]:
        """What a reader must know beside the numbers."""
        said = provenance.remarks(self.manifest, self.card, self.results)
        if self.family is not None:
            from snellen.engine.repeated import remark

            said.append(remark(self.family, self.name))
        return said

    @cached_property
    def rereading(self) -> Rereading | None:
        """What is found by reading answers about screens again; None for other benchmarks."""
        from snellen.engine.rereading import reread  # it reads runs like this one

        return reread(self._workspace, self)

    @cached_property
    def family(self) -> Family | None:
        """The repeats to which the run belongs; None where it was asked and judged once."""
        from snellen.engine.repeated import family_of

        return family_of(self._workspace.ledger, self.run, self.judging)

    @cached_property
    def repeats(self) -> Repeated | None:
        """What the repeats of the run come to; None where it is not the first of several."""
        from snellen.engine.repeated import repeated  # it reads runs like this one

        return repeated(self._workspace, self)

    def rows(self) -> Iterator[JudgedRow]:
        """All rows of the view in order of position, streamed from the ledger."""
        ledger = self._workspace.ledger
        judging_id = self.judging.id if self.judging is not None else None
        unreplied = self._unreplied()
        after = -1
        while rows := ledger.results(self.run.id, judging_id, after):
            after = rows[-1].position
            for row in rows:
                if self._positions is None or row.position in self._positions:
                    yield self._judged(row, unreplied)

    def rows_at(self, positions: Collection[int]) -> Iterator[JudgedRow]:
        """The rows of the view at these positions, in the order of the plan."""
        judging_id = self.judging.id if self.judging is not None else None
        wanted = sorted({each for each in positions if self._positions is None or each in self._positions})
        unreplied = self._unreplied() if wanted else frozenset()
        for start in range(0, len(wanted), _PAGE):
            page = wanted[start : start + _PAGE]
            for row in self._workspace.ledger.at(self.run.id, judging_id, page):
                yield self._judged(row, unreplied)

    def row(self, item: str) -> JudgedRow | None:
        """The row of that item id."""
        places = looking.places_of(self._workspace.ledger, item, self.run.id)
        return next(self.rows_at([position for _, position in places]), None)

    def claims(self, position: int) -> Sequence[AtomicClaim]:
        """The atomic claims that the judge found in the answer at a position; none where it does not look for them."""
        return () if self._claimed is None else self._claimed.at(position)

    @cached_property
    def _claimed(self) -> Claimed | None:
        from snellen.engine.claimed import Claimed  # few judges look for claims

        if self.judging is None or self.judge is None or not Claimed.reads(self.judge):
            return None
        return Claimed(self._workspace.ledger, self.run.id, self.judging.id, self.judge)

    def image(self, sha256: str) -> bytes | None:
        """The original bytes of an image, None where they are lost.

        Raises:
            ImageError: they are not there because the run's images were purged.
        """
        try:
            return self._workspace.images.get(sha256)
        except ImageError as error:
            purged = self.run.manifest.get("purged", {}).get("images")
            if purged and error.kind == "missing":
                what = f"it was purged from the workspace on {purged}; run again with the data at hand to see it"
                raise ImageError("missing", what) from None
            return None

    def image_path(self, sha256: str) -> str:
        """Where the original bytes lie."""
        return str(self._workspace.images.path(sha256))

    def _unreplied(self) -> Set[int]:
        return self._workspace.ledger.unreplied(self.judging.id) if self.judging is not None else frozenset()

    def _judged(self, row: ResultRow, unreplied: Set[int]) -> JudgedRow:
        visible = ""
        if row.answer is not None:
            visible, _ = thinking.strip(row.answer.text, row.answer.finish_reason or None)
        return JudgedRow(row.position, row.item, row.answer, visible, row.verdict or self._unscored(row, unreplied))

    def _unscored(self, row: ResultRow | OpenRow, unreplied: Set[int]) -> Verdict:
        if row.error:
            kind, _, what = row.error.partition(": ")
            return Verdict(None, what, unscored=kind)
        if row.answer is None:
            if row.failure is None:
                return Verdict(None, "not asked yet", unscored="missing")
            return Verdict(None, f"{row.failure.kind}: {row.failure.message}", unscored="model_error")
        verdict, _ = settled(row.answer, parity=self.judge is not None and self.judge.parity)
        if verdict is not None:
            return verdict
        if row.position in unreplied:
            return Verdict(None, "the judge could not be asked", unscored="judge_error")
        return Verdict(None, "not judged yet", unscored="missing")


def read_ahead(runs: Sequence[Judged]) -> None:
    """Read tables and manifests, two things at a time: what a manifest sums up is the database's work alone."""
    from concurrent.futures import ThreadPoolExecutor  # one run's table does without

    with ThreadPoolExecutor(1) as elsewhere:
        manifests = [elsewhere.submit(getattr, run, "manifest") for run in runs]
        try:
            for run in runs:
                _ = run.table
        except BaseException:
            elsewhere.shutdown(wait=False, cancel_futures=True)
            raise
        for each in manifests:
            each.result()

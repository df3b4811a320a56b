"""Asked: what came of asking a run that nothing has judged, counted in the ledger without a table of verdicts."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from snellen import discovery
from snellen.engine import provenance
from snellen.ledger import Ledger, RunRow, planned

_WORDS = {"truncated": "truncated", "blocked": "blocked", "model_error": "model errors"}
_WHERE_ANY = {"data_error": "data errors", "missing": "missing"}


@dataclass(frozen=True, slots=True)
class Asked:
    """Answers of a run, counted.

    Attributes:
        name: of the run.
        counts: ``answered``, ``truncated``, ``blocked``, ``model_error``, ``data_error`` or ``missing`` -> items.
        remarks: what a reader must know beside them.
    """

    name: str
    counts: Mapping[str, int]
    remarks: Sequence[str]

    def counts_text(self) -> str:
        """``1,060 of 1,062 answered, truncated 1, blocked 0, model errors 1``, and what else occurs."""
        counts = [f"{self.counts.get('answered', 0):,} of {sum(self.counts.values()):,} answered"]
        counts += [f"{word} {self.counts.get(reason, 0):,}" for reason, word in _WORDS.items()]
        counts += [f"{word} {self.counts[reason]:,}" for reason, word in _WHERE_ANY.items() if self.counts.get(reason)]
        return ", ".join(counts)


def asked(ledger: Ledger, run: RunRow, positions: Container[int] | None) -> Asked:
    """What came of asking.

    Args:
        ledger: where the run is.
        run: whose answers are counted.
        positions: the view; None for everything that was ever planned.
    """
    card = discovery.load("benchmarks", run.spec["benchmark"]).CARD
    remarks = [*provenance.about_asking(provenance.manifest(ledger, run, None), card), *card.notes]
    return Asked(run.name, planned.answer_counts(ledger, run.id, positions), remarks)

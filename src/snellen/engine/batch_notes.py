"""What is said of requests that stand in open batches already, before anything is asked."""

from __future__ import annotations

from collections.abc import Container

from snellen.ledger import Ledger
from snellen.ledger.batches import open_requests


def open_batch_notes(
    ledger: Ledger, run_id: int, wanted: Container[int], *, batch: bool, judging: bool = False
) -> list[str]:
    """Sentences on those requests of a view that are in open batches; none where there are no such requests.

    Args:
        ledger: where the run is.
        run_id: the run or the judging.
        wanted: positions of the view.
        batch: whether the session asks by batch.
        judging: whether it is a judging.
    """
    left, awaited = open_requests(ledger, run_id, wanted, judging=judging)
    option = "--judge-batch" if judging else "--batch"
    notes = []
    if left and batch:
        notes.append(f"{left:,} of these requests are in a batch that is open: they are fetched, and not paid again")
    elif left:
        notes.append(
            f"{left:,} of these requests are in a batch that is open, and will be asked and paid a second time:"
            f" {option} fetches them"
        )
    if awaited:
        here = "they are not asked here" if batch else "that is waited for, and they are not asked here"
        notes.append(f"{awaited:,} of these requests are in a batch that another session waits for: {here}")
    return notes

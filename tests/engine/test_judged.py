"""Judged: the table, which is read without texts, says the same as the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from snellen import library
from snellen.answer import Answer, Failure
from snellen.engine.judged import Judged
from snellen.engine.planning import Positions
from snellen.engine.workspace import Workspace
from snellen.item import Change, ImageRef, Item, TextReference
from snellen.judges import rules
from snellen.ledger import PlannedRow, RunRow, planned
from snellen.table import TableBuilder
from snellen.verdict import ABSTAINED, UNCLEAR, Verdict

RELATIONS = ("normal", "irrelevant")


def key(number: int) -> bytes:
    return number.to_bytes(16, "big")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "workspace") as opened:
        yield opened


@pytest.fixture
def rows(workspace: Workspace) -> tuple[RunRow, RunRow]:
    """A run and its judging with one row of every kind."""
    ledger = workspace.ledger
    run = ledger.add_run("charthal/m-1", b"p" * 16, {"benchmark": "charthal"})
    judging = ledger.add_run("charthal/m-1@rules", b"j" * 16, {"benchmark": "charthal"}, parent=run.id)
    items = [
        Item(
            id=f"charthal/{number // 3}/{number}",
            question=f"question {number}",
            images=(ImageRef("images/1.png", sha256="ab" * 32),),
            reference=TextReference("truth"),
            labels={"question_type": "descriptive", "relation": RELATIONS[number % 2]},
            cluster=f"charthal/{number // 3}",
            language="zh" if number == 4 else "en",
            changes=(Change("crop", 3, 0, "removed"),) if number == 2 else (),
        )
        for number in range(12)
    ]
    errors = {10: "data_error: the image is gone", 11: "missing: no recorded answer"}
    ledger.plan_items(
        run.id,
        [PlannedRow(n, item, None if n in errors else key(n), errors.get(n, "")) for n, item in enumerate(items)],
    )
    answers = {
        0: Answer("answered", "yes"),
        1: Answer("answered", "no"),
        2: Answer("answered", "cannot say"),
        3: Answer("answered", "judged with measures"),
        4: Answer("answered", "not judged"),
        5: Answer("truncated", "cut in the mid", finish_reason="length"),
        6: Answer("blocked", "", finish_reason="content_filter"),
        7: Answer("failed", failure=Failure("timeout", "no answer in 60 s")),
        9: Answer("answered", "<think>never ends", finish_reason="length"),
    }
    ledger.store([(key(n), answer) for n, answer in answers.items()])
    verdicts = [
        (0, Verdict(1, "right")),
        (1, Verdict(0, "wrong", (ABSTAINED, UNCLEAR))),
        (2, Verdict(None, "?", unscored="judge_cannot_tell")),
        (3, Verdict(1, "", measures={"iou": (1.5, 2.0)})),
    ]
    ledger.put_verdicts(judging.id, verdicts)
    return run, judging


@pytest.mark.parametrize("judged", [True, False])
@pytest.mark.parametrize("positions", [None, Positions([0, 3, 5, 11])])
def test_the_table_is_that_of_the_rows(
    workspace: Workspace, rows: tuple[RunRow, RunRow], judged: bool, positions: Positions | None
) -> None:
    run, judging = rows
    seen = Judged(workspace, run, judging if judged else None, None, positions)
    builder = TableBuilder(seen.card.answerable)
    for row in seen.rows():
        builder.add(row.position, row.item, row.verdict)
    expected, table = builder.build(), seen.table
    assert len(table) == (12 if positions is None else 4)
    for name in ("positions", "values", "reasons", "bits", "clusters", "cluster_keys", "pair_keys", "answerable"):
        assert np.array_equal(getattr(table, name), getattr(expected, name)), name
    assert table.vocabulary == expected.vocabulary
    assert all(np.array_equal(table.codes[name], expected.codes[name]) for name in expected.codes)
    assert table.measures.keys() == expected.measures.keys()
    for name in expected.measures:
        assert np.array_equal(table.measures[name], expected.measures[name], equal_nan=True)


def test_every_reason_to_be_unscored_is_in_the_table(workspace: Workspace, rows: tuple[RunRow, RunRow]) -> None:
    run, judging = rows
    counts = Judged(workspace, run, judging, None).table.unscored_counts()
    assert {reason: count for reason, count in counts.items() if count} == {
        "model_error": 1,
        "blocked": 1,
        "truncated": 2,
        "judge_cannot_tell": 1,
        "data_error": 1,
        "missing": 3,
    }


def test_answers_that_are_judged_are_not_read(workspace: Workspace, rows: tuple[RunRow, RunRow]) -> None:
    run, judging = rows
    lean = list(planned.lean_results(workspace.ledger, run.id, judging.id))
    assert [row.position for row in lean if row.answer is not None] == [4, 5, 6, 9]
    assert all(row.verdict is None or not row.verdict.reason for row in lean)


def test_verdicts_are_counted_within_a_view(workspace: Workspace, rows: tuple[RunRow, RunRow]) -> None:
    _, judging = rows
    assert planned.judged_count(workspace.ledger, judging.id, range(12)) == 4
    assert planned.judged_count(workspace.ledger, judging.id, Positions([1, 3, 9])) == 2


def test_a_judge_that_fails_on_one_item_leaves_that_item_unscored_when_it_reads_anew(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = library.run("charthal-demo", model="blind", sample=2, workspace=workspace)
    assert run.judging is not None
    workspace.ledger.respecify(run.judging.id, {**run.judging.spec, "source": "another"})
    read = rules.read
    first = next(run.judged.rows()).item.id

    def failing(item: Item, answer: Answer, replies: Sequence[Answer], **options: str) -> Verdict:
        if item.id == first:
            raise ValueError("of all things")
        return read(item, answer, replies, **options)

    monkeypatch.setattr(rules, "read", failing)
    rows = list(library.open_judged(workspace, run.name).rows())
    assert len(rows) > 1
    assert [row.item.id for row in rows if row.verdict.unscored == "judge_error"] == [first]
    assert rows[0].verdict.reason == "the judge failed: ValueError: of all things"

"""The table out of columns: byte for byte that of a builder which is handed every row."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from snellen.answer import Answer, Failure
from snellen.engine.judged import Judged
from snellen.engine.workspace import Workspace
from snellen.errors import DataError
from snellen.item import Change, Item
from snellen.ledger import PlannedRow, RunRow
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import FLAGS, Verdict

ANSWERABLE = {"relation": ("normal",)}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "workspace") as opened:
        yield opened


def same(one: VerdictTable, other: VerdictTable) -> None:
    """Every column has the same type and the same bytes."""
    for name in (each.name for each in dataclasses.fields(VerdictTable)):
        mine, theirs = getattr(one, name), getattr(other, name)
        if isinstance(mine, np.ndarray):
            assert (mine.dtype, mine.tobytes()) == (theirs.dtype, theirs.tobytes()), name
            assert not mine.flags.writeable
    assert dict(one.vocabulary) == dict(other.vocabulary)
    assert list(one.vocabulary) == list(other.vocabulary)
    assert list(one.codes) == list(other.codes)
    assert list(one.measures) == list(other.measures)
    for name in one.codes:
        assert (one.codes[name].dtype, one.codes[name].tolist()) == (
            other.codes[name].dtype,
            other.codes[name].tolist(),
        )
    for name in one.measures:
        for mine, theirs in zip(one.measures[name], other.measures[name], strict=True):
            assert mine.dtype == theirs.dtype
            np.testing.assert_array_equal(mine, theirs)


def built(judged: Judged) -> VerdictTable:
    """The table of the rows one by one."""
    builder = TableBuilder(judged.card.answerable)
    for row in judged.rows():
        builder.add(row.position, row.item, row.verdict)
    return builder.build()


def items(draw: random.Random, count: int) -> list[Item]:
    """Made-up items, some without labels, some changed, their clusters in no order."""
    found = []
    for number in range(count):
        labels = {"relation": draw.choice(("normal", "missing")), "aspect": draw.choice("cab")}
        change = Change(
            draw.choice(("jpeg", "blur")), 3, draw.choice((0, 7)), draw.choice(("kept", "removed", "unknown"))
        )
        found.append(
            Item(
                f"i/{number}",
                "?",
                labels={name: value for name, value in labels.items() if draw.random() < 0.9},
                groups={"pair": f"i/{number - number % 3}"},
                cluster=f"c/{draw.randrange(count // 4 + 1)}",
                language=draw.choice(("en", "zh")),
                changes=(change,) if number % 3 else (),
            )
        )
    return found


def verdict(draw: random.Random) -> Verdict:
    """Any verdict."""
    names = draw.sample(("iou", "recall", "published"), draw.randrange(4))
    measures = {name: (draw.choice((0.0, 1.5, draw.random())), float(draw.randrange(4))) for name in names}
    flags = tuple(draw.sample(FLAGS, draw.randrange(3)))
    if draw.random() < 0.2:
        return Verdict(None, "because", flags, draw.choice(("judge_cannot_tell", "judge_error")), measures)
    return Verdict(draw.randrange(2), "because", flags, measures=measures)


def run_of(workspace: Workspace, name: str, rows: list[Item], seed: int) -> tuple[RunRow, RunRow]:
    """A judged run on these items, of which some have no answer, a cut one or no verdict."""
    draw, ledger = random.Random(seed), workspace.ledger
    plan = name.encode().ljust(16, b".")
    run = ledger.add_run(name, plan, {"benchmark": "charthal"})
    judging = ledger.add_run(f"{name}@j", plan[::-1], {"benchmark": "charthal"}, parent=run.id)
    keys = [f"{name}{number}".encode().ljust(16, b"-") for number in range(len(rows))]
    broken = {number for number in range(len(rows)) if draw.random() < 0.05}
    planned = [
        PlannedRow(2 * n, item, None if n in broken else keys[n], "data_error: gone" if n in broken else "")
        for n, item in enumerate(rows)
    ]
    ledger.plan_items(run.id, planned)
    answers = []
    for number in set(range(len(rows))) - broken:
        kinds = [Answer("answered", "yes"), Answer("truncated", "cut"), Answer("blocked"), Answer("answered", "")]
        failed = Answer("failed", failure=Failure("timeout", "slow"))
        answers.append((keys[number], draw.choice([*kinds, failed])))
    ledger.store(answers)
    judged = [2 * n for n in range(len(rows)) if n not in broken and draw.random() < 0.8]
    ledger.put_verdicts(judging.id, [(position, verdict(draw)) for position in judged])
    return run, judging


@pytest.mark.parametrize("seed", range(5))
def test_tables_are_the_same_bytes_in_whatever_order_runs_are_read(workspace: Workspace, seed: int) -> None:
    made = items(random.Random(seed), 90)
    runs = [
        run_of(workspace, "charthal/a", made[:60], seed),
        run_of(workspace, "charthal/b", made[::-1], seed + 1),  # the same items in another order, and more of them
        run_of(workspace, "charthal/c", [made[3]], seed + 2),
    ]
    for run, judging in [*runs, *runs[::-1]]:
        for seen in (judging, None):
            judged = Judged(workspace, run, seen, None)
            same(judged.table, built(judged))
            view = Judged(workspace, run, seen, None, positions=range(0, 40, 4))
            same(view.table, built(view))


def test_what_is_known_of_items_is_shared(workspace: Workspace) -> None:
    made = items(random.Random(9), 20)
    for name in ("charthal/a", "charthal/b"):
        run, judging = run_of(workspace, name, made, 1)
        assert len(Judged(workspace, run, judging, None).table) == 20
    with workspace.facts(Judged(workspace, run, judging, None).card.answerable) as facts:
        assert len(facts) == 20


def test_an_item_that_takes_another_ones_number_is_read(workspace: Workspace) -> None:
    run, judging = run_of(workspace, "charthal/a", [Item("i/0", "?", labels={"relation": "normal"})], 3)
    assert Judged(workspace, run, judging, None).table.label_values("relation") == ("normal",)
    workspace.ledger.delete_run(run.id)  # its number is free again
    run, judging = run_of(workspace, "charthal/b", [Item("i/0", "?", labels={"relation": "missing"})], 3)
    assert Judged(workspace, run, judging, None).table.label_values("relation") == ("missing",)


def test_the_same_items_count_as_each_card_says(workspace: Workspace) -> None:
    run, judging = run_of(workspace, "charthal/a", [Item("i/0", "?", labels={"relation": "normal"})], 3)
    judged = Judged(workspace, run, judging, None)
    assert judged.table.answerable.tolist() == [True]
    other = Judged(workspace, run, judging, None)
    other.card = dataclasses.replace(judged.card, answerable={"relation": ("other",)})
    assert other.table.answerable.tolist() == [False]


def test_a_label_of_snellens_own_is_refused_each_time(workspace: Workspace) -> None:
    run, judging = run_of(workspace, "charthal/a", [Item("i/0", "?", labels={"@change": "x"})], 3)
    for _ in range(2):
        with pytest.raises(DataError, match="Snellen's own"):
            _ = Judged(workspace, run, judging, None).table


def test_a_damaged_verdict_is_refused(workspace: Workspace) -> None:
    run, judging = run_of(workspace, "charthal/a", items(random.Random(1), 30), 1)
    for change in ("value = 7", "value = NULL, unscored = NULL", "value = NULL, unscored = 'whatever'"):
        with workspace.ledger._database.write() as connection:
            connection.execute(f"UPDATE verdict SET {change} WHERE run_id = ?", (judging.id,))
        with pytest.raises(ValueError, match="neither 0 nor 1"):
            _ = Judged(workspace, run, judging, None).table


def test_a_row_is_found_by_its_items_id(workspace: Workspace) -> None:
    odd = ["i/0", "i/00", 'i/"%_!', "I/0", "i/é\n"]
    run, judging = run_of(workspace, "charthal/a", [Item(each, f"? {each}") for each in odd], 3)
    judged = Judged(workspace, run, judging, None)
    for place, each in enumerate(odd):
        found = judged.row(each)
        assert found is not None
        assert (found.position, found.item.id) == (2 * place, each)
    for absent in ("i/1", "i/%", "\ud800"):
        assert judged.row(absent) is None
    assert Judged(workspace, run, judging, None, positions={2}).row("i/0") is None


def test_rows_at_positions(workspace: Workspace) -> None:
    run, judging = run_of(workspace, "charthal/a", items(random.Random(1), 30), 1)
    judged = Judged(workspace, run, judging, None)
    wanted = {8, 4, 5, 58, 999}
    assert list(judged.rows_at(wanted)) == [row for row in judged.rows() if row.position in wanted]
    assert not list(judged.rows_at(()))

"""Planning: whole or sealed it comes to the same, whatever changed in between is seen, and memory does not grow."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import small_charthal
from snellen.answer import Answer
from snellen.engine import planning
from snellen.engine.ask import Stop
from snellen.engine.plan import Plan, View
from snellen.engine.planning import Planned, Positions, take_down
from snellen.engine.prepare import plan_of, register_run
from snellen.engine.store import Store
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.ledger import planned
from snellen.model_spec import ModelSpec

PLACES = st.sets(st.integers(0, 200))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return small_charthal.write(tmp_path / "data")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "workspace") as opened:
        yield opened


class Bench:
    """A workspace, data, and what planning told."""

    def __init__(self, workspace: Workspace, data: Path) -> None:
        self.workspace, self.data = workspace, data
        self.seen: list[int] = []
        self.warnings: list[str] = []
        self.read = 0

    def plan(self, **changes: Any) -> Plan:
        spec = ModelSpec("vlm", base_url="http://localhost/v1")
        return replace(plan_of(self.workspace, "charthal", spec, data=self.data), **changes)

    def take_down(self, view: View | None = None, plan: Plan | None = None, stop: Stop | None = None) -> Planned:
        plan = plan or self.plan()
        self.run_id = register_run(self.workspace, plan).id
        return self.go(plan, view or View(), Stop() if stop is None else stop)

    def go(self, plan: Plan | None, view: View, stop: Stop) -> Planned:
        async def work() -> Planned:
            async with Store(self.workspace.ledger) as store:
                where = store, self.workspace.ledger, self.workspace.images
                return await take_down(plan, self.run_id, view, *where, self.seen.append, self.warnings.append, stop)

        return asyncio.run(work())

    def answer(self, *positions: int) -> None:
        rows = {row.position: row.key for row in self.workspace.ledger.results(self.run_id, None)}
        answers = [(key, Answer("answered", "1")) for key in map(rows.get, positions) if key is not None]
        self.workspace.ledger.store(answers)

    def execute(self, statement: str) -> None:
        with closing(sqlite3.connect(self.workspace.ledger.path)) as database, database:
            database.execute(statement)


@pytest.fixture
def bench(workspace: Workspace, data: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Counts how often a plan's rows are made anew."""
    bench, rows = Bench(workspace, data), Plan.rows

    def counted(plan: Plan, *arguments: Any) -> Any:
        bench.read += 1
        return rows(plan, *arguments)

    monkeypatch.setattr(Plan, "rows", counted)
    monkeypatch.setattr(planning, "_STARTED", float("inf"))  # whoever edits a source while tests run is no failure
    return bench


@given(PLACES, PLACES)
def test_positions_are_a_set(one: set[int], other: set[int]) -> None:
    positions = Positions(one)
    assert set(positions) == one
    assert positions == Positions(other | one) & one
    assert list(positions) == sorted(one)
    assert len(positions) == len(one)
    assert positions & other == one & other
    assert len(other & positions) == len(one & other)
    assert [place in positions for place in range(-9, 220)] == [place in one for place in range(-9, 220)]


def test_a_plan_is_counted(bench: Bench) -> None:
    found = bench.take_down()
    assert set(found.positions) == set(range(36))
    assert (found.askable, found.unanswered, found.requests) == (36, 36, 36)
    assert found.images == 1
    assert found.prompt_characters > 20
    assert bench.seen == [36]
    assert bench.warnings == []


def test_the_second_time_the_ledger_says_the_same(bench: Bench) -> None:
    first = bench.take_down()
    bench.answer(0, 7)
    second = bench.take_down()
    assert bench.read == 1
    assert bench.seen == [36, 36]
    assert second == replace(first, unanswered=34, requests=34)
    assert planned.standing(bench.workspace.ledger, bench.run_id, 3, 4).keys() == {3, 4}


def test_a_deleted_run_takes_its_seal_along(bench: Bench) -> None:
    bench.take_down()
    assert planned.seal(bench.workspace.ledger, bench.run_id) is not None
    bench.workspace.ledger.delete_run(bench.run_id)
    assert planned.seal(bench.workspace.ledger, bench.run_id) is None


def test_equal_questions_on_equal_images_are_one_request(bench: Bench) -> None:
    file = bench.data / "data" / "charthal.json"
    rows = json.loads(file.read_text("utf-8"))
    for key in ("1_1", "1_2", "2_0"):
        rows[key]["question"] = rows["1_0"]["question"]
    file.write_text(json.dumps(rows), encoding="utf-8")
    for _ in range(2):
        found = bench.take_down()
        assert (found.askable, found.unanswered, found.requests) == (36, 36, 34)
    bench.answer(0)
    found = bench.take_down()
    assert (found.askable, found.unanswered, found.requests) == (36, 33, 33)
    assert bench.read == 1


def test_a_view_is_planned_and_breaks_no_seal(bench: Bench) -> None:
    view = View(sample=2)
    part = bench.take_down(view)
    assert len(part.positions) == part.askable == 24
    whole = bench.take_down()
    assert set(bench.take_down(View(items="charthal/*/0")).positions) == {0, 12, 24}
    assert bench.read == 3
    assert bench.take_down() == whole
    assert bench.read == 3
    with pytest.raises(UsageError, match="no item of charthal is left: items charthal/9/"):
        bench.take_down(View(items="charthal/9/*"))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE run_item SET key = x'00112233445566778899aabbccddeeff' WHERE position = 5",
        "UPDATE run_item SET key = NULL, error = 'data_error: lost' WHERE position = 35",
        "UPDATE run_item SET item_id = item_id + 1 WHERE position = 5",
        "UPDATE item SET hash = x'00112233445566778899aabbccddeeff' WHERE id = 5",
        "DELETE FROM run_item WHERE position = 5",
        "DELETE FROM run_item WHERE position = 35",
        "DELETE FROM run_item",
        "DELETE FROM meta WHERE name LIKE 'planned:%'",
    ],
)
def test_whatever_happened_to_the_rows_is_mended(bench: Bench, statement: str) -> None:
    first = bench.take_down()
    rows = bench.workspace.ledger.results(bench.run_id, None)
    bench.execute(statement)
    assert bench.take_down() == first
    assert bench.read == 2
    assert bench.workspace.ledger.results(bench.run_id, None) == rows
    bench.take_down()
    assert bench.read == 2


def test_other_sources_plan_anew(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.take_down()
    monkeypatch.setattr(planning, "_source_of", lambda _root: "another")
    bench.take_down()
    assert bench.read == 2
    monkeypatch.setattr("snellen.engine.provenance.versions", lambda: {"pillow": "0"})
    bench.take_down()
    assert bench.read == 3
    bench.take_down()
    assert bench.read == 3


def test_a_source_that_is_newer_than_the_process_seals_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1")
    source = planning._source_of.__wrapped__
    assert source(tmp_path) == ""
    os.utime(tmp_path / "a.py", (1, 1))
    before = source(tmp_path)
    (tmp_path / "a.py").write_text("x = 2")
    os.utime(tmp_path / "a.py", (1, 1))
    assert before
    assert source(tmp_path) not in ("", before)


def test_changed_data_are_another_run(bench: Bench) -> None:
    bench.take_down()
    first = bench.run_id
    (bench.data / "images" / "1.jpg").write_bytes((bench.data / "images" / "2.jpg").read_bytes())
    bench.take_down()
    assert bench.read == 2
    assert bench.run_id != first


def test_images_that_were_cleared_away_are_put_back(bench: Bench) -> None:
    bench.take_down()
    images = bench.workspace.images
    digest = next(iter(planned.images_of(bench.workspace.ledger, bench.run_id)))
    images.path(digest).unlink()
    bench.take_down()
    assert bench.read == 2
    assert digest in images


def test_broken_rows_and_images_are_told_every_time(bench: Bench) -> None:
    file = bench.data / "data" / "charthal.json"
    rows = json.loads(file.read_text("utf-8"))
    rows["1_0"]["q_type"] = "other"
    file.write_text(json.dumps(rows), encoding="utf-8")
    (bench.data / "images" / "2.jpg").unlink()
    for time in (1, 2):
        bench.warnings.clear()
        found = bench.take_down()
        assert len(found.positions) == 36
        assert (found.askable, found.requests) == (23, 23)
        assert bench.read == time
        assert len(bench.warnings) == 13
        assert "q_type is 'other'" in bench.warnings[0]


def test_many_problems_are_told_in_short(bench: Bench) -> None:
    for image in (bench.data / "images").iterdir():
        image.unlink()
    bench.take_down()
    assert len(bench.warnings) == 21
    assert bench.warnings[-1] == "and 16 more rows or images like these"


def test_a_stop_ends_it_and_seals_nothing(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "_CHUNK", 10)
    stop = Stop()
    bench.seen = _StopsAt(stop, 20)
    found = bench.take_down(stop=stop)
    assert set(found.positions) == set(range(20))
    assert len(bench.take_down().positions) == 36
    assert bench.read == 2


class _StopsAt(list[int]):
    def __init__(self, stop: Stop, count: int) -> None:
        self._stop, self._at = stop, count

    def append(self, count: int) -> None:
        super().append(count)
        if count == self._at:
            self._stop.now("interrupted")


def test_a_run_that_is_only_judged_is_counted_by_its_answers(bench: Bench) -> None:
    bench.take_down()
    bench.answer(3, 4)
    found = bench.go(None, View(), Stop())
    assert set(found.positions) == set(range(36))
    assert (found.askable, found.unanswered, found.requests) == (2, 0, 0)


def test_plugins_outside_snellen_are_planned_each_time(bench: Bench, tmp_path: Path) -> None:
    for time in (1, 2):
        plan = bench.plan()
        outside = type(plan.benchmark)("outside")
        outside.__dict__.update(plan.benchmark.__dict__, __file__=str(tmp_path / "outside.py"))
        bench.take_down(plan=replace(plan, benchmark=outside))
        assert bench.read == time


def test_memory_does_not_grow_with_the_plan(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "_CHUNK", 50)
    peaks = []
    for times in (2, 20, 200):  # the first time fills the caches
        file = bench.data / "data" / "charthal.json"
        rows = small_charthal.rows(3)
        with file.open("w", encoding="utf-8") as out:
            out.write("{")
            for number in range(12 * times):
                row = rows[f"1_{number % 12}"] | {"subq_idx": number, "question": f"{number}{'?' * 2000}"}
                out.write(f'{", " * bool(number)}"1_{number}": {json.dumps(row)}')
            out.write("}")
        plan = bench.plan()
        tracemalloc.start()
        try:
            assert len(bench.take_down(plan=plan).positions) == 12 * times
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[2] < peaks[1] + 400_000  # the texts alone are 4.8 MB

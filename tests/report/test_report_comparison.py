"""Comparisons in words, on the terminal and on the page."""

from __future__ import annotations

import copy
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from snellen.engine.comparison import compare
from snellen.engine.paired import difference
from snellen.report import page
from snellen.report.comparison import Cell, chance, paired, points, show
from snellen.verdict import Verdict


@pytest.fixture
def two(run: Any) -> list[Any]:
    first, second = run, copy.deepcopy(run)
    second.name = "charthal/<b>other</b>\x1b[31m@rules"
    for place in (0, 13, 26):  # three wrong answers are right in the second
        second.content[place] = replace(second.content[place], verdict=Verdict(1))
    second.manifest = {**second.manifest, "plan": {"model": "other", "prompt": "direct"}}
    return [first, second]


def test_a_cell_by_hand() -> None:
    cell = Cell.of(difference([0, 0, 0, 1, -1], [1, 1, 1, 1, 1], range(5)))
    assert (cell.rates, cell.change, cell.chance, cell.moved) == ("25.0 to 100.0", "+75.0", "p 0.250", "+3 -0")
    assert cell.bounds == "1 unscored: +60.0 to +80.0"
    assert Cell.of(None).lines == Cell.of(difference([], [], [])).lines == ()


def test_numbers_in_words() -> None:
    assert [points(share) for share in (0.062, -0.0041, 0.0, -0.0001)] == ["+6.2", "-0.4", "0.0", "0.0"]
    assert [chance(p) for p in (0.0214, 0.0004, None)] == ["p 0.021", "p < 0.001", ""]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_the_terminal_shows_what_was_gained_and_no_foreign_escapes(two: list[Any], encoding: str) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    show(compare(two, ["relation"]), Console(file=stream, width=80, highlight=False))
    stream.flush()
    said = raw.getvalue().decode(encoding)
    assert "+3 -0" in said
    assert "Normal" in said
    assert "\x1b" not in said
    if encoding == "utf-8":  # escapes of what ASCII lacks make lines longer
        assert max(map(len, said.splitlines())) <= 80


def test_the_page_has_the_paired_table(two: list[Any], tmp_path: Path) -> None:
    page.write(two, tmp_path / "r.html")
    html = (tmp_path / "r.html").read_text("utf-8")
    assert "Item by item, beside" in html
    assert "+3 -0" in html
    assert "<b>other</b>" not in html


def test_runs_that_share_nothing_have_no_paired_table(two: list[Any], tmp_path: Path) -> None:
    other = two[1]
    other.content = [replace(row, item=replace(row.item, id=f"x{row.position}")) for row in other.content]
    assert paired(two) is None
    page.write(two, tmp_path / "r.html")
    assert "Item by item" not in (tmp_path / "r.html").read_text("utf-8")

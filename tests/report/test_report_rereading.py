"""The section on a run that was read again: on the page, on the terminal, and nowhere for other benchmarks."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from snellen.answer import Answer
from snellen.box import Box
from snellen.convention import DEFAULT
from snellen.engine.convention_detective import Detective
from snellen.engine.listed_first import Listed
from snellen.engine.overlap_sweep import Sweeping
from snellen.engine.rereading import Rereading
from snellen.engine.unsure_truth import Unsettling
from snellen.estimate import rate
from snellen.item import ImageRef, Item, TargetReference
from snellen.readers.boxes import TargetReading
from snellen.report import page, reread_tables, rereading

Make = Callable[..., Any]
HOSTILE = "<script>alert(1)</script>\u202e[bold]"
TARGET = Box(10, 10, 50, 50)


@pytest.fixture
def found() -> Rereading:
    """Twenty targets answered in thousandths, and judged as pixels."""
    sweeping, unsettling = Sweeping("optimal"), Unsettling("optimal")
    detective = Detective(DEFAULT, "optimal", HOSTILE)
    for number in range(20):
        item = Item(f"s/{number}", "?", (ImageRef("s.png", width=400, height=800),), reference=TargetReference(TARGET))
        detective.look(item, Answer("answered", '{"bbox_2d": [25, 12, 125, 62]}'))
        reading = TargetReading("box", Box(25, 12, 125, 62), (75, 37))
        sweeping.place(item.cluster, TARGET, reading)
        unsettling.place(item.id, "en", TARGET, reading.point)
    sweeping.place("s", TARGET, TargetReading("point", None, (1, 1)))
    listed = Listed(7, 2, 1, HOSTILE, rate([1, 0], [0, 1]), rate([1, 1], [0, 1]), rate([], []))
    return Rereading("gui/m@gui", 20, 5, 3, sweeping.result(), unsettling.results(), listed, detective.result())


def printed(found: Rereading, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    reread_tables.show(found, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_terminal_says_it_in_80_columns(found: Rereading) -> None:
    said = printed(found)
    assert max(map(len, said.splitlines())) <= 80
    assert "20 answers read again, nothing asked" in said
    assert "1 target was answered with a point, which has no overlap." in said
    assert "Lowest and highest of 5 draws of each change, seed 3." in said
    assert "thousand:xyxy:xy" in said
    assert "(suspected)" in said
    assert "sent:xyxy:xy (declared)" in said
    (heading,) = (line for line in said.splitlines() if line.startswith(" convention"))
    assert heading.split()[-1] == "unreadable", "no column is cut off"
    assert "7 answers compared with the parsing items of" in said
    assert "2 of them list nothing; 1 answer is on a screen without" in " ".join(said.split())
    assert "\u202e" not in said


def test_the_page_shows_it_escaped(found: Rereading, make_source: Make, tmp_path: Path) -> None:
    source = make_source()
    source.rereading = found
    page.write([source], tmp_path / "a.html")
    html = (tmp_path / "a.html").read_text("utf-8")
    for heading in (
        "Read again",
        "Overlap that counts",
        "If the truth were",
        "Lists in the answers",
        "every convention",
    ):
        assert heading in html
    assert "thousand:xyxy:xy (suspected)" in html
    assert "convention = &#34;thousand&#34;" in html
    assert "<script>alert" not in html
    assert "\u202e" not in html


def test_nothing_for_other_benchmarks(make_source: Make, tmp_path: Path) -> None:
    source = make_source()
    assert rereading.section(source) is None
    page.write([source], tmp_path / "a.html")
    assert "Read again" not in (tmp_path / "a.html").read_text("utf-8")


def test_what_there_is_nothing_of_is_left_out(found: Rereading) -> None:
    empty = Detective(DEFAULT, "optimal", "m").result()
    bare = replace(found, sweep=Sweeping("optimal").result(), sensitivity=(), listed=None, conventions=empty)
    section = rereading.of(bare)
    assert (section.sweep, section.sensitivity, section.listed, section.listed_note) == ((), (), (), "")
    assert section.conventions_note == ""
    said = printed(bare)
    assert "convention" not in said
    assert "overlap" not in said


def test_words(found: Rereading) -> None:
    assert rereading.changes() == (
        "5 % dropped",
        "10 % dropped",
        "20 % dropped",
        "2 % moved",
        "5 % moved",
        "10 % moved",
    )
    section = rereading.of(found)
    located = next(row for row in section.sensitivity if row.title == "Localization accuracy")
    assert located.value == "0.0"
    assert located.ranges == ("0.0 to 0.0",) * 6
    best, *_ = section.conventions
    assert (best.hits, best.points, best.suspect) == ("100.0", "+100.0", True)

"""The section on repeats: what is pooled and what is not, on the page, on the terminal, and in a methods paragraph."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from snellen.engine.repeated import Family, Repeated, remark
from snellen.engine.repeats import spread
from snellen.ledger import RunRow
from snellen.report import page, repeats
from snellen.report.chinese import Translator
from snellen.report.methods import methods
from snellen.verdict import Verdict

Make = Callable[..., Any]
HOSTILE = "<script>alert(1)</script>\u202e"


def row(number: int, name: str, parent: int | None = None) -> RunRow:
    return RunRow(number, name, bytes([number]), parent, {}, {}, 0.0)


@pytest.fixture
def found() -> Repeated:
    """Three repeats of 30 items, judged twice but the last, which was judged once."""
    rng = np.random.default_rng(1)
    right = rng.random((30, 3)) < rng.beta(0.5, 0.5, 30)[:, None]
    values = (right[..., None] ^ (rng.random((30, 3, 2)) < 0.1)).astype(np.float64)
    values[:, 2, 1] = np.nan
    runs = tuple(row(place, f"charthal/m{HOSTILE}{end}") for place, end in enumerate(("", "~2", "~3")))
    names = {(0, 0): "@j", (0, 1): "@j~2", (1, 0): "~2@j", (1, 1): "~2@j~2", (2, 0): "~3@j"}
    judgings = {place: row(10 + place[0], f"charthal/m{end}", place[0]) for place, end in names.items()}
    return Repeated(Family(runs, judgings, 2), spread(values, np.arange(30) // 3, resamples=300))


def printed(source: Any, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    repeats.show(source, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_terminal_says_it_in_80_columns(found: Repeated, make_source: Make) -> None:
    source = make_source()
    source.repeats = found
    said = printed(source)
    assert max(map(len, said.splitlines())) <= 80
    flat = " ".join(said.split())
    assert flat.startswith("Repeats, pooled over 3 answers of each item, each judged 2 times: ")
    assert "Of 180 verdicts 30 are lacking." in flat
    assert "were judged otherwise when they were judged again." in flat
    assert "3 answers of each item, each judged 2 times (as here)" in flat
    assert "twice the images, 1 answer of each item, judged once" in flat
    assert [word in flat for word in ("judging 1", "judging 2", "sampling of the model", "variance")] == [True] * 4
    assert "\u202e" not in said


def test_the_page_shows_it_escaped(found: Repeated, make_source: Make, tmp_path: Path) -> None:
    source = make_source()
    source.add("It is 1.", Verdict(1))
    source.repeats = found
    page.write([source], tmp_path / "a.html")
    html = (tmp_path / "a.html").read_text("utf-8")
    assert "<h3>Repeats</h3>" in html
    assert "All other numbers of this run are of its first repeat, judged once." in html
    assert "<script>alert" not in html
    assert "\u202e" not in html


def test_the_page_says_it_in_chinese(found: Repeated) -> None:
    said, translator = repeats.of(found), Translator()
    texts = [f"{said.headline[:1].upper()}{said.headline[1:]}.", said.note, *said.columns, *said.changed]
    texts += [*(part.title for part in said.parts), *(error.title for error in said.errors)]
    texts += [remark(found.family, "charthal/m@j"), remark(found.family, "charthal/m~2@j")]
    for text in texts:
        assert translator.words(text) != text
    assert not translator.unknown


def test_nothing_where_nothing_was_repeated(make_source: Make, tmp_path: Path) -> None:
    source = make_source()
    source.add("It is 1.", Verdict(1))
    assert repeats.section(source) is None
    assert printed(source) == ""
    page.write([source], tmp_path / "a.html")
    assert "Repeats" not in (tmp_path / "a.html").read_text("utf-8")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_methods_paragraph_says_how_often(found: Repeated, make_source: Make, language: Any) -> None:
    source = make_source()
    source.manifest = {"plan": {"prompt": "direct"}, "judging": {"judge": "j"}}
    source.repeats = found
    said = methods(source, language)
    value = f"{100 * (found.spread.pooled.value or 0):.1f}"
    for part in ("asked 3 times", "judged 2 times", value) if language == "en" else ("提问 3 次", "评判 2 次", value):
        assert part in said
    source.repeats = None
    assert value not in methods(source, language)


def test_what_is_not_pooled_says_so(found: Repeated) -> None:
    assert remark(found.family, "charthal/m@j") == (
        "All numbers but those under Repeats are of charthal/m@j alone, the first of 3 repeats, each answer judged 2 "
        "times."
    )
    assert remark(found.family, "charthal/m~2@j").endswith("snellen report charthal/m@j shows them together.")

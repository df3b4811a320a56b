"""Correlations in words, as a figure and on a page."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from rich.console import Console

from snellen.benchmarks.gui_hallubench import CARD as GUI
from snellen.card import Card
from snellen.engine.correlation import Correlation, Pair, published
from snellen.engine.odds import Area, odds_ratio
from snellen.engine.parse_association import Association, Link
from snellen.errors import UsageError
from snellen.report import correlation, heat_map
from snellen.report.heat_map import Heat

HOSTILE = "<script>alert(1)</script>\x1b[2J$x^2$\u202e"
KEYS = ("parsing_recall:en", "parsing_average", "macro_hallucination_average")


def made(models: int = 8, card: Card = GUI, numbers: tuple[str, ...] = KEYS) -> Correlation:
    pairs = (
        Pair(numbers[0], numbers[1], models, 0.9, 0.4, 1.0, None, None, True),
        Pair(numbers[0], numbers[2], models, -0.274, -0.9, 0.5, 0.4, 0.4),
        Pair(numbers[1], numbers[2], models, 0.88, 0.3, 0.98, 0.0002, 0.0004),
    )
    return Correlation(
        card=card,
        method="spearman",
        runs=tuple(f"gui-hallubench/model{n}" for n in range(models)),
        numbers=numbers,
        known=numbers,
        values=dict.fromkeys(numbers, (0.5,) * models),
        pairs=pairs,
        images=(44, 40),
        seed=0,
        resamples=2000,
        published=published(card),
        warnings=(f"Mind {HOSTILE}.",),
    )


def association(run: str = "gui-hallubench/model0@gui") -> Association:
    crude = odds_ratio([1] * 6 + [0] * 12, [1] * 6 + [1] * 3 + [0] * 9, range(18))
    areas = {"invented": Area(4, 5, 9, 0.75, 0.5, 0.9)}
    return Association(
        run, (Link("missed", crude, {"screen": replace(crude, value=None)}, 0.012),), areas, {"no_parse": 3}
    )


def printed(found: Correlation, associations: list[Association], width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    correlation.show(found, associations, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_terminal_says_it_all() -> None:
    text = printed(made(), [association()])
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "Parsing average Hallucination average 0.88 [0.30, 0.98] < 0.001 8" in lines
    assert "Parsing recall, English Parsing average 0.90 [0.40, 1.00] part of it 8" in lines
    assert "Parsing recall, English Hallucination average -0.27 [-0.90, 0.50] 0.400 8" in lines
    assert "3 Hallucination average -0.27 0.88" in lines
    assert any("44 images (40 of them in every run)" in line for line in lines)
    assert any(
        line.startswith("Target not parsed 6 of 6 3 of 12 35.3* [") and line.endswith(" 0.012") for line in lines
    )
    whole = " ".join(text.split())
    assert "8 published rows: 0.95 [" in whole
    assert "The paper states 0.88 over its models." in whole
    assert "area under the curve 0.75 [0.50, 0.90]" in whole
    assert any(line.startswith("3 places left out") for line in lines)
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_narrow_terminal_has_the_pairs_alone() -> None:
    text = printed(made(), [], width=40)
    assert "3 Hallucination average" not in text
    assert "0.88" in text
    assert all(len(line) <= 40 for line in text.splitlines())


def test_wide_odds_ratios_leave_room_for_their_p() -> None:
    link = association().links[0]
    wide = replace(link, crude=replace(link.crude, value=1.0, low=1e-9, high=19_122.4), p_holm=1.0)
    lines = printed(made(3), [replace(association(), links=(wide,))], width=80).splitlines()
    (row,) = (line for line in lines if "19,122]" in line and "-" not in line)
    assert row.split()[-1] == "1.000"


def test_few_models_have_no_table_of_pairs() -> None:
    text = printed(made(3), [association()])
    assert "Hallucination average  " not in text
    assert "Target not parsed" in text
    section = correlation.section(made(3), [association()])
    assert section.figure == ""


def test_an_ascii_terminal_gets_ascii() -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    correlation.show(made(), [association()], Console(file=file, width=100, highlight=False))
    file.flush()


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("parsing_recall:zh", "Parsing recall, Chinese"),
        ("macro_hallucination_average", "Hallucination average"),
        ("score", "Free of hallucination"),
        ("over_refusal", "Over-refusal"),
        ("task=confusion", "Task: Confusion"),
        (f"task={HOSTILE}", None),
    ],
)
def test_titles(key: str, words: str | None) -> None:
    found = correlation.title(key, GUI)
    assert "\x1b" not in found
    assert words is None or found == words


def cells() -> list[list[Heat]]:
    return [[Heat(0.5)], [Heat(-1.0, strong=True), Heat(None, part=True)]]


def test_a_figure_for_a_page_is_safe_and_always_the_same() -> None:
    labels = [HOSTILE[:20], "$x^2$", "中文"]
    one = heat_map.page(labels, cells(), key="k", title=HOSTILE)
    assert one == heat_map.page(labels, cells(), key="k", title=HOSTILE)
    assert "<script" not in one
    assert "\x1b" not in one
    root = ElementTree.fromstring(one)
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert "0.50" in texts
    assert "-1.00" in texts
    assert any("<script>" in (text or "") for text in texts)
    assert "$x^2$" in texts
    assert "var(--ink)" in one


@pytest.mark.parametrize("suffix", [".png", ".svg", ".PNG"])
def test_a_figure_of_its_own(tmp_path: Path, suffix: str) -> None:
    paths = [heat_map.write(["a", "b", "c"], cells(), tmp_path / "new" / f"{n}{suffix}") for n in range(2)]
    assert paths[0].read_bytes() == paths[1].read_bytes()
    if suffix == ".svg":
        assert "#0102" not in paths[0].read_text()
    else:
        with Image.open(paths[0]) as image:
            assert image.size[0] > 300
            colours = image.convert("RGB").getcolors(1 << 20)
        assert colours is not None
        assert {(0xC8, 0x5A, 0x10), (0xE3, 0xE6, 0xEA)} <= {colour for _, colour in colours}


def test_a_figure_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.png or \.svg"):
        heat_map.write(["a", "b", "c"], cells(), tmp_path / "figure.pdf")
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        heat_map.write(["a", "b", "c"], cells(), tmp_path / "file" / "figure.png")


def test_cells_without_a_value_are_quiet_on_dark_paper_too() -> None:
    drawn = heat_map.page(["a", "b", "c"], [[Heat(None)], [Heat(0.5), Heat(None)]], key="k", title="t")
    assert drawn.count("fill: var(--line)") == 2


def test_numbers_are_large_enough_to_read() -> None:
    """Of some twenty: on a wide page the drawing has its own size."""
    labels = [f"number {n}" for n in range(23)]
    drawn = heat_map.page(labels, [[Heat(-0.9)] * (n + 1) for n in range(22)], key="k", title="t")
    assert 'class="figure wide"' in drawn
    assert 60 < float(drawn.split("--natural: ")[1].split("rem")[0]) < 66
    assert "font-size: 8px" in drawn or "8px" in drawn


def test_many_numbers_still_fit() -> None:
    labels = [f"number {n}" for n in range(41)]
    rows = [[Heat(0.1)] * (n + 1) for n in range(40)]
    root = ElementTree.fromstring(heat_map.page(labels, rows, key="k", title="t"))
    assert float(root.get("viewBox", "").split()[2]) < 1100

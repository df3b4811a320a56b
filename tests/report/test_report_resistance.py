"""The section on changed items: its numbers in the page, the terminal and the export, and flips side by side."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from snellen.card import Card
from snellen.engine import resistance
from snellen.item import Change, Truth
from snellen.report import page, view
from snellen.report.tables import summary, to_rows
from snellen.verdict import Verdict

Make = Callable[..., Any]
CARD = Card(
    "shale",
    "SHALE",
    "Photos.",
    labels={"aspect": ("color", "count"), "task": ("yes-no", "caption")},
    label_titles={"aspect=color": "Colour"},
    resistance=True,
)
HOSTILE = "<script>alert(1)</script>\u202e"


@pytest.fixture(autouse=True)
def kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resistance, "_kind", lambda name: "instruction" if name == "typos" else "image")


@pytest.fixture
def perturbed(make_source: Make, draw: Callable[..., bytes]) -> Any:
    """24 items, each with a version under jpeg:1, jpeg:3, typos:3 and grayscale:1, each picture its own."""
    source = make_source(name="shale/model-1a2b@rules", card=CARD)
    for number in range(24):
        name = f"shale/{number}"
        clean = int(number % 4 > 0)
        about: dict[str, Any] = {
            "labels": {"aspect": ("color", "count")[number % 2], "task": ("yes-no", "caption")[number // 2 % 2]},
            "groups": {"pair": name},
            "cluster": name,
        }
        source.add(f"clean {number}", Verdict(clean), draw("navy", (60 + number, 40)), id=name, **about)
        for place, step in enumerate(("jpeg:1", "jpeg:3", "typos:3", "grayscale:1")):
            perturbation, severity = step.split(":")
            truth: Truth = "removed" if perturbation == "grayscale" and number % 2 == 0 else "kept"
            change = Change(perturbation, int(severity), 0, truth)
            verdict = (
                Verdict(None, unscored="judge_error")
                if number == 5 and place == 0
                else Verdict(int((number + place) % 5 > place))
            )
            source.add(
                f"changed {number} {step} {HOSTILE}",
                verdict,
                draw("maroon", (60 + number, 40 + place + 1)),
                id=f"{name}@{step}",
                changes=(change,),
                **about,
            )
    return source


def written(source: Any, tmp_path: Path, **options: Any) -> str:
    page.write([source], tmp_path / "report.html", **options)
    return (tmp_path / "report.html").read_text(encoding="utf-8")


def printed(source: Any, width: int = 80) -> str:
    file = io.StringIO()
    summary([source], Console(file=file, width=width))
    return file.getvalue()


def words_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).replace("&nbsp;", " ").split())


def test_the_page_has_every_number(perturbed: Any, tmp_path: Path) -> None:
    text = words_of(written(perturbed, tmp_path))
    found = perturbed.results.resistance
    assert perturbed.results.planned == 24
    for parts in (found.conditions, found.perturbations, found.levels, *found.labels.values()):
        assert parts
        for part in parts.values():
            share = f"{100 * part.resistance.value:.1f} {part.resistance:interval}"
            assert share in text
            scored = f"{part.pairs - part.unscored} of {part.pairs}" if part.unscored else f"{part.pairs}"
            assert f"{part.lost} {part.gained} {scored}" in text
            assert not part.unscored or view.Share.of(part.resistance).bounds in text
    assert f"Mean over {found.macro_cells} cells of aspect and condition" in text
    assert f"{100 * found.macro.value:.1f} % {found.macro:interval}" in text
    assert "truth removed 12" in text
    removed = found.conditions["grayscale:1"].consistency["removed"]
    assert f"{100 * removed.value:.1f} {removed:interval} 12 of 12" in text
    for words in ("Changed instruction", "Colour", "jpeg:3", "All severities of a perturbation"):
        assert words in text


def test_flips_stand_side_by_side(perturbed: Any, tmp_path: Path) -> None:
    html = written(perturbed, tmp_path)
    flips = re.findall(r'<article class="flip">.*?</article>', html, re.DOTALL)
    assert len(flips) == 24
    pairs = [re.findall(r"(clean|changed) (\d+)(?: ([a-z]+:\d))?", words_of(flip)) for flip in flips]
    for flip, found in zip(flips, pairs, strict=True):
        clean = next(number for kind, number, _ in found if kind == "clean")
        step = next(step for kind, number, step in found if (kind, number) == ("changed", clean))
        assert f"shale/{clean}@{step}" in flip
        keys = re.findall(r'href="#(picture-\d+)"', flip)
        assert len(set(keys)) == 2
        assert all(f'id="{key}"' in html for key in keys)
    found = perturbed.results.resistance.micro
    assert f"of {found.lost} shown" in html
    assert f"of {found.gained} shown" in html
    assert "<script" not in html
    assert "\u202e" not in html


def test_same_run_same_bytes_and_no_flip_where_none_is_asked_for(perturbed: Any, tmp_path: Path) -> None:
    assert written(perturbed, tmp_path, seed=3) == written(perturbed, tmp_path, seed=3)
    assert written(perturbed, tmp_path, seed=3) != written(perturbed, tmp_path, seed=4)
    none = written(perturbed, tmp_path, sample=0)
    assert '<article class="flip">' not in none
    assert "0 of" in words_of(none)
    assert written(perturbed, tmp_path, sample=6).count('<article class="flip">') == 6


def test_a_resistance_that_is_undefined_says_so(make_source: Make, tmp_path: Path) -> None:
    source = make_source(card=CARD)
    groups = {"pair": "shale/0"}
    source.add("no", Verdict(0), id="shale/0", labels={}, groups=groups)
    changes = (Change("jpeg", 3, 0, "kept"),)
    source.add("yes", Verdict(1), id="shale/0@jpeg:3", labels={}, groups=groups, changes=changes)
    text = words_of(written(source, tmp_path))
    assert "undefined" in text
    assert "no clean answer among them is right" in text
    assert "Resistance: undefined (no clean answer is right)" in " ".join(printed(source).split())


def test_a_run_without_changes_has_no_section(run: Any, tmp_path: Path) -> None:
    assert "Resistance" not in written(run, tmp_path)
    assert "esistance" not in printed(run)
    assert not any("resistance" in str(record["scope"]) for record in to_rows(run))


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_terminal(perturbed: Any, width: int) -> None:
    text = printed(perturbed, width)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    if width < 80:
        return
    flat = " ".join(text.split())
    found = perturbed.results.resistance
    assert f"Resistance: {found.micro.resistance}, over all pairs (micro); mean over {found.macro_cells} cells" in flat
    assert "left out: truth removed 12" in flat
    assert f"consistency where the truth is removed: {found.micro.consistency['removed']}" in flat
    for part in (*found.conditions.values(), *found.labels["aspect"].values()):
        scores = f"{100 * part.clean.value:.1f} {100 * part.changed.value:.1f}"
        scored = f"{part.pairs - part.unscored} of {part.pairs}" if part.unscored else str(part.pairs)
        counts = f"{scored} {sum(part.left_out.values())}"
        assert f"{100 * part.resistance.value:.1f} {part.resistance:interval} {scores} {counts}" in flat


def test_long_conditions_break_where_a_reader_would(perturbed: Any) -> None:
    found = perturbed.results.resistance
    part = found.conditions["jpeg:1"]
    found.conditions.clear()
    found.conditions["jpeg:3+misleading-prefix:3"] = part
    words = [line.split()[0] for line in printed(perturbed).splitlines() if line.split()]
    place = words.index("jpeg:3+")
    assert words[place : place + 3] == ["jpeg:3+", "misleading-", "prefix:3"]
    assert "jpeg:3+misleading-prefix:3 " in printed(perturbed, 200)


def test_every_estimate_is_exported(perturbed: Any) -> None:
    records = {(one["scope"], one["label"], one["value_of_label"]): one["value"] for one in to_rows(perturbed)}
    found = perturbed.results.resistance
    assert records["resistance", "", ""] == found.micro.resistance.value
    assert records["resistance", "condition", "jpeg:3"] == found.conditions["jpeg:3"].resistance.value
    assert records["clean", "condition", "jpeg:3"] == found.conditions["jpeg:3"].clean.value
    assert records["changed", "aspect", "count"] == found.labels["aspect"]["count"].changed.value
    assert records["resistance", "condition*aspect", "jpeg:3*color"] == found.cells["aspect"]["jpeg:3", "color"].value
    assert records["resistance_macro", "condition*aspect", ""] == found.macro.value
    assert records["consistency_removed", "condition", "grayscale:1"] is not None
    assert len(records) == len(to_rows(perturbed))


def test_many_conditions_are_cut_with_a_note(make_source: Make, tmp_path: Path) -> None:
    source = make_source(card=replace(CARD, labels={"aspect": ("color", "count")}))
    groups = {"pair": "shale/0"}
    source.add("yes", Verdict(1), id="shale/0", labels={"aspect": "color"}, groups=groups)
    for number in range(70):
        changes = (Change(f"p{number:02}", 3, 0, "kept"),)
        labels = {"aspect": "color"}
        source.add("x", Verdict(1), id=f"shale/0@p{number:02}:3", labels=labels, groups=groups, changes=changes)
    text = words_of(written(source, tmp_path))
    assert "Condition (the first 60 of 70)" in text
    assert "Not all rows and columns are shown" in text

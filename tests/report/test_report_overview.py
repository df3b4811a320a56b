"""What is drawn of runs beside each other, and of one run beyond its first two labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from judged_screens import fill as fill_screens
from snellen.benchmarks.gui_hallubench import CARD as SCREENS
from snellen.item import Change
from snellen.report import overview, view
from snellen.verdict import Verdict


def named(source: Any, name: str, model: str = "") -> Any:
    return replace(source, name=f"charthal/{name}", manifest={"plan": {"model": model or name}})


def with_changes(source: Any, *conditions: tuple[str, int]) -> Any:
    """Each item under each condition; of every second one the answer turns wrong."""
    for row in list(source.content):
        for name, severity in conditions:
            item = replace(
                row.item,
                id=f"{row.item.id}@{name}:{severity}",
                changes=(Change(name, severity, 0, "kept"),),
                groups={"pair": row.item.id},
            )
            value = int(bool(row.verdict.value) and row.position % 2 == 0)
            source.content.append(replace(row, position=len(source.content), item=item, verdict=Verdict(value)))
    return source


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("blind", "blind"),
        ("ocr", "ocr"),
        ("constant:No.", "constant:No."),
        ("blinder-7b", ""),
        ("my/ocr", ""),
        ("", ""),
    ],
)
def test_baselines_are_the_embedded_models(run: Any, model: str, expected: str) -> None:
    assert overview.baseline(replace(run, manifest={"plan": {"model": model}})) == expected


@pytest.mark.parametrize("manifest", [{}, {"plan": "x"}, {"plan": {}}, {"plan": {"model": None}}])
def test_a_manifest_that_names_no_model_is_no_baseline(run: Any, manifest: Any) -> None:
    assert overview.baseline(replace(run, manifest=manifest)) == ""


def test_references_are_the_baselines_among_models(run: Any, make_source: Callable[..., Any]) -> None:
    nothing = named(make_source(), "ocr")
    low = named(make_source(), "blind")
    low.add("x", Verdict(0))
    model = named(run, "model")
    score = run.results.headline.value
    assert overview.references([model, named(run, "constant:a"), low, nothing]) == [
        ("blind", 0.0),
        ("constant:a", score),
    ]
    assert overview.references([low]) == []
    assert overview.references([model]) == []


def test_runs_and_values_as_heat_maps(run: Any) -> None:
    other = named(run, "other@rules")
    other.content = other.content[:4]
    maps = list(overview.run_maps(run.card, [run, other]))
    assert [each.title for each in maps] == ["Question type", "Relation to the chart", "Language"]
    grid = maps[1].grid
    assert [row.title for row in grid.rows] == ["model-1a2b@rules", "other@rules"]
    assert grid.columns[-1] == "Normal"
    for row, source in zip(grid.rows, (run, other), strict=True):
        found = source.results.marginals["relation"]["normal"]
        assert row.cells[-1].share.total == f"{found.n + found.unscored:,}"
    assert maps[0].grid.rows[1].cells[2].share.total == "0"


def test_further_labels_as_heat_maps(run: Any) -> None:
    for place, row in enumerate(run.content):
        item = replace(row.item, labels={**row.item.labels, "size": ("small", "large")[place % 2]})
        run.content[place] = replace(row, item=item)
    card = replace(run.card, labels={**run.card.labels, "size": ("small", "large")})
    maps = list(overview.label_maps(replace(run, card=card)))
    assert [each.title for each in maps] == [
        "Question type and size",
        "Relation to the chart and size",
    ]
    grid = maps[0].grid
    assert [row.title for row in grid.rows] == ["Descriptive", "Reasoning", "Open-ended"]
    for row, kind in zip(grid.rows, card.labels["question_type"], strict=True):
        for cell, size in zip(row.cells, ("small", "large"), strict=True):
            members = [
                each
                for each in run.content
                if each.item.labels == each.item.labels | {"question_type": kind, "size": size}
            ]
            scored = [each.verdict.value for each in members if each.verdict.value is not None]
            assert cell.share.total == str(len(members))
            assert cell.share.value == f"{100 * sum(scored) / len(scored):.1f}"


def test_two_labels_have_no_further_heat_map(run: Any) -> None:
    assert list(overview.label_maps(run)) == []


def test_changes_are_drawn_by_condition_and_severity(run: Any) -> None:
    source = with_changes(run, ("jpeg", 1), ("jpeg", 5), ("fog", 3))
    drawings = list(overview.changed(source, "run-1"))
    assert [each.title for each in drawings] == ["Clean and changed, by condition", "Resistance by severity"]
    assert "jpeg:5" in drawings[0].figure
    assert "fog:3" in drawings[0].figure
    assert "jpeg" in drawings[1].figure
    assert "fog" not in drawings[1].figure


def test_what_was_not_changed_is_not_drawn(run: Any) -> None:
    assert list(overview.changed(run, "a")) == []
    assert list(overview.beside(run.card, [run, run], "a")) == []
    assert list(overview.changed(with_changes(run, ("fog", 3)), "a")) == []


def test_runs_clean_and_changed(run: Any) -> None:
    source = with_changes(run, ("fog", 3))
    (drawing,) = overview.beside(run.card, [named(source, "one@rules"), named(source, "two@rules")], "a")
    assert drawing.title == "Clean and changed"
    assert "one@rules" in drawing.figure
    assert "two@rules" in drawing.figure


def test_parsing_against_hallucination(make_source: Callable[..., Any]) -> None:
    source = fill_screens(make_source(card=SCREENS, name="gui-hallubench/m-1a2b@gui"))
    assert list(overview.beside(SCREENS, [source], "a")) == []  # without an embedding model there is no average
    for place, row in enumerate(source.content):
        if "recall" in row.verdict.measures:
            matched = row.verdict.measures["recall"][0]
            measures = {**row.verdict.measures, "function_similarity": (0.9 * matched, matched)}
            source.content[place] = replace(row, verdict=replace(row.verdict, measures=measures))
    (drawing,) = overview.beside(SCREENS, [replace(source)], "a")
    assert drawing.title == "Parsing and hallucination"
    assert "m-1a2b@gui" in drawing.figure
    published = [row.model for row in SCREENS.published if len(row.metrics) > 1]
    assert published
    assert published[0].split()[0] in drawing.figure


def test_long_names_of_runs_stay_distinct(run: Any) -> None:
    long = "vision-language-model-of-seventy-two-billion-parameters-instruct-awq-int4-2026-3f2a91"
    names = [f"charthal/{long}@{judge}" for judge in ("charthal-gpt-4o", "charthal-gpt-4o-mini")]
    short = view.short_names([replace(run, name=name) for name in names])
    assert [name.rpartition("@")[2] for name in short] == ["charthal-gpt-4o", "charthal-gpt-4o-mini"]
    names = ["charthal/" + "m" * 70 + part + "m" * 60 for part in "ab"]  # the ends are alike, the middle is not
    assert len(set(view.short_names([replace(run, name=name) for name in names]))) == 2

"""Slopes, lines by severity and points."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from snellen.report.charts import Path, Place, Point, scatter, severities, slopes, spread
from snellen.report.figures import Dot, dots

HOSTILE = '<script>alert(1)</script> $x_1$ "\u202e" & '


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]


def heights(svg: str) -> dict[str, float]:
    """Where the texts of a figure stand, from above."""
    found = {}
    for element in ElementTree.fromstring(svg).iter():
        if element.tag.endswith("text") and (y := element.get("y")):
            found[element.text or ""] = float(y)
    return found


def line(name: str, *ys: float) -> Path:
    return Path(name, tuple(Place(x, y, max(0, y - 0.1), min(1, y + 0.1)) for x, y in enumerate(ys)))


def test_slopes_are_named_at_their_ends() -> None:
    svg = slopes([line("jpeg:3", 0.8, 0.5), line("fog:1", 0.4, 0.45)], key="a", title="t", axis="share right")
    shown = texts(svg)
    assert [text for text in shown if "jpeg" in text or "fog" in text] == ["45 fog:1", "50 jpeg:3"]
    assert {"clean", "changed", "share right"} <= set(shown)
    assert svg.count("stroke-dasharray") == 1  # what does not fall


def test_severities_have_their_intervals() -> None:
    paths = [
        Path("jpeg", (Place(1, 0.9, 0.8, 0.95), Place(3, 0.7, 0.6, 0.8))),
        Path("fog", (Place(1, 0.5), Place(5, 0.1))),
    ]
    svg = severities(paths, key="a", title="t", axis="resistance")
    assert {"jpeg", "fog", "severity", "1", "5"} <= set(texts(svg))
    assert heights(svg)["jpeg"] < heights(svg)["fog"]


def test_points_of_published_models_are_hollow() -> None:
    points = [Point("mine", 0.5, 0.25, (0.4, 0.6), (0.2, 0.3)), Point("theirs", 0.9, 0.75, published=True)]
    svg = scatter(points, key="a", title="t", across="parsing", along="hallucination")
    assert {"mine", "theirs", "parsing", "hallucination"} <= set(texts(svg))
    assert heights(svg)["theirs"] < heights(svg)["mine"]
    assert "fill: var(--paper)" in svg
    assert "fill: var(--accent)" in svg


def test_names_do_not_lie_on_each_other() -> None:
    many = [line(f"condition {number}", 0.5, 0.5) for number in range(24)]
    found = sorted(heights(slopes(many, key="a", title="t", axis="x")).items(), key=lambda each: each[1])
    places = [y for name, y in found if "condition" in name]
    assert len(places) == 24
    assert min(b - a for a, b in pairwise(places)) > 11


@pytest.mark.parametrize(
    ("given", "apart", "top", "expected"),
    [
        ([], 10, 100, []),
        ([50.0], 10, 100, [50.0]),
        ([50.0, 50.0], 10, 100, [45.0, 55.0]),
        ([50.0, 50.0, 50.0], 10, 100, [40.0, 50.0, 60.0]),
        ([100.0, 100.0], 10, 100, [90.0, 100.0]),
        ([0.0, 0.0], 10, 100, [0.0, 10.0]),
        ([10.0, 50.0, 90.0], 10, 100, [10.0, 50.0, 90.0]),
    ],
)
def test_spreading(given: list[float], apart: float, top: float, expected: list[float]) -> None:
    assert spread(given, apart, top) == pytest.approx(expected)


def test_same_input_same_bytes_and_nothing_runs() -> None:
    paths = [line(HOSTILE, 0.8, 0.5), line("测试", 0.8, 0.5)]
    for draw in (slopes, severities):
        first, second = (draw(paths, key="a", title=HOSTILE, axis=HOSTILE) for _ in range(2))
        assert first == second
        assert "<script" not in first
        assert any("$x_1$" in text for text in texts(first))
        assert not re.search(r"#0102[0-9a-f]{2}", first)


def test_references_are_named_above_the_dots() -> None:
    plain = dots([Dot("a", 0.5)], key="a", title="t", axis="x")
    svg = dots([Dot("a", 0.5)], key="a", title="t", axis="x", references=[("blind", 0.2), (HOSTILE, 0.9)])
    assert "blind 20.0" in texts(svg)
    assert heights(svg)["blind 20.0"] < heights(svg)["a"]
    assert "<script" not in svg
    assert dots([Dot("a", 0.5)], key="a", title="t", axis="x", references=[]) == plain

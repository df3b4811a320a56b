"""Figures as SVG that stands in a page."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import matplotlib as mpl
import pytest

from snellen.report.figures import Dot, dots
from snellen.report.view import contrast, heat_colours

LINES = (
    Dot("Relation", style="heading"),
    Dot("normal", 0.5, 0.4, 0.6),
    Dot("Published-7B", 0.25, style="published"),
    Dot("nothing"),
)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]


def test_labels_and_values_are_there_as_text() -> None:
    found = texts(dots(LINES, key="k", title="t", axis="share right"))
    for expected in ("Relation", "normal", "50.0 [40.0, 60.0]", "Published-7B", "25.0", "none scored", "share right"):
        assert expected in found


def test_dots_lie_where_their_values_are() -> None:
    svg = dots([Dot("a", 0.0), Dot("b", 0.5), Dot("c", 1.0)], key="k", title="t", axis="x")
    x = [float(e.get("x", "")) for e in ElementTree.fromstring(svg).iter() if e.tag.endswith("}use")]
    assert x[1] - x[0] == pytest.approx(x[2] - x[1])
    assert x[0] < x[1] < x[2]


def test_same_input_same_bytes_whatever_the_style_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = dots(LINES, key="k", title="t", axis="x", mark=0.3)
    with mpl.rc_context({"axes.facecolor": "red", "font.size": 30, "svg.fonttype": "path", "text.usetex": False}):
        assert dots(LINES, key="k", title="t", axis="x", mark=0.3) == plain
        assert mpl.rcParams["font.size"] == 30


def test_colours_and_fonts_come_from_the_page() -> None:
    svg = dots(LINES, key="k", title="t", axis="x", mark=0.3)
    assert not re.search(r"#[0-9a-f]{6}", svg)
    assert "DejaVu" not in svg
    assert "<style" not in svg
    assert {"var(--accent)", "var(--muted)", "var(--ink)"} <= set(re.findall(r"var\(--\w+\)", svg))


@pytest.mark.parametrize(
    "label",
    ["$x^2$ model", "<script>1</script>", "a & b", 'quo"te', "\x1b[0m\x00", "\ud800", "图表模型", r"\frac{1}", "_^{"],
)
def test_hostile_labels_are_text(label: str) -> None:
    svg = dots([Dot(label, 0.5, 0.4, 0.6)], key="k", title=label, axis=label)
    assert "<script" not in svg
    shown = texts(svg)
    assert label in shown or any("⟨U+" in text for text in shown)


def test_a_long_name_keeps_both_ends() -> None:
    shown = texts(dots([Dot("a-very-long-model-name-indeed-3f2a@charthal", 0.5)], key="k", title="t", axis="x"))
    assert any(re.fullmatch(r"a-very-long.*….*charthal", text) for text in shown)


def test_two_figures_share_no_ids() -> None:
    ids = [set(re.findall(r' id="([^"]+)"', dots(LINES, key=key, title="t", axis="x"))) for key in ("one", "two")]
    assert ids[0]
    assert not ids[0] & ids[1]
    svg = dots(LINES, key="one", title="t", axis="x")
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg))
    assert {a or b for a, b in used} <= ids[0]


def test_no_lines_and_no_date() -> None:
    svg = dots([], key="k", title="t", axis="x")
    assert "<svg" in svg
    assert not re.search(r"20\d\d-\d\d", svg)


def test_every_colour_of_the_heat_map_can_be_read() -> None:
    for step in range(101):
        colours = heat_colours(step / 100)
        assert contrast(colours["l"], colours["lt"]) >= 4.5
        assert contrast(colours["d"], colours["dt"]) >= 4.5


def test_the_heat_map_reads_without_colour() -> None:
    from snellen.report.view import luminance

    light = [luminance(heat_colours(step / 20)["l"]) for step in range(21)]
    dark = [luminance(heat_colours(step / 20)["d"]) for step in range(21)]
    assert light == sorted(light, reverse=True)
    assert dark == sorted(dark)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)

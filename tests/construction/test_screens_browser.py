"""Screens in a real browser: boxes are where things are drawn, and what is covered or cut off is found."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from snellen.benchmarks import gui_demo
from snellen.construction.screens import browser, demo
from snellen.construction.screens.markup import button, div, field, icon, picture, text
from snellen.construction.screens.screen import Screen

pytestmark = pytest.mark.browser

FOLDER = gui_demo.locate(None, Path("unused"))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser, where there is one that can draw Chinese."""
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        pytest.skip("no chromium on PATH: apt-get install chromium")
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with browser.chromium() as opened:
        yield opened


def screen(*body: str) -> Screen:
    return Screen("s", "web", "travel", "light", "#2f6fd0", div("screen", *body), ())


@pytest.mark.parametrize(("name", "language"), [("phone-home", "en"), ("desktop-mail", "zh")])
def test_a_shipped_screen_comes_out_again(chromium: Any, name: str, language: str) -> None:
    """Boxes that a font does not decide are the same within two pixels; texts may be wider or narrower."""
    (one,) = (screen for screen in demo.SCREENS if screen.name == name)
    drawn = browser.shoot(chromium, one, language)
    rows = json.loads((FOLDER / f"parsing_{language}.json").read_text("utf-8"))
    (row,) = (row for row in rows if row["screen"] == name)
    assert drawn.faults == ()
    assert [leaf.said for leaf in drawn.leaves] == [element["description"] for element in row["elements"]]
    for leaf, element in zip(drawn.leaves, row["elements"], strict=True):
        assert leaf.role == element["type"]
        if leaf.role in ("icon", "image"):
            off = np.abs(np.subtract(leaf.edges, element["coordinates"]))
            assert off[[1, 3]].max() <= 2, leaf
    with Image.open(io.BytesIO(drawn.png)) as opened:
        assert opened.size == (drawn.width, drawn.height)


def test_a_box_is_where_the_element_is_drawn(chromium: Any) -> None:
    """A red field of known place: the box is exactly its pixels, at both scales of pictures."""
    red = picture("Red|红", "sea", style="width:61px;height:33px;margin:17.5px 0 0 23px;border-radius:0;background:red")
    red = red[: red.index("<svg")] + "</div>"
    for platform in ("web", "mobile"):
        one = Screen("s", platform, "travel", "light", "#000", red, ())
        drawn = browser.shoot(chromium, one, "en")
        with Image.open(io.BytesIO(drawn.png)) as opened:
            pixels = np.asarray(opened.convert("RGB")).astype(int)
        rows, columns = np.nonzero((pixels[..., 0] > 200) & (pixels[..., 1] < 240))
        found = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
        assert np.abs(np.subtract(drawn.leaves[0].edges, found)).max() <= 1


def test_what_is_wrong_with_a_page_is_named(chromium: Any) -> None:
    cover = '<div style="position:fixed;left:0;top:0;width:200px;height:60px;background:#fff"></div>'
    faults = browser.shoot(
        chromium,
        screen(
            text("Hidden|藏", style="position:fixed;left:20px;top:20px"),
            cover,
            button("Outside|外", style="position:fixed;left:1250px;top:300px"),
            field("A field that has far too little room|字段", style="position:fixed;left:300px;top:300px;width:60px"),
            icon("bell", "One|一", style="position:fixed;left:500px;top:300px"),
            icon("bell", "Two|二", style="position:fixed;left:510px;top:305px"),
        ),
        "en",
    ).faults
    assert any(fault == "Hidden is covered" for fault in faults)
    assert any(fault.startswith("Outside is outside") for fault in faults)
    assert any(fault.startswith("A field that has far too little room has no room") for fault in faults)
    assert any(fault == "Two crosses One" for fault in faults)


def test_write_says_what_is_wrong(chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from contextlib import nullcontext

    monkeypatch.setattr(browser, "chromium", lambda: nullcontext(chromium))
    outside = screen(button("Outside|外", style="position:fixed;left:1250px;top:300px"))
    with pytest.raises(ValueError, match="s-en: Outside is outside"):
        demo.write(tmp_path, [outside])
    assert demo.write(tmp_path, [screen(text("Inside|内"))]) == (2, 0)
    assert json.loads((tmp_path / "hallucination.json").read_bytes()) == []
    (row,) = json.loads((tmp_path / "parsing_zh.json").read_bytes())
    assert row["elements"][0]["description"] == "内"

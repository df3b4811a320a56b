"""The report in a real browser, without a network."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from snellen.report import page as report
from snellen.verdict import Verdict

pytestmark = pytest.mark.browser

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HOSTILE = (
    "</span></script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>"
    "<svg onload=window.hacked=3></svg><iframe srcdoc='<script>top.hacked=4</script>'></iframe>"
    '<a href="javascript:window.hacked=5">x</a><style>body{display:none}</style>" onmouseover="window.hacked=6'
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("no chromium on PATH: apt-get install chromium")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Writes a report, opens it, and afterwards checks that nothing complained and nothing left the machine."""
    contexts, complaints, requests = [], [], []

    def open_one(*sources: Any, width: int = 1200, **options: Any) -> Any:
        path = tmp_path / "report.html"
        report.write(sources, path)
        context = chromium.new_context(viewport={"width": width, "height": 900}, offline=True, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("request", lambda request: requests.append(request.url))
        tab.goto(path.as_uri())
        return tab

    yield open_one
    for context in contexts:
        context.close()
    assert not complaints
    assert all(url.startswith(("file:", "data:")) for url in requests)
    assert sum(url.startswith("file:") for url in requests) == len(contexts)


def test_the_page_opens_offline(open_page: Callable[..., Any], run: Any) -> None:
    tab = open_page(run)
    assert tab.title() == "ChartHal – Snellen"
    assert tab.get_by_role("heading", level=1).inner_text() == "ChartHal"
    headings = tab.get_by_role("heading", level=3).all_inner_texts()
    for expected in ("By label", "Declining", "Among the published results", "Examples", "Manifest"):
        assert expected in headings
    assert tab.locator(".heat td b").count() == 12
    assert tab.locator("svg.figure").count() == 2


def test_pictures_are_drawn(open_page: Callable[..., Any], run: Any) -> None:
    tab = open_page(run)
    picture = tab.locator("svg.picture").first
    picture.scroll_into_view_if_needed()
    shot = picture.screenshot()
    from io import BytesIO

    from PIL import Image

    image = Image.open(BytesIO(shot)).convert("RGB")
    centre = image.getpixel((image.width // 2, image.height // 2))
    assert centre in {(0, 0, 128), (0, 128, 128), (128, 0, 0)}


def test_hostile_texts_do_nothing(open_page: Callable[..., Any], run: Any, make_source: Callable[..., Any]) -> None:
    run.add(HOSTILE, Verdict(0, reason=HOSTILE), id=HOSTILE, question=HOSTILE, language=HOSTILE)
    run = replace(run, name=HOSTILE, remarks=[HOSTILE], manifest={HOSTILE: HOSTILE})
    for sources in ([run], [run, run]):
        tab = open_page(*sources)
        tab.locator("h1").hover()
        for element in tab.locator(":text('window.hacked'):visible").all()[:5]:
            element.hover()
        assert tab.evaluate("window.hacked") is None
        assert tab.locator("script, iframe, img, body style").count() == 0
        assert tab.locator("h1").is_visible()


def test_a_script_in_the_page_would_be_stopped(open_page: Callable[..., Any], run: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    tab = open_page(run)
    path.write_text(path.read_text("utf-8").replace("</main>", "<script>window.hacked=1</script></main>"), "utf-8")
    fresh = tab.context.browser.new_page()
    fresh.goto(path.as_uri())
    assert fresh.evaluate("window.hacked") is None
    fresh.close()


def test_the_page_reads_without_javascript(open_page: Callable[..., Any], run: Any) -> None:
    tab = open_page(run, java_script_enabled=False)
    details = tab.locator("details").first
    details.locator("summary").click()
    assert details.locator("table").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_schemes(open_page: Callable[..., Any], run: Any, scheme: str) -> None:
    tab = open_page(run, color_scheme=scheme)
    background, ink, heat = tab.evaluate(
        """() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color,
                  getComputedStyle(document.querySelector('.heat td b').parentElement).backgroundColor]"""
    )
    level = {name: sum(map(int, value[4:-1].split(","))) for name, value in (("paper", background), ("ink", ink))}
    assert (level["paper"] > level["ink"]) == (scheme == "light")
    assert heat != background
    dot = tab.evaluate("getComputedStyle(document.querySelector('svg.figure use')).fill")
    assert dot == ("rgb(31, 95, 168)" if scheme == "light" else "rgb(121, 176, 238)")


@pytest.mark.parametrize("width", [320, 390, 768])
def test_a_narrow_window_needs_no_sideways_scrolling(open_page: Callable[..., Any], run: Any, width: int) -> None:
    run.add("W" * 3_000, Verdict(0, reason="x" * 500), id="i" * 300, question="q" * 300)
    run = replace(run, name="charthal/" + "n" * 150, manifest={"k" * 70: "v" * 400, "digest": "ab" * 32})
    tab = open_page(run, replace(run, name="charthal/other"), width=width)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_chinese_is_marked_and_shown(open_page: Callable[..., Any], run: Any) -> None:
    tab = open_page(run)
    element = tab.locator(".question:lang(zh)").first
    assert "图" in element.inner_text()
    assert element.bounding_box()["width"] > 20


def test_long_answers_unfold(open_page: Callable[..., Any], make_source: Callable[..., Any]) -> None:
    source = make_source()
    source.add("word " * 300, Verdict(0))
    tab = open_page(source)
    tab.get_by_text("show all 1,500 characters").click()
    assert tab.locator("article details .text").is_visible()

"""The report in a real browser, without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judged_screens import ELEMENTS, add, fill, item_of, listed
from snellen.benchmarks.gui_hallubench import CARD
from snellen.item import Element, ElementsReference
from snellen.report import page as report
from snellen.verdict import Verdict

pytestmark = pytest.mark.browser

HOSTILE = (
    "</span></script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>"
    "<svg onload=window.hacked=3></svg><iframe srcdoc='<script>top.hacked=4</script>'></iframe>"
    '<a href="javascript:window.hacked=5">x</a><style>body{display:none}</style>" onmouseover="window.hacked=6'
)


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


@pytest.fixture
def screens(make_source: Callable[..., Any]) -> Any:
    """A run on screens with every outcome."""
    return fill(make_source(card=CARD, name="gui-hallubench/m-1a2b@gui"))


def visible_shots(tab: Any) -> list[str]:
    found: list[str] = tab.locator(".shot").evaluate_all("each => each.filter(e => e.checkVisibility()).map(e => e.id)")
    return found


def shown_links(tab: Any, key: str) -> list[str]:
    found: list[str] = tab.locator(f"#{key} > .walk a").evaluate_all(
        "each => each.filter(e => e.checkVisibility()).map(e => e.innerText)"
    )
    return found


def test_screens_are_filtered_and_gone_through(open_page: Callable[..., Any], screens: Any) -> None:
    tab = open_page(screens)
    assert len(visible_shots(tab)) == 24
    tab.get_by_label("Hit elsewhere").check()
    tab.get_by_label("Chinese").check()
    (only,) = visible_shots(tab)
    assert shown_links(tab, only) == ["Filters"]
    tab.get_by_role("group", name="Outcome").get_by_label("All").check()
    row = visible_shots(tab)
    assert len(row) == 12
    for place, key in enumerate(row):
        walk = tab.locator(f"#{key} > .walk")
        assert f"{place + 1} of 12" in walk.inner_text()
        assert shown_links(tab, key) == ["← Previous"] * (place > 0) + ["Filters"] + ["Next →"] * (place < 11)
    tab.locator(f"#{row[0]} > .walk").get_by_text("Next →").locator("visible=true").click()
    assert tab.url.endswith(f"#{row[1]}")
    assert tab.evaluate("document.activeElement.id") == row[1]
    assert abs(tab.locator(f"#{row[1]}").bounding_box()["y"]) < 2
    tab.get_by_role("radio", name="Parsing").check()
    tab.get_by_label("Rejected, rightly").check()
    assert visible_shots(tab) == []
    assert tab.get_by_text("No shown item is like that.").is_visible()


def test_screens_are_gone_through_by_keyboard(open_page: Callable[..., Any], screens: Any) -> None:
    tab = open_page(screens)
    tab.get_by_role("group", name="Task").get_by_label("All").focus()
    tab.keyboard.press("ArrowRight")
    assert len(visible_shots(tab)) == 8
    for key in ("Tab", "Tab", "Tab", "Tab"):
        tab.keyboard.press(key)
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == visible_shots(tab)[1]


def stroke(tab: Any, box: Any) -> float:
    width: str = box.locator(".mark").first.evaluate("e => getComputedStyle(e).strokeWidth")
    return float(width.removesuffix("px"))


def test_boxes_and_lists_show_each_other(open_page: Callable[..., Any], screens: Any) -> None:
    tab = open_page(screens)
    shot = tab.locator(".shot:has(.elements li:nth-child(3))").first
    lines, boxes = shot.locator(".elements li"), shot.locator("a.on")
    assert lines.count() == boxes.count() == 3

    def lit() -> tuple[list[bool], list[bool]]:
        colors = lines.evaluate_all("each => each.map(e => getComputedStyle(e).backgroundColor)")
        return [not color.endswith(" 0)") for color in colors], [stroke(tab, box) > 3 for box in boxes.all()]

    tab.locator("h1").hover()
    assert lit() == ([False] * 3, [False] * 3)
    lines.nth(1).hover()
    assert lit() == ([False, True, False], [False, True, False])
    boxes.nth(2).hover()
    assert lit() == ([False, False, True], [False, False, True])
    tab.locator("h1").hover()
    lines.nth(0).locator("a").focus()
    assert lit() == ([True, False, False], [True, False, False])
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == boxes.nth(0).get_attribute("id")
    assert lit() == ([True, False, False], [True, False, False])
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == lines.nth(0).get_attribute("id")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_lie_where_they_were_read(
    open_page: Callable[..., Any], screens: Any, scheme: str, tmp_path: Path
) -> None:
    from PIL import Image

    tab = open_page(screens, color_scheme=scheme)
    tab.get_by_role("group", name="Outcome").get_by_label("Hit", exact=False).first.check()
    picture = tab.locator(".shot .drawn .picture").locator("visible=true").first
    picture.scroll_into_view_if_needed()
    picture.screenshot(path=tmp_path / "screen.png")
    image = Image.open(tmp_path / "screen.png").convert("RGB")
    scale = image.width / 1000

    def near(x: float, y: float) -> set[Any]:
        spots = [(round(x * scale) + dx, round(y * scale) + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        return {image.getpixel(spot) for spot in spots}

    assert (11, 154, 97) in near(100, 300)  # left edge of the target
    assert (22, 104, 208) in near(310, 300)  # right edge of what the answer gives
    assert near(500, 1000) == {(0, 0, 128)}  # the screen itself


@pytest.mark.parametrize("width", [320, 390])
def test_screens_fit_a_narrow_window(open_page: Callable[..., Any], screens: Any, width: int) -> None:
    screens.content[0] = replace(
        screens.content[0], item=replace(screens.content[0].item, labels={"task": "t" * 300, "language": "l" * 300})
    )
    tab = open_page(screens, width=width)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.locator(".filters").is_visible()


def test_printed_screens_need_no_controls(open_page: Callable[..., Any], screens: Any) -> None:
    tab = open_page(screens)
    tab.emulate_media(media="print")
    assert not tab.locator(".filters").is_visible()
    assert not tab.locator(".walk").first.is_visible()
    assert tab.locator(".drawn .picture").first.is_visible()


def test_hostile_screens_do_nothing(open_page: Callable[..., Any], screens: Any) -> None:
    every = item_of(ElementsReference((Element(HOSTILE, HOSTILE, ELEMENTS[0].box),)), task=HOSTILE, language=HOSTILE)
    add(screens, every, listed((HOSTILE, (100, 100, 200, 200)), (HOSTILE, (0, 0, 9_999, 9))))
    tab = open_page(screens)
    tab.locator("a.on").last.hover()
    assert tab.evaluate("window.hacked") is None
    assert tab.locator("script, iframe, img, body style").count() == 0

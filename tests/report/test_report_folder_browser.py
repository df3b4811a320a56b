"""The page of all items in a real browser, without a network."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judged_screens import fill as fill_screens
from snellen.benchmarks.gui_hallubench import CARD as SCREENS
from snellen.item import Change
from snellen.report import folder
from snellen.verdict import Verdict

pytestmark = pytest.mark.browser

HOSTILE = (
    "</span></script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>"
    "<svg onload=window.hacked=3></svg><iframe srcdoc='<script>top.hacked=4</script>'></iframe>"
    '<a href="javascript:window.hacked=5">x</a><style>body{display:none}</style>" onmouseover="window.hacked=6'
    "');window.hacked=7;('\\');window.hacked=8//${window.hacked=9}\u2028window.hacked=10"
)


@pytest.fixture
def open_items(chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Writes a folder, opens its items, and afterwards checks that nothing complained, asked or left the machine."""
    contexts: list[Any] = []
    complaints: list[str] = []
    requests: list[str] = []
    monkeypatch.setattr("snellen.report.page.write", lambda *_, **__: None)

    def open_one(*sources: Any, at: str = "", width: int = 1200, **options: Any) -> Any:
        folder.write(sources, tmp_path / "report")
        context = chromium.new_context(viewport={"width": width, "height": 800}, offline=True, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("dialog", lambda dialog: complaints.append(dialog.message))
        tab.on("request", lambda request: requests.append(request.url))
        tab.goto((tmp_path / "report" / "items.html").as_uri() + at)
        tab.locator(".item *").first.wait_for(state="attached")
        return tab

    yield open_one
    for context in contexts:
        context.close()
    assert not complaints
    inside = (tmp_path / "report").as_uri()
    assert requests
    assert all(url.startswith((inside, "data:")) for url in requests)


def ids(tab: Any) -> list[str]:
    found: list[str] = tab.locator(".row .id").all_inner_texts()
    return found


def shown_box(row: Any) -> dict[str, float]:
    """Where a row is; the list may be drawing it anew at this very moment."""
    for _ in range(50):
        if (box := row.bounding_box()) is not None:
            return dict(box)
        row.page.wait_for_timeout(20)
    raise AssertionError("the row is not shown")


def counted(tab: Any, words: str) -> None:
    """Waits until so many items are told of."""
    tab.locator(".count", has_text=re.compile(f"^{re.escape(words)}")).wait_for()


def facet(tab: Any, title: str) -> Any:
    named = tab.locator("span", has_text=re.compile(f"^{title}( |$)"))
    return tab.locator(".facets label").filter(has=named).locator("select")


def test_items_are_listed_and_opened(open_items: Callable[..., Any], run: Any) -> None:
    tab = open_items(run)
    assert tab.title() == "Items – ChartHal"
    counted(tab, "96 of 96 items")
    tab.locator(".row", has_text="charthal/0/3").click()
    tab.locator("h2", has_text="charthal/0/3").wait_for()
    assert tab.url.endswith("#charthal/0/3")
    shown = tab.locator(".item").inner_text()
    row = run.content[3]
    assert row.verdict.value == 1
    for words in (
        row.item.question,
        "About 3.",
        "Right",
        "Relation to the chart: Normal",
        row.visible,
        row.verdict.reason,
    ):
        assert words in shown
    picture = tab.locator(".item img")
    picture.wait_for()
    assert picture.evaluate("each => each.complete && each.naturalWidth") == 90
    assert picture.get_attribute("loading") == "lazy"


def test_only_what_is_seen_stands_in_the_page(open_items: Callable[..., Any], make_source: Callable[..., Any]) -> None:
    source = make_source()
    for number in range(3_000):
        source.add(f"answer {number}", Verdict(number % 2))
    tab = open_items(source)
    assert 10 < len(ids(tab)) < 60
    tab.locator(".list").evaluate("list => { list.scrollTop = 1e9 }")
    tab.locator(".row .id", has_text="charthal/749/3").wait_for()
    assert len(ids(tab)) < 60
    row = shown_box(tab.locator(".row", has_text="charthal/749/3"))
    assert row["y"] + row["height"] <= 801
    assert tab.locator(".row .ask", has_text="point 2999?").inner_text().endswith("?")


def test_a_very_long_list_can_be_scrolled_through(
    open_items: Callable[..., Any], make_source: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = make_source()
    for number in range(1_200):
        source.add(f"answer {number}", Verdict(number % 2))
    tab = open_items(source)
    script = Path(folder.__file__).parent / "templates" / "folder" / "items.js"
    assert "TALLEST = 8e6" in script.read_text("utf-8")
    path = Path(tab.url.removeprefix("file://")).parent / "items.js"
    path.write_text(path.read_text("utf-8").replace("TALLEST = 8e6", "TALLEST = 4000"), "utf-8")
    tab.reload()
    tab.locator(".row").first.wait_for()
    assert tab.locator(".list").evaluate("list => list.scrollHeight") == 4000
    tab.locator(".list").evaluate("list => { list.scrollTop = 1e9 }")
    last = tab.locator(".row .id", has_text="charthal/299/3")
    last.wait_for()
    box = shown_box(last)
    assert 0 < box["y"] < 800
    tab.locator(".list").focus()
    tab.keyboard.press("Home")
    tab.locator("h2", has_text="charthal/0/0").wait_for()
    assert "charthal/0/0" in ids(tab)


def test_filters_leave_what_agrees_and_tell_how_many(open_items: Callable[..., Any], run: Any) -> None:
    tab = open_items(run)
    normal = [row for row in run.content if row.item.labels["relation"] == "normal"]
    facet(tab, "Relation").select_option(label=f"Normal ({len(normal)})")
    counted(tab, f"{len(normal)} of 96")
    right = [row for row in normal if row.verdict.value == 1]
    facet(tab, "Outcome").select_option("v1")
    counted(tab, f"{len(right)} of 96")
    assert ids(tab) == [row.item.id for row in right]
    assert "outcome=value_1" in tab.url
    assert "label.relation=normal" in tab.url
    tab.get_by_role("button", name="Clear").click()
    counted(tab, "96 of 96")
    facet(tab, "Flag").select_option(label=f"abstained ({sum('abstained' in r.verdict.flags for r in run.content)})")
    assert ids(tab) == [row.item.id for row in run.content if "abstained" in row.verdict.flags]
    tab.get_by_role("button", name="Clear").click()
    facet(tab, "Language").select_option(label="Chinese (32)")
    counted(tab, "32 of 96")


def test_every_count_is_what_choosing_leaves(open_items: Callable[..., Any], run: Any) -> None:
    other = replace(run, name="charthal/other@rules", content=[*reversed(run.content[:60])])
    tab = open_items(run, other, at="#&run=2&label.relation=normal")
    for title in ("Run", "Outcome", "Flag", "Relation", "Question type", "Language"):
        select = facet(tab, title)
        before = select.input_value()
        for option in select.locator("option:not([hidden])").all():
            value, text = option.get_attribute("value"), option.text_content()
            if value and (match := re.search(r"\(([\d,]+)\)$", text)):
                select.select_option(value)
                counted(tab, f"{match[1]} of 96")
        select.select_option(before)


def test_search_goes_through_all_texts(open_items: Callable[..., Any], make_source: Callable[..., Any]) -> None:
    source = make_source()
    for number in range(1_100):
        source.add(f"The answer {number}", Verdict(0, reason=f"Said no to {number}"))
    source.add("ÄPFEL und 苹果", Verdict(0, reason="sagt zu viel"), id="charthal/fruit")
    tab = open_items(source)
    field = tab.get_by_role("searchbox")
    for query, id_ in (
        ("answer 1099", "charthal/274/3"),
        ('"no to 700"', "charthal/175/0"),
        ("point 5? answer", "charthal/1/1"),
        ("äpfel", "charthal/fruit"),
        ("苹果", "charthal/fruit"),
        ("sagt UND", "charthal/fruit"),
    ):
        field.fill(query)
        tab.locator(".row .id", has_text=re.compile(f"^{id_}$")).wait_for()
    counted(tab, "1 of 1,101")
    field.fill("answer said fruitless")
    counted(tab, "0 of 1,101")
    assert tab.get_by_text("No item is like that.").is_visible()
    field.press("Escape")
    counted(tab, "1,101 of 1,101")


def test_found_words_are_marked(open_items: Callable[..., Any], run: Any) -> None:
    tab = open_items(run, at="#charthal/0/0&q=POINT")
    tab.locator(".run").wait_for()
    counted(tab, "64 of 96")
    assert tab.evaluate("[...CSS.highlights.get('found')].map(each => each.toString().toLowerCase())")


def test_search_keeps_to_the_run_that_is_chosen(open_items: Callable[..., Any], run: Any) -> None:
    answered = [row for row in run.content if row.visible][:10]
    unlike = [replace(row, visible="unlike") for row in answered]
    other = replace(run, name="charthal/other@rules", content=unlike)
    tab = open_items(run, other)
    tab.get_by_role("searchbox").fill("unlike")
    counted(tab, "10 of 96")
    facet(tab, "Run").select_option("1")
    counted(tab, "0 of 96")
    facet(tab, "Run").select_option("2")
    counted(tab, "10 of 96")


def test_runs_stand_side_by_side(open_items: Callable[..., Any], run: Any) -> None:
    opposite = [
        replace(row, visible=f"other {row.position}", verdict=Verdict(1 - (row.verdict.value or 0)))
        for row in run.content[:20]
    ]
    tab = open_items(run, replace(run, name="charthal/other@rules", content=opposite))
    facet(tab, "Runs").select_option("differ")
    expected = [row.item.id for row in run.content[:20] if row.verdict.value is not None]
    counted(tab, f"{len(expected)} of 96")
    tab.locator(".row").first.click()
    tab.locator(".run").nth(1).wait_for()
    assert tab.locator(".run h3").all_inner_texts() == ["model-1a2b@rules", "other@rules"]
    assert "other 0" in tab.locator(".run").nth(1).inner_text()
    assert tab.locator(".row").first.locator(".dot").evaluate_all("each => each.map(e => e.className)") == [
        "dot v0",
        "dot v1",
    ]


def test_keys_go_through_the_items(open_items: Callable[..., Any], run: Any) -> None:
    tab = open_items(run)

    def heading(words: str) -> None:
        tab.locator("h2", has_text=re.compile(f"^{words}$")).wait_for()

    for key, id_ in (("j", "0/0"), ("j", "0/1"), ("ArrowDown", "0/2"), ("k", "0/1"), ("End", "23/3"), ("Home", "0/0")):
        tab.keyboard.press(key)
        heading(f"charthal/{id_}")
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.className") == "item"
    tab.keyboard.press("j")
    heading("charthal/0/1")
    tab.keyboard.press("/")
    tab.keyboard.type("jk")
    assert tab.get_by_role("searchbox").input_value() == "jk"
    counted(tab, "0 of 96")
    tab.keyboard.press("Escape")
    counted(tab, "96 of 96")
    tab.keyboard.press("Escape")
    tab.keyboard.press("Escape")
    tab.get_by_text("Choose an item.").wait_for()


@pytest.mark.parametrize("id_", ["charthal/99/2", "a b/ü%2F@jpeg:3+fog:1", "<b>&=#", "?x=1"])
def test_addresses_lead_to_items(open_items: Callable[..., Any], run: Any, id_: str) -> None:
    run.add("here it is", Verdict(1), id=id_)
    tab = open_items(run)
    tab.locator(".list").focus()
    tab.keyboard.press("End")
    tab.locator("h2", has_text=id_).wait_for()
    address = tab.url
    tab.goto("about:blank")
    tab.goto(address)
    tab.locator("h2", has_text=id_).wait_for()
    assert tab.locator(".row[aria-current] .id").inner_text() == id_


def test_an_address_without_an_item_says_so(open_items: Callable[..., Any], run: Any) -> None:
    tab = open_items(run, at="#no/such&run=77&outcome=x&label.relation=x&sort=x&%E0%A4%A&q=")
    assert "There is no item of this name here: no/such" in tab.locator(".item").inner_text()
    counted(tab, "96 of 96")


def test_going_back_closes_and_opens(open_items: Callable[..., Any], run: Any) -> None:
    tab = open_items(run, width=390)
    tab.locator(".row").first.click()
    tab.locator("h2").wait_for()
    assert not tab.locator(".list").is_visible()
    tab.go_back()
    tab.locator(".list").wait_for()
    assert not tab.locator(".item").is_visible()
    tab.go_forward()
    tab.locator("h2", has_text="charthal/0/0").wait_for()
    tab.get_by_role("button", name="Close").click()
    assert tab.locator(".list").is_visible()


def test_versions_of_an_item_lead_to_each_other(open_items: Callable[..., Any], run: Any) -> None:
    clean = run.content[0]
    item = replace(
        clean.item,
        id=f"{clean.item.id}@jpeg:3",
        changes=(Change("jpeg", 3, 0, "removed"),),
        groups={"pair": clean.item.id},
    )
    run.content.append(replace(clean, position=96, item=item))
    tab = open_items(run, at="#charthal/0/0")
    tab.locator(".versions").get_by_text("jpeg:3").click()
    tab.locator("h2", has_text="@jpeg:3").wait_for()
    assert "jpeg:3 (what is asked for is gone)" in tab.locator(".tags").inner_text()
    facet(tab, "Condition").select_option("changed")
    counted(tab, "1 of 97")
    facet(tab, "Condition").select_option(label="clean (96)")
    counted(tab, "96 of 97")


def test_items_are_sorted(open_items: Callable[..., Any], make_source: Callable[..., Any]) -> None:
    source = make_source()
    for number, length in ((10, 3), (2, 30), (1, 9)):
        source.add("x" * length, Verdict(number % 2), id=f"charthal/{number}")
    tab = open_items(source)
    order = tab.locator(".seek select")
    for name, expected in (
        ("by_plan", [10, 2, 1]),
        ("by_id", [1, 2, 10]),
        ("by_length", [2, 1, 10]),
        ("by_wrong", [10, 2, 1]),
        ("by_right", [1, 10, 2]),
    ):
        order.select_option(name)
        tab.wait_for_timeout(60)
        assert ids(tab) == [f"charthal/{number}" for number in expected], name


def test_hostile_texts_do_nothing(open_items: Callable[..., Any], run: Any) -> None:
    item = replace(
        run.content[0].item,
        id=HOSTILE,
        question=HOSTILE,
        language=HOSTILE,
        options=((HOSTILE, HOSTILE),),
        facts=(HOSTILE,),
        given=HOSTILE,
        labels={HOSTILE: HOSTILE, "__proto__": HOSTILE, "constructor": "x"},
        changes=(Change(HOSTILE, 3, 0, "kept"),),
        cluster=HOSTILE,
    )
    run.content[0] = replace(run.content[0], item=item, visible=HOSTILE, verdict=Verdict(0, reason=HOSTILE))
    sources = replace(run, name=HOSTILE), replace(run, name=HOSTILE + "2")
    tab = open_items(*sources)
    tab.locator(".row").first.click()
    tab.locator(".run").first.wait_for()
    for element in tab.locator(":text('window.hacked'):visible").all()[:12]:
        element.hover()
    for select in tab.locator(".facets select").all():
        value = select.locator("option").last.get_attribute("value")
        select.select_option(value)
    tab.reload()
    tab.get_by_role("searchbox").fill("<script>")
    tab.wait_for_timeout(400)
    assert tab.evaluate("window.hacked") is None
    assert tab.locator("iframe, body style, body svg, body a[href^='javascript']").count() == 0
    assert tab.locator("img").evaluate_all("each => each.every(e => e.src.startsWith('file:'))")
    assert tab.locator(".top").is_visible()


def test_what_a_mistake_let_in_would_not_run(open_items: Callable[..., Any], run: Any, chromium: Any) -> None:
    tab = open_items(run)
    path = Path(tab.url.removeprefix("file://"))
    page = path.read_text("utf-8")
    path.write_text(
        page.replace("</body>", "<script>window.hacked=1</script><img src=x onerror=window.hacked=2></body>")
    )
    fresh = chromium.new_page()
    fresh.goto(tab.url)
    fresh.locator(".row").first.wait_for()
    assert fresh.evaluate("window.hacked") is None
    assert (
        fresh.evaluate(
            "() => { try { document.body.innerHTML = '<b>x</b>'; return 'let in' } catch (e) { return e.name } }"
        )
        == "TypeError"
    )
    assert fresh.evaluate("fetch('data/head.js').then(() => 'fetched', () => 'refused')") == "refused"
    fresh.close()


def test_a_megabyte_is_shown_when_it_is_asked_for(
    open_items: Callable[..., Any], make_source: Callable[..., Any]
) -> None:
    source = make_source()
    text = "word and more " * 75_000
    source.add(text, Verdict(0), id="charthal/long")
    source.add("a" * 100_000 + "\u202eb" + "́" * 30_000, Verdict(0), id="charthal/unbroken")
    tab = open_items(source, at="#charthal/long")
    button = tab.get_by_role("button", name="Show all 1,050,000 characters")
    assert len(tab.locator(".answer").inner_text()) < 400
    button.click()
    tab.get_by_role("button", name="Show less").wait_for()
    assert tab.locator(".answer").evaluate("each => each.textContent.length") == len(text)
    tab.get_by_role("button", name="Show less").click()
    assert len(tab.locator(".answer").inner_text()) < 400
    tab.keyboard.press("j")
    tab.locator("h2", has_text="unbroken").wait_for()
    tab.get_by_role("button", name="Show all").click()
    tab.get_by_role("button", name="Show less").wait_for()
    assert "⟨U+202E⟩" in tab.locator(".answer").evaluate("each => each.textContent")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 1200
    pane = tab.locator(".item")
    assert pane.evaluate("each => each.scrollWidth <= each.clientWidth")


def test_text_from_right_to_left_turns_nothing_else(
    open_items: Callable[..., Any], make_source: Callable[..., Any]
) -> None:
    source = make_source()
    source.add("مرحبا ABC \u202e reversed", Verdict(0, reason="שלום"), id="charthal/rtl", question="ما هذا؟")
    tab = open_items(source, at="#charthal/rtl")
    answer = tab.locator(".answer")
    answer.wait_for()
    assert answer.evaluate("each => getComputedStyle(each).direction") == "rtl"
    assert answer.evaluate("each => getComputedStyle(each).unicodeBidi") == "isolate"
    assert "\u202e" not in answer.inner_text()
    assert tab.locator(".run").evaluate("each => getComputedStyle(each).direction") == "ltr"


def test_the_page_speaks_chinese(open_items: Callable[..., Any], run: Any) -> None:
    tab = open_items(run, at="#charthal/0/0", locale="zh-CN")
    tab.locator(".run").wait_for()
    assert "96 道题中的 96 道" in tab.locator(".top").inner_text()
    assert "幻觉" in tab.locator(".run").inner_text()
    assert tab.locator("html").get_attribute("lang") == "zh-Hans"
    tab.get_by_role("button", name="English").click()
    counted(tab, "96 of 96 items")
    tab.locator(".outcome", has_text="Hallucinated").wait_for()
    tab.reload()
    counted(tab, "96 of 96 items")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_schemes(open_items: Callable[..., Any], run: Any, scheme: str) -> None:
    tab = open_items(run, color_scheme=scheme)
    paper, ink = tab.evaluate(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    )
    levels = [sum(map(int, value[4:-1].split(","))) for value in (paper, ink)]
    assert (levels[0] > levels[1]) == (scheme == "light")


@pytest.mark.parametrize("width", [320, 390, 768])
def test_a_narrow_window_needs_no_sideways_scrolling(open_items: Callable[..., Any], run: Any, width: int) -> None:
    run.add("W" * 3_000, Verdict(0, reason="x" * 500), id="i" * 280, question="q" * 300, labels={"l" * 90: "v" * 90})
    run = replace(run, name="charthal/" + "n" * 150)
    tab = open_items(run, replace(run, name="charthal/other"), at="#" + "i" * 280, width=width)
    tab.locator(".run").first.wait_for()
    for place in ("document.documentElement", "document.querySelector('.item')"):
        assert tab.evaluate(f"{place}.scrollWidth <= {place}.clientWidth"), place
    if width < 700:
        tab.get_by_role("button", name="Close").click()
        tab.get_by_role("button", name="Filters").click()
        assert facet(tab, "Outcome").is_visible()
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_print_shows_the_item_alone(open_items: Callable[..., Any], run: Any) -> None:
    tab = open_items(run, at="#charthal/0/0")
    tab.locator(".run").wait_for()
    tab.emulate_media(media="print")
    assert not tab.locator(".top").is_visible()
    assert not tab.locator(".list").is_visible()
    assert tab.locator(".item h2").is_visible()


def test_screens_are_drawn(open_items: Callable[..., Any], make_source: Callable[..., Any]) -> None:
    source = fill_screens(make_source(card=SCREENS, name="gui-hallubench/m-1a2b@gui"))
    tab = open_items(source, at="#&outcome=hit")
    tab.locator(".row").first.click()
    tab.locator(".drawn svg").wait_for()
    assert tab.locator(".drawn .mark.target").count() == tab.locator(".drawn .mark.hit").count() == 1
    assert "answer, hit" in tab.locator("figcaption").inner_text()
    tab.goto(tab.url.split("#")[0] + "#&outcome=invented")
    tab.locator(".row").first.click()
    invented = tab.locator("summary", has_text="invented")
    invented.click()
    line = tab.locator(".elements li").locator("visible=true").first
    line.hover()
    assert tab.locator(".mark.lit").count() == 1


def test_a_missing_file_is_told_of(open_items: Callable[..., Any], run: Any, chromium: Any) -> None:
    tab = open_items(run)
    path = Path(tab.url.removeprefix("file://")).parent
    (path / "data" / "run1-1.js").unlink()
    fresh = chromium.new_page()
    fresh.goto(tab.url + "#charthal/0/0")
    fresh.get_by_text("A data file cannot be read: data/run1-1.js").wait_for()
    assert fresh.locator(".row").first.is_visible()
    fresh.close()

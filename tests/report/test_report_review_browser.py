"""People label answers in the page of all items, and `snellen audit` reads what they download."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import snellen
from snellen.cli import cli
from snellen.engine import human_labels

pytestmark = pytest.mark.browser

HOSTILE = "</span><img src=x onerror=window.hacked=1>,\"'\n=cmd"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, Path]:
    """A workspace, a run in it, and its report, of which 12 answers are drawn."""
    folder = tmp_path_factory.mktemp("review")
    with snellen.Workspace(folder / "workspace") as workspace:
        run = snellen.run("charthal-demo", model="blind", workspace=workspace).row.name
    report = folder / "report"
    command = ["--workspace", str(folder / "workspace"), "report", run, "--all", str(report), "--review", "12"]
    assert CliRunner().invoke(cli, command, catch_exceptions=False).exit_code == 0
    return folder / "workspace", run, report


@pytest.fixture
def open_items(chromium: Any, made: tuple[Path, str, Path]) -> Iterator[Callable[..., Any]]:
    """Opens the page in a browser of its own, and afterwards checks that nothing complained."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def open_one(at: str = "", context: Any = None, width: int = 1200, **options: Any) -> Any:
        if context is None:
            context = chromium.new_context(viewport={"width": width, "height": 900}, offline=True, **options)
            contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.goto((made[2] / "items.html").as_uri() + at)
        tab.locator(".item *").first.wait_for(state="attached")
        return tab

    yield open_one
    for context in contexts:
        assert all(tab.evaluate("window.hacked") is None for tab in context.pages)
        context.close()
    assert not complaints


def begin(tab: Any, name: str = "Ann") -> None:
    tab.locator("button.label-answers").click()
    tab.locator(".review-top .rater").fill(name)
    tab.locator(".review-top .rater").press("Enter")
    tab.locator(".label-bar").wait_for()


def progress(tab: Any, words: str) -> None:
    tab.locator(".labelled", has_text=re.compile(f"^{re.escape(words)}")).wait_for()


def give(tab: Any, key: str) -> str:
    """Presses a key; the id of the item that got the label."""
    item: str = tab.locator(".item h2").inner_text()
    tab.keyboard.press(key)
    return item


def saved(tab: Any, button: str, place: Path) -> Path:
    with tab.expect_download() as waiting:
        tab.locator(".files button", has_text=button).click()
    path = place / str(waiting.value.suggested_filename)
    waiting.value.save_as(path)
    return path


def test_labels_are_given_by_keys_downloaded_and_audited(
    open_items: Callable[..., Any], made: tuple[Path, str, Path], tmp_path: Path
) -> None:
    workspace, run, _ = made
    tab = open_items()
    begin(tab)
    progress(tab, "0 of 12 drawn answers labelled")
    assert tab.locator(".count").inner_text().startswith("12 of 102")
    given = {}
    for number in range(11):
        key = "10?"[number % 3]
        given[give(tab, key)] = {"1": 1, "0": 0, "?": None}[key]
        progress(tab, f"{number + 1} of 12")
    tab.locator(".note-field").fill(HOSTILE.replace("\n", " "))
    tab.locator(".note-field").press("Enter")
    given[give(tab, "1")] = 1
    progress(tab, "12 of 12")
    tab.locator(".told", has_text="Every answer of this view is labelled.").first.wait_for()
    assert len(given) == 12
    for button, name in (("JSON Lines", "labels-Ann.jsonl"), ("CSV", "labels-Ann.csv")):
        file = saved(tab, button, tmp_path)
        assert file.name == name
        read = human_labels.read([file])
        assert not read.problems
        assert {label.item: label.value for label in read.labels} == given
        assert {(label.run, label.rater) for label in read.labels} == {(run, "Ann")}
        audit = ["--workspace", str(workspace), "audit", run, "--human", str(file), "--json"]
        said = CliRunner().invoke(cli, audit, catch_exceptions=False)
        assert said.exit_code == 0
        (found,) = json.loads(said.stdout)["runs"]
        assert found["people"]["items"] == 12
        assert found["people"]["cannot_tell"] == list(given.values()).count(None)
        report = ["--workspace", str(workspace), "report", run, "--human", str(file), "-o", str(tmp_path / "a.html")]
        assert CliRunner().invoke(cli, report, catch_exceptions=False).exit_code == 0
        html = (tmp_path / "a.html").read_text("utf-8")
        assert "human-adjusted: by people, all" in html
    with (tmp_path / "labels-Ann.csv").open(encoding="utf-8-sig", newline="") as lines:
        notes = [row["note"] for row in csv.DictReader(lines) if row["note"]]
    assert notes == [HOSTILE.replace("\n", " ")]


def test_the_judge_is_hidden_until_the_answer_is_labelled(open_items: Callable[..., Any]) -> None:
    tab = open_items()
    begin(tab)
    for hidden in (".outcome", ".run dt:has-text('Judge')", ".row .dot.v0", ".row .dot.v1", ".run.v0", ".run.v1"):
        assert tab.locator(hidden).count() == 0, hidden
    item = give(tab, "0")
    progress(tab, "1 of 12")
    tab.locator(".walk-bar button", has_text="Previous").click()
    tab.locator(".item h2", has_text=item).wait_for()
    tab.locator(".outcome").wait_for()
    assert "Ann: Wrong" in tab.locator(".run").inner_text()
    assert tab.locator(".label-0").get_attribute("aria-pressed") == "true"
    tab.keyboard.press("u")
    progress(tab, "0 of 12")
    tab.locator(".outcome").wait_for(state="detached")
    tab.locator(".blind input").click()
    tab.locator(".outcome").wait_for()
    tab.locator("button.label-answers").click()
    assert tab.locator(".count").inner_text().startswith("102 of 102")


def test_labels_stay_and_another_persons_are_loaded(open_items: Callable[..., Any], tmp_path: Path) -> None:
    tab = open_items()
    begin(tab)
    first = give(tab, "1")
    second = give(tab, "0")
    progress(tab, "2 of 12")
    again = open_items(context=tab.context)
    again.locator("button.label-answers").click()
    progress(again, "2 of 12")
    other = tmp_path / "bob.csv"
    rows = [f"{first},错误,{json.dumps(HOSTILE)[1:-1].replace(chr(92), '').replace(',', '').replace(chr(34), '')}"]
    rows += [f"{second},wrong,", "charthal-demo/none,1,", ",1,", f"{first},perhaps,"]
    other.write_text("id,label,note\n" + "\n".join(rows) + "\n", encoding="utf-8")
    again.locator(".review-top input[type=file]").set_input_files(other)
    again.locator(".told", has_text="2 labels loaded; 3 rows were not used").first.wait_for()
    again.goto(again.url.split("#")[0] + "#&label.@raters=differ")
    again.locator(".count", has_text="1 of 102").wait_for()
    again.locator(".row", has_text=first).click()
    said = again.locator(".run").inner_text()
    assert "Ann: Right" in said
    assert "bob: Wrong" in said


def test_without_a_name_no_label_is_given(open_items: Callable[..., Any]) -> None:
    tab = open_items()
    tab.locator("button.label-answers").click()
    tab.locator(".label-bar").wait_for()
    tab.keyboard.press("1")
    tab.locator(".told", has_text="Give your name first").first.wait_for()
    progress(tab, "0 of 12")


def test_a_browser_that_keeps_nothing_says_so(chromium: Any, made: tuple[Path, str, Path]) -> None:
    context = chromium.new_context(offline=True)
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('x', 'SecurityError'); }})"
    )
    tab = context.new_page()
    tab.goto((made[2] / "items.html").as_uri())
    begin(tab)
    assert "This browser keeps nothing for this page" in tab.locator(".review-top").inner_text()
    give(tab, "1")
    progress(tab, "1 of 12")
    context.close()


def test_on_a_phone_and_in_chinese(open_items: Callable[..., Any]) -> None:
    tab = open_items(width=390, locale="zh-CN")
    tab.locator("button.label-answers", has_text="人工标注").click()
    tab.locator(".label-bar").wait_for()
    tab.locator(".choices .rater").fill("王芳")
    tab.locator(".choices .rater").press("Enter")
    tab.locator(".choices button", has_text="错误").click()
    tab.locator(".label-bar").wait_for()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    tab.locator("button", has_text="关闭").click()
    progress(tab, "抽取的 12 个回答中已标注 1 个")


def test_hostile_labels_are_told_of_and_nothing_else_is_lost(open_items: Callable[..., Any], tmp_path: Path) -> None:
    tab = open_items()
    begin(tab)
    item = give(tab, "1")
    progress(tab, "1 of 12")
    lines = [
        {"id": {"toString": 1, "valueOf": 1}, "label": 1},
        {"id": item, "label": "constructor"},
        {"id": item, "label": "toString"},
        {"id": [item], "label": 1},
        {"id": item, "label": "x" * 100_000},
        {"id": "y" * 100_000, "label": 1},
        {"id": item, "label": 1, "run": "another/run-1a2b3c"},
        {"id": item, "label": 0, "rater": "__proto__", "note": HOSTILE},
    ]
    file = tmp_path / "hostile.jsonl"
    file.write_text("\n".join([*map(json.dumps, lines), "[" * 5_000]), encoding="utf-8")
    csv_file = tmp_path / "__proto__.csv"
    csv_file.write_text(f'__proto__,id,label\n1,{item},constructor\n1,{item},0\n"', encoding="utf-8")
    tab.locator(".review-top input[type=file]").set_input_files([file, csv_file])
    tab.locator(".told", has_text="2 labels loaded; 9 rows were not used").first.wait_for()
    assert len(tab.locator(".told").first.inner_text()) < 400
    read = human_labels.read([saved(tab, "JSON Lines", tmp_path)])
    assert [(label.item, label.value, label.rater) for label in read.labels] == [(item, 1, "Ann")]


def test_what_the_browser_keeps_under_our_name_is_not_trusted(open_items: Callable[..., Any], made: Any) -> None:
    tab = open_items()
    _, run, _ = made
    begin(tab)
    item = tab.locator(".item h2").inner_text()
    rows = [[item, "Ann", "toString", ""], [item, "Ann", "1"], [item, "Ann", 1, ""], None, [item, "Bob", "0", HOSTILE]]
    for kept in (json.dumps(rows), "{", "null", '"text"', json.dumps({"length": 3})):
        tab.evaluate("([name, text]) => localStorage.setItem(name, text)", [f"snellen-labels {run}", kept])
        tab.reload()
        tab.locator(".item *").first.wait_for(state="attached")
        begin(tab)
        progress(tab, "0 of 12 drawn answers labelled")


def test_a_changed_label_keeps_the_note_as_it_is_now(open_items: Callable[..., Any], tmp_path: Path) -> None:
    tab = open_items()
    begin(tab)
    tab.locator(".note-field").fill("first thought")
    tab.locator(".note-field").press("Enter")
    item = give(tab, "1")
    progress(tab, "1 of 12")
    tab.locator(".walk-bar button", has_text="Previous").click()
    tab.locator(".item h2", has_text=item).wait_for()
    tab.locator(".note-field").fill("second thought")
    tab.locator(".note-field").press("Enter")
    give(tab, "0")
    progress(tab, "1 of 12")
    (row,) = map(json.loads, saved(tab, "JSON Lines", tmp_path).read_text("utf-8").splitlines())
    assert (row["label"], row["note"]) == (0, "second thought")


def test_labels_that_cannot_be_kept_are_not_lost_to_another_window_or_a_file(
    open_items: Callable[..., Any], tmp_path: Path
) -> None:
    tab = open_items()
    begin(tab)
    first = give(tab, "1")
    progress(tab, "1 of 12")
    tab.evaluate("() => { Storage.prototype.setItem = () => { throw new DOMException('x', 'QuotaExceededError'); }; }")
    second = give(tab, "0")
    progress(tab, "2 of 12")
    other = open_items(context=tab.context)
    begin(other, "Bob")
    give(other, "1")
    progress(other, "1 of 12")
    file = tmp_path / "cleo.csv"
    file.write_text(f"id,label\n{first},1\n", encoding="utf-8")
    tab.locator(".review-top input[type=file]").set_input_files(file)
    tab.locator(".told", has_text="1 labels loaded.").first.wait_for()
    progress(tab, "2 of 12")
    asks = "!dispatchEvent(new Event('beforeunload', {cancelable: true}))"
    assert tab.evaluate(asks)
    read = human_labels.read([saved(tab, "CSV", tmp_path)])
    assert {label.item: label.value for label in read.labels} == {first: 1, second: 0}
    assert not tab.evaluate(asks)

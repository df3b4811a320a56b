"""The page in Chinese."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judged_screens import fill as fill_screens
from snellen.benchmarks.gui_hallubench import CARD as SCREENS
from snellen.report import page
from snellen.report.chinese import Translator, entries
from snellen.verdict import Verdict

HOLE = re.compile(r"\{[a-z]\d*\}")


@pytest.fixture
def say() -> Callable[[str], str]:
    return Translator().words


def test_the_book_is_whole() -> None:
    known = list(entries())
    assert len(known) > 400
    for english, chinese in known:
        assert Counter(HOLE.findall(english)) == Counter(dict.fromkeys(HOLE.findall(chinese), 1)), english
        assert chinese
    assert [english for english, count in Counter(english for english, _ in known).items() if count > 1] == []


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("Examples", "示例"),
        ("7 of 1,062", "7 / 1,062"),
        ("By question type and relation to the chart", "按问题类型和与图表的关系"),
        (
            "An answer was given, and the picture does not bear it out. 16 of 17 shown.",
            "给出了回答，但图片并不支持。显示 17 中的 16。",
        ),
        ("Relation to the chart: Normal", "与图表的关系：正常"),
        ("My label: my value", "My label: my value"),
        ("salt and pepper", "salt and pepper"),
        ("12.5 %", "12.5 %"),
    ],
)
def test_words(say: Callable[[str], str], english: str, chinese: str) -> None:
    assert say(english) == chinese


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        (
            "m-1@rules: Model and prompt differ: what the scores differ in cannot be put down to one of them.",
            "m-1@rules：模型、提示不同：得分的差异不能归因于其中一项。",
        ),
        (
            "m-1@rules: The judges differ: rules, charthal-gpt-4o (judge, options and source).",
            "m-1@rules：评判者不同：rules、charthal-gpt-4o（评判者，选项、源码摘要）。",
        ),
        ("truth unknown 19, did not apply 22", "真实情况未知 19，不适用 22"),
        ("misleading-prefix, severity 3, truth kept", "misleading-prefix，强度 3，正确答案不变"),
        (
            "Yes, no and options as read here: 3 of 1,404 items: wrong here and right there 1, decided alike 2",
            "此处读取的是、否和选项：1,404 道题中的 3 道：此处错误、彼处正确 1，判定相同 2",
        ),
        (
            "54.8 %; right 42.0 % [30.8, 54.1]; overconfidence 12.7 %",
            "54.8 %；正确 42.0 % [30.8, 54.1]；过度自信 12.7 %",
        ),
        ("What is changed", "改动的是什么"),
    ],
)
def test_words_of_runs_beside_each_other_and_of_changes(say: Callable[[str], str], english: str, chinese: str) -> None:
    assert say(english) == chinese


def test_what_others_said_stays(make_source: Callable[..., Any], tmp_path: Path) -> None:
    source = make_source()
    for number, text in enumerate(("Examples", "Right", "<b>Answer</b> & <script>x</script>", "Overall")):
        source.add(text, Verdict(number % 2, reason="Judge"), question="Question", labels={"side": "right"})
    page.write([source], tmp_path / "page.html", language="zh")
    html = (tmp_path / "page.html").read_text("utf-8")
    assert '<html lang="zh-Hans">' in html
    for kept in (
        'dir="auto">Examples</span>',
        'dir="auto">Right</span>',
        "&lt;b&gt;Answer&lt;/b&gt; &amp; &lt;script&gt;x&lt;/script&gt;",
        'dir="auto">Question</span>',
        'dir="auto">Judge</span>',
    ):
        assert kept in html
    assert "<script>" not in html
    assert "示例" in html
    assert "<li>Right</li>" in html  # a label's value, not the outcome
    assert "正确" in html


def test_a_cut_title_is_found_by_the_whole_of_it() -> None:
    found = Translator().page(
        "<svg><text>Relation to the ch…t: Normal</text></svg><p>Relation to the chart: Normal</p>"
    )
    assert found == "<svg><text>与图表的关系：正常</text></svg><p>与图表的关系：正常</p>"


def test_marks_are_escaped_anew() -> None:
    found = Translator().page(
        '<p>Picture of &lt;img src=x&gt; &amp; more</p><svg aria-label="Picture of &#34;&gt;"></svg>'
    )
    assert found == '<p>&lt;img src=x&gt; &amp; more 的图片</p><svg aria-label="&quot;&gt; 的图片"></svg>'


def test_nothing_of_the_page_stays_english(run: Any, make_source: Callable[..., Any], tmp_path: Path) -> None:
    screens = fill_screens(make_source(name="gui-hallubench/model-1a2b@gui", card=SCREENS))
    for number, source in enumerate((run, screens)):
        page.write([source], tmp_path / f"{number}.html")
        translator = Translator()
        translator.page((tmp_path / f"{number}.html").read_text("utf-8"))
        names = {row.model for row in source.card.published} | {source.card.title, "repository"}
        own = re.compile(r"charthal/|gui-hallubench|Questions on charts|A note of the card|model-1a2b|…")
        left = [text for text in translator.unknown if text not in names and not own.search(text)]
        assert left == []


def test_names_by_others_in_the_manifest_stay(make_source: Callable[..., Any], tmp_path: Path) -> None:
    source = make_source()
    source.add("5", Verdict(1))
    served = {"Examples": 3, "Judge": 1}
    parameters = {"Overall": 1, "Ranking": {"Tiers": 2}}
    source.manifest = {"prompt": "Examples", "parameters": parameters, "asked": {"server_models": served}}
    page.write([source], tmp_path / "page.html", language="zh")
    html = (tmp_path / "page.html").read_text("utf-8")
    for name in ("Examples", "Judge", "Overall", "Ranking"):
        assert re.search(f'<th scope="row" dir="auto"[^>]*>{name}</th>', html), name
    assert ">Examples</span>" in html
    assert re.search('<th scope="row" style[^>]*>参数</th>', html)


@pytest.mark.parametrize("text", ["Judge, ", "xx: 3 of 4, and [a] ", "1 of ", "All b. ", "All… ", "xx (y) "])
def test_a_long_text_is_not_taken_apart(say: Callable[[str], str], text: str) -> None:
    long = (text * 60_000).strip()
    assert say(long) == long  # minutes, were it

"""A run on screens in the terminal, on the page, in flat rows and in a table for papers."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from snellen.benchmarks.gui_hallubench import CARD
from snellen.report import page
from snellen.report.paper import paper_table
from snellen.report.screens import embedder_text, section
from snellen.report.tables import summary, to_rows
from snellen.verdict import ABSTAINED, FORMAT_ERROR, UNCLEAR, Verdict

Make = Callable[..., Any]

HOSTILE = "<img src=x onerror=alert(1)> [red]bold[/red] \x1b[2J"
EMBEDDED = {"judging": {"model": "e5", "revision": "1433c8", "options": {"similarity": "embedding"}}}


def pointed(where: str) -> Verdict:
    measures = {name: (name == where, 1) for name in ("hit", "hit_distractor", "hit_elsewhere")}
    return Verdict(int(where == "hit"), measures=measures)


PLACES = (
    pointed("hit"),
    pointed("hit_distractor"),
    pointed("hit_elsewhere"),
    Verdict(0, flags=(ABSTAINED,)),
    Verdict(0, flags=(FORMAT_ERROR,)),
    pointed("hit"),
    Verdict(None, unscored="model_error"),
)


def parse(number: int, compared: bool) -> Verdict:
    found = 3 + number % 4
    measures: dict[str, tuple[float, float]] = {"recall": (found, 8), "precision": (found, 7)}
    if compared:
        measures |= {"function_similarity": (0.9 * found, found), "label_agreement": (2, found)}
        measures["function_similarity_by_chance"] = (0.8 * found, found)
    return Verdict(0, measures=measures)


@pytest.fixture
def screens(make_source: Make) -> Callable[..., Any]:
    """A run of both languages on shared screens."""

    def made(compared: bool = True, languages: tuple[str, ...] = ("en", "zh"), app: str = "travel", **more: Any) -> Any:
        source = make_source(name="gui-hallubench/m-1a2b@gui-e5", card=CARD, manifest=EMBEDDED, **more)
        for screen in range(14):
            for language in languages:
                place = screen + (3 if language == "zh" else 0)
                absent = Verdict(screen % 2, flags=(ABSTAINED,) if screen % 2 else (UNCLEAR,))
                verdicts = (
                    ("parsing", parse(place, compared)),
                    ("confusion", PLACES[place % 7]),
                    ("fabricated", absent),
                )
                for task, verdict in verdicts:
                    labels = {"task": task, "language": language, "platform": ("web", "mobile")[screen % 2]}
                    labels |= {"app": app if screen % 3 else "health", "source": "ours"}
                    labels |= {"size": ("small", "large")[screen % 2]} if task == "confusion" else {}
                    name = f"gui-hallubench/{task}/{language}/{screen}"
                    more_of = {"id": name, "labels": labels, "language": language, "cluster": f"s{screen}"}
                    source.add("An answer.", verdict, **more_of)
        return source

    return made


def printed(*sources: Any, width: int = 80) -> str:
    file = io.StringIO()
    summary(sources, Console(file=file, width=width))
    return file.getvalue()


def words(html: str) -> str:
    """The text of a page, without its style and tags."""
    return " ".join(re.sub(r"<style>.*?</style>|<[^>]*>", " ", html, flags=re.S).split())


def written(source: Any, folder: Path) -> str:
    page.write([source], folder / "report.html")
    return (folder / "report.html").read_text("utf-8")


def test_the_terminal_shows_every_number_with_its_interval(screens: Make) -> None:
    source = screens()
    text = printed(source)
    assert max(map(len, text.splitlines())) <= 80
    found = source.results.screens
    for numbers in (found.numbers, *found.languages.values()):
        for name, estimate in numbers.items():
            shown = f"{100 * estimate.value:.1f} {estimate:interval}".rstrip()
            assert shown in text, name
    flat = " ".join(text.split())
    for title in ("Localization accuracy", "Misses on look-alikes", "Rejects, yet points", "English less Chinese"):
        assert title in flat
    assert "cosine of embeddings by e5 (1433c8)" in flat
    assert re.search(r"Parsing recall +\d+\.\d +\d+\.\d +[+-]\d+\.\d +\[[+-]\d+\.\d, [+-]\d+\.\d\] +14 in both", text)
    assert "24 of 28" in text


def test_the_terminal_puts_the_run_among_the_published_averages(screens: Make) -> None:
    source = screens()
    lines = printed(source).splitlines()
    start = next(number for number, line in enumerate(lines) if "published averages" in line)
    table = [line.split() for line in lines[start + 2 : start + 2 + len(CARD.published) + 1]]
    averages = [float(line[-1]) for line in table]
    assert averages == sorted(averages, reverse=True)
    assert ["Qwen3-VL-8B", "(PGP)", "-", "67.7"] in table
    run = next(line for line in table if line[0] == "m-1a2b@gui-e5")
    found = source.results.screens.numbers
    expected = [found[name].value for name in ("parsing_average", "macro_hallucination_average")]
    assert run[1:] == [f"{100 * value:.1f}" for value in expected]


@pytest.mark.parametrize("width", [40, 60, 200])
def test_no_digit_is_lost_at_any_width(screens: Make, width: int) -> None:
    text = printed(screens(), width=width)
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width


def test_three_columns_of_widest_numbers_fit_into_80(make_source: Make) -> None:
    source = make_source(name="gui-hallubench/m-1a2b@gui-e5", card=CARD, manifest=EMBEDDED)
    for screen in range(22):
        for language in ("en", "zh"):
            more = {"language": language, "cluster": f"s{screen}"}
            labels = {"task": "confusion", "language": language, "platform": "web"}
            source.add("[1, 1]", pointed("hit_elsewhere"), id=f"g/{language}/{screen}", labels=labels, **more)
    text = printed(source)
    cell = "100.0 [85.1, 100.0]"
    (line,) = [line for line in text.splitlines() if line.startswith(" Misses ") and line.count(cell) == 2]
    assert line.rstrip().endswith("]"), line
    assert "Together" in text
    assert "by label" not in text, "no label has two values"


def test_one_language_has_one_column_and_no_gap(screens: Make) -> None:
    source = screens(languages=("zh",))
    shown = section(source)
    assert shown is not None
    assert shown.columns == ("value",)
    assert shown.gap == ()
    assert "less" not in printed(source)


def test_a_breakdown_leaves_out_labels_that_split_nothing(screens: Make) -> None:
    shown = section(screens())
    assert shown is not None
    assert [group.title for group in shown.breakdowns] == ["Platform", "App", "Size"]
    mobile = shown.breakdowns[0].lines[0]
    assert (mobile.title, shown.breakdowns[0].counts[0]) == ("Mobile", "42")
    assert [line.title for line in shown.breakdowns[2].lines] == ["Small", "Large"]
    assert shown.breakdowns[2].lines[0].estimates[0] is None  # a target's size is no parse's


@pytest.mark.parametrize(
    ("manifest", "compared", "said"),
    [
        (EMBEDDED, True, "by e5 (1433c8)"),
        (EMBEDDED, False, "No element was matched"),
        ({"judging": {"options": {"similarity": "difflib"}}}, True, "compares characters (difflib)"),
        ({"judging": {"options": {"similarity": "embedding"}}}, False, "judge again with --judge e5"),
        ({}, True, "is not recorded"),
        ({"judging": {"model": HOSTILE}}, True, "⟨U+001B⟩"),
    ],
)
def test_it_is_said_what_compared_the_descriptions(screens: Make, manifest: Any, compared: bool, said: str) -> None:
    source = replace(screens(compared), manifest=manifest)
    assert said in embedder_text(source)
    assert "\x1b" not in printed(source)


def test_nothing_is_said_of_descriptions_without_a_parse(run: Any) -> None:
    assert embedder_text(run) == ""
    assert section(run) is None


def test_the_page_shows_numbers_gap_breakdowns_and_published_averages(screens: Make, tmp_path: Path) -> None:
    source = screens()
    html = written(source, tmp_path)
    text = words(html)
    for estimate in source.results.screens.numbers.values():
        assert f"{100 * estimate.value:.1f} {estimate:interval}".rstrip() in text
    for heading in ("Numbers on screens", "English less Chinese", "Parsing gap less hallucination gap", "By label"):
        assert heading in text
    assert "The 11 published results of GUI-HalluBench" in text
    assert text.index("Qwen3-VL-8B (HFT)") < text.index("Claude Computer Use (PGP)")
    assert html.count("<svg") >= 3
    assert written(source, tmp_path) == html


def test_foreign_labels_are_text(screens: Make, tmp_path: Path) -> None:
    source = screens(app=HOSTILE)
    html = written(source, tmp_path)
    assert "<img src=x" not in html
    assert "&lt;img src=x onerror=alert(1)&gt;" in html
    assert "\x1b" not in printed(source)


def test_a_run_on_charts_has_no_such_section(run: Any, tmp_path: Path) -> None:
    assert "Numbers on screens" not in written(run, tmp_path)
    assert "screens" not in printed(run)


def test_flat_rows(screens: Make) -> None:
    source = screens()
    rows = to_rows(source)
    by_key = {(row["scope"], row["label"], row["value_of_label"]): row for row in rows}
    assert len(by_key) == len(rows)
    found = source.results.screens
    assert by_key["parsing_recall", "", ""]["value"] == found.numbers["parsing_recall"].value
    assert by_key["rejection_rate", "language", "zh"]["low"] == found.languages["zh"]["rejection_rate"].low
    assert by_key["parsing_recall", "platform", "web"]["scored"] == 14
    assert by_key["parsing_recall", "language*platform", "en*web"]["scored"] == 7
    gap = found.gap.numbers["parsing_recall"].difference
    assert by_key["parsing_recall_gap", "language", "en-zh"]["value"] == gap.value
    assert ("parsing_less_hallucination_gap", "language", "en-zh") in by_key


def test_a_table_for_papers_has_the_twelve_numbers(screens: Make) -> None:
    lines = paper_table([screens()], published=True).splitlines()
    heads = [head.strip() for head in lines[0].strip("| ").split("|")]
    assert len(heads) == 1 + 10 + 3
    assert heads[1] == "Parsing recall, English"
    assert heads[-3:] == ["Parsing average", "Hallucination average", "Hallucination average by items"]
    claude = [cell.strip() for cell in lines[3].strip("| ").split("|")]
    assert claude[0] == "Claude Computer Use"
    assert claude[-3:] == ["37.7", "56.6", "-"]
    assert lines[-1].startswith("| gui-hallubench/m-1a2b@gui-e5 |")
    assert "-" not in [cell.strip() for cell in lines[-1].strip("| ").split("|")]

"""Tables apart, as SHALE has them: on the page, in the terminal, in flat rows, in tables for papers."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from snellen.aspects import ASPECTS, DOMAINS
from snellen.benchmarks import shale
from snellen.report import page
from snellen.report.paper import paper_rows, paper_table
from snellen.report.tables import summary, to_rows
from snellen.verdict import Verdict

Make = Callable[..., Any]
TASKS = ("yes-no", "multiple-choice", "free-form", "caption")


@pytest.fixture
def source(make_source: Make) -> Any:
    """Every aspect and domain in every task; the first of each aspect is right, those of count are not scored."""
    made = make_source(name="shale/model-1a2b@shale-j", card=shale.CARD)
    for aspect in (*ASPECTS, *DOMAINS):
        kind = "faithfulness" if aspect in ASPECTS else "factuality"
        for number, task in enumerate(TASKS):
            verdict = Verdict(None, unscored="judge_error") if aspect == "count" else Verdict(int(number == 0))
            labels = {"aspect": aspect, "task": task, "kind": kind}
            made.add("It is red.", verdict, id=f"shale/{aspect}/{task}", labels=labels)
    return made


def printed(source: Any, width: int = 80) -> str:
    file = io.StringIO()
    summary([source], Console(file=file, width=width))
    return file.getvalue()


def test_the_terminal_has_a_table_for_each_kind_and_says_why_a_mean_is_missing(source: Any) -> None:
    text = printed(source)
    assert max(map(len, text.splitlines())) <= 80
    first, second = text.index("Faithfulness,"), text.index("Factuality,")
    assert first < text.index("Entity type") < second < text.index("Sports")
    flat = " ".join(text.split())
    assert "Macro: no value, the mean of 18 rows by aspect or domain" in flat
    assert "factuality 25.0 % [" in flat
    assert "Faithfulness, all items: there is no macro average, for no item is scored of Count." in flat


def test_the_page_has_a_section_for_each_kind(source: Any, tmp_path: Path) -> None:
    page.write([source], tmp_path / "report.html")
    html = (tmp_path / "report.html").read_text("utf-8")
    head = html.index("<h3>Faithfulness and factuality</h3>")
    first, second = html.index("<h4>Faithfulness</h4>"), html.index("<h4>Factuality</h4>")
    assert head < first < html.index("Posture", first) < second < html.index("Geography", second)
    assert "Posture" not in html[second : html.index("<h3>By label</h3>")]
    assert html.count('<table class="heat') >= 2
    assert "Macro: every row alike" in html[first:second]
    assert "Aspect or domain, factuality" in html


def test_several_runs_are_compared_for_each_kind(source: Any, tmp_path: Path) -> None:
    page.write([source, replace(source, name="shale/other@shale-j")], tmp_path / "report.html")
    html = (tmp_path / "report.html").read_text("utf-8")
    compared = html[: html.index("Faithfulness and factuality")]
    assert "Aspect or domain, faithfulness" in compared
    assert "Aspect or domain, factuality" in compared
    assert "Geography" in compared, "no domain is cut off"


def test_flat_rows_hold_every_number(source: Any) -> None:
    rows = {(row["scope"], row["label"], row["value_of_label"]): row for row in to_rows(source)}
    assert rows["macro", "kind", "factuality"]["value"] == 0.25
    assert rows["macro", "", ""]["value"] is None
    assert rows["accuracy", "kind*aspect", "faithfulness*color"]["value"] == pytest.approx(1 / 3)
    assert rows["non_hallucination_rate", "kind", "factuality"]["value"] == 0
    assert rows["macro_accuracy", "kind", "factuality"]["value"] == pytest.approx(1 / 3)


def test_tables_for_papers_stand_apart_and_labels_can_be_chosen_still(source: Any) -> None:
    text = paper_table([source], intervals=False)
    titles = [line for line in text.splitlines() if line.startswith("**")]
    assert titles == ["**Faithfulness**", "**Factuality**", "**Overall**"]
    heads = [line for line in text.splitlines() if line.startswith("| model")]
    assert heads[1] == (
        "| model | Sports | Politics | Entertainment | Religion | Culture | Geography | Accuracy | Captions | Micro | "
        "Macro |"
    )
    assert text.splitlines()[10].endswith("| 25.0 | 25.0 | 25.0 | 25.0 | 25.0 | 25.0 | 33.3 | 0.0 | 25.0 | 25.0 |")
    assert text.rstrip().endswith("| - |"), "a mean that is missing has no value"
    assert paper_table([source], "latex").count(r"\begin{tabular}") == 3
    assert paper_table([source], labels=["task"]).count("| model") == 1
    (row,) = paper_rows([source])
    assert row["kind=factuality*macro"] == row["kind=factuality*aspect=sports"] == 0.25
    assert row["kind=factuality*macro:scored"] == 24
    assert (row["overall"], row["macro"]) == (0.25, None)

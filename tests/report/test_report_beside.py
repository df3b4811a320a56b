"""CHAIR beside the judge's rate, and the items that are decided differently: page, terminal, flat rows."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from snellen.card import Card
from snellen.engine.differences import Differences, Differing, Reading
from snellen.engine.provenance import remarks
from snellen.item import Item
from snellen.report import page
from snellen.report.beside import counted, published_text
from snellen.report.tables import summary, to_rows
from snellen.verdict import Verdict

Make = Callable[..., Any]

CARD = Card(
    name="shale",
    title="SHALE",
    summary="Questions on pictures.",
    languages=("en",),
    labels={"aspect": ("color", "count"), "task": ("yes-no", "caption")},
    notes=(),
)


HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(1)> [red]bold[/red] \x1b[2J \u202e"


def written(source: Any, path: Path) -> str:
    """The page as it was written."""
    page.write([source], path)
    return path.read_text("utf-8")


def words(html: str) -> str:
    """The text of a page, without its tags."""
    return " ".join(re.sub(r"<[^>]*>", "", html).split())


def printed(source: Any, width: int = 80) -> str:
    file = io.StringIO()
    summary([source], Console(file=file, width=width))
    return file.getvalue()


def differing(number: int, here: int | None, there: int | None, reason: str = "It says so.") -> Differing:
    def reading(value: int | None) -> Reading:
        return Reading(value, "judge_error" if value is None else "", reason)

    return Differing(number, f"shale/{number}@jpeg:3", reading(here), reading(there))


def differences(title: str, there: str, compared: int, items: Sequence[Differing]) -> Differences:
    """As they are made of two judgings in a ledger."""
    by_place = {each.position: each for each in items}
    values = [[-1 if r.value is None else r.value for r in (each.here, each.there)] for each in items]
    here, there_values = np.array(values, np.int8).reshape(-1, 2).T
    return Differences(
        title,
        "shale/m-1@shale",
        there,
        compared,
        np.array(list(by_place), np.int64),
        here,
        there_values,
        lambda places: [by_place[place] for place in sorted(places)],
    )


@pytest.fixture
def source(make_source: Make) -> Any:
    """Four captions of two aspects, three of which name objects, and two answers that are read both ways."""
    made = make_source(name="shale/m-1@shale", card=CARD)
    captions = [("color", 1, (0, 2), 1), ("color", 0, (2, 2), 0), ("count", 0, (1, 4), 1)]
    for aspect, value, hallucinated, covered in captions:
        measures = {
            "chair_i": hallucinated,
            "chair_s": (int(hallucinated[0] > 0), 1),
            "object_coverage": (covered, 2),
        }
        labels = {"aspect": aspect, "task": "caption"}
        made.add("A cat.", Verdict(value, measures=measures), labels=labels)
    made.add("A cat.", Verdict(1), labels={"aspect": "count", "task": "caption"})
    for value, published in ((1, 1), (1, 0)):
        measures = {"published": (published, 1), "published_differs": (int(value != published), 1)}
        made.add("NO", Verdict(value, measures=measures), labels={"aspect": "color", "task": "yes-no"})
    return made


def test_the_numbers(source: Any) -> None:
    captions = source.results.captions
    assert list(captions) == [("", ""), ("aspect", "color"), ("aspect", "count")]
    whole = captions["", ""]
    # The fourth caption names no objects: it is in the headline, and in none of these.
    assert [whole.judged.value, whole.chair_i.value, whole.chair_s.value, whole.coverage.value] == [
        1 / 3,
        3 / 8,
        2 / 3,
        2 / 6,
    ]
    assert captions["aspect", "count"].chair_i.value == 1 / 4
    published = source.results.published
    assert (published.accuracy.value, published.published.value, published.read) == (1.0, 0.5, 2)
    assert published.differing.tolist() == [5]
    assert published.values.tolist() == [0]
    plain = source.results.to_json()
    assert [(part["label"], part["value"], part["chair_s"]["value"]) for part in plain["captions"]] == [
        ("", "", 2 / 3),
        ("aspect", "color", 1 / 2),
        ("aspect", "count", 1.0),
    ]
    assert plain["published"]["differing"] == 1


def test_the_page(source: Any, tmp_path: Path) -> None:
    source.differences = [
        differences("scoring=parity", "shale/m-1@shale-parity", 6, (differing(1, 1, 0), differing(2, 0, None)))
    ]
    text = words(written(source, tmp_path / "report.html"))
    assert "Captions: the judge's rate and CHAIR" in text
    assert "All captions33.3 [" in text
    assert "Scoring=parity: 2 of 6 items: right here and wrong there 1, wrong here and not scored there 1" in text
    assert "shale/1@jpeg:3" in text
    assert "50.0 % instead of 100.0 % right, of 2 items; 1 of 2 answers are read differently" in text


def test_neither_is_there_for_other_runs(run: Any, tmp_path: Path) -> None:
    text = words(written(run, tmp_path / "report.html"))
    for shown in (text, printed(run)):
        assert "CHAIR" not in shown
        assert "differently" not in shown
    assert run.results.captions == {}
    assert run.results.published is None
    assert published_text(run) == ""


def test_hostile_texts_are_text(source: Any, tmp_path: Path) -> None:
    item = replace(differing(1, 1, 0, HOSTILE), item=HOSTILE)
    source.differences = [differences(HOSTILE, HOSTILE, 1, (item,))]
    html = written(source, tmp_path / "report.html")
    assert "alert(1)" in html
    assert "<script" not in html
    assert "<img" not in html
    assert "\u202e" not in html
    assert "\x1b" not in printed(source)


def test_the_page_cuts_a_long_list_with_a_note(source: Any, tmp_path: Path) -> None:
    items = tuple(differing(number, 1, 0) for number in range(1_234))
    source.differences = [differences("on", "other", 2_000, items)]
    text = words(written(source, tmp_path / "report.html"))
    assert "The first 200 of 1,234 are shown" in text
    assert "shale/199@jpeg:3" in text
    assert "shale/200@jpeg:3" not in text


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_terminal(source: Any, width: int) -> None:
    items = (differing(0, 0, 0), *(differing(number, 1, 0) for number in range(1, 13)))
    source.differences = [differences("scoring=parity", "other", 20, items)]
    text = printed(source, width=width)
    assert "CHAIR_i" in text
    for number in ("33.3", "37.5", "66.7"):
        assert number in text
    said = " ".join(text.split())
    assert "13 of 20 items: right here and wrong there 12, decided alike 1" in said
    assert "and 3 more: --json lists all" in said
    assert "shale/10@jpeg:3" in text
    assert "shale/0@jpeg:3" not in text  # those whose value differs come first


def test_flat_rows(source: Any) -> None:
    rows = {(row["scope"], row["label"], row["value_of_label"]): row["value"] for row in to_rows(source)}
    assert rows["chair_i", "", ""] == 3 / 8
    assert rows["chair_s", "aspect", "color"] == 1 / 2
    assert rows["object_coverage", "aspect", "count"] == 1 / 2
    assert rows["captions_judged", "", ""] == 1 / 3
    assert rows["published_accuracy", "", ""] == 0.5


def test_no_flip_is_counted_where_there_is_none() -> None:
    assert counted(differences("on", "b", 1_500, ())) == "0 of 1,500 items"


def test_a_report_says_why_chair_is_not_there(source: Any, make_source: Make) -> None:
    said = "CHAIR is not reported: no caption's item names the objects in its picture."
    manifest = {"plan": {}, "judging": {"name": "x"}}
    assert said not in remarks(manifest, CARD, source.results)
    without = make_source(name="shale/m-1@shale", card=CARD)
    without.add("A cat.", Verdict(1), labels={"aspect": "color", "task": "caption"})
    assert said in remarks(manifest, CARD, without.results)
    nothing_judged = make_source(name="shale/m-1@rules", card=CARD)
    unscored = Verdict(None, unscored="judge_error")
    nothing_judged.add("A cat.", unscored, labels={"aspect": "color", "task": "caption"})
    assert said not in remarks(manifest, CARD, nothing_judged.results)


def test_an_item_without_labels_is_in_the_whole_alone(make_source: Make) -> None:
    made = make_source(card=replace(CARD, labels={}))
    made.add(
        "A cat.", Verdict(1, measures={"chair_i": (0, 1), "chair_s": (0, 1), "object_coverage": (1, 1)}), labels={}
    )
    assert list(made.results.captions) == [("", "")]
    assert Item("i", "?").objects == ()

"""The report as a folder: what its files hold."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from judged_screens import fill as fill_screens
from snellen.benchmarks.gui_hallubench import CARD as SCREENS
from snellen.errors import ImageError, UsageError
from snellen.item import Change
from snellen.report import folder
from snellen.report.folder_data import CHUNK, put
from snellen.report.folder_records import KIND_NAMES, LONG
from snellen.report.folder_words import WORDS
from snellen.verdict import FLAGS, Verdict


@pytest.fixture
def numbers() -> None:
    """Asks for the page of numbers too, which takes longer than all else."""


@pytest.fixture(autouse=True)
def items_alone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves the page of numbers out where a test does not ask for it."""
    if "numbers" not in request.fixturenames:
        monkeypatch.setattr("snellen.report.page.write", lambda *_, **__: None)


def read(path: Path, name: str) -> Any:
    """What a data file hands over, read as JavaScript reads a string in single quotes."""
    text = (path / "data" / f"{name}.js").read_text("utf-8")
    start = f"snellen('{name}','"
    assert text.startswith(start)
    assert text.endswith("')\n")
    return json.loads(text[len(start) : -3].replace("\\'", "'").replace("\\\\", "\\"))


def column(text: str, dtype: str) -> list[int]:
    return [int(each) for each in np.frombuffer(base64.b64decode(text), dtype)]


def contents(path: Path) -> dict[str, bytes]:
    return {str(each.relative_to(path)): each.read_bytes() for each in sorted(path.rglob("*")) if each.is_file()}


def test_everything_is_there(run: Any, tmp_path: Path) -> None:
    folder.write([run], tmp_path / "report")
    head, items, answers = (read(tmp_path / "report", name) for name in ("head", "items-1", "run1-1"))
    assert head["ids"] == [row.item.id for row in run.content]
    assert [each[0] for each in items] == [row.item.question for row in run.content]
    assert [each[1] for each in items] == [row.item.reference.text for row in run.content]
    for row, (text, why, *_, reason, _) in zip(run.content, answers, strict=True):
        assert text == (row.visible or None)
        assert bool(why) == (text is None)
        assert reason == row.verdict.reason
    (told,) = head["runs"]
    values = column(told["value"], "u1")
    assert [value == 1 for value in values] == [row.verdict.value == 1 for row in run.content]
    assert [value == 3 for value in values] == [row.verdict.value is None for row in run.content]
    assert sum(value == 2 for value in values) == run.results.unclear > 0
    kinds = [KIND_NAMES[code] for code in column(told["kind"], "u1")]
    assert kinds[:3] == ["hallucinated", "empty", "truncated"]
    assert column(told["length"], "<u4") == [len(row.visible) for row in run.content]
    assert dict(zip(kinds, column(told["flags"], "u1"), strict=True))["truncated"] == (1 << FLAGS.index("truncated"))
    relation = next(each for each in head["columns"] if each["name"] == "relation")
    codes = column(relation["codes"], "<u2")
    assert [relation["values"][code - 1] for code in codes] == [row.item.labels["relation"] for row in run.content]
    assert relation["title"] == "Relation to the chart"


def test_pictures_stand_once(run: Any, tmp_path: Path) -> None:
    run.add("x", Verdict(0), image=b"no picture at all")
    lost = run.add("x", Verdict(0), image=b"lost")
    run.images[lost.item.images[0].sha256] = None
    folder.write([run, run], tmp_path / "report")
    head = read(tmp_path / "report", "head")
    names = [name for name, *_ in head["images"]]
    assert len(names) == 5
    assert [bool(name) for name in names] == [True, True, True, False, False]
    assert head["images"][0][1:] == [90, 60, ""]
    assert "cannot be shown" in head["images"][3][3]
    assert "no longer in the workspace" in head["images"][4][3]
    for name in names[:3]:
        assert (tmp_path / "report" / "images" / name).read_bytes()[:4] == b"\x89PNG"
    numbers = [each[3] for each in read(tmp_path / "report", "items-1")]
    assert numbers[:2] == [[0], [0]]
    assert numbers[-2:] == [[3], [4]]


def test_a_picture_that_one_run_lost_is_taken_from_another(run: Any, tmp_path: Path) -> None:
    def lost(sha256: str) -> bytes | None:
        raise ImageError("missing", "it was purged")

    first = replace(run, images={})
    first.image = lost
    other = replace(run, content=[replace(row, item=replace(row.item, facts=("x",))) for row in run.content])
    folder.write([first, other], tmp_path / "report")
    assert all(name for name, *_ in read(tmp_path / "report", "head")["images"])


def test_runs_share_their_items_whatever_their_order(run: Any, tmp_path: Path) -> None:
    other = replace(run, name="charthal/other@rules", content=list(reversed(run.content))[:40])
    changed = replace(run.content[3].item, question="Another question")
    other.content.append(replace(run.content[3], item=changed, visible="about another"))
    folder.write([run, other], tmp_path / "report")
    head = read(tmp_path / "report", "head")
    assert len(head["ids"]) == 97
    assert head["ids"][96] == f"{changed.id} (2)"
    row = column(head["runs"][1]["row"], "<u4")
    answers = read(tmp_path / "report", "run2-1")
    for place, each in enumerate(run.content):
        if row[place] == 2**32 - 1:
            assert place < 56
            assert column(head["runs"][1]["kind"], "u1")[place] == 255
        else:
            assert answers[row[place]][0] == (each.visible or None)
    assert answers[row[96]][0] == "about another"


def test_an_item_twice_in_a_run_stands_twice(run: Any, tmp_path: Path) -> None:
    run.content.append(replace(run.content[0], position=96, visible="said again"))
    folder.write([run], tmp_path / "report")
    head = read(tmp_path / "report", "head")
    assert len(head["ids"]) == head["runs"][0]["rows"] == 97
    assert column(head["runs"][0]["row"], "<u4") == list(range(97))


def test_rows_are_split_over_files(make_source: Callable[..., Any], tmp_path: Path) -> None:
    source = make_source()
    for number in range(CHUNK + 3):
        source.add(f"answer {number}", Verdict(1))
    folder.write([source], tmp_path / "report")
    assert len(read(tmp_path / "report", "items-1")) == len(read(tmp_path / "report", "run1-1")) == CHUNK
    assert [each[0] for each in read(tmp_path / "report", "run1-2")] == ["answer 500", "answer 501", "answer 502"]


def test_long_texts_are_whole(make_source: Callable[..., Any], tmp_path: Path) -> None:
    source, text = make_source(), "0123456789" * 100_000
    source.add(text, Verdict(0, reason="r" * LONG))
    source.add("b" * (LONG + 1), Verdict(0))
    folder.write([source], tmp_path / "report")
    first, second = (each[0] for each in read(tmp_path / "report", "run1-1"))
    rests = read(tmp_path / "report", "long-1")
    assert first[1:] == [1_000_000, 1, 0]
    assert first[0] + rests[0] == text
    assert second[0] + rests[second[3]] == "b" * (LONG + 1)
    assert read(tmp_path / "report", "run1-1")[0][4] == "r" * LONG
    assert (tmp_path / "report" / "data" / "run1-1.js").stat().st_size < 100_000


def test_hostile_texts_are_strings(run: Any, tmp_path: Path) -> None:
    text = "'); alert(1); ('\\ \\' \u2028 </script>\u202e\ud800\x00\x1b[31m"
    run.add(text, Verdict(0, reason=text), id=text, question=text, language=text, labels={"__proto__": text, "x": "y"})
    run = replace(run, name=text)
    folder.write([run], tmp_path / "report")
    answer = read(tmp_path / "report", "run1-1")[96]
    assert answer[0] == "'); alert(1); ('\\ \\' ⟨U+2028⟩ </script>⟨U+202E⟩⟨U+D800⟩⟨U+0000⟩⟨U+001B⟩[31m"
    assert answer[4] == answer[0]
    assert read(tmp_path / "report", "head")["runs"][0]["name"].startswith("'); alert(1)")
    for each in (tmp_path / "report" / "data").iterdir():
        body = each.read_text("utf-8").removesuffix("')\n").split("','", 1)[1]
        assert "'" not in body.replace("\\\\", "").replace("\\'", "")
        assert "\n" not in body


def test_data_are_one_call(tmp_path: Path) -> None:
    put(tmp_path, "a-1", json.dumps(["it's", "a\\b", 'say "x"']).encode())
    assert (tmp_path / "a-1.js").read_text() == ('snellen(\'a-1\',\'["it\\\'s", "a\\\\\\\\b", "say \\\\"x\\\\""]\')\n')


def test_changed_versions_know_each_other(run: Any, tmp_path: Path) -> None:
    clean = run.content[0].item
    for severity in (1, 3):
        item = replace(clean, id=f"{clean.id}@jpeg:{severity}", changes=(Change("jpeg", severity, 0, "kept"),))
        run.content.append(
            replace(run.content[0], position=96 + severity, item=replace(item, groups={"pair": clean.id}))
        )
    folder.write([run], tmp_path / "report")
    head = read(tmp_path / "report", "head")
    pair = column(head["pair"], "<u4")
    assert [place for place, each in enumerate(pair) if each == pair[0]] == [0, 96, 97]
    condition = next(each for each in head["columns"] if each["name"] == "@condition")
    assert condition["values"] == ["", "jpeg:1", "jpeg:3"]
    assert column(condition["codes"], "<u2")[95:] == [1, 2, 3]
    assert read(tmp_path / "report", "items-1")[97][6] == [["jpeg", 3, "kept"]]


def test_a_label_of_a_thousand_values_does_no_harm(make_source: Callable[..., Any], tmp_path: Path) -> None:
    source = make_source()
    for number in range(1_000):
        source.add("x", Verdict(1), labels={"a": f"v{number}", f"label {number}": "x"})
    folder.write([source], tmp_path / "report")
    columns = read(tmp_path / "report", "head")["columns"]
    assert len(columns) <= 24
    label = next(each for each in columns if each["name"] == "a")
    assert len(label["values"]) == 501
    assert label["values"][-1] == "…"
    assert max(column(label["codes"], "<u2")) == 501


def test_screens_are_drawn(make_source: Callable[..., Any], tmp_path: Path) -> None:
    source = fill_screens(make_source(card=SCREENS, name="gui-hallubench/m-1a2b@gui"))
    folder.write([source], tmp_path / "report")
    head, answers = read(tmp_path / "report", "head"), read(tmp_path / "report", "run1-1")
    kinds = [head["kinds"][code] for code in column(head["runs"][0]["kind"], "u1")]
    place = kinds.index("hit")
    width, height, unread, places, parts = answers[place][5]
    assert (width, unread, parts) == (1000, 0, [])
    assert height > 0
    assert {mark[0] for mark in places} >= {"target", "hit"}
    invented = answers[kinds.index("invented")][5][4]
    assert [part[0] for part in invented] == ["invented", "missed", "matched"]


@pytest.mark.usefixtures("numbers")
def test_same_runs_same_bytes(run: Any, tmp_path: Path) -> None:
    folder.write([run, run], tmp_path / "one")
    folder.write([run, run], tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_writing_again_takes_pictures_over(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write([run], tmp_path / "report")
    before = contents(tmp_path / "report")
    (tmp_path / "report" / "data" / "run9-1.js").write_text("left over")

    def refuse(data: bytes) -> None:
        raise AssertionError("a picture was made again")

    monkeypatch.setattr("snellen.report.folder_images.small", refuse)
    folder.write([run], tmp_path / "report")
    assert contents(tmp_path / "report") == before
    assert [each.name for each in tmp_path.iterdir()] == ["report"]


@pytest.mark.parametrize("damage", ["[]", "no json", '{"../../x.png": [1, 2], "a.png": "b"}', '{"0": [1]}'])
def test_damaged_sizes_are_no_sizes(run: Any, tmp_path: Path, damage: str) -> None:
    folder.write([run], tmp_path / "report")
    before = contents(tmp_path / "report")
    (tmp_path / "report" / "images" / "sizes.json").write_text(damage)
    folder.write([run], tmp_path / "report")
    assert contents(tmp_path / "report") == before


def test_what_is_no_report_is_not_replaced(run: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(UsageError, match="holds something else"):
        folder.write([run], tmp_path)
    with pytest.raises(UsageError, match="is a file"):
        folder.write([run], tmp_path / "mine.txt")
    with pytest.raises(UsageError, match="at least one"):
        folder.write([], tmp_path / "report")
    assert [each.name for each in tmp_path.iterdir()] == ["mine.txt"]
    (tmp_path / "empty").mkdir()
    folder.write([run], tmp_path / "empty")
    assert (tmp_path / "empty" / "items.html").is_file()


def test_a_report_that_fails_leaves_the_older_one(run: Any, tmp_path: Path) -> None:
    folder.write([run], tmp_path / "report")
    before = contents(tmp_path / "report")

    class BrokenError(Exception):
        pass

    def rows() -> Any:
        yield from run.content[:5]
        raise BrokenError

    broken = replace(run)
    broken.rows = rows
    threads = threading.active_count()
    with pytest.raises(BrokenError):
        folder.write([broken], tmp_path / "report")
    assert contents(tmp_path / "report") == before
    assert [each.name for each in tmp_path.iterdir()] == ["report"]
    assert threading.active_count() == threads


def test_a_killed_report_is_cleared_away(run: Any, tmp_path: Path) -> None:
    (tmp_path / ".report.part" / "data").mkdir(parents=True)
    (tmp_path / ".report.part" / "data" / "run7-1.js").write_text("half")
    (tmp_path / ".report.old").mkdir()
    folder.write([run], tmp_path / "report")
    assert [each.name for each in tmp_path.iterdir()] == ["report"]
    assert not (tmp_path / "report" / "data" / "run7-1.js").exists()


def test_progress_reaches_its_end(run: Any, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    folder.write([run], tmp_path / "report", on_progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (99, 99)
    assert all(done <= total for done, total in told)


@pytest.mark.usefixtures("numbers")
def test_the_numbers_lead_to_the_items(run: Any, tmp_path: Path) -> None:
    folder.write([run, replace(run, name="charthal/other@rules")], tmp_path / "report")
    page = (tmp_path / "report" / "index.html").read_text("utf-8")
    assert 'href="items.html"' in page
    assert 'href="items.html#&amp;run=2"' in page
    assert "<script" not in page
    assert "Examples" not in page


def test_both_languages_have_all_words() -> None:
    assert WORDS["en"].keys() == WORDS["zh"].keys()
    for language in WORDS.values():
        assert all(f"kind_{kind}" in language for kind in KIND_NAMES)
        assert all(f"flag_{flag}" in language for flag in FLAGS)
    for name, words in WORDS["en"].items():
        places = sorted(part.split("}")[0] for part in words.split("{")[1:])
        assert places == sorted(part.split("}")[0] for part in WORDS["zh"][name].split("{")[1:]), name

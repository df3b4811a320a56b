"""snellen screens, and the warning of the convention detective at the end of a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from small_screens import confusion, parse, picture, put
from snellen.benchmarks import gui_hallubench
from snellen.cli import cli
from snellen.item import Item


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    for number in range(14):
        picture(folder / f"images/{number}.png", color=f"#00{number * 9:02x}00")
    put(folder / "hallucination.json", [confusion(id=n, image=f"images/{n}.png") for n in range(14)])
    put(folder / "parsing_en.json", [parse("images/0.png")])
    return folder


def snellen(tmp_path: Path, *arguments: object) -> Result:
    words = ["--workspace", str(tmp_path / "workspace"), *map(str, arguments)]
    return CliRunner().invoke(cli, words, env={"COLUMNS": "80"}, standalone_mode=False)


def run(tmp_path: Path, data: Path, place: str) -> Result:
    items = gui_hallubench.items(gui_hallubench.locate(data, tmp_path))
    said = {item.id: "[]" if item.labels["task"] == "parsing" else place for item in items if isinstance(item, Item)}
    answers = [json.dumps({"id": name, "response": text}) for name, text in said.items()]
    (tmp_path / "answers.jsonl").write_text("\n".join(answers))
    words = ("--data", data, "--model", f"replay:{tmp_path / 'answers.jsonl'}", "--rubric", "gui:similarity=difflib")
    return snellen(tmp_path, "run", "gui-hallubench", *words)


def test_a_wrong_convention_is_told_at_the_end(tmp_path: Path, data: Path) -> None:
    done = run(tmp_path, data, '{"point_2d": [0.08, 0.05]}')
    assert "warning: coordinates may be declared wrong: read as fraction:xyxy:xy, 100.0 %" in done.stderr
    assert 'convention = "fraction"' in done.stderr
    name = next(line for line in done.stdout.splitlines() if line.startswith("gui-hallubench/"))
    shown = snellen(tmp_path, "screens", name.strip())
    assert shown.exception is None
    assert "(suspected)" in shown.stdout  # in a cell that breaks where the terminal is narrow
    assert "true boxes dropped, %" in shown.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 80
    plain = json.loads(snellen(tmp_path, "screens", name.strip(), "--json", "--draws", "2").stdout)
    assert plain["draws"] == 2
    assert plain["conventions"]["line"] == 'convention = "fraction"'
    assert plain["sweep"]["points"] == 14


def test_no_warning_where_all_is_well(tmp_path: Path, data: Path) -> None:
    done = run(tmp_path, data, '{"point_2d": [30, 40]}')
    assert "coordinates may be" not in done.stderr
    name = next(line for line in done.stdout.splitlines() if line.startswith("gui-hallubench/"))
    assert "No other convention does far better" in snellen(tmp_path, "screens", name.strip()).stdout
    assert "holds no lists" in str(snellen(tmp_path, "screens", name.strip(), "--parses", name.strip()).exception)


def test_other_benchmarks(tmp_path: Path) -> None:
    done = snellen(tmp_path, "run", "charthal-demo", "--model", "blind", "--items", "*/0")
    name = next(line for line in done.stdout.splitlines() if line.startswith("charthal-demo/")).strip()
    assert "no answers about screens" in str(snellen(tmp_path, "screens", name).exception)

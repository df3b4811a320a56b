"""snellen report: tables, one file, or a folder of all items."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import snellen
from snellen.cli import cli
from snellen.errors import UsageError


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A workspace and a run in it."""
    folder = tmp_path_factory.mktemp("report") / "workspace"
    with snellen.Workspace(folder) as workspace:
        return folder, snellen.run("charthal-demo", model="blind", workspace=workspace).name


def call(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["--workspace", str(folder), "report", *arguments], catch_exceptions=False)


def test_a_folder_of_all_items(run: tuple[Path, str], tmp_path: Path) -> None:
    folder, name = run
    said = call(folder, name, "--all", str(tmp_path / "whole"))
    assert said.exit_code == 0
    assert said.stdout == f"{tmp_path / 'whole' / 'index.html'}\n"
    assert {each.name for each in (tmp_path / "whole").iterdir()} == {
        "data",
        "images",
        "index.html",
        "items.css",
        "items.html",
        "items.js",
        "review.js",
        "snellen-report.json",
    }
    assert 'href="items.html"' in (tmp_path / "whole" / "index.html").read_text("utf-8")
    assert len(list((tmp_path / "whole" / "images").glob("*.*g"))) > 1


def test_a_folder_and_a_file_at_once(run: tuple[Path, str], tmp_path: Path) -> None:
    folder, name = run
    file = tmp_path / "one.html"
    said = call(folder, name, "--all", str(tmp_path / "whole"), "-o", str(file), "--examples", "3")
    assert said.stdout.splitlines() == [str(file), str(tmp_path / "whole" / "index.html")]
    assert "items.html" not in file.read_text("utf-8")


def test_json_stays_json_beside_a_page(run: tuple[Path, str], tmp_path: Path) -> None:
    folder, name = run
    said = call(folder, name, "-o", str(tmp_path / "one.html"), "--all", str(tmp_path / "whole"), "--json")
    assert json.loads(said.stdout)["run"] == name
    assert str(tmp_path / "one.html") in said.stderr


@pytest.mark.parametrize("options", [("--language", "zh"), ("--examples", "3"), ("--review", "3")])
def test_what_is_of_a_page_needs_one(run: tuple[Path, str], options: tuple[str, ...]) -> None:
    folder, name = run
    with pytest.raises(UsageError, match=r"-o FILE|--all DIR"):
        call(folder, name, *options)


def test_what_is_no_report_stays(run: tuple[Path, str], tmp_path: Path) -> None:
    folder, name = run
    (tmp_path / "mine").write_text("x")
    with pytest.raises(UsageError, match="something else than a report"):
        call(folder, name, "--all", str(tmp_path))


def test_tables_without_a_place(run: tuple[Path, str]) -> None:
    folder, name = run
    assert name.rpartition("@")[0] in call(folder, name).stdout.replace("\n", "")

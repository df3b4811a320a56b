"""snellen claims and snellen power."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import small_charthal
import snellen
from snellen.cli import cli
from snellen.errors import DataError, UsageError


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, list[str]]:
    """A workspace with two runs on data in ChartHal's layout, and the data."""
    folder = tmp_path_factory.mktemp("claims")
    data = small_charthal.write(folder / "data", figures=12)
    names = []
    with snellen.Workspace(folder / "workspace") as workspace:
        for model in ("constant:Blue.", "constant:The chart does not show it, so I cannot answer."):
            names.append(snellen.run("charthal", model=model, data=data, workspace=workspace).name)
    return folder / "workspace", data, names


def call(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["--workspace", str(folder), *arguments], catch_exceptions=False)


def test_the_published_table_needs_no_workspace(tmp_path: Path) -> None:
    said = call(tmp_path / "none", "claims", "charthal")
    assert said.exit_code == 0
    assert "- contradicted by Qwen2.5-VL-72B: 59.6 to 58.5, -1.1; by chance up to " in said.stdout
    assert "- published table: 4 of 4 pairs of rows agree" in said.stdout
    assert "your runs" not in said.stdout
    assert not (tmp_path / "none").exists()


def test_claims_on_runs(made: tuple[Path, Path, list[str]]) -> None:
    folder, _, names = made
    said = call(folder, "claims", "charthal", *names)
    assert said.exit_code == 0
    assert said.stdout.count("- your runs:") == 3
    plain = json.loads(call(folder, "claims", "charthal", *names, "--json").stdout)
    by_name = {each["name"]: each for each in plain["claims"]}
    normal = by_name["normal-over-unanswerable"]["tested"]
    # One that declines passes what cannot be answered, and nothing else.
    assert [each["runs"] for each in normal] == [[name] for name in names]
    assert normal[1]["outcome"] == "contradicts"
    assert by_name["bigger-is-better"]["tested"] == []


def test_runs_of_another_benchmark_and_unknown_claims_are_refused(made: tuple[Path, Path, list[str]]) -> None:
    folder, _, names = made
    for command in ("claims", "power"):
        with pytest.raises(UsageError, match="is not a run on gui-hallubench"):
            call(folder, command, "gui-hallubench", names[0])
    with pytest.raises(UsageError, match="shale-demo lists no claim of a paper"):
        call(folder, "claims", "shale-demo")
    with pytest.raises(UsageError, match="no benchmark"):
        call(folder, "power", "nonesuch")


def test_power_from_the_runs_of_the_workspace(made: tuple[Path, Path, list[str]]) -> None:
    folder, _, _ = made
    said = call(folder, "power", "charthal", "--difference", "20", "--by", "relation")
    assert said.exit_code == 0
    assert "correlation are those of one pair of runs." in said.stdout.replace("\n", " ")
    plain = json.loads(call(folder, "power", "charthal", "--difference", "20", "--by", "relation", "--json").stdout)
    whole, *parts = plain["parts"]
    assert (whole["items"], whole["images"], whole["variation"]["pairs"]) == (144, 12, 1)
    assert [part["value"] for part in parts] == ["contradictory", "inexistent", "irrelevant", "normal"]
    assert plain["difference"] == pytest.approx(0.2)


def test_power_from_data_alone_is_assumed(made: tuple[Path, Path, list[str]], tmp_path: Path) -> None:
    said = call(tmp_path, "power", "charthal", "--data", str(made[1]), "--tests", "4")
    assert said.exit_code == 0
    assert "assumptions" in said.stdout
    assert "each of 4 at 0.0125" in said.stdout
    with pytest.raises(DataError):
        call(tmp_path, "power", "charthal", "--data", str(tmp_path / "nowhere"))
    assert call(tmp_path, "power", "charthal-demo", "--difference", "0").exit_code == 2


def test_power_warns_where_the_runs_have_several_judges(made: tuple[Path, Path, list[str]]) -> None:
    folder, _, names = made
    assert "several judges" not in call(folder, "power", "charthal", *names).stderr
    with snellen.Workspace(folder) as workspace:
        again = snellen.judge(names[0], judge="rules", rubric="rules:reading=strict", workspace=workspace).name
    said = call(folder, "power", "charthal", again, names[1])
    assert "warning: these runs have several judges (1 by rules" in said.stderr
    assert said.exit_code == 0
    with snellen.Workspace(folder) as workspace:
        workspace.ledger.delete_run(workspace.ledger.find_run(again).id)  # others take the newest judging

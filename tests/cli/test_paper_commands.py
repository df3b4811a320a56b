"""snellen export, methods, diff and preflight, from the command line to what they write."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import snellen
from fake_server import FakeServer, completion
from snellen.cli import cli
from snellen.errors import DataError, UsageError

ITEMS = "charthal-demo/*/0"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A workspace, and two runs of embedded models on the same items."""
    folder = tmp_path_factory.mktemp("paper") / "workspace"
    with snellen.Workspace(folder) as workspace:
        names = [
            snellen.run("charthal-demo", model=model, items=ITEMS, workspace=workspace).name
            for model in ("blind", "constant:I cannot tell.")
        ]
    return folder, names[0], names[1]


def call(folder: Path, *arguments: str) -> Result:
    """The result; its `return_value` is the exit status of the command."""
    arguments = ("--workspace", str(folder), *arguments)
    return CliRunner().invoke(cli, arguments, catch_exceptions=False, standalone_mode=False)


def test_several_runs_are_rows_of_one_table(runs: tuple[Path, str, str], tmp_path: Path) -> None:
    folder, a, b = runs
    said = call(folder, "export", a, b, "--format", "latex", "--label", "relation").stdout
    assert r"\begin{tabular}{lrrrrr}" in said
    assert said.count(r"\scriptsize [") >= 2
    target = tmp_path / "table.tex"
    assert call(folder, "export", a, b, "--label", "relation", "-o", str(target)).return_value == 0
    assert target.read_text() == said
    lines = call(folder, "export", a, b, "--format", "markdown", "--no-intervals").stdout.splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == [f"| {a}", f"| {b}"]
    assert "[" not in "".join(lines)
    rows = list(csv.DictReader(io.StringIO(call(folder, "export", a, b, "--table", "--format", "csv").stdout)))
    assert [row["run"] for row in rows] == [a, b]
    assert 0 <= float(rows[1]["overall:low"]) <= float(rows[1]["overall"]) <= float(rows[1]["overall:high"]) <= 1


def test_items_of_several_runs(runs: tuple[Path, str, str], tmp_path: Path) -> None:
    folder, a, b = runs
    lines = [json.loads(line) for line in call(folder, "export", a, b).stdout.split("\n") if line]
    assert {line["run"] for line in lines} == {a, b}
    assert len({(line["run"], line["id"]) for line in lines}) == len(lines)
    target = tmp_path / "items.csv"
    call(folder, "export", a, b, "-o", str(target))
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["run"], row["id"], row["response"]) for row in rows] == [
        (line["run"], line["id"], line["response"]) for line in lines
    ]
    assert {f"label:{name}" for name in ("question_type", "relation")} < set(rows[0])


def test_parquet(runs: tuple[Path, str, str], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    folder, a, b = runs
    for extra in ((), ("--estimates",), ("--table",)):
        target = tmp_path / "rows.parquet"
        assert call(folder, "export", a, b, *extra, "-o", str(target)).return_value == 0
        table = parquet.read_table(target).to_pylist()
        assert {row["run"] for row in table} == {a, b}
        assert not [path for path in tmp_path.iterdir() if path != target]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--format", "parquet"), "name a file with -o"),
        (("--table", "--estimates"), "leave one of them out"),
        (("-o", "items.xlsx"), ".xlsx is not written: name a .csv file"),
        (("--label", "relation"), "add --table"),
        (("--published",), "add --table"),
        (("--table", "--no-intervals"), "columns of their own"),
        (("--format", "latex", "--label", "colour"), "no run here has the label 'colour'"),
    ],
)
def test_what_does_not_fit_is_said(runs: tuple[Path, str, str], arguments: tuple[str, ...], said: str) -> None:
    folder, a, _ = runs
    with pytest.raises(UsageError, match=said):
        call(folder, "export", a, *arguments)


def test_methods_in_both_languages(runs: tuple[Path, str, str]) -> None:
    folder, a, b = runs
    english = call(folder, "methods", a, b).stdout
    assert english.startswith("blind was evaluated on ChartHal demonstration (")
    assert english.count(" was evaluated on ") == 2
    assert call(folder, "methods", a, "--language", "zh").stdout.startswith(
        "我们在 ChartHal demonstration 上评测了 blind"
    )
    plain = json.loads(call(folder, "methods", a, "--json").stdout)
    assert plain["methods"] == english.split("\n")[0]
    assert plain["manifest"]["run"] == a.partition("@")[0]


def test_manifests_of_runs_and_of_files(runs: tuple[Path, str, str], tmp_path: Path) -> None:
    folder, a, b = runs
    said = call(folder, "diff", a, b).stdout
    assert said.startswith(f"A: {a}\nB: {b}\n")
    assert "plan.model" in said
    assert "plan.prompt" not in said
    assert max(map(len, said.splitlines())) <= 80
    assert "plan.prompt" in call(folder, "diff", a, b, "--all").stdout
    file = tmp_path / "a.json"
    file.write_text(call(folder, "methods", a, "--json").stdout, encoding="utf-8")
    found = json.loads(call(folder, "diff", str(file), b, "--json").stdout)
    assert found == json.loads(call(folder, "diff", a, b, "--json").stdout)
    assert {"name": "plan.model", "a": "blind", "b": "constant:I cannot tell."} in found["differing"]["model"]
    assert json.loads(call(folder, "diff", str(file), a, "--json").stdout)["differing"] == {}
    with pytest.raises(DataError, match="cannot be read"):
        call(folder, "diff", str(tmp_path / "none.json"), b)


def test_a_preflight_fails_with_what_to_change(tmp_path: Path) -> None:
    with FakeServer(lambda body, number: completion("Nice.\x1b[31m")) as server:
        arguments = ("preflight", "charthal-demo", "--model", "served-model", "--base-url", server.url)
        found = call(tmp_path / "w", *arguments, "--judge", "none")
        plain = call(tmp_path / "w", *arguments, "--judge", "served-model", "--judge-base-url", server.url, "--json")
    assert found.return_value == 1
    lines = found.stdout.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("FAILED   model: image seen"))
    assert lines[place + 1].strip().startswith("-> the server may drop images")
    assert "\x1b" not in found.stdout
    assert "requests: snellen show preflight/served-model-" in found.stderr
    assert plain.return_value == 1
    data = json.loads(plain.stdout)
    assert data["failed"] is True
    assert {check["name"]: check["status"] for check in data["checks"] if check["role"] == "judge"}[
        "verdicts"
    ] == "failed"
    name = data["runs"][0]
    assert "Nice." in call(tmp_path / "w", "show", name, "preflight/word").stdout


def test_a_preflight_of_what_needs_no_server(tmp_path: Path) -> None:
    found = call(tmp_path / "w", "preflight", "charthal-demo", "--model", "blind", "--sample", "2")
    assert found.return_value == 0
    assert found.stdout.startswith("ok       data")
    assert "skipped  model: endpoint" in found.stdout

"""snellen correlate, end to end on recorded answers about small screens."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

import parsed_screens as made
from snellen.cli import cli
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with five runs: models of rising skill."""
    folder = tmp_path_factory.mktemp("correlate")
    data = made.write(folder / "data", 12)
    with Workspace(folder / "w") as workspace:
        for model in range(5):
            rng = random.Random(model)
            skill = 0.2 + 0.15 * model
            cases: list[made.Case] = [
                (2 * (rng.random() < skill), rng.random() < skill, rng.randrange(3), rng.random() > skill)
                for _ in range(12)
            ]
            made.judged(workspace, data, folder / f"model{model}.jsonl", cases)
    return folder


def correlate(folder: Path, *options: str, runs: int = 5) -> str:
    with Workspace(folder / "w") as workspace:
        names = [row.name for row in workspace.ledger.runs() if row.parent is not None][:runs]
    result = CliRunner().invoke(cli, ["--workspace", str(folder / "w"), "correlate", *names, *options])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0
    return result.stdout


def test_json(folder: Path) -> None:
    plain = json.loads(correlate(folder, "--json"))
    found = plain["correlation"]
    assert found["benchmark"] == "gui-hallubench"
    assert len(found["runs"]) == 5
    assert found["numbers"][-2:] == ["parsing_average", "macro_hallucination_average"]
    assert [each["models"] for each in found["published"]] == [8, 6]
    assert len(plain["association"]) == 6
    pooled = plain["association"][-1]
    assert pooled["run"] == ""
    missed = pooled["links"][0]
    assert missed["name"] == "missed"
    crude = missed["crude"]
    assert sum(crude[name] for name in ("exposed_bad", "exposed_good", "other_bad", "other_good")) == 60
    assert json.loads(correlate(folder, "--json")) == plain


def test_tables_figure_and_report(folder: Path) -> None:
    figure, report = folder / "figure.svg", folder / "report.html"
    text = correlate(folder, "--kendall", "--figure", str(figure), "--report", str(report))
    assert "Kendall's tau-b on GUI-HalluBench over 5 models" in " ".join(text.split())
    assert "All 5 runs" in text
    assert "<svg" in figure.read_text()
    page = report.read_text()
    assert 'id="correlation"' in page
    assert "Item by item: parsing and hallucination" in page
    assert "tau-b" in page


def test_one_run_has_the_association_alone(folder: Path) -> None:
    text = " ".join(correlate(folder, runs=1).split())
    assert "Target not parsed" in text
    assert "With 1 model nothing can be concluded" in text


def test_wrong_use(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"\.png or \.svg"):
        correlate(folder, "--figure", "x.pdf")
    with pytest.raises(UsageError, match="no run has a number named 'nothing'"):
        correlate(folder, "--numbers", "nothing")

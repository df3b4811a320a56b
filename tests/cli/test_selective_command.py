"""snellen selective, end to end on recorded answers that state a confidence."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import small_charthal
import snellen
from snellen.cli import cli
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError

FIGURES = 30


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with two runs: one with confidences that tell right from wrong, one without any."""
    folder = tmp_path_factory.mktemp("selective")
    data = small_charthal.write(folder / "data", FIGURES)
    rng = random.Random(0)
    stated, plain = [], []
    for figure in range(1, FIGURES + 1):
        for index in (1, 2, 3, 5, 7):
            right = index % 4 == 3 and rng.random() < 0.9
            said = f"It is {figure}." if right else "It is 99."
            confidence = rng.randrange(80, 101) if right else rng.randrange(0, 85)
            stated.append({"id": f"charthal/{figure}/{index}", "response": f"{said}\nConfidence: {confidence}"})
            plain.append({"id": f"charthal/{figure}/{index}", "response": said})
    with Workspace(folder / "w") as workspace:
        for name, rows, prompt in (("stated", stated, "confidence"), ("plain", plain, "direct")):
            file = folder / f"{name}.jsonl"
            file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
            snellen.run(
                "charthal", model=f"replay:{file}", prompt=prompt, data=data, workspace=workspace, only_recorded=True
            )
    return folder


def invoke(folder: Path, *options: str, runs: int = 1) -> Result:
    with Workspace(folder / "w") as workspace:
        names = [row.name for row in workspace.ledger.runs() if row.parent is not None][:runs]
    return CliRunner().invoke(cli, ["--workspace", str(folder / "w"), "selective", *names, *options])


def selective(folder: Path, *options: str, runs: int = 1) -> str:
    result = invoke(folder, *options, runs=runs)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0
    return result.stdout


def test_json(folder: Path) -> None:
    plain = json.loads(selective(folder, "--json", "--cost", "3", "--most-hallucinated", "50", "--certainty", "80"))
    assert plain["cost"] == 3
    assert plain["source"] == "words"
    assert plain["answers"] == plain["confident"]
    assert plain["worth"][0]["hallucinated"] + plain["worth"][0]["right"] == plain["answers"]
    assert plain["withholding"]["risk"] == 0.5
    assert plain["withholding"]["miss"] == pytest.approx(0.2)
    assert plain["withholding"]["exact"] is True
    both = json.loads(selective(folder, "--json", runs=2))
    assert [each["source"] for each in both] == ["words", None]
    assert both[0] == json.loads(selective(folder, "--json"))


def test_tables_and_report(folder: Path) -> None:
    report = folder / "report.html"
    text = selective(
        folder, "--by", "relation", "--most-hallucinated", "50", "--approximate", "--report", str(report), runs=2
    )
    words = " ".join(text.split())
    assert "Contradictory" in words
    assert "Calibration error (ECE)" in words
    assert "at most 50 % of the answers given hallucinate" in words
    assert "with 90 % certainty, approximately" in words
    assert "No answer has a confidence" in words
    assert max(map(len, text.splitlines())) <= 80
    page = report.read_text(encoding="utf-8")
    assert 'id="selective"' in page
    assert page.count('aria-label="Risk over coverage') == 1
    assert page.count('aria-label="Reliability diagram') == 1
    assert "<script" not in page
    first = page
    selective(folder, "--by", "relation", "--most-hallucinated", "50", "--approximate", "--report", str(report), runs=2)
    assert report.read_text(encoding="utf-8") == first


@pytest.mark.parametrize(
    "options", [("--cost", "-1"), ("--most-hallucinated", "0"), ("--certainty", "100"), ("--confidence", "feeling")]
)
def test_wrong_use(folder: Path, options: tuple[str, ...]) -> None:
    assert invoke(folder, *options).exit_code == 2


@pytest.mark.parametrize("options", [("--certainty", "80"), ("--approximate",)])
def test_what_is_of_a_threshold_needs_one(folder: Path, options: tuple[str, ...]) -> None:
    assert isinstance(error := invoke(folder, *options).exception, UsageError)
    assert "--most-hallucinated" in str(error)

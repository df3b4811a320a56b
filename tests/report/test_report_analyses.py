"""What a report finds by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import small_charthal
import snellen
from snellen.cli import cli
from snellen.report import analyses as module
from snellen.report.analyses import Analyses, analyses, sections

MODELS = ("blind", "constant:yes", "constant:I cannot tell from the chart.", "constant:42")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[snellen.Workspace]:
    """Four models on a demonstration set, the first of them judged twice."""
    with snellen.Workspace(tmp_path_factory.mktemp("analyses") / "workspace") as made:
        for model in MODELS:
            snellen.run("charthal-demo", model=model, workspace=made)
        yield made


@pytest.fixture(scope="module")
def names(workspace: snellen.Workspace) -> list[str]:
    return [row.name for row in workspace.ledger.runs() if row.parent is None]


def found(workspace: snellen.Workspace, names: list[str], human: list[Path] | None = None) -> Analyses:
    return analyses([snellen.open_judged(workspace, name) for name in names], human or [])


def test_one_run_has_what_its_answers_are_worth(workspace: snellen.Workspace, names: list[str]) -> None:
    alone = found(workspace, names[:1])
    assert [each.run.partition("@")[0] for each in alone.selected] == names[:1]
    assert alone.selected[0].detection
    assert not alone.correlated
    assert alone.audited is None
    assert not alone.notes


def test_models_enough_are_correlated(workspace: snellen.Workspace, names: list[str]) -> None:
    assert not found(workspace, names[:3]).correlated
    ((numbers, associations),) = found(workspace, [*names, names[0]]).correlated
    assert len(numbers.runs) == 4
    assert not associations
    assert sections(found(workspace, names)).correlated[0].figure


def test_a_run_that_is_not_judged_has_nothing(workspace: snellen.Workspace) -> None:
    assert analyses([]) == Analyses()


def test_people_are_laid_beside_the_judges(workspace: snellen.Workspace, names: list[str], tmp_path: Path) -> None:
    rows = list(snellen.open_judged(workspace, names[0]).rows())[:30]
    labels = tmp_path / "labels.csv"
    for rater in ("ann", "bob"):
        lines = [
            f"{row.item.id},{number % 2 if rater == 'ann' else number % 3 == 0:d},{rater}"
            for number, row in enumerate(rows)
        ]
        labels = tmp_path / f"{rater}.csv"
        labels.write_text("id,label,rater\n" + "\n".join(lines) + "\n", encoding="utf-8")
    files = [tmp_path / "ann.csv", tmp_path / "bob.csv"]
    audited = found(workspace, names[:1], files).audited
    assert audited is not None
    (run,) = audited.runs
    assert run.crowd is not None
    assert run.crowd.several == 30
    page = tmp_path / "page.html"
    said = CliRunner().invoke(
        cli,
        ["--workspace", str(workspace.folder), "report", names[0], "-o", str(page)]
        + [part for file in files for part in ("--human", str(file))],
        catch_exceptions=False,
    )
    assert said.exit_code == 0
    html = page.read_text("utf-8")
    for words in (
        "Audit of the judges",
        "human-adjusted: by people, all",
        "2 people, 30 answers labelled",
        "When to decline",
    ):
        assert words in html


def test_several_judgings_are_laid_beside_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = small_charthal.write(tmp_path / "data", figures=3)
    rows = [
        {
            "id": f"charthal/{row['figure_id']}/{row['subq_idx']}",
            "response": "The chart does not show this, so it cannot be told.",
            "verdict": int(key[-1] in "135"),
        }
        for key, row in small_charthal.rows(3).items()
    ]
    (tmp_path / "recorded.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with snellen.Workspace(tmp_path / "workspace") as made:
        run = snellen.import_recorded(
            "charthal", tmp_path / "recorded.jsonl", model="m", judge="gpt-5", workspace=made, data=data
        )
        snellen.judge(run.row.name, judge="rules", workspace=made)
        audited = found(made, [run.row.name]).audited
        assert audited is not None
        (one,) = audited.runs
        assert one.panel is not None
        assert len(one.panel.judges) == 2
        assert sections(found(made, [run.row.name])).audited is not None
        monkeypatch.setattr(module, "MOST_ROWS", 10)
        too_much = found(made, [run.row.name])
        assert too_much.audited is None
        assert "that is too much to be read here: `snellen audit" in too_much.notes[-1]


def test_what_would_take_long_is_left_out_with_a_note(
    workspace: snellen.Workspace, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_ROWS", 10)
    run = snellen.run("charthal-demo", model="constant:1", prompt="confidence", workspace=workspace)
    few = found(workspace, [run.row.name])
    assert few.selected[0].source is None
    assert "snellen selective" in few.notes[0]


def test_the_terminal_has_it_below_the_numbers(workspace: snellen.Workspace, names: list[str]) -> None:
    said = CliRunner().invoke(cli, ["--workspace", str(workspace.folder), "report", *names], catch_exceptions=False)
    for words in ("Runs that share a letter", "Spearman's rho", "Whether declining tells"):
        assert words in " ".join(said.stdout.split())


def test_a_sample_needs_a_folder(workspace: snellen.Workspace, names: list[str]) -> None:
    said = CliRunner().invoke(cli, ["--workspace", str(workspace.folder), "report", names[0], "--review", "5"])
    assert said.exit_code != 0
    assert "--all DIR" in str(said.exception)

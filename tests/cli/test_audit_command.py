"""snellen audit, from label files to the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import small_charthal
import snellen
from snellen.cli import cli
from snellen.engine.auditing import audit_runs
from snellen.errors import UsageError


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, Path]:
    """A workspace with a run that two judges saw, and labels of some of its answers."""
    folder = tmp_path_factory.mktemp("audit")
    data = small_charthal.write(folder / "data", figures=4)
    rows = []
    for key, row in small_charthal.rows(4).items():
        told = row["q_relation"] == "normal"
        answer = f"It is {row['figure_id']}." if told else "The chart does not show this, so it cannot be told."
        verdict = int(told) if key.endswith(("1", "3", "5")) else 1
        rows.append({"id": f"charthal/{row['figure_id']}/{row['subq_idx']}", "response": answer, "verdict": verdict})
    (folder / "recorded.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with snellen.Workspace(folder / "workspace") as workspace:
        run = snellen.import_recorded(
            "charthal", folder / "recorded.jsonl", model="gpt-4o", judge="gpt-5", workspace=workspace, data=data
        )
        snellen.judge(run.row.name, judge="rules", workspace=workspace)
    labels = folder / "labels.csv"
    text = "".join(f"{row['id']},{('wrong', '正确')[number % 3 > 0]}\n" for number, row in enumerate(rows[::2]))
    labels.write_text("id,label\n" + text, encoding="utf-8")
    return folder / "workspace", run.row.name, labels


def call(folder: Path, *arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["--workspace", str(folder), *map(str, arguments)], standalone_mode=False)


def test_all_judgings_and_the_panel_on_terminal_and_page(made: tuple[Path, str, Path], tmp_path: Path) -> None:
    folder, run, labels = made
    page = tmp_path / "audit.html"
    said = call(folder, "audit", run, "--human", labels, "--items", "--report", page)
    assert said.return_value == 0
    for words in ("1 person, 24 answers labelled", "rules", "panel of 2", "human-adjusted", "and people differ: "):
        assert words in said.stdout
    assert "answer: " in said.stdout
    html = page.read_text("utf-8")
    assert "Audit of the judges" in html
    assert "charthal/1/0" in html


def test_one_judging_as_json_with_the_items(made: tuple[Path, str, Path]) -> None:
    folder, run, labels = made
    plain = json.loads(call(folder, "audit", f"{run}@rules", "--human", labels, "--items", "--json").stdout)
    (one,) = plain["runs"]
    (found,) = one["audits"]
    assert one["panel"] is None
    differing = found["overall"]["lenient"] + found["overall"]["strict"]
    assert differing == len(found["disagreements"]) > 0
    first = found["disagreements"][0]
    assert first["judge"] != first["people"]["labels"]
    assert first["answer"]
    assert found["confusion"]["cannot_tell"] == {"right": 0, "wrong": 0, "unscored": 0}
    adjusted = found["adjusted"]
    assert adjusted["estimate"]["n"] + adjusted["estimate"]["unscored"] == adjusted["raw"]["n"]


def test_judges_alone_need_no_labels(made: tuple[Path, str, Path]) -> None:
    folder, run, _ = made
    said = call(folder, "audit", run)
    assert said.return_value == 0
    assert "2 judges: Krippendorff's alpha" in said.stdout
    assert "human-adjusted" not in said.stdout


def test_labels_that_cannot_be_used_are_warned_of(made: tuple[Path, str, Path], tmp_path: Path) -> None:
    folder, run, labels = made
    odd = tmp_path / "odd.csv"
    odd.write_text(labels.read_text("utf-8") + "charthal/99/0,1\ncharthal/1/0,perhaps\n", encoding="utf-8")
    said = call(folder, "audit", f"{run}@rules", "--human", odd)
    assert said.return_value == 1
    assert f"has no such item: `snellen export {run}`" in said.stderr
    assert "row 26" in said.stderr
    assert "the label 'perhaps' is none" in said.stderr
    assert "24 answers labelled" in said.stdout


def test_what_is_refused(made: tuple[Path, str, Path], tmp_path: Path) -> None:
    folder, run, labels = made
    strange = tmp_path / "strange.csv"
    strange.write_text("id,label\nshale/1,1\n", encoding="utf-8")
    with snellen.Workspace(folder) as workspace:
        for names, files, said in (
            ([f"{run}@rules"], [], "nothing to lay beside"),
            ([run], [strange], "no label is of an answer of these runs"),
            (["charthal/none"], [labels], "none"),
            ([], [labels], "name a run"),
        ):
            with pytest.raises(UsageError, match=said):
                audit_runs(workspace, names, files)


def test_several_runs_of_one_judge_each_have_nothing_beside_them(made: tuple[Path, str, Path], tmp_path: Path) -> None:
    folder, run, _ = made
    data = small_charthal.write(tmp_path / "data", figures=4)
    with snellen.Workspace(folder) as workspace:
        other = snellen.run("charthal", model="blind", data=data, workspace=workspace).judged.name
    said = call(folder, "audit", f"{run}@rules", other)
    assert isinstance(said.exception, UsageError)
    assert "each the only one of its run that is named" in str(said.exception)


def test_recorded_verdicts_of_charthal_as_if_they_were_peoples(charthal_data: Path, tmp_path: Path) -> None:
    """They are a model's: this is a trial of the numbers, whose kappa `perf/judge_agreement.py` has found as 0.85."""
    file = charthal_data / "results" / "eval.json"
    rows = [
        {"id": f"charthal/{row['figure_id']}/{row['subq_idx']}", "label": int(row["score"]), "rater": "recorded"}
        for row in json.loads(file.read_text("utf-8")).values()
    ]
    labels = tmp_path / "recorded.jsonl"
    labels.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with snellen.Workspace(tmp_path / "workspace") as workspace:
        run = snellen.import_recorded("charthal", file, model="recorded", workspace=workspace, data=charthal_data)
        snellen.judge(run.row.name, judge="rules", workspace=workspace)
        found = audit_runs(workspace, [f"{run.row.name}@rules"], [labels]).runs[0].audits[0]
    overall = found.overall
    assert overall.kappa.value == pytest.approx(0.85, abs=0.01)
    assert overall.kappa.low == pytest.approx(0.81, abs=0.01)
    assert overall.kappa.high == pytest.approx(0.89, abs=0.01)
    assert int(found.confusion.sum()) == 717
    assert found.adjusted is not None
    assert found.adjusted.estimate.value == pytest.approx(224 / 715)

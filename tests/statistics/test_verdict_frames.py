"""Runs as data frames: columns, types, several runs, names, and what an export gives back."""

from __future__ import annotations

import builtins
import re
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from polars.testing import assert_frame_equal

import snellen
from small_runs import Made
from snellen import statistics
from snellen.cli import cli
from snellen.errors import DataError, UsageError
from snellen.item import Change, Item
from snellen.statistics.verdicts import OWN, column_of
from snellen.table import TableBuilder
from snellen.verdict import FLAGS, Verdict


def test_every_row_says_what_the_run_says(made: Made) -> None:
    with snellen.Workspace(made.folder) as workspace:
        judged = snellen.open_judged(workspace, made.photos)
        table = snellen.frame(judged)
        rows = list(judged.rows())
    assert len(table) == len(rows)
    for row, found in zip(rows, table.iter_rows(named=True), strict=True):
        item, verdict = row.item, row.verdict
        assert (found["run"], found["position"], found["item"]) == (made.photos, row.position, item.id)
        assert (found["cluster"], found["language"]) == (item.cluster, item.language)
        assert found["pair"] == item.id.partition("@")[0]
        assert found["change"] == ("+".join(f"{each.name}:{each.severity}" for each in item.changes) or None)
        assert found["severity"] == (item.changes[0].severity if len(item.changes) == 1 else None)
        assert (found["truth"] is None) == (not item.changes)
        assert (found["value"], found["unscored"]) == (verdict.value, verdict.unscored or None)
        assert {flag for flag in FLAGS if found[flag]} == set(verdict.flags)
        assert (found["silent"] is None) == (verdict.value is None)
        assert {name: found[column_of(name)] for name in item.labels} == dict(item.labels)
        for name, pair in verdict.measures.items():
            assert (found[f"{name}_numerator"], found[f"{name}_denominator"]) == pair
    assert table["change"].n_unique() == 4
    assert {"kept", "removed"} <= set(table["truth"].drop_nulls())
    assert table["unscored"].is_not_null().any()
    assert table["published_numerator"].is_null().any()


def test_the_types_are_those_of_the_page(made: Made) -> None:
    table = snellen.frame(made.photos, workspace=made.folder)
    types = dict(table.schema)
    assert types["position"] == types["severity"] == pl.Int64
    assert types["value"] == pl.Int8
    assert {types[name] for name in (*FLAGS, "answerable", "silent")} == {pl.Boolean}
    assert types["published_numerator"] == pl.Float64
    assert [name for name in table.columns if name in OWN] == [name for name in OWN if name != "confidence"]
    assert {types[name] for name in ("run", "item", "change", "truth", "aspect", "task")} == {pl.String}


def test_several_runs_stand_one_below_the_other(made: Made) -> None:
    with snellen.Workspace(made.folder) as workspace:
        table = snellen.frame([made.charts[0], snellen.open_judged(workspace, made.photos)], workspace=workspace)
        alone = snellen.frame(made.charts[0], workspace=workspace)
    assert table["run"].unique(maintain_order=True).to_list() == [made.charts[0], made.photos]
    assert_frame_equal(table.filter(pl.col("run") == made.charts[0]).select(alone.columns), alone)
    assert table.filter(pl.col("run") == made.photos)["question_type"].is_null().all()


def test_a_run_that_was_just_made_and_its_view(tmp_path: Path) -> None:
    with snellen.Workspace(tmp_path) as workspace:
        run = snellen.run("charthal-demo", model="blind", items="charthal-demo/coffee-shops/*", workspace=workspace)
        table = snellen.frame(run)
        assert 0 < len(table) < 20
        assert set(table["cluster"]) == {"charthal-demo/coffee-shops"}
        assert statistics.rate(table)["value"][0] == run.results.headline.value


def test_confidences(made: Made) -> None:
    words = snellen.frame(made.charts[0], workspace=made.folder, confidence=True)
    assert words["confidence"].is_between(0, 1).all()
    assert snellen.frame(made.charts[0], workspace=made.folder, confidence="tokens")["confidence"].is_null().all()
    with pytest.raises(UsageError, match="words or tokens"):
        snellen.frame(made.charts[0], workspace=made.folder, confidence="guess")  # type: ignore[arg-type]


def test_what_is_no_run(made: Made, tmp_path: Path) -> None:
    for wrong, why in (
        ((made.charts[0],), "give workspace="),
        (([],), "name a run"),
        ((5,), "not int"),
    ):
        with pytest.raises(UsageError, match=why):
            snellen.frame(*wrong)
    with pytest.raises(UsageError, match="named twice"):
        snellen.frame([made.charts[0], made.charts[0]], workspace=made.folder)
    with pytest.raises(UsageError, match="nowhere"):
        snellen.frame("nowhere", workspace=made.folder)


def test_labels_that_are_called_like_a_column() -> None:
    names = ["value", "item", "label:value", "recall_numerator", "relation"]
    assert [column_of(name) for name in names] == [
        "label:value",
        "label:item",
        "label:label:value",
        "label:recall_numerator",
        "relation",
    ]
    assert len({column_of(name) for name in names}) == len(names)


def test_a_hostile_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels with the names of columns, odd ids, a measure of infinite size, all unscored."""
    from snellen.statistics import verdicts

    builder = TableBuilder()
    labels = {"value": "x", "": "empty", "a\nb": "是", "recall_denominator": "y"}
    builder.add(0, Item("i/%40", "?", labels=labels, cluster=""), Verdict(None, unscored="missing"))
    made = Change("jpeg", 3, 7, "altered")
    item = Item("i/%40@jpeg:3:7", "?", labels=labels, cluster="", groups={"pair": "i/%40"}, changes=(made,))
    builder.add(3, item, Verdict(None, unscored="blocked", measures={"recall": (float("inf"), 0.0)}))

    class Run:
        name, table = "r", builder.build()

        class run:  # noqa: N801
            id = 1

        class workspace:  # noqa: N801
            ledger = None

        class card:  # noqa: N801
            labels: ClassVar = {"recall_denominator": ("y",)}

    pages = [[(0, "i/%40", "", "i/%40"), (1, "other", "", "other")], [(3, "i/%40@jpeg:3:7", "", "i/%40")]]
    monkeypatch.setattr(verdicts, "item_names", lambda ledger, run: iter(pages))
    found = verdicts._stacked([Run()], False)  # type: ignore[list-item]
    assert found["item"].to_list() == ["i/%40", "i/%40@jpeg:3:7"]
    assert found["change"].to_list() == [None, "jpeg:3:7"]
    assert found["severity"].to_list() == [None, 3]
    assert found.columns[-6:] == [
        "label:recall_denominator",
        "",
        "a\nb",
        "label:value",
        "recall_numerator",
        "recall_denominator",
    ]
    assert found["recall_numerator"].to_list() == [None, float("inf")]
    with pytest.raises(DataError, match=r"recall_numerator.*row 1"):
        statistics.ratio(found, "recall_numerator", "recall_denominator")


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_an_export_comes_back(made: Made, tmp_path: Path, form: str) -> None:
    path = tmp_path / f"rows.{form}"
    for names in ((made.photos,), (made.screens[0],), made.charts[:2]):
        said = CliRunner().invoke(cli, ["--workspace", str(made.folder), "export", *names, "-o", str(path)])
        assert said.exit_code == 0, said.output
        found, wanted = statistics.read_export(path), snellen.frame(list(names), workspace=made.folder)
        shared = [name for name in wanted.columns if name not in ("position", "answerable", "truth")]
        assert found.columns[: len(shared) + 1] == [name for name in wanted.columns if name in (*shared, "truth")]
        assert_frame_equal(found.select(shared), wanted.select(shared))
        assert {"question", "response", "reason"} <= set(found.columns)
        assert found["truth"].dtype == pl.String


def test_a_frame_keeps_its_types_in_parquet(made: Made, tmp_path: Path) -> None:
    table = snellen.frame(made.photos, workspace=made.folder)
    table.write_parquet(tmp_path / "rows.parquet")
    assert_frame_equal(pl.read_parquet(tmp_path / "rows.parquet"), table)


def test_what_is_no_export(tmp_path: Path) -> None:
    for name, text in (("rows.txt", "x"), ("missing.csv", None)):
        if text is not None:
            (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match="no Parquet or CSV"):
            statistics.read_export(tmp_path / name)
    head = "run,id,language,cluster,value,unscored,flags,measures\n"
    for text, why in (
        ("a,b\n1,2\n", "no column 'run'"),
        (head + "r,i,en,c,two,,,\n", "other than 0, 1"),
        (head + 'r,i,en,c,1,,,"[1]"\n', "row 0"),
        (head + 'r,i,en,c,1,,,"{""iou"": [1, ""x""]}"\n', "row 0"),
    ):
        (tmp_path / "rows.csv").write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match=why):
            statistics.read_export(tmp_path / "rows.csv")
    (tmp_path / "rows.parquet").write_bytes(b"PAR1 but not really")
    with pytest.raises(DataError, match="cannot be read"):
        statistics.read_export(tmp_path / "rows.parquet")


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def absent(name: str, *rest: Any, **named: Any) -> Any:
        if name == "polars":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(UsageError, match=r"snellen\[polars\]"):
        statistics.rate(np.zeros(3))  # type: ignore[arg-type]


def test_the_example_on_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "library.md"
    text = page.read_text(encoding="utf-8")
    (shown,) = [block for block in re.findall(r"```python\n(.*?)```", text, re.S) if "snellen.frame(runs)" in block]
    monkeypatch.chdir(tmp_path)
    exec(shown, {})  # our own documentation
    assert capsys.readouterr().out.count("shape: ") == 4
    documented = set(re.findall(r"`(\w+)`", text.split("### Functions")[1].split("The formulas are")[0]))
    assert set(statistics.__all__) - {"frame", "read_export"} <= documented
    assert set(OWN) <= set(re.findall(r"`(\w+)`", text.split("### Columns")[1].split("### Functions")[0]))

"""The numbers from data frames are those of the commands, to the last digit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner

import snellen
from small_runs import Made
from snellen import statistics
from snellen.cli import cli

ESTIMATE = ("value", "low", "high", "n", "clusters", "unscored", "lower_bound", "upper_bound", "method")


def call(made: Made, *words: str) -> Any:
    said = CliRunner().invoke(cli, ["--workspace", str(made.folder), *words], standalone_mode=False)
    assert said.exception is None, said.output
    return json.loads(said.stdout)


def same(row: Mapping[str, Any], plain: Mapping[str, Any], *but: str) -> None:
    names = [name for name in ESTIMATE if name not in but]
    assert {name: row[name] for name in names} == {name: plain[name] for name in names}


def only(table: pl.DataFrame, **chosen: Any) -> dict[str, Any]:
    (row,) = table.filter(*(pl.col(name) == value for name, value in chosen.items())).iter_rows(named=True)
    return row


def clean(table: pl.DataFrame) -> pl.DataFrame:
    return table.filter(pl.col("change").is_null())


@pytest.fixture(scope="module")
def charts(made: Made) -> pl.DataFrame:
    return snellen.frame(made.charts, workspace=made.folder, confidence=True)


@pytest.fixture(scope="module")
def photos(made: Made) -> pl.DataFrame:
    return snellen.frame(made.photos, workspace=made.folder)


def results(made: Made, name: str) -> dict[str, Any]:
    with snellen.Workspace(made.folder) as workspace:
        return snellen.open_judged(workspace, name).results.to_json()


def test_rates_are_those_of_the_report(made: Made, photos: pl.DataFrame) -> None:
    plain = results(made, made.photos)
    same(statistics.rate(clean(photos)).row(0, named=True), plain["headline"])
    scored = clean(photos).with_columns(
        declined=pl.when(pl.col("value").is_not_null()).then("abstained"), scored=pl.col("value").is_not_null()
    )
    same(statistics.rate(scored, "declined").row(0, named=True), plain["abstention"])
    same(statistics.rate(scored, "scored").row(0, named=True), plain["scored_rate"])
    found = statistics.rate(clean(photos), by=["task"])
    assert set(found["task"]) == {
        task for task, each in plain["marginals"]["task"].items() if each["n"] or each["unscored"]
    }
    for row in found.iter_rows(named=True):
        same(row, plain["marginals"]["task"][row["task"]])
    published = statistics.ratio(clean(photos), "published_numerator", "published_denominator", by="task")
    assert published["value"].drop_nulls().is_between(0, 1).all()


def test_cells_of_two_labels(made: Made, charts: pl.DataFrame) -> None:
    plain = results(made, made.charts[0])
    table = charts.filter(pl.col("run") == made.charts[0])
    found = statistics.rate(table, by=["question_type", "relation"])
    cells = {(each["row"], each["column"]): each["estimate"] for each in plain["cells"]}
    assert len(found) == 6
    for row in found.iter_rows(named=True):
        same(row, cells[row["question_type"], row["relation"]])
    answerable = table.filter("answerable")
    same(statistics.rate(answerable, "abstained").row(0, named=True), plain["over_refusal"])


def test_ratios_of_measures(made: Made) -> None:
    plain = results(made, made.screens[2])["screens"]
    table = snellen.frame(made.screens[2], workspace=made.folder).filter(pl.col("task") == "parsing")
    for measure, key in (("recall", "parsing_recall"), ("precision", "parsing_precision")):
        found = statistics.ratio(table, f"{measure}_numerator", f"{measure}_denominator").row(0, named=True)
        told = json.dumps(plain)
        assert repr(found["value"]) in told, key
        assert repr(found["low"]) in told


def test_resistance_is_that_of_the_report(made: Made, photos: pl.DataFrame) -> None:
    plain = results(made, made.photos)["resistance"]

    def part(row: Mapping[str, Any], told: Mapping[str, Any]) -> None:
        same(row, told["resistance"])
        assert (row["clean"], row["changed"]) == (told["clean"]["value"], told["changed"]["value"])
        assert (row["lost"], row["gained"]) == (told["lost"], told["gained"])
        assert row["n"] + row["unscored"] == told["pairs"]

    part(statistics.resistance_rate(photos).row(0, named=True), plain["micro"])
    conditions = statistics.resistance_rate(photos, by="change")
    assert len(conditions) == 3
    for row in conditions.iter_rows(named=True):
        part(row, plain["conditions"][row["change"]])
    for row in statistics.resistance_rate(photos, by="task").iter_rows(named=True):
        part(row, plain["labels"]["task"][row["task"]])
    found = statistics.counterfactual_consistency(photos, by="truth")
    assert found["truth"].to_list() == ["removed"]
    same(found.row(0, named=True), plain["micro"]["consistency"]["removed"])


def test_differences_are_those_of_compare(made: Made, charts: pl.DataFrame) -> None:
    plain = call(made, "compare", *made.charts, "--by", "relation", "--json")
    names = ("value", "low", "high", "n", "unscored", "lower_bound", "upper_bound", "method", "p", "p_holm")

    def check(row: Mapping[str, Any], told: Mapping[str, Any]) -> None:
        assert {name: row[name] for name in (*names, "gained", "lost")} == {
            name: told[name] for name in (*names, "gained", "lost")
        }
        assert (row["base"], row["other"]) == (told["base"]["value"], told["other"]["value"])
        assert row["clusters"] == told["base"]["clusters"]

    lines = {(each["run"], each["value"]): each["differences"] for each in plain["lines"]}
    whole = statistics.compare(charts, made.charts[0])
    assert set(whole["run"]) == set(made.charts[1:])
    for row in whole.iter_rows(named=True):
        check(row, lines[row["run"], ""]["score"])
        assert (row["only_base"], row["only_other"]) == (0, 0)
    parts = statistics.compare(charts, made.charts[0], by="relation")
    assert len(parts) == len(lines) - 2
    for row in parts.iter_rows(named=True):
        check(row, lines[row["run"], row["relation"]]["score"])
    declined = statistics.difference(charts, made.charts[0], made.charts[1], value="abstained").row(0, named=True)
    assert declined["value"] == lines[made.charts[1], ""]["abstention"]["value"]


def test_tiers_are_those_of_compare(made: Made, charts: pl.DataFrame) -> None:
    plain = call(made, "compare", *made.charts, "--json")["tiers"]
    found = statistics.tiers(charts)
    assert found["run"].to_list() == [each["run"] for each in plain["ranked"]]
    for row, told in zip(found.iter_rows(named=True), plain["ranked"], strict=True):
        same(row, told["score"])
        assert row["letters"] == told["letters"]
    pairs = statistics.pairwise(charts)
    for row, told in zip(pairs.iter_rows(named=True), plain["pairs"], strict=True):
        assert (row["better"], row["worse"], row["apart"]) == (told["better"], told["worse"], told["apart"])
        assert (row["value"], row["p"], row["p_holm"]) == tuple(told["difference"][k] for k in ("value", "p", "p_holm"))
    assert pairs["apart"].any()


def test_agreement_is_that_of_audit(made: Made, charts: pl.DataFrame) -> None:
    (plain,) = call(made, "audit", made.charts[0], "--human", str(made.labels), "--json")["runs"][0]["audits"]
    labels = pl.read_csv(made.labels).select(item="id", people=(pl.col("label") == "right").cast(pl.Int8))
    table = charts.filter(pl.col("run") == made.charts[0]).join(labels, on="item", how="left")
    both = table.filter(pl.col("people").is_not_null() & pl.col("value").is_not_null())
    found = statistics.agreement(both)
    assert found["statistic"].to_list() == ["accuracy", "kappa", "alpha", "sensitivity", "specificity"]
    for row in found.iter_rows(named=True):
        same(row, plain["overall"][row["statistic"]])
    values = dict(statistics.agreement(table).select("statistic", "value").rows())
    assert values == {name: plain["overall"][name]["value"] for name in values}  # rows without a label change nothing
    parts = statistics.agreement(both, by="relation", resamples=1000)
    for told in plain["parts"]:
        if "relation" in told["labels"]:
            same(only(parts, relation=told["labels"]["relation"], statistic="kappa"), told["kappa"])
    adjusted = statistics.adjusted_rate(table).row(0, named=True)
    same(adjusted, plain["adjusted"]["estimate"])
    assert (adjusted["raw"], adjusted["audited"], adjusted["weight"]) == (
        plain["adjusted"]["raw"]["value"],
        plain["adjusted"]["audited"]["value"],
        plain["adjusted"]["weight"],
    )
    pair = both.with_columns(pl.col("value").cast(pl.Int64), pl.col("people").cast(pl.Int64))
    same(statistics.reliability(pair, ["people", "value"]).row(0, named=True), plain["overall"]["alpha"])


def test_certainty_is_that_of_selective(made: Made, charts: pl.DataFrame) -> None:
    plain = call(made, "selective", made.charts[1], "--json")
    table = charts.filter(pl.col("run") == made.charts[1])
    given = table.filter(pl.col("value").is_not_null())
    found = statistics.risk_coverage(given, silent="silent")
    same(only(found, statistic="risk"), plain["risk"]["risk"])
    same(only(found, statistic="aurc"), plain["risk"]["aurc"])
    same(only(found, statistic="excess_aurc"), plain["risk"]["excess"])
    separation = only(found, statistic="separation")
    assert [separation[name] for name in ("value", "low", "high")] == [
        plain["risk"]["separation"][name] for name in ("value", "low", "high")
    ]
    curve = statistics.risk_coverage_curve(given, silent="silent")
    assert [list(row) for row in curve.rows()] == plain["risk"]["curve"]
    errors = statistics.calibration_error(given, silent="silent")
    for name in ("error", "brier", "overconfidence", "right"):
        same(only(errors, statistic=name), plain["calibration"][name])
    assert only(errors, statistic="plain_error")["value"] == plain["calibration"]["plain_error"]
    bins = statistics.reliability_diagram(given, silent="silent")
    for row, told in zip(bins.iter_rows(named=True), plain["calibration"]["bins"], strict=True):
        assert (row["least"], row["greatest"], row["confidence"]) == (told["low"], told["high"], told["confidence"])
        same(row, told["right"])
    detected = statistics.signal_detection(table)
    for row in detected.iter_rows(named=True):
        same(row, plain["detection"][0][row["statistic"]], "unscored")


def test_power_is_that_of_power(made: Made, charts: pl.DataFrame) -> None:
    plain = call(made, "power", "charthal", *made.charts, "--difference", "5", "--by", "relation", "--json")
    whole = statistics.power(charts, 0.05).row(0, named=True)
    parts = statistics.power(charts, 0.05, by="relation")
    rows = {"": whole} | {row["relation"]: row for row in parts.iter_rows(named=True)}
    assert len(plain["parts"]) == len(rows)
    for told in plain["parts"]:
        row = rows[told["value"]]
        assert (row["value"], row["n"], row["clusters"], row["clusters_needed"], row["power"]) == (
            told["shows"],
            told["items"],
            told["images"],
            told["needed"],
            told["power"],
        )
        assert (row["discordance"], row["correlation"], row["run_pairs"]) == tuple(
            told["variation"][name] for name in ("discordance", "correlation", "pairs")
        )
    assert whole["run_pairs"] == 3


@pytest.mark.parametrize("method", ["spearman", "kendall"])
def test_correlations_are_those_of_correlate(made: Made, method: Any) -> None:
    kind = ["--kendall"] if method == "kendall" else []
    plain = call(made, "correlate", *made.screens, *kind, "--json")["correlation"]
    numbers = pl.DataFrame(plain["values"])
    told = {(each["first"], each["second"]): each for each in plain["pairs"]}
    found = statistics.rank_correlation(numbers, plain["numbers"], method=method)
    assert len(found) == len(told) > 10
    for row in found.iter_rows(named=True):
        pair = told[row["first"], row["second"]]
        assert (row["value"], row["n"]) == (pair["value"], pair["models"])
        if not pair["part"]:
            assert row["p"] == pair["p"]
        if row["low"] is not None and pair["low"] is not None:
            assert pair["low"] <= row["low"] <= row["high"] <= pair["high"]

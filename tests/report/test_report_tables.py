"""Tables for the terminal, for papers and for spreadsheets."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from snellen.errors import UsageError
from snellen.report.paper import paper_rows, paper_table
from snellen.report.tables import summary, to_rows
from snellen.verdict import Verdict

Make = Callable[..., Any]
HOSTILE = "[red]bold[/red] [link=file:///etc]x[/] \x1b[2J\x1b]0;title\x07 \u202e图表"


def printed(*sources: Any, width: int = 80, **options: Any) -> str:
    file = io.StringIO()
    summary(sources, Console(file=file, width=width, **options))
    return file.getvalue()


def test_a_run_in_a_pipe(run: Any) -> None:
    run.remarks = ["temperature was refused by the server and left out"]
    text = printed(run)
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80
    flat = " ".join(text.split())
    assert run.results.headline_text() in flat
    for words in ("Descriptive", "Contradictory", "over-refusal, of answerable", "temperature was refused", "A note"):
        assert words in flat
    for cell in run.results.cells.values():
        assert f"{cell:interval}" in flat
    for values in run.results.marginals.values():
        for estimate in values.values():
            assert f"{100 * estimate.value:.1f} {estimate:interval}" in flat


def test_a_terminal_gets_weight_but_the_same_words(run: Any) -> None:
    styled = printed(run, force_terminal=True, color_system="standard", legacy_windows=False)
    assert "\x1b[1m" in styled


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_digit_is_lost_at_any_width(run: Any, width: int) -> None:
    text = printed(run, width=width)
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width
    if width >= 80:
        assert f"{run.results.headline:interval}" in text


def test_several_runs_are_compared_first(run: Any) -> None:
    text = printed(run, replace(run, name="charthal/other-9z@rules"))
    first = text[: text.index("scored of")]
    assert "other-9z@rules" in first
    assert "model-1a2b@rules" in first


def test_markup_and_control_characters_are_text(run: Any) -> None:
    text = printed(
        replace(run, name=HOSTILE, remarks=[HOSTILE]), force_terminal=True, color_system="standard", width=120
    )
    assert "[red]bold[/red] [link=file:///etc]x[/]" in text
    assert "\x1b[2J" not in text
    assert "\x1b]" not in text
    assert "\u202e" not in text
    assert "⟨U+202E⟩图表" in text


def test_a_stream_that_takes_ascii_only_gets_escapes(run: Any) -> None:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding="ascii")
    summary([replace(run, name="charthal/图表@rules")], Console(file=file, width=80))
    file.flush()
    text = raw.getvalue().decode("ascii")
    assert r"\u56fe\u8868" in text
    assert "Descriptive" in text


def test_a_run_without_a_score_has_no_tables_of_dashes(make_source: Make) -> None:
    source = make_source()
    source.add("x", Verdict(None, unscored="model_error"))
    text = printed(source)
    assert "model errors 1" in text
    assert "Nothing is scored, so there is no table." in text
    assert "Descriptive" not in text


def test_empty_cells_and_missing_scores(make_source: Make) -> None:
    source = make_source()
    source.add("x", Verdict(1))
    source.add("y", Verdict(None, unscored="judge_error"))
    flat = " ".join(printed(source).split())
    assert "no items" in flat
    assert "none of 1" in flat
    assert "No items: Reasoning, Open-ended." in flat
    assert "Reasoning" not in flat[: flat.index("No items")]


def test_a_card_without_labels(run: Any) -> None:
    text = printed(replace(run, card=replace(run.card, labels={}, answerable={})))
    assert "Descriptive" not in text
    assert "over-refusal" not in text


def test_labels_of_many_values_are_left_to_the_report(make_source: Make) -> None:
    source = make_source()
    for number in range(12):
        source.add(
            "x", Verdict(1), labels={"question_type": "reasoning", "relation": "normal", "kind": f"kind{number}"}
        )
    source.card = replace(source.card, labels={**source.card.labels, "kind": tuple(f"kind{n}" for n in range(12))})
    assert "kind3" not in printed(source).lower()
    assert "kind3" not in paper_table([source]).lower()
    assert sum(row["label"] == "kind" for row in to_rows(source)) == 12


def test_flat_rows_hold_every_estimate(run: Any) -> None:
    rows = to_rows(run)
    results = run.results
    assert len(rows) == 1 + sum(map(len, results.marginals.values())) + 12 + 2
    assert len({tuple(row) for row in rows}) == 1
    overall = rows[0]
    assert (overall["value"], overall["low"], overall["high"]) == (
        results.headline.value,
        results.headline.low,
        results.headline.high,
    )
    cells = {row["value_of_label"]: row["scored"] for row in rows if row["scope"] == "cell"}
    assert cells["reasoning*normal"] == results.cells["reasoning", "normal"].n
    assert sum(int(row["scored"] or 0) for row in rows if row["scope"] == "cell") == overall["scored"]


def test_a_table_for_a_paper(run: Any) -> None:
    lines = paper_table([run, replace(run, name="charthal/a|b_c@rules")], published=True).splitlines()
    assert len(lines) == 2 + 2 + 2
    assert len({line.replace("\\|", "").count("|") for line in lines}) == 1
    headline = run.results.headline
    assert lines[4].endswith(f"| {100 * headline.value:.1f} {headline:interval} |")
    assert r"a\|b\_c@rules" in lines[5]
    assert "| 95.0 |" in lines[2]


def test_a_table_in_latex(run: Any) -> None:
    text = paper_table([replace(run, name=r"50%_of {x} & \input{/etc/passwd} $y^2$ #1 ~")], "latex")
    row = next(line for line in text.splitlines() if "50" in line)
    assert (
        r"50\%\_of \{x\} \& \textbackslash{}input\{/etc/passwd\} \$y\textasciicircum{}2\$ \#1 \textasciitilde{}" in row
    )
    lines = text.splitlines()
    columns = lines[1].removeprefix(r"\begin{tabular}{").removesuffix("}")
    assert row.replace(r"\&", "").count("&") == len(columns) - 1
    assert text.count(r"\\") == 3
    assert lines[0] == r"% needs \usepackage{booktabs}"
    assert [line for line in lines if line.endswith("rule")] == [r"\toprule", r"\midrule", r"\bottomrule"]
    groups = next(line for line in lines if "multicolumn" in line)
    assert groups.startswith(r" & \multicolumn{3}{c}{Question type} & \multicolumn{4}{c}{Relation to the chart}")
    assert r"\cmidrule(lr){2-4} \cmidrule(lr){5-8}" in text
    headline = run.results.headline
    assert row.endswith(rf"& {100 * headline.value:.1f} {{\scriptsize {headline:interval}}} \\")


def test_a_row_in_latex_does_not_begin_with_what_its_forerunner_would_take(run: Any) -> None:
    lines = paper_table([replace(run, name="[b] x"), replace(run, name="*y")], "latex", published=True).splitlines()
    assert any(line.startswith("{}[b] x & ") for line in lines)
    assert any(line.startswith("{}*y & ") for line in lines)
    assert lines.count(r"\midrule") == 2  # the published rows stand apart


def test_labels_and_intervals_of_a_table_can_be_chosen(run: Any) -> None:
    head, _, row = paper_table([run], labels=["relation"], intervals=False).splitlines()
    assert head == "| model | Irrelevant | Inexistent | Contradictory | Normal | overall |"
    assert "[" not in row
    with pytest.raises(UsageError, match="no run here has the label 'colour'; there are: question_type, relation"):
        paper_table([run], labels=["colour"])


def test_a_table_as_records(run: Any) -> None:
    best, worst, mine = paper_rows([run], published=True, labels=["relation"])
    assert (best["run"], best["overall"], best["relation=normal"], best["overall:low"]) == ("Best-72B", 0.95, 0.9, None)
    assert (worst["run"], worst["relation=inexistent"]) == ("Worst-3B", None)
    headline, normal = run.results.headline, run.results.marginals["relation"]["normal"]
    assert (mine["run"], mine["benchmark"]) == (run.name, "charthal")
    assert (mine["overall"], mine["overall:low"], mine["overall:high"], mine["overall:scored"]) == (
        headline.value,
        headline.low,
        headline.high,
        headline.n,
    )
    assert mine["relation=normal:scored"] == normal.n
    assert set(best) == set(mine)


def test_what_cannot_be_a_table_is_said(run: Any) -> None:
    with pytest.raises(UsageError, match="one and the same benchmark"):
        paper_table([run, replace(run, card=replace(run.card, name="other"))])
    with pytest.raises(UsageError, match="one and the same benchmark"):
        paper_table([])
    with pytest.raises(UsageError, match="not as html"):
        paper_table([run], "html")  # type: ignore[arg-type]

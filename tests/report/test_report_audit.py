"""An audit in words, on the terminal and on the page."""

from __future__ import annotations

import copy
import io
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest
from rich.console import Console

from audited import CARD, Row, crowd_of, table_of
from snellen.engine.audit import audit
from snellen.engine.auditing import Audited, Disagreement, RunAudit
from snellen.engine.judge_panel import PANEL, panel
from snellen.engine.self_preference import Preference
from snellen.errors import DataError
from snellen.estimate import Estimate
from snellen.report import page
from snellen.report.audit import (
    coefficient,
    labels_title,
    people_text,
    preference_text,
    problem_texts,
    said_by,
    score_notes,
    section,
)
from snellen.report.audit_tables import show

HOSTILE = "<script>alert(1)</script>\x1b[31m\u202e"
ROWS: list[Row] = [
    (f"{chr(0x4E00 + number // 3)}{number}", ("open/normal", "closed/absent", "open/absent")[number % 3], number % 2)
    for number in range(60)
]


@dataclass
class Made:
    """What the words need of a judged run."""

    name: str
    card: Any = CARD


class Listed(RunAudit):
    """With disagreements that need no ledger."""

    def disagreements(self, found: Any, most: int | None = None) -> Any:
        positions = found.disagreements[:most].tolist()
        for place, value in zip(positions, found.values.tolist(), strict=False):
            said = {"ann": 1 - value, HOSTILE: None}
            yield Disagreement(ROWS[place][0] + HOSTILE, HOSTILE, f"answer {HOSTILE}", value, HOSTILE, said)


@pytest.fixture
def found() -> Audited:
    """Two judges of 60 answers, 30 of which people labelled; the second errs on some."""
    tables = [
        table_of(ROWS),
        table_of([(n, ls, 1 - (v or 0) if k % 9 == 0 else v) for k, (n, ls, v) in enumerate(ROWS)]),
    ]
    said = [(name, value, rater) for name, _, value in ROWS[:30] for rater in ("ann", HOSTILE)]
    crowd = crowd_of(ROWS, said)
    names = [f"made/run@{name}" for name in ("rules", f"b{HOSTILE}")]
    together = panel("made/run", names, tables)
    audits = [
        audit(name, CARD, table, crowd) for name, table in zip([*names, PANEL], [*tables, together.table], strict=True)
    ]
    judged = cast(Any, tuple(Made(name) for name in names))
    run = Listed(cast(Any, None), "made/run", judged, crowd, tuple(audits), together)
    shares = (Estimate(0.9, 0.8, 0.95, 40, 10), Estimate(0.85, 0.7, 0.9, 40, 10))
    preferred = Preference(
        "gpt", "openai", ("r1",), ("r2",), ("rules",), Estimate(0.05, 0.01, 0.1, 80, 10), {1: shares}
    )
    return Audited((run,), (preferred,), (DataError(f"no such item {HOSTILE}", file="l.csv", row="3"),))


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_the_terminal_fits_and_shows_no_foreign_escapes(found: Audited, encoding: str) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    show(found, Console(file=stream, width=80, highlight=False))
    stream.flush()
    said = raw.getvalue().decode(encoding)
    for words in (
        "human-adjusted",
        "judge: not scored",
        "panel of 2",
        "kind",
        "worst",
        "it favours its own family",
    ):
        assert words in said
    assert "\x1b" not in said
    assert "\u202e" not in said
    if encoding == "utf-8":
        assert max(map(len, said.splitlines())) <= 80


def test_the_page_has_the_audit_and_runs_nothing(found: Audited, run: Any, tmp_path: Path) -> None:
    page.write([run], tmp_path / "r.html", audited=section(found))
    html = (tmp_path / "r.html").read_text("utf-8")
    assert '<section id="audit">' in html
    assert "Agreement by label" in html
    assert "Labels that were not used" in html
    assert "Do judges favour their own family?" in html
    assert html.count("Seen differently: ") == 1
    assert "<script" not in html
    assert "\u202e" not in html
    page.write([copy.copy(run)], tmp_path / "without.html")
    assert "audit" not in (tmp_path / "without.html").read_text("utf-8").lower()


def test_the_page_says_when_not_all_disagreements_are_listed(found: Audited) -> None:
    _, second, _ = section(found, shown=1).runs[0].judges
    assert second.differing.endswith("The first 1 of either kind are shown.")
    assert len(second.disagreements) == 1
    assert not section(found, shown=0).runs[0].judges[1].differing.endswith("shown.")


def test_small_words() -> None:
    assert said_by({"ann": 0, "bob": None, "cem": 0}) == "wrong (ann, cem), cannot tell (bob)"
    assert said_by({str(n): 1 for n in range(10)}).endswith("7, and 2 more)")
    assert coefficient(Estimate(0.8512, 0.8149, 0.8891, 9, 9)).text == "0.85 [0.81, 0.89]"
    assert coefficient(Estimate(None, None, None, 0, 0)).text == "-"
    assert labels_title(CARD, {"@change": "jpeg:3"}) == "Condition: jpeg:3"
    assert labels_title(CARD, {"kind": "open"}) == "Kind: Open"
    assert labels_title(CARD, {"kind": "open", "relation": "normal"}) == "Open, Normal"


def test_people_are_told_of(found: Audited) -> None:
    (run,) = found.runs
    assert people_text(run).startswith("2 people, 30 answers labelled; 30 by two or more: all say the same of 100.0 [8")
    alone = Listed(run.workspace, run.run, run.judged, crowd_of(ROWS, [(ROWS[0][0], 1)]), (), None)
    assert people_text(alone) == (
        "1 person, 1 answer labelled. No answer has two people's labels, so their own agreement is not known."
    )
    none = Listed(run.workspace, run.run, run.judged, crowd_of(ROWS, []), (), None)
    assert people_text(none) == "Nobody labelled an answer of this run."


def test_a_sample_that_is_none_is_warned_of() -> None:
    right = [(name, 1) for name, _, value in ROWS if value == 1]
    notes = list(score_notes(audit("r", CARD, table_of(ROWS), crowd_of(ROWS, right)), CARD))
    assert any("They do not look like one: the judge's verdict right is 100.0 % of them and 0.0 %" in n for n in notes)
    assert "is not to be trusted as it stands" in notes[1]
    everything = audit("r", CARD, table_of(ROWS), crowd_of(ROWS, [(name, 1) for name, _, _ in ROWS]))
    assert "needs no adjusting" in next(iter(score_notes(everything, CARD)))


def test_preferences_and_problems_in_words(found: Audited) -> None:
    (each,) = found.preferences
    assert "+5.0 points [+1.0, +10.0], it favours its own family" in preference_text(each)
    harder = replace(each, difference=Estimate(-0.05, -0.1, -0.01, 80, 10))
    assert "harder on its own family" in preference_text(harder)
    unsure = replace(each, difference=Estimate(0.05, -0.1, 0.2, 80, 10))
    assert "no preference is seen" in preference_text(unsure)
    nothing = replace(each, difference=Estimate(None, None, None, 0, 0))
    assert "no answers of its family" in preference_text(nothing)
    many = replace(found, problems=found.problems * 25)
    assert list(problem_texts(many, 20))[-1] == "and 5 more labels that were not used"

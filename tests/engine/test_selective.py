"""Selective behaviour of small runs whose numbers are counted by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import small_charthal
import snellen
from snellen.answer import Answer, Likelihood
from snellen.engine.certainty import confidences, source_of
from snellen.engine.judged import Judged
from snellen.engine.selective import ANSWERABLE, UNANSWERABLE, Worth, selective
from snellen.engine.stated import Stated
from snellen.engine.withholding import Guarantee
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError

FIGURES = 6
Make = Callable[..., Judged]

# What is said in each of the twelve cells of a figure: descriptive, reasoning, open-ended; inexistent, irrelevant,
# contradictory, normal in each.
SAID = {
    0: ("The chart does not show this information, so I cannot tell.", 90),  # right to decline
    1: ("It is 7.", 40),  # hallucinated
    2: ("It is 7.", 30),  # hallucinated
    3: ("It is {figure}.", 95),  # right
    4: ("It is 9.", 50),  # hallucinated
    5: ("I cannot tell.", 20),  # declines, and does not name the irrelevance
    6: ("It is 7.", 60),  # hallucinated
    7: ("It is {figure}.", 80),  # right
}


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes a judged run of recorded answers; `line` writes what stands below each."""
    data = small_charthal.write(tmp_path / "data", FIGURES)
    with Workspace(tmp_path / "w") as workspace:

        def made(line: str = "\nConfidence: {confidence}%", prompt: str = "confidence", number: int = 0) -> Judged:
            file = tmp_path / f"answers{number}.jsonl"
            rows = [
                {
                    "id": f"charthal/{figure}/{index}",
                    "response": said.format(figure=figure) + line.format(confidence=confidence),
                }
                for figure in range(1, FIGURES + 1)
                for index, (said, confidence) in SAID.items()
            ]
            file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
            run = snellen.run(
                "charthal", model=f"replay:{file}", prompt=prompt, data=data, workspace=workspace, only_recorded=True
            )
            return run.judged

        yield made


def counts(worth: Worth) -> tuple[int, int, int, int]:
    return worth.right, worth.declined_right, worth.silent, worth.hallucinated


def test_worth_by_hand(make: Make) -> None:
    found = selective(make(), cost=2, by=["relation"])
    whole, answerable, unanswerable, *parts = found.worth
    assert counts(whole) == (12, 6, 6, 24)
    assert whole.reliability.value == pytest.approx((12 - 2 * 24) / 48)
    assert whole.credited.value == pytest.approx((12 + 6 - 2 * 24) / 48)
    assert whole.break_even.value == pytest.approx(0.5)
    assert (answerable.value, counts(answerable)) == (ANSWERABLE, (12, 0, 0, 0))
    assert answerable.break_even.value is None
    assert (unanswerable.value, counts(unanswerable)) == (UNANSWERABLE, (0, 6, 6, 24))
    assert [(each.label, each.value) for each in parts[:2]] == [("relation", "irrelevant"), ("relation", "inexistent")]
    assert counts(parts[0]) == (0, 0, 6, 6)
    plain = found.to_json()
    assert json.loads(json.dumps(plain)) == plain


def test_free_hallucinations_and_dear_ones(make: Make) -> None:
    judged = make()
    free, dear = selective(judged, cost=0).worth[0], selective(judged, cost=10).worth[0]
    assert free.reliability.value == pytest.approx(12 / 48)
    assert dear.reliability.value == pytest.approx((12 - 240) / 48)
    for cost in (-1, float("nan"), float("inf")):
        with pytest.raises(UsageError, match="costs 0 right answers or more"):
            selective(judged, cost=cost)


def test_unscored_answers_are_in_the_bounds(make: Make) -> None:
    judged = make()
    judged.table.values.flags.writeable = True
    judged.table.values[0] = -1
    whole = selective(judged, cost=2).worth[0].reliability
    assert (whole.n, whole.unscored) == (47, 1)
    total = 12 - 2 * 24
    assert whole.lower_bound == pytest.approx((total - 2) / 48)
    assert whole.upper_bound == pytest.approx((total + 1) / 48)


def test_detection_by_hand(make: Make) -> None:
    whole, irrelevant, inexistent, contradictory = selective(make()).detection
    assert whole.found.hits.value == pytest.approx(12 / 36)
    assert whole.found.false_alarms.value == 0.0
    assert (irrelevant.value, irrelevant.found.hits.value) == ("irrelevant", 0.5)
    assert (inexistent.value, inexistent.found.hits.value) == ("inexistent", 0.5)
    assert contradictory.found.hits.value == 0.0
    assert contradictory.found.hits.n == 12
    assert contradictory.found.false_alarms.n == 12


def test_confidence_is_read_and_taken_off_before_judging(make: Make) -> None:
    stated, plain = make(), make(line="", prompt="direct", number=1)
    assert stated.table.values.tolist() == plain.table.values.tolist()
    assert stated.table.bits.tolist() == plain.table.bits.tolist()
    found = selective(stated)
    assert (found.source, found.answers, found.confident) == ("words", 36, 36)
    assert found.risk is not None
    assert found.risk.risk.value == pytest.approx(24 / 36)
    assert found.risk.aurc.value == pytest.approx(
        np.mean([0] * 12 + [(k - 12) / k for k in range(13, 37)])  # the surest are right
    )
    assert found.calibration is not None
    assert found.calibration.confidence == pytest.approx((95 + 80 + 40 + 30 + 50 + 60) / 600)
    row = stated.row("charthal/1/3")
    assert row is not None
    assert row.visible.endswith("Confidence: 95%")  # what is shown is what the model said


def test_without_a_confidence_there_is_no_more_to_say(make: Make) -> None:
    found = selective(make(line="", prompt="direct"), guarantee=Guarantee(0.2))
    assert found.source is None
    assert (found.risk, found.calibration, found.withholding) == (None, None, None)
    assert found.answers == 36


def test_a_statement_that_was_not_asked_for_is_a_part_of_the_answer(make: Make) -> None:
    judged = make(prompt="direct")
    assert selective(judged).source is None
    said = Answer("answered", "It is 5.\nConfidence: 85%")
    assert Stated.of("direct").without(said) is said
    assert Stated.of("no-such-prompt").confidence(said) is None
    asked = Stated.of("confidence")
    assert asked.confidence(said) == 0.85
    without = asked.without(said)
    assert without is not None
    assert without.text == "It is 5."
    assert asked.without(None) is None


def test_thinking_and_cut_answers_state_nothing() -> None:
    asked = Stated.of("confidence")
    thought = Answer("answered", "<think>Confidence: 10</think>It is 5.\nConfidence: 85")
    assert asked.confidence(thought) == 0.85
    only = Answer("answered", "<think>Confidence: 10</think>It is 5.")
    assert asked.confidence(only) is None
    assert asked.without(only) is only
    cut = Answer("truncated", "Confidence: 85", finish_reason="length")
    assert asked.confidence(cut) is None
    assert asked.without(cut) is cut


def test_words_come_from_the_prompts_scale(make: Make) -> None:
    found = selective(make(line="\nConfidence: very high", prompt="confidence-words"))
    assert found.calibration is not None
    assert found.calibration.confidence == pytest.approx(0.9)
    assert selective(make(line="\nConfidence: very high", number=1)).source is None


def test_tokens_are_taken_where_nothing_is_stated(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = make(line="", prompt="direct")
    rows = list(judged.rows())

    def likely() -> Iterator[Any]:
        for number, row in enumerate(rows):
            object.__setattr__(row.answer, "likelihood", Likelihood(-0.1 * (number + 1), 1, -0.1))
            yield row

    monkeypatch.setattr(judged, "rows", likely)
    found, source = confidences(judged, judged.table)
    assert source == "tokens"
    assert found[:2].tolist() == pytest.approx([np.exp(-0.1), np.exp(-0.2)])
    assert confidences(judged, judged.table, "words")[1] is None
    with pytest.raises(UsageError, match="words or tokens"):
        source_of("feeling")


def test_withholding_by_hand(make: Make) -> None:
    """All answers from 0.8 on are right; at 0.6 a third is not, which six figures cannot tell from 0.4."""
    guarantee = Guarantee(0.4, miss=0.6, exact=False)
    found = selective(make(), cost=1, guarantee=guarantee).withholding
    assert found is not None
    assert found.threshold == 0.8
    assert found.folds == (0.8,) * 5
    assert found.withheld == 24
    assert found.before.risk.value == pytest.approx(24 / 36)
    assert found.before.coverage.value == pytest.approx(36 / 48)
    assert found.after.risk.value == 0.0
    assert found.after.coverage.value == pytest.approx(12 / 48)
    # Refusals in place of the others pass in the cells where the information is missing (4), not on a false premise.
    score = found.differences["score"]
    assert score.lost == 0
    assert score.gained == 6
    assert found.differences["over_refusal"].value == 0.0
    assert found.differences["abstention"].gained == 24
    assert found.before.reliability.value == pytest.approx((12 - 24) / 48)
    assert found.after.reliability.value == pytest.approx(12 / 48)
    assert found.gain.value == pytest.approx(24 / 48)


def test_where_nothing_can_be_guaranteed_everything_is_withheld(make: Make) -> None:
    found = selective(make(), guarantee=Guarantee(0.01)).withholding
    assert found is not None
    assert found.threshold is None
    assert found.folds == (None,) * 5
    assert found.withheld == 36
    assert found.after.coverage.value == 0.0
    assert found.after.risk.value is None
    assert found.after.reliability.value == 0.0
    assert found.differences["over_refusal"].value == 1.0
    for wrong in ((0.0, 0.1), (0.2, 1.0)):
        with pytest.raises(UsageError, match="between 0 and 1"):
            Guarantee(*wrong)


def test_a_label_that_nobody_has_is_told(make: Make) -> None:
    with pytest.raises(UsageError, match="no item has a label named 'colour'"):
        selective(make(), by=["colour"])

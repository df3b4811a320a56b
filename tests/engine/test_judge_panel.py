"""Several judges: pairs, the panel by majority, and whether a judge favours its own family."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from audited import Row, table_of
from snellen.engine.judge_panel import majority, panel
from snellen.engine.self_preference import Seen, preferences
from snellen.errors import UsageError
from snellen.table import VerdictTable
from snellen.verdict import UNSCORED

NAMES = ("a1", "a2", "b1", "b2", "c1")


def judged(values: list[int | None]) -> VerdictTable:
    rows: list[Row] = [(name, "open", value) for name, value in zip(NAMES, values, strict=True)]
    return table_of(rows)


def test_a_panel_by_hand() -> None:
    tables = [judged([1, 1, 0, None, 1]), judged([1, 0, 0, None, None]), judged([0, 1, 0, None, 0])]
    found = panel("run", ["x", "y", "z"], tables)
    assert found.table.values.tolist() == [1, 1, 0, -1, -1]
    assert found.ties == 1  # of c1 one says right, one wrong; of b2 nobody says anything
    assert (found.rate.hits, found.rate.n, found.rate.unscored) == (2, 3, 2)
    assert found.table.reasons.tolist()[3:] == [UNSCORED.index("judge_cannot_tell")] * 2
    shares = {(pair.first, pair.second): (pair.accuracy.hits, pair.accuracy.n) for pair in found.pairs}
    assert shares == {("x", "y"): (2, 3), ("x", "z"): (2, 4), ("y", "z"): (1, 3)}
    assert found.alpha.n == 4
    assert found.to_json()["judges"] == ["x", "y", "z"]


def test_two_judges_that_differ_are_a_tie() -> None:
    assert majority(np.array([[1, 0, 1, -1], [0, 0, -1, -1]])).tolist() == [-1, 0, 1, -1]


def test_a_panel_is_of_several_judges_on_the_same_items() -> None:
    one = judged([1, 1, 0, 0, 1])
    with pytest.raises(UsageError, match="two judges"):
        panel("run", ["x"], [one])
    with pytest.raises(UsageError, match="not of the same items"):
        panel("run", ["x", "y"], [one, one.select(np.array([True, True, True, True, False]))])


def seen_by(run: str, family: str, judge: str, judge_family: str, values: np.ndarray) -> Seen:
    names = [f"{chr(0x4E00 + number // 4)}{number % 4}" for number in range(len(values))]
    return Seen(
        run, family, judge, judge_family, table_of([(n, "open", int(v)) for n, v in zip(names, values, strict=True)])
    )


def runs(favour: float, seed: int = 0, items: int = 400) -> list[Seen]:
    """Models of two families; `mild` of family a passes so many more of the wrong answers of its own."""
    rng = np.random.default_rng(seed)
    found = []
    for run, family, rate in (("r1", "a", 0.7), ("r2", "b", 0.3), ("r3", "b", 0.4)):
        truth = (rng.random(items) < rate).astype(int)
        lenient = rng.random(items) < (0.1 + favour * (family == "a"))
        found.append(seen_by(run, family, "mild", "a", np.where(lenient, 1, truth)))
        for judge in ("firm", "fair"):
            found.append(seen_by(run, family, judge, "" if judge == "firm" else "c", truth))
    return found


def test_favouring_ones_own_is_seen_and_better_answers_are_no_favour() -> None:
    (fair,) = preferences(runs(0.0, seed=1))
    assert (fair.judge, fair.family, fair.own, fair.others) == ("mild", "a", ("r1",), ("r2", "r3"))
    assert fair.panel == ("firm", "fair")
    assert fair.difference.low is not None
    assert fair.difference.high is not None
    assert fair.difference.low < 0 < fair.difference.high
    (own,) = preferences(runs(0.4))
    assert own.difference.low is not None
    assert own.difference.low > 0
    passed_own, passed_others = own.passed[0]
    assert passed_own.value is not None
    assert passed_others.value is not None
    assert passed_own.value > passed_others.value + 0.25
    assert own.passed[1][0].value == own.passed[1][1].value == 1
    # Standardised to the own answers: nothing is gained where the panel passes, the difference counts where it fails.
    share = passed_own.n / (passed_own.n + own.passed[1][0].n)
    assert own.difference.value == pytest.approx(share * (passed_own.value - passed_others.value))


def test_no_preference_without_own_and_others_and_a_judge_of_another_family() -> None:
    every = runs(0.4)
    assert preferences([each for each in every if each.run == "r1"]) == ()
    assert preferences([each for each in every if each.run != "r1"]) == ()
    assert preferences([each for each in every if each.judge == "mild"]) == ()
    assert preferences([replace(each, judge_family="") for each in every]) == ()
    kin = [replace(each, judge_family="a") for each in every]
    assert preferences(kin) == ()


def test_plain_values() -> None:
    (found,) = preferences(runs(0.4))
    plain = found.to_json()
    assert [each["panel"] for each in plain["passed"]] == [1, 0]
    assert plain["difference"]["n"] == 1200

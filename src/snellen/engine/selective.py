"""Selective behaviour: what a model's answers are worth when it may decline, and whether it knows when to.

A model that always finds a reason to decline passes most of a benchmark whose questions have no answer. So:

- **Effective reliability** (Whitehead et al. 2022, Reliable visual question answering: abstain rather than answer
  incorrectly, ECCV, arXiv 2204.13631): the mean of +1 for an answer that is right, 0 for none, and -C for one that
  hallucinates, with a cost C that the user sets. Declining is worth 0, right or wrong: who always declines has 0, and
  who is above 0 is worth asking. Empty and unclear answers claim nothing, and count as none. Beside it the same with
  +1 for declining where the rubric calls that right.
  Their intervals are those of `snellen.engine.worth_interval`.
- **Break-even cost**: right answers for each hallucination; at a higher cost silence is worth more.
- **Signal detection** (`snellen.engine.detection`): whether declining tells what cannot be answered.
- With a confidence (`snellen.engine.certainty`): the risk-coverage curve of the answers that are given
  (`snellen.engine.risk_coverage`), their calibration (`snellen.engine.calibration`), and withholding answers below a
  threshold as a mitigation (`snellen.engine.withholding`).

Changed versions of items take no part, nor do lists of elements on screens, which nobody declines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.card import Card
from snellen.engine.calibration import Calibration, calibrate
from snellen.engine.certainty import Source, confidences
from snellen.engine.detection import Detection, detect
from snellen.engine.judged import Judged
from snellen.engine.risk_coverage import RiskCoverage, risk_coverage
from snellen.engine.threshold import Answers
from snellen.engine.withholding import Guarantee, Withholding, withhold
from snellen.engine.worth_interval import worth as worth_of
from snellen.errors import UsageError
from snellen.estimate import Estimate, ratio
from snellen.metrics._screens import ABSENT, PRESENT, TASK
from snellen.table import VerdictTable
from snellen.verdict import ABSTAINED, EMPTY, UNCLEAR

COST = 1.0
"""Of a hallucination, in right answers, unless the user says otherwise."""

ANSWERABLE, UNANSWERABLE = "answerable", "unanswerable"

_SEED = 0

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Worth:
    """What answers are worth, over all questions or a part of them.

    Attributes:
        label, value: which questions; both empty for all. The label ``""`` with `ANSWERABLE` or `UNANSWERABLE` is by
            the benchmark's card.
        right: answers that are right.
        declined_right: answers that decline, which the rubric calls right.
        silent: answers that decline, are empty or unclear, which it does not.
        hallucinated: all others.
        reliability: effective reliability, in [-C, 1].
        credited: the same with +1 for `declined_right`.
        break_even: right answers for each hallucination; no value without one.
    """

    label: str
    value: str
    right: int
    declined_right: int
    silent: int
    hallucinated: int
    reliability: Estimate
    credited: Estimate
    break_even: Estimate

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        names = ("label", "value", "right", "declined_right", "silent", "hallucinated")
        plain: dict[str, Any] = {name: getattr(self, name) for name in names}
        return plain | {name: getattr(self, name).to_json() for name in ("reliability", "credited", "break_even")}


@dataclass(frozen=True, slots=True)
class Detected:
    """Signal detection over all questions, or those of one value of a label against all that can be answered."""

    label: str
    value: str
    found: Detection

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"label": self.label, "value": self.value, **self.found.to_json()}


@dataclass(frozen=True, slots=True)
class Selective:
    """Selective behaviour of one run.

    Attributes:
        run: its name.
        card: of its benchmark.
        cost: of a hallucination, in right answers.
        worth: over all questions, answerable and unanswerable ones where the benchmark has both, then by label.
        detection: empty where the benchmark does not have both kinds of questions.
        source: where confidences come from; None where there are none.
        answers: scored answers that claim something.
        confident: those of them with a confidence; what follows is over these.
        risk: their risk-coverage curve; None without a confidence.
        calibration: None without a confidence.
        withholding: what a threshold comes to; None where it was not asked for, or without a confidence.
    """

    run: str
    card: Card
    cost: float
    worth: tuple[Worth, ...]
    detection: tuple[Detected, ...]
    source: Source | None
    answers: int
    confident: int
    risk: RiskCoverage | None
    calibration: Calibration | None
    withholding: Withholding | None

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        plain: dict[str, Any] = {
            name: getattr(self, name) for name in ("run", "cost", "source", "answers", "confident")
        }
        plain["worth"] = [each.to_json() for each in self.worth]
        plain["detection"] = [each.to_json() for each in self.detection]
        for name in ("risk", "calibration", "withholding"):
            found = getattr(self, name)
            plain[name] = None if found is None else found.to_json()
        return plain


def selective(
    judged: Judged,
    *,
    cost: float = COST,
    by: Sequence[str] = (),
    source: Source | None = None,
    guarantee: Guarantee | None = None,
    confident: bool = True,
) -> Selective:
    """What one run's answers are worth, and whether it knows when to decline.

    Args:
        judged: the run.
        cost: of a hallucination, in right answers; at least 0.
        by: names of labels, each of whose values gets lines of its own.
        source: where confidences come from; by default what was asked for in words, else tokens.
        guarantee: of a threshold on them; None for no threshold.
        confident: whether to look for confidences, for which every answer is read; the rest needs the table alone.

    Raises:
        UsageError: a cost below 0, or a label that no item has.
    """
    if not (cost >= 0 and np.isfinite(cost)):
        raise UsageError(f"a hallucination costs 0 right answers or more, not {cost:g}")
    table = questions(judged.table, judged.card)
    worth = tuple(_worth(table, judged.card, cost, by))
    detection = tuple(_detection(table, judged.card, by))
    scored = table.select(table.scored)
    given = ~silent(scored)
    sure, found = confidences(judged, scored, source) if confident else (np.empty(0), None)
    empty = Selective(judged.name, judged.card, cost, worth, detection, found, int(given.sum()), 0, None, None, None)
    if found is None:
        return empty
    chosen = given & np.isfinite(sure)
    wrong = given & (scored.values == 0)
    columns = sure[chosen], scored.clusters[chosen]
    answers = Answers(sure, given, wrong, scored.clusters.astype(np.int64))
    return replace(
        empty,
        confident=int(chosen.sum()),
        risk=risk_coverage(columns[0], wrong[chosen], columns[1]),
        calibration=calibrate(columns[0], ~wrong[chosen], columns[1]),
        withholding=None if guarantee is None else withhold(judged, scored, answers, guarantee, cost),
    )


def questions(table: VerdictTable, card: Card) -> VerdictTable:
    """The clean items that can be answered or declined: on screens those that ask for a place."""
    table = table.select(table.clean)
    if card.domain == "screen" and TASK in table.label_names:
        return table.select(table.mask(task=(*PRESENT, *ABSENT)))
    return table


def silent(table: VerdictTable) -> Mask:
    """Which answers claim nothing, shape (N,): they decline, are empty, or commit to nothing."""
    said: Mask = table.flag(ABSTAINED) | (table.values == 0) & (table.flag(EMPTY) | table.flag(UNCLEAR))
    return said


def _worth(table: VerdictTable, card: Card, cost: float, by: Sequence[str]) -> Iterator[Worth]:
    yield _one(table, "", "", cost)
    if table.answerable.any() and not table.answerable.all():
        yield _one(table.select(table.answerable), "", ANSWERABLE, cost)
        yield _one(table.select(~table.answerable), "", UNANSWERABLE, cost)
    for label, value in _parts(table, card, by):
        yield _one(table.where(**{label: value}), label, value, cost)


def _one(table: VerdictTable, label: str, value: str, cost: float) -> Worth:
    scored = table.select(table.scored)
    quiet, unscored = silent(scored), len(table) - len(scored)
    right, wrong = scored.values == 1, ~quiet & (scored.values == 0)
    return Worth(
        label,
        value,
        int((right & ~quiet).sum()),
        int((right & quiet).sum()),
        int((~right & quiet).sum()),
        int(wrong.sum()),
        worth_of(right & ~quiet, wrong, scored.clusters, loss=cost, unscored=unscored),
        worth_of(right, wrong, scored.clusters, loss=cost, unscored=unscored),
        ratio(right & ~quiet, wrong, scored.clusters, seed=_SEED),
    )


def _detection(table: VerdictTable, card: Card, by: Sequence[str]) -> Iterator[Detected]:
    scored = table.select(table.scored)
    asked, declined = scored.answerable, scored.flag(ABSTAINED)
    if not asked.any() or asked.all():
        return

    def found(chosen: Mask) -> Detection:
        return detect(declined[chosen], ~asked[chosen], scored.clusters[chosen])

    yield Detected("", "", found(np.ones(len(scored), np.bool_)))
    labels = dict.fromkeys((*card.answerable, *by))
    for label, value in _parts(scored, card, [name for name in labels if name in scored.label_names]):
        own = scored.mask(**{label: value})
        if not (own & ~asked).any() or not (~own & ~asked).any():
            continue  # nothing to detect in it, or all that there is to detect, as in the first line
        yield Detected(label, value, found(own if (own & asked).any() else own | asked))


def _parts(table: VerdictTable, card: Card, by: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The values of labels that occur: the card's order, then the others."""
    for label in by:
        values = table.label_values(label)
        known = [value for value in card.labels.get(label, ()) if value in values]
        for value in known + [value for value in values if value not in known]:
            if table.mask(**{label: value}).any():
                yield label, value

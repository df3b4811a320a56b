"""Withholding: an abstention threshold on confidence as a mitigation, compared with the run as it is.

Answers below the threshold are replaced by a plain refusal. Each cluster's threshold is fitted on the others
(`snellen.engine.threshold`), so that what is measured is what a new question would meet; the threshold to use from now
on is fitted on all. The run with answers withheld is then paired with the run as it is, item by item, like any other
mitigation. What a refusal is worth in an answer's place, the benchmark's rules say (`snellen.engine.certainty`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from snellen.engine.certainty import refused
from snellen.engine.judged import Judged
from snellen.engine.paired import Difference, difference
from snellen.engine.threshold import Answers, Mask, cross_fitted, fit, largest_cluster
from snellen.engine.worth_interval import worth
from snellen.errors import UsageError
from snellen.estimate import Estimate, rate, ratio
from snellen.table import VerdictTable
from snellen.verdict import ABSTAINED

FOLDS = 5

_SEED = 0


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What a threshold is to guarantee.

    Attributes:
        risk: the greatest share of hallucinations among the answers that are given.
        miss: the chance that the threshold does not keep to it.
        exact: whether the guarantee holds for any number of clusters, or approximately for many.

    Raises:
        UsageError: a risk or a miss that is not between 0 and 1.
    """

    risk: float
    miss: float = 0.1
    exact: bool = True

    def __post_init__(self) -> None:
        for name in ("risk", "miss"):
            if not 0 < getattr(self, name) < 1:
                raise UsageError(f"the {name} of a guarantee lies between 0 and 1, not at {getattr(self, name):g}")


@dataclass(frozen=True, slots=True)
class Given:
    """What is given of the scored answers.

    Attributes:
        coverage: share of the scored items that are answered.
        risk: share of hallucinations among these answers.
        reliability: effective reliability.
    """

    coverage: Estimate
    risk: Estimate
    reliability: Estimate

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {name: getattr(self, name).to_json() for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Withholding:
    """A threshold, and what it comes to.

    Attributes:
        guarantee: what it was to guarantee.
        threshold: fitted on all clusters; None where none can be guaranteed, so that everything is withheld.
        folds: fitted on all clusters but those of each fold; what follows is by these.
        withheld: answers that are withheld.
        before, after: what is given without and with them.
        differences: ``score``, ``over_refusal`` and ``abstention`` -> after less before, paired.
        gain: effective reliability after less before, paired.
    """

    guarantee: Guarantee
    threshold: float | None
    folds: tuple[float | None, ...]
    withheld: int
    before: Given
    after: Given
    differences: Mapping[str, Difference]
    gain: Estimate

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        plain: dict[str, Any] = {name: getattr(self.guarantee, name) for name in self.guarantee.__slots__}
        plain |= {"threshold": self.threshold, "folds": list(self.folds), "withheld": self.withheld}
        plain |= {name: getattr(self, name).to_json() for name in ("before", "after", "gain")}
        return plain | {"differences": {name: each.to_json() for name, each in self.differences.items()}}


def withhold(judged: Judged, scored: VerdictTable, answers: Answers, guarantee: Guarantee, cost: float) -> Withholding:
    """Fit thresholds, withhold what lies below them, and compare.

    Args:
        judged: the run.
        scored: its scored questions, shape (N,).
        answers: the same rows.
        guarantee: of the threshold.
        cost: of a hallucination, in right answers.
    """
    largest = largest_cluster(scored.clusters)
    risk, miss, exact = guarantee.risk, guarantee.miss, guarantee.exact
    kept, folds = cross_fitted(answers, risk=risk, miss=miss, largest=largest, count=FOLDS, seed=_SEED, exact=exact)
    withheld = answers.given & ~kept
    values = scored.values.copy()
    values[withheld] = 0
    open_ = withheld & ~scored.answerable
    refusals = refused(judged, set(scored.positions[open_].tolist()))
    values[open_] = [refusals.get(position, 0) for position in scored.positions[open_].tolist()]
    declined = scored.flag(ABSTAINED)
    asked = scored.answerable
    pairs = {
        "score": difference(scored.values, values, scored.clusters),
        "over_refusal": difference(declined[asked], (declined | withheld)[asked], scored.clusters[asked]),
        "abstention": difference(declined, declined | withheld, scored.clusters),
    }
    return Withholding(
        guarantee,
        fit(answers, risk=risk, miss=miss, largest=largest, seed=_SEED, exact=exact),
        tuple(folds),
        int(withheld.sum()),
        _given(answers, answers.given, cost),
        _given(answers, kept, cost),
        pairs,
        worth(withheld & answers.wrong, withheld & ~answers.wrong, answers.clusters, gain=cost),
    )


def _given(answers: Answers, given: Mask, cost: float) -> Given:
    wrong = given & answers.wrong
    return Given(
        rate(given, answers.clusters),
        ratio(wrong, given, answers.clusters, seed=_SEED),
        worth(given & ~answers.wrong, wrong, answers.clusters, loss=cost),
    )

"""Self-preference: whether a judge lets more pass of the models of its own family, given the other judges' verdicts.

That a judge passes more answers of its own family may only say that these are better. So its verdicts are compared
where the panel of the other judges says the same: with p(own, v) and p(others, v) the shares that it lets pass of the
answers by models of its family and of all other models of which the panel's verdict is v,

    preference = sum over v of share(v | own) (p(own, v) - p(others, v))

in points: how much more often answers of its own family pass than those of others of the same standing would. The
interval is the cluster bootstrap over images, which the models share. The panel is the majority of the judges of other
families; ties are left out. What the panel cannot see, such as how hard a question is, can still be behind a
difference.

Source: direct standardisation, Rothman, Greenland & Lash 2008, Modern Epidemiology, chapter 15; the question is that of
Panickssery, Bowman & Feng 2024, LLM evaluators recognize and favor their own generations, arXiv 2404.13076.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.engine.judge_panel import majority
from snellen.engine.paired import Ints, Mask
from snellen.engine.resampled import resampled
from snellen.estimate import Estimate, rate
from snellen.intervals import FloatArray, bootstrap, cluster_sums
from snellen.table import VerdictTable

_SEED = 0


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One run through one judge.

    Attributes:
        run: the run's name.
        model_family: of the model under test; empty where it is not known.
        judge: what the judge is called in every run.
        judge_family: of the judge's model; empty for rules.
        table: its verdicts.
    """

    run: str
    model_family: str
    judge: str
    judge_family: str
    table: VerdictTable


@dataclass(frozen=True, slots=True)
class Preference:
    """A judge and the models of its family.

    Attributes:
        judge, family: who.
        own, others: runs of models of its family, and of others.
        panel: the other judges.
        difference: the preference; `n` answers on which judge and panel decided.
        passed: panel's verdict (1, 0) -> shares that the judge lets pass, of its own family's answers and of others'.
    """

    judge: str
    family: str
    own: tuple[str, ...]
    others: tuple[str, ...]
    panel: tuple[str, ...]
    difference: Estimate
    passed: dict[int, tuple[Estimate, Estimate]]

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "judge": self.judge,
            "family": self.family,
            "own": list(self.own),
            "others": list(self.others),
            "panel": list(self.panel),
            "difference": self.difference.to_json(),
            "passed": [
                {"panel": verdict, "own": own.to_json(), "others": others.to_json()}
                for verdict, (own, others) in self.passed.items()
            ],
        }


def preferences(seen: Sequence[Seen]) -> tuple[Preference, ...]:
    """Of each judge that has a family, judged models of it and of others, and a judge of another family beside it."""
    found = []
    for judge, family in dict.fromkeys((each.judge, each.judge_family) for each in seen):
        if family and (preference := _preference(seen, judge, family)) is not None:
            found.append(preference)
    return tuple(found)


def _preference(seen: Sequence[Seen], judge: str, family: str) -> Preference | None:
    own: list[str] = []
    others: list[str] = []
    parts: list[_Part] = []
    panel: dict[str, None] = {}
    for each in seen:
        if (each.judge, each.judge_family) != (judge, family) or not each.model_family:
            continue
        beside = [
            other
            for other in seen
            if other.run == each.run
            and other.judge_family != family
            and np.array_equal(other.table.positions, each.table.positions)
        ]
        if beside:
            is_own = each.model_family == family
            (own if is_own else others).append(each.run)
            panel.update(dict.fromkeys(other.judge for other in beside))
            parts.append(_Part.of(each.table, [other.table for other in beside], is_own))
    if not own or not others:
        return None
    return Preference(judge, family, tuple(own), tuple(others), tuple(panel), *_measured(parts))


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Of one run, the answers that judge and panel decided: verdict and panel's, whose family, image."""

    passed: Ints
    panel: Ints
    own: Mask
    clusters: npt.NDArray[np.uint64]

    @classmethod
    def of(cls, table: VerdictTable, others: Sequence[VerdictTable], own: bool) -> _Part:
        by_panel = majority(np.stack([other.values for other in others]).astype(np.int64))
        both = (table.values >= 0) & (by_panel >= 0)
        keys = table.cluster_keys[table.clusters[both]]
        return cls(table.values[both].astype(np.int64), by_panel[both], np.full(int(both.sum()), own), keys)


def _measured(parts: Sequence[_Part]) -> tuple[Estimate, dict[int, tuple[Estimate, Estimate]]]:
    passed, panel = (np.concatenate([getattr(part, name) for part in parts]) for name in ("passed", "panel"))
    own, clusters = (np.concatenate([getattr(part, name) for part in parts]) for name in ("own", "clusters"))
    groups = [(panel == verdict) & (own == whose) for verdict in (1, 0) for whose in (True, False)]
    sums = cluster_sums([column for group in groups for column in (group, group & (passed == 1))], clusters)
    found = bootstrap(sums, _standardised, seed=_SEED)
    shares = [rate(passed[group], clusters[group]) for group in groups]
    return resampled(found, len(passed), len(sums)), {1: (shares[0], shares[1]), 0: (shares[2], shares[3])}


def _standardised(totals: FloatArray) -> FloatArray:
    """Of shape (..., 8): answers and passed ones, of the own family and of others, first where the panel says right."""
    cells = totals.reshape(*totals.shape[:-1], 2, 2, 2)
    answers, passed = cells[..., 0], cells[..., 1]
    own = answers[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = passed / answers
        terms = np.where(own > 0, own * (shares[..., 0] - shares[..., 1]), 0.0)
        return np.asarray(terms.sum(-1) / own.sum(-1))

"""Whether a model knows what it knows: risk and coverage, calibration, signal detection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from snellen.engine.calibration import BINS, Calibration, calibrate
from snellen.engine.detection import detect
from snellen.engine.risk_coverage import RiskCoverage
from snellen.engine.risk_coverage import risk_coverage as curve_of
from snellen.estimate import Estimate
from snellen.statistics.columns import Floats, Ints, Values, binary, clusters, names_of, numbers, read
from snellen.statistics.groups import NUMBERS, Groups, plain, several

if TYPE_CHECKING:
    import polars as pl

    from snellen.statistics.columns import Frame


def risk_coverage(
    frame: Frame,
    confidence: str = "confidence",
    value: str = "value",
    *,
    silent: str | None = None,
    cluster: str | None = "cluster",
    by: str | Sequence[str] = (),
) -> pl.DataFrame:
    """How many hallucinations remain when only the surest answers are given (`snellen.engine.risk_coverage`).

    - ``risk``: share of hallucinations among all answers with a confidence,
    - ``aurc``: the mean of the risks at each coverage, ``excess_aurc``: that less the best one possible,
    - ``separation``: the area under the ROC curve, in which a hallucination has the lower confidence.

    Args:
        frame: a row for each verdict.
        confidence: column of numbers, of which only the order matters; null where there is none.
        value: column of 0 (a hallucination), 1 and null.
        silent: column of booleans: answers that claim nothing, and take no part; that of `snellen.frame` is
            ``silent``. None if all claim something.
        cluster, by: as in `snellen.statistics.rate`.

    Returns:
        The columns of `by`, ``statistic``, and the usual ones; `unscored` counts answers without a confidence or a
        value. Four rows for each group.

    >>> import polars as pl
    >>> table = pl.DataFrame({"confidence": [0.9, 0.8, 0.7, 0.6], "value": [1, 0, 1, 0]})
    >>> [round(each, 6) for each in risk_coverage(table, cluster=None)["value"]]
    [0.5, 0.333333, 0.125, 0.75]
    """
    names = names_of(by)
    answers = _Answers(frame, confidence, value, silent, cluster, names)

    def of(rows: Ints) -> Mapping[str, Estimate]:
        own, unscored = answers.usable(rows)
        found = answers.curve(own)
        area = found.separation
        separation = Estimate(area.value, area.low, area.high, len(own), area.clusters, method=AREA)
        named = {"risk": found.risk, "aurc": found.aurc, "excess_aurc": found.excess, "separation": separation}
        return {name: _open(each, unscored) for name, each in named.items()}

    return several(answers.table, names, of, answers.claiming)


AREA = "clustered variance of the area"


def risk_coverage_curve(
    frame: Frame,
    confidence: str = "confidence",
    value: str = "value",
    *,
    silent: str | None = None,
    cluster: str | None = "cluster",
    by: str | Sequence[str] = (),
) -> pl.DataFrame:
    """The curve of `risk_coverage`: ``threshold``, ``coverage`` and ``risk`` of at most 200 points for each group.

    Args:
        frame, confidence, value, silent, cluster, by: as in `risk_coverage`.

    >>> import polars as pl
    >>> table = pl.DataFrame({"confidence": [0.9, 0.6, 0.6], "value": [1, 0, 1]})
    >>> risk_coverage_curve(table, cluster=None).select("threshold", "coverage").rows()
    [(0.9, 0.3333333333333333), (0.6, 1.0)]
    """
    names = names_of(by)
    answers = _Answers(frame, confidence, value, silent, cluster, names)
    groups = Groups.of(answers.table, names, answers.claiming)
    found = (
        (number, {"threshold": point.threshold, "coverage": point.coverage, "risk": point.risk})
        for number, rows in enumerate(groups.rows)
        for point in answers.curve(answers.usable(rows)[0]).curve
    )
    return groups.collect(found, dict.fromkeys(("threshold", "coverage", "risk"), float))


def calibration_error(
    frame: Frame,
    confidence: str = "confidence",
    value: str = "value",
    *,
    silent: str | None = None,
    cluster: str | None = "cluster",
    by: str | Sequence[str] = (),
    bins: int = BINS,
) -> pl.DataFrame:
    """Whether answers that a model is 80 % sure of are right in 80 % (`snellen.engine.calibration`).

    - ``error``: the expected calibration error over bins of equal mass, debiased; ``plain_error``: without that,
    - ``brier``: the mean of (confidence - value)^2,
    - ``overconfidence``: mean confidence less the share of right answers, which is ``right``.

    Args:
        frame: a row for each verdict.
        confidence: column of probabilities, null where there is none.
        value, silent, cluster, by: as in `risk_coverage`.
        bins: how many at most.

    Returns:
        The columns of `by`, ``statistic``, and the usual ones. Five rows for each group.

    >>> import polars as pl
    >>> table = pl.DataFrame({"confidence": [0.9, 0.9, 0.5, 0.5], "value": [1, 0, 1, 0]})
    >>> [round(each, 6) for each in calibration_error(table, cluster=None, bins=2)["value"]][1:]
    [0.2, 0.33, 0.2, 0.5]
    """
    names = names_of(by)
    answers = _Answers(frame, confidence, value, silent, cluster, names, probabilities=True)

    def of(rows: Ints) -> Mapping[str, Estimate]:
        own, unscored = answers.usable(rows)
        found = answers.calibration(own, bins)
        ece = Estimate(found.plain_error, None, None, found.right.n, found.right.clusters)
        named = {"error": found.error, "plain_error": ece, "brier": found.brier}
        named |= {"overconfidence": found.overconfidence, "right": found.right}
        return {name: _open(each, unscored) for name, each in named.items()}

    return several(answers.table, names, of, answers.claiming)


def reliability_diagram(
    frame: Frame,
    confidence: str = "confidence",
    value: str = "value",
    *,
    silent: str | None = None,
    cluster: str | None = "cluster",
    by: str | Sequence[str] = (),
    bins: int = BINS,
) -> pl.DataFrame:
    """The bins of `calibration_error`: the usual columns are of the share of right answers.

    Args:
        frame, confidence, value, silent, cluster, by, bins: as in `calibration_error`.

    Returns:
        The columns of `by`, ``least``, ``greatest`` and ``confidence`` (the mean) of each bin, and the usual ones.

    >>> import polars as pl
    >>> table = pl.DataFrame({"confidence": [0.9, 0.8, 0.4, 0.2], "value": [1, 1, 1, 0]})
    >>> reliability_diagram(table, cluster=None, bins=2).select("least", "greatest", "value", "n").rows()
    [(0.2, 0.4, 0.5, 2), (0.8, 0.9, 1.0, 2)]
    """
    names = names_of(by)
    answers = _Answers(frame, confidence, value, silent, cluster, names, probabilities=True)
    groups = Groups.of(answers.table, names, answers.claiming)
    found = (
        (number, {"least": each.low, "greatest": each.high, "confidence": each.confidence, **plain(each.right)})
        for number, rows in enumerate(groups.rows)
        for each in answers.calibration(answers.usable(rows)[0], bins).bins
    )
    return groups.collect(found, {**dict.fromkeys(("least", "greatest", "confidence"), float), **NUMBERS})


def signal_detection(
    frame: Frame,
    declined: str = "abstained",
    answerable: str = "answerable",
    *,
    value: str | None = "value",
    cluster: str | None = "cluster",
    by: str | Sequence[str] = (),
) -> pl.DataFrame:
    """Whether declining tells what cannot be answered (`snellen.engine.detection`).

    ``hits`` and ``false_alarms``: H, the share of unanswerable questions that is declined, and F, that of answerable
    ones. ``sensitivity`` (d') z(H) - z(F), and ``criterion`` -(z(H) + z(F)) / 2, of H and F with a log-linear
    correction, so that 0 and 1 have a quantile too.

    Args:
        frame: a row for each verdict.
        declined: column of booleans (or 0 and 1): whether the answer declines.
        answerable: column of booleans: whether the question has an answer.
        value: column that is null for answers that are not scored, which take no part; None if all are scored.
        cluster, by: as in `snellen.statistics.rate`.

    Returns:
        The columns of `by`, ``statistic``, and the usual ones; `unscored` counts rows without one of the three. Four
        rows for each group.

    >>> import polars as pl
    >>> table = pl.DataFrame({"abstained": [1, 1, 1, 0, 0, 0, 0, 1], "answerable": [False] * 4 + [True] * 4})
    >>> [round(each, 6) for each in signal_detection(table, value=None, cluster=None)["value"]]
    [1.048801, 0.0, 0.75, 0.25]
    """
    names = names_of(by)
    table = read(frame, declined, answerable, value, cluster, *names)
    said, asked, groups = binary(table, declined), binary(table, answerable), clusters(table, cluster)
    known = (said >= 0) & (asked >= 0)
    if value is not None:
        known &= binary(table, value) >= 0

    def of(rows: Ints) -> Mapping[str, Estimate]:
        own = rows[known[rows]]
        found = detect(said[own] == 1, asked[own] == 0, groups[own])
        named = {name: getattr(found, name) for name in ("sensitivity", "criterion", "hits", "false_alarms")}
        return {name: _open(each, len(rows) - len(own)) for name, each in named.items()}

    return several(table, names, of)


def _open(estimate: Estimate, unscored: int) -> Estimate:
    """An estimate over the rest of so many rows: its bounds are not known."""
    return replace(estimate, unscored=unscored, lower_bound=None, upper_bound=None) if unscored else estimate


class _Answers:
    """Answers that claim something, with confidences."""

    def __init__(
        self,
        frame: Frame,
        confidence: str,
        value: str,
        silent: str | None,
        cluster: str | None,
        by: Sequence[str],
        *,
        probabilities: bool = False,
    ) -> None:
        self.table = read(frame, confidence, value, silent, cluster, *by)
        span: dict[str, Any] = {"low": 0.0, "high": 1.0} if probabilities else {}
        self._sure: Floats = numbers(self.table, confidence, **span)
        self._values: Values = binary(self.table, value)
        self._clusters: Ints = clusters(self.table, cluster)
        quiet = np.zeros(len(self.table), np.bool_) if silent is None else binary(self.table, silent) == 1
        self.claiming: Ints = np.flatnonzero(~quiet)

    def usable(self, rows: Ints) -> tuple[Ints, int]:
        """Those with a confidence and a value, and how many have not."""
        known = np.isfinite(self._sure[rows]) & (self._values[rows] >= 0)
        return rows[known], int((~known).sum())

    def curve(self, rows: Ints) -> RiskCoverage:
        return curve_of(self._sure[rows], self._values[rows] == 0, self._clusters[rows])

    def calibration(self, rows: Ints, bins: int) -> Calibration:
        return calibrate(self._sure[rows], self._values[rows] == 1, self._clusters[rows], bins=bins)

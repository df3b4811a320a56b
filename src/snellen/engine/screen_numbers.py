"""The numbers of items on screens: the published ones of GUI-HalluBench, and what has to stand beside them.

A number is a metric of its own where there is one. Where targets that are there are missed is told here: on the
look-alike, elsewhere, by a rejection, or by an answer that gives no place. These four and the hits make up all targets
that are there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from snellen import discovery
from snellen.estimate import NO_INTERVAL, Estimate, rate
from snellen.intervals import cluster_sums, t_quantile
from snellen.metrics._screens import ABSENT, PARSING, PRESENT, PRESUMED_ABSENT, TASK, of_tasks
from snellen.table import LANGUAGE, VerdictTable
from snellen.verdict import ABSTAINED, FORMAT_ERROR

Group = Literal["parsing", "present", "absent", "averages", "answers"]
Column = npt.NDArray[np.float64]
Ratio = tuple[Column, Column]
"""Numerators and denominators, each of shape (N,), 0 in rows that do not count."""

TASKS = (*PARSING, *PRESENT, *ABSENT, *PRESUMED_ABSENT)
PLACES = (*PRESENT, *ABSENT, *PRESUMED_ABSENT)

LINEARISED = "linearised variance of the clusters, Student's t"


@dataclass(frozen=True, slots=True)
class Number:
    """One number.

    Attributes:
        name: that of its metric, where it has one.
        title: in words.
        group: under which it is shown.
        tasks: of the items that it is over.
    """

    name: str
    title: str
    group: Group
    tasks: tuple[str, ...]


def _numbers() -> Mapping[str, Number]:
    listed: tuple[tuple[str, str, Group, tuple[str, ...]], ...] = (
        ("parsing_recall", "Parsing recall", "parsing", PARSING),
        ("parsing_precision", "Parsing precision", "parsing", PARSING),
        ("function_similarity", "Function similarity", "parsing", PARSING),
        ("function_similarity_by_chance", "Similarity by chance", "parsing", PARSING),
        ("label_agreement", "Label agreement", "parsing", PARSING),
        ("localization_accuracy", "Localization accuracy", "present", PRESENT),
        ("missed_on_distractor", "Misses on look-alikes", "present", PRESENT),
        ("missed_elsewhere", "Misses elsewhere", "present", PRESENT),
        ("false_rejection_rate", "False rejections", "present", PRESENT),
        ("missed_without_place", "Misses without place", "present", PRESENT),
        ("rejection_rate", "Rejection rate", "absent", ABSENT),
        ("presumed_rejection_rate", "Rejected, presumed absent", "absent", PRESUMED_ABSENT),
        ("parsing_average", "Parsing average", "averages", PARSING),
        ("macro_hallucination_average", "Hallucination average", "averages", (*PRESENT, *ABSENT)),
        ("hallucination_average", "Hallucination average by items", "averages", (*PRESENT, *ABSENT)),
        ("format_error_rate", "Format errors", "answers", TASKS),
        ("contradicted_rejections", "Rejects, yet points", "answers", PLACES),
    )
    return {name: Number(name, title, group, tasks) for name, title, group, tasks in listed}


NUMBERS: Mapping[str, Number] = _numbers()
"""Every number in the order in which they are shown. The ten published ones of a language are `PUBLISHED`."""

PUBLISHED = (
    "parsing_recall",
    "parsing_precision",
    "function_similarity",
    "localization_accuracy",
    "rejection_rate",
)
"""Those that GUI-HalluBench (CVPR 2026) gives for each language; with the two averages they are its twelve."""

MEASURES: Mapping[str, str] = {
    "parsing_recall": "recall",
    "parsing_precision": "precision",
    "function_similarity": "function_similarity",
    "function_similarity_by_chance": "function_similarity_by_chance",
    "label_agreement": "label_agreement",
}
"""Name of a number -> the measure of verdicts whose ratio of sums it is."""

_MEANS: Mapping[str, tuple[str, ...]] = {
    "parsing_average": ("parsing_recall", "parsing_precision", "function_similarity"),
    "macro_hallucination_average": ("localization_accuracy", "rejection_rate"),
}
_WITHOUT_METRIC = (
    "missed_on_distractor",
    "missed_elsewhere",
    "missed_without_place",
    "presumed_rejection_rate",
    "contradicted_rejections",
)
_BOOTSTRAPPED = ("function_similarity", "function_similarity_by_chance", *_MEANS)


def estimate(table: VerdictTable, name: str, *, quick: bool = False) -> Estimate:
    """A number over a table of clean items.

    Args:
        table: any rows; those of other tasks do not count.
        name: of `NUMBERS`.
        quick: take the interval of what is no share from its linearised variance instead of a bootstrap: the same
            value, some thousand times as fast, for the many parts of a breakdown.
    """
    if name in _WITHOUT_METRIC:
        chosen = of_tasks(table, NUMBERS[name].tasks)
        return rate(_hits(chosen, name), chosen.clusters, scored=chosen.scored)
    if quick and name in _BOOTSTRAPPED:
        return _linearised(table, name)
    found = discovery.load("metrics", name).estimate(table)
    assert isinstance(found, Estimate)
    if name in _BOOTSTRAPPED and no_width(found.low, found.high):
        return replace(found, low=None, high=None, method=NO_INTERVAL)
    return found


def no_width(low: float | None, high: float | None) -> bool:
    """Whether every resample gave the same value, so that the interval says nothing: all wrong, or all right."""
    return low is not None and high is not None and high - low < 1e-9


def ratios(table: VerdictTable, name: str) -> tuple[Ratio, ...]:
    """A number of one language as a mean of ratios of sums over the table's rows; empty where it was not measured.

    An average has several, every other number one; their denominators are 0 in rows that do not count.
    """
    if name in _MEANS:
        parts = [ratios(table, each) for each in _MEANS[name]]
        return tuple(part[0] for part in parts) if all(parts) else ()
    counts = table.scored & _of(table, NUMBERS[name].tasks)
    if name in MEASURES:
        if MEASURES[name] not in table.measures:
            return ()
        top, bottom = (np.where(counts & ~np.isnan(column), column, 0.0) for column in table.measure(MEASURES[name]))
    else:
        top, bottom = (np.where(counts, column, 0).astype(np.float64) for column in (_hits(table, name), 1))
    return ((top, bottom),) if bottom.any() else ()


def _of(table: VerdictTable, tasks: tuple[str, ...]) -> npt.NDArray[np.bool_]:
    return table.mask(**{TASK: tasks}) if TASK in table.label_names else np.zeros(len(table), np.bool_)


def _hits(table: VerdictTable, name: str) -> npt.NDArray[np.bool_]:
    """Which rows are ones of a number that is a share; those of other tasks and the unscored are to be left out."""
    match name:
        case "false_rejection_rate":
            return table.flag(ABSTAINED)
        case "format_error_rate":
            return table.flag(FORMAT_ERROR)
        case "contradicted_rejections":
            return _measured(table, "contradicted")
        case "missed_on_distractor":
            return _measured(table, "hit_distractor")
        case "missed_elsewhere":
            return _measured(table, "hit_elsewhere")
        case "missed_without_place":
            pointed = _measured(table, "hit") | _measured(table, "hit_distractor") | _measured(table, "hit_elsewhere")
            return ~pointed & ~table.flag(ABSTAINED)
    right: npt.NDArray[np.bool_] = table.values == 1
    return right


def _measured(table: VerdictTable, measure: str) -> npt.NDArray[np.bool_]:
    if measure not in table.measures:
        return np.zeros(len(table), np.bool_)
    with np.errstate(invalid="ignore"):
        found: npt.NDArray[np.bool_] = table.measure(measure)[0] > 0  # NaN, of a verdict without it, is not
    return found


def _linearised(table: VerdictTable, name: str) -> Estimate:
    """A mean of ratios with the interval of its linearised variance (Cameron & Miller 2015), t with G - 1.

    With K ratios of sums T_k / B_k, cluster g deviates by  mean over k of (t_gk - T_k / B_k b_gk) / B_k;  the variance
    is G / (G - 1) times the sum of their squares.
    """
    chosen = of_tasks(table, NUMBERS[name].tasks)
    scored = chosen.select(chosen.scored)
    empty = Estimate(None, None, None, len(scored), 0, len(chosen) - len(scored))
    parts: list[Ratio] = []
    if name in MEASURES:
        parts += ratios(scored, name)
    else:
        for part in _MEANS[name]:
            for language in chosen.label_values(LANGUAGE) if LANGUAGE in chosen.label_names else ():
                asked = chosen.mask(**{LANGUAGE: language}) & _of(chosen, NUMBERS[part].tasks)
                if not asked.any():
                    continue
                found = ratios(scored.where(**{LANGUAGE: language}), part)
                if not found:
                    return empty
                parts.append(_spread(found[0], scored.mask(**{LANGUAGE: language})))
    if not parts:
        return empty
    sums = cluster_sums([column for part in parts for column in part], scored.clusters)
    sums = sums[sums[:, 1::2].any(axis=1)]
    tops, bottoms, clusters = sums[:, 0::2], sums[:, 1::2], len(sums)
    total = bottoms.sum(0)
    each = tops.sum(0) / total
    value = float(each.mean())
    known = None if empty.unscored else value
    found_at = replace(empty, value=value, clusters=clusters, lower_bound=known, upper_bound=known, method=NO_INTERVAL)
    if clusters < 2:
        return found_at
    deviations = ((tops - each * bottoms) / total).mean(axis=1)
    half = t_quantile(0.975, clusters - 1) * float(np.sqrt(clusters / (clusters - 1) * (deviations**2).sum()))
    low, high = max(value - half, -1.0), min(value + half, 1.0)
    return found_at if no_width(low, high) else replace(found_at, low=low, high=high, method=LINEARISED)


def _spread(ratio: Ratio, rows: npt.NDArray[np.bool_]) -> Ratio:
    """Columns of some rows as columns of all, 0 elsewhere."""
    top, bottom = np.zeros(len(rows)), np.zeros(len(rows))
    top[rows], bottom[rows] = ratio
    return top, bottom

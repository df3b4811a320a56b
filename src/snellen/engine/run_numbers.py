"""Every number of a run as a mean of ratios of sums over clusters, so that all of them can be resampled together.

On screens these are the numbers of `snellen.engine.screen_numbers`, over all items and within each language
(``parsing_recall:en``). Elsewhere they are the score, the score within each value of each label
(``relation=normal``), abstention, over-refusal and resistance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.card import Card
from snellen.engine.screen_numbers import NUMBERS, PUBLISHED, Ratio, ratios
from snellen.intervals import FloatArray
from snellen.metrics._screens import TASK
from snellen.pairs import PairTable
from snellen.table import LANGUAGE, VerdictTable
from snellen.verdict import ABSTAINED

AVERAGES: Mapping[str, tuple[str, ...]] = {
    "parsing_average": ("parsing_recall", "parsing_precision", "function_similarity"),
    "macro_hallucination_average": ("localization_accuracy", "rejection_rate"),
}
"""Averages -> what they are means of, within each language."""

MOST = 40
"""Numbers that are correlated when none are named."""


@dataclass(frozen=True, slots=True, eq=False)
class RunNumber:
    """A number of a run.

    Attributes:
        key: ``parsing_recall:en``, ``relation=normal``, ``score``.
        name: of a number on screens, or ``score``, ``abstention``, ``over_refusal``, ``resistance``.
        label, value: of the items that it is over; both empty for all.
        parts: keys of the numbers that it is made of or holds.
        sums: shape (G, 2 K): numerators and denominators of K ratios in each cluster of the run's table.
    """

    key: str
    name: str
    label: str
    value: str
    parts: frozenset[str]
    sums: FloatArray

    @property
    def number(self) -> float:
        """What it is for the run; NaN where a denominator is 0."""
        return float(of_totals(self.sums.sum(0)))


def of_totals(totals: FloatArray) -> FloatArray:
    """The numbers from totals of shape (..., 2 K)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: FloatArray = (totals[..., 0::2] / totals[..., 1::2]).mean(axis=-1)
    return found


def numbers_of(table: VerdictTable, card: Card) -> dict[str, RunNumber]:
    """All numbers of a run that have a value, by key, in the order in which they are shown.

    Args:
        table: all its verdicts, on changed items too.
        card: of its benchmark.
    """
    clean = table.select(table.clean)
    found = _on_screens(clean) if on_screens(card) else _elsewhere(table, clean, card)
    return {each.key: each for each in found if np.isfinite(each.number)}


def on_screens(card: Card) -> bool:
    """Whether a benchmark is of screens."""
    return card.domain == "screen"


def usual(keys: Sequence[str], card: Card) -> list[str]:
    """Those that are correlated when none are named: on screens the published ones, elsewhere the first `MOST`."""
    if not on_screens(card):
        return list(keys)[:MOST]
    languages = [key for key in keys if ":" in key]
    published = (*PUBLISHED, "presumed_rejection_rate")
    chosen = [key for key in languages or keys if key.partition(":")[0] in published]
    return sorted(chosen, key=lambda key: key.partition(":")[2]) + [key for key in AVERAGES if key in keys]


def _on_screens(table: VerdictTable) -> Iterator[RunNumber]:
    if TASK not in table.label_names or LANGUAGE not in table.label_names:
        return
    languages = [each for each in table.label_values(LANGUAGE) if table.mask(**{LANGUAGE: each}).any()]
    several = len(languages) > 1
    for name in NUMBERS:
        within = {language: _of_language(table, name, language) for language in languages}
        if name in AVERAGES:
            parts = [part for language in languages for part in within[language]]
            asked = [_of_language(table, each, language) for language in languages for each in AVERAGES[name]]
            made_of = {key for each in AVERAGES[name] for key in (each, *(f"{each}:{one}" for one in languages))}
            made_of |= {f"{name}:{language}" for language in languages}
            if all(asked):
                yield _number(table, name, parts, made_of)
        else:
            own = {f"{name}:{language}" for language in languages}
            if name == "hallucination_average":
                averaged = (*AVERAGES["macro_hallucination_average"], "macro_hallucination_average")
                own |= {key for each in averaged for key in (each, *(f"{each}:{one}" for one in languages))}
            yield _number(table, name, list(ratios(table, name)), own)
        for language in languages if several else ():
            made_of = {f"{each}:{language}" for each in AVERAGES.get(name, ())}
            yield _number(table, name, list(within[language]), made_of, LANGUAGE, language)


def _of_language(table: VerdictTable, name: str, language: str) -> tuple[Ratio, ...]:
    """A number over the rows of one language; nothing where one of its ratios has nothing there."""
    rows = table.mask(**{LANGUAGE: language})
    parts = tuple((np.where(rows, top, 0.0), np.where(rows, bottom, 0.0)) for top, bottom in ratios(table, name))
    return parts if all(bottom.any() for _, bottom in parts) else ()


def _elsewhere(table: VerdictTable, clean: VerdictTable, card: Card) -> Iterator[RunNumber]:
    scored = clean.scored.astype(np.float64)
    right = (clean.values == 1).astype(np.float64)
    declined = (clean.flag(ABSTAINED) & clean.scored).astype(np.float64)
    labels = [label for label in card.labels if label in clean.label_names]
    marginals = [(label, value) for label in labels for value in _values(clean, card, label)]
    yield _number(clean, "score", [(right, scored)], {f"{label}={value}" for label, value in marginals})
    for label, value in marginals:
        rows = clean.mask(**{label: value})
        yield _number(clean, "score", [(right * rows, scored * rows)], set(), label, value)
    yield _number(clean, "abstention", [(declined, scored)], {"over_refusal"})
    yield _number(clean, "over_refusal", [(declined * clean.answerable, scored * clean.answerable)], set())
    pairs = PairTable.of(table)
    kept = pairs.select(pairs.truth("kept") & pairs.scored)
    if len(kept):
        before, after = (kept.clean == 1).astype(np.float64), (kept.changed == 1).astype(np.float64)
        yield _number(kept.rows, "resistance", [(before * after, before)], set())


def _values(table: VerdictTable, card: Card, label: str) -> list[str]:
    there = table.label_values(label)
    known = [value for value in card.labels[label] if value in there]
    return known + [value for value in there if value not in card.labels[label]]


def _number(
    table: VerdictTable,
    name: str,
    parts: Sequence[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]],
    made_of: set[str],
    label: str = "",
    value: str = "",
) -> RunNumber:
    clusters = len(table.cluster_keys)
    columns = [
        np.bincount(table.clusters, weights=column, minlength=clusters).astype(np.float64)
        for part in parts
        for column in part
    ]
    key = name if not label else f"{name}:{value}" if label == LANGUAGE and name in NUMBERS else f"{label}={value}"
    sums: FloatArray = np.stack(columns, axis=1) if columns else np.full((clusters, 2), np.nan)
    return RunNumber(key, name, label, value, frozenset(made_of), sums)

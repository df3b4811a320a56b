"""Correlation: how the numbers of a benchmark rank the same models, number by number.

GUI-HalluBench (CVPR 2026) reports Spearman's coefficient over its models for its twelve numbers, 0.88 between the two
averages, without interval or test. Here every pair of numbers has

- the coefficient over the runs, one run standing for one model,
- an interval: models are drawn with replacement, and with them the images on which they were asked, the same images
  for all runs, so that what runs share stays shared. Percentiles of a few models alone cover far too rarely, so the
  interval also reaches as far as Bonett & Wright's (`snellen.engine.rank_correlation`),
- p, exact for few models, corrected by Holm over all pairs that are shown.

A number and its own part (an average and what it is the mean of) correlate by construction: such a pair has no p.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.card import Card
from snellen.engine import rank_correlation as ranks
from snellen.engine.comparison import Comparable
from snellen.engine.multiplicity import holm
from snellen.engine.rank_correlation import Method
from snellen.engine.run_numbers import RunNumber, numbers_of, of_totals, usual
from snellen.errors import UsageError
from snellen.intervals import FloatArray

FEWEST = 4
"""Models below which nothing can be concluded."""

RESAMPLES = 2000
_AT_ONCE = 1 << 22  # numbers in the arrays of a step of resampling


@dataclass(frozen=True, slots=True)
class Pair:
    """Two numbers over the models that have both.

    Attributes:
        first, second: keys of the numbers.
        models: that have both.
        value: the coefficient; None where one of the numbers does not vary, or with fewer than 3 models.
        low, high: ends of its 95 % interval; None below `FEWEST` models.
        p: two-sided; None below `FEWEST` models, and where `part`.
        p_holm: corrected for all pairs that are shown.
        part: whether one number is a part of the other.
    """

    first: str
    second: str
    models: int
    value: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_holm: float | None = None
    part: bool = False


@dataclass(frozen=True, slots=True)
class PublishedPair:
    """The two averages over published rows.

    Attributes:
        rows: which: ``all``, or ``plain`` without those that were trained or prompted otherwise.
        models: rows that give both.
        value, low, high, p: as in `Pair`; the interval is Bonett & Wright's, over the rows alone.
        stated: what the paper itself gives over its models; None where it is not known.
    """

    rows: str
    models: int
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    stated: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Correlation:
    """The numbers of a benchmark over runs.

    Attributes:
        card: of the benchmark.
        method: ``spearman`` or ``kendall``.
        runs: names, in the order in which they were given.
        numbers: the keys that are correlated.
        known: the keys that could be.
        values: key -> its number for each run; None where a run lacks it.
        pairs: each two of the numbers once, in their order.
        images: clusters that any run has, and those that all have.
        seed, resamples: of the intervals.
        published: the two averages in the paper.
        warnings: sentences.
    """

    card: Card
    method: Method
    runs: tuple[str, ...]
    numbers: tuple[str, ...]
    known: tuple[str, ...]
    values: Mapping[str, tuple[float | None, ...]]
    pairs: tuple[Pair, ...]
    images: tuple[int, int]
    seed: int
    resamples: int
    published: tuple[PublishedPair, ...]
    warnings: tuple[str, ...]

    @property
    def tests(self) -> int:
        """Pairs that have a p: Holm's family."""
        return sum(pair.p is not None for pair in self.pairs)

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "benchmark": self.card.name,
            "method": self.method,
            "runs": list(self.runs),
            "numbers": list(self.numbers),
            "known": list(self.known),
            "values": {key: list(values) for key, values in self.values.items()},
            "pairs": [asdict(pair) for pair in self.pairs],
            "tests": self.tests,
            "images": {"any": self.images[0], "all": self.images[1]},
            "seed": self.seed,
            "resamples": self.resamples,
            "published": [asdict(each) for each in self.published],
            "warnings": list(self.warnings),
        }


def correlate(
    runs: Sequence[Comparable],
    *,
    numbers: Sequence[str] = (),
    method: Method = "spearman",
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Correlation:
    """Correlate the numbers of a benchmark over runs.

    Args:
        runs: judged, of one benchmark; one for each model.
        numbers: keys, or names that stand for all keys that begin so (``parsing_recall``); the usual ones if none.
        method: which coefficient.
        seed: of the resampling.
        resamples: at least 200.

    Raises:
        UsageError: no run, runs of several benchmarks, one run twice, or an unknown number.
    """
    if not runs:
        raise UsageError("name the runs to correlate, one for each model")
    if resamples < 200:
        raise UsageError(f"an interval needs 200 resamples or more, not {resamples}")
    if len({run.card.name for run in runs}) > 1:
        benchmarks = ", ".join(sorted({run.card.name for run in runs}))
        raise UsageError(f"the runs are of several benchmarks ({benchmarks}): correlate those of one")
    names = tuple(run.name for run in runs)
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise UsageError(f"{twice[0]} is named twice, and would count as two models")
    card = runs[0].card
    found = [numbers_of(run.table, card) for run in runs]
    known = tuple(_merged([list(each) for each in found]))
    chosen = _chosen(numbers, known) if numbers else usual(known, card)
    values: FloatArray = np.array(
        [[each[key].number if key in each else np.nan for key in chosen] for each in found], np.float64
    ).reshape(len(runs), len(chosen))
    parts = {key: each.parts for by_key in found for key, each in by_key.items()}
    resampled, images = _resampled(runs, found, chosen, seed, resamples)
    pairs = _pairs(chosen, values, resampled, parts, method, np.random.default_rng([seed, 1]))
    return Correlation(
        card,
        method,
        names,
        tuple(chosen),
        known,
        {key: tuple(None if np.isnan(v) else float(v) for v in values[:, m]) for m, key in enumerate(chosen)},
        tuple(pairs),
        images,
        seed,
        resamples,
        published(card, method),
        tuple(_warnings(runs, chosen, pairs)),
    )


def published(card: Card, method: Method = "spearman") -> tuple[PublishedPair, ...]:
    """The two averages over a card's published rows: over all that give both, and without those that have a note."""
    rows = [row for row in card.published if {"parsing_average", "hallucination_average"} <= row.metrics.keys()]
    if not rows:
        return ()
    stated = _STATED.get(card.name) if method == "spearman" else None
    kinds = {"all": rows, "plain": [row for row in rows if not row.note]}
    found = []
    for kind, those in kinds.items():
        if kind == "plain" and len(those) == len(rows):
            continue
        x, y = ([row.metrics[name] for row in those] for name in ("parsing_average", "hallucination_average"))
        n = len(those)
        value = ranks.coefficient(x, y, method) if n >= FEWEST - 1 else None
        if value is None or n < FEWEST:
            found.append(PublishedPair(kind, n, value, None, None, None, stated))
        else:
            ends = ranks.approximate(value, n, method)
            found.append(PublishedPair(kind, n, value, *ends, ranks.p_value(x, y, method), stated))
    return tuple(found)


_STATED: Mapping[str, float] = {"gui-hallubench": 0.88}  # between the averages, over the paper's own models


def _merged(keys: Sequence[Sequence[str]]) -> list[str]:
    """The keys of all runs, in the order of the run that has most of them, then what others add."""
    return list(dict.fromkeys(key for each in sorted(keys, key=len, reverse=True) for key in each))


def _chosen(wanted: Sequence[str], known: Sequence[str]) -> list[str]:
    chosen: dict[str, None] = {}
    for name in wanted:
        exact = [key for key in known if key == name]
        of_name = exact or [key for key in known if key.startswith((f"{name}:", f"{name}="))]
        if not of_name:
            raise UsageError(f"no run has a number named {name!r}; there are: {', '.join(known) or 'none'}")
        chosen |= dict.fromkeys(of_name)
    return list(chosen)


def _resampled(
    runs: Sequence[Comparable], found: Sequence[Mapping[str, RunNumber]], chosen: Sequence[str], seed: int, size: int
) -> tuple[FloatArray, tuple[int, int]]:
    """Numbers of every run over clusters drawn with replacement, the same for all runs: shape (B, runs, numbers).

    Also how many clusters there are in any run, and in all.
    """
    keys = [run.table.cluster_keys for run in runs]
    union, counts = np.unique(np.concatenate(keys), return_counts=True)
    images = len(union), int((counts == len(runs)).sum())
    values = np.full((size, len(runs), len(chosen)), np.nan)
    if len(runs) < FEWEST or len(union) < 2:
        return values, images
    rng = np.random.default_rng(seed)
    places = [np.searchsorted(union, each) for each in keys]
    step = max(1, _AT_ONCE // len(union))
    for start in range(0, size, step):
        rows = min(step, size - start)
        drawn = rng.integers(0, len(union), (rows, len(union))) + len(union) * np.arange(rows)[:, None]
        times = np.bincount(drawn.ravel(), minlength=rows * len(union)).reshape(rows, -1).astype(np.float64)
        for number, (by_key, place) in enumerate(zip(found, places, strict=True)):
            there = [key for key in chosen if key in by_key]
            if not there:
                continue
            sums = np.concatenate([by_key[key].sums for key in there], axis=1)
            spread = np.zeros((len(union), sums.shape[1]))
            spread[place] = sums
            totals = times @ spread  # one product for all numbers of a run: it is what takes the time
            ends = np.cumsum([by_key[key].sums.shape[1] for key in there])
            for key, part in zip(there, np.split(totals, ends[:-1], axis=1), strict=True):
                values[start : start + rows, number, chosen.index(key)] = of_totals(part)
    return values, images


def _pairs(
    chosen: Sequence[str],
    values: FloatArray,
    resampled: FloatArray,
    parts: Mapping[str, frozenset[str]],
    method: Method,
    rng: np.random.Generator,
) -> list[Pair]:
    there = ~np.isnan(values)
    groups: dict[bytes, list[tuple[int, int]]] = {}
    for i in range(len(chosen)):
        for j in range(i + 1, len(chosen)):
            groups.setdefault((there[:, i] & there[:, j]).tobytes(), []).append((i, j))
    found: dict[tuple[int, int], Pair] = {}
    for mask, members in groups.items():
        rows = np.flatnonzero(np.frombuffer(mask, np.bool_))
        columns = sorted({each for pair in members for each in pair})
        at = {column: place for place, column in enumerate(columns)}
        seen = values[rows][:, columns]
        drawn = _drawn(resampled, rows, columns, method, rng) if len(rows) >= FEWEST else None
        for i, j in members:
            pair = _pair(chosen[i], chosen[j], seen[:, at[i]], seen[:, at[j]], parts, method)
            if pair.value is not None and drawn is not None:
                pair = _with_interval(pair, drawn[:, at[i], at[j]], method)
            found[i, j] = pair
    ordered = [found[place] for place in sorted(found)]
    corrected = holm([pair.p for pair in ordered])
    return [replace(pair, p_holm=p) for pair, p in zip(ordered, corrected, strict=True)]


def _pair(
    first: str, second: str, x: FloatArray, y: FloatArray, parts: Mapping[str, frozenset[str]], method: Method
) -> Pair:
    n, part = len(x), first in parts.get(second, ()) or second in parts.get(first, ())
    if n < FEWEST - 1:
        return Pair(first, second, n, None, part=part)
    value = ranks.coefficient(x, y, method)
    p = ranks.p_value(x, y, method) if n >= FEWEST and not part else None
    return Pair(first, second, n, value, p=p, part=part)


def _drawn(
    resampled: FloatArray, rows: npt.NDArray[np.int64], columns: Sequence[int], method: Method, rng: np.random.Generator
) -> FloatArray:
    """Coefficients of each resample, its models drawn with replacement: shape (B, columns, columns)."""
    size, n = len(resampled), len(rows)
    models = rows[rng.integers(0, n, (size, n))]
    wide = n * (n - 1) // 2 if method == "kendall" else n
    step = max(1, _AT_ONCE // (max(wide, len(columns)) * len(columns)))
    return np.concatenate(
        [
            ranks.coefficients(
                ranks.scores(
                    resampled[np.arange(at, min(at + step, size))[:, None], models[at : at + step]][..., columns],
                    method,
                )
            )
            for at in range(0, size, step)
        ]
    )


def _with_interval(pair: Pair, drawn: FloatArray, method: Method) -> Pair:
    assert pair.value is not None
    low, high = ranks.approximate(pair.value, pair.models, method)
    drawn = drawn[np.isfinite(drawn)]  # of a number that did not vary among the drawn models there is none
    if len(drawn):
        ends = np.quantile(drawn, (0.025, 0.975))
        low, high = min(low, float(ends[0])), max(high, float(ends[1]))
    return replace(pair, low=low, high=high)


def _warnings(runs: Sequence[Comparable], chosen: Sequence[str], pairs: Sequence[Pair]) -> list[str]:
    found = []
    n = len(runs)
    if n < FEWEST:
        found.append(
            f"With {n} {'model' if n == 1 else 'models'} nothing can be concluded about how numbers go together: "
            f"{FEWEST} is the least, and 8 or more are needed to tell anything but a perfect order."
        )
    else:
        tests = sum(pair.p is not None for pair in pairs)
        least = ranks.smallest_p(n) * max(1, tests)
        if least > 0.05:
            found.append(
                f"No pair of the {tests:,} can have a corrected p below 0.05: with {n} models even a perfect order has "
                f"{ranks.smallest_p(n):.2g}, and {min(1.0, least):.2g} after Holm's correction. Name fewer numbers, "
                "or add models."
            )
    models = Counter(str(run.manifest.get("plan", {}).get("model", run.name)) for run in runs)
    if repeated := [name for name, count in models.items() if count > 1]:
        found.append(
            f"Several runs are of one model ({', '.join(repeated)}): they are no independent models, and intervals and "
            "p are too good."
        )
    if any(key.startswith(("function_similarity", "parsing_average")) for key in chosen):
        embedders = {str(run.manifest.get("judging", {}).get("model") or "none") for run in runs}
        if len(embedders) > 1:
            found.append(
                f"Descriptions were compared by several embedding models ({', '.join(sorted(embedders))}), whose "
                "similarities cannot be ranked together."
            )
    for name, title in (("prompt", "prompts"), ("data", "data")):
        if len({repr(run.manifest.get("plan", {}).get(name)) for run in runs}) > 1:
            found.append(f"The {title} of the runs differ: a difference between models may be one between {title}.")
    return found

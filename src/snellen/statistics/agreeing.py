"""Judges and people on the same answers, and what people would have said of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from snellen.agreement import agreeing_share, cohen_kappa, krippendorff_alpha
from snellen.engine.judge_panel import majority
from snellen.errors import DataError, UsageError
from snellen.estimate import Estimate
from snellen.estimate import rate as share
from snellen.prediction_powered import adjusted_share
from snellen.statistics.columns import Ints, binary, clusters, names_of, read
from snellen.statistics.groups import NUMBERS, Groups, estimates, plain, several

if TYPE_CHECKING:
    import polars as pl

    from snellen.statistics.columns import Frame

LEAST_RESAMPLES = 200
"""Below these the ends of an interval are chance."""


def agreement(
    frame: Frame,
    judge: str = "value",
    people: str | Sequence[str] = "people",
    *,
    cluster: str | None = "cluster",
    by: str | Sequence[str] = (),
    seed: int = 0,
    resamples: int = 4000,
) -> pl.DataFrame:
    """How far a judge and people agree.

    - ``accuracy``: share of the rows that both decided on which they agree,
    - ``kappa``: Cohen's, ``alpha``: Krippendorff's (`snellen.agreement`),
    - ``sensitivity``: share of the answers that people call wrong (0) which the judge calls wrong,
    - ``specificity``: share of those that people call right (1) which the judge lets pass.

    Args:
        frame: a row for each verdict.
        judge: column of 0, 1 and null.
        people: column of 0, 1 and null, or several, one for each person, of whom the majority counts.
        cluster, by: as in `snellen.statistics.rate`.
        seed, resamples: of the intervals of kappa and alpha; 200 resamples at least.

    Returns:
        The columns of `by`, ``statistic``, and the usual ones; five rows for each group.

    >>> import polars as pl
    >>> table = pl.DataFrame({"value": [1, 1, 0, 0], "people": [1, 0, 0, 0], "cluster": [0, 1, 2, 3]})
    >>> [round(each, 3) for each in agreement(table)["value"]]
    [0.75, 0.5, 0.533, 0.667, 1.0]
    """
    _enough(resamples)
    names, raters = names_of(by), names_of(people)
    if not raters:
        raise UsageError("name the column of what people said")
    table = read(frame, judge, *raters, cluster, *names)
    said = majority(np.stack([binary(table, name) for name in raters]).astype(np.int64))
    verdicts, groups = binary(table, judge).astype(np.int64), clusters(table, cluster)

    def of(rows: Ints) -> Mapping[str, Estimate]:
        p, j, c = said[rows], verdicts[rows], groups[rows]
        return {
            "accuracy": agreeing_share(p, j, c),
            "kappa": cohen_kappa(p, j, c, seed=seed, resamples=resamples),
            "alpha": krippendorff_alpha(np.stack([p, j]), c, seed=seed, resamples=resamples),
            "sensitivity": share(j[p == 0] == 0, c[p == 0], scored=j[p == 0] >= 0),
            "specificity": share(j[p == 1] == 1, c[p == 1], scored=j[p == 1] >= 0),
        }

    return several(table, names, of)


def reliability(
    frame: Frame,
    raters: Sequence[str],
    *,
    cluster: str | None = "cluster",
    by: str | Sequence[str] = (),
    seed: int = 0,
    resamples: int = 4000,
) -> pl.DataFrame:
    """Krippendorff's alpha of two or more raters, for kinds without an order (`snellen.agreement`).

    Args:
        frame: a row for each item.
        raters: columns of what each said: texts, whole numbers or booleans, null for nothing.
        cluster, by: as in `snellen.statistics.rate`.
        seed, resamples: of the interval; 200 resamples at least.

    >>> import polars as pl
    >>> table = pl.DataFrame({"ann": ["a", "a", "b", "b"], "ben": ["a", "b", "b", None], "cho": ["a", "a", "b", "b"]})
    >>> round(reliability(table, ["ann", "ben", "cho"], cluster=None)["value"][0], 6)
    0.666667
    """
    import polars as pl

    _enough(resamples)
    names, columns = names_of(by), names_of(raters)
    if len(columns) < 2:
        raise UsageError("reliability is of two raters or more: name a column for each")
    table = read(frame, *columns, cluster, *names)
    for name in columns:
        kind = table.schema[name]
        if not (kind.is_integer() or kind in (pl.String, pl.Boolean, pl.Categorical, pl.Enum, pl.Null)):
            raise DataError(f"column {name!r} is of type {kind}, and should hold kinds: texts, whole numbers, booleans")
    said = [table.get_column(name).cast(pl.String) for name in columns]
    kinds = {kind: number for number, kind in enumerate(sorted(set().union(*(each.drop_nulls() for each in said))))}
    ratings = np.array([[kinds.get(kind, -1) for kind in each] for each in said], np.int64)
    ratings = ratings.reshape(len(columns), len(table))
    groups = clusters(table, cluster)
    return estimates(
        table,
        names,
        lambda rows: krippendorff_alpha(ratings[:, rows], groups[rows], seed=seed, resamples=resamples),
    )


def adjusted_rate(
    frame: Frame,
    judge: str = "value",
    people: str = "people",
    *,
    cluster: str | None = "cluster",
    by: str | Sequence[str] = (),
) -> pl.DataFrame:
    """The share of ones that people would have given, from the rows that they looked at and a judge's verdicts on all.

    w mean(judge, not looked at) + mean(people - w judge, looked at): prediction-powered inference
    (`snellen.prediction_powered`). It is right on average if people looked at a random sample.

    Args:
        frame: a row for each verdict.
        judge: column of 0, 1 and null; a row that the judge left open takes no part.
        people: column of 0, 1 and null (nobody looked).
        cluster, by: as in `snellen.statistics.rate`.

    Returns:
        Beside the usual columns ``raw`` (the judge's share), ``audited`` (the people's, over the rows that they looked
        at), ``weight`` (w) and ``undecided`` (rows that the judge left open). `n` counts rows that people looked at,
        `unscored` the others that the judge decided.

    >>> import polars as pl
    >>> table = pl.DataFrame({"value": [1, 1, 1, 1, 0, 1], "people": [1, 0, 1, None, None, None]})
    >>> adjusted_rate(table, cluster=None).select("n", "unscored", "undecided").row(0)
    (3, 3, 0)
    """
    names = names_of(by)
    table = read(frame, judge, people, cluster, *names)
    verdicts, said, groups = binary(table, judge), binary(table, people), clusters(table, cluster)
    chosen = Groups.of(table, names)

    def of(rows: Ints) -> dict[str, Any]:
        own = rows[verdicts[rows] >= 0]
        found = adjusted_share(said[own], verdicts[own], groups[own])
        return {
            **plain(found.estimate),
            "raw": found.raw.value,
            "audited": found.audited.value,
            "weight": found.weight,
            "undecided": len(rows) - len(own),
        }

    extra = {"raw": float, "audited": float, "weight": float, "undecided": int}
    return chosen.collect(((number, of(rows)) for number, rows in enumerate(chosen.rows)), {**NUMBERS, **extra})


def _enough(resamples: int) -> None:
    """See that an interval can be read off so many resamples."""
    if resamples < LEAST_RESAMPLES:
        raise UsageError(f"resamples is {resamples!r}: an interval needs {LEAST_RESAMPLES} at least")

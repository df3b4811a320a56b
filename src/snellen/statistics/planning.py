"""Power: which difference so many clusters can show, and how many a difference needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from snellen.engine.power import plan
from snellen.statistics.arrays import verdict_table
from snellen.statistics.columns import names_of
from snellen.statistics.comparing import Runs
from snellen.statistics.groups import Groups
from snellen.table import VerdictTable

if TYPE_CHECKING:
    import polars as pl

    from snellen.statistics.columns import Frame, Ints

_GROUP = "group"
_COLUMNS = {
    "value": float,
    "n": int,
    "clusters": int,
    "clusters_needed": int,
    "power": float,
    "difference": float,
    "discordance": float,
    "correlation": float,
    "run_pairs": int,
}


def power(
    frame: Frame,
    difference: float,
    *,
    wanted: float = 0.8,
    level: float = 0.05,
    tests: int = 1,
    value: str | None = "value",
    run: str | None = "run",
    item: str = "item",
    cluster: str | None = "cluster",
    by: str | Sequence[str] = (),
    clusters: int | None = None,
    discordance: float | None = None,
    correlation: float | None = None,
) -> pl.DataFrame:
    """What a paired comparison of two runs on these items can show (`snellen.engine.power`).

    Phi((D - 1 / n - t s0) / s1), with the discordance and the correlation within clusters as they are between the runs
    in the frame, or assumed where there are no two.

    Args:
        frame: items, a row for each verdict of each run; one run, or no verdicts at all, will do.
        difference: D, to be seen, as a share: 0.03 for 3 points.
        wanted: the power with which it is to be seen.
        level: of the two-sided test.
        tests: in one family; each is made at ``level / tests``.
        value: column of 0, 1 and null; None without verdicts.
        run: column of the run; None for a frame of one.
        item, cluster: as in `snellen.statistics.compare`.
        by: columns whose values get a row each; where too few items of a group differ, the variation is that of all.
        clusters: at hand, in place of those in the frame; groups keep their share.
        discordance, correlation: in place of what is measured.

    Returns:
        The columns of `by`, ``value`` (the least difference that the clusters at hand show; null where they show
        none), ``n`` items, ``clusters`` at hand, ``clusters_needed`` (null above ten million), ``power`` to see the
        difference, ``difference``, ``discordance``, ``correlation`` and ``run_pairs``: pairs of runs these are from,
        0 where they are assumed.

    Raises:
        UsageError: a number out of its range, or no items.

    >>> import polars as pl
    >>> table = pl.DataFrame({"item": range(1000), "cluster": [number // 10 for number in range(1000)]})
    >>> power(table, 0.05, value=None, run=None).select("value", "n", "clusters", "clusters_needed").row(0)
    (0.0491, 1000, 100, 97)
    """
    names = names_of(by)
    runs = Runs.read(frame, value, run, item, cluster, names)
    groups = Groups.of(runs.table, names)
    digits = len(str(len(groups.rows)))
    values = tuple(f"{number:0{digits}}" for number in range(len(groups.rows)))
    group = np.zeros(len(runs.of), np.int64)
    for number, rows in enumerate(groups.rows):
        group[rows] = number

    def table_of(rows: Ints) -> VerdictTable:
        return verdict_table(
            runs.values[rows], runs.clusters[rows], runs.items[rows], labels=(_GROUP, group[rows], values)
        )

    of_runs = [table_of(np.flatnonzero(runs.of == number)) for number in range(len(runs.names))]
    items = np.sort(np.unique(runs.items, return_index=True)[1])
    found = plan(
        table_of(items),
        [] if value is None else of_runs,
        difference=difference,
        power=wanted,
        level=level,
        tests=tests,
        by=[_GROUP] if names else [],
        images=clusters,
        discordance=discordance,
        correlation=correlation,
    )

    def lines() -> Iterator[tuple[int, dict[str, Any]]]:
        for part in found.parts[1:] if names else found.parts:
            yield (
                int(part.value or 0),
                {
                    "value": part.shows,
                    "n": part.items,
                    "clusters": part.images,
                    "clusters_needed": part.needed,
                    "power": part.power,
                    "difference": difference,
                    "discordance": part.variation.discordance,
                    "correlation": part.variation.correlation,
                    "run_pairs": part.variation.pairs,
                },
            )

    return groups.collect(lines(), _COLUMNS)

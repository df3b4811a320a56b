"""Runs side by side on the same items: paired differences, and tiers of runs that cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from snellen.engine.paired import Difference, corrected
from snellen.engine.paired import difference as paired_difference
from snellen.engine.tiers import Tiers, rank
from snellen.errors import DataError, UsageError
from snellen.statistics.arrays import verdict_table
from snellen.statistics.columns import Ints, Values, binary, clusters, codes, distinct, names_of, read, texts
from snellen.statistics.groups import NUMBERS, Groups, plain
from snellen.table import VerdictTable

if TYPE_CHECKING:
    import polars as pl

    from snellen.statistics.columns import Frame

_COMPARED: Mapping[str, type] = {
    **NUMBERS,
    "base": float,
    "other": float,
    "p": float,
    "p_holm": float,
    "gained": int,
    "lost": int,
    "only_base": int,
    "only_other": int,
}


def difference(
    frame: Frame,
    base: str,
    other: str,
    *,
    value: str = "value",
    run: str = "run",
    item: str = "item",
    cluster: str | None = "cluster",
    by: str | Sequence[str] = (),
) -> pl.DataFrame:
    """What one run scores more than another on the items that both have: `compare` of two runs.

    >>> import polars as pl
    >>> values = [0, 0, 0, 1, 1, 1, 1, 1]
    >>> table = pl.DataFrame({"run": ["a"] * 4 + ["b"] * 4, "item": [1, 2, 3, 4] * 2, "value": values})
    >>> difference(table, "a", "b", cluster="item").select("value", "gained", "lost", "n").row(0)
    (0.75, 3, 0, 4)
    """
    return _compared(frame, base, [other], value, run, item, cluster, by)


def compare(
    frame: Frame,
    base: str,
    *,
    value: str = "value",
    run: str = "run",
    item: str = "item",
    cluster: str | None = "cluster",
    by: str | Sequence[str] = (),
) -> pl.DataFrame:
    """Every other run less a first one, on the items that both have.

    The mean of (other - base) over the items scored in both, its interval (`snellen.engine.paired_interval`), the exact
    sign-flip test of the clusters' sums, and Holm's correction over all rows of the result (`snellen.engine.paired`).

    Args:
        frame: a row for each verdict; changed versions of items are items like others: leave them out where they are
            not meant (``frame.filter(pl.col("change").is_null())``).
        base: the run that others are compared with.
        value: column of 0, 1 and null; booleans do too, as for a flag.
        run, item: columns that tell runs apart, and items within them.
        cluster: as in `snellen.statistics.rate`; an item lies in the same one in all runs.
        by: columns whose values get rows of their own, as they stand in the rows of the base.

    Returns:
        The columns of `by` and ``run``, the usual ones (bounds of the difference), ``base`` and ``other`` (the two
        shares, over the items scored in both), ``p``, ``p_holm``, ``gained`` and ``lost`` (items), ``only_base`` and
        ``only_other`` (items that the other run lacks). Runs are in the order of their names.

    Raises:
        UsageError: there is no such run, or no other.
        DataError: an item stands twice in a run, or lies in two clusters.

    >>> import polars as pl
    >>> table = pl.DataFrame({"run": list("aabbcc"), "item": [1, 2] * 3, "value": [0, 0, 0, 1, 1, 1]})
    >>> compare(table, "a", cluster="item").select("run", "value", "gained").rows()
    [('b', 0.5, 1), ('c', 1.0, 2)]
    """
    return _compared(frame, base, None, value, run, item, cluster, by)


def tiers(
    frame: Frame,
    *,
    value: str = "value",
    run: str = "run",
    item: str = "item",
    cluster: str | None = "cluster",
    by: str | Sequence[str] = (),
) -> pl.DataFrame:
    """Runs put in order, with letters: two share one if, and only if, they are not told apart.

    Every two runs are tested on the items that are scored in all, with Holm's correction over all pairs; letters by
    insert and absorb (`snellen.engine.tiers`).

    Args:
        frame, value, run, item, cluster, by: as in `compare`; each group is a ranking of its own.

    Returns:
        The columns of `by`, ``run``, ``letters`` and the usual ones, the best run first. A group without an item that
        is scored in all runs has no rows.

    >>> import polars as pl
    >>> table = pl.DataFrame({"run": ["a"] * 9 + ["b"] * 9, "item": [*range(9)] * 2, "value": [0] * 9 + [1] * 9})
    >>> tiers(table, cluster="item").select("run", "letters", "value").rows()
    [('b', 'a', 1.0), ('a', 'b', 0.0)]
    """
    groups, found = _ranked(frame, value, run, item, cluster, by)
    lines = (
        (number, {"run": each.run, "letters": each.letters, **plain(each.score)})
        for number, ranking in found
        for each in ranking.ranked
    )
    return groups.collect(lines, {"run": str, "letters": str, **NUMBERS})


def pairwise(
    frame: Frame,
    *,
    value: str = "value",
    run: str = "run",
    item: str = "item",
    cluster: str | None = "cluster",
    by: str | Sequence[str] = (),
) -> pl.DataFrame:
    """Every two runs of a ranking, the better one less the worse, as `tiers` tests them.

    Args:
        frame, value, run, item, cluster, by: as in `tiers`.

    Returns:
        The columns of `by`, ``better``, ``worse``, the usual ones, ``p``, ``p_holm`` over the pairs of a group, and
        ``apart``: whether the two are told apart.

    >>> import polars as pl
    >>> table = pl.DataFrame({"run": ["a"] * 9 + ["b"] * 9, "item": [*range(9)] * 2, "value": [0] * 9 + [1] * 9})
    >>> pairwise(table, cluster="item").select("better", "worse", "value", "p", "apart").row(0)
    ('b', 'a', 1.0, 0.00390625, True)
    """
    groups, found = _ranked(frame, value, run, item, cluster, by)
    lines = (
        (
            number,
            {
                "better": pair.better,
                "worse": pair.worse,
                **_plain(pair.difference),
                "apart": pair.apart,
            },
        )
        for number, ranking in found
        for pair in ranking.pairs
    )
    return groups.collect(lines, {"better": str, "worse": str, **NUMBERS, "p": float, "p_holm": float, "apart": bool})


@dataclass(frozen=True, slots=True)
class Named:
    """Rows of one run, as a ranking wants it."""

    name: str
    table: VerdictTable
    manifest: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """A frame of several runs as arrays of length N.

    Attributes:
        table: the frame.
        names: of the runs, sorted.
        of: number of the run of each row.
        items, clusters: numbers.
        values: 0, 1 or -1.
    """

    table: pl.DataFrame
    names: tuple[str, ...]
    of: Ints
    items: Ints
    clusters: Ints
    values: Values

    @classmethod
    def read(
        cls,
        frame: Frame,
        value: str | None,
        run: str | None,
        item: str,
        cluster: str | None,
        by: Sequence[str],
    ) -> Runs:
        """Of a frame; without a column of values nothing is scored, without one of runs there is one.

        Raises:
            DataError: a null among runs or items, an item twice in a run, or in two clusters.
        """
        table = read(frame, value, run, item, cluster, *by)
        items = codes(table, item, "every row is of an item")
        of: Ints = np.zeros(len(table), np.int64)
        names: tuple[str, ...] = ("",)
        if run is not None:
            of = codes(table, run, "every row is of a run")
            names = tuple(sorted(texts(table, run).unique().to_list()))
        distinct([of, items], f"an {item} of a {run or 'run'}")
        groups = clusters(table, cluster) if cluster is not None else items
        first = np.zeros(int(items.max(initial=-1)) + 1, np.int64)
        first[items[::-1]] = groups[::-1]
        if (odd := first[items] != groups).any():
            row = int(np.flatnonzero(odd)[0])
            raise DataError(f"column {cluster!r} puts one {item} into two clusters", row=str(row))
        values = np.full(len(table), -1, np.int8) if value is None else binary(table, value)
        return cls(table, names, of, items, groups, values)

    def rows(self, name: str) -> Ints:
        """Of a run.

        Raises:
            UsageError: there is none of that name.
        """
        if name not in self.names:
            raise UsageError(f"there is no run {name!r}; the runs are: {', '.join(self.names) or 'none'}")
        return np.flatnonzero(self.of == self.names.index(name))

    def named(self, name: str, chosen: Ints) -> Named:
        """A run's rows among the chosen ones."""
        rows = chosen[self.of[chosen] == self.names.index(name)]
        return Named(name, verdict_table(self.values[rows], self.clusters[rows], self.items[rows]))


def _ranked(
    frame: Frame, value: str, run: str, item: str, cluster: str | None, by: str | Sequence[str]
) -> tuple[Groups, list[tuple[int, Tiers]]]:
    names = names_of(by)
    runs = Runs.read(frame, value, run, item, cluster, names)
    groups = Groups.of(runs.table, names)
    found = []
    for number, rows in enumerate(groups.rows):
        there = [runs.names[each] for each in np.unique(runs.of[rows]).tolist()]
        ranking = rank([runs.named(name, rows) for name in there]) if there else None
        if ranking is not None:
            found.append((number, ranking))
    return groups, found


def _compared(
    frame: Frame,
    base: str,
    others: Sequence[str] | None,
    value: str,
    run: str,
    item: str,
    cluster: str | None,
    by: str | Sequence[str],
) -> pl.DataFrame:
    names = names_of(by)
    if run in names:
        raise UsageError(f"runs are compared with each other, and cannot be grouped by {run!r}")
    runs = Runs.read(frame, value, run, item, cluster, names)
    left = runs.rows(base)
    rest = [name for name in runs.names if name != base] if others is None else list(others)
    if not rest or base in rest:
        raise UsageError(f"a comparison needs a run beside {base!r}; the runs are: {', '.join(runs.names)}")
    place = np.full(int(runs.items.max(initial=-1)) + 1, -1, np.int64)
    place[runs.items[left]] = left
    groups = Groups.of(runs.table, names, left)
    right = {name: runs.rows(name) for name in rest}
    beside = {name: _beside(runs, place, rows) for name, rows in right.items()}
    group = np.full(len(runs.of), -1, np.int64)
    for number, rows in enumerate(groups.rows):
        group[rows] = number
    lines = list(_lines(runs, groups, rest, beside, group, {name: len(rows) for name, rows in right.items()}))
    found = corrected([each for _, _, each, _ in lines])
    return groups.collect(
        (
            (number, {run: name, **_plain(each), **counts})
            for (number, name, _, counts), each in zip(lines, found, strict=True)
        ),
        {run: str, **_COMPARED},
    )


def _beside(runs: Runs, place: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """Rows of the base and of another run that are of the same items, in the order of the base."""
    at = place[runs.items[rows]]
    shared = at >= 0
    order = np.argsort(at[shared], kind="stable")
    return at[shared][order], rows[shared][order]


def _lines(
    runs: Runs,
    groups: Groups,
    rest: Sequence[str],
    beside: Mapping[str, tuple[Ints, Ints]],
    group: Ints,
    sizes: Mapping[str, int],
) -> Iterator[tuple[int, str, Difference, dict[str, int]]]:
    for number, rows in enumerate(groups.rows):
        for name in rest:
            base, other = beside[name]
            mine = group[base] == number
            b, o = base[mine], other[mine]
            # Items that the base lacks are of no group of the base's: all of them are counted in each.
            counts = {"only_base": len(rows) - len(b), "only_other": sizes[name] - len(base)}
            yield number, name, paired_difference(runs.values[b], runs.values[o], runs.clusters[b]), counts


def _plain(found: Difference) -> dict[str, Any]:
    own = ("value", "low", "high", "n", "unscored", "lower_bound", "upper_bound", "method", "p", "p_holm")
    return {name: getattr(found, name) for name in (*own, "gained", "lost")} | {
        "clusters": found.base.clusters,
        "base": found.base.value,
        "other": found.other.value,
    }

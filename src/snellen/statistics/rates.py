"""Shares, ratios of sums, and what becomes of right answers when items are changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from snellen import estimate
from snellen.item import Truth
from snellen.metrics import counterfactual_consistency as consistency
from snellen.metrics import resistance_rate as resistance
from snellen.pairs import PairTable
from snellen.statistics.arrays import verdict_table
from snellen.statistics.columns import among, binary, clusters, codes, combined, distinct, names_of, numbers, read
from snellen.statistics.groups import NUMBERS, Groups, estimates, plain

if TYPE_CHECKING:
    import polars as pl

    from snellen.statistics.columns import Frame

_TRUTHS = tuple(sorted(get_args(Truth)))
_COUNTERFACTUAL = [_TRUTHS.index(truth) for truth in ("altered", "removed")]


def rate(
    frame: Frame, value: str = "value", *, cluster: str | None = "cluster", by: str | Sequence[str] = ()
) -> pl.DataFrame:
    """Share of ones among the rows with a value, each weighing the same.

    sum(value) / n, with Wilson's interval for the effective sample size of the clusters (`snellen.estimate.rate`).

    Args:
        frame: a row for each verdict.
        value: column of 0, 1 and null (unscored); booleans do too, as for a flag.
        cluster: column of the cluster of each row; None if every row is one of its own.
        by: columns whose values get a row each.

    Returns:
        The columns of `by`, and those of `snellen.statistics`.

    >>> import polars as pl
    >>> rate(pl.DataFrame({"value": [1, 1, 0, 0, None], "cluster": [0, 0, 1, 1, 2]})).row(0)[3:8]
    (4, 2, 1, 0.4, 0.6)
    """
    names = names_of(by)
    table = read(frame, value, cluster, *names)
    values, groups = binary(table, value), clusters(table, cluster)
    return estimates(table, names, lambda rows: estimate.rate(values[rows], groups[rows], scored=values[rows] >= 0))


def ratio(
    frame: Frame,
    numerator: str,
    denominator: str,
    *,
    cluster: str | None = "cluster",
    by: str | Sequence[str] = (),
    seed: int = 0,
) -> pl.DataFrame:
    """sum(numerator) / sum(denominator) over the rows that have both.

    A share (whole numbers, the numerator within the denominator) gets the interval of `rate`, everything else the
    cluster bootstrap (`snellen.estimate.ratio`).

    Args:
        frame: a row for each verdict.
        numerator: column of numbers.
        denominator: column of numbers of at least 0.
        cluster, by: as in `rate`.
        seed: of the bootstrap.

    >>> import polars as pl
    >>> table = pl.DataFrame({"matched": [1, 3], "listed": [2, 4], "cluster": ["a", "b"]})
    >>> round(ratio(table, "matched", "listed")["value"][0], 6)
    0.666667
    """
    names = names_of(by)
    table = read(frame, numerator, denominator, cluster, *names)
    tops, bottoms = numbers(table, numerator), numbers(table, denominator, low=0)
    groups = clusters(table, cluster)
    return estimates(table, names, lambda rows: estimate.ratio(tops[rows], bottoms[rows], groups[rows], seed=seed))


def resistance_rate(
    frame: Frame,
    value: str = "value",
    *,
    pair: str = "pair",
    change: str = "change",
    truth: str | None = "truth",
    cluster: str | None = "cluster",
    run: str | None = "run",
    by: str | Sequence[str] = (),
) -> pl.DataFrame:
    """Share of the right clean answers that stay right when the item is changed.

    sum(clean x changed) / sum(clean) over the pairs whose truth is kept (`snellen.metrics.resistance_rate`).

    Args:
        frame: clean and changed items, a row for each verdict.
        value: column of 0, 1 and null.
        pair: column of the clean item's id, also on the clean item itself.
        change: column of what was changed; null on clean items.
        truth: column of what the change did to the truth: ``kept``, ``altered``, ``removed`` or ``unknown``; only
            pairs whose truth is kept take part. None if it is kept everywhere.
        cluster: as in `rate`.
        run: column of the run, within which items are paired; None for a frame of one run.
        by: columns of the changed items: ``change`` gives a row for each condition.

    Returns:
        Beside the usual columns ``clean`` and ``changed`` (share of right answers of both members, over the pairs with
        a value on both sides), ``lost`` (right when clean, wrong when changed) and ``gained``. `n` counts pairs.

    Raises:
        DataError: a clean item is there twice in a run, or a change of it.

    >>> import polars as pl
    >>> made = {"value": [1, 1, 0, 1, 0, 1], "pair": list("abcabc"), "change": [None] * 3 + ["jpeg:3"] * 3}
    >>> table = pl.DataFrame(made).with_columns(cluster="pair")
    >>> resistance_rate(table, truth=None, run=None).select("value", "n", "lost", "gained").row(0)
    (0.5, 3, 1, 1)
    """
    names = names_of(by)
    table = read(frame, value, pair, change, truth, cluster, run, *names)
    pairs = _pairs(table, value, pair, change, truth, cluster, run)
    kept = np.flatnonzero(pairs.truth("kept"))
    rows = pairs.rows.positions[kept]
    groups = Groups.of(table, names, rows)
    place = np.full(len(table), -1, np.int64)
    place[rows] = kept
    extra = {"clean": float, "changed": float, "lost": int, "gained": int}

    def found() -> Iterator[tuple[int, dict[str, Any]]]:
        for number, own in enumerate(groups.rows):
            mine = place[own]
            before, after, group = pairs.clean[mine], pairs.changed[mine], pairs.rows.clusters[mine]
            both = (before >= 0) & (after >= 0)
            yield (
                number,
                {
                    **plain(resistance.of_values(before, after, group)),
                    "clean": estimate.rate(before, group, scored=both).value,
                    "changed": estimate.rate(after, group, scored=both).value,
                    "lost": int(((before == 1) & (after == 0)).sum()),
                    "gained": int(((before == 0) & (after == 1)).sum()),
                },
            )

    return groups.collect(found(), {**NUMBERS, **extra})


def counterfactual_consistency(
    frame: Frame,
    value: str = "value",
    *,
    truth: str = "truth",
    cluster: str | None = "cluster",
    by: str | Sequence[str] = (),
) -> pl.DataFrame:
    """Share of the changed items that are answered as the changed picture has it, where the clean truth is gone.

    sum(value) / n over the rows whose truth was altered or removed (`snellen.metrics.counterfactual_consistency`);
    ``by="truth"`` tells the two apart.

    Args:
        frame: a row for each verdict.
        value: column of 0, 1 and null.
        truth: column of ``kept``, ``altered``, ``removed``, ``unknown``, and null on clean items.
        cluster, by: as in `rate`.

    >>> import polars as pl
    >>> table = pl.DataFrame({"value": [1, 0, 1], "truth": ["altered", "removed", "kept"], "cluster": [0, 1, 2]})
    >>> counterfactual_consistency(table).select("value", "n").row(0)
    (0.5, 2)
    """
    names = names_of(by)
    table = read(frame, value, truth, cluster, *names)
    values, groups = binary(table, value), clusters(table, cluster)
    rows = np.flatnonzero(np.isin(among(table, truth, _TRUTHS), _COUNTERFACTUAL))
    chosen = Groups.of(table, names, rows)
    found = ((number, plain(consistency.of_values(values[own], groups[own]))) for number, own in enumerate(chosen.rows))
    return chosen.collect(found, NUMBERS)


def _pairs(
    table: pl.DataFrame,
    value: str,
    pair: str,
    change: str,
    truth: str | None,
    cluster: str | None,
    run: str | None,
) -> PairTable:
    """The pairs of a frame; `PairTable.rows` knows the rows by their positions."""
    items = codes(table, pair, "pairs are made by it")
    conditions = codes(table, change)
    within = [codes(table, run)] if run is not None else []
    distinct([*within, items, conditions], f"a {pair} with the same {change}")
    kept = np.full(len(table), _TRUTHS.index("kept"))
    truths = kept if truth is None else among(table, truth, _TRUTHS)
    return PairTable.of(
        verdict_table(
            binary(table, value),
            clusters(table, cluster),
            combined([*within, items]),
            changed=conditions >= 0,
            truths=(truths, _TRUTHS),
        )
    )

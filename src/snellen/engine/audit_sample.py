"""Whether the audited items are like the others: what a correction by them rests on.

Prediction-powered inference takes the audited items for a random sample of all. If people looked at the failures only,
or at one kind of item more than at others, the corrected share is wrong, however narrow its interval. So for the
judge's verdict and for every value of every label its share among the audited items stands beside that among the
others, with the p of their difference: its linearised standard error is clustered, against Student's t, by Holm's
correction over all that are compared. Items may have been drawn one by one or image by image.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

from snellen.card import Card
from snellen.engine.multiplicity import holm
from snellen.engine.paired import Mask
from snellen.intervals import cluster_sums
from snellen.table import LANGUAGE, VerdictTable

VERDICT = "@verdict"
"""Name under which the judge's verdict is compared, beside the labels."""

UNLIKELY = 0.05
"""p below which a difference is warned of."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A property of items, among the audited ones and among the others.

    Attributes:
        label, value: which; the label is `VERDICT` for the items that the judge calls right.
        audited, others: its share among either, 0 to 1.
        p: of their difference; None where it cannot be tested (a single cluster, or nothing left unaudited).
        p_holm: corrected for all that are compared.
    """

    label: str
    value: str
    audited: float
    others: float
    p: float | None
    p_holm: float | None = None

    @property
    def differs(self) -> bool:
        """Whether chance is an unlikely reason for the difference."""
        return self.p_holm is not None and self.p_holm < UNLIKELY

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return asdict(self)


def compare_sample(card: Card, table: VerdictTable, audited: Mask) -> tuple[Chosen, ...]:
    """The judge's verdict and every label of the card, and the language, among audited and other items.

    Args:
        card: of the benchmark.
        table: clean items that the judge decided, shape (N,).
        audited: shape (N,).

    Returns:
        Nothing where all items are audited.
    """
    if audited.all() or not audited.any():
        return ()
    found = [_chosen(VERDICT, "right", table.values == 1, table, audited)]
    names = [*card.labels, *(() if LANGUAGE in card.labels else (LANGUAGE,))]
    for name in (name for name in names if name in table.label_names):
        values = table.label_values(name)
        known = [value for value in card.labels.get(name, ()) if value in values]
        for value in known + [value for value in values if value not in known]:
            has = table.mask(**{name: value})
            if has.any() and not has.all():
                found.append(_chosen(name, value, has, table, audited))
    corrected = holm([each.p for each in found])
    return tuple(replace(each, p_holm=p) for each, p in zip(found, corrected, strict=True))


def _chosen(label: str, value: str, has: Mask, table: VerdictTable, audited: Mask) -> Chosen:
    sums = cluster_sums([audited, has & audited, ~audited, has & ~audited], table.clusters)
    n, with_it, m, rest = sums.sum(0)
    inside, outside = float(with_it / n), float(rest / m)
    groups = int(min((sums[:, 0] > 0).sum(), (sums[:, 2] > 0).sum()))
    if groups < 2:
        return Chosen(label, value, inside, outside, None)
    influence = (sums[:, 1] - inside * sums[:, 0]) / n - (sums[:, 3] - outside * sums[:, 2]) / m
    error = math.sqrt(groups / (groups - 1) * float(influence @ influence))
    return Chosen(label, value, inside, outside, _p(inside - outside, error, groups - 1))


def _p(difference: float, error: float, df: int) -> float:
    from scipy.special import stdtr  # the distribution of Student's t

    if not error:
        return 1.0 if abs(difference) < 1e-12 else 0.0
    return min(1.0, 2 * float(stdtr(df, -abs(difference) / error)))

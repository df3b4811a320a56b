"""Share of the right answers that stay right when the item is changed: resistance to a perturbation.

    sum(clean x changed) / sum(clean)    over the pairs whose truth is kept and whose members both have a value

with values 1 and 0, unclear being 0 (SHALE, arXiv 2508.09584). Without a right clean answer it is undefined. Pairs
whose truth is altered, removed or unknown are left out, for one truth does not serve both members. Pairs with an
unscored member count for nobody, and widen the bounds.

The interval is Wilson's with the effective sample size of the clusters, clean hits being the sizes: in simulation
(perf/resistance.py) it covers as well as the best bootstrap tried, and it does not collapse at 0 and 1.
"""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from snellen.estimate import Estimate, ratio
from snellen.intervals import t_quantile
from snellen.pairs import PairTable
from snellen.table import VerdictTable

TITLE = "Resistance"
HIGHER_IS_BETTER: bool | None = True

MACRO = "Wilson interval, effective sample size of the cells and clusters"

# As in `snellen.intervals`: clustering that cannot be seen in few hits or misses is presumed.
_PRIOR_HITS = 3.0
_PRIOR_CORRELATION = 0.2


def estimate(table: VerdictTable) -> Estimate:
    """Resistance over all pairs of a table whose truth is kept."""
    return of_pairs(PairTable.of(table))


def of_pairs(pairs: PairTable) -> Estimate:
    """Resistance over those of the pairs whose truth is kept.

    Returns:
        `n` counts the pairs with a value on both sides, `unscored` the others. No value where no clean answer is right.
        The bounds are the least and the most that the value could be if every member had a value.

    Four pairs, clean 1 1 1 0 and changed 1 1 0 1: three were right, of which two stay right.

    >>> from snellen.item import Change, Item
    >>> from snellen.table import TableBuilder
    >>> from snellen.verdict import Verdict
    >>> builder = TableBuilder()
    >>> for number, (clean, changed) in enumerate([(1, 1), (1, 1), (1, 0), (0, 1)]):
    ...     builder.add(2 * number, Item(f"i/{number}", "?"), Verdict(clean))
    ...     made = dict(groups={"pair": f"i/{number}"}, changes=(Change("jpeg", 3, 0, "kept"),))
    ...     builder.add(2 * number + 1, Item(f"i/{number}@jpeg:3", "?", **made), Verdict(changed))
    >>> format(of_pairs(PairTable.of(builder.build())), "value")
    '66.7 %'
    """
    kept = pairs.select(pairs.truth("kept"))
    return of_values(kept.clean, kept.changed, kept.rows.clusters)


def of_values(clean: npt.ArrayLike, changed: npt.ArrayLike, clusters: npt.ArrayLike) -> Estimate:
    """As `of_pairs`, of pairs whose truth is kept: two columns of 1, 0 or -1 (unscored), and their clusters.

    >>> format(of_values([1, 1, 1, 0], [1, 1, 0, 1], [0, 1, 2, 3]), "value")
    '66.7 %'
    """
    before, after = np.asarray(clean), np.asarray(changed)
    scored = (before >= 0) & (after >= 0)
    hits = np.where(scored, before, 0)
    stays = hits * np.where(scored, after, 0)
    result = ratio(stays, hits, clusters, seed=0, scored=scored)
    stay, right = int(stays.sum()), int(hits.sum())
    # An open pair may turn out right and then wrong, right and right, or not right at all, when it does not count.
    still_open = ~scored & (before != 0)
    can_fall, can_stay = int((still_open & (after != 1)).sum()), int((still_open & (after != 0)).sum())
    least, most = right + can_fall, right + can_stay
    return replace(
        result,
        lower_bound=stay / least if least else 1.0 if can_stay else None,
        upper_bound=(stay + can_stay) / most if most else 0.0 if can_fall else None,
    )


def macro(
    clean: npt.ArrayLike, changed: npt.ArrayLike, clusters: npt.ArrayLike, cells: npt.ArrayLike
) -> tuple[Estimate, int]:
    """Mean of the resistances of cells, each weighing the same, and how many cells it is over.

    A cell without a right clean answer has no resistance and is left out. The interval is Wilson's with an effective
    sample size. With K cells of resistance R_k and M_k clean hits, a clean hit weighs 1 / (K M_k), and n_w is 1 over
    the sum of the squared weights. The linearised variance v sums the squares of the clusters' weighted residuals,
    enlarged by sqrt(G_k / (G_k - 1)) in a cell of G_k clusters. The design effect v / (R (1 - R) / n_w) is drawn
    upwards where hits or misses are few, and kept at 1 or above, as in `snellen.intervals.share_interval`.

    Args:
        clean, changed, clusters: as in `of_values`.
        cells: shape (M,): whole numbers; below 0 for a pair that is in none.
    """
    before, after, cell = np.asarray(clean), np.asarray(changed), np.asarray(cells, np.int64)
    inside = cell >= 0
    scored = inside & (before >= 0) & (after >= 0)
    groups = np.unique(np.asarray(clusters)[scored], return_inverse=True)[1].astype(np.int64)
    n, unscored = int(scored.sum()), int((inside & ~scored).sum())
    nothing = Estimate(None, None, None, n, int(groups.max(initial=-1)) + 1, unscored)
    width = int(cell.max(initial=0)) + 1
    places, entry = np.unique(groups * width + cell[scored], return_inverse=True)
    right = np.bincount(entry, weights=before[scored], minlength=len(places))
    stays = np.bincount(entry, weights=before[scored] * after[scored], minlength=len(places))
    with_hits = right > 0
    group, column = np.divmod(places[with_hits], width)
    right, stays = right[with_hits], stays[with_hits]
    present, column = np.unique(column, return_inverse=True)
    count = len(present)
    if not count:
        return nothing, 0
    hits = np.bincount(column, weights=right)
    rates = np.bincount(column, weights=stays) / hits
    value = float(rates.mean())
    members = np.bincount(column)
    enlarged = np.sqrt(members / np.maximum(members - 1, 1))
    residuals = (stays - right * rates[column]) * (enlarged / (count * hits))[column]
    variance = float((np.bincount(group, weights=residuals) ** 2).sum())
    size = 1 / float((1 / (count * count * hits)).sum())
    weights = np.bincount(group, weights=right / (count * hits)[column])
    kish = size * float((weights**2).sum())
    independent = value * (1 - value) / size
    seen = variance / independent if independent > 0 else 1.0
    rarer = max(min(float(stays.sum()), float((right - stays).sum())), 1.0)
    drawn = (rarer * seen + _PRIOR_HITS * (1 + _PRIOR_CORRELATION * (kish - 1))) / (rarer + _PRIOR_HITS)
    involved = int((weights > 0).sum())
    effect = kish if involved == 1 else max(seen, drawn, 1.0)
    low, high = _wilson(value, size / effect, involved)
    low, high = (0.0 if value == 0 else low), (1.0 if value == 1 else high)
    bound = None if unscored else value
    return replace(
        nothing,
        value=value,
        low=min(low, value),
        high=max(high, value),
        lower_bound=bound,
        upper_bound=bound,
        method=MACRO,
        design_effect=effect,
    ), count


def _wilson(share: float, size: float, clusters: int) -> tuple[float, float]:
    c = t_quantile(0.975, clusters - 1) if clusters > 1 else NormalDist().inv_cdf(0.975)
    shrink = 1 + c * c / size
    centre = (share + c * c / (2 * size)) / shrink
    half = c / shrink * math.sqrt(share * (1 - share) / size + c * c / (4 * size * size))
    return max(centre - half, 0.0), min(centre + half, 1.0)

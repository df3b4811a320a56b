"""Matching what a model lists on a screen with what is there: one to one, by the overlap of their boxes.

GUI-HalluBench (CVPR 2026) matches one to one at an intersection over union of 0.5 and more, and does not say how ties
are settled. `optimal` gives the matching of the largest total overlap; `greedy` takes, as a script of a sister
repository does, each true element in turn and gives it the best of the listed ones that are still free.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from snellen.box import Box

THRESHOLD = 0.5

Pair = tuple[int, int]
Edges = npt.NDArray[np.float64]
Overlaps = npt.NDArray[np.float64]


def overlaps(listed: Sequence[Box], true: Sequence[Box]) -> Overlaps:
    """Shape (listed, true): intersection over union of each pair, 0 where it has no area."""
    return edge_overlaps(edges(listed), edges(true))


def edges(boxes: Sequence[Box]) -> Edges:
    """Shape (boxes, 4): left, top, right, bottom."""
    return np.array([(b.left, b.top, b.right, b.bottom) for b in boxes], np.float64).reshape(-1, 4)


def edge_overlaps(listed: Edges, true: Edges) -> Overlaps:
    """As `overlaps`, of boxes given by their edges."""
    a, b = listed[:, None], true[None]
    width = np.minimum(a[..., 2], b[..., 2]) - np.maximum(a[..., 0], b[..., 0])
    height = np.minimum(a[..., 3], b[..., 3]) - np.maximum(a[..., 1], b[..., 1])
    common = np.where((width > 0) & (height > 0), width * height, 0.0)
    whole = _areas(a) + _areas(b) - common
    return np.divide(common, whole, out=np.zeros_like(common), where=whole > 0)


def optimal(iou: Overlaps, threshold: float = THRESHOLD) -> list[Pair]:
    """The pairs (listed, true) of the matching with the largest total overlap among those that reach the threshold.

    In the order of the true elements.
    """
    reached = iou >= threshold
    # Most elements that have a partner have one alone, which has no other: only the rest needs solving.
    partners, suitors = reached.sum(1), reached.sum(0)
    rows, columns = np.nonzero(reached & (partners == 1)[:, None] & (suitors == 1)[None])
    pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    if len(pairs) < min((partners > 0).sum(), (suitors > 0).sum()):
        pairs += _solved(np.where(reached, iou, 0.0), pairs, threshold)
    return sorted(pairs, key=lambda pair: pair[1])


def _solved(weights: Overlaps, settled: Sequence[Pair], threshold: float) -> list[Pair]:
    """The best pairs of what is not settled and has a partner at all; weights below the threshold are 0."""
    from scipy.optimize import linear_sum_assignment  # a tenth of a second, for runs on screens alone

    done_rows, done_columns = [i for i, _ in settled], [j for _, j in settled]
    rows = np.setdiff1d(np.flatnonzero(weights.any(1)), done_rows)
    columns = np.setdiff1d(np.flatnonzero(weights.any(0)), done_columns)
    part = weights[np.ix_(rows, columns)]
    chosen = zip(*linear_sum_assignment(part, maximize=True), strict=True)
    return [(int(rows[i]), int(columns[j])) for i, j in chosen if part[i, j] >= threshold]


def greedy(iou: Overlaps, threshold: float = THRESHOLD) -> list[Pair]:
    """The pairs (listed, true) when each true element in turn takes the best of what is left, the first of equals."""
    free = np.ones(iou.shape[0], bool)
    pairs = []
    for j in range(iou.shape[1]):
        candidates = np.where(free, iou[:, j], -1.0)
        if candidates.size and candidates.max() >= threshold:
            i = int(candidates.argmax())
            free[i] = False
            pairs.append((i, j))
    return pairs


def _areas(boxes: Edges) -> Edges:
    return np.clip(boxes[..., 2] - boxes[..., 0], 0, None) * np.clip(boxes[..., 3] - boxes[..., 1], 0, None)

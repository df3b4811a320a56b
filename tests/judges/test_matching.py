"""Matching of listed and true elements: against every assignment there is, against scipy, and by hand."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import linear_sum_assignment

from snellen.box import Box
from snellen.judges._matching import THRESHOLD, edge_overlaps, edges, greedy, optimal, overlaps

Overlaps = npt.NDArray[np.float64]


def total(iou: Overlaps, pairs: list[tuple[int, int]]) -> float:
    return float(sum(iou[pair] for pair in pairs))


def best(iou: Overlaps, threshold: float) -> float:
    """The largest total overlap over all assignments."""
    weights = np.where(iou >= threshold, iou, 0.0)
    if weights.shape[0] > weights.shape[1]:
        weights = weights.T
    rows, columns = weights.shape
    return max(float(sum(weights[i, order[i]] for i in range(rows))) for order in permutations(range(columns), rows))


def is_matching(iou: Overlaps, pairs: list[tuple[int, int]], threshold: float) -> bool:
    alone = len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    return alone and all(iou[pair] >= threshold for pair in pairs)


def some(rng: np.random.Generator, most: int) -> Overlaps:
    """Overlaps with ties, empty rows and crowds."""
    shape = rng.integers(0, most + 1, 2)
    iou = rng.random(shape) * (rng.random(shape) < rng.random())
    return np.round(iou, 1) if rng.random() < 0.5 else iou


@pytest.mark.parametrize("seed", range(8))
def test_no_assignment_is_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(60):
        iou, threshold = some(rng, 5), float(rng.choice([0.1, 0.3, 0.5, 0.7]))
        pairs = optimal(iou, threshold)
        assert is_matching(iou, pairs, threshold)
        assert total(iou, pairs) == pytest.approx(best(iou, threshold) if iou.size else 0)
        assert pairs == sorted(pairs, key=lambda pair: pair[1])


def test_as_scipy_solves_it_whole() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        iou = some(rng, 40)
        weights = np.where(iou >= THRESHOLD, iou, 0.0)
        rows, columns = linear_sum_assignment(weights, maximize=True)
        assert total(iou, optimal(iou)) == pytest.approx(float(weights[rows, columns].sum()))


def test_the_largest_total_wins_over_the_single_best() -> None:
    iou = np.array([[0.9, 0.8], [0.85, 0.0]])
    assert optimal(iou) == [(1, 0), (0, 1)]
    assert greedy(iou) == [(0, 0)]


def test_pairs_of_their_own_stand_beside_a_crowd() -> None:
    iou = np.array([[0.6, 0.0, 0.0], [0.0, 0.9, 0.8], [0.0, 0.85, 0.0]])
    assert optimal(iou) == [(0, 0), (2, 1), (1, 2)]


def test_greedy_goes_by_the_truth_and_takes_the_first_of_equals() -> None:
    iou = np.array([[0.6, 0.9], [0.6, 0.7]])
    assert greedy(iou) == [(0, 0), (1, 1)]
    assert optimal(iou) == [(1, 0), (0, 1)]


@pytest.mark.parametrize("match", [optimal, greedy])
def test_the_threshold_itself_counts(match: object) -> None:
    assert callable(match)
    assert match(np.array([[0.5]])) == [(0, 0)]
    assert match(np.array([[0.4999]])) == []
    assert match(np.array([[0.4]]), 0.3) == [(0, 0)]


@pytest.mark.parametrize("match", [optimal, greedy])
@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_nothing_matches_nothing(match: object, shape: tuple[int, int]) -> None:
    assert callable(match)
    assert match(np.zeros(shape)) == []


def test_overlaps_are_those_of_the_boxes() -> None:
    rng = np.random.default_rng(1)

    def boxes(count: int) -> list[Box]:
        return [
            Box(left, top, left + width, top + height) for left, top, width, height in rng.integers(0, 6, (count, 4))
        ]

    listed, true = boxes(12), boxes(9)
    found = overlaps(listed, true)
    assert found.tolist() == [[a.iou(b) for b in true] for a in listed]
    assert edge_overlaps(edges(listed), edges(true)).tolist() == found.tolist()


def test_boxes_without_area_overlap_nothing() -> None:
    flat = Box(3, 3, 3, 9)
    assert overlaps([flat, Box(0, 0, 9, 9)], [flat]).tolist() == [[0.0], [0.0]]
    assert edges([]).shape == (0, 4)

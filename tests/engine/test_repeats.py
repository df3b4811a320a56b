"""Repeats as numbers: the variance is split as by hand and by least squares, and holes do no harm."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from snellen.engine.repeats import ITEMS_AND_SAMPLING, SAMPLING_AND_JUDGE, components, pooled, spread
from snellen.estimate import rate

NAN = float("nan")


def test_a_balanced_table_by_hand() -> None:
    # Three items, two answers each, two verdicts each.
    y = [[[1, 1], [1, 0]], [[0, 0], [1, 1]], [[0, 0], [0, 0]]]
    found = spread(y, [0, 1, 2])
    assert found.pooled.value == pytest.approx(5 / 12)
    # Sums of squares: within answers 0.5 with 6 degrees of freedom; between answers of an item 1/4 + 1 with 3; between
    # items 4 (1/3)^2 + 4 (1/12)^2 + 4 (5/12)^2 with 2.
    within, answers = 0.5 / 6, 1.25 / 3
    items = 4 * ((1 / 3) ** 2 + (1 / 12) ** 2 + (5 / 12) ** 2) / 2
    assert [part.variance.value for part in found.components] == pytest.approx(
        [(items - answers) / 4, (answers - within) / 2, within]
    )
    whole = (items - answers) / 4 + (answers - within) / 2 + within
    assert [part.share.value for part in found.components] == pytest.approx(
        [(items - answers) / 4 / whole, (answers - within) / 2 / whole, within / whole]
    )
    assert not any(part.clamped for part in found.components)
    assert (found.changed.hits, found.changed.n) == (2, 3)
    assert found.rejudged.value == pytest.approx(1 / 6)
    scores = {place: estimate.value for place, estimate in found.scores.items()}
    assert scores == pytest.approx({(0, 0): 1 / 3, (0, 1): 1 / 3, (1, 0): 2 / 3, (1, 1): 1 / 3})


def test_standard_errors_are_those_of_the_parts() -> None:
    y = [[[1, 1], [1, 0]], [[0, 0], [1, 1]], [[0, 0], [0, 0]], [[1, 1], [1, 1]]]
    found = spread(y, [0, 1, 2, 3])
    items, sampling, judge = (part.variance.value or 0.0 for part in found.components)
    value = {(error.repeats, error.judgings, error.images): error.value for error in found.errors}
    # With an item an image, the variance of the score is that of the items' rates over their number.
    assert value[2, 2, 1] ** 2 == pytest.approx(np.var([3 / 4, 1 / 2, 0, 1], ddof=1) / 4)
    assert value[2, 2, 1] ** 2 == pytest.approx((items + sampling / 2 + judge / 4) / 4)
    assert value[1, 1, 1] ** 2 == pytest.approx((items + sampling + judge) / 4)
    assert value[None, 2, 1] ** 2 == pytest.approx(items / 4)
    assert value[2, 2, 2] == pytest.approx(value[2, 2, 1] / math.sqrt(2))
    assert value[1, 1, 2] == pytest.approx(value[1, 1, 1] / math.sqrt(2))


def _unbalanced(seed: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    y = (rng.random((40, 3, 2)) < rng.random((40, 1, 1))).astype(np.float64)
    y[rng.random(y.shape) < 0.3] = NAN
    y[5] = NAN  # nothing of one item
    y[:, 2][rng.random(40) < 0.3] = NAN
    return y, np.arange(40) // 4


def test_an_unbalanced_table_by_matrices() -> None:
    """The expected sums of squares as traces of projections (Searle, Casella & McCulloch, chapter 5)."""
    y, clusters = _unbalanced(3)
    places = np.argwhere(~np.isnan(y))
    values = y[tuple(places.T)]
    item = (places[:, :1] == np.unique(places[:, 0])).astype(np.float64)
    numbers = places[:, 0] * 3 + places[:, 1]
    answer = (numbers[:, None] == np.unique(numbers)).astype(np.float64)

    def onto(design: npt.NDArray[np.float64]) -> npt.NDArray[Any]:
        return np.asarray(design @ np.linalg.pinv(design))

    whole = np.eye(len(values))
    mean = np.full_like(whole, 1 / len(values))
    squares = [onto(item) - mean, onto(answer) - onto(item), whole - onto(answer)]
    designs = [item @ item.T, answer @ answer.T, whole]
    expected = np.array([[np.trace(square @ design) for design in designs] for square in squares])
    sums = np.array([values @ square @ values for square in squares])
    solved = np.linalg.solve(expected, sums)
    found = spread(y, clusters, resamples=200)
    own = [part.variance.value for part in found.components]
    assert own == pytest.approx(np.maximum(solved, 0))
    assert [part.clamped for part in found.components] == [value < 0 for value in solved]
    assert found.unscored == int(np.isnan(y).sum())
    assert (found.pooled.n, found.pooled.unscored) == (39, 1)


def test_the_estimators_are_those_of_a_mixed_model_where_it_is_balanced() -> None:
    """Restricted maximum likelihood gives the same on balanced data, where nothing is clamped (Searle et al., 4.8)."""
    formula = pytest.importorskip("statsmodels.formula.api")
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    chance = rng.beta(0.5, 0.5, 60)
    right = rng.random((60, 3)) < chance[:, None]
    y = (right[..., None] ^ (rng.random((60, 3, 2)) < 0.1)).astype(np.float64)
    found = [part.variance.value for part in spread(y, np.arange(60), resamples=200).components]
    items, answers, _ = np.meshgrid(np.arange(60), np.arange(3), np.arange(2), indexing="ij")
    data = pandas.DataFrame({"y": y.ravel(), "item": items.ravel(), "answer": answers.ravel()})
    with np.errstate(all="ignore"):
        fit = formula.mixedlm("y ~ 1", data, groups="item", re_formula="1", vc_formula={"answer": "0 + C(answer)"}).fit(
            reml=True
        )
    assert found == pytest.approx([float(fit.cov_re.iloc[0, 0]), float(fit.vcomp[0]), float(fit.scale)], rel=2e-3)


def test_what_cannot_be_told_apart_is_named_so() -> None:
    y = np.array([[[1.0], [0.0]], [[1.0], [1.0]], [[0.0], [0.0]]])
    clusters = [0, 1, 2]
    assert [part.name for part in spread(y, clusters).components] == ["items", SAMPLING_AND_JUDGE]
    rules = spread(y, clusters, draws=False).components
    assert [part.name for part in rules] == ["items", "sampling", "judge"]
    assert (rules[2].variance.value, rules[2].share.value) == (0, 0)
    once = spread(np.swapaxes(y, 1, 2), clusters)
    assert [part.name for part in once.components] == [ITEMS_AND_SAMPLING, "judge"]
    assert [(error.repeats, error.judgings) for error in once.errors] == [(1, 1), (1, 2), (1, None), (1, 2), (1, 1)]
    single = spread(y[:, :1], clusters)
    assert (single.components, single.errors) == ((), ())


def test_a_part_below_nothing_is_nothing_and_says_so() -> None:
    y = [[[1], [0]], [[0], [1]], [[1], [0]]]  # items differ less than chance alone makes them
    items, rest = spread(y, [0, 1, 2]).components
    assert (items.clamped, items.variance.value, items.share.value) == (True, 0, 0)
    assert (rest.clamped, rest.share.value) == (False, 1)


def test_one_verdict_an_item_is_a_rate() -> None:
    values, clusters = [1.0, 0.0, NAN, 1.0, 0.0, 0.0], [0, 0, 1, 1, 2, 2]
    found = pooled(np.reshape(values, (6, 1, 1)), clusters)
    same = rate(values, clusters)
    assert (found.value, found.low, found.high, found.n) == (same.value, same.low, same.high, same.n)
    assert (found.lower_bound, found.upper_bound) == (same.lower_bound, same.upper_bound)


def test_an_answer_counts_once_however_often_it_was_judged() -> None:
    found = pooled(np.array([[[1, 1], [0, NAN]], [[NAN, NAN], [0, 0]]]), [0, 1])
    assert found.value == pytest.approx((1 / 2 + 0) / 2)
    assert found.lower_bound == pytest.approx(2 / 8)
    assert found.upper_bound == pytest.approx((3 / 4 + 1 / 2) / 2)


def test_no_hit_in_any_repeat_promises_no_more_than_one_asking_each() -> None:
    often, once = pooled(np.zeros((50, 4, 2)), np.arange(50)), pooled(np.zeros((50, 1, 1)), np.arange(50))
    assert often.high is not None
    assert once.high is not None
    assert often.high >= once.high > 0


def test_nothing_scored_and_nothing_at_all() -> None:
    empty = spread(np.full((3, 2, 2), NAN), [0, 1, 2])
    assert empty.pooled.value is None
    assert (empty.pooled.lower_bound, empty.pooled.upper_bound, empty.pooled.unscored) == (0, 1, 3)
    assert (empty.components, empty.errors) == ((), ())
    assert spread(np.zeros((0, 2, 2)), []).pooled.value is None
    alike = spread(np.ones((4, 2, 2)), [0, 1, 2, 3])
    assert [part.share.value for part in alike.components] == [None, None, None]
    assert alike.errors[0].value == 0


def test_the_order_of_items_and_the_names_of_clusters_do_not_matter() -> None:
    y, clusters = _unbalanced(4)
    order = np.random.default_rng(0).permutation(len(y))
    one = spread(y, clusters, resamples=200).to_json()
    other = spread(y[order], 7 - clusters[order] + 100, resamples=200).to_json()
    assert _close(one["components"], other["components"])
    assert one["pooled"]["low"] == pytest.approx(other["pooled"]["low"])


def _close(one: Any, other: Any) -> bool:
    return all(
        left[part][end] == pytest.approx(right[part][end], abs=1e-9)
        for left, right in zip(one, other, strict=True)
        for part in ("variance", "share")
        for end in ("value", "low", "high")
    )


def test_bad_tables_are_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        spread([[1, 0]], [0])
    with pytest.raises(ValueError, match="shape"):
        spread([[[1], [0]]], [0, 1])
    with pytest.raises(ValueError, match="zeros and ones"):
        spread([[[0.5]]], [0])


def test_parts_are_found_again_in_what_was_drawn() -> None:
    rng = np.random.default_rng(0)
    chance = rng.beta(1, 2, 4000)
    right = rng.random((4000, 3)) < chance[:, None]
    y = (right[..., None] ^ (rng.random((4000, 3, 2)) < 0.1)).astype(np.float64)
    found = [part.variance.value for part in spread(y, np.arange(4000) // 8, resamples=200).components]
    mean = (chance * (1 - chance)).mean()
    assert found == pytest.approx([0.64 * chance.var(), 0.64 * mean, 0.09], rel=0.06)


def test_components_take_many_totals_at_once() -> None:
    totals = np.array([3.0, 6, 12, 5, 9 / 4 + 4 / 4, 4 / 2 + 1 / 2 + 4 / 2, 5, 6, 24, 48])
    one = components(totals)
    many = components(np.stack([totals, 2 * totals]))
    assert [float(each[0]) for each in many] == pytest.approx([float(each) for each in one])
    assert many[0].shape == (2,)

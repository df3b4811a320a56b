"""Agreement: share, kappa and alpha by hand, against reference libraries, and their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from snellen.agreement import AGREED, agreeing_share, cohen_kappa, krippendorff_alpha
from snellen.estimate import BOOTSTRAP, NO_INTERVAL


def test_kappa_by_hand() -> None:
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: p_o = 0.7, p_e = 0.5 * 0.6 + 0.5 * 0.4 = 0.5.
    first = [1] * 25 + [0] * 25
    second = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    found = cohen_kappa(first, second, range(50))
    assert found.value == pytest.approx(0.4)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.4 < found.high
    assert (found.n, found.clusters, found.unscored, found.method) == (50, 50, 0, BOOTSTRAP)


def test_alpha_by_hand() -> None:
    # Krippendorff 2011, example C without its missing column: 4 observers, 11 units rated twice or more, alpha 0.743.
    missing = -1
    ratings = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, missing, missing, missing],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, missing, 3],
        [missing, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, missing],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, missing],
    ]
    found = krippendorff_alpha(ratings, range(12))
    assert found.value == pytest.approx(0.743, abs=5e-4)
    assert (found.n, found.unscored) == (11, 1)


@pytest.mark.parametrize("seed", range(5))
def test_against_reference_libraries(seed: int) -> None:
    krippendorff = pytest.importorskip("krippendorff", reason="krippendorff is not installed")
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, 90)
    ratings = np.where(rng.random((4, 90)) < 0.7, truth, rng.integers(0, 3, (4, 90)))
    whole = cohen_kappa(ratings[0], ratings[1], rng.integers(0, 20, 90))
    assert whole.value == pytest.approx(cohen_kappa_score(ratings[0], ratings[1]), abs=1e-9)
    ratings[rng.random((4, 90)) < 0.4] = -1
    with_gaps = np.where(ratings < 0, np.nan, ratings).astype(float)
    expected = krippendorff.alpha(with_gaps, level_of_measurement="nominal")
    assert krippendorff_alpha(ratings, rng.integers(0, 20, 90)).value == pytest.approx(expected, abs=1e-9)


def test_what_one_did_not_rate_is_left_out() -> None:
    first, second = [1, 0, -1, 1, 0], [1, 0, 1, -1, 1]
    share = agreeing_share(first, second, range(5))
    assert (share.hits, share.n, share.unscored) == (2, 3, 2)
    assert cohen_kappa(first, second, range(5)).n == 3


def test_perfect_agreement_still_has_a_lower_end() -> None:
    kinds = [1, 0] * 20
    for found in (cohen_kappa(kinds, kinds, range(40)), krippendorff_alpha([kinds, kinds], range(40))):
        assert (found.value, found.high, found.method) == (1, 1, AGREED)
        assert found.low is not None
        assert 0.75 < found.low < 0.9  # Wilson's lower end is 0.912, and half of the agreement is chance


def test_somebody_who_always_says_the_same_gives_kappa_no_interval() -> None:
    found = cohen_kappa([1] * 20, [0] * 15 + [1] * 5, range(20))
    assert found.value == 0.0
    assert (found.low, found.high, found.method) == (None, None, NO_INTERVAL)


def test_not_defined_without_variation_or_ratings() -> None:
    for first, second in (([1, 1], [1, 1]), ([], []), ([-1, 1], [1, -1])):
        assert cohen_kappa(first, second, range(len(first))).value is None
        assert krippendorff_alpha([first, second], range(len(first))).value is None
    alone = cohen_kappa([1, 0, 1], [1, 0, 0], [7, 7, 7])
    assert (alone.low, alone.method) == (None, NO_INTERVAL)


def test_clusters_widen_and_order_does_not_matter() -> None:
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(30), 8)
    first = rng.integers(0, 2, 240)
    second = np.where((rng.random(30) < 0.25)[clusters], 1 - first, first)  # whole images are judged otherwise
    found, single = cohen_kappa(first, second, clusters), cohen_kappa(first, second, np.arange(240))
    assert found.low is not None
    assert single.low is not None
    assert found.low < single.low
    order = rng.permutation(240)
    assert cohen_kappa(first[order], second[order], clusters[order] + 5) == found


def test_shapes_are_checked() -> None:
    with pytest.raises(ValueError, match="one length"):
        cohen_kappa([1, 0], [1], [0, 1])
    with pytest.raises(ValueError, match="ratings of shape"):
        krippendorff_alpha([1, 0], [0, 1])

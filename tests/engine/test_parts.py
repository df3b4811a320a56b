"""One run on some items and on others: by hand, against a reference, and where there is nothing to say."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.engine.parts import parts_difference
from snellen.intervals import t_quantile


def test_a_difference_by_hand() -> None:
    values = [1, 1, 0, 0, 1, -1, 1, 0]
    higher = np.array([1, 1, 0, 0, 1, 1, 0, 0], bool)
    clusters = [0, 0, 0, 1, 1, 1, 2, 2]
    found = parts_difference(values, higher, ~higher, clusters)
    # The first: 3 of 3, one unscored. The second: 1 of 5.
    assert (found.higher.hits, found.higher.n, found.higher.unscored) == (3, 3, 1)
    assert (found.lower.hits, found.lower.n) == (1, 4)
    assert found.value == pytest.approx(1 - 1 / 4)
    # The second's residuals on three images are -1/4, -1/4 and 1/2, over 4; the first is 1 on its two images.
    error = np.sqrt(3 / 2 * (1 / 16 + 1 / 16 + 1 / 4) / 16 + 3 / 4**3)
    half = t_quantile(0.975, 2) * error
    assert found.low == pytest.approx(max(-1, 0.75 - half))
    assert found.high == pytest.approx(min(1, 0.75 + half))


def test_p_is_that_of_a_regression_with_clustered_errors() -> None:
    statsmodels = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(0)
    clusters = np.repeat(np.arange(30), 6)
    higher = rng.random(180) < 0.4
    values = (rng.random(180) < rng.beta(2, 3, 30)[clusters]).astype(int)
    found = parts_difference(values, higher, ~higher, clusters)
    x = statsmodels.add_constant(higher.astype(float))
    fit = statsmodels.OLS(values, x).fit(
        cov_type="cluster", cov_kwds={"groups": clusters, "df_correction": True}, use_t=True
    )
    assert found.value == pytest.approx(fit.params[1])
    # statsmodels widens by (N - 1) / (N - K) beside G / (G - 1).
    t = fit.tvalues[1] * np.sqrt(179 / 178)
    from scipy.stats import t as student

    assert found.p == pytest.approx(2 * student.sf(abs(t), 29), rel=1e-9)


def test_shares_that_do_not_vary() -> None:
    higher = np.array([1, 0, 1, 0], bool)
    found = parts_difference([0, 0, 0, 0], higher, ~higher, [0, 0, 1, 1])
    assert (found.value, found.p) == (0, 1)
    assert found.low is not None
    assert found.high == -found.low
    # Ten images, all right here and all wrong there: each share has the variance of 11 hits of 12.
    apart = parts_difference(
        [1, 0] * 10, np.tile([True, False], 10), np.tile([False, True], 10), np.repeat(range(10), 2)
    )
    half = t_quantile(0.975, 9) * np.sqrt(2 * (11 / 12) * (1 / 12) / 12)
    assert (apart.value, apart.high) == (1, 1)
    assert apart.low == pytest.approx(1 - half)
    assert apart.p is not None
    assert apart.p < 1e-4
    assert parts_difference([-1, 0], higher[:2], ~higher[:2], [0, 1]).value is None
    single = parts_difference([1, 0, 0, 1], higher, ~higher, [0, 0, 0, 0])
    assert (single.low, single.p) == (None, None)
    assert single.to_json()["higher"]["n"] == 2

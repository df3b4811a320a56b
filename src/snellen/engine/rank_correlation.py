"""Rank correlation over a few models: Spearman's rho and Kendall's tau-b, exact p, Holm's correction, intervals.

Both coefficients are a normalised inner product of scores, which are whole numbers, so that no order of summing
matters:

    rho = sum(a b) / sqrt(sum(a a) sum(b b))    a_i = sum over j of sign(x_i - x_j): twice the average rank, centred
    tau-b: the same                             a_ij = sign(x_i - x_j) for all i < j

Sources:
    Kendall & Gibbons 1990, Rank Correlation Methods: both with ties, and their permutation distributions.
    Bonett & Wright 2000, Sample size requirements for estimating Pearson, Kendall and Spearman correlations,
    Psychometrika 65: the variance of atanh(rho), (1 + rho^2 / 2) / (n - 3); of atanh(tau), 0.437 / (n - 4).
    Holm 1979, A simple sequentially rejective multiple test procedure, Scandinavian J. of Statistics 6.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from snellen.intervals import FloatArray

Method = Literal["spearman", "kendall"]
Ints = npt.NDArray[np.int64]

EXACT_UP_TO = 9
"""Models up to which p is exact: 9! = 362,880 orders are looked at."""

_DIGITS = 12  # values that are equal to so many decimals are tied: the last bits of a sum depend on its order


def scores(values: npt.ArrayLike, method: Method = "spearman") -> FloatArray:
    """What coefficients are inner products of, as whole numbers; NaN throughout a column that has a NaN.

    Args:
        values: shape (..., n, M): M numbers of n models.
        method: which coefficient.

    Returns:
        Shape (..., n, M) for Spearman, (..., n (n - 1) / 2, M) for Kendall.
    """
    rounded = _rounded(values)
    n = rounded.shape[-2]
    if method == "kendall":
        first, second = np.triu_indices(n, 1)
        signs: FloatArray = np.sign(rounded[..., first, :] - rounded[..., second, :])
        return np.where(np.isnan(rounded).any(-2, keepdims=True), np.nan, signs)
    ranks: FloatArray = np.zeros_like(rounded)
    for row in range(n):  # n steps and not n x n numbers at once
        ranks += np.sign(rounded - rounded[..., row : row + 1, :])
    return ranks


def coefficients(of: npt.ArrayLike) -> FloatArray:
    """Shape (..., M, M) from scores of shape (..., K, M): each column with each; NaN for a column without variation.

    >>> coefficients(scores([[1, 2], [2, 4], [3, 3]])).round(6).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    a = np.asarray(of, np.float64)
    products = np.swapaxes(a, -1, -2) @ a  # of whole numbers, hence exact however it is summed
    squares = np.diagonal(products, axis1=-2, axis2=-1)
    whole = np.sqrt(squares[..., :, None] * squares[..., None, :])
    with np.errstate(invalid="ignore", divide="ignore"):
        found: FloatArray = np.where(whole > 0, products / whole, np.nan)
    return np.clip(found, -1, 1)


def coefficient(x: npt.ArrayLike, y: npt.ArrayLike, method: Method = "spearman") -> float | None:
    """Of two columns of shape (n,); None where one of them does not vary.

    >>> coefficient([1, 2, 3, 4], [1, 2, 4, 3], "kendall")
    0.6666666666666666
    """
    found = float(coefficients(scores(np.stack([x, y], axis=1), method))[0, 1])
    return found if math.isfinite(found) else None


def p_value(x: npt.ArrayLike, y: npt.ArrayLike, method: Method = "spearman") -> float | None:
    """P(|coefficient| >= the one seen) if any order of the models were as likely; None where it is not defined.

    Exact up to `EXACT_UP_TO` models, with ties. Above it is Student's t with n - 2 degrees of freedom for Spearman, and
    for Kendall what scipy gives: exact without ties up to 33 models, else normal.

    >>> round(p_value([1, 2, 3, 4], [1, 2, 3, 4]), 6)
    0.083333
    """
    a, b = _rounded(x), _rounded(y)
    value = coefficient(a, b, method)
    if value is None:
        return None
    if len(a) > EXACT_UP_TO and method == "kendall":
        from scipy.stats import kendalltau  # seconds, where many models are ranked so

        return float(kendalltau(a, b).pvalue)
    if len(a) > EXACT_UP_TO:
        from scipy.special import stdtr  # the distribution of Student's t

        df = len(a) - 2
        return min(1.0, 2 * float(stdtr(df, -abs(value) * math.sqrt(df / max(1 - value**2, 1e-300)))))
    seen = scores(np.stack([a, b], axis=1), method)
    reach = abs(int(np.rint(seen[:, 0] @ seen[:, 1])))
    null = _null(_pattern(a), _pattern(b), method)
    return float((len(null) - np.searchsorted(null, reach)) / len(null))


def smallest_p(n: int) -> float:
    """The least p that n models without ties can have: 2 / n!."""
    return min(1.0, 2 / math.factorial(n))


def _rounded(values: npt.ArrayLike) -> FloatArray:
    return np.asarray(np.round(np.asarray(values, np.float64), _DIGITS), np.float64)


def _pattern(values: FloatArray) -> tuple[int, ...]:
    """Which of the sorted values are tied: all there is to the null distribution."""
    return tuple(np.unique(np.sort(values), return_inverse=True)[1].tolist())


@lru_cache(maxsize=256)
def _null(x: tuple[int, ...], y: tuple[int, ...], method: Method) -> Ints:
    """The sizes of the inner product over all orders of y, sorted."""
    n, orders = len(x), _orders(len(x))
    if method == "spearman":
        a, b = (scores(np.array(each)[:, None])[:, 0].astype(np.int64) for each in (x, y))
        products = b[orders] @ a
    else:
        first, second = np.triu_indices(n, 1)
        signs_x, signs_y = (
            np.sign(np.subtract.outer(each, each)).astype(np.int8) for each in (np.array(x), np.array(y))
        )
        products = signs_y[orders[:, first], orders[:, second]].astype(np.int64) @ signs_x[first, second].astype(
            np.int64
        )
    found: Ints = np.sort(np.abs(products))
    return found


@lru_cache(maxsize=1)
def _orders(n: int) -> npt.NDArray[np.int8]:
    flat = itertools.chain.from_iterable(itertools.permutations(range(n)))
    return np.fromiter(flat, np.int8, n * math.factorial(n)).reshape(-1, n)


def approximate(value: float, n: int, method: Method = "spearman", confidence: float = 0.95) -> tuple[float, float]:
    """The interval of Bonett & Wright (of Fieller for Kendall) on the scale of atanh.

    A coefficient of 1 or -1 is first drawn in by half a step, the least by which coefficients of n models differ:
    otherwise a perfect order of five models would have an interval of no width.

    >>> [round(end, 2) for end in approximate(1.0, 5)]
    [0.16, 1.0]
    """
    pairs = n * (n - 1) / 2
    half_step = 6 / (n * (n * n - 1)) if method == "spearman" else 1 / pairs
    drawn = max(min(value, 1 - half_step), half_step - 1)
    left = n - 3 if method == "spearman" else n - 4
    if left <= 0:
        return -1.0, 1.0
    variance = (1 + drawn**2 / 2) / left if method == "spearman" else 0.437 / left
    half = NormalDist().inv_cdf(0.5 + confidence / 2) * math.sqrt(variance)
    middle = math.atanh(drawn)
    return min(math.tanh(middle - half), value), max(math.tanh(middle + half), value)

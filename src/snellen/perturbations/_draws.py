"""Random fields, drawn fast: one 64-bit draw serves four pixels, and a table turns its 16 bits into any distribution.

A table of 65,536 quantiles reproduces a normal distribution out to 4.3 standard deviations in steps far below one grey
level. All randomness comes from the generator that is handed in: OpenCV's own is global, and is never used.
"""

from __future__ import annotations

from functools import lru_cache
from statistics import NormalDist
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

LEVELS = 65_536


def uniform16(rng: np.random.Generator, *shape: int) -> NDArray[np.uint16]:
    """Integers of 0 to 65,535, all equally likely."""
    count = int(np.prod(shape))
    words = rng.integers(0, 2**64, size=(count + 3) // 4, dtype=np.uint64)
    return words.view(np.uint16)[:count].reshape(shape)


@lru_cache(maxsize=1)
def _quantiles() -> NDArray[np.float64]:
    """The standard normal quantile in the middle of each of 65,536 equally likely steps."""
    inverse = NormalDist().inv_cdf
    upper = np.array([inverse(0.5 + (step + 0.5) / LEVELS) for step in range(LEVELS // 2)])
    return np.concatenate((-upper[::-1], upper))


@lru_cache(maxsize=32)
def _normal_table(mean: float, deviation: float, whole: bool) -> NDArray[Any]:
    table = mean + deviation * _quantiles()
    made = np.rint(table).astype(np.int16) if whole else table.astype(np.float32)
    made.setflags(write=False)
    return made[np.newaxis]


def looked_up(indices: NDArray[np.uint16], table: NDArray[Any]) -> NDArray[Any]:
    """The entry of the table, of shape (1, 65536), for every index."""
    found = cv2.LUT(indices.reshape(len(indices), -1), table)
    return np.asarray(found).reshape(indices.shape)


def normal(rng: np.random.Generator, *shape: int, mean: float = 0.0, deviation: float = 1.0) -> NDArray[np.float32]:
    """A normal distribution as float32."""
    return looked_up(uniform16(rng, *shape), _normal_table(mean, deviation, False))


def normal_steps(rng: np.random.Generator, *shape: int, deviation: float) -> NDArray[np.int16]:
    """A normal distribution around 0 rounded to integers, for adding to grey levels."""
    return looked_up(uniform16(rng, *shape), _normal_table(0.0, deviation, True))


def share(part: float) -> int:
    """The threshold under which a `uniform16` lies with this probability."""
    return round(part * LEVELS)

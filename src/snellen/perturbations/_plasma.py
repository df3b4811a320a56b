"""Plasma fractals: height maps that are rough at every scale, by the diamond-square algorithm."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

_FINEST = 256
"""Side of the largest map that is built. Beyond it a scale's share of the range is below 1 in 100 at the slowest
published decay, and enlarging shows no difference."""


def plasma(rng: np.random.Generator, height: int, width: int, *, decay: float) -> NDArray[np.float32]:
    """A height map of this shape within 0 to 1.

    The map is a square of the next power of two, of which the image takes the top left corner.

    Args:
        decay: what the roughness is divided by from one scale to the next finer one, as in the published code; the
            amplitude falls by its square.
    """
    side = 1 << (max(height, width, 2) - 1).bit_length()
    size = min(side, _FINEST)
    heights = np.zeros((size, size), np.float32)
    step, roughness = size, 100.0
    while step >= 2:
        half = step // 2
        reach = roughness * roughness

        def rough(sums: NDArray[np.float32], reach: float = reach) -> NDArray[np.float32]:
            steps = rng.random(sums.shape, np.float32) * np.float32(2 * reach) - np.float32(reach)
            return np.asarray(sums / 4 + steps, np.float32)

        corners = heights[::step, ::step]
        sums = corners + np.roll(corners, -1, 0)
        heights[half::step, half::step] = rough(sums + np.roll(sums, -1, 1))
        middles = heights[half::step, half::step]
        heights[::step, half::step] = rough(middles + np.roll(middles, 1, 0) + corners + np.roll(corners, -1, 1))
        heights[half::step, ::step] = rough(middles + np.roll(middles, 1, 1) + corners + np.roll(corners, -1, 0))
        step, roughness = half, roughness / decay
    heights -= heights.min()
    heights /= heights.max()
    part_high, part_wide = -(-height * size // side), -(-width * size // side)
    part = heights[:part_high, :part_wide]
    return np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)

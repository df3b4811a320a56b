"""What the image perturbations share about pixels: how lengths grow with an image, and the form of a result.

Published parameters that are lengths in pixels were chosen for images of 224 pixels. In a larger image things are
larger, but it also holds finer detail: the print on a screenshot does not grow with the screen. Lengths are therefore
multiplied by the square root of (shorter side / 224), which lies halfway, on a logarithmic scale, between leaving them
alone (nothing is seen in a photo of 4,000 pixels) and scaling them in proportion (no print survives severity 1). They
are never made smaller than published. Shares, strengths and qualities are left exactly as published.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snellen.errors import ImageError

REFERENCE_SIDE = 224
"""Shorter side, in pixels, of the images that published lengths were chosen for."""

_LONGEST_SIDE = 32_766
"""What OpenCV's remap and warp functions can address with 16 bits."""

Pixels = NDArray[np.uint8]


def growth(image: Pixels) -> float:
    """What a length in pixels is multiplied by for this image: 1.0 up to 224 pixels, 2.2 at a shorter side of 1,080."""
    return max(1.0, math.sqrt(min(image.shape[:2]) / REFERENCE_SIDE))


def finished(array: Any) -> Pixels:
    """The array as an image: uint8, C-contiguous."""
    return np.ascontiguousarray(array, dtype=np.uint8)


def check_reach(image: Pixels) -> None:
    """Refuse what OpenCV cannot warp.

    Raises:
        ImageError: a side is longer than 32,766 pixels.
    """
    height, width = image.shape[:2]
    if max(height, width) > _LONGEST_SIDE:
        raise ImageError(
            "too_large",
            f"an image of {width} x {height} pixels cannot be warped: at most {_LONGEST_SIDE} a side; make it smaller",
        )

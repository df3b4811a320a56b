"""Smearing along a line."""

from __future__ import annotations

import math

import cv2
import numpy as np

from snellen.perturbations._pixels import Pixels, check_reach, finished

_ONE = np.ones(1, np.float32)


def smeared(image: Pixels, radius: float, sigma: float, degrees: float) -> Pixels:
    """The image moved along a line, by half a normal distribution.

    The image is turned so that the line lies level, filtered along its rows, and turned back: one filter of one
    dimension instead of a sum over as many shifted images as the path has pixels.

    Args:
        image: (height, width) or (height, width, 3).
        radius: half the length of the path, in pixels.
        sigma: how fast the trace fades, in pixels.
        degrees: direction of the path, counted clockwise from the right.

    Raises:
        ImageError: the image is too large to be warped.
    """
    check_reach(image)
    height, width = image.shape[:2]
    length = 2 * round(radius) + 1
    trace = np.exp(-((np.arange(length) / sigma) ** 2) / 2).astype(np.float32)
    kernel = (trace / trace.sum())[np.newaxis, ::-1]

    # A half shift along the line is lost in a wide blur: half the columns are enough.
    step = 2 if sigma >= 8 else 1
    kernel = kernel[:, ::step] / kernel[:, ::step].sum()
    taps = kernel.shape[1]
    pad = length + 2

    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    wide = math.ceil((width * abs(cosine) + height * abs(sine) + length) / step) + 2
    high = math.ceil(width * abs(sine) + height * abs(cosine)) + 2
    turn = np.array(((cosine / step, sine / step, 0.0), (-sine, cosine, 0.0)))
    middle = np.array((width - 1, height - 1)) / 2
    turn[:, 2] = np.array((wide - 1 + length / step, high - 1)) / 2 - turn[:, :2] @ middle
    padded = cv2.copyMakeBorder(image, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    there = turn.copy()
    there[:, 2] -= turn[:, :2] @ (pad, pad)
    level = cv2.warpAffine(padded, there, (wide, high), flags=cv2.INTER_LINEAR)
    blurred = cv2.sepFilter2D(level, -1, kernel, _ONE, anchor=(taps - 1, 0), borderType=cv2.BORDER_REPLICATE)
    back = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return finished(cv2.warpAffine(blurred, turn, (width, height), flags=back))

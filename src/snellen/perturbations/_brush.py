"""What the painted renderings share: brush sizes that follow the image, and smoothing that keeps outlines."""

from __future__ import annotations

import cv2

from snellen.perturbations._pixels import Pixels, finished

_LONGEST = 1024  # pixels of the longer side at which outlines are kept while the rest is smoothed; bounds the time


def radius(image: Pixels, share: float) -> int:
    """A brush's radius in pixels, at least 1: that share of the image's shorter side.

    A rendering is to look the same on a thumbnail and on a scan of the same scene, so no size is given in pixels.
    """
    shorter: int = min(image.shape[:2])
    return max(1, round(shorter * share))


def smoothed(image: Pixels, passes: int, tolerance: float) -> Pixels:
    """The image with its surfaces flattened and its outlines kept: `passes` bilateral filters, 9 pixels wide.

    Runs at most 1,024 pixels wide or high and is scaled back, so that its time is bounded.

    Args:
        tolerance: standard deviation of the differences, in levels of 255, that still count as one surface.
    """
    height, width = image.shape[:2]
    scale = min(1.0, _LONGEST / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    flat = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if scale < 1 else image
    for _ in range(passes):
        flat = cv2.bilateralFilter(flat, 9, tolerance, 5.0)
    if scale < 1:
        flat = cv2.resize(flat, (width, height), interpolation=cv2.INTER_LINEAR)
    return finished(flat)

"""Windows with ice flowers, drawn once a process: always the same few, from fixed seeds."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from snellen.perturbations._draws import normal
from snellen.perturbations._pixels import Pixels, finished

SIDE = 1024
WINDOWS = 3
_Reals = NDArray[np.float64]
_Roots = tuple[_Reals, _Reals, _Reals]
"""Where lines start, their angles and lengths."""

_ICE = np.array((0.86, 0.94, 1.0), np.float32)  # slightly blue


def _needles(rng: np.random.Generator, roots: _Roots, bend: float) -> _Reals:
    """Curved lines of nine points, of shape (n, 9, 2)."""
    starts, angles, lengths = roots
    along = np.linspace(0, 1, 9)
    bends = rng.normal(0, bend, (len(starts), 1))
    directions = angles[:, np.newaxis] + bends * along
    steps = np.stack((np.cos(directions), np.sin(directions)), -1) * (lengths / 8)[:, np.newaxis, np.newaxis]
    return starts[:, np.newaxis] + np.cumsum(steps, axis=1) - steps[:, :1]


def _branches(rng: np.random.Generator, stems: _Reals, each: int, share: float) -> _Roots:
    """Where branches start on the stems, their angles (60 degrees off, as ice grows) and lengths."""
    place = rng.uniform(0.05, 0.95, (len(stems), each))
    index = (place * 8).astype(int)
    rows = np.arange(len(stems))[:, np.newaxis]
    low, high = stems[rows, index], stems[rows, index + 1]
    starts = low + (high - low) * (place * 8 - index)[..., np.newaxis]
    heading = np.arctan2(high[..., 1] - low[..., 1], high[..., 0] - low[..., 0])
    side = np.where(rng.random(place.shape) < 0.5, 1, -1)
    reach = np.linalg.norm(stems[:, -1] - stems[:, 0], axis=1)[:, np.newaxis]
    lengths = reach * share * (1.05 - place) * rng.uniform(0.5, 1.2, place.shape)
    return starts.reshape(-1, 2), (heading + side * np.pi / 3).reshape(-1), lengths.reshape(-1)


def _draw(canvas: Pixels, lines: NDArray[np.float64], grey: int, width: int) -> None:
    points = np.rint(lines * 16).astype(np.int32)  # four bits below the pixel
    cv2.polylines(canvas, list(points), False, grey, width, cv2.LINE_AA, 4)


@lru_cache(maxsize=WINDOWS)
def _ice(number: int) -> Pixels:
    """The window of this number, (1024, 1024, 3)."""
    rng = np.random.default_rng((20_190, number))
    haze = np.zeros((SIDE, SIDE), np.float32)
    for cells, weight in ((4, 1.0), (9, 0.6), (24, 0.35), (80, 0.2)):
        haze += weight * np.asarray(cv2.resize(normal(rng, cells, cells), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC))
    haze = np.clip(0.5 + haze * 0.35, 0, 1)

    crystals = np.zeros((SIDE, SIDE), np.uint8)
    flowers = rng.uniform(-60, SIDE + 60, (60, 2))
    rays = rng.integers(3, 8, len(flowers))
    starts = np.repeat(flowers, rays, axis=0)
    roots = (starts, rng.uniform(0, 2 * np.pi, len(starts)), rng.uniform(80, 330, len(starts)))
    stems = _needles(rng, roots, 0.8)
    twigs = _needles(rng, _branches(rng, stems, 34, 0.34), 0.4)
    barbs = _needles(rng, _branches(rng, twigs, 8, 0.3), 0.2)
    _draw(crystals, barbs, 110, 1)
    _draw(crystals, twigs, 170, 1)
    _draw(crystals, stems, 220, 2)
    sharp = np.asarray(cv2.GaussianBlur(crystals, (0, 0), 0.7), np.float32) / 255
    glow = np.asarray(cv2.GaussianBlur(crystals, (0, 0), 7), np.float32) / 255
    # Against the light: the crystals' edges on one side are bright, on the other dark.
    relief = np.asarray(cv2.Sobel(sharp, cv2.CV_32F, 1, 1, ksize=3))
    grain = normal(rng, SIDE, SIDE, deviation=0.04)
    ice = 0.22 + 0.28 * haze + 0.45 * sharp + 0.45 * glow + 0.12 * relief + grain
    made = finished(np.rint(np.clip(ice[..., np.newaxis] * _ICE, 0, 1) * 255))
    made.setflags(write=False)
    return made


def window(rng: np.random.Generator, height: int, width: int) -> Pixels:
    """A part of a window of ice of this shape, (height, width, 3), turned and mirrored by chance."""
    number, left, top, quarter = (int(rng.integers(0, high)) for high in (WINDOWS, SIDE, SIDE, 4))
    # A window is enlarged for larger images, so that a part of between a half and the whole of it is seen.
    scale = max(1.0, max(height, width) * 1.1 / SIDE)
    high, wide = max(1, round(height / scale)), max(1, round(width / scale))
    top, left = top % (SIDE - high + 1), left % (SIDE - wide + 1)
    part = _ice(number)[top : top + high, left : left + wide]
    part = finished(cv2.flip(part, quarter - 2)) if quarter < 3 else part
    return finished(cv2.resize(part, (width, height), interpolation=cv2.INTER_LINEAR)) if scale > 1 else finished(part)

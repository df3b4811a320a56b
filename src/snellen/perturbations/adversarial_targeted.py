"""Targeted adversarial noise: projected gradient descent on an image encoder (torch), towards a wrong answer.

The target is the item's nearest distractor that the surrogate knows (see `snellen.perturbations._surrogate`): with the
default encoder a class of ImageNet, with one that has a text tower (CLIP, SigLIP) the distractor's text as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import orjson

from snellen.errors import UsageError
from snellen.item import Item, Truth
from snellen.perturbations import _surrogate
from snellen.perturbations._pixels import Pixels
from snellen.perturbations._projected_descent import STRENGTHS, attacked, likeness
from snellen.perturbations._surrogate import DEFAULT, name

TITLE = "Targeted adversarial noise"
SUMMARY = "Noise within an L-infinity bound that pulls an image encoder's embedding towards a wrong answer."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo",)
SEVERITIES: Mapping[int, Mapping[str, Any]] = STRENGTHS
SOURCE = "Madry et al. 2018, section 2.1; SHALE, image perturbations: adversarial noise; severities are Snellen's"
EXTRA = "adversarial"


def argument(item: Item) -> str | None:
    """``{"target":"cat"}``: the first distractor that the surrogate can be aimed at; None where there is none.

    Raises:
        UsageError: the surrogate's name is not known, or the package with ImageNet's class names is missing.
    """
    for distractor in item.distractors:
        if distractor.strip() and (name() != DEFAULT or _is_class(distractor)):
            return orjson.dumps({"target": distractor.strip()}).decode()
    return None


def _is_class(text: str) -> bool:
    from snellen.perturbations._efficientnet import classes_of

    return bool(classes_of(text))


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """The image with every value moved by at most ``epsilon``, towards the argument's target.

    Parameters as in `snellen.perturbations.adversarial`.

    Raises:
        UsageError: torch or the surrogate is not to be had, the argument has no target, or the surrogate does not know
            it or has no text tower.
    """
    return attacked(image, severity, rng, _target(argument))


def _target(argument: str) -> str:
    try:
        target = orjson.loads(argument)["target"]
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(f'adversarial-targeted needs an argument like {{"target":"cat"}}, not {argument!r}') from error
    if not isinstance(target, str) or not target.strip():
        raise UsageError(f"adversarial-targeted has no target in its argument {argument!r}")
    return target


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

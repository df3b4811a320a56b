"""Projected gradient descent within an L-infinity ball around an image, through torch; imported inside functions only.

A. Madry, A. Makelov, L. Schmidt, D. Tsipras and A. Vladu, Towards Deep Learning Models Resistant to Adversarial Attacks
(ICLR 2018), section 2.1: a random start, steps along the sign of the gradient, projection back into the ball.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._surrogate import Surrogate, surrogate

STRENGTHS: Mapping[int, Mapping[str, Any]] = {
    1: {"epsilon": 1, "steps": 5, "alpha": 0.5},
    2: {"epsilon": 2, "steps": 8, "alpha": 0.625},
    3: {"epsilon": 4, "steps": 10, "alpha": 1.0},
    4: {"epsilon": 8, "steps": 16, "alpha": 1.25},
    5: {"epsilon": 16, "steps": 20, "alpha": 2.0},
}
"""By severity, in levels of 255: the bound, the number of steps, and their length, 2.5 epsilon / steps."""


def attacked(image: Pixels, severity: int, rng: np.random.Generator, target: str = "") -> Pixels:
    """The image with every value moved by at most the severity's epsilon, exactly.

    The attack runs on a grid no finer than what the encoder sees: of an image that is larger, the whole is scaled to
    the encoder's square (without keeping its proportions or cutting anything off) and each cell's change is given to
    all its pixels; a smaller one is attacked pixel by pixel. So the time does not depend on the image's size.

    Args:
        rng: draws the start.
        target: what the embedding is pulled to; empty: it is pushed away from the clean one.

    Raises:
        UsageError: the surrogate is not to be had or does not know the target.
    """
    height, width = image.shape[:2]
    radius, steps, step = (STRENGTHS[severity][part] for part in ("epsilon", "steps", "alpha"))
    with surrogate() as encoder:
        grid = _grid(image, encoder)
        start = rng.uniform(-radius, radius, (1, 3, *grid)).astype(np.float32)
        moved = _descended(_scaled(image, grid), start, encoder, radius, steps, step, target)
    whole = np.rint(moved).astype(np.int16)
    spread = cv2.resize(whole, (width, height), interpolation=cv2.INTER_NEAREST_EXACT).reshape(image.shape)
    return finished(np.clip(image + spread, 0, 255))


def likeness(clean: Pixels, changed: Pixels) -> float:
    """Cosine between the surrogate's embeddings of two images: 1 where nothing has happened.

    Raises:
        UsageError: the surrogate is not to be had.
    """
    with surrogate() as encoder:
        torch = importlib.import_module("torch")
        with torch.no_grad():
            one, other = (
                encoder.embed(_seen(_tensor(_scaled(image, _grid(image, encoder))), encoder.size))
                for image in (clean, changed)
            )
            return min(1.0, float(torch.nn.functional.cosine_similarity(one, other).item()))


def _grid(image: Pixels, encoder: Surrogate) -> tuple[int, int]:
    """(rows, columns): the encoder's own, or fewer where the image has fewer."""
    return min(image.shape[0], encoder.size), min(image.shape[1], encoder.size)


def _scaled(image: Pixels, grid: tuple[int, int]) -> Pixels:
    rows, columns = grid
    return finished(cv2.resize(image, (columns, rows), interpolation=cv2.INTER_AREA).reshape(rows, columns, 3))


def _descended(
    image: Pixels, start: NDArray[np.float32], encoder: Surrogate, radius: int, steps: int, step: float, target: str
) -> NDArray[np.float32]:
    """The change (rows, columns, 3) in levels of 255, within the ball."""
    torch = importlib.import_module("torch")
    clean = _tensor(image)
    if target:
        near, sign = encoder.nearness(target), 1.0
    else:
        with torch.no_grad():
            original = encoder.embed(_seen(clean, encoder.size))
        near, sign = partial(torch.nn.functional.cosine_similarity, original), -1.0
    change = _within(torch.from_numpy(start), clean, radius)
    for _ in range(steps):
        change.requires_grad_(True)
        value = near(encoder.embed(_seen(clean + change, encoder.size))).sum()
        (gradient,) = torch.autograd.grad(value, change)
        change = _within(change.detach() + sign * step * gradient.sign(), clean, radius)
    return np.asarray(change.detach()[0].permute(1, 2, 0).contiguous().numpy(), np.float32)


def _within(change: Any, clean: Any, radius: int) -> Any:
    """The change cut to the ball, and to what leaves the values between 0 and 255."""
    return (clean + change.clamp(-radius, radius)).clamp(0, 255) - clean


def _tensor(image: Pixels) -> Any:
    """(1, 3, rows, columns) in levels of 255."""
    torch = importlib.import_module("torch")
    return torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1), np.float32))[None]


def _seen(levels: Any, size: int) -> Any:
    """What the encoder sees of a grid: 0 to 1, enlarged where the grid is coarser than it."""
    torch = importlib.import_module("torch")
    pixels = levels / 255
    if tuple(pixels.shape[2:]) == (size, size):
        return pixels
    return torch.nn.functional.interpolate(pixels, size=(size, size), mode="bilinear", align_corners=False)

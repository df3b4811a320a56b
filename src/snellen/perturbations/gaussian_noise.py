"""Gaussian noise: what a sensor shows in low light."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import cv2
import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._draws import normal_steps
from snellen.perturbations._pixels import Pixels, finished
from snellen.perturbations._truth import NOISE, Losses, decide

TITLE = "Gaussian noise"
SUMMARY = "Adds normal noise to every channel of every pixel."
KIND: Literal["image", "instruction"] = "image"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"deviation": 0.08},
    2: {"deviation": 0.12},
    3: {"deviation": 0.18},
    4: {"deviation": 0.26},
    5: {"deviation": 0.38},
}
SOURCE = "Hendrycks & Dietterich 2019, Benchmarking Neural Network Robustness, section 4"
EXTRA = ""
LOSSES: Losses = NOISE


def change(image: Pixels, severity: int, rng: np.random.Generator, argument: str = "") -> Pixels:
    """Noise of a standard deviation that is a share of the full range."""
    noise = normal_steps(rng, *image.shape, deviation=255 * SEVERITIES[severity]["deviation"])
    return finished(cv2.add(image, noise, dtype=cv2.CV_8U))


def truth(item: Item, severity: int) -> Truth:
    """By the table LOSSES."""
    return decide(item, severity, LOSSES)

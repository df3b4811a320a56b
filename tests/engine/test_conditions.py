"""Conditions as they are written."""

from __future__ import annotations

import pytest

from snellen import discovery
from snellen.engine.conditions import parse
from snellen.errors import UsageError


@pytest.mark.parametrize(
    ("text", "seed", "expected"),
    [
        ("jpeg", 0, ["jpeg:3"]),
        ("jpeg:5, gaussian-blur:1", 0, ["jpeg:5", "gaussian-blur:1"]),
        ("grayscale", 0, ["grayscale:1"]),
        ("jpeg+gaussian-noise:2", 0, ["jpeg:3+gaussian-noise:2"]),
        ("jpeg,jpeg:3,jpeg:0", 0, ["jpeg:3", "jpeg:0"]),
        ("gaussian_noise", 7, ["gaussian-noise:3:7"]),
        ("", 0, []),
    ],
)
def test_what_is_named(text: str, seed: int, expected: list[str]) -> None:
    assert [str(condition) for condition in parse(text, seed=seed)] == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("jpg", "jpg"),
        ("jpeg:6", "no severity 6; there are: 1, 2, 3, 4, 5"),
        ("jpeg:three", "whole number"),
        ("jpeg:-1", "whole number"),
        ("jpeg:²", "whole number"),
        ("+", "lacks a perturbation"),
        ("jpeg+", "lacks a perturbation"),
        ("jpeg++fog", "lacks a perturbation"),
        ("all:1", "stands alone"),
        ("all+jpeg", "stands alone"),
        (",", "no perturbation"),
        ("  ", "no perturbation"),
        ("+".join(["jpeg"] * 5), "at most 4"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse(text)


def test_all_is_what_makes_sense_for_the_images() -> None:
    said: list[str] = []
    photos = {
        step.name for condition in parse("all", domain="photo", on_warning=said.append) for step in condition.steps
    }
    charts = {step.name for condition in parse("all", domain="chart") for step in condition.steps}
    for name in discovery.names("perturbations"):
        module = discovery.load("perturbations", name)
        left_out = any(name in text for text in said)
        assert (name in photos) == ("photo" in module.DOMAINS and not left_out)
        assert name not in charts or "chart" in module.DOMAINS

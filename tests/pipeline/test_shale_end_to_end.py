"""SHALE's demonstration set end to end: what never looks scores and resists as arithmetic says."""

from __future__ import annotations

from pathlib import Path

import pytest

import snellen
from snellen import discovery

_MODULES = {name: discovery.load("perturbations", name) for name in discovery.names("perturbations")}
_IMAGE = [name for name, module in _MODULES.items() if module.KIND == "image" and not module.EXTRA]


@pytest.mark.parametrize(
    ("conditions", "sample"),
    [("jpeg:5,grayscale,scene-text:3", 12), pytest.param(",".join(_IMAGE), 6, marks=pytest.mark.slow)],
    ids=["three", "all"],
)
def test_what_only_reads_the_instruction_resists_every_change_of_the_image(
    tmp_path: Path, conditions: str, sample: int
) -> None:
    run = snellen.run("shale-demo", model="blind", perturb=conditions, sample=sample, workspace=tmp_path)
    resistance = run.results.resistance
    assert resistance is not None
    assert len(resistance.conditions) == len(conditions.split(","))
    hit = 0
    for name, part in resistance.conditions.items():
        assert part.changed.hits == part.clean.hits, name
        assert part.lost == part.gained == 0, name
        assert part.resistance.value == (1.0 if part.clean.hits else None), name
        hit += bool(part.clean.hits)
    assert hit > len(resistance.conditions) / 2


def test_one_that_always_says_yes_scores_what_arithmetic_says(tmp_path: Path) -> None:
    """Half of the yes-or-no questions are to be affirmed; yes is no option and no other answer."""
    run = snellen.run("shale-demo", model="constant:yes", workspace=tmp_path)
    tasks = run.results.marginals["task"]
    assert (tasks["yes-no"].hits, tasks["yes-no"].n) == (78, 156)
    assert (tasks["multiple-choice"].hits, tasks["multiple-choice"].n) == (0, 78)
    assert (tasks["free-form"].hits, tasks["free-form"].n) == (0, 78)
    assert (tasks["caption"].n, tasks["caption"].unscored) == (0, 66)  # rules cannot judge them


def test_a_misleading_prefix_asserts_what_one_that_always_says_yes_says_anyway(tmp_path: Path) -> None:
    run = snellen.run("shale-demo", model="constant:yes", perturb="misleading-prefix:5", sample=12, workspace=tmp_path)
    resistance = run.results.resistance
    assert resistance is not None
    assert resistance.micro.resistance.value == 1

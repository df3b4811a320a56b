"""The page on perturbations says of every corruption what its module says."""

from __future__ import annotations

from pathlib import Path

import pytest

from perturbations.corruption_pictures import NAMES, module_of
from snellen.perturbations._truth import SUBJECTS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "perturbations.md").read_text(encoding="utf-8")


def levels(name: str) -> str:
    """The parameters of each severity: ``sigma_px 1, 2, 3, 4, 6``; one value where all are the same."""
    severities = module_of(name).SEVERITIES
    parts = []
    for parameter in severities[1]:
        values = [
            f"{level[parameter]:g}" if not isinstance(level[parameter], str) else level[parameter]
            for level in severities.values()
        ]
        parts.append(f"`{parameter}` {', '.join(values if len(set(values)) > 1 else values[:1])}")
    return "; ".join(parts) or "ungraded"


def described(name: str) -> str:
    """The row of the table of what there is."""
    module = module_of(name)
    return f"| `{name}` | {module.SUMMARY} | {levels(name)} | {', '.join(module.DOMAINS)} |"


def judged(name: str) -> str:
    """The row of the table of truth: ``unknown: scene-text 4-5``."""
    losses = module_of(name).LOSSES
    parts = []
    for letter, word in (("r", "removed"), ("u", "unknown")):
        named: dict[str, list[str]] = {}
        for subject in SUBJECTS:
            hit = [severity for severity, found in enumerate(losses.get(subject, ""), 1) if found == letter]
            if hit:
                named.setdefault(", ".join(spans(hit)), []).append(subject)
        if named:
            everything = [subjects for subjects in named.values() if len(subjects) == len(SUBJECTS)]
            told = ["all"] if everything else [f"{', '.join(subjects)} {when}" for when, subjects in named.items()]
            parts.append(f"{word}: {'; '.join(told)}")
    return f"| `{name}` | {'. '.join(parts)} |"


def spans(severities: list[int]) -> list[str]:
    """Runs of severities: ``2``, ``4-5``."""
    runs: list[list[int]] = []
    for severity in severities:
        if runs and severity == runs[-1][-1] + 1:
            runs[-1].append(severity)
        else:
            runs.append([severity])
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]


@pytest.mark.parametrize("name", NAMES)
def test_the_page_has_its_rows(name: str) -> None:
    assert described(name) in PAGE.splitlines()
    assert judged(name) in PAGE.splitlines()

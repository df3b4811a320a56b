"""Conditions: which changes a run asks for, as they are written on the command line and in ids.

``jpeg:3`` is a perturbation at a severity, ``jpeg:3+misleading-prefix:3`` two of them one after the other, and a seed
other than the default is spelt as well: ``jpeg:3:7``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from snellen import discovery
from snellen.errors import UsageError

DEFAULT_SEVERITY = 3
MOST_STEPS = 4


@dataclass(frozen=True, slots=True)
class Step:
    """One perturbation: its name with hyphens, its severity (0 changes nothing) and the run's seed."""

    name: str
    severity: int
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.name}:{self.severity}" + (f":{self.seed}" if self.seed else "")

    @property
    def module(self) -> ModuleType:
        """The perturbation."""
        return _loaded(self.name)


@dataclass(frozen=True, slots=True)
class Condition:
    """Perturbations one after the other."""

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return "+".join(map(str, self.steps))


def parse(
    text: str,
    *,
    seed: int = 0,
    domain: str = "",
    images_alone: bool = False,
    on_warning: Callable[[str], None] = lambda text: None,
) -> tuple[Condition, ...]:
    """The conditions that a text names, separated by commas, each once, in the order in which they are named.

    Args:
        text: ``jpeg:3,scene-text,jpeg:3+misleading-prefix``; a bare name means severity 3 (1 where there is only one),
            ``all`` every perturbation at that.
        seed: the run's.
        domain: of the images (``photo``, ``chart``, ``screen``): ``all`` takes what makes sense there.
        images_alone: ``all`` takes what can be done to an image without an item (see `needs_item`).
        on_warning: told what ``all`` leaves out because a package is missing.

    Raises:
        UsageError: no such perturbation or severity, or its package is missing.

    Example:
        >>> [str(condition) for condition in parse("jpeg")]
        ['jpeg:3']
    """
    found: dict[str, Condition] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        if part == "all":
            conditions = _all(seed, domain, images_alone, on_warning)
        else:
            named = [step.strip() for step in part.split("+")]
            if not all(named):
                raise UsageError(f"{part!r} lacks a perturbation beside a '+', as in jpeg:3+misleading-prefix")
            if len(named) > MOST_STEPS:
                raise UsageError(f"{part[:60]!r}: at most {MOST_STEPS} perturbations are combined, not {len(named)}")
            conditions = [Condition(tuple(_step(step, seed) for step in named))]
        for condition in conditions:
            found.setdefault(str(condition), condition)
    if text and not found:
        raise UsageError(f"no perturbation is named in {text!r}")
    return tuple(found.values())


@cache
def _loaded(name: str) -> ModuleType:
    """Looked up once: a look into the folder for every item and step would take longer than most changes of text."""
    return discovery.load("perturbations", name)


def _step(text: str, seed: int) -> Step:
    name, colon, level = text.partition(":")
    if name == "all":
        raise UsageError("'all' stands alone between commas: every perturbation at its usual severity")
    module = discovery.load("perturbations", name)
    if colon:
        if not level.isascii() or not level.isdigit():
            raise UsageError(f"the severity in {text!r} is a whole number, as in {name}:3")
        severity = int(level)
    else:
        severity = _usual(module)
    if severity != 0 and severity not in module.SEVERITIES:
        known = ", ".join(map(str, module.SEVERITIES))
        raise UsageError(f"{name} has no severity {severity}; there are: {known} (and 0, which changes nothing)")
    if missing := _missing(module):
        raise UsageError(missing)
    return Step(name.replace("_", "-"), severity, seed)


def _usual(module: ModuleType) -> int:
    return DEFAULT_SEVERITY if DEFAULT_SEVERITY in module.SEVERITIES else 1


def needs_item(module: ModuleType) -> bool:
    """Whether a perturbation changes instructions, or an image by what an item says: a distractor, a region."""
    return module.KIND != "image" or hasattr(module, "argument")


def _all(seed: int, domain: str, images_alone: bool, on_warning: Callable[[str], None]) -> list[Condition]:
    conditions = []
    for name in discovery.names("perturbations"):
        module = discovery.load("perturbations", name)
        if (domain and domain not in module.DOMAINS) or (images_alone and needs_item(module)):
            continue
        if missing := _missing(module):
            on_warning(f"{name} is left out: {missing}")
            continue
        conditions.append(Condition((Step(name, _usual(module), seed),)))
    return conditions


def _missing(module: ModuleType) -> str:
    """What a perturbation lacks to work here, in its own words; empty where it lacks nothing."""
    try:
        if hasattr(module, "revision"):
            module.revision()
    except UsageError as error:
        return str(error)
    return ""

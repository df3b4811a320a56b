"""The folders are the registry: what is in them is listed by file name, and imported when it is used.

A new benchmark, perturbation, prompt, judge, model or metric is one new file in its folder. Third parties add theirs
through entry points of the groups ``snellen.benchmarks``, ``snellen.judges`` and so on, each naming a module.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from snellen.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

KINDS = ("benchmarks", "perturbations", "prompting", "judges", "models", "metrics")

_ROOT = Path(__file__).parent
_SINGULAR = {
    "benchmarks": "benchmark",
    "perturbations": "perturbation",
    "prompting": "prompt",
    "judges": "judge",
    "models": "model kind",
    "metrics": "metric",
}


@cache
def _entry_points(kind: str) -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # 15 ms, and only what is not our own needs it

    return {point.name.replace("_", "-"): point for point in entry_points(group=f"snellen.{kind}")}


def files(kind: str) -> dict[str, Path]:
    """Name on the command line -> file, for what lies in the folder of that kind; nothing is imported."""
    paths = sorted((_ROOT / kind).glob("[!_]*.py"))
    return {path.stem.replace("_", "-"): path for path in paths}


def names(kind: str) -> list[str]:
    """Every name of that kind, our own and third parties', sorted; nothing is imported."""
    return sorted({*files(kind), *_entry_points(kind)})


def broken(kind: str, name: str) -> str:
    """Why the file of that name does not parse; empty when it does (or is a third party's)."""
    path = files(kind).get(name)
    if path is None:
        return ""
    try:
        ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, OSError) as error:
        return f"{path.name}: {error}"
    return ""


def load(kind: str, name: str) -> ModuleType:
    """The module of that name.

    Raises:
        UsageError: there is none (the nearest names are given), or it fails to import (and why).
    """
    wanted = name.replace("_", "-")
    try:
        if wanted in files(kind):
            return importlib.import_module(f"snellen.{kind}.{files(kind)[wanted].stem}")
        if wanted in _entry_points(kind):
            return importlib.import_module(_entry_points(kind)[wanted].value)
    except Exception as error:  # whatever a plugin raises on import, the rest of Snellen goes on
        raise UsageError(f"the {_SINGULAR[kind]} {name!r} fails to import: {type(error).__name__}: {error}") from error
    import difflib

    near = difflib.get_close_matches(wanted, names(kind), n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(names(kind)) or 'none'}"
    raise UsageError(f"there is no {_SINGULAR[kind]} {name!r}; {hint}")


READING = ("readers", "atomic_claim.py", "box.py", "convention.py")
"""Folders and files of Snellen whose rules decide what a judge reads, beside its own source."""


@cache
def source_digest(module: ModuleType, *parts: str) -> str:
    """16 hex digits over a plugin's source and, where given, over files and whole folders of Snellen.

    Judgings are kept under this digest together with `READING`, so that a changed rule never leaves stale verdicts.
    """
    paths = [Path(module.__file__)] if module.__file__ else []
    own = paths[0].parent if paths else _ROOT
    paths += sorted(own.glob("_[!_]*.py"))
    for part in parts:
        paths += sorted(_ROOT.glob(part if part.endswith(".py") else f"{part}/*.py"))
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]

"""The house keeps its order: who may import whom, what is heavy and where it may be, what a module may be called.

    nouns <- readers <- benchmarks, perturbations, prompting, judges, metrics <- models, engine
          <- construction, review, report, tuning, cluster <- cli, statistics and the public front

A room sees its own level and those below, with two tighter rules: of the five in the middle none sees another, and only
judges see readers. An import within a function counts like any other.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from snellen import discovery

SOURCE = Path(__file__).resolve().parent.parent / "src"
PATHS = sorted((SOURCE / "snellen").rglob("*.py"))

FRONT = ("snellen", "snellen.__main__", "snellen.library")
"""Modules of the public surface: like the command line they see everything, and nothing below sees them."""

NOUN_FOLDERS = ("ledger",)
"""Nouns too large for one file; every other folder is a room of its own."""

MIDDLE = ("benchmarks", "perturbations", "prompting", "judges", "metrics")
LEVELS = (
    ("nouns",),  # every module that lies directly in the package, and the folders above
    ("readers",),
    MIDDLE,
    ("models", "engine"),
    ("construction", "review", "report", "tuning", "cluster"),
    ("cli", "statistics", "front"),
)
LEVEL = {room: number for number, rooms in enumerate(LEVELS) for room in rooms}

FORBIDDEN = {"utils", "util", "helpers", "helper", "common", "misc", "base", "manager", "core"}
HEAVY = (
    "aiohttp",
    "sqlite3",
    "numpy",
    "polars",
    "PIL",
    "matplotlib",
    "rich",
    "jinja2",
    "rapidocr",
    "onnxruntime",
    "torch",
)
LONGEST = 400


def name_of(path: Path, source: Path = SOURCE) -> str:
    """The dotted name of a module: ``snellen.readers.number``."""
    parts = path.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in PATHS}


def room_of(module: str) -> str:
    """The room a module lies in: its folder under ``snellen``, else ``nouns`` or ``front``."""
    if module in FRONT:
        return "front"
    parts = module.split(".")
    is_folder = (SOURCE / "snellen" / parts[1]).is_dir()
    return parts[1] if is_folder and parts[1] not in NOUN_FOLDERS else "nouns"


def imports(tree: ast.AST, module: str, is_package: bool, known: frozenset[str]) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of everything that is imported anywhere in a module, by statement or by a literal name.

    ``from snellen import errors`` is an import of ``snellen.errors``, for `known` holds it; ``from snellen import run``
    is one of ``snellen``.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            start = node.module or ""
            if node.level:
                package = module.split(".") if is_package else module.split(".")[:-1]
                start = ".".join([*package[: len(package) - node.level + 1], *start.split(".")]).rstrip(".")
            for alias in node.names:
                full = f"{start}.{alias.name}"
                yield node.lineno, full if full in known else start
        elif isinstance(node, ast.Call) and node.args:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            first = node.args[0]
            if called in ("import_module", "__import__") and isinstance(first, ast.Constant):
                yield node.lineno, str(first.value)


def allowed(importer: str, imported: str) -> bool:
    """Whether the one room may import from the other."""
    if importer == imported:
        return True
    if importer in MIDDLE and (imported in MIDDLE or (imported == "readers" and importer != "judges")):
        return False
    return LEVEL[imported] <= LEVEL[importer]


def tree_of(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_bytes())


def imports_of(module: str) -> list[tuple[int, str]]:
    is_package = MODULES[module].name == "__init__.py"
    return list(imports(tree_of(module), module, is_package, frozenset(MODULES)))


@pytest.mark.parametrize("module", MODULES)
def test_imports_only_what_lies_at_or_below_its_level(module: str) -> None:
    room = room_of(module)
    assert room in LEVEL, f"{module} lies in the room {room!r}, which has no level: add it to LEVELS"
    wrong = [
        f"line {line}: {module} ({room}) imports {imported} ({room_of(imported)})"
        for line, imported in imports_of(module)
        if imported.split(".")[0] == "snellen" and not allowed(room, room_of(imported))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("module", MODULES)
def test_torch_and_inspect_stay_in_their_rooms(module: str) -> None:
    packages = {imported.split(".")[0] for _, imported in imports_of(module)}
    if packages & {"torch", "torchvision", "transformers", "peft"}:
        says_so = room_of(module) == "perturbations" and "torch" in (ast.get_docstring(tree_of(module)) or "")
        assert room_of(module) == "tuning" or module == "snellen.models.transformers_local" or says_so
    if "inspect_ai" in packages:
        assert module == "snellen.models.inspect_bridge" or module.endswith(".inspect_tasks")


@pytest.mark.parametrize("module", MODULES)
def test_says_what_it_is_for_and_is_one_thing(module: str) -> None:
    path = MODULES[module]
    assert ast.get_docstring(tree_of(module)), f"{module} has no docstring"
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= LONGEST, f"{module} has {lines} lines: split it"
    vague = FORBIDDEN & set(module.split("."))
    assert not vague, f"{module}: {vague} does not say what is inside"


def modules_after(code: str) -> set[str]:
    """Top-level names in ``sys.modules`` of a new interpreter that has run `code`."""
    script = f"import sys\n{code}\nprint('\\n'.join({{name.split('.')[0] for name in sys.modules}}), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    return set(done.stderr.split())


HELP = """
sys.argv = ["snellen", "--help"]
from snellen.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""


@pytest.mark.parametrize("code", ["import snellen", HELP], ids=["import snellen", "snellen --help"])
def test_starting_is_light(code: str) -> None:
    loaded = modules_after(code)
    assert "snellen" in loaded
    assert not loaded & set(HEAVY)


@pytest.mark.parametrize(
    ("importer", "imported", "verdict"),
    [
        ("judges", "readers", True),
        ("metrics", "readers", False),
        ("benchmarks", "judges", False),
        ("prompting", "nouns", True),
        ("nouns", "readers", False),
        ("nouns", "front", False),
        ("engine", "models", True),
        ("engine", "report", False),
        ("models", "judges", True),
        ("report", "metrics", True),
        ("report", "cli", False),
        ("cli", "front", True),
        ("front", "cli", True),
    ],
)
def test_the_rule_itself(importer: str, imported: str, verdict: bool) -> None:
    assert allowed(importer, imported) is verdict


def test_imports_are_found_wherever_they_stand() -> None:
    code = """
import numpy.linalg
from snellen import errors, run
from . import yes_no
from ..judges.rules import read
def late() -> None:
    from snellen.cli import main
    importlib.import_module("snellen.report")
"""
    known = frozenset(("snellen", "snellen.errors", "snellen.readers.yes_no"))
    found = {name for _, name in imports(ast.parse(code), "snellen.readers.number", False, known)}
    assert found == {
        "numpy.linalg",
        "snellen.errors",
        "snellen",
        "snellen.readers.yes_no",
        "snellen.judges.rules",
        "snellen.cli",
        "snellen.report",
    }


def test_what_judges_read_by_is_in_the_digest_of_their_verdicts() -> None:
    """Nouns with rules of their own; the others that judges import only hold values, ask, or are told by keys."""
    values = {"answer", "discovery", "errors", "item", "request", "verdict"}
    used = {
        imported.split(".")[1]
        for module in MODULES
        if room_of(module) in ("judges", "readers")
        for _, imported in imports_of(module)
        if imported.startswith("snellen.") and room_of(imported) == "nouns"
    }
    kept = {part.removesuffix(".py") for part in discovery.READING}
    assert used - values == kept - {"readers"}


def test_no_clause_wraps_what_it_raises() -> None:
    """Before Python 3.11.4 whatever is raised in an ``except*`` clause comes in a group, which nobody catches."""
    starred = [
        path for path in PATHS if any(isinstance(node, ast.TryStar) for node in ast.walk(ast.parse(path.read_bytes())))
    ]
    assert not starred

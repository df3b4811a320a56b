"""What is written about the project agrees with what it is: docs, READMEs, locks, versions, licence."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import re
import tomllib
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import snellen
from snellen import model_spec

ROOT = Path(__file__).resolve().parent.parent
READMES = (ROOT / "README.md", ROOT / "README.zh.md")
PAGES = sorted((ROOT / "docs").glob("*.md"))
TEXTS = (*READMES, *PAGES, ROOT / "CHANGELOG.md")
LOCKS = {name: ROOT / "requirements" / f"{name}.txt" for name in ("run", "ocr", "dev")}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

OURS = ("src", "tests", "docs", "perf", "requirements", ".ci")
READABLE = {".py", ".md", ".toml", ".yml", ".txt", ".html", ".css", ".js", ".j2", ".json", ".jsonl", ""}


def files() -> list[Path]:
    """Every text file of the project, wherever it is checked out and whatever else lies there."""
    found = [path for path in ROOT.iterdir() if path.is_file()]
    found += [path for folder in OURS for path in (ROOT / folder).rglob("*") if path.is_file()]
    return sorted(path for path in found if path.suffix in READABLE and "__pycache__" not in path.parts)


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def blocks(path: Path, language: str = "") -> list[str]:
    """The fenced blocks of a page, of one language or of all."""
    return [text for name, text in re.findall(r"```(\w*)\n(.*?)```", read(path), re.S) if language in ("", name)]


def named(paths: Sequence[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.relative_to(ROOT).as_posix())


# Words that must not be there

UNFINISHED = re.compile(r"\b(?:" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")) + r")\b")
MACHINE = re.compile(r"(?<![\w.])/(?:work|farm|root|home/\w+|opt/\w+|tmp/\w+)/\w")


def test_nothing_is_left_unfinished() -> None:
    written = [path for path in files() if path.suffix in (".py", ".md", ".toml", ".yml", "")]
    marks = [path for path in written if UNFINISHED.search(read(path))]
    assert not marks


def test_no_path_of_a_machine_is_written_down() -> None:
    found = [(path.relative_to(ROOT), match[0]) for path in files() for match in MACHINE.finditer(read(path))]
    assert not found
    assert MACHINE.search("see " + "/work" + "/main")


# Versions, licence


def test_there_is_one_version() -> None:
    version = PROJECT["project"]["version"]
    newest = re.search(r"^## (\S+)", read(ROOT / "CHANGELOG.md"), re.M)
    assert newest is not None
    assert newest[1] == version == snellen.__version__


def test_the_licence_is_the_whole_apache_licence() -> None:
    assert PROJECT["project"]["license"] == "Apache-2.0"
    digest = hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest()
    assert digest == "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"


# Locks


def pins(lock: Path) -> dict[str, str]:
    """Name -> version of everything that a lock pins."""
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+)(?: ; [^\\]+)? \\$", read(lock), re.M))


WANTED = {
    "run": [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]],
    "ocr": PROJECT["project"]["optional-dependencies"]["ocr"],
    "dev": PROJECT["dependency-groups"]["dev"],
}
"""Lock -> what it must hold beside what the lock before it holds."""


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_everything_with_hashes_and_names_no_address(name: str) -> None:
    text = read(LOCKS[name])
    assert "://" not in text
    assert not re.search(r"^\s*-(?!-hash=sha256:[0-9a-f]{64}\b)", text, re.M), "options other than hashes"
    entries = re.split(r"^(?=[a-z0-9])", re.sub(r"^\s*#.*\n", "", text, flags=re.M), flags=re.M)[1:]
    assert len(entries) == len(pins(LOCKS[name])) > 20
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "torch" not in pins(LOCKS[name]), "its CPU build lies elsewhere"


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_what_the_project_asks_for(name: str) -> None:
    pinned = pins(LOCKS[name])
    for level in list(LOCKS)[: list(LOCKS).index(name) + 1]:
        for requirement in map(Requirement, WANTED[level]):
            version = pinned.get(canonicalize_name(requirement.name))
            assert version is not None, f"{requirement} is missing in {name}.txt: make lock"
            assert requirement.specifier.contains(version), f"{name}.txt has {version}, not {requirement}: make lock"


def test_the_locks_agree() -> None:
    run, ocr, dev = (pins(lock) for lock in LOCKS.values())
    assert run.items() <= ocr.items() <= dev.items()


def test_what_is_locked_does_for_the_oldest_python() -> None:
    """Locks are resolved on one Python, and a package of theirs may want more than the oldest that we promise."""
    oldest = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]["requires-python"].removeprefix(">=") + ".2"
    refused = []
    for name, version in pins(LOCKS["dev"]).items():
        try:
            there = distribution(name)
        except PackageNotFoundError:
            continue
        wanted = "".join(there.metadata.get_all("Requires-Python") or ())
        if there.version == version and wanted and not SpecifierSet(wanted).contains(oldest):
            refused.append(f"{name} {version} wants Python {wanted}: a line in requirements/constraints.txt, make lock")
    assert not refused


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_is_complete_on_every_platform_we_name(name: str) -> None:
    """It was resolved on one platform: what a package wants on another must be in it too."""
    pinned = pins(LOCKS[name])
    machines = (("linux", "Linux", "x86_64"), ("linux", "Linux", "aarch64"), ("darwin", "Darwin", "arm64"))
    missing, seen = set(), 0
    for package, version in pinned.items():
        try:
            found = distribution(package)
        except PackageNotFoundError:
            continue  # not installed in this environment
        if found.version != version:
            continue
        seen += 1
        requirements = [Requirement(text) for text in found.requires or ()]
        for (platform, system, machine), python in product(machines, ("3.11", "3.12", "3.13")):
            environment = {
                **default_environment(),
                "sys_platform": platform,
                "platform_system": system,
                "platform_machine": machine,
                "python_version": python,
                "python_full_version": f"{python}.0",
                "extra": "",
            }
            for requirement in requirements:
                applies = requirement.marker is None or requirement.marker.evaluate(environment)  # type: ignore[arg-type]
                if applies and canonicalize_name(requirement.name) not in pinned:
                    missing.add(f"{package} wants {requirement} on {platform} {machine}, Python {python}")
    assert not missing
    assert seen > len(pinned) / 2


# Docs


def generator() -> ModuleType:
    """docs/make_cli.py as a module."""
    spec = importlib.util.spec_from_file_location("make_cli", ROOT / "docs" / "make_cli.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_on_the_command_line_is_its_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("SNELLEN_WORKSPACE", "elsewhere")
    assert read(ROOT / "docs" / "cli.md") == generator().page(), "make cli-docs writes it again"


def test_every_page_is_in_the_navigation() -> None:
    navigation = re.findall(r"^  - .+?: (\S+\.md)$", read(ROOT / "mkdocs.yml"), re.M)
    assert sorted(navigation) == [page.name for page in PAGES]


@named(TEXTS)
def test_links_to_files_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", read(path))
    broken = [target for target in targets if "://" not in target and not (path.parent / target).is_file()]
    assert not broken


def test_the_readmes_say_the_same() -> None:
    english, chinese = READMES
    for pattern in (r"^# ", r"^## ", r"^- ", r"!\["):
        counts = [len(re.findall(pattern, re.sub(r"```.*?```", "", read(path), flags=re.S), re.M)) for path in READMES]
        assert counts[0] == counts[1] > 0, f"{pattern}: {counts}"
    assert blocks(english) == blocks(chinese)
    assert [line for line in read(english).splitlines() if line.startswith("    ")] == [
        line for line in read(chinese).splitlines() if line.startswith("    ")
    ]
    links = [re.findall(r"\]\(((?!README)[^)]+)\)", read(path)) for path in READMES]
    assert links[0] == links[1]


def commands(path: Path) -> list[tuple[str, list[str]]]:
    """(program, words) of every command that a page shows: lines of code that begin with snellen or make."""
    text = re.sub(r"\\\n\s*", " ", read(path))
    lines = re.findall(r"^(?: {4}|\$ )?((?:snellen|make) .*)$|`((?:snellen|make) [^`\n]+)`", text, re.M)
    shown = [(block or inline).split("  #")[0] for block, inline in lines]
    return [(line.split()[0], re.findall(r"'[^']*'|\S+", line)[1:]) for line in shown]


def problem_of(words: list[str]) -> str:
    """What is wrong with the words of a snellen command; empty when it exists with these options."""
    command: click.Command = generator().cli
    context = click.Context(command, info_name="snellen")
    for word in words:
        if word.startswith("--"):
            known = {name for option in command.get_params(context) for name in option.opts}
            if word.split("=")[0] not in known:
                return f"{context.command_path} has no option {word}"
        elif isinstance(command, click.Group) and not word.startswith(("-", "[", "'")):
            found = command.get_command(context, word)
            if found is None:
                return f"{context.command_path} has no command {word}"
            command, context = found, click.Context(found, info_name=word, parent=context)
    return ""


@named([path for path in TEXTS if path.name != "cli.md"])
def test_commands_that_are_shown_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):(?!=)", read(ROOT / "Makefile"), re.M))
    for program, words in commands(path):
        if program == "make":
            assert {word for word in words if "=" not in word} <= targets, f"make {' '.join(words)}"
        else:
            assert not (problem := problem_of(words)), problem


def test_a_command_that_does_not_exist_is_noticed() -> None:
    assert problem_of(["rum", "charthal"])
    assert problem_of(["run", "charthal", "--modle", "x"])
    assert not problem_of(["run", "charthal", "--model", "x"])


@named(TEXTS)
def test_python_that_is_shown_parses(path: Path) -> None:
    for block in blocks(path, "python"):
        ast.parse(block)


@named([READMES[0], ROOT / "docs" / "library.md"])
def test_the_first_example_runs(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, Any] = {}
    exec(blocks(path, "python")[0], scope)  # our own documentation
    scope["run"].workspace.ledger.close()
    assert re.match(r"\d+\.\d % \[", capsys.readouterr().out)


def test_the_readers_do_what_the_page_on_the_library_says() -> None:
    shown = next(block for block in blocks(ROOT / "docs" / "library.md", "python") if "readers" in block)
    scope: dict[str, Any] = {}
    exec(shown, scope)  # our own documentation
    lines = {line.split("(")[0]: line.split("  #")[0] for line in shown.splitlines() if "(" in line}
    assert eval(lines["number.accepts"], scope) is True
    assert eval(lines["abstention.read"], scope) is True
    assert eval(lines["number.read"], scope)
    assert eval(lines["thinking.strip"], scope)[0].strip() == "Blue."


@named(PAGES)
def test_files_of_models_that_are_shown_are_read(path: Path, tmp_path: Path) -> None:
    for shown in blocks(path, "toml"):
        whole = shown if shown.startswith("[") else f"[models.shown]\n{shown}"  # a part of an entry
        file = tmp_path / "models.toml"
        file.write_text(whole, encoding="utf-8")
        assert model_spec.read_models(file), shown


def test_the_page_on_models_shows_a_file_that_is_read(tmp_path: Path) -> None:
    page = ROOT / "docs" / "models.md"
    (shown,) = blocks(page, "toml")
    path = tmp_path / "models.toml"
    path.write_text(shown, encoding="utf-8")
    assert len(model_spec.read_models(path)) == 2
    keys = re.findall(r"^\| `(\w+)` \|", read(page).split("### Image limits")[0].split("## Served")[1], re.M)
    assert sorted(keys) == sorted(model_spec._TYPES)

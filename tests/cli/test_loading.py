"""What is loaded when: commands that ask nothing stay light, and what the end needs is there when it comes."""

from __future__ import annotations

import gc
import sys
import threading
import time
from pathlib import Path

import pytest

import small_charthal
from snellen.cli.loading import Ahead, quickly
from test_layering import HEAVY, modules_after

RUN = """
sys.argv = ["snellen", *{arguments!r}]
from snellen.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""
DATABASE = {"sqlite3"}


def loaded_by(*arguments: object) -> set[str]:
    return modules_after(RUN.format(arguments=[str(argument) for argument in arguments]))


@pytest.mark.parametrize("arguments", [("--help",), ("run", "--help"), ("list",)])
def test_what_opens_no_workspace_loads_nothing_heavy(arguments: tuple[str, ...]) -> None:
    loaded = loaded_by(*arguments)
    assert "click" in loaded
    assert not loaded & {*HEAVY, "asyncio"}


def test_a_dry_run_loads_no_client_and_nothing_of_the_end(tmp_path: Path) -> None:
    data = small_charthal.write(tmp_path / "data", figures=1)
    server = ("--model", "m", "--base-url", "http://localhost:9/v1", "--judge", "none")
    loaded = loaded_by("--workspace", tmp_path / "w", "run", "charthal", "--data", data, *server, "--dry-run")
    assert loaded >= DATABASE
    assert not loaded & ({*HEAVY} - DATABASE)


def test_the_collector_rests_while_modules_are_loaded_and_works_afterwards() -> None:
    assert gc.isenabled()
    frozen = gc.get_freeze_count()
    try:
        with quickly():
            assert not gc.isenabled()
        assert gc.isenabled()
        assert gc.get_freeze_count() > frozen
        with pytest.raises(ImportError), quickly():
            raise ImportError("broken")
        assert gc.isenabled()
    finally:
        gc.unfreeze()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with quickly():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
        gc.unfreeze()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of modules; what they put into ``sys.modules`` is taken out again."""
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("ahead_first", "ahead_second", "ahead_broken"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    (tmp_path / "ahead_first.py").write_text(
        "from threading import current_thread\nWHO = (current_thread().name, current_thread().daemon)\n"
    )
    (tmp_path / "ahead_second.py").write_text("")
    (tmp_path / "ahead_broken.py").write_text("raise RuntimeError('no')\n")
    return tmp_path


def test_modules_are_imported_ahead_in_a_thread_and_a_broken_one_stops_nothing(folder: Path) -> None:
    ahead = Ahead(("ahead_broken", "ahead_first", "ahead_second"), delay=0.0)
    ahead.begin()
    ahead.begin()
    until = time.monotonic() + 30
    while "ahead_second" not in sys.modules:
        assert time.monotonic() < until
        time.sleep(0.01)
    ahead.end()
    assert sys.modules["ahead_first"].WHO == ("snellen-ahead", True)
    assert "ahead_broken" not in sys.modules


def test_what_has_ended_imports_nothing_more(folder: Path) -> None:
    with Ahead(("ahead_first",), delay=3600.0) as ahead:
        ahead.begin()
    assert not [each for each in threading.enumerate() if each.name == "snellen-ahead"]
    assert "ahead_first" not in sys.modules
    ahead.end()
    with Ahead(("ahead_first",), delay=0.0):
        pass  # never begun
    assert "ahead_first" not in sys.modules


def test_an_import_that_has_begun_is_waited_for_and_the_next_is_left_out(folder: Path) -> None:
    (folder / "ahead_first.py").write_text(
        "import sys\nsys.ahead_begun.set()\nassert sys.ahead_may_end.wait(30)\nDONE = True\n"
    )
    begun, may_end = threading.Event(), threading.Event()
    sys.ahead_begun, sys.ahead_may_end = begun, may_end  # type: ignore[attr-defined]
    try:
        ahead = Ahead(("ahead_first", "ahead_second"), delay=0.0)
        ahead.begin()
        assert begun.wait(30)
        threading.Timer(0.05, may_end.set).start()
        ahead.end()
        assert sys.modules["ahead_first"].DONE
        assert "ahead_second" not in sys.modules
    finally:
        del sys.ahead_begun, sys.ahead_may_end  # type: ignore[attr-defined]


END = """
import importlib
from snellen.cli import finish
of_old = finish.print_judged
def print_judged(*arguments, **named):
    for name in finish.NEEDED:
        importlib.import_module(name)
    before = set(sys.modules)
    of_old(*arguments, **named)
    late = sorted(name for name in set(sys.modules) - before if name.split(".")[0] in ("numpy", "rich", "snellen"))
    assert not late, late
finish.print_judged = print_judged
"""


def test_what_is_loaded_ahead_is_all_that_the_end_needs(tmp_path: Path) -> None:
    arguments = ["--workspace", str(tmp_path), "run", "charthal-demo", "--model", "blind"]
    assert {"numpy", "rich"} <= modules_after(END + RUN.format(arguments=arguments))


def test_asking_alone_needs_no_table(tmp_path: Path) -> None:
    arguments = ["--workspace", str(tmp_path), "run", "charthal-demo", "--model", "blind", "--judge", "none"]
    assert not {"numpy", "rich"} & modules_after(RUN.format(arguments=arguments))

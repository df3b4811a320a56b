"""Versions recorded with a run are those that the packages declare."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
from pathlib import Path

import pytest

from snellen.engine import provenance


def test_versions_are_those_the_packages_declare() -> None:
    found = provenance.versions()
    assert found.pop("python") == platform.python_version()
    assert {"snellen", "aiohttp", "numpy", "pillow"} <= set(found)
    assert found == {name: importlib.metadata.version(name) for name in found}


def test_every_layout_of_packages_is_known_and_the_first_on_the_path_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    (first / "numpy-7.5-py3.11.egg-info").mkdir(parents=True)
    (first / "opencv_python_headless-5.0.0.dist-info").mkdir()
    (first / "torch-2.6.0+cpu.dist-info").mkdir()
    (first / "pillow").mkdir()
    (second / "numpy-1.0.dist-info").mkdir(parents=True)
    (second / "Pillow-12.0.dist-info").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path / "absent.zip"), str(first), str(second)])
    assert provenance.versions() == {
        "python": platform.python_version(),
        "numpy": "7.5",
        "pillow": "12.0",
        "opencv-python-headless": "5.0.0",
        "torch": "2.6.0+cpu",
    }

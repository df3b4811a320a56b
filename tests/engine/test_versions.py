"""Versions recorded with a run are those that the packages declare."""

from __future__ import annotations

import importlib.metadata
import platform

import pytest

from snellen.engine import provenance


def test_versions_are_those_the_packages_declare() -> None:
    found = provenance.versions()
    assert found.pop("python") == platform.python_version()
    assert {"snellen", "aiohttp", "numpy", "pillow"} <= set(found)
    assert found == {name: importlib.metadata.version(name) for name in found}


def test_a_package_of_another_layout_has_its_version_and_an_absent_one_none(monkeypatch: pytest.MonkeyPatch) -> None:
    class Egg(importlib.metadata.Distribution):
        def read_text(self, filename: str) -> str | None:
            return "Metadata-Version: 1.0\nName: egg\nVersion: 7.5\n" if filename == "PKG-INFO" else None

        def locate_file(self, path: object) -> None:  # type: ignore[override]
            raise NotImplementedError

    def distribution(name: str) -> importlib.metadata.Distribution:
        if name == "numpy":
            return Egg()
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "distribution", distribution)
    assert provenance.versions() == {"python": platform.python_version(), "numpy": "7.5"}

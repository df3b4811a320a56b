"""What is built is whole: templates, the phrase book, scripts, data and fonts travel with the package."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_the_wheel_holds_every_file_of_the_package() -> None:
    builders = pytest.importorskip("hatchling.builders.wheel", reason="hatchling builds the wheel")
    built = {Path(each.path).resolve() for each in builders.WheelBuilder(str(ROOT)).recurse_included_files()}
    here = {
        path.resolve()
        for path in (ROOT / "src" / "snellen").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert here <= built
    assert {".j2", ".txt", ".js", ".css", ".html", ".png", ".jpg", ".json"} <= {path.suffix for path in here}

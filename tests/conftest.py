"""Where the shared data lie, and which tests wait to be asked for."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

GATED = {
    "slow": "takes more than a few seconds: --run-slow or `make test-all` runs it",
    "browser": "needs chromium: --run-browser or `make test-all` runs it",
    "train": "needs torch: --run-train runs it",
}
"""Marker -> why a plain ``pytest`` skips what carries it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("snellen")
    for marker, why in GATED.items():
        group.addoption(f"--run-{marker}", action="store_true", help=f"run the tests marked {marker} ({why})")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skips gated tests, unless their option is given or ``-m`` names their marker (``-m "slow or browser"``)."""
    named = set(re.findall(r"\w+", config.getoption("markexpr") or ""))
    for marker, why in GATED.items():
        if config.getoption(f"--run-{marker}") or marker in named:
            continue
        skip = pytest.mark.skip(reason=why)
        for item in items:
            if item.get_closest_marker(marker):
                item.add_marker(skip)


@pytest.fixture(scope="session")
def test_data() -> Path:
    """The folder of shared data: ``SNELLEN_TEST_DATA``, by default ``../shared/data`` beside the repository."""
    path = Path(os.environ.get("SNELLEN_TEST_DATA") or ROOT.parent / "shared" / "data")
    if not path.is_dir():
        pytest.skip(f"no shared data at {path}: set SNELLEN_TEST_DATA")
    return path


@pytest.fixture(scope="session")
def charthal_data(test_data: Path) -> Path:
    """ChartHal in its official layout, with the recorded run under ``results``."""
    path = test_data / "charthal"
    if not (path / "data" / "charthal.json").is_file():
        pytest.skip(f"no ChartHal data at {path}: SNELLEN_TEST_DATA should hold charthal/data/charthal.json")
    return path


@pytest.fixture(scope="session")
def shale_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data in SHALE's layout: SHALE's own lie behind a file-share link."""
    import small_shale

    return small_shale.write(tmp_path_factory.mktemp("shale"))


@pytest.fixture(scope="session")
def gui_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data in the layouts of GUI-HalluBench."""
    import small_screens

    return small_screens.write_gui(tmp_path_factory.mktemp("gui"))


@pytest.fixture(scope="session")
def screenspot_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data in the layouts of ScreenSpot and ScreenSpot-Pro."""
    import small_screens

    return small_screens.write_screenspot(tmp_path_factory.mktemp("screenspot"))

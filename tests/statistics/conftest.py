"""Runs that every test here may look at."""

from __future__ import annotations

import pytest

import small_runs


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> small_runs.Made:
    return small_runs.make(tmp_path_factory.mktemp("statistics"))

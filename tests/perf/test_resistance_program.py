"""The program that measures resistance: what it times is what a report shows, and the promised coverage holds."""

from __future__ import annotations

from types import ModuleType

import pytest

import perf_programs
from snellen.engine.resistance import measure


@pytest.fixture(scope="module")
def program() -> ModuleType:
    return perf_programs.load("resistance")


def test_it_times_the_section_of_a_report(program: ModuleType) -> None:
    spent = program.cost(items=240, conditions=3, aspects=6, resamples=200)
    assert spent.pairs == 720
    table = program.run_table(240, 3, 6)
    found = measure(table, {"aspect": table.label_values("aspect")})
    assert found is not None
    assert len(found.cells["aspect"]) == 18
    assert found.micro.pairs == 720


@pytest.mark.parametrize("correlation", [0.0, 0.1, 0.2])
@pytest.mark.parametrize(
    ("shape", "clean", "kept"),
    [((30, 1), 0.7, 0.5), ((30, 4), 0.7, 0.5), ((60, 1), 0.7, 0.3), ((60, 4), 0.3, 0.7), ((200, 4), 0.9, 0.95)],
)
def test_promised_coverage(
    program: ModuleType, shape: tuple[int, int], clean: float, kept: float, correlation: float
) -> None:
    assert program.promised(shape, clean, kept)
    assert 0.93 <= program.coverage(shape, clean, kept, correlation, replicates=4000) <= 0.97


@pytest.mark.parametrize("correlation", [0.0, 0.2])
def test_macro_coverage(program: ModuleType, correlation: float) -> None:
    run = program.Cells(6, 8, 2, 2, 0.3, 0.8)
    assert 0.91 <= program.macro_coverage(run, 0.7, correlation, replicates=400) <= 0.99

"""The program that measures parses of screens: what it times is what the judge and the metrics give."""

from __future__ import annotations

from types import ModuleType

import pytest

import perf_programs
from snellen.item import ElementsReference


@pytest.fixture(scope="module")
def program() -> ModuleType:
    return perf_programs.load("screens")


def test_it_reads_matches_and_counts(program: ModuleType) -> None:
    spent = program.cost(6, 40)
    assert spent.recall.n == 6
    assert 0.6 < spent.recall.value < 0.95
    assert spent.everything > 0


def test_its_screens_are_as_it_says(program: ModuleType) -> None:
    for item, answer in program.screens(3, 100):
        assert isinstance(item.reference, ElementsReference)
        assert len(item.reference.elements) == 100
        assert answer.text.count("bbox_2d") == 100
    assert next(program.screens(1, 10)) == next(program.screens(1, 10))

"""The program that lays optical reading beside people's value errors, on captions that are counted by hand."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from PIL import Image

import perf_programs


@pytest.fixture
def program() -> ModuleType:
    return perf_programs.load("caption_values")


def test_each_number_of_a_sentence_has_to_be_on_the_chart(program: ModuleType) -> None:
    seen = np.array([100.0, 7.5])
    assert program.verdict("Sales were 100 and then 7.5.", seen) == 1
    assert program.verdict("Sales were 100.9.", seen) == 1  # within one per cent
    assert program.verdict("Sales were 100 and then 8.", seen) == 0
    assert program.verdict("Sales rose.", seen) == -1
    assert program.verdict("Sales were 5.", np.array([])) == 0


def test_agreement_with_people_by_hand(program: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two charts that show 10 and 20; one sentence is without a number, one chart is not at hand."""
    (tmp_path / "images").mkdir()
    for name in ("a.png", "b.png"):
        Image.new("RGB", (8, 8)).save(tmp_path / "images" / name)
    rows = [
        ("a.png", ["It is 10.", "It is 30.", "It rises."], [[], ["value_error"], ["trend_error"]]),
        ("b.png", ["It is 20.", "It is 40."], [["value_error"], []]),
        ("gone.png", ["It is 10."], [[]]),
    ]
    data = [{"image_path": f"x/{name}", "sentences": said, "labels": labels} for name, said, labels in rows]
    (tmp_path / "chocolate.json").write_text(json.dumps(data), encoding="utf-8")
    monkeypatch.setattr(program, "recognize", lambda image: [SimpleNamespace(text="10"), SimpleNamespace(text="20")])
    said = program.report(tmp_path)
    assert "5 sentences on 2 charts, 4 of them with numbers" in said
    assert "agree: 50.0 %" in said
    assert "value errors found: 50.0 %" in said
    assert "others passed: 50.0 %" in said

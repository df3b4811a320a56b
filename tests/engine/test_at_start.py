"""Warnings before the first request, and what a manifest keeps of the environments of its sittings."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fake_server import FakeServer, completion
from snellen import library
from snellen.engine import at_start, provenance
from snellen.engine.choice import Wish, chosen
from snellen.engine.plan import Plan
from snellen.engine.prepare import plan_of
from snellen.engine.watch import Watch
from snellen.engine.workspace import Workspace
from snellen.model_spec import ModelSpec


def plan(workspace: Workspace, benchmark: str, **spec: Any) -> Plan:
    return plan_of(workspace, benchmark, ModelSpec(**{"name": "m", "base_url": "http://localhost:8000/v1"} | spec))


def test_nothing_is_said_where_nothing_is_wrong(tmp_path: Path) -> None:
    with Workspace(tmp_path) as workspace:
        assert at_start.warnings(plan(workspace, "charthal-demo"), None) == []
        assert at_start.warnings(plan(workspace, "gui-demo", convention="pixels"), None) == []
        assert at_start.warnings(plan_of(workspace, "gui-demo", ModelSpec("blind")), None) == []


@pytest.mark.parametrize(
    ("benchmark", "spec", "said"),
    [
        ("gui-demo", {}, "no convention of coordinates is declared for m"),
        ("charthal-demo", {"base_url": "http://localhost:8000"}, "most servers want http://localhost:8000/v1"),
        (
            "charthal-demo",
            {"base_url": "http://models.example.org/v1", "key_variable": "KEY"},
            "goes to models.example.org in the clear",
        ),
    ],
)
def test_what_can_be_told_at_no_cost(tmp_path: Path, benchmark: str, spec: dict[str, Any], said: str) -> None:
    with Workspace(tmp_path) as workspace:
        (warning,) = at_start.warnings(plan(workspace, benchmark, **spec), None)
    assert said in warning


def test_a_judge_of_the_same_family_and_data_that_are_not_the_published(tmp_path: Path) -> None:
    with Workspace(tmp_path) as workspace:
        asked = plan(workspace, "charthal-demo", name="qwen2.5-vl-7b")
        wish = Wish(ModelSpec("qwen3-vl-8b", base_url="http://localhost:8001"))
        said = at_start.warnings(asked, chosen(workspace, asked.benchmark, wish))
        assert len(said) == 2
        assert "the base URL of the judge" in said[0]
        assert "one family (qwen)" in said[1]
        other: Any = SimpleNamespace(CARD=asked.card, PINNED_DIGEST="another")
        moved = Plan(other, "charthal-demo", asked.data, "x", "direct", asked.prompting, asked.model, "")
        assert at_start.warnings(moved, None) == [
            "the data of charthal-demo are not the published ones: scores cannot be set beside published rows"
        ]


def test_a_run_says_so_and_goes_on(tmp_path: Path) -> None:
    said: list[str] = []
    with FakeServer(lambda body, number: completion("[5, 5]")) as server, Workspace(tmp_path) as workspace:
        spec = ModelSpec("m", base_url=server.url)
        watch = Watch(on_warning=said.append)
        run = library.run("gui-demo", model=spec, judge="", workspace=workspace, sample=1, watch=watch)
    assert run.outcome.model.asked > 0
    assert any("no convention of coordinates" in each for each in said)


def test_environments_of_earlier_sittings_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    first = provenance.environment({})
    assert set(first) == {"versions", "machine"}
    assert provenance.environment(first) == first
    old = {**first, "versions": {**first["versions"], "numpy": "1.0"}}
    second = provenance.environment(old)
    assert second["versions"] == first["versions"]
    assert second["earlier_environments"] == [{"versions": old["versions"], "machine": first["machine"]}]
    assert provenance.environment({**old, **second}) == second
    monkeypatch.setattr(provenance, "machine", lambda: {"system": "Other"})
    third = provenance.environment({**old, **second})
    assert [each["versions"]["numpy"] for each in third["earlier_environments"]] == [
        "1.0",
        first["versions"]["numpy"],
    ]
    # A manifest from before machines were recorded has no machine to differ in.
    assert "earlier_environments" not in provenance.environment({"versions": first["versions"]})

"""Two manifests, field by field: nothing is left out, and what grows with every sitting stands apart."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from snellen import library
from snellen.engine.manifest_diff import PARTS, diff, from_file
from snellen.engine.workspace import Workspace
from snellen.errors import DataError

MANIFEST: dict[str, Any] = {
    "run": "charthal/a-1",
    "benchmark": "charthal",
    "plan": {
        "data": "d1",
        "prompt": "direct",
        "perturbations": ["jpeg:3", "typos:1"],
        "model": "a",
        "parameters": {"temperature": 0, "stop": ["x", "y"]},
        "seed": 0,
    },
    "model": {"name": "a", "price": {"input": 1.0}},
    "prompt_source": "p1",
    "versions": {"python": "3.11.7", "numpy": "2.4.6"},
    "machine": {"system": "Linux", "processors": 2},
    "sessions": [{"started": 1.0, "seconds": 2.5, "requests": 3}, {"started": 9.0, "seconds": 1.5, "requests": 4}],
    "cost": 0.5,
    "problems": ["row 3: no id"],
    "asked": {
        "requests": 7,
        "server_models": {"a-2024": 4, "a-2025": 3},
        "sent_parameters": [{"parameters": {"temperature": 0}, "requests": 5}, {"parameters": {}, "requests": 2}],
        "image_conversions": {"resized": 2},
        "answered": ["2026-01-01T00:00:00+00:00", "2026-01-02T00:00:00+00:00"],
    },
    "judging": {
        "name": "charthal/a-1@charthal-j",
        "judge": "charthal",
        "options": {"reading": "default"},
        "rubric_source": "r1",
        "readers_source": "s1",
        "versions": {"python": "3.11.7"},
        "asked": {"requests": 7},
    },
    "something_new": {"deep": [{"a": 1}, {"a": 2}]},
}


def changed(path: str, value: Any) -> dict[str, Any]:
    """The manifest with one field changed; a value of None takes it out."""
    manifest = deepcopy(MANIFEST)
    *parents, last = path.split(".")
    inner: Any = manifest
    for name in parents:
        inner = inner[name]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return manifest


def test_a_manifest_does_not_differ_from_itself() -> None:
    found = diff(MANIFEST, deepcopy(MANIFEST))
    assert found.differing == ()
    assert found.to_json() == {
        "a": "charthal/a-1@charthal-j",
        "b": "charthal/a-1@charthal-j",
        "differing": {},
        "same": len(found.fields),
    }
    assert [field.part for field in found.fields] == sorted((field.part for field in found.fields), key=PARTS.index)


@pytest.mark.parametrize(
    ("path", "value", "part", "name", "a", "b"),
    [
        ("plan.data", "d2", "data", "plan.data", "d1", "d2"),
        ("plan.seed", 1, "data", "plan.seed", 0, 1),
        ("problems", [], "data", "problems", "row 3: no id", None),
        ("plan.prompt", "pgp", "questions", "plan.prompt", "direct", "pgp"),
        ("prompt_source", "p2", "questions", "prompt_source", "p1", "p2"),
        ("plan.perturbations", [], "questions", "plan.perturbations", "jpeg:3, typos:1", None),
        ("plan.parameters.temperature", None, "model", "plan.parameters.temperature", 0, None),
        ("model.price.input", 2.0, "model", "model.price.input", 1.0, 2.0),
        ("asked.server_models", {"a-2025": 7}, "model", "asked.server_models", "a-2024, a-2025", "a-2025"),
        ("judging.rubric_source", "r2", "judge", "judging.rubric_source", "r1", "r2"),
        ("judging.options.reading", "strict", "judge", "judging.options.reading", "default", "strict"),
        ("versions.numpy", "2.5.0", "environment", "versions.numpy", "2.4.6", "2.5.0"),
        ("machine.processors", 8, "environment", "machine.processors", 2, 8),
        ("judging.versions.python", "3.12.0", "environment", "judging.versions.python", "3.11.7", "3.12.0"),
        ("cost", 0.7, "times and cost", "cost", 0.5, 0.7),
        ("judging.asked.requests", 8, "times and cost", "judging.asked.requests", 7, 8),
        ("something_new.deep", [{"a": 1}], "other", "something_new.deep", "a=1, a=2", "a=1"),
    ],
)  # fmt: skip
def test_what_differs_is_named(path: str, value: Any, part: str, name: str, a: Any, b: Any) -> None:
    (field,) = diff(MANIFEST, changed(path, value)).differing
    assert (field.part, field.name, field.a, field.b) == (part, name, a, b)


def test_counts_of_what_was_sent_are_no_difference_but_what_was_sent_is() -> None:
    others = [{"parameters": {}, "requests": 9}, {"parameters": {"temperature": 0}, "requests": 1}]
    assert diff(MANIFEST, changed("asked.sent_parameters", others)).differing == ()
    (field,) = diff(MANIFEST, changed("asked.sent_parameters", others[1:])).differing
    assert (field.a, field.b) == ("none; temperature=0", "temperature=0")


def test_sittings_are_summed_up() -> None:
    fields = {field.name: field.a for field in diff(MANIFEST, MANIFEST).fields}
    assert (fields["sessions.count"], fields["sessions.seconds"], fields["sessions.requests"]) == (2, 4.0, 7)
    assert fields["asked.answered.last"] == "2026-01-02T00:00:00+00:00"


def test_a_true_manifest_holds_what_it_must(tmp_path: Path) -> None:
    with Workspace(tmp_path / "w") as workspace:
        run = library.run("charthal-demo", model="blind", workspace=workspace, items="charthal-demo/*/0")
        manifest = library.open_judged(workspace, run.name).manifest
    names = {field.name: field for field in diff(manifest, manifest).fields}
    for name in (
        "plan.prompt", "prompt_source", "judging.rubric_source", "judging.readers_source", "judging.source",
        "model.name", "asked.server_models", "asked.sent_parameters", "plan.data", "plan.image_policy",
        "versions.python", "versions.snellen", "versions.numpy", "plan.seed", "machine.system", "machine.processors",
        "created", "asked.answered.first", "sessions.seconds", "cost", "judging.judge",
    ):  # fmt: skip
        assert name in names
    assert not [field for field in names.values() if field.part == "other"]


def test_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps({"run": "x", "results": {}, "manifest": MANIFEST}))
    assert from_file(file) == MANIFEST
    file.write_text(json.dumps(MANIFEST))
    assert from_file(file) == MANIFEST
    for text, said in (("{", "is no JSON"), ("[]", "holds no manifest"), ('{"plan": 3, "run": "x"}', "no manifest")):
        file.write_text(text)
        with pytest.raises(DataError, match=said):
            from_file(file)
    with pytest.raises(DataError, match="cannot be read"):
        from_file(tmp_path / "absent.json")

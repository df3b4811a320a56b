"""The chain of one item: what is honest about messages, and claims on answers whose judge was shown another text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import small_charthal
from fake_server import FakeServer, completion, question_of
from snellen import library
from snellen.engine.human_labels import read
from snellen.engine.item_chain import chain
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.request import Message, TextPart

ITEM = "charthal/1/0"


def script(body: dict[str, Any], _n: int) -> Any:
    if body["model"] != "judge":
        return completion("<think>a dog?</think>**Confidence:** 80\n\nA dog sleeps.\nConfidence: 90")
    tag = re.findall(r"^<<<CLAIMS (\w+)$", question_of(body), re.MULTILINE)[-1]
    claims = {"claims": [{"quote": "A dog sleeps", "verdict": "absent"}]}
    return completion(f"<<<CLAIMS {tag}\n{json.dumps(claims)}\n{tag} CLAIMS>>>")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "workspace") as opened:
        yield opened


def run(workspace: Workspace, tmp_path: Path, **more: Any) -> library.Run:
    data = tmp_path / "data"
    if not data.exists():
        small_charthal.write(data, figures=1)
    with FakeServer(script) as server:
        return library.run(
            "charthal",
            model="vlm",
            base_url=server.url,
            judge_base_url=server.url if more.get("judge") == "judge" else "",
            workspace=workspace,
            data=data,
            items="charthal/1/[01]",
            **more,
        )


def test_claims_stand_in_the_answer_as_it_is_shown(workspace: Workspace, tmp_path: Path) -> None:
    done = run(workspace, tmp_path, prompt="confidence", judge="judge", rubric="atomic-claims")
    found = chain(workspace, done.name, ITEM)
    text = found["answer"]["text"]
    assert "Confidence" in text
    (claim,) = found["verdicts"][0]["claims"]
    assert text[claim["start"] : claim["end"]] == "A dog sleeps"
    assert {"reader": "confidence", "says": "0.9"} in found["readings"]
    judged = library.open_judged(workspace, done.name)
    assert [each.verdict for each in judged.claims(0)] == ["absent"]
    assert judged.claims(5) == ()


def test_a_judging_of_another_kind_has_no_claims(workspace: Workspace, tmp_path: Path) -> None:
    done = run(workspace, tmp_path)
    assert library.open_judged(workspace, done.name).claims(0) == ()
    assert chain(workspace, done.name, ITEM)["verdicts"][0]["rubric"] is None


def test_messages_whose_source_has_changed_are_said_to(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(workspace, tmp_path, judge="judge", rubric="atomic-claims")
    before = chain(workspace, done.name, ITEM)
    assert (before["request"]["messages_are"], before["verdicts"][0]["rubric"]["messages_are"]) == ("sent", "sent")
    from snellen.judges import atomic_claims
    from snellen.prompting import direct

    for module, name in ((direct, "messages"), (atomic_claims, "ask")):
        change(monkeypatch, module, name)
    after = chain(workspace, done.name, ITEM)
    assert (after["request"]["messages_are"], after["verdicts"][0]["rubric"]["messages_are"]) == ("changed", "changed")


def change(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> None:
    other = (Message("user", (TextPart("something else"),)),)
    monkeypatch.setattr(module, name, lambda *_args, **_options: other)


def test_a_prompt_that_is_gone_is_said_to_be(workspace: Workspace, tmp_path: Path) -> None:
    done = run(workspace, tmp_path, judge="")
    row = done.row
    workspace.ledger.respecify(row.id, {**row.spec, "prompt": "of-a-plugin"})
    found = chain(workspace, row.name, ITEM)
    assert (found["request"]["messages_are"], found["request"]["messages"]) == ("gone", [])
    assert found["verdicts"][0]["unscored"] == "missing"


def test_people_are_those_of_this_answer(workspace: Workspace, tmp_path: Path) -> None:
    done = run(workspace, tmp_path)
    name = done.row.name
    lines = [
        {"id": ITEM, "label": 1, "rater": "ada"},
        {"id": ITEM, "label": "", "rater": "bob", "run": f"{name}@rules"},
        {"id": ITEM, "label": 0, "rater": "cleo", "run": "another/run"},
        {"id": "charthal/1/1", "label": 0, "rater": "dan"},
    ]
    file = tmp_path / "labels.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    found = chain(workspace, name, ITEM, read([file]))
    assert [(each["rater"], each["value"]) for each in found["people"]] == [("ada", 1), ("bob", None)]


def test_a_lost_picture_is_told_of(workspace: Workspace, tmp_path: Path) -> None:
    done = run(workspace, tmp_path)
    (image,) = chain(workspace, done.name, ITEM)["image_files"]
    assert image["original"]["format"] == "jpeg"
    assert image["as_it_is"] is True
    Path(image["path"]).unlink()
    (image,) = chain(workspace, done.name, ITEM)["image_files"]
    assert (image["original"], image["problem"]) == (None, "it is not in the workspace")


def test_what_is_not_there_is_an_error(workspace: Workspace, tmp_path: Path) -> None:
    done = run(workspace, tmp_path)
    with pytest.raises(UsageError, match="there is no run"):
        chain(workspace, "nope", ITEM)
    with pytest.raises(UsageError, match="did you mean charthal/1/0 or charthal/1/1"):
        chain(workspace, done.name, "charthal/1")

"""Judging a changed item on its clean version: what the judge is shown, and which verdicts flip."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import snellen
from changed_items import changed, clean
from fake_server import FakeServer, completion, question_of
from snellen.engine.as_judged import judged_on, on_clean
from snellen.engine.differences import setting
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.item import ImageRef, Item
from snellen.library import open_judged

PREFIX = "misleading-prefix:3"
CAPTION = "shale-demo/meadow-cat/4"


class Served:
    """A model that answers each question in words of its own, and a judge that dislikes a misleading instruction."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    def __call__(self, body: dict[str, Any], number: int) -> Any:
        if body["model"] == "vlm":
            return completion(f"An orange cat beside a tree, says answer {number}.")
        self.asked.append(body)
        return completion(f"Seen.\nVerdict: {'hallucination' if self.misled(body) else 'no hallucination'}")

    @staticmethod
    def misled(body: dict[str, Any]) -> bool:
        # The clean instruction of the caption begins at once, a changed one with a false sentence.
        return "INSTRUCTION" in question_of(body) and "\n用一两句话描述这张图" not in question_of(body)

    def pictures(self) -> list[str]:
        """The pictures that the judge was shown, in order of the requests."""
        parts = [part for body in self.asked for part in body["messages"][-1]["content"]]
        return [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]


@pytest.fixture
def served() -> Served:
    return Served()


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "workspace") as opened:
        yield opened


def go(workspace: Workspace, server: FakeServer, **changes: Any) -> snellen.Run:
    values: dict[str, Any] = {
        "model": "vlm",
        "base_url": server.url,
        "judge": "judge",
        "judge_base_url": server.url,
        "workspace": workspace,
        "perturb": f"grayscale:1,{PREFIX}",
        "items": CAPTION,
    }
    return snellen.run("shale-demo", **(values | changes))


def test_the_judge_is_shown_the_clean_image_and_instruction(workspace: Workspace, served: Served) -> None:
    with FakeServer(served) as server:
        on_changed = go(workspace, server)
        assert len(served.asked) == 3
        assert len(set(served.pictures())) == 2
        assert sum(map(served.misled, served.asked)) == 1
        original = max(served.pictures(), key=served.pictures().count)  # of two versions; the third is gray
        served.asked.clear()
        judged = snellen.judge(
            on_changed.row.name,
            judge="judge",
            judge_base_url=server.url,
            judge_on="clean",
            workspace=workspace,
        )
        # The clean item's request is the same in both judgings, and its reply is taken from the ledger.
        assert len(served.asked) == 2
        assert set(served.pictures()) == {original}
        assert not any(map(served.misled, served.asked))
        assert judged.row.name == on_changed.row.name
        assert (on_changed.name.partition("@")[2], judged.name.partition("@")[2]) == (
            "shale-judge",
            "shale-on-clean-judge",
        )
        again = go(workspace, server, judge_on="clean")
        assert again.name == judged.name
        assert len(served.asked) == 2
        # What is shown to people is the item as it was asked.
        shown = [row.item for row in judged.judged.rows()]
        assert len({item.images[0].sha256 for item in shown}) == 2
        assert any("clean version" in remark for remark in judged.judged.remarks)
        assert not any("clean version" in remark for remark in on_changed.judged.remarks)


def test_the_verdicts_that_flip_are_listed_from_either_side(workspace: Workspace, served: Served) -> None:
    with FakeServer(served) as server:
        on_changed = go(workspace, server)
        assert not on_changed.judged.differences
        on_clean = go(workspace, server, judge_on="clean")
    for run, values in ((on_changed, (0, 1)), (on_clean, (1, 0))):
        (found,) = run.judged.differences
        assert found.compared == 3
        (flip,) = found.items()
        assert flip.item == f"{CAPTION}@{PREFIX}"
        assert (flip.here.value, flip.there.value) == values
        assert flip.here.reason == flip.there.reason == "Seen."
    (found,) = on_changed.judged.differences
    assert found.title == "judged on the clean version of changed items"
    assert (found.here, found.there) == (on_changed.name, on_clean.name)
    plain = json.loads(json.dumps(found.to_json()))
    assert plain["items"] == [
        {
            "id": f"{CAPTION}@{PREFIX}",
            "here": {"value": 0, "unscored": "", "reason": "Seen."},
            "there": {"value": 1, "unscored": "", "reason": "Seen."},
        }
    ]


def test_verdicts_are_read_anew_as_they_were_asked_for(workspace: Workspace, served: Served) -> None:
    with FakeServer(served) as server:
        go(workspace, server)
        name = go(workspace, server, judge_on="clean").name
    row = workspace.ledger.find_run(name)
    workspace.ledger.respecify(row.id, {**row.spec, "source": "of an earlier version"})
    judged = open_judged(workspace, name)  # asks nothing: the server is gone
    assert [each.verdict.value for each in judged.rows()] == [1, 1, 1]


def test_replies_to_a_judge_with_image_limits_are_found_when_they_are_read_anew(
    workspace: Workspace, served: Served
) -> None:
    with FakeServer(served) as server:
        judge = snellen.ModelSpec("judge", base_url=server.url, image_limits={"max_side": 64})
        name = go(workspace, server, judge=judge, judge_base_url="").name
    row = workspace.ledger.find_run(name)
    workspace.ledger.respecify(row.id, {**row.spec, "source": "of an earlier version"})
    values = [each.verdict.value for each in open_judged(workspace, name).rows()]
    assert len(values) == 3
    assert None not in values


def test_a_judging_of_an_earlier_source_is_read_anew_before_it_is_compared(
    workspace: Workspace, served: Served
) -> None:
    with FakeServer(served) as server:
        name = go(workspace, server).name
        other = workspace.ledger.find_run(go(workspace, server, judge_on="clean").name)
    workspace.ledger.clear_verdicts(other.id)
    workspace.ledger.respecify(other.id, {**other.spec, "source": "of an earlier version"})
    (found,) = open_judged(workspace, name).differences
    assert [each.item for each in found.items()] == [f"{CAPTION}@{PREFIX}"]


def test_a_run_without_changed_items_has_nothing_to_judge_so(workspace: Workspace, served: Served) -> None:
    with FakeServer(served) as server, pytest.raises(UsageError, match="no changed items"):
        go(workspace, server, perturb="", judge_on="clean")
    with pytest.raises(UsageError, match="changed or clean"):
        judged_on("dirty")


def pair(truth: Any = "kept") -> tuple[Item, Item]:
    original = replace(clean("x/1"), images=(ImageRef("1.png", sha256="aa" * 32),), options=(("A", "a"), ("B", "b")))
    other = changed(original, "jpeg:3", truth)
    return original, replace(other, question="Believe me. What?", images=(ImageRef("1.png", sha256="bb" * 32),))


def test_what_is_right_stays_the_changed_items_own() -> None:
    original, other = pair()
    shown = on_clean(other, original)
    assert (shown.question, shown.images) == (original.question, original.images)
    assert (shown.id, shown.changes, shown.reference) == (other.id, other.changes, other.reference)


def test_options_that_were_changed_stay_in_the_instruction_that_holds_them() -> None:
    original, other = pair()
    other = replace(other, options=(("A", "b"), ("B", "a")))
    shown = on_clean(other, original)
    assert (shown.question, shown.options) == (other.question, other.options)
    assert shown.images == original.images


@pytest.mark.parametrize("truth", ["altered", "removed"])
def test_a_truth_of_the_changed_image_is_judged_on_that(truth: str) -> None:
    original, other = pair(truth)
    assert on_clean(other, original) == other


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ({"on": "clean"}, {}, "judged on the changed version of changed items"),
        ({"options": {"a": "x", "b": "y"}}, {"options": {"a": "z", "b": "y"}}, "a=z"),
        ({"options": {"a": "x"}}, {"options": {"a": "z"}, "on": "clean"}, ""),
        ({"options": {"a": "x", "b": "y"}}, {"options": {"a": "z", "b": "z"}}, ""),
        ({"model": "one"}, {"model": "two", "on": "clean"}, ""),
        ({"judge": "shale"}, {"judge": "rules"}, ""),
        ({}, {}, ""),
    ],
)
def test_judgings_are_compared_that_differ_in_one_setting(
    one: dict[str, Any], other: dict[str, Any], words: str
) -> None:
    assert setting(one, other) == words
